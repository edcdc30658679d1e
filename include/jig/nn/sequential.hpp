// SPDX-License-Identifier: MIT
#pragma once
// Models of layers that follow one another.

#include <jig/nn/layer.hpp>

namespace jig::nn {

namespace detail {

// A layer with its name and what it gives, as a symbol.
template <class Layer, class Output, text Name>
struct placed {
  using type = Layer;
  using output = Output;
  static constexpr auto name = Name;
};

constexpr message numbered_name(std::string_view type, index earlier) {
  message m = layer_name(type);
  if (earlier > 0) m << '_' << earlier;
  return m;
}
template <class Layer, index Earlier>
constexpr auto name_in_model() {
  constexpr message m = numbered_name(type_of_layer<Layer>(), Earlier);
  text<m.length + 1> out;
  for (std::size_t i = 0; i < m.length; ++i) out.chars[i] = m.chars[i];
  out.chars[m.length] = '\0';
  return out;
}

constexpr message misfit(std::string_view name, std::string_view type, const message& expected, const shape& given) {
  message m;
  shape batch;
  batch.push_back(dyn);
  for (int a = 0; a < given.rank; ++a) batch.push_back(given[a]);
  return m << "sequential: layer " << name << " (" << type << ") takes " << expected.view() << ", given " << batch;
}
template <class Description, class Layer, text Name, class Input>
struct misfit_reason {
  static constexpr message sentence =
      misfit(Name.view(), type_of_layer<Layer>(), Description::refusal(Input::value().shape), Input::value().shape);
};
template <class Description, class Input>
constexpr bool fits() {
  if constexpr (requires { Description::refusal(shape()); }) return Description::refusal(Input::value().shape).length == 0;
  else return true;
}

template <class Description, class Input>
struct layer_for : std::type_identity<Description> {};
template <class Description, class Input>
  requires requires { typename Description::template layer<Input>; }
struct layer_for<Description, Input> : std::type_identity<typename Description::template layer<Input>> {};

// The layers up to one, which gives X; what follows one that does not fit is left out.
template <class X, class... Placed>
struct layers_giving {
  template <class... P>
  static constexpr index count([[maybe_unused]] std::string_view type) {
    return (index{0} + ... + static_cast<index>(type_of_layer<typename P::type>() == type));
  }
  template <class Description>
  constexpr auto operator+(std::type_identity<Description>) const {
    if constexpr (is_refused<X>) {
      return *this;
    } else {
      using input_t = typename without_batch<X>::type;
      using layer = typename layer_for<Description, input_t>::type;
      constexpr auto name = name_in_model<layer, count<Placed...>(type_of_layer<layer>())>();
      if constexpr (!fits<Description, input_t>()) {
        return layers_giving<decltype(refuse<misfit_reason<Description, layer, name, input_t>>()), Placed...>();
      } else {
        using output = decltype(call_layer(std::declval<layer&>(), std::declval<const X&>(), lit<false>));
        return layers_giving<output, Placed..., placed<layer, output, name>>();
      }
    }
  }
};

template <std::size_t I, class Layer>
struct held_layer {
  [[no_unique_address]] Layer layer;
};
template <class I, class Input, class Output, class... Placed>
struct held_layers;
template <std::size_t... I, class Input, class Output, class... Placed>
struct held_layers<std::index_sequence<I...>, Input, Output, Placed...> : held_layer<I, typename Placed::type>... {
  using input_type = Input;
  using output_type = Output;
  static constexpr std::size_t size = sizeof...(I);
  template <std::size_t K>
  using at = std::tuple_element_t<K, std::tuple<std::type_identity<Placed>...>>::type;
  static constexpr std::string_view names[sizeof...(I) + 1] = {Placed::name.view()..., {}};
};
template <class Input, class X, class... Placed>
auto hold(layers_giving<X, Placed...>) -> held_layers<std::index_sequence_for<Placed...>, Input, X, Placed...>;

template <class Input, class... Layers>
using layers_of = decltype(hold<typename Input::spec_type>(
    (layers_giving<typename batch_of<typename Input::spec_type>::type>() + ... + std::type_identity<Layers>())));

template <std::size_t I, class L>
constexpr L& layer_at(held_layer<I, L>& x) {
  return x.layer;
}
template <std::size_t I, class L>
constexpr const L& layer_at(const held_layer<I, L>& x) {
  return x.layer;
}

// Of what is dynamic only the run tells.
template <class X, class Expected>
constexpr bool may_be_given() {
  using spec_t = typename jig::detail::operand_spec<X>::type;
  if constexpr (std::is_void_v<spec_t>) return world_of<X> == world::dynamic;
  else return may_be_equal(spec_t::value(), Expected::value());
}
template <class X, class Expected>
struct input_reason {
  static constexpr message sentence = [] {
    message m;
    m << "sequential: expected " << Expected::value() << ", given ";
    if constexpr (std::is_void_v<typename jig::detail::operand_spec<X>::type>) m << "what is no tensor";
    else m << jig::detail::operand_spec<X>::type::value();
    return m;
  }();
};

// What stands for a layer without variables.
inline constexpr std::tuple<> no_variables;

}  // namespace detail

/// A model of layers that follow one another, described in order behind the shape of the input:
/// `sequential(input<float, 28, 28, 1>(), layers::flatten(), layers::dense<10>())`. Layers are descriptions, whose shapes follow from what
/// stands before them, any structs with a call operator, and lambdas that do not capture. The model is a struct of the variables of its
/// layers, which have Keras' names.
/// Shape: [batch, the input's extents...] -> [batch, ...]
/// Errors: layers that do not fit are refused at compile time.
template <class Input, class... Layers>
class sequential : private detail::layers_of<Input, Layers...> {
  using all = detail::layers_of<Input, Layers...>;
  friend struct structure<sequential>;

