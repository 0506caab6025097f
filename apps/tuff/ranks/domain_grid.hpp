#pragma once

#include "apps/shared/outcome.hpp"
#include "apps/tuff/ranks/rank_flags.hpp"

#include <tuff/communicator.hpp>
#include <tuff/config.hpp>

/// How processes divide a field.
namespace tuff::cli {

/// Divides the domain of a config among all ranks, by --ranks, else as the config says. Errors:
/// cli/bad-ranks, config/no-domain, mpi/grid-size, mpi/too-many-ranks.
Outcome<void> divide_among(Config& config, Communicator& ranks, const RankFlags& flags);

} // namespace tuff::cli
