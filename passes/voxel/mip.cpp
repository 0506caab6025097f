#include "passes/voxel/mip.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxLevels = 12; // of the largest grid

bool is_one(glm::uvec3 dims) {
    return std::max({dims.x, dims.y, dims.z}) == 1;
}

} // namespace

std::vector<PortMember> VoxelPyramid::members() const {
    std::vector<PortMember> all;
    for (std::size_t i = 0; i < levels.size(); ++i)
        all.push_back({fmt::format("level_{}", i), levels[i], BufferElements::of<std::uint32_t>()});
    if (frame) all.push_back({"frame", frame, BufferElements::of<glm::vec4>()});
    return all;
}

void VoxelMip::describe(PassInfo<VoxelMip>& info) {
    info.summary("Makes coarser levels of a grid of voxels")
        .details(
            "A voxel of a level covers 2 x 2 x 2 voxels of the level below. With \"any\" it is set "
            "if one of them is set, for searching surfaces; with \"all\" it is set if all are set, "
            "for skipping the inside of solids. Voxels beyond the grid's end count as not set. A "
            "word of a level is made of eight words.")
        .source("Schwarz and Seidel, \"Fast Parallel Surface and Solid Voxelization on GPUs\", "
                "SIGGRAPH Asia 2010")
        .complexity("O(words of the grid)")
        .cost([](const VoxelMip& pass, const Graph&) {
            const double words = static_cast<double>(pass.source.word_count());
            return Cost{.bytes = 4.0 * words * 9.0 / 7.0, .operations = 3.0 * words};
        });
    info.input("source", &VoxelMip::source, "the finest level");
    info.parameter("combine", &VoxelMip::combine, "when to set a coarser voxel").structural();
    info.parameter("levels", &VoxelMip::levels,
                   "number of levels, including the grid itself; 0: down to a single voxel")
        .range(0, kMaxLevels)
        .structural();
    info.output("pyramid", &VoxelMip::pyramid, "all levels");
    info.output("top", &VoxelMip::top, "u32: the words of the coarsest level")
        .elements<std::uint32_t>();
}

void VoxelMip::build(Graph& graph) {
    if (!is_valid(graph, source)) return;
    pyramid = {.levels = {source.words}, .dims = {source.dims}, .frame = source.frame};
    while (!is_one(pyramid.dims.back()) && pyramid.levels.size() != levels) {
        const glm::uvec3 finer = pyramid.dims.back();
        const VoxelGrid level{.words = {}, .frame = {}, .status = {}, .dims = (finer + 1u) / 2u};
        const std::string name = fmt::format("level_{}", pyramid.levels.size());
        ComputeNodeBuilder node = graph.compute("voxel/halve", name);
        node.specialize("kAll", std::uint32_t(combine == VoxelCombine::all));
        node.set("source_dims", finer);
        node.set("dims", level.dims);
        node.read("source", pyramid.levels.back());
        pyramid.levels.push_back(
            node.write("words", graph.buffer(name, {.size = 4 * level.word_count(), .stride = 4})));
        pyramid.dims.push_back(level.dims);
        node.dispatch_each(static_cast<std::uint32_t>(level.word_count()));
    }
    top = pyramid.levels.back();
}

TUFF_PASS(VoxelMip)

} // namespace tuff::passes
