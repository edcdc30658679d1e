// SPDX-License-Identifier: MIT
#pragma once
// Pictures of graphs: text for Graphviz (`.dot`), and drawn by it where it is installed (`.svg`).

#include <jig/graph/dot.hpp>
#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>

#include <spawn.h>
#include <sys/wait.h>

namespace jig::detail {

inline void write_dot(const named_graph& g, const std::filesystem::path& path) { replace_file(path, to_dot(g.graph.view())); }

// Runs `dot`, without a shell between.
inline void write_svg(const named_graph& g, const std::filesystem::path& path) {
  replacement text(path.string() + ".dot"), picture(path);
  text.write(to_dot(g.graph.view()));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, text.name().c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, picture.file(), 1);
  char program[] = "dot", format[] = "-Tsvg";
  char* const arguments[] = {program, format, nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program, &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) raise<error>(path.string() + ": Graphviz, which draws it, cannot be run: " + std::strerror(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) raise<error>(path.string() + ": Graphviz could not draw it");
  picture.commit();
}

inline file_format dot_format{"Graphviz", ".dot", "", write_dot};
inline file_format svg_format{"a picture", ".svg", "", write_svg};
inline const bool pictures_entered = enter_format(svg_format) && enter_format(dot_format);

}  // namespace jig::detail
