// SPDX-License-Identifier: MIT
// The same tests with a class that looks like std::mdspan, and with the library's where it has one.
#include <jig.hpp>
#include <jig/adapt/mdspan.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <array>

#if __has_include(<mdspan>) && __cplusplus > 202002L
#include <mdspan>
#endif

namespace look_alike {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class Index, std::size_t... E>
class extents {
 public:
  using index_type = Index;
  static constexpr std::size_t rank() { return sizeof...(E); }
  static constexpr std::size_t static_extent(std::size_t r) {
    constexpr std::size_t all[] = {E..., 0};
    return all[r];
  }
  constexpr extents() = default;
  constexpr extents(const std::array<Index, sizeof...(E)>& values) : values_(values) {}
  template <class... N>
    requires(sizeof...(N) == sizeof...(E) && sizeof...(N) > 0 && (std::convertible_to<N, Index> && ...))
  constexpr explicit extents(N... n) : values_{static_cast<Index>(n)...} {}
  constexpr Index extent(std::size_t r) const { return values_[r]; }

 private:
  std::array<Index, sizeof...(E)> values_{};
};

template <bool RowMajor>
struct layout_ordered {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    constexpr mapping(const Extents& e) : extents_(e) {}
    static constexpr bool is_always_strided() { return true; }
    static constexpr bool is_always_exhaustive() { return true; }
    constexpr const Extents& extents() const { return extents_; }
    constexpr typename Extents::index_type stride(std::size_t r) const {
      typename Extents::index_type step = 1;
      for (std::size_t a = 0; a < Extents::rank(); ++a)
        if (RowMajor ? a > r : a < r) step = static_cast<typename Extents::index_type>(step * extents_.extent(a));
      return step;
    }

   private:
    Extents extents_;
  };
};
using layout_right = layout_ordered<true>;
using layout_left = layout_ordered<false>;

struct layout_stride {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    constexpr mapping(const Extents& e, const std::array<typename Extents::index_type, Extents::rank()>& strides)
        : extents_(e), strides_(strides) {}
    static constexpr bool is_always_strided() { return true; }
    static constexpr bool is_always_exhaustive() { return false; }
    constexpr const Extents& extents() const { return extents_; }
    constexpr typename Extents::index_type stride(std::size_t r) const { return strides_[r]; }

   private:
    Extents extents_;
    std::array<typename Extents::index_type, Extents::rank()> strides_;
  };
};

template <class T, class Extents, class Layout = layout_right, class Reference = T&>
class mdspan {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using reference = Reference;
  constexpr mdspan(T* data, const mapping_type& m) : data_(data), mapping_(m) {}
  static constexpr std::size_t rank() { return Extents::rank(); }
  static constexpr bool is_always_strided() { return mapping_type::is_always_strided(); }
  static constexpr bool is_always_exhaustive() { return mapping_type::is_always_exhaustive(); }
  constexpr T* data_handle() const { return data_; }
  constexpr auto extent(std::size_t r) const { return mapping_.extents().extent(r); }
  constexpr auto stride(std::size_t r) const { return mapping_.stride(r); }

 private:
  T* data_;
  mapping_type mapping_;
};

}  // namespace look_alike

namespace {

constexpr auto row_major = jig::memory_layout::row_major, column_major = jig::memory_layout::column_major;

template <class Row, class Column, class Strided>
void check_spans() {
  std::array<float, 24> memory, expected{};
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);

  static_assert(layout_of<Row> == row_major && layout_of<Column> == column_major && layout_of<Strided> == jig::memory_layout::strided);
  static_assert(std::is_same_v<spec_of<Row>, jig::spec<float, jig::dyn, 3>>);
  static_assert(std::is_same_v<spec_of<Column>, jig::spec<float, jig::dyn, 3>>);
  static_assert(std::is_same_v<spec_of<Strided>, jig::spec<float, jig::dyn, jig::dyn>>);
  using row_extents = typename Row::extents_type;
  using wild_extents = typename Strided::extents_type;

