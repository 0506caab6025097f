#include "passes/occlusion/levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMostSummedLevels = 8; // cubes of 257 voxels leave 8 bits to an opacity
constexpr float kMostUnits = 65535.0f;

Image along_columns(Graph& graph, std::string_view name, Image source, std::uint32_t axis) {
    const glm::ivec3 dims = volume_dims(graph, source);
    ComputeNodeBuilder node = graph.compute("occlusion/summed_columns", name);
    node.specialize("kAxis", axis);
    node.read("source", source, Sampler::nearest());
    node.set("dims", dims);
    const Image result = node.write("result", volume_like(graph, name, dims, Format::r32_uint));
    const glm::uvec3 size(dims);
    node.dispatch_over({size.x, axis == 1 ? size.z : size.y, 1});
    return result;
}

} // namespace

SummedVolume summed_volume(Graph& graph, Image opacity, std::uint32_t levels,
                           OcclusionBorder border) {
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const auto longest = static_cast<std::uint32_t>(std::max({dims.x, dims.y, dims.z}));
    SummedVolume made;
    made.levels = std::min(
        {levels, kMostSummedLevels, static_cast<std::uint32_t>(std::bit_width(longest)) - 1});
    const double widest = std::exp2(made.levels) + 1.0;
    const double fits = std::floor(4294967295.0 / (widest * widest * widest));
    made.unit = std::min(static_cast<float>(fits), kMostUnits);
    // An edge that goes on is summed as far as cubes reach; twice, where they are moved.
    if (border == OcclusionBorder::clamp) made.margin = 1 << made.levels;
    const glm::ivec3 sum_dims = dims + 2 * made.margin;
    ComputeNodeBuilder node = graph.compute("occlusion/summed_rows", "sums_x");
    set_border(node, border);
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    node.set("dims", dims);
    node.set("sum_dims", sum_dims);
    node.set("margin", made.margin);
    node.set("unit", made.unit);
    const Image rows =
        node.write("result", volume_like(graph, "sums_x", sum_dims, Format::r32_uint));
    node.dispatch_each(static_cast<std::uint32_t>(sum_dims.y) *
                       static_cast<std::uint32_t>(sum_dims.z));
    made.sums = along_columns(graph, "sums_z", along_columns(graph, "sums_y", rows, 1), 2);
    return made;
}

} // namespace tuff::passes
