// SPDX-License-Identifier: MIT
#pragma once
// Products of large operands, block by block; blocks that are read often are packed.

#include <jig/eval/epilogue.hpp>
#include <jig/eval/matmul/pack.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/workspace.hpp>

namespace jig::detail {

// Tiles and blocks of large operands.
template <class T>
struct blocks {
  static constexpr index width = simd::lanes<T>;
  // Eight rows divide most extents that occur, and with two registers each are enough sums to hide the
  // latency.
  static constexpr int rows = simd::registers == 32 ? 8 : 6;
  static constexpr int registers = 2;
  static constexpr index columns = registers * width;
  // Units: elements. A panel of b, k x columns, is meant for the first cache, a block of a, m x k, for the
  // second.
  static constexpr index k = 256;
  static constexpr index m = 256 * 1024 / (k * static_cast<index>(sizeof(T)));
  static constexpr index n = 512 * 1024 / (k * static_cast<index>(sizeof(T))) / columns * columns;
};

// A block of c that is as wide as a tile: its rows from `row` to m.
template <int Rows, int Registers, class T>
[[gnu::noinline]] void multiply_rows(const tile_place<T>& all, index row, index m, index k, bool add) {
  const T* a = all.a;
  T* c = all.c;
  for (; row + Rows <= m; row += Rows) {
    const tile_place<T> at{a + row * all.a_row, all.a_row, all.a_col,       all.b,         all.b_row,
                           c + row * all.c_row, all.c_row, all.last_column, all.last_count};
    multiply_tile<simd::batch<T>, Rows, Registers, tail::stored>(at, k, add);
  }
  if constexpr (Rows > 1)
    if (row < m) multiply_rows<(Rows > 4 ? Rows / 2 : Rows - 1), Registers>(all, row, m, k, add);
}

template <int Registers, class T>
void multiply_panel(tile_place<T>& at, index columns, index m, index k, bool add) {
  if constexpr (Registers > 1) {
    if (columns <= (Registers - 1) * simd::lanes<T>) return multiply_panel<Registers - 1>(at, columns, m, k, add);
  }
  at.last_column = (Registers - 1) * simd::lanes<T>;
  at.last_count = columns - at.last_column;
  multiply_rows<blocks<T>::rows, Registers>(at, 0, m, k, add);
}

struct packing {
  bool a, b;
};

// Units: elements of an operand that the second cache keeps as it lies.
template <class T>
inline constexpr index few_to_pack = 256 * 1024 / static_cast<index>(sizeof(T));

// Copying pays where a block is read again so often, or lies so badly, that the copy is cheaper.
template <class T>
constexpr packing choose_packing(const product<T>& p) {
  packing out;
  out.b = p.packed_b != nullptr || p.b_col != 1 || (p.n * p.k > few_to_pack<T> && p.m >= 8 * blocks<T>::rows);
  out.a = (p.m * p.k > few_to_pack<T> || p.a_col != 1) && p.n >= 8 * blocks<T>::columns;
  return out;
}

// One product, block by block: columns of b and c outermost, then k, then rows of a and c.
template <class T>
class blocked_product {
  using size = blocks<T>;
  static constexpr index columns = size::columns, width = size::width;
  static constexpr index whole_registers(index n) { return (n + width - 1) / width * width; }

 public:
  constexpr explicit blocked_product(const product<T>& p, const tile_epilogue& then)
      : p_(p),
        then_(then),
        pack_(choose_packing(p)),
        m_(smaller(p.m, pack_.a ? size::m : most_rows(p, then))),
        n_(pack_.b ? smaller(p.n, size::n) : p.n),
        k_(smaller(p.k, size::k)) {}

  constexpr std::size_t b_bytes() const {
    if (p_.packed_b != nullptr) return 0;
    // What does not fill its registers is packed in any case.
    const index n = pack_.b ? whole_registers(n_) : p_.n % width != 0 ? columns : 0;
    return aligned_size(static_cast<std::size_t>(k_ * n) * sizeof(T));
  }
  constexpr std::size_t a_bytes() const { return pack_.a ? static_cast<std::size_t>(m_ * k_) * sizeof(T) : 0; }

  void run(char* memory) {
    packed_a_ = reinterpret_cast<T*>(memory + b_bytes());
    for (index j = 0; j < p_.n; j += n_)
      for (index q = 0; q < p_.k; q += k_) {
        const index n = smaller(n_, p_.n - j), k = smaller(k_, p_.k - q);
        if (p_.packed_b != nullptr) packed_b_ = p_.packed_b + place_of_block(j, n, q);
        else packed_b_ = pack_b(reinterpret_cast<T*>(memory), j, n, q, k);
        for (index i = 0; i < p_.m; i += m_) multiply_block(i, smaller(m_, p_.m - i), j, n, q, k);
      }
  }

  /// The elements of all of b as it is packed.
  constexpr index packed_elements() const { return p_.k * whole_registers(p_.n); }
  /// Whether b is packed, and in how many blocks.
  constexpr bool packs_b() const { return pack_.b; }
  constexpr index b_blocks() const { return p_.n == 0 || p_.k == 0 ? 0 : (p_.n + n_ - 1) / n_ * blocks_along_k(); }
  /// Packs one of them to where it lies among all, which then any product of these columns of b can read.
  void pack_some(T* to, index number) const {
    const index j = number / blocks_along_k() * n_, q = number % blocks_along_k() * k_, n = smaller(n_, p_.n - j);
    pack_b(to + place_of_block(j, n, q), j, n, q, smaller(k_, p_.k - q));
  }
  void pack_all(T* to) const {
    for (index number = 0; number < b_blocks(); ++number) pack_some(to, number);
  }

