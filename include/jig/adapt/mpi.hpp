// SPDX-License-Identifier: MIT
#pragma once
// MPI: variables, tensors and structures of them, summed over and copied to the processes of a program on one machine or many. Not part of
// jig.hpp.

#include <jig/adapt/shard_sum.hpp>

// Without MPI there is one sentence, and nothing that follows from it.
#if !__has_include(<mpi.h>)
#error "jig: adapt/mpi.hpp needs MPI: apt-get install libopenmpi-dev, and compile with mpicxx or CMake's MPI::MPI_CXX"
#else
// The bindings for C alone: those for C++ are gone from the standard.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <limits>

namespace jig::mpi {

/// The ranks of an MPI communicator; without one those of all processes, `jig::mpi::world`. MPI has to be initialised where they are
/// asked, by `jig::mpi::run` or by the program.
/// Errors: what MPI reports, where the communicator returns errors, throws jig::error with the rank and MPI's text. By default MPI itself
/// ends all processes.
class communicator final : public ranks {
 public:
  constexpr communicator() = default;
  explicit communicator(MPI_Comm of) : is_world_(false), handle_(of) {}

  MPI_Comm handle() const { return is_world_ ? MPI_COMM_WORLD : handle_; }

  int rank() const override {
    require_initialised();
    int out = 0;
    MPI_Comm_rank(handle(), &out);
    return out;
  }
  int size() const override {
    require_initialised();
    int out = 1;
    MPI_Comm_size(handle(), &out);
    return out;
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    const amount each(bytes);
    check("MPI_Allgather",
          MPI_Allgather(mine == nullptr ? MPI_IN_PLACE : mine, each.count, each.type, all, each.count, each.type, handle()));
  }
  void all_to_all(const void* pieces, std::size_t count, std::size_t stride, std::size_t bytes, void* received) const override {
    const amount part(bytes), received_part(bytes * count);
    if (count == 1) {
      check("MPI_Alltoall", MPI_Alltoall(pieces, part.count, part.type, received, part.count, part.type, handle()));
      return;
    }
    // The parts of a rank, as one element that begins one part behind that of the rank before.
    MPI_Datatype spread = MPI_DATATYPE_NULL, placed = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(count), part.count, static_cast<MPI_Aint>(stride), part.type, &spread);
    MPI_Type_create_resized(spread, 0, static_cast<MPI_Aint>(bytes), &placed);
    MPI_Type_commit(&placed);
    const int status = MPI_Alltoall(pieces, 1, placed, received, received_part.count, received_part.type, handle());
    MPI_Type_free(&placed);
    MPI_Type_free(&spread);
    check("MPI_Alltoall", status);
  }
  void broadcast(void* data, std::size_t bytes, int root) const override {
    const amount all(bytes);
    check("MPI_Bcast", MPI_Bcast(data, all.count, all.type, root, handle()));
  }
  void swap(int other, const void* mine, void* theirs, std::size_t bytes) const override {
    const amount each(bytes);
    check("MPI_Sendrecv",
          MPI_Sendrecv(mine, each.count, each.type, other, 0, theirs, each.count, each.type, other, 0, apart(), MPI_STATUS_IGNORE));
  }

 private:
  // The same ranks, where no message of the program's own is taken for one of ours. Of all ranks at once, where they first swap anything.
  MPI_Comm apart() const {
    if (has_apart_) return apart_;
    static const int key = [] {
      int out = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_apart, &out, nullptr);
      return out;
    }();
    void* kept = nullptr;
    int there = 0;
    MPI_Comm_get_attr(handle(), key, &kept, &there);
    if (!there) {
      auto* made = new MPI_Comm(MPI_COMM_NULL);
      kept = made;
      check("MPI_Comm_dup", MPI_Comm_dup(handle(), made));
      MPI_Comm_set_attr(handle(), key, made);
    }
    apart_ = *static_cast<MPI_Comm*>(kept);
    has_apart_ = true;
    return apart_;
  }
  static int free_apart(MPI_Comm, int, void* kept, void*) {
    auto* made = static_cast<MPI_Comm*>(kept);
    const int status = MPI_Comm_free(made);
    delete made;
    return status;
  }

  // MPI counts with int: large messages in words.
  struct amount {
    int count;
    MPI_Datatype type;
    explicit amount(std::size_t bytes) {
      const bool words = bytes % 8 == 0;
      const std::size_t n = words ? bytes / 8 : bytes;
      if (n > static_cast<std::size_t>((std::numeric_limits<int>::max)()))
        jig::detail::throw_invalid_argument("jig::mpi: a message of " + std::to_string(bytes) + " bytes is longer than MPI takes");
      count = static_cast<int>(n);
      type = words ? MPI_UINT64_T : MPI_BYTE;
    }
  };
  static void require_initialised() {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    if (begun) MPI_Finalized(&ended);
    if (!begun || ended)
      jig::detail::throw_invalid_argument(
          begun ? "jig::mpi: MPI has ended: MPI_Finalize was called"
                : "jig::mpi: MPI is not initialised: run the program in jig::mpi::run, or call MPI_Init first");
  }
  void check(const char* function, int status) const {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    int length = 0;
    MPI_Error_string(status, text, &length);
    jig::detail::raise<error>("rank " + std::to_string(rank()) + ": " + function + ": " + text);
  }

  bool is_world_ = true;
  mutable bool has_apart_ = false;
  MPI_Comm handle_{};
  mutable MPI_Comm apart_{};
};