  const Row rows(memory.data(), typename Row::mapping_type(row_extents(2, 3)));
  const auto r = twice(rows);
  for (int i = 0; i < 6; ++i) CHECK(r(i / 3, i % 3) == static_cast<float>(2 * i));
  const Column columns(memory.data(), typename Column::mapping_type(row_extents(2, 3)));
  const auto c = twice(columns);
  for (int i = 0; i < 6; ++i) CHECK(c(i % 2, i / 2) == static_cast<float>(2 * i));
  const Strided strided(memory.data() + 1, typename Strided::mapping_type(wild_extents(2, 3), std::array{10, 2}));
  const auto s = twice(strided);
  for (int i = 0; i < 6; ++i) CHECK(s(i / 3, i % 3) == static_cast<float>(2 * (1 + i / 3 * 10 + i % 3 * 2)));

  // A result: nothing between its elements changes.
  expected = memory;
  for (int i = 0; i < 6; ++i) expected[static_cast<std::size_t>(1 + i / 3 * 10 + i % 3 * 2)] *= 2;
  twice.into(strided, strided);
  CHECK(memory == expected);
  for (int i = 0; i < 6; ++i) expected[static_cast<std::size_t>(i)] *= 2;
  twice.into(rows, rows);
  CHECK(memory == expected);
  CHECK_THROWS_AS(twice.into(rows, Row(memory.data(), typename Row::mapping_type(row_extents(3, 3)))), jig::invalid_argument);
  CHECK(twice(Row(memory.data(), typename Row::mapping_type(row_extents(0, 3)))).size() == 0);
  CHECK(jig::any_tensor::viewing(strided).strides() == jig::shape{2, {10, 2}});
}

}  // namespace

TEST_CASE("what looks like std::mdspan") {
  namespace la = look_alike;
  using rows = la::extents<int, la::dynamic_extent, 3>;
  using wild = la::extents<int, la::dynamic_extent, la::dynamic_extent>;
  check_spans<la::mdspan<float, rows>, la::mdspan<float, rows, la::layout_left>, la::mdspan<float, wild, la::layout_stride>>();
  using fixed = la::extents<unsigned, 1, 1, 4>;
  // Where there is one order only, every layout is row-major.
  static_assert(layout_of<la::mdspan<const int, fixed, la::layout_left>> == row_major);
  static_assert(std::is_same_v<spec_of<la::mdspan<const int, fixed>>, jig::spec<int, 1, 1, 4>>);
  static_assert(layout_of<la::mdspan<int, wild, la::layout_left>> == column_major);
  static_assert(layout_of<la::mdspan<int, la::extents<int, la::dynamic_extent>, la::layout_left>> == row_major);
  static_assert(layout_of<la::mdspan<int, la::extents<int>>> == row_major);
  // Elements that an accessor computes.
  static_assert(!jig::Argument<la::mdspan<float, wild, la::layout_right, float>>);
  static_assert(!jig::Argument<la::mdspan<long double, wild>>);
  float one = 3;
  using scalar = la::mdspan<float, la::extents<int>>;
  CHECK(twice(scalar(&one, typename scalar::mapping_type(la::extents<int>())))() == 6);
}

#ifdef __cpp_lib_mdspan
TEST_CASE("std::mdspan") {
  using rows = std::extents<int, std::dynamic_extent, 3>;
  using wild = std::dextents<int, 2>;
  check_spans<std::mdspan<float, rows>, std::mdspan<float, rows, std::layout_left>, std::mdspan<float, wild, std::layout_stride>>();
  static_assert(std::is_same_v<spec_of<std::mdspan<const double, std::extents<std::size_t, 2, 3>>>, jig::spec<double, 2, 3>>);
  static_assert(layout_of<std::mdspan<const double, std::extents<std::size_t, 2, 3>>> == row_major);
  static_assert(layout_of<std::mdspan<double, std::extents<std::size_t>>> == row_major);
}
#endif
