#include "passes/occlusion/packed.hpp"

#include "passes/common/divided_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace tuff::passes {
namespace {

constexpr int kTexelsOfBlock = 8; ///< as in shaders/occlusion/packed.glsl
constexpr std::uint64_t kBytesOfBlock = 16;
constexpr std::uint64_t kBlocksOfAlignment = 16; ///< a binding may begin there on any device
constexpr std::uint32_t kRunOfPackedLevel = 8;   ///< as in shaders/occlusion/packed_level.comp

/// With those that bring the next level to where a binding may begin.
std::uint64_t blocks_of(glm::ivec4 level) {
    const std::uint64_t blocks = static_cast<std::uint64_t>(level.x) *
                                 static_cast<std::uint64_t>(level.y) *
                                 static_cast<std::uint64_t>(level.z);
    return divided_up(blocks, kBlocksOfAlignment) * kBlocksOfAlignment;
}

std::uint64_t bytes_of_means(const PackedLevels& levels) {
    std::uint64_t blocks = 0;
    for (std::uint32_t level = 1; level <= levels.count(); ++level)
        blocks += blocks_of(levels.levels[level]);
    return kBytesOfBlock * blocks;
}

BufferView part(Buffer blocks, glm::ivec4 level) {
    return {blocks, kBytesOfBlock * static_cast<std::uint64_t>(level.w),
            kBytesOfBlock * blocks_of(level)};
}

/// Invocations along an axis where each makes `count` texels that are `apart`.
std::uint32_t spread_over(int texels, std::uint32_t apart, std::uint32_t count) {
    return divided_up(static_cast<std::uint32_t>(texels), apart * count) * apart;
}

} // namespace

PackedLevels packed_layout(glm::ivec3 dims, std::uint32_t count) {
    PackedLevels made;
    std::uint64_t first = 0;
    for (std::uint32_t level = 0; level <= count; ++level) {
        const glm::ivec3 texels = dims + (1 << static_cast<int>(level)) - 1;
        made.levels.emplace_back((texels.x - 1) / kTexelsOfBlock + 1, texels.y, texels.z,
                                 static_cast<int>(first));
        if (level > 0) first += blocks_of(made.levels.back());
    }
    return made;
}

bool fits_packed(const Graph& graph, const PackedLevels& levels) {
    return std::max(bytes_of_means(levels), packed_voxels(levels).size) <=
           graph.target().max_storage_buffer_bytes;
}

bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
              const LevelParameters& parameters) {
    return parameters.method == OcclusionMethod::n_buffer && planned.mips() == 0 &&
           parameters.precision == OcclusionPrecision::unorm16 && planned.fit_at_once() &&
           fits_packed(graph, packed_layout(volume_dims(graph, opacity), planned.count()));
}

BufferDesc packed_voxels(const PackedLevels& levels) {
    return {.size = kBytesOfBlock * blocks_of(levels.levels[0]), .stride = kBytesOfBlock};
}

void pack_voxels(Graph& graph, PackedLevels& levels, Image opacity, OcclusionBorder border) {
    ComputeNodeBuilder node = graph.compute("occlusion/pack", "level_0");
    set_border(node, border);
    node.set("dims", volume_dims(graph, opacity));
    node.set("blocks", levels.levels[0].x);
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    levels.voxels = node.write("result", graph.buffer("voxels", packed_voxels(levels)));
    node.dispatch_each(static_cast<std::uint32_t>(blocks_of(levels.levels[0])));
}

void fill_packed(Graph& graph, PackedLevels& levels, OcclusionBorder border,
                 const ChosenBricks& chosen) {
    if (levels.count() == 0) return;
    levels.means = graph.buffer("means", {.size = bytes_of_means(levels), .stride = kBytesOfBlock});
    for (std::uint32_t number = 1; number <= levels.count(); ++number) {
        const std::uint32_t apart = 1u << (number - 1);
        const glm::ivec4 below = levels.levels[number - 1];
        const glm::ivec4 level = levels.levels[number];
        ComputeNodeBuilder node =
            graph.compute("occlusion/packed_level", fmt::format("level_{}", number));
        set_border(node, border);
        node.set("below", glm::ivec3(below));
        node.set("level", glm::ivec3(level));
        node.set("apart", static_cast<int>(apart));
        const std::uint32_t pairs = spread_over(level.y, apart, 2);
        node.set("pairs", static_cast<int>(pairs));
        node.set("bricks", chosen.needed_dims);
        // Cubes of the first texel begin before the volume.
        node.set("begin", kOcclusionBrick * chosen.reach + 1 - 2 * static_cast<int>(apart));
        node.read_optional("needed", chosen.needed);
        node.read("source", number == 1 ? BufferView(levels.voxels) : part(levels.means, below));
        levels.means = node.write("result", part(levels.means, level));
        node.dispatch_each(static_cast<std::uint32_t>(level.x) * pairs *
                           spread_over(level.z, apart, kRunOfPackedLevel));
    }
}

Image through_packed(Graph& graph, const PackedLevels& levels, const PackedShells& shells,
                     Image result, const ChosenBricks& chosen) {
    const glm::ivec3 dims = volume_dims(graph, result);
    ComputeNodeBuilder node = graph.compute("occlusion/packed_shells");
    set_border(node, shells.border);
    set_kept(node, OcclusionPrecision::unorm16);
    node.specialize("kOwn", std::uint32_t{shells.own});
    node.set("dims", dims);
    node.set("blocks", levels.levels[0].x);
    node.set("shells", levels.count());
    node.set("strength", shells.strength);
    node.set("growth", shells.growth);
    node.set("bricks", chosen.dirty_dims);
    node.set("levels", std::span<const glm::ivec4>(levels.levels));
    node.read("voxels", levels.voxels);
    node.read_optional("means", levels.means);
    node.read_optional("dirty", chosen.dirty);
    node.read_optional("before", ImageView(chosen.before), Sampler::nearest(), "has_dirty");
    const Image written = node.write("result", result);
    node.dispatch_each(static_cast<std::uint32_t>(levels.levels[0].x * dims.y * dims.z));
    return written;
}

} // namespace tuff::passes
