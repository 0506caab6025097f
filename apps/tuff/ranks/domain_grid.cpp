#include "apps/tuff/ranks/domain_grid.hpp"

#include "apps/shared/rank_grid.hpp"

#include <fmt/format.h>

namespace tuff::cli {

using Grid = std::array<std::uint32_t, 3>;

Outcome<void> divide_among(Config& config, Communicator& ranks, const RankFlags& flags) {
    const ConfigDomain* const domain = config.domain();
    Grid grid = domain ? domain->ranks : Grid{};
    if (domain && grid[0] == 0)
        grid = best_grid(domain->cells, static_cast<std::uint32_t>(ranks.size()))
                   .value_or(Grid{static_cast<std::uint32_t>(ranks.size()), 1, 1});
    if (!flags.grid.empty()) {
        const auto asked = read_grid(flags.grid);
        if (!asked) return usage_failure(asked.error());
        grid = *asked;
    }
    const std::uint64_t size = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const auto started = static_cast<std::uint64_t>(ranks.size());
    if (domain && size != started)
        return usage_failure(
            fail("mpi/grid-size",
                 fmt::format("the domain is divided among {}x{}x{} processes, and {} were started",
                             grid[0], grid[1], grid[2], started),
                 fmt::format("start {}, or divide it otherwise by --ranks", size))
                .error());
    const Ranks own{
        .grid = grid, .rank = static_cast<std::uint32_t>(ranks.rank()), .communicator = &ranks};
    if (auto set = config.set_ranks(own); !set) return usage_failure(std::move(set.error()));
    return {};
}

} // namespace tuff::cli
