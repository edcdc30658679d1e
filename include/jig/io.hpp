// SPDX-License-Identifier: MIT
#pragma once
// Functions in files: save() writes them, load() reads them. Not part of jig.hpp: a program that includes it has the kernels of all ops,
// since it runs graphs that it has not traced. Such programs compile faster with jig's run-time library.

#include <jig/io/graph_def.hpp>
#include <jig/io/load.hpp>
#include <jig/io/onnx.hpp>
#include <jig/io/picture.hpp>
#include <jig/io/save.hpp>
#include <jig/io/saved_model.hpp>
#include <jig/io/traced_function.hpp>

// TensorFlow.js needs nlohmann's JSON library; programs that do without it have all other formats.
#if __has_include(<nlohmann/json.hpp>)
#include <jig/io/tfjs.hpp>
#endif
