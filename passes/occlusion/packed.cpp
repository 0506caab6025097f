#include "passes/occlusion/packed.hpp"

#include "passes/common/divided_up.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace tuff::passes {
namespace {

constexpr int kTexelsOfBlock = 8;                ///< as in shaders/occlusion/packed.glsl
constexpr std::uint64_t kBytesOfBlock = 16;
constexpr std::uint64_t kBlocksOfAlignment = 16; ///< a binding may begin there on any device
constexpr std::uint32_t kRunOfPackedLevel = 8;   ///< as in shaders/occlusion/packed_level.comp

/// Where the blocks of each level lie, and how many there are of all.
struct PackedLayout {
    std::vector<glm::ivec4> levels;
    std::uint64_t blocks = 0;
};

/// With those that bring the next level to where a binding may begin.
std::uint64_t blocks_of(glm::ivec4 level) {
    const std::uint64_t blocks = static_cast<std::uint64_t>(level.x) *
                                 static_cast<std::uint64_t>(level.y) *
                                 static_cast<std::uint64_t>(level.z);
    return divided_up(blocks, kBlocksOfAlignment) * kBlocksOfAlignment;
}

PackedLayout layout_of(glm::ivec3 dims, std::uint32_t count) {
    PackedLayout layout;
    for (std::uint32_t level = 0; level <= count; ++level) {
        const glm::ivec3 texels = dims + (1 << static_cast<int>(level)) - 1;
        layout.levels.emplace_back((texels.x - 1) / kTexelsOfBlock + 1, texels.y, texels.z,
                                   static_cast<int>(layout.blocks));
        layout.blocks += blocks_of(layout.levels.back());
    }
    return layout;
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

bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
              const LevelParameters& parameters) {
    if (parameters.method != OcclusionMethod::n_buffer || planned.mips() > 0 ||
        parameters.precision != OcclusionPrecision::unorm16 || !planned.fit_at_once())
        return false;
    const std::uint64_t blocks = layout_of(volume_dims(graph, opacity), planned.count()).blocks;
    return kBytesOfBlock * blocks <= graph.target().max_storage_buffer_bytes;
}

PackedLevels packed_levels(Graph& graph, Image opacity, std::uint32_t count,
                           OcclusionBorder border) {
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const PackedLayout layout = layout_of(dims, count);
    PackedLevels made{.blocks = graph.buffer("means", {.size = kBytesOfBlock * layout.blocks,
                                                       .stride = kBytesOfBlock}),
                      .levels = layout.levels};
    ComputeNodeBuilder node = graph.compute("occlusion/pack", "level_0");
    set_border(node, border);
    node.set("dims", dims);
    node.set("blocks", layout.levels[0].x);
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    made.blocks = node.write("result", part(made.blocks, layout.levels[0]));
    node.dispatch_each(static_cast<std::uint32_t>(blocks_of(layout.levels[0])));
    for (std::uint32_t level = 1; level <= count; ++level) {
        const std::uint32_t apart = 1u << (level - 1);
        const glm::ivec4 made_level = layout.levels[level];
        ComputeNodeBuilder next =
            graph.compute("occlusion/packed_level", fmt::format("level_{}", level));
        set_border(next, border);
        next.set("below", glm::ivec3(layout.levels[level - 1]));
        next.set("level", glm::ivec3(made_level));
        next.set("apart", static_cast<int>(apart));
        const std::uint32_t pairs = spread_over(made_level.y, apart, 2);
        next.set("pairs", static_cast<int>(pairs));
        next.read("source", part(made.blocks, layout.levels[level - 1]));
        made.blocks = next.write("result", part(made.blocks, made_level));
        next.dispatch_each(static_cast<std::uint32_t>(made_level.x) * pairs *
                           spread_over(made_level.z, apart, kRunOfPackedLevel));
    }
    return made;
}

} // namespace tuff::passes
