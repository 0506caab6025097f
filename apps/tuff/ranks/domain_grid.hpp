#pragma once

#include "apps/shared/outcome.hpp"
#include "apps/tuff/ranks/rank_flags.hpp"

#include <tuff/communicator.hpp>
#include <tuff/config.hpp>

#include <array>
#include <cstdint>
#include <optional>

/// How processes divide a field.
namespace tuff::cli {

/// Of the grids of `count` processes one whose parts have the least surface; none where there are
/// too few cells.
std::optional<std::array<std::uint32_t, 3>> best_grid(const std::array<std::uint32_t, 3>& cells,
                                                      std::uint32_t count);

/// Divides the domain of a config among all ranks, by --ranks, else as the config says. Errors:
/// cli/bad-ranks, config/no-domain, mpi/grid-size, mpi/too-many-ranks.
Outcome<void> divide_among(Config& config, Communicator& ranks, const RankFlags& flags);

} // namespace tuff::cli
