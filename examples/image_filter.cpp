// SPDX-License-Identifier: MIT
// Filters a PNG of any size: a Gaussian blur, the edges that Sobel's filters see, or half as many rows and columns.
//   image_filter in.png out.png [blur|edges|half]
// Colours are read as red, green and blue of a byte each, what is transparent in front of black. Needs libpng.

#include <jig.hpp>

#include <png.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

constexpr jig::index channels = 3;

// A batch of one image of numbers, out of bytes, and back: they are rounded, and what is no byte becomes the nearest one.
constexpr auto numbers(const auto& image) { return jig::expand_dims<0>(jig::cast<float>(image)); }
constexpr auto bytes(const auto& batch) { return jig::squeeze<0>(jig::cast<std::uint8_t>(jig::round(batch))); }

// Every channel by itself, one axis after the other.
constexpr auto weighted(const auto& batch) {
  constexpr std::array<float, 5> weights{1, 4, 6, 4, 1};
  auto down = jig::broadcast_to<5, 1, channels, 1>(jig::reshape<5, 1, 1, 1>(jig::constant(weights)));
  auto across = jig::reshape<1, 5, channels, 1>(down);
  return jig::depthwise_conv2d(jig::depthwise_conv2d(batch, down, jig::same_padding), across, jig::same_padding);
}
// At the border fewer weights count: what they add up to is what they make of ones.
constexpr auto blur = jig::function<"blur(image)">([](auto image) {
  auto batch = numbers(image);
  return bytes(weighted(batch) / weighted(jig::ones_like(batch)));
});

// How steep the brightness is, of every pixel that has all its neighbours.
constexpr auto edges = jig::function<"edges(image)">([](auto image) {
  constexpr std::array<float, channels> brightness{0.299f, 0.587f, 0.114f};
  constexpr std::array<float, 18> sobel{-1, -1, 0, -2, 1, -1,  // two filters of 3 x 3 taps, side by side
                                        -2, 0,  0, 0,  2, 0,   // the first sees what changes across,
                                        -1, 1,  0, 2,  1, 1};  // the second what changes down
  auto grey = jig::reduce_sum<-1>(numbers(image) * jig::constant(brightness), jig::keepdims);
  auto slopes = jig::conv2d(grey, jig::reshape<3, 3, 1, 2>(jig::constant(sobel)));
  return bytes(jig::sqrt(jig::reduce_sum<-1>(jig::square(slopes), jig::keepdims)));
});

// Every second row and column tells how many there are to be.
constexpr auto half = jig::function<"half(image)">([](auto image) {
  constexpr auto second = jig::range_of(jig::unbounded, jig::unbounded, 2);
  auto batch = numbers(image);
  return bytes(jig::resize_like(batch, jig::strided_slice<jig::all, second, second>(batch)));
});

jig::tensor<std::uint8_t, jig::dyn, jig::dyn, channels> read_png(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) throw std::runtime_error(path + ": " + png.message);
  png.format = PNG_FORMAT_RGB;
  jig::tensor<std::uint8_t, jig::dyn, jig::dyn, channels> image(png.height, png.width);
  const png_color black{};
  if (png_image_finish_read(&png, &black, image.data(), 0, nullptr) == 0) throw std::runtime_error(path + ": " + png.message);
  return image;
}

// Images of one channel are grey.
void write_png(const std::string& path, const auto& image) {
  if (image.size() == 0) throw std::runtime_error("the image is too small for this filter");
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.height = static_cast<png_uint_32>(image.extent(0));
  png.width = static_cast<png_uint_32>(image.extent(1));
  png.format = image.extent(2) == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  if (png_image_write_to_file(&png, path.c_str(), 0, image.data(), 0, nullptr) == 0) throw std::runtime_error(path + ": " + png.message);
}

void run(const std::string& from, const std::string& to, const std::string& filter) {
  if (filter == "blur") write_png(to, blur(read_png(from)));
  else if (filter == "edges") write_png(to, edges(read_png(from)));
  else if (filter == "half") write_png(to, half(read_png(from)));
  else throw std::runtime_error("'" + filter + "' is none of blur, edges and half");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3 || argc > 4) throw std::runtime_error("usage: image_filter in.png out.png [blur|edges|half]");
    run(argv[1], argv[2], argc > 3 ? argv[3] : "blur");
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "image_filter: %s\n", e.what());
    return 1;
  }
}
