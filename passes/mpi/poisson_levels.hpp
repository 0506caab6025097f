#pragma once

#include "passes/mpi/parts.hpp"
#include "passes/mpi/transfer.hpp"
#include "passes/solver/poisson_grid.hpp"

#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// The grids of the multigrid cycles of mpi/poisson, and how ranks have them. No GPU.
namespace tuff::passes {

inline glm::ivec3 whole_numbers(const Cells& cells) {
    return {static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2])};
}

/// What a rank has of a grid, in an array.
struct PartLayout {
    Cells first{}; ///< the part's lowest cell in the grid
    Cells cells{}; ///< of the part; any may be 0
    Cells halo{};  ///< beside the part; 0: the part is the whole axis, or its halo is not needed
    Cells size() const {
        return {cells[0] + 2 * halo[0], cells[1] + 2 * halo[1], cells[2] + 2 * halo[2]};
    }
    std::uint64_t count() const {
        const Cells all = size();
        return std::uint64_t{all[0]} * all[1] * all[2];
    }
};

/// One of the grids. Pictures have one cell along z.
struct PoissonLevel {
    PoissonGrid grid;
    Split split;           ///< a coarse cell's rank is that of its lowest fine cell
    bool is_whole = false; ///< all ranks have all of it
};

/// A hierarchy of grids of a whole field, which is the same for any number of ranks. The last one
/// goes to all ranks; others do where a rank would have no cell.
class PoissonLevels {
  public:
    PoissonLevels(const PoissonGrid& finest, const Ranks& ranks, std::uint64_t gather_cells);
    /// The finest grid is divided as `split` says.
    PoissonLevels(const PoissonGrid& finest, const Ranks& ranks, const Split& split,
                  std::uint64_t gather_cells);

    std::size_t last() const { return levels_.size() - 1; }
    const PoissonGrid& grid(std::size_t level) const { return levels_[level].grid; }
    bool is_whole(std::size_t level) const { return levels_[level].is_whole; }
    /// The arrays on which the kernels of a level work.
    PartLayout layout(std::size_t level) const;
    /// The part of a level that this rank makes from its part of the finer one.
    PartLayout restricted_layout(std::size_t level) const;
    /// What fills `width` cells of the halos of such arrays.
    BoxesOf halo_boxes(std::size_t level, std::uint32_t width) const;
    /// What makes the whole of a level of the parts that all ranks have restricted.
    BoxesOf gather_boxes(std::size_t level) const;

  private:
    PartLayout own(std::size_t level, std::uint32_t halo, std::uint32_t rank) const;
    Cells cells(std::size_t level) const;

    Ranks ranks_;
    std::vector<PoissonLevel> levels_;
};

} // namespace tuff::passes
