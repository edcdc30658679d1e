// SPDX-License-Identifier: MIT
#pragma once
// Features of tf.train.Example messages. Not part of jig/data.hpp: it needs protozero (Debian's libprotozero-dev).

#include <jig/data/slices.hpp>

#if __has_include(<protozero/pbf_reader.hpp>)
#include <protozero/pbf_reader.hpp>
#else
#error "jig: data/parse_example.hpp needs protozero: apt-get install libprotozero-dev"
#endif

#include <string_view>
#include <vector>

namespace jig::data {

/// A feature of known shape: `fixed_len_feature<float, 28, 28>("image")`. T is float, std::int64_t or std::string.
template <class T, index... E>
struct fixed_len_feature {
  static_assert((true && ... && is_static_extent(E)), "jig: fixed_len_feature has extents that are known; there is var_len_feature");
  using type = tensor<T, E...>;
  std::string_view name;
  explicit fixed_len_feature(std::string_view n) : name(n) {}
};
/// A feature of any number of values.
template <class T>
struct var_len_feature {
  using type = tensor<T, dyn>;
  std::string_view name;
  explicit var_len_feature(std::string_view n) : name(n) {}
};

namespace detail {

// The numbers of messages' fields, as tensorflow/core/example/{example,feature}.proto have them.
inline constexpr protozero::pbf_tag_type example_features = 1, features_entry = 1, entry_key = 1, entry_value = 2, list_value = 1;
template <class T>
inline constexpr protozero::pbf_tag_type list_of = 0;
template <>
inline constexpr protozero::pbf_tag_type list_of<std::string> = 1;
template <>
inline constexpr protozero::pbf_tag_type list_of<float> = 2;
template <>
inline constexpr protozero::pbf_tag_type list_of<std::int64_t> = 3;

[[noreturn, gnu::cold]] inline void refuse_feature(std::string_view name, const std::string& why) {
  jig::detail::throw_invalid_argument("parse_single_example: feature \"" + std::string(name) + "\" " + why);
}

using protozero::pbf_wire_type;

// The message of the feature of this name; the last one counts, as in every map of protocol buffers.
inline protozero::data_view feature_named(std::string_view name, std::string_view record) {
  protozero::data_view found;
  bool any = false;
  protozero::pbf_reader example(record.data(), record.size());
  while (example.next(example_features, pbf_wire_type::length_delimited)) {
    protozero::pbf_reader features = example.get_message();
    while (features.next(features_entry, pbf_wire_type::length_delimited)) {
      protozero::pbf_reader entry = features.get_message();
      protozero::data_view key, value;
      while (entry.next()) {
        const bool has_bytes = entry.wire_type() == pbf_wire_type::length_delimited;
        if (has_bytes && entry.tag() == entry_key) key = entry.get_view();
        else if (has_bytes && entry.tag() == entry_value) value = entry.get_view();
        else entry.skip();
      }
      if (std::string_view(key.data(), key.size()) != name) continue;
      found = value;
      any = true;
    }
  }
  if (!any) refuse_feature(name, "is missing");
  return found;
}

// The values of a list. Numbers may be packed.
template <class T>
void read_values(protozero::pbf_reader list, std::vector<T>& out) {
  constexpr auto alone = std::is_same_v<T, float> ? pbf_wire_type::fixed32 : pbf_wire_type::varint;
  while (list.next(list_value)) {
    const auto type = list.wire_type();
    if constexpr (std::is_same_v<T, std::string>) {
      if (type == pbf_wire_type::length_delimited) out.push_back(list.get_string());
      else list.skip();
    } else if (type != pbf_wire_type::length_delimited && type != alone) {
      list.skip();
    } else if constexpr (std::is_same_v<T, float>) {
      if (type == alone) out.push_back(list.get_float());
      else
        for (const float x : list.get_packed_float()) out.push_back(x);
    } else {
      if (type == alone) out.push_back(list.get_int64());
      else
        for (const std::int64_t x : list.get_packed_int64()) out.push_back(x);
    }
  }
}

template <class Feature>
typename Feature::type read_feature(const Feature& feature, std::string_view record) {
  using tensor_type = typename Feature::type;
  using T = typename tensor_type::value_type;
  static_assert(list_of<T> > 0, "jig: a feature is one of float, std::int64_t or std::string");
  std::vector<T> values;
  const protozero::data_view message = feature_named(feature.name, record);
  protozero::pbf_reader lists(message.data(), message.size());
  while (lists.next()) {
    if (lists.tag() != list_of<T> || lists.wire_type() != pbf_wire_type::length_delimited)
      refuse_feature(feature.name, "is no list of " + std::string(name_of(dtype_of<T>)));
    read_values(lists.get_message(), values);
  }
  constexpr auto declared = tensor_type::spec_type::value().shape;
  shape extents = declared;
  if constexpr (!declared.is_static()) extents[0] = static_cast<index>(values.size());
  if (static_cast<index>(values.size()) != extents.size())
    refuse_feature(feature.name, "has " + std::to_string(values.size()) + " values, expected " + std::to_string(extents.size()));
  tensor_type out(uninitialized, extents);
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

}  // namespace detail

/// The features of a serialised tf.train.Example, as a tuple of tensors, of one feature a tensor:
/// `tf_record(path).map([](const std::string& r) { return parse_single_example(r, fixed_len_feature<float, 28, 28>("image")); })`.
/// Errors: a feature that is missing, of another dtype or with another number of values, and what is no such message, throw
/// invalid_argument.
template <class... Feature>
  requires(sizeof...(Feature) > 0)
auto parse_single_example(std::string_view record, const Feature&... feature) {
  try {
    return detail::element_of(detail::read_feature(feature, record)...);
  } catch (const protozero::exception& e) {
    jig::detail::throw_invalid_argument(std::string("parse_single_example: no tf.train.Example: ") + e.what());
  }
}

}  // namespace jig::data
