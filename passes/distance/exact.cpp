#include "passes/distance/exact.hpp"

#include "passes/common/divided_up.hpp"
#include "passes/distance/field.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>

namespace tuff::passes {
namespace {

// As in exact_hulls.comp: of a group.
constexpr std::uint32_t kBandLength = 32;
constexpr std::uint32_t kTileTexels = 32 * 256;
constexpr std::uint32_t kTileTexelsAlongZ = 32 * 128;
// As in exact_long.comp and exact_texels.comp.
constexpr std::uint32_t kLinesOfLongGroup = 16;
constexpr std::uint32_t kLinesOfTexelGroup = 32;
constexpr std::uint32_t kBandsOfTexelGroup = 8;

/// Adds what transforms the lines of an axis.
struct LineTransform {
    Graph& graph;
    glm::ivec3 size;
    std::uint32_t lines_of_group;
    std::uint32_t code_without_objects;

    /// `step` as in exact_hulls.comp; `write(node)` connects what the last kernel writes.
    template <typename Write>
    void add(std::uint32_t step, std::string_view name, Buffer source, Write write) const {
        const auto along = static_cast<std::uint32_t>(step == 2 ? size.z : size.y);
        const auto across = static_cast<std::uint32_t>(step == 0 ? 1 : step == 1 ? size.z : size.y);
        const auto width = static_cast<std::uint32_t>(size.x);
        const std::uint32_t bands = divided_up(along, kBandLength);
        const std::uint32_t lines = step == 2 ? 8 : lines_of_group;
        const std::uint32_t places = (step == 2 ? kTileTexelsAlongZ : kTileTexels) / lines;
        const char* port = step == 2 ? "sites" : "columns";

        ComputeNodeBuilder hull =
            graph.compute("distance/exact_hulls", {{"STEP", step}, {"LINES", lines}},
                          fmt::format("{}_hulls", name));
        hull.set("size", size);
        hull.read(port, source);
        Buffer hulls = hull.write(
            "hulls", graph.buffer("hulls", {.size = std::uint64_t{4} * bands * across * width,
                                            .stride = 4}));
        hull.dispatch(divided_up(width, lines), across, divided_up(along, places));
        if (along > places) hulls = joined(source, hulls, places / kBandLength);

        ComputeNodeBuilder texels =
            graph.compute("distance/exact_texels", {{"STEP", step}}, name);
        texels.set("size", size);
        if (step != 1) texels.set("code_without_objects", code_without_objects);
        texels.read(port, source);
        texels.read("hulls", hulls);
        write(texels);
        texels.dispatch(divided_up(width, kLinesOfTexelGroup), across,
                        divided_up(bands, kBandsOfTexelGroup));
    }

  private:
    /// Hulls of whole columns of a picture, from those of `words` words each.
    Buffer joined(Buffer columns, Buffer hulls, std::uint32_t words) const {
        ComputeNodeBuilder node = graph.compute("distance/exact_long", "joins");
        node.set("size", glm::ivec2(size));
        node.set("joined", static_cast<int>(words));
        node.read("columns", columns);
        hulls = node.write("hulls", hulls);
        node.dispatch(divided_up(static_cast<std::uint32_t>(size.x), kLinesOfLongGroup));
        return hulls;
    }
};

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
    info.parameter("lines_of_group", &ExactDistance::lines_of_group, "8, 16 or 32")
        .structural();
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
    const std::uint64_t rows_of_all = std::uint64_t{extent.height} * extent.depth;
    const auto words = [&](std::string_view name, std::uint64_t count) {
        return graph.buffer(name, {.size = 4 * count, .stride = 4});
    };

    ComputeNodeBuilder rows = graph.compute("distance/exact_rows", {{"VOLUME", volume}}, "rows");
    rows.read("seed", ImageView(seed).mip(0));
    rows.set("size", size);
    rows.set("background", std::uint32_t(to == DistanceTo::background));
    const Buffer columns =
        rows.write("columns", words("columns", 2 * rows_of_all * divided_up(extent.width, 4u)));
    const Buffer counted = rows.accumulate("status", clear_status(graph));
    rows.dispatch(extent.height, extent.depth);

    const ImageDesc result{
        .format = Format::r32_uint, .extent = extent, .shape = graph.desc(seed).shape};
    const auto write_results = [&](ComputeNodeBuilder& node) {
        node.match<DistanceStatus>("status");
        status = node.write("status", counted);
        graph.status<DistanceStatus>(status);
        field = node.write("field", graph.image("field", result));
        site = node.write("site_places", graph.image("site", result));
    };
    const LineTransform lines_of{graph, size, lines_of_group,
                                 to == DistanceTo::background ? kFullSeed : kEmptySeed};
    if (!volume) return lines_of.add(0, "columns", columns, write_results);
    Buffer sites;
    lines_of.add(1, "along_y", columns, [&](ComputeNodeBuilder& node) {
        sites = node.write("result", words("sites", rows_of_all * extent.width));
    });
    lines_of.add(2, "along_z", sites, write_results);
}

TUFF_PASS(ExactDistance)

} // namespace tuff::passes
