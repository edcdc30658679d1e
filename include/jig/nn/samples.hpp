// SPDX-License-Identifier: MIT
#pragma once
// Data with the samples along the first axis, and batches of them.

#include <jig.hpp>

#include <memory>

namespace jig::nn::detail {

template <class Spec>
struct rows_of_spec {
  static_assert(Spec::rank() > 0, "jig: data needs a first axis of samples");
};
template <class T, index N, index... E>
struct rows_of_spec<spec<T, N, E...>> {
  using element = T;
  using view_type = view<row_major<const T>, dyn, E...>;
  using tensor_type = tensor<T, dyn, E...>;
};

/// Samples as they lie, or a copy where they have gaps.
template <class Spec>
class samples {
  using kind = rows_of_spec<Spec>;
  using element = typename kind::element;

 public:
  using view_type = typename kind::view_type;

  samples() = default;
  template <Argument X>
    requires(!std::is_same_v<X, samples>)
  samples(const X& x) {
    using Given = typename argument<X>::spec_type;
    static_assert(std::is_same_v<typename rows_of_spec<Given>::element, element> && Given::rank() == Spec::rank(),
                  "jig: data to validate with needs the dtype and the number of axes of data to train on");
    const auto seen = argument<X>::bind(x);
    shape_ = seen.shape();
    if (seen.strides() == jig::detail::row_major_strides(shape_)) {
      data_ = seen.data();
    } else {
      copy_ = std::make_shared<typename kind::tensor_type>(jig::detail::as_view(seen));
      data_ = copy_->data();
    }
    for (int a = 1; a < shape_.rank; ++a) row_ *= shape_[a];
  }

  index count() const { return shape_.rank == 0 ? 0 : shape_[0]; }
  /// So many samples from one on.
  view_type rows(index first, index count) const { return shown(data_ + first * row_, count); }
  /// The samples whose numbers are listed, in memory that the next call of this function takes again.
  view_type gathered(const index* order, index count) {
    if (count * row_ > room_) buffer_.reset(new element[static_cast<std::size_t>(room_ = count * row_)]);
    for (index i = 0; i < count; ++i) std::copy_n(data_ + order[i] * row_, row_, buffer_.get() + i * row_);
    return shown(buffer_.get(), count);
  }
  /// Those from one on, as data of their own.
  samples behind(index first) const {
    samples out;
    out.shape_ = shape_;
    out.shape_[0] -= first;
    out.data_ = data_ + first * row_;
    out.row_ = row_;
    out.copy_ = copy_;
    return out;
  }

 private:
  view_type shown(const element* first, index count) const {
    jig::shape extents = shape_;
    extents[0] = count;
    return view_type(first, extents);
  }

  const element* data_ = nullptr;
  jig::shape shape_;
  index row_ = 1, room_ = 0;
  // Copies of this see the same memory.
  std::shared_ptr<typename kind::tensor_type> copy_;
  std::shared_ptr<element[]> buffer_;
};

/// Tensors of a type whose extents, and views of whose rows, only the call knows.
template <class Tensor>
struct rows_of_tensor;
template <class T, index... E>
struct rows_of_tensor<tensor<T, E...>> {
  static tensor<T, E...> of_extents(const shape& extents) {
    index wildcards[sizeof...(E)] = {};
    std::size_t count = 0;
    for (int a = 0; a < extents.rank; ++a)
      if (!is_static_extent(tensor<T, E...>::spec_type::value().shape[a])) wildcards[count++] = extents[a];
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tensor<T, E...>(wildcards[I]...);
    }(std::make_index_sequence<(std::size_t{0} + ... + (is_static_extent(E) ? 0 : 1))>());
  }
  static view<row_major<T>, E...> rows(T* data, const shape& extents) { return view<row_major<T>, E...>(data, extents); }
};

}  // namespace jig::nn::detail
