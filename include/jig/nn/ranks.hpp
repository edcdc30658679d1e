// SPDX-License-Identifier: MIT
#pragma once
// `fit` over ranks: `trainer.fit(x, y, {.batch_size = 32}, jig::mpi::world)`. A batch falls into a fixed number of shards, and a rank
// computes some of them. Loss, metrics, gradients and what layers change themselves are means over the shards, summed along one tree
// (adapt/shard_sum.hpp): a training has the same bits on any number of ranks.

#include <jig/adapt/shard_sum.hpp>
#include <jig/nn/state.hpp>
#include <jig/nn/trainer.hpp>

namespace jig::nn {

namespace detail {

// What a shard gives: its part of the loss and the metrics of the batch, then of the gradients.
template <class Loss, class... Metrics>
inline constexpr auto shard_step = function<"shard_step(model, x, y, weight)">([](auto& model, auto x, auto y, auto weight) {
  auto predicted = call_layer(model, x, lit<true>);
  auto loss = reduce_mean(Loss()(y, predicted));
  auto gradients = gradient(loss, trainable_variables(model));
  auto weighted = [&](const auto&... g) { return std::tuple(measured<Metrics...>(loss, y, predicted) * weight, g * weight...); };
  return std::apply(weighted, tied_leaves<false>(gradients));
});
inline constexpr auto apply_step = function<"apply_step(model, optimizer, gradients)">(
    [](auto& model, auto& optimizer, auto gradients) { optimizer.apply_gradients(model, gradients); });

/// A variable that a layer changes itself.
struct layer_state {
  any_view elements;
  bool is_seed;
};
template <bool Trainable, class X>
void append_states(std::vector<layer_state>& out, X& x, bool is_seed = false) {
  using S = structure<X>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_states<(Trainable && is_trainable<X>)>(out, S::template get<I>(x), std::is_same_v<X, seed_generator>), ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<X>) {
    if constexpr (!(Trainable && is_weight<X>)) {
      static_assert(!std::is_same_v<typename X::value_type, std::string>, "jig: fit: over ranks a model has no variables of strings");
      out.push_back({untyped(argument<X>::bind(x)), is_seed});
    }
  }
}

// The layers' own variables in a step: each shard begins with what they were before it, but for seeds, of which each shard has its own.
// Floating ones become the mean over the shards, the others what the first shard makes of them.
class layer_states {
 public:
  template <class Model>
  explicit layer_states(Model& model) {
    append_states<true>(states_, model);
    for (const layer_state& s : states_) bytes_ += bytes_of(s);
    before_.resize(bytes_);
  }
  void append_segments(std::vector<jig::detail::message_segment>& to) const {
    for (const layer_state& s : states_) to.push_back({s.elements.dtype, s.elements.extents.size()});
  }
  std::size_t count() const { return states_.size(); }

  void keep() {
    each_kept([](const layer_state& s, std::byte* at) { std::memcpy(at, s.elements.data, bytes_of(s)); });
  }
  void begin_shard(index shard) {
    each_kept([&](const layer_state& s, std::byte* at) {
      std::memcpy(memory(s), at, bytes_of(s));
      if (s.is_seed) *static_cast<std::int64_t*>(memory(s)) += shard * seeds_of_a_shard;
    });
  }
  /// The part that state i of a shard has in the sum.
  void write(std::size_t i, index shard, double weight, std::byte* to) const {
    const layer_state& s = states_[i];
    jig::detail::with_type_of(s.elements.dtype, [&]<class T>(const T&) {
      if constexpr (is_floating(dtype_of<T>)) {
        using W = std::conditional_t<is_storage(dtype_of<T>), float, T>;
        for (index k = 0; k < s.elements.extents.size(); ++k)
          reinterpret_cast<T*>(to)[k] = static_cast<T>(static_cast<W>(s.elements.at<T>(k)) * static_cast<W>(weight));
      } else if (shard == 0) {
        std::memcpy(to, s.elements.data, bytes_of(s));
      } else {
        std::memset(to, 0, bytes_of(s));
      }
    });
  }
  void read(std::size_t i, const std::byte* from) { std::memcpy(memory(states_[i]), from, bytes_of(states_[i])); }

 private:
  // More than a layer draws in any training.
  static constexpr std::int64_t seeds_of_a_shard = std::int64_t{1} << 40;
  static std::size_t bytes_of(const layer_state& s) {
    return static_cast<std::size_t>(s.elements.extents.size()) * size_of(s.elements.dtype);
  }
  static void* memory(const layer_state& s) { return const_cast<void*>(s.elements.data); }
  template <class F>
  void each_kept(F f) {
    std::byte* at = before_.data();
    for (const layer_state& s : states_) {
      if (bytes_of(s) > 0) f(s, at);
      at += bytes_of(s);
    }
  }

