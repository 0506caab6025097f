#pragma once

#include "apps/shared/arguments.hpp"

#include <cstdint>

namespace tuff::cli {

/// --mpi and --rank-timeout.
struct RankFlags {
    enum class Join : std::uint8_t { automatic, on, off };
    Join join = Join::automatic;
    double timeout = 10.0; ///< seconds without a sign of life
};

void add_rank_flags(Command& command, RankFlags& flags);

} // namespace tuff::cli
