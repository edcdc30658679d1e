// SPDX-License-Identifier: MIT
#pragma once
// ONNX models: read from files and run. A model whose graph depends on values of its arguments, such as extents that are an argument, gets
// a graph for each of these values, as functions get a trace for each signature.

#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/onnx/exported_nodes.hpp>
#include <jig/io/onnx/importer.hpp>
#include <jig/runtime/dispatch.hpp>

#include <list>

namespace jig {

/// A model of an ONNX file. Not for use by several threads at the same time.
class onnx_model {
 public:
  /// Errors: what is no ONNX model, or goes beyond the limits, throws load_error.
  onnx_model(std::string bytes, std::string file, const load_limits& limits = {})
      : bytes_(std::make_unique<const std::string>(std::move(bytes))), file_(std::move(file)), limits_(limits) {
    wire_problem problem;
    message_ = std::make_unique<onnx::model_message>(onnx::read_model(*bytes_, problem));
    if (problem.found) detail::throw_load_error(file_, problem.offset, problem.reason);
    if (!message_->has_graph) detail::throw_load_error(file_, load_error::nowhere, "there is no graph in it: this is no ONNX model");
    if (message_->graph.has_sparse) detail::throw_load_error(file_, load_error::nowhere, "sparse initializers are not read");
    arguments_ = onnx::importer::arguments_of(message_->graph);
    needed_.resize(arguments_.size());
  }
  static onnx_model of_file(const std::filesystem::path& path, const load_limits& limits = {}) {
    return {detail::read_file(path, limits), path.string(), limits};
  }

  const onnx::model_message& message() const { return *message_; }
  const std::vector<const onnx::value_message*>& arguments() const { return arguments_; }

  /// The graph for arguments of which only what the model declares is known, or nothing where values steer it, and why where that could be
  /// otherwise.
  std::optional<onnx::imported_graph> declared_graph(std::optional<onnx::obstacle>* why = nullptr) const {
#ifdef __cpp_exceptions
    try {
      return import(std::vector<onnx::importer::argument>(arguments_.size()));
    } catch (const onnx::elements_needed& e) {
      if (why != nullptr) *why = e.why;
      return std::nullopt;
    }
#else
    (void)why;
    return import(std::vector<onnx::importer::argument>(arguments_.size()));
#endif
  }

  /// Runs the model.
  /// Errors: arguments that do not fit throw invalid_argument, ops that jig does not have load_error.
  std::vector<onnx::data> operator()(const std::vector<onnx::data>& x) {
    if (x.size() != arguments_.size())
      detail::throw_invalid_argument(file_ + ": the model has " + std::to_string(arguments_.size()) + " arguments, not " +
                                     std::to_string(x.size()));
    detail::require_runtime_library();
    for (const auto& s : specialised_)
      if (s.fits(x, needed_)) return run(s, x);
    specialise(x);
    if (specialised_.size() > most_graphs) specialised_.pop_back();
    return run(specialised_.front(), x);
  }

 private:
  static constexpr std::size_t most_graphs = 64;

  struct special {
    std::vector<onnx::data> arguments;  // of those that steer the graph the elements count, of the others the specs
    std::vector<onnx::form> results;
    detail::runtime_graph<> program;

    special(std::vector<onnx::data> x, onnx::imported_graph made)
        : arguments(std::move(x)), results(std::move(made.results)), program(detail::runtime_graph_of(made.graph)) {}

    bool fits(const std::vector<onnx::data>& x, const std::vector<char>& needed) const {
      for (std::size_t k = 0; k < x.size(); ++k)
        if (!same(arguments[k], x[k], needed[k] != 0)) return false;
      return true;
    }
    static bool same(const onnx::data& a, const onnx::data& b, bool elements) {
      if (a.is != b.is || a.items.size() != b.items.size()) return false;
      for (std::size_t k = 0; k < a.items.size(); ++k)
        if (!same(a.items[k], b.items[k], elements)) return false;
      if (a.is != onnx::value::kind::tensor) return true;
      if (a.tensor.dtype() != b.tensor.dtype() || !(a.tensor.shape() == b.tensor.shape())) return false;
      return !elements || same_elements(a.tensor, b.tensor);
    }
    static bool same_elements(const any_tensor& a, const any_tensor& b) {
      const any_tensor other = b.is_dense() ? b : any_tensor(b.view());
      const auto n = static_cast<std::size_t>(a.size());
      if (a.dtype() != dtype::string) return n == 0 || std::memcmp(a.data(), other.data(), n * size_of(a.dtype())) == 0;
      const auto *x = static_cast<const std::string*>(a.data()), *y = static_cast<const std::string*>(other.data());
      return std::equal(x, x + n, y);
    }
  };

