#include "passes/voxel/merge.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

bool are_of_one_place(Graph& graph, const std::vector<VoxelGrid>& grids) {
    for (std::size_t i = 1; i < grids.size(); ++i) {
        if (grids[i].frame == grids[0].frame && grids[i].dims == grids[0].dims) continue;
        graph.error("voxel/other-place",
                    fmt::format("grid {} of \"grids\" has another place or size than the first", i),
                    "connect the first grid to \"frame_of\" of the pass that makes the other");
        return false;
    }
    return true;
}

Buffer either(Graph& graph, const VoxelGrid& grid, Buffer first, Buffer second) {
    const std::uint64_t all = grid.word_count();
    Buffer result = graph.buffer("voxels", {.size = 4 * all, .stride = 4});
    // What kernels see of a large grid at a time begins where they may bind a part of a buffer.
    const std::uint64_t unit = std::max(graph.target().storage_offset_alignment / 4, 1u);
    const std::uint64_t step = graph.target().max_storage_buffer_bytes / 4 / unit * unit;
    for (std::uint64_t from = 0; from < all; from += step) {
        const std::uint64_t count = std::min(step, all - from);
        const auto part = [&](Buffer words) { return BufferView(words, 4 * from, 4 * count); };
        ComputeNodeBuilder node = graph.compute("voxel/merge");
        node.set("count", static_cast<std::uint32_t>(count));
        node.read("first", part(first));
        node.read("second", part(second));
        result = node.write("result", part(result));
        node.dispatch_each(static_cast<std::uint32_t>(count));
    }
    return result;
}

} // namespace

void VoxelMerge::describe(PassInfo<VoxelMerge>& info) {
    info.summary("Sets the voxels that are set in any of several grids")
        .details("Use it to voxelize static geometry once and moving geometry in each frame. All "
                 "grids have the same position and size: connect the first to \"frame_of\" of the "
                 "passes that make the others. For surfaces the result equals, to the bit, that of "
                 "voxelizing all triangles together; solids that overlap are joined, where parity "
                 "would cancel them out. Grids are joined in order: put those that do not change "
                 "first. The status counts voxels only; triangles that were left out are counted "
                 "by the status of each grid.")
        .source("Schwarz, \"Practical Binary Surface and Solid Voxelization with Direct3D 11\", "
                "GPU Pro 3, 2012")
        .complexity("O(words of all grids)")
        .cost([](const VoxelMerge& pass, const Graph&) {
            const double words = static_cast<double>(pass.grid.word_count());
            const double joined = static_cast<double>(pass.grids.size()) - 1.0;
            return Cost{.bytes = (12.0 * joined + (pass.count ? 4.0 : 0.0)) * words,
                        .operations = joined * words};
        });
    info.input_list("grids", &VoxelMerge::grids, "grids of the same position and size").wires(1);
    info.parameter("count", &VoxelMerge::count, "counts the set voxels into the status")
        .structural();
    info.output("grid", &VoxelMerge::grid, "the voxels");
}

void VoxelMerge::build(Graph& graph) {
    if (!are_of_one_place(graph, grids)) return;
    grid = grids[0];
    for (std::size_t i = 1; i < grids.size(); ++i)
        grid.words = either(graph, grid, grid.words, grids[i].words);
    grid.status = zeros(graph, "status", kVoxelStatusWords);
    if (count) grid = counted(graph, grid);
    graph.status<VoxelStatus>(grid.status);
}

TUFF_PASS(VoxelMerge)

} // namespace tuff::passes
