// SPDX-License-Identifier: MIT
// Runs all random programs of this executable, each in a process of its own, so that one that crashes does not hide the others.

#include <random/run.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <iostream>

namespace {

bool runs_well(const random_programs::program& p) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    std::cout << p.name << ": ";
    try {
      good = p.run(std::cout);
    } catch (const std::exception& e) {
      std::cout << "throws " << e.what();
    }
    std::cout << (good ? "agrees\n" : "\n");
    std::cout.flush();
    _exit(good ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status)) std::cout << p.name << ": ends with signal " << WTERMSIG(status) << '\n';
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main() {
  int count = 0, wrong = 0;
  for (const auto* p = random_programs::program::first; p != nullptr; p = p->next) {
    ++count;
    wrong += !runs_well(*p);
  }
  std::cout << count << " programs, " << wrong << " wrong\n";
  return wrong != 0 || count == 0;
}