/// All processes of the program.
inline const communicator world;

/// What all_reduce makes of the values of all ranks.
enum class reduction { sum, mean };
inline constexpr reduction sum = reduction::sum;
inline constexpr reduction mean = reduction::mean;

/// Replaces each element of a variable, tensor or container, or of all of those in a structure, by the sum of what the ranks have there,
/// or the mean. The order of the sum is fixed by the number of ranks, and all ranks get the same bits. Integers wrap.
/// Errors: ranks with other dtypes, shapes or numbers of parts, or that are about to do something else, throw invalid_argument in all
/// ranks, with one sentence that names ranks and shapes. Sums of bool and means of integers throw it too; strings do not compile.
/// Cost: all parts travel together. Among a power of two of ranks, log2(ranks) messages one after another where they are short, twice as
/// many with less than twice the bytes in all where they are long; among more than 16 others up to log2(ranks) more of all bytes; among
/// fewer two to each rank, with less than twice the bytes in all. Copies into the messages and back.
template <class X>
void all_reduce(X&& x, reduction how = sum, const ranks& among = world) {
  auto leaves = jig::detail::views_of_leaves<true>(x);
  std::vector<jig::detail::message_segment> segments;
  segments.reserve(leaves.size());
  for (const any_view& v : leaves) {
    if (v.dtype == dtype::boolean) jig::detail::throw_invalid_argument("all_reduce: bool has no sum: cast it first");
    if (how == mean && !is_floating(v.dtype))
      jig::detail::throw_invalid_argument("all_reduce: the mean of " + std::string(name_of(v.dtype)) + " is no " +
                                          std::string(name_of(v.dtype)) + ": cast it first");
    segments.push_back({v.dtype, v.extents.size()});
  }
  const std::string_view name = how == mean ? "all_reduce (mean)" : "all_reduce";
  const std::uint64_t key = jig::detail::exchange_key(name, leaves);
  const auto items = [&] { return jig::detail::exchange_items(name, leaves); };
  // First, since who has other shapes also has another memory to exchange.
  jig::detail::shard_sum total(among, among.size(), segments);
  std::byte* mine = total.next();
  for (std::size_t i = 0; i < leaves.size(); ++i) jig::detail::copy_leaf<true>(leaves[i], mine + total.offset(i));
  total.add();
  const std::byte* sums = total.total(how == mean ? among.size() : 1, key, items);
  for (std::size_t i = 0; i < leaves.size(); ++i) jig::detail::copy_leaf<false>(leaves[i], const_cast<std::byte*>(sums) + total.offset(i));
}

/// Gives a variable, tensor or container, or all of those in a structure, the values that they have in one of the ranks, the first one
/// unless another is named.
/// Errors: as for all_reduce; also where the ranks name another root, or one that is none of them.
/// Cost: one message for all parts together.
template <class X>
void broadcast(X&& x, int root = 0, const ranks& among = world) {
  jig::detail::broadcast_leaves(jig::detail::views_of_leaves<true>(x), root, among);
}

namespace detail {

// Ends all ranks, whatever they wait for.
[[noreturn]] inline void end_all(const char* what) {
  std::fprintf(stderr, "rank %d of %d: %s\n", world.rank(), world.size(), what);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace detail

/// A program over ranks: `int main(int argc, char** argv) { return jig::mpi::run(argc, argv, [&] { … }); }`. Initialises MPI, calls f,
/// waits for the other ranks and ends MPI. What f returns, if anything, is the result.
/// Errors: what f throws in any rank is printed with the number of the rank, and ends all ranks, with a status that is not 0. So does a
/// rank that returns from f while another one waits for it.
template <class F>
int run(int& argc, char**& argv, F f) {
  int begun = 0, out = 0;
  MPI_Initialized(&begun);
  if (!begun) MPI_Init(&argc, &argv);
#ifndef __cpp_exceptions
  set_error_handler([](std::string_view what) { detail::end_all(std::string(what).c_str()); });
#else
  try {
#endif
  if constexpr (std::is_void_v<decltype(f())>) f();
  else out = f();
  world.agree({"the end of the program"});
#ifdef __cpp_exceptions
}
catch (const std::exception& e) {
  detail::end_all(e.what());
}
catch (...) {
  detail::end_all("what was thrown is no std::exception");
}
#endif
if (!begun) MPI_Finalize();
return out;
}

}  // namespace jig::mpi

#endif  // MPI is there
