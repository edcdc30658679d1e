// SPDX-License-Identifier: MIT
// Convolutions of images and those of a small network for phones, beside loops that go along channels, beside the way through a matrix
// product, a copy of the operand in which every position has its own row, and beside oneDNN, whose filters are packed beforehand.

#include "workload.hpp"

#include <algorithm>

#ifdef JIG_BENCH_ONEDNN
#include <dnnl.hpp>
#endif

namespace {

constexpr auto same = jig::function([](const auto& x, const auto& w) { return jig::conv2d(x, w, jig::same_padding); });
constexpr auto by_tiles = jig::function([](const auto& x, const auto& w) { return jig::conv2d(x, w, jig::same_padding, jig::winograd); });
constexpr auto halved = jig::function([](const auto& x, const auto& w) { return jig::conv2d(x, w, jig::same_padding, jig::strides<2>); });
constexpr auto by_channel = jig::function([](const auto& x, const auto& w) { return jig::depthwise_conv2d(x, w, jig::same_padding); });
constexpr auto by_channel_halved =
    jig::function([](const auto& x, const auto& w) { return jig::depthwise_conv2d(x, w, jig::same_padding, jig::strides<2>); });
constexpr auto layer =
    jig::function([](const auto& x, const auto& w, const auto& b) { return jig::relu(jig::conv2d(x, w, jig::same_padding) + b); });
constexpr auto gradients =
    jig::function([](const auto& x, const auto& w) { return jig::gradient(jig::reduce_sum(jig::conv2d(x, w, jig::same_padding)), x, w); });

struct extents {
  jig::index batch, rows, columns, in, out, taps, stride;
  bool depthwise = false;
  jig::index positions(jig::index n) const { return (n + stride - 1) / stride; }
  jig::index before(jig::index n) const { return std::max<jig::index>((positions(n) - 1) * stride + taps - n, 0) / 2; }
};

void convolve(const extents& e, const float* x, const float* w, float* __restrict y) {
  for (jig::index n = 0; n < e.batch; ++n)
    for (jig::index i = 0; i < e.positions(e.rows); ++i)
      for (jig::index j = 0; j < e.positions(e.columns); ++j, y += e.out) {
        std::fill_n(y, e.out, 0.0f);
        for (jig::index a = 0; a < e.taps; ++a)
          for (jig::index b = 0; b < e.taps; ++b) {
            const jig::index row = i * e.stride + a - e.before(e.rows), column = j * e.stride + b - e.before(e.columns);
            if (row < 0 || row >= e.rows || column < 0 || column >= e.columns) continue;
            const float* from = x + ((n * e.rows + row) * e.columns + column) * e.in;
            if (e.depthwise) {
              const float* factors = w + (a * e.taps + b) * e.out;
              for (jig::index c = 0; c < e.out; ++c) y[c] += from[c] * factors[c];
              continue;
            }
            for (jig::index k = 0; k < e.in; ++k) {
              const float* factors = w + ((a * e.taps + b) * e.in + k) * e.out;
              for (jig::index c = 0; c < e.out; ++c) y[c] += from[k] * factors[c];
            }
          }
      }
}

#ifdef JIG_BENCH_OPENBLAS
void convolve_by_product(const extents& e, const float* x, const float* w, float* y, std::vector<float>& rows) {
  const jig::index each = e.taps * e.taps * e.in, count = e.batch * e.positions(e.rows) * e.positions(e.columns);
  rows.resize(static_cast<std::size_t>(each * count));
  float* to = rows.data();
  for (jig::index n = 0; n < e.batch; ++n)
    for (jig::index i = 0; i < e.positions(e.rows); ++i)
      for (jig::index j = 0; j < e.positions(e.columns); ++j)
        for (jig::index a = 0; a < e.taps; ++a)
          for (jig::index b = 0; b < e.taps; ++b, to += e.in) {
            const jig::index row = i * e.stride + a - e.before(e.rows), column = j * e.stride + b - e.before(e.columns);
            if (row < 0 || row >= e.rows || column < 0 || column >= e.columns) std::fill_n(to, e.in, 0.0f);
            else std::copy_n(x + ((n * e.rows + row) * e.columns + column) * e.in, e.in, to);
          }
  const auto m = static_cast<int>(count), k = static_cast<int>(each), n = static_cast<int>(e.out);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, rows.data(), k, w, n, 0, y, n);
}
#endif

