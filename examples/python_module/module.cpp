// SPDX-License-Identifier: MIT
// jig functions as Python callables over NumPy arrays: elements are read where they are, results are NumPy arrays of the memory that
// the function wrote. test.py uses it.

#include <jig.hpp>

#include <pybind11/numpy.h>

#include <memory>

namespace py = pybind11;

namespace {

constexpr auto dense = jig::function<"dense(x, w, b)">([](auto x, auto w, auto b) { return jig::tanh(jig::matmul(x, w) + b); });
constexpr auto distances = jig::function<"distances(p, q)">([](auto p, auto q) { return jig::norm<2>(jig::expand_dims<1>(p) - q); });
constexpr auto loss = [](auto x, auto y) { return jig::reduce_mean(jig::square(x - y)); };
constexpr auto slope = jig::grad<0>(jig::function<"loss(x, y)">(loss));

// What takes the place of a wildcard extent.
template <int>
inline constexpr jig::index any_extent = jig::dyn;

// A NumPy array of T with so many axes, seen where it is.
// Errors: another number of axes, and strides that are no multiple of an element, throw.
template <class T, int... Axis>
jig::view<const T, any_extent<Axis>...> seen(const py::array_t<T, 0>& x, std::integer_sequence<int, Axis...>) {
  constexpr int rank = sizeof...(Axis);
  if (x.ndim() != rank) throw py::type_error("an array with " + std::to_string(rank) + " axes is wanted, not " + std::to_string(x.ndim()));
  jig::shape extents, strides;
  for (int axis = 0; axis < rank; ++axis) {
    if (x.strides(axis) % x.itemsize() != 0) throw py::type_error("strides of an array have to be whole elements");
    extents.push_back(x.shape(axis));
    strides.push_back(x.strides(axis) / x.itemsize());
  }
  return {x.data(), extents, strides};
}

// A NumPy array of a tensor's elements, which it keeps.
template <class T, jig::index... E>
py::array_t<T> handed_over(jig::tensor<T, E...>&& x) {
  auto kept = std::make_unique<jig::tensor<T, E...>>(std::move(x));
  T* const data = kept->data();
  const std::array<py::ssize_t, sizeof...(E)> extents = [&]<std::size_t... A>(std::index_sequence<A...>) {
    return std::array<py::ssize_t, sizeof...(E)>{kept->extent(static_cast<int>(A))...};
  }(std::make_index_sequence<sizeof...(E)>());
  // Not py::capsule, whose way to free what it holds takes longer than many a function.
  const auto owner = py::reinterpret_steal<py::object>(PyCapsule_New(
      kept.get(), nullptr, [](PyObject* capsule) { delete static_cast<jig::tensor<T, E...>*>(PyCapsule_GetPointer(capsule, nullptr)); }));
  if (!owner) throw py::error_already_set();
  kept.release();
  return py::array_t<T>(extents, data, owner);
}

// A jig function as a callable that takes arrays of T with so many axes each.
template <class T, int... Rank, class F>
auto over_arrays(F f) {
  return [f](const std::conditional_t<Rank >= 0, py::array_t<T, 0>, void>&... x) {
    return handed_over(f(seen<T>(x, std::make_integer_sequence<int, Rank>())...));
  };
}

}  // namespace

PYBIND11_MODULE(jig_example, m) {
  py::register_exception<jig::invalid_argument>(m, "InvalidArgumentError", PyExc_ValueError);
  const auto define = [&](const char* name, auto callable, auto... names) { m.def(name, callable, py::arg(names).noconvert()...); };
  define("dense", over_arrays<float, 2, 2, 1>(dense), "x", "w", "b");
  define("distances", over_arrays<double, 2, 2>(distances), "p", "q");
  define("slope", over_arrays<double, 1, 1>(slope), "x", "y");
  // What a call costs without jig: test.py --time.
  define(
      "empty_like", [](const py::array_t<double, 0>& x, const py::array_t<double, 0>&) { return py::array_t<double>(x.size()); }, "x", "y");
}
