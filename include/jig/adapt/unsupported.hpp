// SPDX-License-Identifier: MIT
#pragma once
// What jig says of an argument that it cannot see as a tensor: its type, and what to do instead.

#include <jig/core/text.hpp>

#include <type_traits>

namespace jig::detail {

template <class X>
constexpr auto text_with_type() {
  return std::string_view(__PRETTY_FUNCTION__);
}

// Where a word begins in a text, or its size. Character by character, since GCC with -fsanitize=undefined cannot search such texts in
// constant evaluation.
constexpr std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    std::size_t n = 0;
    while (n < word.size() && text[i + n] == word[n]) ++n;
    if (n == word.size()) return i;
  }
  return text.size();
}

/// The name of a type as the compiler writes it.
template <class X>
constexpr std::string_view type_name() {
  std::string_view name = text_with_type<X>();
  name.remove_prefix(find_word(name, "X = ") + 4);
  name.remove_suffix(1);
  return name;
}

struct advice {
  std::string_view type;  // occurs in the name of the type
  std::string_view sentence;
};

inline constexpr std::string_view lies_apart =
    "its elements do not lie in one piece of memory: copy them into a std::vector or a jig::tensor";
inline constexpr std::string_view holds_another = "pass what it holds";

/// The first that fits counts.
inline constexpr advice advices[] = {
    {"Eigen::", "include <jig/adapt/eigen.hpp>"},
    {"arma::", "include <jig/adapt/armadillo.hpp>"},
    {"blaze::", "include <jig/adapt/blaze.hpp>"},
    {"xt::", "include <jig/adapt/xtensor.hpp>"},
    {"cv::", "include <jig/adapt/opencv.hpp>"},
    {"DLManagedTensor", "include <jig/adapt/dlpack.hpp>"},
    {"DLTensor", "include <jig/adapt/dlpack.hpp>"},
    {"complex<", "complex numbers are no dtype of jig: pass real and imaginary parts"},
    {"list<", lies_apart},
    {"deque<", lies_apart},
    {"map<", lies_apart},
    {"set<", lies_apart},
    {"optional<", holds_another},
    {"reference_wrapper<", holds_another},
    {"unique_ptr<", "a pointer tells no extents: pass jig::view<T, extents...>(x.get())"},
    {"shared_ptr<", "a pointer tells no extents: pass jig::view<T, extents...>(x.get())"},
    {"*", "a pointer tells no extents: pass jig::view<T, extents...>(x)"},
    {"vector<", "its rows do not lie in one piece of memory: use a jig::tensor<T, jig::dyn, jig::dyn>"},
};

template <class X>
struct unsupported_reason {
  static constexpr message sentence = [] {
    constexpr std::string_view name = type_name<X>();
    constexpr std::size_t longest = 120;
    message m;
    m << "this argument is neither a tensor, number or literal nor a container or structure of them. It is a " << name.substr(0, longest);
    if (name.size() > longest) m << "...";
    m << ": ";
    for (const advice& a : advices)
      if (find_word(name, a.type) < name.size()) {
        m << a.sentence;
        return m;
      }
    if constexpr (std::is_aggregate_v<X> && std::is_class_v<X> && !std::is_empty_v<X>)
      m << "name its members by BOOST_HANA_DEFINE_STRUCT, or specialise jig::argument";
    else m << "jig has no adaptor for it; specialise jig::argument";
    return m;
  }();
};

}  // namespace jig::detail
