// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/product.hpp>

#include <jig.hpp>

#include "../../convolution_loops.hpp"
#include "../../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace convolutions {

TEST_CASE("filters whose taps do not fit a block are added up block by block") {
  std::mt19937 random(3);
  problem p;
  p.axes = 2;
  p.batch = 2;
  p.extents[0] = 9;
  p.extents[1] = 12;
  for (const index channels : {1, 300, 2500}) {
    p.in = channels;
    p.out = 3;
    // More segments than a tile takes, and more channels than a block has.
    p.taps[0] = channels == 1 ? 9 : 2;
    p.taps[1] = channels == 1 ? 12 : 3;
    p.dilations[1] = channels == 1 ? 1 : 2;
    p.padding = "SAME";
    p.finish();
    check_kernels<float>(p, random);
  }
}

TEST_CASE("enough positions pack the filter, few do not") {
  std::mt19937 random(5);
  problem p;
  p.axes = 1;
  p.in = 3;
  p.out = 2 * jig::simd::lanes<float> + 1;
  p.taps[0] = 3;
  const index rows = jig::detail::blocks<float>::rows;
  for (const index length : {index{1}, 4 * rows - 1, 4 * rows, 4 * rows + 1}) {
    p.extents[0] = length;
    p.padding = "SAME";
    p.finish();
    check_kernels<float>(p, random);
  }
}

TEST_CASE("lines that fill tiles of rows at even distances, nearly do, or fill some and a part of one") {
  std::mt19937 random(11);
  constexpr index one = jig::detail::even_rows_of_tile<1>, two = jig::detail::even_rows_of_tile<2>, lanes = jig::simd::lanes<float>;
  for (const index out : {index{5}, lanes, lanes + 1, 2 * lanes})
    for (const index positions : {two - 1, two, one - 1, one, one + 1, 2 * one - 3, 2 * one - 1, 9 * one - 5, 9 * one - 1})
      for (const index stride : {1, 2}) {
        problem p = line_problem(positions * stride + 2, 3, "SAME");
        p.in = 3;
        p.out = out;
        p.strides[0] = stride;
        p.finish();
        check_kernels<float>(p, random);
        // Taps in several blocks: what is there is added to.
        if (positions != 2 * one - 1) continue;
        p.in = 800;
        p.finish();
        check_kernels<float>(p, random);
      }
}