#ifdef JIG_BENCH_ONEDNN
// The operand and the result lie as jig has them, the filter as oneDNN likes it best.
auto onednn_convolution(const extents& e, const float* x, const float* w, float* y) {
  using dnnl::memory;
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  static dnnl::stream stream(engine);
  const auto f32 = memory::data_type::f32;
  const memory::desc xs({e.batch, e.in, e.rows, e.columns}, f32, memory::format_tag::nhwc);
  const memory::desc ys({e.batch, e.out, e.positions(e.rows), e.positions(e.columns)}, f32, memory::format_tag::nhwc);
  const memory::dims filter = e.depthwise ? memory::dims{e.out, 1, 1, e.taps, e.taps} : memory::dims{e.out, e.in, e.taps, e.taps};
  const memory::dims strides =
      e.depthwise ? memory::dims{1, 1, 1, e.taps * e.out, e.out} : memory::dims{1, e.out, e.taps * e.in * e.out, e.in * e.out};
  const auto behind = [&](jig::index n) { return std::max<jig::index>((e.positions(n) - 1) * e.stride + e.taps - n, 0) - e.before(n); };
  const dnnl::convolution_forward::primitive_desc how(
      dnnl::convolution_forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, xs,
                                      memory::desc(filter, f32, memory::format_tag::any), ys, {e.stride, e.stride},
                                      {e.before(e.rows), e.before(e.columns)}, {behind(e.rows), behind(e.columns)}),
      engine);
  memory from(memory::desc(filter, f32, strides), engine, const_cast<float*>(w));
  memory packed(how.weights_desc(), engine);
  dnnl::reorder(from, packed).execute(stream, from, packed);
  stream.wait();
  return
      [run = dnnl::convolution_forward(how),
       memories = std::unordered_map<int, memory>{
           {DNNL_ARG_SRC, memory(xs, engine, const_cast<float*>(x))}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_DST, memory(ys, engine, y)}}] {
        run.execute(stream, memories);
        stream.wait();
      };
}
#endif

using images = jig::tensor<float, jig::dyn, jig::dyn, jig::dyn, jig::dyn>;

struct memory {
  extents e;
  images x, w, y;
  jig::tensor<float, jig::dyn> b;
  std::vector<float> rows;
  explicit memory(const extents& of)
      : e(of),
        x(jig::uninitialized, {4, {e.batch, e.rows, e.columns, e.in}}),
        w(jig::uninitialized, {4, {e.taps, e.taps, e.in, e.depthwise ? 1 : e.out}}),
        y(jig::uninitialized, {4, {e.batch, e.positions(e.rows), e.positions(e.columns), e.out}}),
        b(jig::uninitialized, {1, {e.out}}) {
    bench::fill(-0.5, 0.5, x, w, b);
  }
};

std::string size_of(const extents& e) {
  std::string s;
  for (jig::index n : {e.batch, e.rows, e.columns, e.in}) s += std::to_string(n) + "x";
  return s + std::to_string(e.out);
}

void add_convolution(const std::string& name, const extents& e) {
  // Kept for the benchmarks, which run later.
  auto& m = *new memory(e);
  bench::workload row(name, size_of(e), m.y);
  row.add("loop", [&m] { convolve(m.e, m.x.data(), m.w.data(), m.y.data()); });
  row.add("jig", [&m] {
    if (m.e.depthwise && m.e.stride == 1) by_channel.into(m.y, m.x, m.w);
    else if (m.e.depthwise) by_channel_halved.into(m.y, m.x, m.w);
    else if (m.e.stride == 1) same.into(m.y, m.x, m.w);
    else halved.into(m.y, m.x, m.w);
  });
#ifdef JIG_BENCH_OPENBLAS
  if (!m.e.depthwise) row.add("OpenBLAS", [&m] { convolve_by_product(m.e, m.x.data(), m.w.data(), m.y.data(), m.rows); });
#endif
#ifdef JIG_BENCH_ONEDNN
  row.add("oneDNN", onednn_convolution(m.e, m.x.data(), m.w.data(), m.y.data()));
#endif
}

// By Winograd's algorithm, beside those who compute every tap.
void add_tiles(const extents& e) {
  auto& m = *new memory(e);
  bench::workload row("conv2d 3x3, winograd", size_of(e), m.y);
  row.add("loop", [&m] { convolve(m.e, m.x.data(), m.w.data(), m.y.data()); });
  row.add("jig", [&m] { by_tiles.into(m.y, m.x, m.w); }, 1e-4);
  row.add("jig, every tap", [&m] { same.into(m.y, m.x, m.w); });
#ifdef JIG_BENCH_ONEDNN
  row.add("oneDNN", onednn_convolution(m.e, m.x.data(), m.w.data(), m.y.data()));
#endif
}

void add_layer(const extents& e) {
  auto& m = *new memory(e);
  bench::workload row("relu(conv2d + b)", size_of(e), m.y);
  [[maybe_unused]] const auto finish = [&m] {
    float* __restrict to = m.y.data();
    const float* __restrict bias = m.b.data();
    for (jig::index i = 0; i < m.y.size(); i += m.e.out)
      for (jig::index c = 0; c < m.e.out; ++c) to[i + c] = std::max(to[i + c] + bias[c], 0.0f);
  };
  row.add("loop", [&m, finish] {
    convolve(m.e, m.x.data(), m.w.data(), m.y.data());
    finish();
  });
  row.add("jig", [&m] { layer.into(m.y, m.x, m.w, m.b); });
#ifdef JIG_BENCH_OPENBLAS
  row.add("OpenBLAS", [&m, finish] {
    convolve_by_product(m.e, m.x.data(), m.w.data(), m.y.data(), m.rows);
    finish();
  });
#endif
}

