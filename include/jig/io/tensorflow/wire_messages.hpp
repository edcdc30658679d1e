// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages in the wire format of protocol buffers. Fields are written in the order of their numbers, entries of maps in that
// of their keys, so that equal graphs are equal bytes.

#include <jig/io/tensorflow/messages.hpp>
#include <jig/io/wire.hpp>

#include <algorithm>

namespace jig::detail::tensorflow {

/// What a reader has counted so far, against what it may.
struct read_budget {
  index elements;  // that constants may still have, as they stand in the file
  index nodes;
  index attrs;
};

constexpr void note_if(wire_reader& r, bool failed, const char* why) {
  if (failed) r.problem().note(r.offset(), why);
}

constexpr shape_message read_shape(wire_reader r) {
  shape_message out;
  while (r.next()) {
    if (r.field() == 2) {
      if (out.dims.size() == 254) {
        note_if(r, true, "a shape has more than 254 axes");
        break;
      }
      auto& d = out.dims.emplace_back();
      d.size = 0;
      for (wire_reader in = r.message(); in.next();)
        if (in.field() == 1) d.size = in.integer();
        else if (in.field() == 2) d.name = in.bytes();
    } else if (r.field() == 3) {
      out.unknown_rank = r.number() != 0;
    }
  }
  return out;
}

constexpr tensor_message read_tensor(wire_reader r, read_budget& budget) {
  tensor_message out;
  const auto add = [&](std::uint64_t word) {
    if (--budget.elements < 0) note_if(r, true, "constants have more elements than load_limits allow");
    else out.words.push_back(word);
  };
  const auto add_integer = [&](std::uint64_t word) { add(word); };
  while (r.next()) {
    switch (r.field()) {
      case 1: out.dtype = static_cast<int>(r.number() & 0xffff); break;
      case 2: out.tensor_shape = read_shape(r.message()); break;
      case 4: out.tensor_content = r.bytes(); break;
      case 5: r.each_fixed32(add); break;
      case 6: r.each_fixed64(add); break;
      case 7:
      case 10:
      case 11:
      case 13:
      case 16:
      case 17: r.each_number(add_integer); break;
      case 8:
        if (--budget.elements < 0) note_if(r, true, "constants have more elements than load_limits allow");
        else out.string_val.emplace_back(r.bytes());
        break;
      default: break;
    }
  }
  return out;
}

constexpr attr_value read_attr(wire_reader r, read_budget& budget);

constexpr void read_attr_entry(wire_reader r, std::vector<named_attr>& to, read_budget& budget) {
  if (--budget.attrs < 0) return note_if(r, true, "nodes have more attributes than load_limits allow");
  named_attr& a = to.emplace_back();
  while (r.next())
    if (r.field() == 1) a.key = r.bytes();
    else if (r.field() == 2) a.value = read_attr(r.message(), budget);
}

// One field of an AttrValue or of its ListValue, whose fields are numbered alike.
constexpr bool read_attr_field(const wire_reader& r, attr_value& out, read_budget& budget) {
  switch (r.field()) {
    case 2: out.kind = attr_kind::s, out.s = r.bytes(); return true;
    case 3: out.kind = attr_kind::i, out.i = r.integer(); return true;
    case 4: out.kind = attr_kind::f, out.f = r.real(); return true;
    case 5: out.kind = attr_kind::b, out.i = r.number() != 0; return true;
    case 6: out.kind = attr_kind::type, out.i = static_cast<index>(r.number() & 0xffff); return true;
    case 7: out.kind = attr_kind::shape, out.shape = read_shape(r.message()); return true;
    case 8: out.kind = attr_kind::tensor, out.tensor = read_tensor(r.message(), budget); return true;
    default: return false;
  }
}
constexpr void read_function_name(wire_reader r, attr_value& out) {
  out.kind = attr_kind::func;
  while (r.next())
    if (r.field() == 1) out.s = r.bytes();
}

constexpr attr_value read_list(wire_reader r, read_budget& budget) {
  attr_value out;
  out.kind = attr_kind::list;
  const auto add = [&](attr_value&& entry) {
    if (--budget.attrs < 0) return note_if(r, true, "attributes have more entries than load_limits allow");
    out.of = entry.kind;
    out.list.push_back(std::move(entry));
  };
  while (r.next()) {
    const auto number = [&](attr_kind kind) {
      return [&add, kind](std::uint64_t x) {
        attr_value entry;
        entry.kind = kind;
        entry.i = kind == attr_kind::b ? index{x != 0} : static_cast<index>(x);
        add(std::move(entry));
      };
    };
    attr_value entry;
    if (r.field() == 3) r.each_number(number(attr_kind::i));
    else if (r.field() == 5) r.each_number(number(attr_kind::b));
    else if (r.field() == 6) r.each_number(number(attr_kind::type));
    else if (r.field() == 4)
      r.each_fixed32([&](std::uint32_t x) {
        attr_value real;
        real.kind = attr_kind::f;
        real.f = std::bit_cast<float>(x);
        add(std::move(real));
      });
    else if (r.field() == 9) read_function_name(r.message(), entry), add(std::move(entry));
    else if (read_attr_field(r, entry, budget)) add(std::move(entry));
  }
  return out;
}

constexpr attr_value read_attr(wire_reader r, read_budget& budget) {
  attr_value out;
  while (r.next()) {
    if (r.field() == 1) out = read_list(r.message(), budget);
    else if (r.field() == 9) out.kind = attr_kind::placeholder, out.s = r.bytes();
    else if (r.field() == 10) read_function_name(r.message(), out);
    else read_attr_field(r, out, budget);
  }
  return out;
}

constexpr node_def read_node(wire_reader r, read_budget& budget, std::size_t offset) {
  node_def out;
  out.offset = offset;
  if (--budget.nodes < 0) note_if(r, true, "the graph has more nodes than load_limits allow");
  while (r.next()) {
    switch (r.field()) {
      case 1: out.name = r.bytes(); break;
      case 2: out.op = r.bytes(); break;
      case 3: out.input.emplace_back(r.bytes()); break;
      case 4: out.device = r.bytes(); break;
      case 5: read_attr_entry(r.message(), out.attr, budget); break;
      default: break;
    }
  }
  return out;
}

constexpr arg_def read_arg(wire_reader r) {
  arg_def out;
  while (r.next())
    if (r.field() == 1) out.name = r.bytes();
    else if (r.field() == 3) out.type = static_cast<int>(r.number() & 0xffff);
  return out;
}

constexpr function_def read_function(wire_reader r, read_budget& budget) {
  function_def out;
  while (r.next()) {
    switch (r.field()) {
      case 1:
        for (wire_reader in = r.message(); in.next();)
          if (in.field() == 1) out.name = in.bytes();
          else if (in.field() == 2) out.input_arg.push_back(read_arg(in.message()));
          else if (in.field() == 3) out.output_arg.push_back(read_arg(in.message()));
          else if (in.field() == 17) out.is_stateful = in.number() != 0;
        break;
      case 3: out.node.push_back(read_node(r.message(), budget, r.offset())); break;
      case 4: {
        ret_entry& e = out.ret.emplace_back();
        for (wire_reader in = r.message(); in.next();)
          if (in.field() == 1) e.key = in.bytes();
          else if (in.field() == 2) e.value = in.bytes();
        break;
      }
      case 5: read_attr_entry(r.message(), out.attr, budget); break;
      default: break;
    }
  }
  return out;
}

/// Reads a GraphDef. What was wrong is in the reader's problem.
constexpr graph_message read_graph(wire_reader r, read_budget& budget) {
  graph_message out;
  while (r.next()) {
    switch (r.field()) {
      case 1: out.node.push_back(read_node(r.message(), budget, r.offset())); break;
      case 2:
        for (wire_reader in = r.message(); in.next();)
          if (in.field() == 1) out.library.push_back(read_function(in.message(), budget));
        break;
      case 4:
        for (wire_reader in = r.message(); in.next();)
          if (in.field() == 1) out.producer = in.integer();
          else if (in.field() == 2) out.min_consumer = in.integer();
        break;
      default: break;
    }
  }
  return out;
}

constexpr void write_shape(wire_writer& w, const shape_message& s) {
  for (const auto& d : s.dims)
    w.message(2, [&](wire_writer& in) {
      if (d.size != 0) in.integer(1, d.size);
      if (!d.name.empty()) in.bytes(2, d.name);
    });
  if (s.unknown_rank) w.number(3, 1);
}

// The field of a list of a dtype's elements.
constexpr std::uint32_t field_of_elements(int type) {
  switch (type) {
    case 1: return 5;
    case 2: return 6;
    case 7: return 8;
    case 9: return 10;
    case 10: return 11;
    case 14:
    case 19: return 13;
    case 22: return 16;
    case 23: return 17;
    default: return 7;
  }
}

constexpr void write_tensor(wire_writer& w, const tensor_message& t) {
  if (t.dtype != 0) w.number(1, static_cast<std::uint64_t>(t.dtype));
  w.message(2, [&](wire_writer& in) { write_shape(in, t.tensor_shape); });
  if (!t.tensor_content.empty()) w.bytes(4, t.tensor_content);
  const std::uint32_t field = field_of_elements(t.dtype);
  if (!t.words.empty() && (field == 5 || field == 6)) {
    std::string packed;
    for (const std::uint64_t word : t.words)
      for (int i = 0; i < (field == 5 ? 4 : 8); ++i) packed.push_back(static_cast<char>((word >> (8 * i)) & 255));
    w.bytes(field, packed);
  } else if (!t.words.empty()) {
    w.packed(field, t.words);
  }
  for (const auto& s : t.string_val) w.bytes(8, s);
}

constexpr void write_attr(wire_writer& w, const attr_value& a);

constexpr void write_list(wire_writer& w, const attr_value& a) {
  if (a.list.empty()) return;
  std::vector<std::uint64_t> numbers;
  std::string reals;
  for (const auto& x : a.list) {
    switch (x.kind) {
      case attr_kind::s: w.bytes(2, x.s); break;
      case attr_kind::f:
        for (int i = 0; i < 4; ++i) reals.push_back(static_cast<char>((std::bit_cast<std::uint32_t>(x.f) >> (8 * i)) & 255));
        break;
      case attr_kind::shape: w.message(7, [&](wire_writer& in) { write_shape(in, x.shape); }); break;
      case attr_kind::tensor: w.message(8, [&](wire_writer& in) { write_tensor(in, x.tensor); }); break;
      case attr_kind::func: w.message(9, [&](wire_writer& in) { in.bytes(1, x.s); }); break;
      default: numbers.push_back(static_cast<std::uint64_t>(x.i)); break;
    }
  }
  if (!reals.empty()) w.bytes(4, reals);
  if (!numbers.empty()) w.packed(a.of == attr_kind::i ? 3 : a.of == attr_kind::b ? 5 : 6, numbers);
}

constexpr void write_attr(wire_writer& w, const attr_value& a) {
  switch (a.kind) {
    case attr_kind::none: break;
    case attr_kind::list: w.message(1, [&](wire_writer& in) { write_list(in, a); }); break;
    case attr_kind::s: w.bytes(2, a.s); break;
    case attr_kind::i: w.integer(3, a.i); break;
    case attr_kind::f: w.real(4, a.f); break;
    case attr_kind::b: w.integer(5, a.i); break;
    case attr_kind::type: w.integer(6, a.i); break;
    case attr_kind::shape: w.message(7, [&](wire_writer& in) { write_shape(in, a.shape); }); break;
    case attr_kind::tensor: w.message(8, [&](wire_writer& in) { write_tensor(in, a.tensor); }); break;
    case attr_kind::placeholder: w.bytes(9, a.s); break;
    case attr_kind::func: w.message(10, [&](wire_writer& in) { in.bytes(1, a.s); }); break;
  }
}

constexpr void write_attrs(wire_writer& w, const std::vector<named_attr>& attrs) {
  std::vector<const named_attr*> sorted;
  for (const auto& a : attrs) sorted.push_back(&a);
  std::sort(sorted.begin(), sorted.end(), [](const named_attr* a, const named_attr* b) { return a->key < b->key; });
  for (const named_attr* a : sorted)
    w.message(5, [&](wire_writer& entry) {
      entry.bytes(1, a->key);
      entry.message(2, [&](wire_writer& in) { write_attr(in, a->value); });
    });
}

constexpr void write_node(wire_writer& w, const node_def& n) {
  w.bytes(1, n.name);
  w.bytes(2, n.op);
  for (const auto& x : n.input) w.bytes(3, x);
  if (!n.device.empty()) w.bytes(4, n.device);
  write_attrs(w, n.attr);
}

constexpr void write_arg(wire_writer& w, const arg_def& a) {
  w.bytes(1, a.name);
  w.number(3, static_cast<std::uint64_t>(a.type));
}

constexpr void write_function(wire_writer& w, const function_def& f) {
  w.message(1, [&](wire_writer& in) {
    in.bytes(1, f.name);
    for (const auto& a : f.input_arg) in.message(2, [&](wire_writer& arg) { write_arg(arg, a); });
    for (const auto& a : f.output_arg) in.message(3, [&](wire_writer& arg) { write_arg(arg, a); });
    if (f.is_stateful) in.number(17, 1);
    for (const auto& c : f.control_ret) in.bytes(20, c.key);
  });
  for (const auto& n : f.node) w.message(3, [&](wire_writer& in) { write_node(in, n); });
  const auto write_rets = [&](std::uint32_t field, const std::vector<ret_entry>& all) {
    std::vector<const ret_entry*> sorted;
    for (const auto& r : all) sorted.push_back(&r);
    std::sort(sorted.begin(), sorted.end(), [](const ret_entry* a, const ret_entry* b) { return a->key < b->key; });
    for (const ret_entry* r : sorted)
      w.message(field, [&](wire_writer& in) {
        in.bytes(1, r->key);
        in.bytes(2, r->value);
      });
  };
  write_rets(4, f.ret);
  write_attrs(w, f.attr);
  write_rets(6, f.control_ret);
}

/// Writes a GraphDef.
constexpr void write_graph(wire_writer& w, const graph_message& g) {
  for (const auto& n : g.node) w.message(1, [&](wire_writer& in) { write_node(in, n); });
  if (!g.library.empty())
    w.message(2, [&](wire_writer& in) {
      for (const auto& f : g.library) in.message(1, [&](wire_writer& inside) { write_function(inside, f); });
    });
  w.message(4, [&](wire_writer& in) {
    in.integer(1, g.producer);
    if (g.min_consumer != 0) in.integer(2, g.min_consumer);
  });
}

}  // namespace jig::detail::tensorflow