TEST_CASE("what follows gets every line once, when it is complete, whether lines, planes or items go together") {
  std::mt19937 random(9);
  problem p;
  p.axes = 3;
  p.in = 2;
  p.out = 40;
  p.taps[0] = p.taps[1] = p.taps[2] = 2;
  p.padding = "SAME";
  struct extents {
    index batch, planes, lines, columns;
  };
  // Some items at a time, some planes, some lines, and lines that are too long for a block.
  for (const extents e : {extents{300, 2, 3, 4}, {3, 40, 12, 12}, {2, 2, 90, 100}, {1, 1, 20, 3000}, {1, 1, 1, 1}}) {
    p.batch = e.batch;
    p.extents[0] = e.planes;
    p.extents[1] = e.lines;
    p.extents[2] = e.columns;
    p.finish();
    const shape xs = p.x_shape(), ws = p.w_shape(), ys = p.y_shape();
    const auto x = numbers<float>(random, xs), w = numbers<float>(random, ws);
    std::vector<float> y(static_cast<std::size_t>(ys.size())), found(y.size(), 7);
    p.each_product([&](index i, index j, index k) {
      y[static_cast<std::size_t>(k)] += x[static_cast<std::size_t>(i)] * w[static_cast<std::size_t>(j)];
    });
    // Each element gets one more.
    struct context {
      float* data;
      index columns;
    } here{found.data(), p.out};
    const jig::tile_epilogue one_more{.run =
                                          [](const void* memory, index row, index rows, index column, index columns) {
                                            const auto& c = *static_cast<const context*>(memory);
                                            for (index i = row; i < row + rows; ++i)
                                              for (index j = column; j < column + columns; ++j) c.data[i * c.columns + j] += 1;
                                          },
                                      .context = &here};
    jig::kernel<jig::ops::conv3d>::run(p, jig::any_rank_view<float>(found.data(), ys), jig::any_rank_view<const float>(x.data(), xs),
                                       jig::any_rank_view<const float>(w.data(), ws), one_more);
    int wrong = 0;
    for (std::size_t i = 0; i < y.size(); ++i) wrong += found[i] == y[i] + 1 ? 0 : 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("two threads get as many lines, and the same bits come from both") {
  constexpr index in = 40, out = 80, columns = 40;
  constexpr auto layer = jig::function([](auto x, auto w) { return jig::conv2d(x, w, jig::same_padding); });
  std::mt19937 random(12);
  jig::tensor<float, 3, 3, in, out> w;
  const auto numbers_of_filter = numbers<float>(random, w.shape());
  std::copy(numbers_of_filter.begin(), numbers_of_filter.end(), w.begin());
  struct extents {
    index batch, lines;
  };
  // Lines of one block at most, of several, and whole items.
  for (const auto& [batch, lines] : {extents{1, 4}, {1, 14}, {1, 16}, {1, 17}, {1, 56}, {2, 20}, {32, 4}}) {
    CAPTURE(lines);
    jig::tensor<float, jig::dyn, jig::dyn, columns, in> x(batch, lines);
    const auto numbers_of_x = numbers<float>(random, x.shape());
    std::copy(numbers_of_x.begin(), numbers_of_x.end(), x.begin());
    const bool is_one_block = batch == 1 && lines <= jig::detail::blocks<float>::rows / 2;
    check_shared(!is_one_block, layer, x, w);
    CHECK(blocks_shared % 2 == 0);
    CHECK((blocks_shared == 16 || batch < 32));
  }
}

TEST_CASE("threads share the panels of a filter where one block has all positions") {
  constexpr index panels = 4, in = 40, columns = jig::detail::blocks<float>::columns, out = (panels - 1) * columns + 3;
  constexpr auto layer = jig::function([](auto x, auto w) { return jig::relu(jig::conv2d(x, w, jig::same_padding) * 2 - 1); });
  constexpr auto grouped = jig::function([](auto x, auto w) { return jig::conv2d(x, w, jig::same_padding, jig::strides<2>); });
  std::mt19937 random(13);
  const auto filled = [&]<class T>(T x) {
    const auto all = numbers<float>(random, x.shape());
    std::copy(all.begin(), all.end(), x.begin());
    return x;
  };
  const auto x = filled(jig::tensor<float, 2, 11, 13, in>());
  check_shared(true, layer, x, filled(jig::tensor<float, 3, 3, in, out>()));
  CHECK(blocks_shared == panels);
  // Fewer of them share lines.
  check_shared(true, layer, x, filled(jig::tensor<float, 3, 3, in, out - columns>()));
  CHECK(blocks_shared != panels - 1);
  // Of groups each has its own, of one and of several.
  check_shared(true, grouped, filled(jig::tensor<float, jig::dyn, 21, 23, 4 * in>(index{1})),
               filled(jig::tensor<float, 3, 3, in, 4 * columns>()));
  CHECK(blocks_shared == 4);
  check_shared(true, grouped, filled(jig::tensor<float, jig::dyn, 21, 23, 2 * in>(index{1})),
               filled(jig::tensor<float, 3, 3, in, 4 * columns + 2>()));
  CHECK(blocks_shared == 6);
}

TEST_CASE("bias, activation and residual run on blocks of a convolution") {
  constexpr auto layer =
      jig::function([](auto x, auto w, auto b, auto r) { return jig::relu(jig::conv2d(x, w, jig::same_padding) + b) + r; });
  using jig::dyn;
  const auto check = [&](index batch, index lines, index columns) {
    jig::tensor<float, dyn, dyn, dyn, 3> x(batch, lines, columns);
    jig::tensor<float, 3, 3, 3, 21> w;
    jig::tensor<float, 21> b;
    jig::tensor<float, dyn, dyn, dyn, 21> r(batch, lines, columns);
    auto fill = [](auto& t, int salt) {
      for (index i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>((i * 5 + salt) % 9 - 4);
    };
    fill(x, 1);
    fill(w, 2);
    fill(b, 3);
    fill(r, 4);
    problem p;
    p.batch = batch;
    p.in = 3;
    p.out = 21;
    p.extents[0] = lines;
    p.extents[1] = columns;
    p.taps[0] = p.taps[1] = 3;
    p.padding = "SAME";
    p.finish();
    std::vector<float> y(static_cast<std::size_t>(r.size()));
    p.each_product([&](index i, index j, index k) { y[static_cast<std::size_t>(k)] += x.data()[i] * w.data()[j]; });
    const auto found = layer(x, w, b, r);
    int wrong = 0;
    for (index i = 0; i < r.size(); ++i) {
      const float sum = y[static_cast<std::size_t>(i)] + b.data()[i % 21];
      if (found.data()[i] != (sum > 0 ? sum : 0) + r.data()[i]) ++wrong;
    }
    CHECK(wrong == 0);
  };
  check(2, 5, 7);
  check(1, 60, 200);
  check(0, 5, 7);
  constexpr auto text = layer.get_concrete_function(jig::spec<float, 1, 9, 9, 3>{}, jig::spec<float, 3, 3, 3, 21>{}, jig::spec<float, 21>{},
                                                    jig::spec<float, 1, 9, 9, 21>{});
  static_assert(text.peak_workspace() < 9 * 9 * 21 * 4);
}

TEST_CASE("filters about as long as the operand") {
  std::mt19937 random(31);
  for (int k = 0; k < 60; ++k) {
    problem p = random_problem(random, 1 + k % 3 / 2);
    // With many channels taps are computed block by block.
    if (k % 5 == 0) p.in = 90, p.groups = 1;
    p.extents[p.axes - 1] = roll(random, 4, 50);
    p.taps[p.axes - 1] = roll(random, 6, 50);
    p.strides[p.axes - 1] = roll(random, 1, 2);
    p.dilations[p.axes - 1] = roll(random, 1, 2);
    p.before[p.axes - 1] = roll(random, 0, 60);
    p.after[p.axes - 1] = roll(random, 0, 60);
    p.finish();
    check_kernels<float>(p, random);
  }
}

}  // namespace convolutions
