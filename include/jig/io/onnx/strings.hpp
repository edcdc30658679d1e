// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops of texts and of values of which only a run tells how many there are. They are computed when the graph is made, where their
// elements are known.

#include <jig/io/onnx/node.hpp>

#include <algorithm>

namespace jig::onnx {

inline std::vector<std::string> known_texts(node_context& c, edge e) {
  if (c.m.type(e) != dtype::string) c.fail("strings are expected");
  const any_tensor t = c.m.known(e);
  const any_tensor dense = t.is_dense() ? t : any_tensor(t.view());
  const auto* x = static_cast<const std::string*>(dense.data());
  return {x, x + dense.size()};
}
inline edge texts_constant(node_context& c, const std::vector<std::string>& x, const shape& s) {
  any_tensor t = any_tensor::empty(dtype::string, s);
  std::copy(x.begin(), x.end(), static_cast<std::string*>(t.mutable_data()));
  return c.m.constant(t);
}

// Letters of ASCII and of Latin-1, as two bytes of UTF-8.
inline std::string with_case(std::string x, bool upper) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto byte = static_cast<unsigned char>(x[i]);
    if (byte < 128) {
      x[i] = static_cast<char>(upper ? (byte >= 'a' && byte <= 'z' ? byte - 32 : byte) : (byte >= 'A' && byte <= 'Z' ? byte + 32 : byte));
    } else if (byte == 0xc3 && i + 1 < x.size()) {
      const auto next = static_cast<unsigned char>(x[++i]);
      if (upper && next >= 0xa0 && next != 0xb7 && next != 0xbf) x[i] = static_cast<char>(next - 32);
      if (!upper && next >= 0x80 && next < 0xa0 && next != 0x97 && next != 0x9f) x[i] = static_cast<char>(next + 32);
    }
  }
  return x;
}
inline void import_string_normalizer(node_context& c) {
  const shape s = c.m.static_extents(c.x(0));
  if (s.rank < 1 || s.rank > 2 || (s.rank == 2 && s[0] != 1)) c.fail("the strings have one axis, or a batch of one");
  const auto action = c.text("case_change_action", "NONE");
  const bool sensitive = c.flag("is_case_sensitive");
  std::vector<std::string> stop, out;
  const auto compared = [&](const std::string& x) { return sensitive ? x : with_case(x, false); };
  if (c.given("stopwords"))
    for (std::size_t k = 0; k < c.find("stopwords")->texts.size(); ++k)
      stop.push_back(compared(std::string(c.find("stopwords")->texts[k])));
  for (const auto& x : known_texts(c, c.x(0)))
    if (std::find(stop.begin(), stop.end(), compared(x)) == stop.end())
      out.push_back(action == "NONE" ? x : with_case(x, action == "UPPER"));
  if (out.empty()) out.emplace_back();
  const auto n = static_cast<index>(out.size());
  c.out(texts_constant(c, out, s.rank == 1 ? shape{1, {n}} : shape{2, {1, n}}));
}

// A pool of n-grams, in groups by length, of which each has a place in the result.
template <class T>
void count_ngrams(node_context& c, const std::vector<T>& x, const std::vector<T>& pool, index columns) {
  const index shortest = c.integer("min_gram_length", 1), longest = c.integer("max_gram_length", 1), skips = c.integer("max_skip_count", 0);
  const auto counts = c.integers("ngram_counts"), places = c.integers("ngram_indexes");
  const auto weights = c.reals("weights");
  const auto mode = c.text("mode");
  if (shortest < 1 || longest < shortest || longest > static_cast<index>(counts.size()) || longest > 64 || skips < 0 || skips > (1 << 16))
    c.fail("the lengths of n-grams are out of range");
  index most = 0;
  for (const index p : places) {
    if (p < 0 || p > (1 << 24)) c.fail("an n-gram has no place in the result");
    most = (std::max)(most, p + 1);
  }
  const index rows = columns == 0 ? 0 : static_cast<index>(x.size()) / columns;
  c.m.require_size({dtype::float32, shape{2, {rows, most}}});
  std::vector<double> out(static_cast<std::size_t>(rows * most), 0.0);
  std::vector<double> weight_of(static_cast<std::size_t>(most), 1.0);
  std::size_t gram = 0;
  for (index n = 1; n <= static_cast<index>(counts.size()); ++n) {
    const index first = counts[static_cast<std::size_t>(n) - 1];
    const index last = n < static_cast<index>(counts.size()) ? counts[static_cast<std::size_t>(n)] : static_cast<index>(pool.size());
    if (first < 0 || last < first || last > static_cast<index>(pool.size()) || (last - first) % n != 0)
      c.fail("the pool does not divide into n-grams");
    for (index at = first; at < last; at += n, ++gram) {
      if (gram >= places.size()) c.fail("an n-gram has no place in the result");
      const index place = places[gram];
      if (gram < weights.size()) weight_of[static_cast<std::size_t>(place)] = static_cast<double>(weights[gram]);
      if (n < shortest || n > longest) continue;
      for (index r = 0; r < rows; ++r)
        for (index skip = 0; skip <= (n == 1 ? 0 : skips) && (n - 1) * (skip + 1) < columns; ++skip)
          for (index i = 0; i + (n - 1) * (skip + 1) < columns; ++i) {
            bool same = true;
            for (index k = 0; same && k < n; ++k)
              same = x[static_cast<std::size_t>(r * columns + i + k * (skip + 1))] == pool[static_cast<std::size_t>(at + k)];
            if (same) out[static_cast<std::size_t>(r * most + place)] += 1;
          }
    }
  }
  for (index r = 0; r < rows; ++r)
    for (index p = 0; p < most; ++p) {
      double& n = out[static_cast<std::size_t>(r * most + p)];
      const double w = weight_of[static_cast<std::size_t>(p)];
      if (mode == "IDF") n = n > 0 ? w : 0;
      else if (mode == "TFIDF") n *= w;
    }
  const bool single = c.m.rank(c.x(0)) == 1;
  c.out(c.m.reshape(c.m.constants(out, dtype::float32), single ? list<index>{most} : list<index>{rows, most}));
}
inline void import_tf_idf(node_context& c) {
  const shape s = c.m.static_extents(c.x(0));
  if (s.rank < 1 || s.rank > 2) c.fail("words have one axis, or a batch before it");
  const index columns = s[s.rank - 1];
  if (c.given("pool_strings")) {
    std::vector<std::string> pool;
    for (std::size_t k = 0; k < c.find("pool_strings")->texts.size(); ++k) pool.emplace_back(c.find("pool_strings")->texts[k]);
    return count_ngrams(c, known_texts(c, c.x(0)), pool, columns);
  }
  const auto given = c.integers("pool_int64s");
  count_ngrams(c, c.m.known_integers(c.x(0)), std::vector<index>(given.begin(), given.end()), columns);
}

