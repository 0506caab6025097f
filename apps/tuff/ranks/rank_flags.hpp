#pragma once

#include "apps/shared/arguments.hpp"

#include <tuff/communicator.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace tuff::cli {

/// --mpi, --ranks, --rank-timeout and --lend.
struct RankFlags {
    enum class Lend : std::uint8_t { on, off };
    enum class Join : std::uint8_t { automatic, on, off };
    Join join = Join::automatic;
    double timeout = 10.0; ///< seconds without a sign of life
    std::string grid;      ///< of the config's domain, "2,2,1"; empty: as the config says
    Lend lend = Lend::on;
    /// For joining the others.
    CommunicatorOptions communicator() const;
};

/// Whether this process is to join others.
bool joins_ranks(const RankFlags& flags);

/// The grid that --ranks names. Error: cli/bad-ranks.
Result<std::array<std::uint32_t, 3>> read_grid(const std::string& text);

void add_rank_flags(Command& command, RankFlags& flags);

} // namespace tuff::cli