  onnx::imported_graph import(const std::vector<onnx::importer::argument>& known) const {
    return onnx::importer(*message_, file_, limits_).run(known);
  }
  void specialise(const std::vector<onnx::data>& x) {
    std::vector<onnx::importer::argument> known(x.size());
    for (;;) {
      for (std::size_t k = 0; k < x.size(); ++k) known[k] = {&x[k], needed_[k] != 0};
#ifdef __cpp_exceptions
      try {
#endif
        auto made = import(known);
        std::vector<onnx::data> kept = x;
        for (auto& d : kept) own(d);
        specialised_.emplace_front(std::move(kept), std::move(made));
        return;
#ifdef __cpp_exceptions
      } catch (const onnx::elements_needed& e) {
        bool more = false;
        for (const int k : e.inputs) {
          more = more || needed_[static_cast<std::size_t>(k)] == 0;
          needed_[static_cast<std::size_t>(k)] = 1;
        }
        if (!more) throw;
      }
#endif
    }
  }
  // Elements that the caller keeps may change.
  static void own(onnx::data& d) {
    if (d.is == onnx::value::kind::tensor) d.tensor = any_tensor(d.tensor.view());
    for (auto& i : d.items) own(i);
  }
  static void flatten(const onnx::data& d, std::vector<any_tensor>& to) {
    if (d.is == onnx::value::kind::tensor) to.push_back(d.tensor);
    for (const auto& i : d.items) flatten(i, to);
  }
  static onnx::data gathered(const onnx::form& f, std::vector<any_tensor>::iterator& next) {
    if (f.is == onnx::value::kind::tensor) return std::move(*next++);
    onnx::data d;
    d.is = f.is;
    for (const auto& i : f.items) d.items.push_back(gathered(i, next));
    return d;
  }
  static std::vector<onnx::data> run(const special& s, const std::vector<onnx::data>& x) {
    std::vector<any_tensor> given;
    for (const auto& d : x) flatten(d, given);
    auto results = detail::run_graph(s.program, stretch<any_tensor>(given));
    std::vector<onnx::data> out;
    auto next = results.begin();
    for (const auto& f : s.results) out.push_back(gathered(f, next));
    return out;
  }

  std::unique_ptr<const std::string> bytes_;
  std::string file_;
  load_limits limits_;
  std::unique_ptr<onnx::model_message> message_;
  std::vector<const onnx::value_message*> arguments_;
  std::vector<char> needed_;  // whose elements steer the graph
  std::list<special> specialised_;
};

namespace detail {

/// The function of an ONNX file.
inline named_graph read_onnx(const std::filesystem::path& path, const load_limits& limits) {
  const onnx_model model = onnx_model::of_file(path, limits);
  std::optional<onnx::obstacle> why;
  auto made = model.declared_graph(&why);
  if (!made && why) throw_load_error(path.string(), why->offset, why->reason + "; it can be run as a jig::onnx_model");
  if (!made)
    throw_load_error(path.string(), load_error::nowhere,
                     "values of arguments steer its graph, or its arguments are sequences: it can be run as a jig::onnx_model");
  named_graph out{std::string(model.message().graph.name), std::move(made->graph)};
  for (const auto* a : model.arguments()) out.inputs.emplace_back(a->name);
  const auto& outputs = model.message().graph.outputs;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (made->results[k].is != onnx::value::kind::tensor)
      throw_load_error(path.string(), load_error::nowhere, "it returns what is no tensor: it can be run as a jig::onnx_model");
    out.outputs.emplace_back(outputs[k].name);
  }
  return out;
}

inline void write_onnx(const named_graph& g, const std::filesystem::path& path) { replace_file(path, onnx::model_bytes(g)); }

inline file_format onnx_format{"ONNX", ".onnx", "", write_onnx, read_onnx};
inline const bool onnx_entered = enter_format(onnx_format);

}  // namespace detail

}  // namespace jig
