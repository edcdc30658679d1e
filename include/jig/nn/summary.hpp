// SPDX-License-Identifier: MIT
#pragma once
// Models as text.

#include <jig/nn/parameters.hpp>
#include <jig/nn/sequential.hpp>

#include <cstdio>
#include <string>

namespace jig::nn {

namespace detail {

inline constexpr std::size_t summary_width = 65, summary_columns[] = {29, 26, 10};

// A row in as many lines as its longest cell needs.
inline void append_row(std::string& to, std::string layer, std::string output, std::string parameters) {
  std::string* cells[] = {&layer, &output, &parameters};
  do {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t before = k == 0, behind = k == 2 ? 0 : 2, room = summary_columns[k] - before - behind;
      std::string line = std::string(before, ' ') + cells[k]->substr(0, room);
      cells[k]->erase(0, room);
      to += line + std::string(summary_columns[k] - line.size(), ' ');
    }
    to += '\n';
  } while (!layer.empty() || !output.empty() || !parameters.empty());
}

inline std::string readable_bytes(index bytes) {
  constexpr const char* units[] = {"Byte", "KB", "MB", "GB", "TB", "PB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
  char text[40];
  std::snprintf(text, sizeof text, "%.2f %s", size, units[unit]);
  return text;
}

template <class Layer>
void append_layer(std::string& to, std::string_view name, const std::string& output) {
  append_row(to, std::string(name) + " (" + std::string(type_of_layer<Layer>()) + ")", output,
             std::to_string(parameters_of<Layer>().total()));
  append_row(to, "", "", "");
}

template <class Model>
struct summary_rows {
  static void append(std::string& to) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_layer<jig::detail::part<Model, I>>(to, structure<Model>::template name<I>(), "multiple"), ...);
    }(std::make_index_sequence<structure<Model>::size>());
  }
};
template <class Input, class... Layers>
struct summary_rows<sequential<Input, Layers...>> {
  using model = sequential<Input, Layers...>;
  template <std::size_t I>
  static std::string output() {
    message m;
    m << model::template layer_output<I>::spec_type::value().shape;
    return std::string(m.view());
  }
  static void append(std::string& to) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_layer<std::remove_cvref_t<decltype(std::declval<model&>().template layer<I>())>>(to, model::layer_name(I), output<I>()), ...);
    }(std::make_index_sequence<model::size()>());
  }
};

}  // namespace detail

/// The table that Keras' model.summary() prints: the layers of a model with what they give and how many parameters they have. What the
/// members of a struct give is only known in its call operator.
template <class Model>
std::string summary(const Model&) {
  const std::string line(detail::summary_width, '_'), double_line(detail::summary_width, '=');
  constexpr parameter_count count = parameters_of<Model>();
  std::string to = "Model: \"" + std::string(nn::layer_name(type_of_layer<Model>()).view()) + "\"\n" + line + '\n';
  detail::append_row(to, "Layer (type)", "Output Shape", "Param #");
  to += double_line + '\n';
  detail::summary_rows<Model>::append(to);
  to += double_line + '\n';
  auto total = [&](const char* what, index n, index bytes) {
    to += std::string(what) + " params: " + std::to_string(n) + " (" + detail::readable_bytes(bytes) + ")\n";
  };
  total("Total", count.total(), count.trainable_bytes + count.non_trainable_bytes);
  total("Trainable", count.trainable, count.trainable_bytes);
  total("Non-trainable", count.non_trainable, count.non_trainable_bytes);
  return to + line + '\n';
}

}  // namespace jig::nn