 private:
  // Blocks of columns follow one another, in each of them those along k.
  index place_of_block(index column, index columns_there, index k) const { return column * p_.k + whole_registers(columns_there) * k; }
  constexpr index blocks_along_k() const { return (p_.k + k_ - 1) / k_; }
  // Of whole rows so many that what follows finds them in the second cache.
  static constexpr index most_rows(const product<T>& p, const tile_epilogue& then) {
    if (!then.whole_rows) return p.m;
    const index fitting = size::k * size::m / p.n / size::rows * size::rows;
    return fitting < size::rows ? size::rows : fitting;
  }
  const T* pack_b(T* to, index first_column, index n, index first_k, index k) const {
    const T* b = p_.b + first_k * p_.b_row + first_column * p_.b_col;
    index j = pack_.b ? 0 : n % width != 0 ? n / columns * columns : n;
    for (T* panel = to; j < n; j += columns, panel += columns * k)
      pack_panel(panel, b + j * p_.b_col, p_.b_row, p_.b_col, smaller(columns, n - j), k);
    return to;
  }

  void multiply_block(index i, index m, index first_column, index n, index first_k, index k) {
    tile_place<T> at{};
    at.a = p_.a + i * p_.a_row + first_k * p_.a_col;
    at.a_row = p_.a_row;
    at.a_col = p_.a_col;
    at.c_row = p_.c_row;
    if (pack_.a) {
      pack_block(packed_a_, at.a, p_.a_row, p_.a_col, m, k, at.a_row, at.a_col);
      at.a = packed_a_;
    }
    for (index j = 0; j < n; j += columns) {
      const index here = smaller(columns, n - j);
      const bool packed = pack_.b || here % width != 0;
      at.b = !packed ? p_.b + first_k * p_.b_row + first_column + j : packed_b_ + (pack_.b ? j * k : 0);
      at.b_row = packed ? whole_registers(here) : p_.b_row;
      at.c = p_.c + i * p_.c_row + first_column + j;
      multiply_panel<size::registers>(at, here, m, k, first_k > 0);
      if (first_k + k == p_.k && !then_.whole_rows) then_(i, m, first_column + j, here);
    }
    if (first_k + k == p_.k && then_.whole_rows) then_(i, m, first_column, n);
  }

  const product<T>& p_;
  const tile_epilogue& then_;
  packing pack_;
  index m_, n_, k_;
  T* packed_a_ = nullptr;
  const T* packed_b_ = nullptr;
};

// Units: bytes of packed blocks that lie on the stack; more are in the workspace.
inline constexpr std::size_t few_packed_bytes = 4096;

template <class T>
[[gnu::noinline]] void multiply_blocked(const product<T>& p, const tile_epilogue& then, memory_source& source) {
  blocked_product<T> blocked(p, then);
  const std::size_t bytes = blocked.b_bytes() + blocked.a_bytes();
  alignas(alignment) char few[few_packed_bytes];
  if (bytes <= sizeof(few)) return blocked.run(few);
  workspace memory(source, bytes);
  blocked.run(memory.data());
}

// Blocks of rows or columns of the result have so many of them, for threads to share, where a product has enough of them and
// so many multiplications that this pays.
inline constexpr index shared_lines = 128, shared_products = index{1} << 21;

template <class T>
bool is_shared_product(const product<T>& p) {
  return (p.m > p.n ? p.m : p.n) >= 2 * shared_lines && p.m * p.n * p.k >= shared_products && shares_work();
}

// What blocks of rows would each pack of b is packed once for all of them, up to so many bytes.
inline constexpr index most_shared_bytes = 64 << 20;

template <class T>
void multiply_in_blocks(const product<T>& p, const tile_epilogue& then, bool rows) {
  // Of whole tiles, and as many for two threads.
  const index all = rows ? p.m : p.n, tile = rows ? blocks<T>::rows : blocks<T>::columns, tiles = (all + tile - 1) / tile;
  const index parts = (all / shared_lines + 1) / 2 * 2;
  share_evenly(tiles, parts < tiles ? parts : tiles, [&, rows, tile](index first_tile, index count) {
    const index first = first_tile * tile, lines = smaller(count * tile, all - first);
    product<T> part = p;
    (rows ? part.m : part.n) = lines;
    if (!rows) part.packed_b = nullptr;  // of these columns nothing is
    (rows ? part.a : part.b) += first * (rows ? p.a_row : p.b_col);
    part.c += first * (rows ? p.c_row : 1);
    multiply_blocked(part, rows ? then.from(first, 0) : then.from(0, first), *current_threads->memory);
  });
}

template <class T>
[[gnu::noinline, gnu::cold]] void multiply_in_blocks(const product<T>& p, const tile_epilogue& then) {
  const bool rows = p.m >= p.n;
  const blocked_product<T> whole(p, then);
  const index bytes = whole.packed_elements() * static_cast<index>(sizeof(T));
  // Two blocks pack it part by part as fast as threads could beforehand.
  if (!rows || p.m < 4 * shared_lines || p.packed_b != nullptr || !whole.packs_b() || bytes > most_shared_bytes)
    return multiply_in_blocks(p, then, rows);
  const workspace memory(*current_threads->memory, static_cast<std::size_t>(bytes));
  auto* packed = reinterpret_cast<T*>(memory.data());
  parallel_for(whole.b_blocks(), 1, [&](index first, index length) {
    for (index number = first; number < first + length; ++number) whole.pack_some(packed, number);
  });
  product<T> with_packed = p;
  with_packed.packed_b = packed;
  multiply_in_blocks(with_packed, then, true);
}

}  // namespace jig::detail
