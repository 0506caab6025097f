#include "passes/particles/grid.hpp"

#include "passes/primitives/radix_sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

/// Cells are a little larger than a diameter: with up to this many along an axis, rounding never
/// puts two particles that touch two cells apart.
constexpr float kMaxCellsPerAxis = 1024.0f;
constexpr float kRoom = 1.0f + 1.0f / 512.0f;
constexpr double kMaxCells = 1 << 24;

/// Cells that cover the box.
void place(ParticleGrid& grid, const BoxParameters& box, float radius, GridShape shape) {
    glm::vec3 size = box.high - box.low;
    if (shape == GridShape::columns) size.z = 0.0f; // one cell, which takes what lies beyond it
    const float longest = std::max({size.x, size.y, size.z});
    grid.origin = box.low;
    grid.cell = std::max(2.0f * radius * kRoom, longest / kMaxCellsPerAxis * kRoom);
    for (;; grid.cell *= 1.25f) {
        double all = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const float along = std::max(std::ceil(size[axis] / grid.cell), 1.0f);
            grid.cells[axis] = static_cast<std::uint32_t>(along);
            all *= static_cast<double>(along);
        }
        if (all <= kMaxCells) return;
    }
}

} // namespace

void set_grid(ComputeNodeBuilder& node, const ParticleGrid& grid) {
    node.set("origin", grid.origin);
    node.set("cells_per_unit", 1.0f / grid.cell);
    node.set("cells", grid.cells);
}

void SortIntoGrid::describe(PassInfo<SortIntoGrid>& info) {
    info.summary("Sorts particles into a uniform grid")
        .details("Use it to find the neighbours of a particle. Cells are as large as a particle or "
                 "a little larger, so all particles that touch a particle are in the 27 cells "
                 "around it, or in 9 if the grid is one cell deep (\"columns\"). A grid has at "
                 "most 1024 cells along an axis and 2^24 in all. Particles are sorted by the index "
                 "of their cell; a cell begins and ends where the index changes. (The chapter "
                 "searches for these places: primitives/lower_bound.) Particles outside the box "
                 "count for the nearest cell.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles + cells)")
        .cost([](const SortIntoGrid& pass, const Graph&) {
            const double cells =
                static_cast<double>(pass.grid.cells.x) * pass.grid.cells.y * pass.grid.cells.z;
            // Three digits of keys and numbers, places and velocities in and out.
            return Cost{.bytes = (36.0 + 52.0 + 72.0) * pass.source.count + 8.0 * cells,
                        .operations = 20.0 * pass.source.count};
        });
    info.input("source", &SortIntoGrid::source, "the particles");
    info.group("box", &SortIntoGrid::box);
    info.parameter("shape", &SortIntoGrid::shape,
                   "shape of cells; columns: as deep as the box, for particles in a plane")
        .structural();
    info.output("grid", &SortIntoGrid::grid, "the particles by cell");
}

void SortIntoGrid::build(Graph& graph) {
    if (!is_valid(graph, source) || !is_valid(graph, box, source.radius)) return;
    place(grid, box, source.radius, shape);
    const std::uint32_t cells = grid.cells.x * grid.cells.y * grid.cells.z;

    ComputeNodeBuilder keys = graph.compute("particles/cells");
    keys.read("positions", source.positions);
    keys.read("velocities", source.velocities);
    bind_count(keys, source);
    set_grid(keys, grid);
    const RadixSort sorted = [&] {
        const Buffer unsorted = keys.write(
            "keys", graph.buffer("keys", {.size = std::uint64_t{std::max(source.count, 1u)} * 4,
                                          .stride = 4}));
        dispatch_each(graph, keys, source);
        return graph.add(RadixSort{.keys = unsorted,
                                   .count = source.tally,
                                   .length = source.count,
                                   .end_bit = static_cast<int>(std::bit_width(cells)),
                                   .with_permutation = true});
    }();

    ComputeNodeBuilder ranges = graph.compute("particles/ranges");
    ranges.read("keys", sorted.sorted_keys);
    ranges.read("order", sorted.permutation);
    ranges.read("positions", source.positions);
    ranges.read("velocities", source.velocities);
    bind_count(ranges, source);
    const Buffer empty = graph.fill(
        graph.buffer("ranges", {.size = (std::uint64_t{cells} + 1) * 8, .stride = 8}), 0, "empty");
    grid.order = sorted.permutation;
    grid.ranges = ranges.write("ranges", empty);
    grid.positions =
        ranges.write("sorted_positions", particle_array(graph, "sorted_positions", source.count));
    grid.velocities =
        ranges.write("sorted_velocities", particle_array(graph, "sorted_velocities", source.count));
    dispatch_each(graph, ranges, source);
}

TUFF_PASS(SortIntoGrid)

} // namespace tuff::passes
