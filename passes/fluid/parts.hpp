#pragma once

#include "passes/fluid/advect.hpp"
#include "passes/mpi/parts.hpp"

#include <cstdint>
#include <string_view>

/// Fields that ranks have in parts. A rank computes its cells, and where that saves messages cells
/// of its halo, too; kernels know cells by their place in the whole field, so that each rank gets
/// the same bits for a cell.
namespace tuff::passes {

/// Cells from `from` on, up to `to`. Beyond a periodic side the field goes on.
struct CellRange {
    glm::ivec3 from{0};
    glm::ivec3 to{0};
    friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// The graph's part of a field with a halo of `halo` cells along the axes that are divided; none if
/// the graph has one rank. Reports mpi/too-many-ranks, and pass/out-of-range for too many cells.
FluidPart part_with_halo(Graph& graph, glm::uvec3 dims, glm::ivec3 halo);

/// The most cells along each axis that a rank does not have itself: a halo need not be wider.
glm::ivec3 cells_of_others(const Graph& graph, glm::uvec3 dims);

/// The part's cells and `margin` cells around them, without those beyond the field and without any
/// cell twice.
CellRange cells_around(const FluidField& field, std::int32_t margin);

/// Whether the halo is at least `cells` wide, or has all cells; else reports fluid/narrow-halo.
/// `what` needs it.
[[nodiscard]] bool has_halo(Graph& graph, const FluidField& field, std::int32_t cells,
                            std::string_view what);

/// How far a flow carries something in its time, along an axis, at most; where it is in parts.
std::int32_t greatest_way(const FluidField& field);

/// Sets the push constants of fluid/solid.glsl, for invocations over `cells` of a field in parts.
void set_grid(KernelNode& node, const FluidField& field, const CellRange& cells);
/// The same for the whole field, or the rank's part of it.
void set_grid(KernelNode& node, const FluidField& field);
/// Sets `part` and `halo` of a field in parts, for kernels that need no more.
void set_part(KernelNode& node, const FluidField& field);
/// Says of a history that it is the rank's part of the field, so that any number of ranks goes on
/// from checkpoints: `arrays` arrays, with `scale` numbers to a cell along each axis.
void set_part(Graph& graph, Buffer history, const FluidField& field, std::uint32_t scale = 1,
              std::uint32_t arrays = 1);
/// Sets the rank's own cells as `own_from` and `own_to`, of kernels that count them.
void set_own_cells(KernelNode& node, const FluidField& field);
/// Invocations that `dispatch_over` needs for that, with `scale` to a cell along each axis.
Extent extent_of(const FluidField& field, const CellRange& cells, std::uint32_t scale = 1);

/// Fills `width` cells of the halo of `cells`, those next to the part. What others need comes from
/// `source`, an earlier version that has it: nodes between the two run while it travels.
Buffer fill_halo(Graph& graph, const FluidField& field, std::int32_t width, Buffer source,
                 Buffer cells);
/// The same of velocities on faces, an array like those of the field for each axis, in place.
Buffer fill_face_halo(Graph& graph, const FluidField& field, Buffer faces);
/// The greatest halo along an axis.
std::int32_t halo_of(const FluidField& field);
/// Fills all of the halo of a dye of the field, in place.
Buffer fill_halo(Graph& graph, const FluidField& field, const FluidDye& dye);

/// All parts on rank 0; other ranks get zeros.
FluidField whole_field(Graph& graph, const FluidField& field);
FluidDye whole_dye(Graph& graph, const FluidField& field, const FluidDye& dye);

} // namespace tuff::passes
