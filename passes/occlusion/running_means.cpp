#include "passes/occlusion/running_means.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/occlusion/packed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxLevel = 10;  ///< as in shaders/occlusion/mean_rows.comp
constexpr std::uint32_t kMaxLanes = 256; ///< of a group of mean_rows
constexpr std::uint32_t kTileBlocks = 8; ///< as in shaders/occlusion/mean_runs.comp
constexpr std::uint32_t kTileRows = 32;  ///< as there
constexpr std::uint32_t kShortestRun =
    128; ///< of a group, texels; a run begins with a cube's width

/// A volume with means along some axes, in blocks along x.
struct Blocks {
    glm::uvec3 dims{1}; ///< blocks, rows and slices
    Buffer values;

    BufferDesc desc() const {
        return {.size = kOcclusionBlockBytes * dims.x * dims.y * dims.z,
                .stride = kOcclusionBlockBytes};
    }
};

/// Texels along each axis of the level.
glm::uvec3 texels_of(const Graph& graph, Image opacity, std::uint32_t number) {
    return glm::uvec3(volume_dims(graph, opacity)) + (1u << number) - 1u;
}

/// Means along x, and along x and y.
std::array<Blocks, 2> between(const Graph& graph, Image opacity, std::uint32_t number) {
    const glm::uvec3 dims(volume_dims(graph, opacity));
    const glm::uvec3 level = texels_of(graph, opacity, number);
    const std::uint32_t blocks = div_round_up(level.x, kOcclusionBlockTexels);
    return {{{.dims = {blocks, dims.y, dims.z}, .values = {}},
             {.dims = {blocks, level.y, dims.z}, .values = {}}}};
}

void add_rows(Graph& graph, Blocks& rows, Image opacity, std::uint32_t number,
              OcclusionBorder border) {
    const std::uint32_t beside =
        std::max((1u << number) / kOcclusionBlockTexels, 1u); // that are summed
    const std::uint32_t blocks = std::min(rows.dims.x + beside, kMaxLanes);
    const std::uint32_t lines = kMaxLanes / blocks;
    ComputeNodeBuilder node = graph.compute("occlusion/mean_rows", "means_along_x");
    set_border(node, border);
    node.specialize("kLevel", number);
    node.specialize("kBlocks", blocks);
    node.specialize("kRows", lines);
    node.specialize("local_size_x", blocks * lines);
    node.set("dims", volume_dims(graph, opacity));
    node.set("blocks", static_cast<int>(rows.dims.x));
    read_voxels(graph, node, opacity);
    rows.values = node.write("means", graph.buffer("rows", rows.desc()));
    node.dispatch(div_round_up(rows.dims.x, blocks - beside), div_round_up(rows.dims.y, lines),
                  rows.dims.z);
}

/// How a kernel goes through blocks along an axis: `rows` of them beside each other.
struct Runs {
    std::uint32_t rows = 1;
    std::uint32_t row_pitch = 1; ///< blocks
    std::uint32_t count = 1;     ///< along the axis
    std::uint32_t pitch = 1;     ///< blocks
};

ComputeNodeBuilder along(Graph& graph, std::string_view name, const Blocks& source,
                         const Runs& runs, std::uint32_t number, OcclusionBorder border,
                         bool to_image) {
    const std::uint32_t width = 1u << number;
    const std::uint32_t run = std::max(2 * width, kShortestRun);
    const std::uint32_t result_count = runs.count + width - 1;
    ComputeNodeBuilder node =
        graph.compute("occlusion/mean_runs", {{"TO_IMAGE", to_image ? 1 : 0}}, name);
    set_border(node, border);
    node.specialize("kLevel", number);
    node.set("blocks", static_cast<int>(source.dims.x));
    node.set("rows", static_cast<int>(runs.rows));
    node.set("row_pitch", static_cast<int>(runs.row_pitch));
    node.set("count", static_cast<int>(runs.count));
    node.set("pitch", static_cast<int>(runs.pitch));
    node.set("result_count", static_cast<int>(result_count));
    node.set("run", static_cast<int>(run));
    node.read("source", source.values);
    node.dispatch(div_round_up(source.dims.x, kTileBlocks), div_round_up(runs.rows, kTileRows),
                  div_round_up(result_count, run));
    return node;
}

} // namespace

bool can_run(const Graph& graph, Image opacity, const OcclusionLevels& planned,
             const LevelParameters& parameters) {
    const std::uint32_t number = planned.count();
    return parameters.method == OcclusionMethod::n_buffer && planned.mips() == 0 &&
           parameters.precision == OcclusionPrecision::unorm16 && planned.fit_at_once() &&
           number > 0 && number <= kMaxLevel &&
           between(graph, opacity, number).back().desc().size <=
               graph.target().max_storage_buffer_bytes;
}

Image running_means(Graph& graph, Image opacity, std::uint32_t number, OcclusionBorder border) {
    auto [rows, slices] = between(graph, opacity, number);
    add_rows(graph, rows, opacity, number, border);
    const std::uint32_t blocks = rows.dims.x;
    {
        const Runs runs{.rows = rows.dims.z,
                        .row_pitch = blocks * rows.dims.y,
                        .count = rows.dims.y,
                        .pitch = blocks};
        ComputeNodeBuilder node = along(graph, "means_along_y", rows, runs, number, border, false);
        node.set("result_pitch", static_cast<int>(blocks * slices.dims.y));
        slices.values = node.write("result", graph.buffer("slices", slices.desc()));
    }
    const Runs runs{.rows = slices.dims.y,
                    .row_pitch = blocks,
                    .count = slices.dims.z,
                    .pitch = blocks * slices.dims.y};
    ComputeNodeBuilder node = along(graph, "means_along_z", slices, runs, number, border, true);
    const glm::uvec3 texels = texels_of(graph, opacity, number);
    node.set("texels", static_cast<int>(texels.x));
    return node.write("result", volume_like(graph, "means", glm::ivec3(texels), Format::r16_unorm));
}

} // namespace tuff::passes
