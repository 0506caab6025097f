#include "passes/occlusion/levels.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSummedLevels = 8; // cubes of 257 voxels leave 8 bits to an opacity
constexpr float kMaxUnits = 65535.0f;
constexpr int kSumsOfVector = 4; // as in shaders/occlusion/summed_shells.comp

std::uint64_t sum_count(glm::ivec3 dims) {
    return std::uint64_t{kSumsOfVector} * static_cast<std::uint64_t>(dims.x) *
           static_cast<std::uint64_t>(dims.y) * static_cast<std::uint64_t>(dims.z);
}

Buffer along_columns(Graph& graph, std::string_view name, Buffer source, glm::ivec3 vectors,
                     std::uint32_t axis) {
    const glm::ivec3 dims = vectors * glm::ivec3(kSumsOfVector, 1, 1);
    ComputeNodeBuilder node = graph.compute("occlusion/summed_columns", name);
    node.specialize("kAxis", axis);
    node.read("source", source);
    node.set("dims", dims);
    const Buffer result = node.write("result", array(graph, name, sum_count(vectors)));
    const glm::uvec3 size(dims);
    node.dispatch_over({size.x, axis == 1 ? size.z : size.y, 1});
    return result;
}

} // namespace

SummedVolume planned_sums(const Graph& graph, Image opacity, std::uint32_t levels,
                          OcclusionBorder border) {
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const auto longest = static_cast<std::uint32_t>(std::max({dims.x, dims.y, dims.z}));
    SummedVolume planned;
    planned.levels = std::min(
        {levels, kMaxSummedLevels, static_cast<std::uint32_t>(std::bit_width(longest)) - 1});
    const double widest = std::exp2(planned.levels) + 1.0;
    const double fits = std::floor(4294967295.0 / (widest * widest * widest));
    planned.unit = std::min(static_cast<float>(fits), kMaxUnits);
    // An edge that goes on is summed as far as cubes reach; twice, where they are moved.
    if (border == OcclusionBorder::clamp) planned.margin = 1 << planned.levels;
    const glm::ivec3 sums = dims + 2 * planned.margin;
    planned.dims = {(sums.x - 1) / kSumsOfVector + 1, sums.y, sums.z};
    return planned;
}

SummedVolume summed_volume(Graph& graph, Image opacity, std::uint32_t levels,
                           OcclusionBorder border) {
    SummedVolume made = planned_sums(graph, opacity, levels, border);
    const glm::ivec3 dims = volume_dims(graph, opacity);
    ComputeNodeBuilder node = graph.compute("occlusion/summed_rows", "sums_x");
    set_border(node, border);
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    node.set("dims", dims);
    node.set("sum_dims", dims + 2 * made.margin);
    node.set("pitch", kSumsOfVector * made.dims.x);
    node.set("margin", made.margin);
    node.set("unit", made.unit);
    const Buffer rows = node.write("result", array(graph, "sums_x", sum_count(made.dims)));
    node.dispatch_each(static_cast<std::uint32_t>(made.dims.y) *
                       static_cast<std::uint32_t>(made.dims.z));
    made.sums = along_columns(graph, "sums_z", along_columns(graph, "sums_y", rows, made.dims, 1),
                              made.dims, 2);
    return made;
}

} // namespace tuff::passes