inline void import_unique(node_context& c) {
  edge x = c.x(0);
  const bool flat = !c.given("axis");
  if (flat) x = c.m.reshape(x, {jig::infer});
  const int axis = flat ? 0 : c.axis(c.integer("axis", 0), c.m.rank(x));
  if (c.m.type(x) == dtype::string) c.fail("of strings it is not supported");
  const shape s = c.m.static_extents(x);
  // Parts along the axis as rows of numbers.
  list<index> order{axis};
  for (int a = 0; a < s.rank; ++a)
    if (a != axis) order.push_back(a);
  const bool real = is_floating(c.m.type(x));
  const index rows = s[axis], columns = rows == 0 ? 0 : s.size() / rows;
  const edge turned = c.m.transpose(x, order);
  const auto reals = real ? c.m.known_reals(turned) : std::vector<double>();
  const auto whole = real ? std::vector<index>() : c.m.known_integers(turned);
  // NaNs are one number, behind all others: sorting needs an order.
  const auto less = [](double p, double q) { return q != q ? p == p : p < q; };
  const auto compare = [&](index a, index b) {
    for (index k = 0; k < columns; ++k) {
      const auto i = static_cast<std::size_t>(a * columns + k), j = static_cast<std::size_t>(b * columns + k);
      if (real ? less(reals[i], reals[j]) : whole[i] < whole[j]) return -1;
      if (real ? less(reals[j], reals[i]) : whole[j] < whole[i]) return 1;
    }
    return 0;
  };
  std::vector<index> sorted(static_cast<std::size_t>(rows));
  for (index r = 0; r < rows; ++r) sorted[static_cast<std::size_t>(r)] = r;
  std::sort(sorted.begin(), sorted.end(), [&](index a, index b) {
    const int sign = compare(a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  struct group {
    index first, count;
  };
  std::vector<group> groups;
  std::vector<std::size_t> group_of(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (k == 0 || compare(sorted[k - 1], sorted[k]) != 0) groups.push_back({sorted[k], 0});
    ++groups.back().count;
    group_of[static_cast<std::size_t>(sorted[k])] = groups.size() - 1;
  }
  std::vector<std::size_t> shown(groups.size());
  for (std::size_t g = 0; g < shown.size(); ++g) shown[g] = g;
  if (!c.flag("sorted", true))
    std::sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return groups[a].first < groups[b].first; });
  std::vector<index> first, inverse, counts, place(groups.size());
  for (std::size_t k = 0; k < shown.size(); ++k) {
    first.push_back(groups[shown[k]].first);
    counts.push_back(groups[shown[k]].count);
    place[shown[k]] = static_cast<index>(k);
  }
  for (const std::size_t g : group_of) inverse.push_back(place[g]);
  c.out(c.m.gather(x, c.m.constants(first), axis));
  c.out(c.m.constants(first), 1);
  c.out(c.m.constants(inverse), 2);
  c.out(c.m.constants(counts), 3);
}

inline constexpr op_entry string_ops[] = {
    {"StringNormalizer", import_string_normalizer}, {"TfIdfVectorizer", import_tf_idf}, {"Unique", import_unique}};

}  // namespace jig::onnx
