// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages around a GraphDef: SavedModel, MetaGraphDef and the signatures of what can be called.

#include <jig/io/tensorflow/wire_messages.hpp>

#include <string>
#include <vector>

namespace jig::detail::tensorflow {

/// TensorInfo, an entry of a signature: a tensor of the graph by the name that callers know it by.
struct tensor_info_message {
  std::string key{}, name{};
  int dtype = 0;
  shape_message shape{};
};
/// SignatureDef.
struct signature_message {
  std::string key{};
  std::vector<tensor_info_message> inputs{}, outputs{};
  std::size_t offset = 0;  // in the file
};
/// VariableDef.
struct variable_message {
  std::string variable{}, initializer{}, snapshot{}, initial_value{};
};
/// MetaGraphDef.
struct meta_graph_message {
  std::vector<std::string> tags{};
  graph_message graph{};
  std::vector<signature_message> signatures{};
  // What is written and not read.
  std::string saver_filename{}, saver_save{}, saver_restore{};
  std::vector<variable_message> variables{};
};

inline void write_tensor_infos(wire_writer& w, std::uint32_t field, const std::vector<tensor_info_message>& infos) {
  std::vector<const tensor_info_message*> sorted;
  for (const auto& t : infos) sorted.push_back(&t);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  for (const auto* t : sorted)
    w.message(field, [&](wire_writer& entry) {
      entry.bytes(1, t->key);
      entry.message(2, [&](wire_writer& in) {
        in.bytes(1, t->name);
        in.number(2, static_cast<std::uint64_t>(t->dtype));
        in.message(3, [&](wire_writer& s) { write_shape(s, t->shape); });
      });
    });
}

/// Writes a SavedModel with one MetaGraphDef.
inline void write_saved_model(wire_writer& w, const meta_graph_message& g) {
  w.number(1, 1);
  w.message(2, [&](wire_writer& meta) {
    meta.message(1, [&](wire_writer& about) {
      for (const auto& tag : g.tags) about.bytes(4, tag);
    });
    meta.message(2, [&](wire_writer& in) { write_graph(in, g.graph); });
    if (!g.variables.empty()) {
      meta.message(3, [&](wire_writer& saver) {
        saver.bytes(1, g.saver_filename);
        saver.bytes(2, g.saver_save);
        saver.bytes(3, g.saver_restore);
        saver.number(4, 5);
        saver.number(7, 2);
      });
      for (const char* collection : {"trainable_variables", "variables"})
        meta.message(4, [&](wire_writer& entry) {
          entry.bytes(1, collection);
          entry.message(2, [&](wire_writer& in) {
            in.message(2, [&](wire_writer& list) {
              for (const auto& v : g.variables)
                list.message(1, [&](wire_writer& variable) {
                  variable.bytes(1, v.variable);
                  variable.bytes(2, v.initializer);
                  variable.bytes(3, v.snapshot);
                  variable.number(5, 1);
                  variable.bytes(6, v.initial_value);
                  variable.number(7, 1);
                });
            });
          });
        });
    }
    std::vector<const signature_message*> sorted;
    for (const auto& s : g.signatures) sorted.push_back(&s);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
    for (const auto* s : sorted)
      meta.message(5, [&](wire_writer& entry) {
        entry.bytes(1, s->key);
        entry.message(2, [&](wire_writer& in) {
          write_tensor_infos(in, 1, s->inputs);
          write_tensor_infos(in, 2, s->outputs);
          in.bytes(3, "tensorflow/serving/predict");
        });
      });
  });
}

inline tensor_info_message read_tensor_info(wire_reader r) {
  tensor_info_message out;
  while (r.next()) {
    if (r.field() == 1) out.key = r.bytes();
    if (r.field() != 2) continue;
    for (wire_reader in = r.message(); in.next();)
      if (in.field() == 1) out.name = in.bytes();
      else if (in.field() == 2) out.dtype = static_cast<int>(in.number() & 0xffff);
      else if (in.field() == 3) out.shape = read_shape(in.message());
  }
  return out;
}

inline signature_message read_signature(wire_reader r, read_budget& budget) {
  signature_message out;
  while (r.next()) {
    if (r.field() == 1) out.key = r.bytes();
    if (r.field() != 2) continue;
    for (wire_reader in = r.message(); in.next();) {
      if (in.field() != 1 && in.field() != 2) continue;
      if (--budget.attrs < 0) note_if(in, true, "signatures have more entries than load_limits allow");
      (in.field() == 1 ? out.inputs : out.outputs).push_back(read_tensor_info(in.message()));
    }
  }
  return out;
}

inline meta_graph_message read_meta_graph(wire_reader r, read_budget& budget) {
  meta_graph_message out;
  while (r.next()) {
    switch (r.field()) {
      case 1:
        for (wire_reader in = r.message(); in.next();)
          if (in.field() == 4) out.tags.emplace_back(in.bytes());
        break;
      case 2: out.graph = read_graph(r.message(), budget); break;
      case 5: {
        const std::size_t offset = r.offset();
        out.signatures.push_back(read_signature(r.message(), budget));
        out.signatures.back().offset = offset;
        break;
      }
      default: break;
    }
  }
  return out;
}

/// Reads a SavedModel. What was wrong is in the reader's problem.
inline std::vector<meta_graph_message> read_saved_model(wire_reader r, read_budget& budget) {
  std::vector<meta_graph_message> out;
  while (r.next())
    if (r.field() == 2) out.push_back(read_meta_graph(r.message(), budget));
  return out;
}

}  // namespace jig::detail::tensorflow
