#pragma once

#include "apps/shared/common.hpp"
#include "apps/tuff/batch/file_hash.hpp"
#include "apps/tuff/ranks/rank_messages.hpp"

#include <filesystem>
#include <vector>

/// How ranks find out whether all can begin, and how they end.
namespace tuff::cli {

/// Fills in what a rank that can begin states of its config, the files that it is made of, and its
/// device.
void describe_rank(Statement& statement, const OpenedConfig& config,
                   std::vector<std::filesystem::path> sources, FileHashes& hashes,
                   const DeviceCaps& caps);

/// What `gather` has of the statements of all ranks: warnings, or why they cannot begin.
Outcome<Diagnostics> compare_all(const Communicator& ranks, const std::vector<Bytes>& statements);

/// What rank 0 has decided, on all ranks.
Result<Verdict> spread(Communicator& ranks, const Outcome<void>& own, bool go);

/// Ends a rank that has nothing to say.
Outcome<void> silent(int exit_code);

/// Where the ranks themselves fail: told by the first, or where that is lost, by all.
Outcome<void> failed_ranks(const Communicator& ranks, Diagnostics problems);

/// Of the first rank: reports a failure while the others are still there. Once one of them has
/// ended with its exit code, mpirun kills the rest.
Outcome<void> told_now(Outcome<void> done, Terminal& terminal);

/// Other ranks wait for messages of this one, so all end.
[[noreturn]] void end_all(Communicator& ranks, const Failure& failure);

} // namespace tuff::cli
