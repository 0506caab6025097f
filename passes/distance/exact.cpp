#include "passes/distance/exact.hpp"

#include "passes/common/divided_up.hpp"
#include "passes/distance/field.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLinesOfGroup = 8; // as in exact_lines.comp

} // namespace

void ExactDistance::describe(PassInfo<ExactDistance>& info) {
    info.summary("Squared Euclidean distance to the nearest object, exact, and where that is")
        .details(
            "Rows first: each texel finds the nearest object of its row among the row's bits. Then "
            "the columns, and the lines along z of a volume: among the sites of a line only the "
            "corners of a lower convex hull can be the nearest of any texel. Hulls of 32 places "
            "are joined two by two. The time depends on the number of texels and hardly on how "
            "many of them are objects.\n\n"
            "Where there is no object at all, the field holds 2^31 - 1 and the site 2^32 - 1; a "
            "warning says so. Of several objects at the same distance the first in the order of "
            "rows is the nearest. Pictures may have 16,384 texels along a side, volumes 512.")
        .source(
            "Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012 "
            "(what to make); Saito and Toriwaki, \"New algorithms for Euclidean distance "
            "transformation\", Pattern Recognition 27, 1994 (axis by axis); Cao, Tang, Mohamed "
            "and Tan, \"Parallel Banding Algorithm to compute exact distance transform with the "
            "GPU\", I3D 2010 (bands)")
        .complexity("O(texels)")
        .cost([](const ExactDistance& pass, const Graph& graph) -> Cost {
            if (!pass.seed || !pass.field) return {};
            const ImageDesc& desc = graph.desc(pass.seed);
            const double texels =
                static_cast<double>(desc.extent.width) * desc.extent.height * desc.extent.depth;
            const double between = desc.shape == ImageShape::d3 ? 12.0 : 4.0;
            return {.bytes = texels * (tuff::info(desc.format).texel_bytes + between + 8.0),
                    .operations = 20.0 * texels};
        });
    info.input("seed", &ExactDistance::seed, "a picture or volume of whole numbers");
    info.parameter("to", &ExactDistance::to, "which texels the distance leads to");
    info.output("field", &ExactDistance::field, "squared distance in texels, r32_uint");
    info.output("site", &ExactDistance::site,
                "where that object is, r32_uint: x | y << 16; of volumes x | y << 10 | z << 20");
    info.output("status", &ExactDistance::status,
                "a DistanceStatus; its objects are the texels that the distance leads to")
        .elements<DistanceStatus>();
}

void ExactDistance::build(Graph& graph) {
    if (!is_seed(graph, seed, kExactLimits)) return;
    const Extent extent = graph.extent(seed);
    const bool volume = graph.desc(seed).shape == ImageShape::d3;
    const glm::ivec3 size(static_cast<int>(extent.width), static_cast<int>(extent.height),
                          static_cast<int>(extent.depth));
    const std::uint64_t lines = std::uint64_t{extent.height} * extent.depth;
    const auto words = [&](std::string_view name, std::uint64_t count) {
        return graph.buffer(name, {.size = 4 * count, .stride = 4});
    };

    ComputeNodeBuilder rows = graph.compute("distance/exact_rows", {{"VOLUME", volume}}, "rows");
    rows.read("seed", ImageView(seed).mip(0));
    rows.set("size", size);
    rows.set("background", std::uint32_t(to == DistanceTo::background));
    const Buffer columns =
        rows.write("columns", words("columns", lines * divided_up(extent.width, 2u)));
    const Buffer counted = rows.accumulate("status", clear_status(graph));
    rows.dispatch(extent.height, extent.depth);

    const std::uint32_t strips = divided_up(extent.width, kLinesOfGroup);
    const auto along = [&](std::uint32_t step, std::string_view name, std::uint32_t across) {
        ComputeNodeBuilder node = graph.compute("distance/exact_lines", {{"STEP", step}}, name);
        node.set("size", size);
        node.set("code_without_objects", to == DistanceTo::background ? kFullSeed : kEmptySeed);
        node.dispatch(strips, across);
        return node;
    };
    const ImageDesc result{
        .format = Format::r32_uint, .extent = extent, .shape = graph.desc(seed).shape};
    const auto write_results = [&](ComputeNodeBuilder& node) {
        node.match<DistanceStatus>("status");
        status = node.write("status", counted);
        graph.status<DistanceStatus>(status);
        field = node.write("field", graph.image("field", result));
        site = node.write("site_places", graph.image("site", result));
    };
    if (!volume) {
        ComputeNodeBuilder down = along(0, "columns", 1);
        down.read("columns", columns);
        return write_results(down);
    }
    ComputeNodeBuilder down = along(1, "along_y", extent.depth);
    down.read("columns", columns);
    const Buffer sites = down.write("result", words("sites", lines * extent.width));
    ComputeNodeBuilder deep = along(2, "along_z", extent.height);
    deep.read("sites", sites);
    write_results(deep);
}

TUFF_PASS(ExactDistance)

} // namespace tuff::passes