  std::vector<layer_state> states_;
  std::vector<std::byte> before_;
  std::size_t bytes_ = 0;
};

/// The sample with which a shard of a batch begins. The first shard has some wherever there are any.
inline index begin_of_shard(index shard, index shards, index count) { return (shard * count + shards - 1) / shards; }

// Steps over ranks. What gives them samples from one on is a function of the first and of how many.
template <class Model, class Optimizer, class Loss, class... Metrics>
class rank_step {
  static constexpr index numbers = 1 + static_cast<index>(sizeof...(Metrics));
  using result = view<row_major<double>, numbers>;
  using weights = decltype(trainable_variables(std::declval<Model&>()));
  static constexpr std::size_t weight_count = std::tuple_size_v<weights>;

 public:
  rank_step(Model& model, Optimizer& optimizer, const ranks& among, index shards)
      : model_(model), optimizer_(optimizer), states_(model), among_(among), shards_(shards), train_(among, shards, segments(true)) {}

  /// Trains on a batch of so many samples.
  template <class X, class Y>
  void train(index count, X x, Y y, double* results) {
    states_.keep();
    for (index shard = train_.first(); shard < train_.last(); ++shard) {
      const index first = begin_of_shard(shard, shards_, count), samples = begin_of_shard(shard + 1, shards_, count) - first;
      std::byte* message = train_.next();
      if (samples == 0) {
        std::memset(message, 0, train_.bytes());
      } else {
        const double weight = static_cast<double>(samples) / static_cast<double>(count);
        states_.begin_shard(shard);
        auto parts = std::tuple_cat(std::tuple(result(reinterpret_cast<double*>(message))), gradients(message));
        shard_step<Loss, Metrics...>.into(parts, model_, x(first, samples), y(first, samples), weight);
        for (std::size_t i = 0; i < states_.count(); ++i) states_.write(i, shard, weight, message + train_.offset(1 + weight_count + i));
      }
      train_.add();
    }
    std::byte* total = finish(train_, count, "fit: a step of ");
    for (std::size_t i = 0; i < states_.count(); ++i) states_.read(i, total + train_.offset(1 + weight_count + i));
    apply_step(model_, optimizer_, gradients(total));
    std::memcpy(results, total, sizeof(double) * numbers);
  }
  /// The loss and the metrics of a batch.
  template <class X, class Y>
  void test(index count, X x, Y y, double* results) {
    // It has memory of its own only while it runs, as the other sum has.
    jig::detail::shard_sum sum(among_, shards_, segments(false));
    for (index shard = sum.first(); shard < sum.last(); ++shard) {
      const index first = begin_of_shard(shard, shards_, count), samples = begin_of_shard(shard + 1, shards_, count) - first;
      auto* part = reinterpret_cast<double*>(sum.next());
      std::fill_n(part, numbers, 0.0);
      if (samples > 0) {
        result out(part);
        test_step<Loss, Metrics...>.into(out, model_, x(first, samples), y(first, samples));
        for (index k = 0; k < numbers; ++k) part[k] *= static_cast<double>(samples) / static_cast<double>(count);
      }
      sum.add();
    }
    std::memcpy(results, finish(sum, count, "fit: a validation of "), sizeof(double) * numbers);
  }

 private:
  std::vector<jig::detail::message_segment> segments(bool all_of_a_step) {
    std::vector<jig::detail::message_segment> out{{dtype::float64, numbers}};
    if (!all_of_a_step) return out;
    std::apply([&](auto&... w) { (out.push_back({dtype_of<typename std::remove_reference_t<decltype(w)>::value_type>, w.size()}), ...); },
               trainable_variables(model_));
    states_.append_segments(out);
    return out;
  }
  template <class T, index... E>
  static view<row_major<T>, E...> seen(const variable<T, E...>& like, std::byte* at) {
    return view<row_major<T>, E...>(reinterpret_cast<T*>(at), like.shape());
  }
  // The gradients in a message.
  auto gradients(std::byte* message) {
    const weights of = trainable_variables(model_);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(seen(std::get<I>(of), message + train_.offset(1 + I))...);
    }(std::make_index_sequence<weight_count>());
  }
  static std::byte* finish(jig::detail::shard_sum& sum, index count, const char* what) {
    jig::detail::fingerprint key;
    key.add(std::string_view(what));
    key.add(static_cast<std::uint64_t>(count));
    return sum.total(1, key.value(), [&] { return std::vector<std::string>{what + std::to_string(count) + " samples"}; });
  }

  Model& model_;
  Optimizer& optimizer_;
  layer_states states_;
  const ranks& among_;
  index shards_;
  jig::detail::shard_sum train_;
};

template <class T>
std::string option(const char* name, T value) {
  return std::string(name) + ' ' + std::to_string(value);
}

// All ranks begin alike.
template <class Trainer>
void begin_alike(Trainer& trainer, const ranks& among, index shards, std::vector<std::string> items) {
  if (shards < 1) jig::detail::throw_invalid_argument("fit: the number of shards must be at least 1, given " + std::to_string(shards));
  items.push_back(std::to_string(shards) + " shards");
  among.agree(items);
  std::vector<any_view> variables;
  for (const auto& v : variable_references(trainer)) variables.push_back(v.elements);
  jig::detail::broadcast_leaves(variables, 0, among);
}

}  // namespace detail

