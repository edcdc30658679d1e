// SPDX-License-Identifier: MIT
#pragma once
// Tensors without a type: dtype, rank and extents are values. Copies share their elements until one of them is written.

#include <jig/adapt/argument.hpp>
#include <jig/core/any_view.hpp>
#include <jig/core/print.hpp>
#include <jig/ops/copy.hpp>

namespace jig {

class any_tensor;

template <class X>
inline constexpr bool is_any_tensor = std::is_same_v<X, any_tensor>;

namespace detail {

// Elements and how many tensors share them. The count is read and written as an atomic is; <atomic> would cost more time to
// include than this is worth.
struct shared_elements {
  index owners = 1;
  virtual ~shared_elements() = default;
};

template <class Elements>
struct kept_elements final : shared_elements {
  Elements elements;
  template <class... A>
  explicit kept_elements(A&&... a) : elements(std::forward<A>(a)...) {}
};

// Few bytes, aligned within what is allocated: to ask for aligned memory takes several times as long as a small tensor's op.
struct few_elements final : shared_elements {
  unsigned char memory[2 * alignment];
  void* data() { return memory + (alignment - reinterpret_cast<std::uintptr_t>(memory) % alignment); }
};

class shared_owner {
 public:
  shared_owner() = default;
  explicit shared_owner(shared_elements* elements) : elements_(elements) {}
  shared_owner(const shared_owner& o) : elements_(o.elements_) {
    if (elements_) __atomic_add_fetch(&elements_->owners, 1, __ATOMIC_RELAXED);
  }
  shared_owner(shared_owner&& o) noexcept : elements_(std::exchange(o.elements_, nullptr)) {}
  shared_owner& operator=(shared_owner o) noexcept {
    std::swap(elements_, o.elements_);
    return *this;
  }
  ~shared_owner() {
    if (elements_ && __atomic_sub_fetch(&elements_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete elements_;
  }
  bool exists() const { return elements_ != nullptr; }
  // What other owners did before they let go has happened when this is true.
  bool is_sole() const { return elements_ && __atomic_load_n(&elements_->owners, __ATOMIC_ACQUIRE) == 1; }

 private:
  shared_elements* elements_ = nullptr;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_size(const char* problem, jig::dtype d, const shape& extents) {
  message m;
  m << "empty: " << problem << ": " << name_of(d) << " extents [";
  for (int a = 0; a < extents.rank; ++a) m << (a > 0 ? ", " : "") << extents[a];
  m << ']';
  throw_invalid_argument(m.view());
}

// The bytes to allocate, or for strings their number.
constexpr index checked_bytes(jig::dtype d, const shape& extents) {
  for (int a = 0; a < extents.rank; ++a)
    if (extents[a] < 0) throw_bad_size("an extent is negative", d, extents);
  if (!is_possible(d, extents)) throw_bad_size("too many elements", d, extents);
  return extents.size() * static_cast<index>(d == dtype::string ? sizeof(std::string) : size_of(d));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_as(const char* asked, const any_view& is, jig::dtype d, const shape* extents) {
  message m;
  m << asked << ": this tensor is " << name_of(is.dtype) << " shape=" << is.extents << ", not " << name_of(d);
  if (extents) m << " shape=" << *extents;
  throw_invalid_argument(m.view());
}

// Whether elements lie in row-major order without gaps.
constexpr bool lies_dense(const shape& extents, const shape& strides) {
  index step = 1;
  for (int a = extents.rank; a-- > 0;) {
    if (extents[a] == 0) return true;
    if (extents[a] > 1 && strides[a] != step) step = 0;
    step *= extents[a];
  }
  return step != 0;
}

template <std::size_t N>
struct number_bytes {
  unsigned char bytes[N];
};

// Copies elements to memory with the same extents. Numbers are copied by their size alone.
template <class View = any_view>
void copy_untyped(const View& from, void* to, const shape& strides) {
  const auto copy = [&]<class T>(T* first) { copy_strided(first, strides, static_cast<const T*>(from.data), from.strides, from.extents); };
  memory_changes_type();
  switch (size_of(from.dtype)) {
    case 0: copy(static_cast<std::string*>(to)); break;
    case 1: copy(static_cast<number_bytes<1>*>(to)); break;
    case 2: copy(static_cast<number_bytes<2>*>(to)); break;
    case 4: copy(static_cast<number_bytes<4>*>(to)); break;
    default: copy(static_cast<number_bytes<8>*>(to)); break;
  }
  memory_changes_type();
}

template <class X>
constexpr auto bound(X& x) {
  return argument<std::remove_const_t<X>>::bind(x);
}

// Any object with elements, its type lost.
template <class X>
any_view any_view_of(X& x) {
  if constexpr (Argument<X>) return untyped(bound(x));
  else return run_time_argument<std::remove_const_t<X>>::bind(x);
}

}  // namespace detail

/// A tensor whose dtype, rank and extents are known at run time only. It owns row-major elements, or views those of an object
/// that somebody else keeps alive. A copy costs a count and shares the elements; mutable_data() ends the sharing. Different
/// copies may be used in different threads at the same time. One that was moved from is as a new one.
class any_tensor {
 public:
  /// No elements: float32, shape (0,).
  any_tensor() = default;
  any_tensor(const any_tensor&) = default;
  any_tensor(any_tensor&& o) noexcept { swap(o); }
  any_tensor& operator=(any_tensor o) noexcept {
    swap(o);
    return *this;
  }

  /// The elements of a tensor, view, container or number, copied. A tensor that is moved in and has its elements on the heap
  /// hands them over.
  template <class X>
    requires(!is_any_tensor<std::remove_cvref_t<X>> && (Argument<X> || RunTimeArgument<X>))
  any_tensor(X&& x) {
    using bare = std::remove_cvref_t<X>;
    if constexpr (is_tensor<bare> && std::is_same_v<X, bare>) {
      if constexpr (!lies_inside<typename bare::spec_type>) {
        auto* kept = new detail::kept_elements<bare>(std::move(x));
        owner_ = detail::shared_owner(kept);
        view_ = untyped(detail::bound(kept->elements));
        return;
      }
    }
    *this = any_tensor(detail::any_view_of(x));
  }
  /// A string as a scalar.
  template <class Char>
    requires std::is_same_v<const Char, const char>
  any_tensor(Char* x) : any_tensor(std::string(x)) {}
  /// The elements of a view, copied.
  template <std::same_as<any_view> View>
  explicit any_tensor(const View& from) : any_tensor(empty(from.dtype, from.extents)) {
    detail::copy_untyped(from, const_cast<void*>(view_.data), view_.strides);
  }

  /// Row-major elements that are not set yet, or empty strings; aligned to 64 bytes.
  /// Errors: a negative extent or more elements than can be counted throw invalid_argument, too many for the memory
  /// std::bad_alloc.
  static any_tensor empty(jig::dtype d, const jig::shape& extents) {
    const index bytes = detail::checked_bytes(d, extents);
    any_tensor out;
    if (d == dtype::string) out.own<std::string>(bytes / static_cast<index>(sizeof(std::string)));
    else out.own<unsigned char>(bytes);
    out.view_ = {d, out.view_.data, extents, detail::row_major_strides(extents)};
    return out;
  }

  /// The elements of a tensor, view, container or number where they are: changes are seen, by copies too. Whoever calls keeps
  /// the object alive and its elements in place.
  template <class X>
    requires(Argument<X> && (std::is_lvalue_reference_v<X> || is_view<std::remove_cvref_t<X>>))
  static any_tensor viewing(X&& x) {
    const auto elements = detail::bound(x);
    any_tensor out = viewing(untyped(elements));
    out.writable_ = !std::is_const_v<std::remove_pointer_t<decltype(elements.data())>>;
    return out;
  }
  /// The same of an object whose dtype or rank only the run tells, such as a matrix of OpenCV or an array of xtensor.
  /// Errors: what a tensor cannot hold, such as an unknown dtype or more than 8 axes, throws invalid_argument.
  template <class X>
    requires RunTimeArgument<X>
  static any_tensor viewing(X& x) {
    any_tensor out = viewing(detail::any_view_of(x));
    out.writable_ = !std::is_const_v<X>;
    return out;
  }
  /// The elements of a view where they are, which are never written.
  static any_tensor viewing(const any_view& v) {
    any_tensor out;
    out.view_ = v;
    return out;
  }
  /// The elements of a view where they are, which may be written; `owner` is kept until the last copy lets go, then destroyed.
  /// When there is no memory for that, std::bad_alloc is thrown and the owner is as before.
  template <class Owner>
    requires(!std::is_reference_v<Owner>)
  static any_tensor keeping(const any_view& v, Owner&& owner) {
    any_tensor out = viewing(v);
    out.owner_ = detail::shared_owner(new detail::kept_elements<Owner>(std::move(owner)));
    return out;
  }

  jig::dtype dtype() const { return view_.dtype; }
  int rank() const { return view_.extents.rank; }
  const jig::shape& shape() const { return view_.extents; }
  /// In elements.
  const jig::shape& strides() const { return view_.strides; }
  index size() const { return view_.extents.size(); }
  /// Whether the elements lie in row-major order without gaps; those that are owned do.
  bool is_dense() const { return detail::lies_dense(view_.extents, view_.strides); }
  const void* data() const { return view_.data; }
  const any_view& view() const { return view_; }

  /// The elements, to be written; strides() says where they are. Elements that are shared with a copy, or viewed and constant,
  /// are copied first, row-major. Of a viewed object that may be written it is the object's memory.
  template <class View = any_view>
  void* mutable_data() {
    if (owner_.exists() ? !owner_.is_sole() : !writable_) *this = any_tensor(static_cast<const View&>(view_));
    return const_cast<void*>(view_.data);
  }

  /// The elements as values of type T, as long as this tensor lives.
  /// Errors: a type of another dtype throws invalid_argument.
  template <Element T>
  any_rank_view<const T> as() const {
    if (dtype_of<T> != view_.dtype) detail::throw_not_as("as", view_, dtype_of<T>, nullptr);
    return {detail::renamed<const T>(static_cast<const canonical<T>*>(view_.data)), view_.extents, view_.strides};
  }

  /// A copy with dtype and extents in the type; wildcard extents take any number. A scalar converts: `tensor<float>(x)`.
  /// Errors: another dtype, rank or extent throws invalid_argument.
  template <Element T, index... E>
    requires(sizeof...(E) > 0)
  tensor<T, E...> as() const {
    return copy_as<T, E...>();
  }
  template <class T, index... E>
  explicit operator tensor<T, E...>() const {
    return copy_as<T, E...>();
  }

  /// Copies the elements into a tensor, view or container of the same dtype and extents, which must not be the viewed one.
  /// Errors: another dtype, rank or extent throws invalid_argument.
  template <class X>
    requires(Argument<X> || RunTimeArgument<X>)
  void copy_to(X&& x) const {
    if constexpr (Argument<X>) {
      constexpr bool constant = std::is_const_v<std::remove_pointer_t<decltype(detail::bound(x).data())>>;
      static_assert(!constant, "jig: copy_to writes: its argument must not be constant");
    }
    const any_view to = detail::any_view_of(x);
    if (to.dtype != view_.dtype || to.extents != view_.extents) detail::throw_not_as("copy_to", view_, to.dtype, &to.extents);
    detail::copy_untyped(view_, const_cast<void*>(to.data), to.strides);
  }

 private:
  template <class Spec>
  static constexpr bool lies_inside = [] {
    const jig::shape s = Spec::value().shape;
    return s.is_static() && s.size() * static_cast<index>(sizeof(typename Spec::value_type)) <= static_cast<index>(inline_capacity);
  }();

  template <class T>
  void own(index n) {
    if (std::is_same_v<T, unsigned char> && n > 0 && n <= static_cast<index>(alignment)) {
      auto* few = new detail::few_elements;
      owner_ = detail::shared_owner(few);
      view_.data = few->data();
      return;
    }
    auto* kept = new detail::kept_elements<detail::heap_storage<T>>(n, uninitialized);
    owner_ = detail::shared_owner(kept);
    view_.data = kept->elements.data();
  }
  template <class T, index... E>
  tensor<T, E...> copy_as() const {
    const jig::shape asked = spec<T, E...>::value().shape;
    if (!may_be_equal({view_.dtype, view_.extents}, {dtype_of<T>, asked})) detail::throw_not_as("as", view_, dtype_of<T>, &asked);
    tensor<T, E...> out(uninitialized, view_.extents);
    detail::copy_untyped(view_, out.data(), out.strides());
    return out;
  }
  void swap(any_tensor& o) noexcept {
    std::swap(view_, o.view_);
    std::swap(owner_, o.owner_);
    std::swap(writable_, o.writable_);
  }

  any_view view_{dtype::float32, nullptr, {1, {0}}, {1, {1}}};
  detail::shared_owner owner_;
  bool writable_ = false;
};

/// A tensor as TensorFlow prints it.
template <class X>
  requires is_any_tensor<X>
std::string to_text(const X& x) {
  return detail::with_type_of(x.dtype(), [&]<class T>(const T&) { return to_text(x.template as<T>()); });
}

// Templates, so that <ostream> is only needed where something is printed.
template <class Char, class Traits, class X>
  requires is_any_tensor<X>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const X& x) {
  return out << to_text(x);
}

}  // namespace jig
