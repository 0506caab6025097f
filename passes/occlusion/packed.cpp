#include "passes/occlusion/packed.hpp"

#include "passes/common/div_round_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kBlocksOfAlignment = 16; ///< a binding may begin there on any device
constexpr std::uint32_t kRunOfPackedLevel = 8;   ///< as in shaders/occlusion/packed_level.comp
constexpr std::uint32_t kMaxFirstLevels = 3;     ///< as in shaders/occlusion/packed_first.comp
constexpr std::uint32_t kFirstSlices = 64;

/// With those that bring the next level to where a binding may begin.
std::uint64_t blocks_of(glm::ivec4 level) {
    const std::uint64_t blocks = static_cast<std::uint64_t>(level.x) *
                                 static_cast<std::uint64_t>(level.y) *
                                 static_cast<std::uint64_t>(level.z);
    return div_round_up(blocks, kBlocksOfAlignment) * kBlocksOfAlignment;
}

std::uint64_t bytes_of_means(const PackedLevels& levels) {
    std::uint64_t blocks = 0;
    for (std::uint32_t level = 1; level <= levels.count(); ++level)
        blocks += blocks_of(levels.levels[level]);
    return kOcclusionBlockBytes * blocks;
}

BufferView part(Buffer blocks, glm::ivec4 level) {
    return {blocks, kOcclusionBlockBytes * static_cast<std::uint64_t>(level.w),
            kOcclusionBlockBytes * blocks_of(level)};
}

/// Invocations along an axis where each makes `count` texels that are `apart`.
std::uint32_t spread_over(int texels, std::uint32_t apart, std::uint32_t count) {
    return div_round_up(static_cast<std::uint32_t>(texels), apart * count) * apart;
}

/// What a group of packed_first has: a column and some rows are there for those beside them alone.
struct FirstTile {
    std::uint32_t columns = 0; ///< blocks
    std::uint32_t rows = 0;
};

/// The tile that fewer invocations have in all.
FirstTile first_tile(glm::uvec3 level, std::uint32_t rows_beside) {
    const auto invocations = [&](FirstTile tile) {
        return std::uint64_t{div_round_up(level.x, tile.columns - 1)} *
               div_round_up(level.y, tile.rows - rows_beside) * tile.columns * tile.rows;
    };
    constexpr std::array<FirstTile, 2> kTiles{{{8, 32}, {6, 42}}};
    return *std::ranges::min_element(kTiles, {}, invocations);
}

/// A node that makes levels 0 to `count`.
ComputeNodeBuilder first_levels(Graph& graph, const PackedLevels& levels, std::uint32_t count,
                                Image opacity, OcclusionBorder border) {
    ComputeNodeBuilder node = graph.compute(
        "occlusion/packed_first", count == 0 ? "level_0" : fmt::format("level_0_to_{}", count));
    set_border(node, border);
    node.specialize("kLevels", count);
    node.set("dims", volume_dims(graph, opacity));
    std::array<glm::ivec4, kMaxFirstLevels + 1> shapes{};
    std::copy_n(levels.levels.begin(), count + 1, shapes.begin());
    node.set("levels", std::span<const glm::ivec4>(shapes));
    read_voxels(graph, node, opacity);
    const glm::uvec3 last(levels.levels[count]);
    const std::uint32_t rows_beside = (1u << count) - 1;
    const FirstTile tile = first_tile(last, rows_beside);
    node.specialize("kColumns", tile.columns);
    node.specialize("kRows", tile.rows);
    node.specialize("local_size_x", tile.columns * tile.rows);
    node.dispatch(div_round_up(last.x, tile.columns - 1),
                  div_round_up(last.y, tile.rows - rows_beside),
                  div_round_up(last.z, kFirstSlices));
    return node;
}