// The gradient of the sum of a convolution by its filter.
void add_filter_gradient(const extents& e) {
  auto& m = *new memory(e);
  auto& gx = *new images(m.x);
  auto& gw = *new images(m.w);
  bench::workload row("gradient of conv2d by its filter", size_of(e), gw);
  row.add(
      "loop",
      [&m, &gw, &gx] {
        std::fill_n(gw.data(), gw.size(), 0.0f);
        std::fill_n(gx.data(), gx.size(), 0.0f);
        const extents& s = m.e;
        for (jig::index n = 0; n < s.batch; ++n)
          for (jig::index i = 0; i < s.rows; ++i)
            for (jig::index j = 0; j < s.columns; ++j)
              for (jig::index a = 0; a < s.taps; ++a)
                for (jig::index b = 0; b < s.taps; ++b) {
                  const jig::index r = i + a - s.before(s.rows), c = j + b - s.before(s.columns);
                  if (r < 0 || r >= s.rows || c < 0 || c >= s.columns) continue;
                  const float* from = m.x.data() + ((n * s.rows + r) * s.columns + c) * s.in;
                  float* to_x = gx.data() + ((n * s.rows + r) * s.columns + c) * s.in;
                  for (jig::index k = 0; k < s.in; ++k) {
                    float* to = gw.data() + ((a * s.taps + b) * s.in + k) * s.out;
                    const float* factors = m.w.data() + ((a * s.taps + b) * s.in + k) * s.out;
                    float sum = 0;
                    for (jig::index o = 0; o < s.out; ++o) {
                      to[o] += from[k];
                      sum += factors[o];
                    }
                    to_x[k] += sum;
                  }
                }
      },
      1e-4);
  row.add("jig", [&m, &gw, &gx] { gradients.into(std::tie(gx, gw), m.x, m.w); }, 1e-4);
}

}  // namespace

int main(int argc, char** argv) {
  add_convolution("conv2d 3x3", {1, 200, 200, 100, 100, 3, 1});
  add_convolution("conv2d 3x3", {1, 56, 56, 64, 64, 3, 1});
  add_convolution("conv2d 3x3", {8, 7, 7, 256, 256, 3, 1});
  add_convolution("conv2d 3x3", {1, 224, 224, 3, 32, 3, 1});
  add_convolution("conv2d 3x3", {32, 28, 28, 1, 16, 3, 1});
  add_convolution("conv2d 3x3, strides 2", {1, 112, 112, 32, 64, 3, 2});
  add_convolution("conv2d 1x1", {1, 56, 56, 64, 128, 1, 1});
  add_convolution("conv2d 5x5", {1, 64, 64, 16, 32, 5, 1});
  add_convolution("conv2d 5x5", {32, 28, 28, 1, 8, 5, 1});
  // Layers of MobileNet.
  add_convolution("conv2d 3x3, strides 2", {1, 224, 224, 3, 32, 3, 2});
  add_convolution("depthwise_conv2d 3x3", {1, 112, 112, 32, 32, 3, 1, true});
  add_convolution("conv2d 1x1", {1, 112, 112, 32, 64, 1, 1});
  add_convolution("depthwise_conv2d 3x3, strides 2", {1, 112, 112, 64, 64, 3, 2, true});
  add_convolution("depthwise_conv2d 3x3", {1, 56, 56, 128, 128, 3, 1, true});
  add_convolution("conv2d 1x1", {1, 56, 56, 128, 128, 1, 1});
  add_convolution("depthwise_conv2d 3x3", {1, 28, 28, 256, 256, 3, 1, true});
  add_convolution("conv2d 1x1", {1, 28, 28, 256, 256, 1, 1});
  add_convolution("depthwise_conv2d 3x3", {1, 14, 14, 512, 512, 3, 1, true});
  add_convolution("conv2d 1x1", {1, 14, 14, 512, 512, 1, 1});
  add_convolution("depthwise_conv2d 3x3, strides 2", {1, 14, 14, 512, 512, 3, 2, true});
  add_convolution("conv2d 1x1", {1, 7, 7, 1024, 1024, 1, 1});
  add_tiles({1, 200, 200, 100, 100, 3, 1});
  add_tiles({1, 56, 56, 64, 64, 3, 1});
  add_tiles({8, 28, 28, 128, 128, 3, 1});
  add_tiles({8, 14, 14, 256, 256, 3, 1});
  add_tiles({1, 224, 224, 16, 16, 3, 1});
  add_tiles({32, 8, 8, 32, 64, 3, 1});
  add_layer({1, 56, 56, 64, 64, 3, 1});
  add_filter_gradient({4, 28, 28, 16, 32, 3, 1});
  return bench::run(argc, argv);
}
