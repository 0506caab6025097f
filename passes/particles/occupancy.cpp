#include "passes/particles/occupancy.hpp"

#include <array>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxScale = 16; // with 1024 cells no more texels than devices take

/// The axes of the grid that are to the right, up and away in the picture.
std::array<int, 3> axes_of(GridAxis axis) {
    switch (axis) {
    case GridAxis::x: return {2, 1, 0};
    case GridAxis::y: return {0, 2, 1};
    case GridAxis::z: break;
    }
    return {0, 1, 2};
}

} // namespace

void ParticleOccupancy::describe(PassInfo<ParticleOccupancy>& info) {
    info.summary("Shows how many particles the cells of a grid hold, as a heat map")
        .details("A texel, or a square of texels, shows a row of cells along an axis: black where "
                 "the cells are empty, then blue, red and yellow, and white where they hold "
                 "\"full\" particles each or more.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(cells)")
        .cost([](const ParticleOccupancy& pass, const Graph&) {
            const double cells =
                static_cast<double>(pass.grid.cells.x) * pass.grid.cells.y * pass.grid.cells.z;
            return Cost{.bytes = 8.0 * cells, .operations = 2.0 * cells};
        });
    info.input("grid", &ParticleOccupancy::grid, "a grid of particles/grid");
    info.parameter("axis", &ParticleOccupancy::axis, "axis along which particles are added up")
        .structural();
    info.parameter("scale", &ParticleOccupancy::scale, "side of a cell in the picture")
        .range(1, kMaxScale)
        .unit("texels")
        .structural();
    info.parameter("full", &ParticleOccupancy::full, "particles in a cell that is white")
        .range(1e-6, kFarthest);
    info.output("result", &ParticleOccupancy::result, "the picture, rgba16_sfloat, linear light");
    info.output("counts", &ParticleOccupancy::counts,
                "r32_sfloat, a texel for each row of cells: its number of particles");
}

void ParticleOccupancy::build(Graph& graph) {
    const auto [right, up, away] = axes_of(axis);
    const glm::uvec3 cells(grid.cells[right], grid.cells[up], grid.cells[away]);
    const Extent extent{cells.x, cells.y, 1};
    glm::uvec3 strides; // in `ranges`
    strides[0] = 1;
    strides[1] = grid.cells.x;
    strides[2] = grid.cells.x * grid.cells.y;

    ComputeNodeBuilder node = graph.compute("particles/occupancy");
    node.read("ranges", grid.ranges);
    node.set("cells", cells);
    node.set("strides", glm::uvec3(strides[right], strides[up], strides[away]));
    node.set("scale", scale);
    node.set("full", full);
    counts = node.write("counts",
                        graph.image("counts", {.format = Format::r32_sfloat, .extent = extent}));
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba16_sfloat,
                                               .extent = {cells.x * scale, cells.y * scale, 1}}));
    node.dispatch_over(extent);
}

TUFF_PASS(ParticleOccupancy)

} // namespace tuff::passes
