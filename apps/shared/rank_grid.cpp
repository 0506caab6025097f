#include "apps/shared/rank_grid.hpp"

#include <tuff/ranks.hpp>

namespace tuff::cli {

std::optional<std::array<std::uint32_t, 3>> best_grid(const std::array<std::uint32_t, 3>& cells,
                                                      std::uint32_t count) {
    using Grid = std::array<std::uint32_t, 3>;
    std::optional<Grid> best;
    double least = 0.0;
    for (std::uint32_t x = 1; x <= count; ++x)
        for (std::uint32_t y = 1; x * y <= count && count % x == 0; ++y) {
            if (count % (x * y) != 0) continue;
            const Grid grid{x, y, count / (x * y)};
            if (!Ranks{.grid = grid}.check(cells)) continue;
            Grid part{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                part[axis] = part_of(cells[axis], grid[axis], 0).count;
            double surface = 0.0; // of the axes that are divided
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (grid[axis] > 1)
                    surface += static_cast<double>(part[(axis + 1) % 3]) * part[(axis + 2) % 3];
            if (best && surface >= least) continue;
            best = grid;
            least = surface;
        }
    return best;
}

} // namespace tuff::cli
