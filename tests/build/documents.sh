#!/usr/bin/env bash
# usage: documents.sh ROOT COMPILER FLAGS...
# Compiles every example in README.md and the pages in examples/: the ```cpp blocks of a document are one program. Those of the pages run
# too, and print what their `// prints ` comments say. What a block needs stands in front of it, in a comment that readers do not see: `<!-- given: ... -->` are
# declarations; with `<!-- in a function: ... -->` the block is the body of a function, behind these statements.
set -eu
export LC_ALL=C
cd "$1"
shift
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# usage: program DOCUMENT: all its blocks as one program, which runs them in order.
program() {
  awk '
    /^<!-- (given|in a function):/ { function_like = /in a function/; sub(/^<!-- [a-z ]*: ?/, ""); reading = 1; text = "" }
    reading {
      if (end = /-->$/) sub(/ *-->$/, "")
      text = text $0 "\n"
      if (end) { if (function_like) { statements = text; inside = 1 } else given = text; reading = 0 }
      next
    }
    /^```cpp$/ { code = 1; block = ""; ++n; next }
    /^```$/ && code {
      code = 0
      body = body given (inside ? "void block_" n "() {\n" statements block "}\n" : block)
      if (has_main || inside) calls = calls "block_" n "();\n"
      given = statements = ""; inside = has_main = 0
      next
    }
    code && /^#include/ { includes = includes $0 "\n"; next }
    code {
      if (/^int main\(\) \{/) { sub(/int main/, "void block_" n); has_main = 1 }
      block = block $0 "\n"
    }
    END { printf "#include <jig.hpp>\n#include <iostream>\n%s%sint main() {\n%s}\n", includes, body, calls }
  ' "$1"
}

status=0
for document in README.md examples/*.md; do
  grep -q '^```cpp$' "$document" || continue
  name=$(basename "$document" .md)
  program "$document" >"$temp/$name.cpp"
  if [ "$document" = README.md ]; then
    "$@" -fsyntax-only "$temp/$name.cpp" || { echo "$document: an example does not compile"; status=1; }
    continue
  fi
  "$@" "$temp/$name.cpp" -o "$temp/$name" || { echo "$document: an example does not compile"; status=1; continue; }
  diff <(sed -n 's|.*// prints ||p' "$document") <("$temp/$name") || { echo "$document: < promises, > prints"; status=1; }
done
exit $status