// Samples of arguments, over ranks.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class X, class Y>
class trainer<Model, Optimizer, Loss, Metrics...>::rank_steps final : public pairs<X, Y> {
 public:
  using pairs<X, Y>::x, pairs<X, Y>::y, pairs<X, Y>::test_x, pairs<X, Y>::test_y;
  rank_steps(trainer& of, const X& inputs, const Y& labels, const ranks& among, index shards)
      : pairs<X, Y>(inputs, labels), step_(of.model(), of.optimizer, among, shards) {}

  void train(index first, index count, const index* order, double* results) override {
    const auto part = [&](auto& data) {
      return [&data, first, order](index at, index samples) {
        return order == nullptr ? data.rows(first + at, samples) : data.gathered(order + at, samples);
      };
    };
    step_.train(count, part(x), part(y), results);
  }
  void test(index first, index count, double* results) override {
    const auto part = [&](auto& data) { return [&data, first](index at, index samples) { return data.rows(first + at, samples); }; };
    step_.test(count, part(test_x), part(test_y), results);
  }

 private:
  detail::rank_step<Model, Optimizer, Loss, Metrics...> step_;
};

/// Trains over ranks, all of which call it with the same data and options. The model and the optimiser of rank 0 are given to all first;
/// the history and, behind it, model and optimiser are the same everywhere. A batch of batch_size samples falls into `shards` shards, of
/// which a rank computes those that follow one another; it prints on rank 0 alone. Callbacks run on every rank, with the same numbers:
/// those that stop a training or change its learning rate are given on all of them, those that write files on one.
/// Losses and weights have the same bits on any number of ranks, where these run the same program on processors with the same
/// instructions; another number of shards is another order of sums. What layers change themselves, such as moving means, becomes the mean
/// over the shards (a batch_normalization normalises each shard by itself), integers are what the first shard makes of them, and every
/// shard draws dropout of its own.
/// Errors: as for fit of one process. Ranks with other numbers of samples, options or shapes all throw invalid_argument with one
/// sentence that says who has which.
/// Cost: one exchange for each step, of the loss, the metrics and the gradients together. A rank calls the model once for each of its
/// shards. With more ranks than shards some have nothing to do; where shards of a rank are no whole subtrees, as on 3 ranks, messages
/// are twice as long.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class X, class Y>
  requires(!detail::is_dataset<X>)
nn::history trainer<Model, Optimizer, Loss, Metrics...>::fit(const X& x, const Y& y, const fit_options<X, Y>& options, const ranks& among,
                                                             index shards) {
  const detail::samples_of<X> inputs(x);
  detail::begin_alike(*this, among, shards,
                      {"fit", std::to_string(inputs.count()) + " samples", detail::option("batch_size", options.batch_size),
                       detail::option("epochs", options.epochs), detail::option("initial_epoch", options.initial_epoch),
                       detail::option("validation_split", options.validation_split),
                       std::to_string(options.validation_data.x.count()) + " samples to validate with",
                       detail::option("shuffle", options.shuffle), detail::option("seed", options.seed)});
  rank_steps<X, Y> run(*this, x, y, among, shards);
  fit_options<X, Y> here = options;
  if (among.rank() != 0) here.verbose = 0;
  return fit_samples(run, here);
}

/// The same for a dataset, whose elements, the batches, are the same on all ranks.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class S>
nn::history trainer<Model, Optimizer, Loss, Metrics...>::fit(const data::dataset<S>& dataset, const dataset_fit_options& options,
                                                             const ranks& among, index shards) {
  if constexpr (are_batches<S>()) {
    detail::begin_alike(
        *this, among, shards,
        {"fit", std::to_string(dataset.cardinality()) + " batches", detail::option("epochs", options.epochs),
         detail::option("initial_epoch", options.initial_epoch), detail::option("steps_per_epoch", options.steps_per_epoch)});
    detail::rank_step<Model, Optimizer, Loss, Metrics...> step(*model_, optimizer, among, shards);
    auto run = [&](const auto& x, const auto& y, double* results) {
      const auto part = [](const auto& of) {
        const detail::samples_of<std::remove_cvref_t<decltype(of)>> all(of);
        return [all](index at, index samples) { return all.rows(at, samples); };
      };
      step.train(argument<std::remove_cvref_t<decltype(x)>>::bind(x).extent(0), part(x), part(y), results);
    };
    dataset_batches<data::dataset<S>, decltype(run)> train(run, dataset, options.steps_per_epoch, "fit");
    dataset_fit_options here = options;
    if (among.rank() != 0) here.verbose = 0;
    return fit_batches(train, nullptr, here);
  } else {
    return {};
  }
}

}  // namespace jig::nn
