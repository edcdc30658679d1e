// SPDX-License-Identifier: MIT
#pragma once
// ONNX models: read from files and run. A model whose graph depends on values of its arguments, such as extents that are an argument, gets
// a graph for each of these values, as functions get a trace for each signature.

#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/onnx/exported_nodes.hpp>
#include <jig/io/onnx/importer.hpp>
#include <jig/runtime/dispatch.hpp>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

namespace jig {

/// A model of an ONNX file. It may be called at the same time.
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
  /// What errors call the file.
  const std::string& file() const { return file_; }
  const std::vector<const onnx::value_message*>& arguments() const { return arguments_; }

  /// The graph for arguments of which only what the model declares is known, or nothing where values or unknown extents steer it, and why
  /// where that could be otherwise.
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

  /// The graph for arguments of which these extents are known, and no elements.
  /// Errors: what jig has no word for throws load_error; elements that steer the graph throw onnx::elements_needed.
  onnx::imported_graph graph_for(const std::vector<onnx::data>& arguments) const {
    std::vector<onnx::importer::argument> known;
    for (const auto& a : arguments) known.push_back({&a, false});
    return import(known);
  }
  /// Errors: nodes that jig has no word for throw load_error.
  void require_known_ops() const { onnx::importer(*message_, file_, limits_).require_known_ops(); }

  /// Runs the model.
  /// Errors: arguments that do not fit throw invalid_argument, ops that jig does not have load_error.
  std::vector<onnx::data> operator()(const std::vector<onnx::data>& x) const {
    if (x.size() != arguments_.size())
      detail::throw_invalid_argument(file_ + ": the model has " + std::to_string(arguments_.size()) + " arguments, not " +
                                     std::to_string(x.size()));
    detail::require_runtime_library();
    return run(*specialised_for(x), x);
  }

 private:
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
  // Each keeps the constants of the file: no more of them than take some 1 GB, and 64 at most.
  std::size_t most_graphs() const {
    constexpr std::size_t most = 64, memory = std::size_t{1} << 30;
    return std::clamp(memory / (bytes_->size() + 1), std::size_t{2}, most);
  }
  std::shared_ptr<const special> specialised_for(const std::vector<onnx::data>& x) const {
    const std::lock_guard held(*lock_);
    for (auto s = specialised_.begin(); s != specialised_.end(); ++s)
      if ((*s)->fits(x, needed_)) {
        specialised_.splice(specialised_.begin(), specialised_, s);
        return specialised_.front();
      }
    specialised_.push_front(specialise(x));
    if (specialised_.size() > most_graphs()) specialised_.pop_back();
    return specialised_.front();
  }
  std::shared_ptr<const special> specialise(const std::vector<onnx::data>& x) const {
    std::vector<onnx::importer::argument> known(x.size());
    for (;;) {
      for (std::size_t k = 0; k < x.size(); ++k) known[k] = {&x[k], needed_[k] != 0};
#ifdef __cpp_exceptions
      try {
#endif
        auto made = import(known);
        std::vector<onnx::data> kept = x;
        for (auto& d : kept) own(d);
        return std::make_shared<const special>(std::move(kept), std::move(made));
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
  std::unique_ptr<std::mutex> lock_ = std::make_unique<std::mutex>();
  mutable std::vector<char> needed_;  // whose elements steer the graph
  mutable std::list<std::shared_ptr<const special>> specialised_;
};

namespace detail {

/// A model whose graph is made for the arguments of a call.
class onnx_at_calls : public call_graphs {
 public:
  onnx_at_calls(onnx_model model, declaration d) : model_(std::move(model)), declared_(std::move(d)) {}

  const declaration& declared() const override { return declared_; }
  std::optional<std::vector<any_tensor>> run(const std::vector<any_tensor>& arguments) const override {
    std::vector<any_tensor> results;
    for (auto& r : model_({arguments.begin(), arguments.end()})) {
      if (r.is != onnx::value::kind::tensor) refuse_result();
      results.push_back(std::move(r.tensor));
    }
    return results;
  }
  jig::graph graph_for(const std::vector<tensor_spec>& arguments) const override {
    std::vector<onnx::data> known;
    for (const auto& a : arguments) known.emplace_back(any_tensor::empty(a.dtype, a.shape));
    auto made = model_.graph_for(known);
    for (const auto& f : made.results)
      if (f.is != onnx::value::kind::tensor) refuse_result();
    return std::move(made.graph);
  }

 private:
  [[noreturn]] void refuse_result() const {
    throw_load_error(model_.file(), load_error::nowhere, "it returns what is no tensor: it can be run as a jig::onnx_model");
  }
  onnx_model model_;
  declaration declared_;
};

// What a model says of an argument or result; of a result it may say nothing.
inline tensor_spec spec_in_file(const onnx_model& model, const onnx::value_message& v) {
  const auto element = v.type.element == onnx::element_type::none ? std::optional(dtype::float32) : onnx::dtype_of_element(v.type.element);
  if (!element || v.type.dims.size() > static_cast<std::size_t>(max_rank))
    throw_load_error(model.file(), load_error::nowhere, std::string(v.name) + " is no tensor that jig has");
  return v.type.has_shape && v.type.element != onnx::element_type::none ? onnx::declared_spec(v.type)
                                                                        : tensor_spec{*element, {unknown_rank, {}}};
}

/// The function of an ONNX file. Where extents or elements of its arguments steer the graph, each call makes its own.
inline model_graphs read_onnx(const std::filesystem::path& path, const load_limits& limits) {
  onnx_model model = onnx_model::of_file(path, limits);
  const auto refuse = [&](const char* why) {
    throw_load_error(path.string(), load_error::nowhere, std::string(why) + ": it can be run as a jig::onnx_model");
  };
  const onnx::graph_message& g = model.message().graph;
  model_function f{"serving_default", {std::string(g.name), {}}};
  for (const auto* a : model.arguments()) f.graph.inputs.emplace_back(a->name);
  for (std::size_t k = 0; k < g.outputs.size(); ++k) f.graph.outputs.emplace_back(g.outputs[k].name);
  std::optional<onnx::obstacle> why;
  if (auto made = model.declared_graph(&why)) {
    for (const auto& r : made->results)
      if (r.is != onnx::value::kind::tensor) refuse("it returns what is no tensor");
    f.graph.graph = std::move(made->graph);
  } else {
    if (why) throw_load_error(path.string(), why->offset, why->reason + "; it can be run as a jig::onnx_model");
    for (const auto* a : model.arguments())
      if (!a->type.around.empty()) refuse("its arguments are sequences");
    model.require_known_ops();
    call_graphs::declaration d{f.graph.name, f.graph.inputs, f.graph.outputs};
    for (const auto* a : model.arguments()) d.input_specs.push_back(spec_in_file(model, *a));
    for (std::size_t k = 0; k < g.outputs.size(); ++k) {
      if (!g.outputs[k].type.around.empty()) refuse("it returns what is no tensor");
      d.output_specs.push_back(spec_in_file(model, g.outputs[k]));
    }
    f.at_calls = std::make_shared<const onnx_at_calls>(std::move(model), std::move(d));
  }
  model_graphs out;
  out.functions.push_back(std::move(f));
  return out;
}

inline void write_onnx(const named_graph& g, const std::filesystem::path& path) { replace_file(path, onnx::model_bytes(g)); }

inline file_format onnx_format{.name = "ONNX", .extension = ".onnx", .write = write_onnx, .read_model = read_onnx};
inline const bool onnx_entered = enter_format(onnx_format);

}  // namespace detail

}  // namespace jig
