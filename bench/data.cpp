// SPDX-License-Identifier: MIT
// What datasets cost beside loops by hand: batches of what is in memory, shuffled rows, files.

#include "workload.hpp"

#include <jig/data/tf_record.hpp>
#if __has_include(<libfccp/csv.h>)
#include <jig/data/csv.hpp>
#define JIG_BENCH_CSV
#endif

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace {

namespace data = jig::data;

constexpr jig::index rows = 100000, row = 16, batch = 32;

// Something small of each batch, so that the loop counts.
void batches_in_memory() {
  static std::vector<std::array<float, row>> x(rows);
  static double sum;
  std::span<float> all(x.front().data(), static_cast<std::size_t>(rows * row));
  bench::fill(-1, 1, all);
  bench::workload table("3125 batches of 32 x 16 in memory", std::to_string(rows), sum);
  table.add("loop", [] {
    sum = 0;
    for (jig::index first = 0; first < rows; first += batch) sum += static_cast<double>(x[static_cast<std::size_t>(first)][1]);
  });
  static const auto batches = data::from_tensor_slices(x).batch<batch>();
  table.add("jig", [] {
    sum = 0;
    for (const auto& b : batches) sum += static_cast<double>(b.data()[1]);
  });
  static const auto wildcard = data::from_tensor_slices(x).batch(batch);
  table.add("jig, wildcard", [] {
    sum = 0;
    for (const auto& b : wildcard) sum += static_cast<double>(b.data()[1]);
  });
}

// Rows in another order, side by side in batches.
void shuffled_batches() {
  static std::vector<std::array<float, row>> x(rows);
  static double sum;
  std::span<float> all(x.front().data(), static_cast<std::size_t>(rows * row));
  bench::fill(-1, 1, all);
  bench::workload table("shuffled batches of 32 x 16", std::to_string(rows), sum);
  // The sum does not depend on the order, but for its last bits.
  table.add("loop", [] {
    static std::vector<jig::index> order(static_cast<std::size_t>(rows));
    static jig::tensor<float, batch, row> gathered;
    std::iota(order.begin(), order.end(), jig::index{0});
    data::detail::split_mix random(1);
    for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
    sum = 0;
    for (jig::index first = 0; first < rows; first += batch) {
      for (jig::index i = 0; i < batch; ++i)
        std::memcpy(gathered.data() + i * row, x[static_cast<std::size_t>(order[static_cast<std::size_t>(first + i)])].data(),
                    row * sizeof(float));
      for (jig::index i = 0; i < batch; ++i) sum += static_cast<double>(gathered(i, 1));
    }
  });
  static const auto batches = data::from_tensor_slices(x).shuffle(rows, 1).batch<batch>();
  table.add(
      "jig",
      [] {
        sum = 0;
        for (const auto& b : batches)
          for (jig::index i = 0; i < batch; ++i) sum += static_cast<double>(b(i, 1));
      },
      1e-3);
}

std::string temporary(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

void records() {
  static const std::string path = temporary("jig_bench.tfrecord");
  static const std::string record(4096, 'x');
  static double sum;
  {
    std::ofstream out(path, std::ios::binary);
    const auto number = [](std::uint64_t n, int bytes) {
      std::string text;
      for (int i = 0; i < bytes; ++i) text += static_cast<char>(n >> (8 * i));
      return text;
    };
    const auto checksum = [&](const std::string& bytes) { return number(jig::detail::masked_crc32c(bytes.data(), bytes.size()), 4); };
    for (int i = 0; i < 5000; ++i) out << number(record.size(), 8) << checksum(number(record.size(), 8)) << record << checksum(record);
  }
  bench::workload table("20 MB of records", "4096", sum);
  table.add("fread", [] {
    static std::vector<char> bytes(16 + 4096);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    sum = 0;
    while (std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size()) sum += bytes[12];
    std::fclose(file);
  });
  static const auto all = data::tf_record(path);
  table.add("jig", [] {
    sum = 0;
    for (const auto& r : all) sum += r[0];
  });
}

#ifdef JIG_BENCH_CSV
void rows_of_csv() {
  static const std::string path = temporary("jig_bench.csv");
  static double sum;
  {
    std::ofstream out(path);
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> number(-10, 10);
    for (int i = 0; i < 100000; ++i)
      for (int j = 0; j < 10; ++j) out << number(generator) << (j == 9 ? '\n' : ',');
  }
  bench::workload table("CSV, 100000 x 10 floats, " + std::to_string(std::filesystem::file_size(path) / 1000) + " kB", "10", sum);
  table.add("strtof", [] {
    std::ifstream in(path, std::ios::binary);
    static std::string text;
    text.assign(std::istreambuf_iterator<char>(in), {});
    sum = 0;
    for (char* at = text.data(); *at != '\0';) {
      sum += static_cast<double>(std::strtof(at, &at));
      ++at;
    }
  });
  static const auto all = data::csv<jig::tensor<float, 10>>(path);
  table.add("jig", [] {
    sum = 0;
    for (const auto& r : all)
      for (const float x : r) sum += static_cast<double>(x);
  });
}
#endif

}  // namespace

int main(int argc, char** argv) {
  batches_in_memory();
  shuffled_batches();
  records();
#ifdef JIG_BENCH_CSV
  rows_of_csv();
#endif
  return bench::run(argc, argv);
}