/// A node that makes level `number` of the one below it.
ComputeNodeBuilder next_level(Graph& graph, const PackedLevels& levels, std::uint32_t number,
                              BufferView source, OcclusionBorder border,
                              const ChosenBricks& chosen = {}) {
    const std::uint32_t apart = 1u << (number - 1);
    const glm::ivec4 level = levels.levels[number];
    ComputeNodeBuilder node =
        graph.compute("occlusion/packed_level", fmt::format("level_{}", number));
    set_border(node, border);
    node.set("below", glm::ivec3(levels.levels[number - 1]));
    node.set("level", glm::ivec3(level));
    node.set("apart", static_cast<int>(apart));
    const std::uint32_t pairs = spread_over(level.y, apart, 2);
    node.set("pairs", static_cast<int>(pairs));
    node.set("bricks", chosen.needed_dims);
    // Cubes of the first texel begin before the volume.
    node.set("begin", kOcclusionBrick * chosen.reach + 1 - 2 * static_cast<int>(apart));
    node.read_optional("needed", chosen.needed);
    node.read("source", source);
    node.dispatch_each(static_cast<std::uint32_t>(level.x) * pairs *
                       spread_over(level.z, apart, kRunOfPackedLevel));
    return node;
}

} // namespace

PackedLevels packed_layout(glm::ivec3 dims, std::uint32_t count) {
    PackedLevels made;
    std::uint64_t first = 0;
    for (std::uint32_t level = 0; level <= count; ++level) {
        const glm::ivec3 texels = dims + (1 << static_cast<int>(level)) - 1;
        made.levels.emplace_back((texels.x - 1) / static_cast<int>(kOcclusionBlockTexels) + 1,
                                 texels.y, texels.z, static_cast<int>(first));
        if (level > 0) first += blocks_of(made.levels.back());
    }
    return made;
}

bool fits_packed(const Graph& graph, const PackedLevels& levels) {
    return std::max(bytes_of_means(levels), packed_voxels(levels).size) <=
           graph.target().max_storage_buffer_bytes;
}

void read_voxels(const Graph& graph, ComputeNodeBuilder& node, Image opacity) {
    const NumericKind kind = info(graph.desc(opacity).format).kind;
    node.specialize("kIsClean", std::uint32_t{kind == NumericKind::unorm});
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
}

bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
              const LevelParameters& parameters) {
    return parameters.method == OcclusionMethod::n_buffer && planned.mips() == 0 &&
           parameters.precision == OcclusionPrecision::unorm16 && planned.fit_at_once() &&
           fits_packed(graph, packed_layout(volume_dims(graph, opacity), planned.count()));
}

BufferDesc packed_voxels(const PackedLevels& levels) {
    return {.size = kOcclusionBlockBytes * blocks_of(levels.levels[0]),
            .stride = kOcclusionBlockBytes};
}

void make_packed(Graph& graph, PackedLevels& levels, Image opacity, OcclusionBorder border) {
    const std::uint32_t first = std::min(levels.count(), kMaxFirstLevels);
    ComputeNodeBuilder node = first_levels(graph, levels, first, opacity, border);
    levels.voxels = node.write("voxels", graph.buffer("voxels", packed_voxels(levels)));
    const std::uint64_t bytes = std::max(bytes_of_means(levels), kOcclusionBlockBytes);
    const Buffer means =
        node.write("means", graph.buffer("means", {.size = bytes, .stride = kOcclusionBlockBytes}));
    if (first == 0) return; // there are no means
    levels.means = means;
    fill_packed(graph, levels, border, first);
}

void fill_packed(Graph& graph, PackedLevels& levels, OcclusionBorder border, std::uint32_t from,
                 const ChosenBricks& chosen) {
    if (levels.count() > from && !levels.means)
        levels.means =
            graph.buffer("means", {.size = bytes_of_means(levels), .stride = kOcclusionBlockBytes});
    for (std::uint32_t number = from + 1; number <= levels.count(); ++number) {
        ComputeNodeBuilder node = next_level(
            graph, levels, number,
            number == 1 ? BufferView(levels.voxels) : part(levels.means, levels.levels[number - 1]),
            border, chosen);
        levels.means = node.write("result", part(levels.means, levels.levels[number]));
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
