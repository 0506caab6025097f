#pragma once

#include <tuff/communicator.hpp>

/// What the engine calls of `mpi.so`, which it loads when ranks join: no other file of Tuff's knows
/// MPI. Both are of one build.
namespace tuff {

/// Null where it failed; `problems` then says why.
using JoinRanks = Communicator* (*)(const CommunicatorOptions&, Diagnostics& problems);
inline constexpr const char* kJoinRanks = "tuff_join_ranks";

} // namespace tuff