 public:
  static constexpr std::string_view type = "Sequential";

  constexpr sequential() = default;
  constexpr explicit sequential(Input, Layers...) {}

  /// What a call takes, but for the batch: a spec.
  using input_type = typename all::input_type;
  /// The number of layers.
  static constexpr std::size_t size() { return all::size; }
  /// The name of a layer: that of its class, and behind that its number if it is not the first of it.
  static constexpr std::string_view layer_name(std::size_t i) { return all::names[i]; }
  /// What a layer gives, as a symbol with a wildcard for the batch.
  template <std::size_t I>
  using layer_output = typename all::template at<I>::output;

  /// Layer I.
  template <std::size_t I>
  constexpr auto& layer() {
    return detail::layer_at<I>(static_cast<all&>(*this));
  }
  template <std::size_t I>
  constexpr const auto& layer() const {
    return detail::layer_at<I>(static_cast<const all&>(*this));
  }
  /// The layer of this name: `model.get_layer<"dense_1">()`.
  template <text Name>
  constexpr auto& get_layer() {
    constexpr std::size_t i = position(Name.view());
    static_assert(i < all::size, "jig: sequential: there is no layer of this name");
    return layer<i>();
  }

  /// The model in use.
  template <class X>
  constexpr auto operator()(const X& x, const source_line& line = source_line::here()) const {
    const jig::detail::line_scope in(line, x);
    return given(*this, x, lit<false>);
  }
  /// The model in training (`jig::lit<true>`), where layers such as dropout change what they do, or in use (`jig::lit<false>`).
  template <class X, Constant Training>
  constexpr auto operator()(const X& x, const Training& training, const source_line& line = source_line::here()) {
    const jig::detail::line_scope in(line, x);
    return given(*this, x, training);
  }

  /// Keras' start of every layer, each with a seed of its own.
  void initialize(std::int64_t seed) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (nn::initialize(layer<I>(), seed_of_part(seed, I)), ...);
    }(std::make_index_sequence<all::size>());
  }

 private:
  template <class Self, class X, class Training>
  static constexpr auto given(Self& self, const X& x, const Training& training) {
    using expected = typename detail::batch_of<input_type>::type::spec_type;
    if constexpr (is_refused<X>) return x;
    else if constexpr (is_refused<typename all::output_type>) return typename all::output_type();
    else if constexpr (!detail::may_be_given<X, expected>()) return refuse<detail::input_reason<X, expected>>();
    else return from<0>(self, x, training);
  }
  template <std::size_t I, class Self, class X, class Training>
  static constexpr auto from(Self& self, const X& x, const Training& training) {
    if constexpr (I == all::size) return x;
    else return from<I + 1>(self, call_layer(self.template layer<I>(), x, training), training);
  }
  static constexpr std::size_t position(std::string_view name) {
    std::size_t i = 0;
    while (i < all::size && all::names[i] != name) ++i;
    return i;
  }
};

}  // namespace jig::nn

/// A sequential model falls into its layers.
template <class Input, class... Layers>
struct jig::structure<jig::nn::sequential<Input, Layers...>> {
  using model = jig::nn::sequential<Input, Layers...>;
  static constexpr bool nested = true;
  static constexpr std::size_t size = model::size();
  using key_tuple = void;  // parts have names
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    if constexpr (is_structure<decltype(x.template layer<I>())>) return x.template layer<I>();
    else return nn::detail::no_variables;
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return model::layer_name(I);
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return std::tuple<std::remove_cvref_t<P>...>(std::forward<P>(parts)...);
  }
};

namespace boost::hana {

template <class Input, class... Layers>
struct accessors_impl<jig::nn::sequential<Input, Layers...>> {
  static constexpr auto apply() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return make_tuple(make_pair(size_c<I>, [](auto&& model) -> decltype(auto) { return model.template layer<I>(); })...);
    }(std::make_index_sequence<jig::nn::sequential<Input, Layers...>::size()>());
  }
};

}  // namespace boost::hana
