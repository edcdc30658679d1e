#!/usr/bin/env bash
# Shows that lists.sh, layers.sh and output.sh reject what they are there to reject.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
status=0

fresh() {  # a small tree in order
  rm -rf "${root:?}"/*
  cd "$root"
  mkdir -p include/jig/{core,graph,ops,eval} tests/{core,graph,ops,eval,contract,fail,build} examples bench/shapes
  printf '#define JIG_VERSION_MAJOR 1\n#define JIG_VERSION_MINOR 2\n#define JIG_VERSION_PATCH 3\n' \
    >include/jig/version.hpp
  echo "  version: '1.2.3'," >meson.build
  echo '#include <jig/eval/loop.hpp>' >include/jig.hpp
  echo '#include <vector>' >include/jig/core/shape.hpp
  echo '#include <jig/core/shape.hpp>  // not xsimd' >include/jig/graph/node.hpp
  echo 'for (own : {"core", "graph", "ops", "eval"})' >include/jig/graph/source_line.hpp
  printf '#include <xsimd/xsimd.hpp>\n#include "../graph/node.hpp"\n' >include/jig/eval/loop.hpp
  printf 'template <Operand X>\nconstexpr auto abs(const X& x) {\n' >include/jig/ops/unary.hpp
  printf '## Ops\n| unary | `abs` |\n' >README.md
  mkdir tests/runtime
  echo 'JIG_EACH("abs", numbers, jig::abs(x))' >tests/op_pairs.hpp
  echo 'case abs_of: return jig::abs(x);' >tests/runtime/table.cpp
  touch tests/{main,core/shape,ops/unary,eval/loop}.cpp examples/hello.{cpp,txt}
  printf '%s\n' main.cpp core/shape.cpp ops/unary.cpp eval/loop.cpp runtime/table.cpp >tests/sources.txt
  touch tests/{contract/programs,fail/cases}.txt bench/{programs,shapes/families}.txt
  echo hello.cpp >examples/programs.txt
  printf 'graph/%s.hpp\n' node source_line >tests/build/no_twin.txt
}

# usage: accepts SCRIPT / rejects SCRIPT TEXT: on the tree as it is now.
accepts() {
  local output
  output=$(bash "$here/$1.sh" "$root") && return
  printf '%s rejects a good tree:\n%s\n' "$1" "$output"
  status=1
}
rejects() {
  local output
  if output=$(bash "$here/$1.sh" "$root") || ! grep -qF -e "$2" <<<"$output"; then
    printf '%s does not say "%s":\n%s\n' "$1" "$2" "$output"
    status=1
  fi
  fresh
}

fresh
accepts lists
accepts layers

touch tests/core/dtype.cpp;                       rejects lists 'does not name core/dtype.cpp'
echo '/// It. Units: m.' >>include/jig/core/shape.hpp; rejects lists 'a label of a docstring begins its line'
echo core/gone.cpp >>tests/sources.txt;           rejects lists 'names core/gone.cpp'
echo main.cpp >>tests/sources.txt;                rejects lists 'named twice'
touch tests/fail/new.cpp;                         rejects lists 'does not name new.cpp'
touch examples/orphan.txt;                        rejects lists 'no examples/orphan.cpp'
touch include/jig/core/dtype.hpp;                 rejects lists 'no tests/core/dtype.cpp'
echo core/gone.hpp >>tests/build/no_twin.txt;     rejects lists 'core/gone.hpp does not exist'
echo core/shape.hpp >>tests/build/no_twin.txt;    rejects lists 'core/shape.hpp has a twin'
echo "  version: '1.2.4'," >meson.build;          rejects lists 'not 1.2.3'

sed -i 's/"eval"/"evil"/' include/jig/graph/source_line.hpp
rejects lists 'is_in_library does not know include/jig/eval/'

sed -i s/abs/cube_root/ include/jig/ops/unary.hpp; rejects lists 'does not name cube_root'
echo 'jig::cabs(x)' >tests/op_pairs.hpp;          rejects lists 'tests/op_pairs.hpp does not name abs'
echo >tests/runtime/table.cpp;                    rejects lists 'tests/runtime/table.cpp does not name abs'
echo 'jig::unique(x)' >>tests/op_pairs.hpp
printf 'template <Operand X>\nconstexpr auto unique(const X& x) {\n' >>include/jig/ops/unary.hpp
rejects lists 'names unique, which is excused'

header=include/jig/core/shape.hpp
upward='core must not include jig/graph/node.hpp'
echo '#include <jig/graph/node.hpp>' >>$header;   rejects layers "$upward"
echo '  # include "../graph/node.hpp"' >>$header; rejects layers "$upward"
echo '#include <jig/version.hpp>' >>$header;      rejects layers 'not include jig/version.hpp'
echo '#include <jig.hpp>' >>$header;              rejects layers 'not include jig.hpp'
echo '#include <xsimd/xsimd.hpp>' >>$header;      rejects layers 'only eval/ names xsimd'
echo 'xsimd::batch<float> x;' >>include/jig.hpp;  rejects layers 'only eval/ names xsimd'
mkdir include/jig/misc && touch include/jig/misc/a.hpp; rejects layers 'misc/ is no known layer'

# usage: program BODY: an executable ./program with that body.
program() { printf '#!/usr/bin/env bash\n%s\n' "$1" >program && chmod +x program; }
echo hello >expected
program 'echo hello'
bash "$here/output.sh" ./program expected || { echo 'output rejects equal text'; status=1; }
for body in 'echo other' 'printf hello' 'echo hello; echo more' 'echo hello; exit 1'; do
  program "$body"
  if bash "$here/output.sh" ./program expected >/dev/null; then
    echo "output accepts: $body"
    status=1
  fi
done

exit $status
