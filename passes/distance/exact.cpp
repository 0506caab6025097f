#include "passes/distance/exact.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/distance/field.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kWordLength = 32; // places of a line whose corners have a bit each
constexpr std::uint32_t kRowsOfGroup = 2; // as in exact_rows.comp
// As in exact_hulls.comp: of a group.
constexpr std::uint32_t kTileTexels = 32 * 256;
constexpr std::uint32_t kTileTexelsAlongZ = 32 * 128;
// As in exact_long.comp and exact_fill.comp.
constexpr std::uint32_t kLinesOfLongGroup = 16;
constexpr std::uint32_t kLinesOfFillGroup = 32;
constexpr std::uint32_t kWordsOfFillGroup = 4;

/// Hulls of all lines along an axis: see exact_hulls.comp.
struct LineHulls {
    Buffer corners;
    Buffer filled;
};

/// Adds what transforms the lines of an axis.
struct LineTransform {
    Graph& graph;
    glm::ivec3 size;
    std::uint32_t code_without_objects;

    /// `step` as in exact_hulls.comp. Returns `sites`, a buffer or an image, filled in;
    /// `write(node)` connects what the last kernel writes besides.
    template <typename Sites, typename Write>
    Sites add(std::uint32_t step, std::string_view name, Buffer source, Sites sites,
              Write write) const {
        const char* port = step == 1 ? "result" : "site_places";
        const LineHulls hulls = find_hulls(step, name, source);
        ComputeNodeBuilder node = graph.compute("distance/exact_fill", {{"STEP", step}}, name);
        node.set("size", size);
        if (step != 1) node.set("code_without_objects", code_without_objects);
        node.read(step == 2 ? "sites" : "columns", source);
        node.read("hulls", hulls.corners);
        node.read("filled", hulls.filled);
        sites = node.write(port, sites);
        write(node);
        node.dispatch(div_round_up(width(), kLinesOfFillGroup), across(step),
                      div_round_up(div_round_up(along(step), kWordLength), kWordsOfFillGroup));
        return sites;
    }

  private:
    std::uint32_t width() const { return static_cast<std::uint32_t>(size.x); }
    std::uint32_t along(std::uint32_t step) const {
        return static_cast<std::uint32_t>(step == 2 ? size.z : size.y);
    }
    std::uint32_t across(std::uint32_t step) const {
        return static_cast<std::uint32_t>(step == 0 ? 1 : step == 1 ? size.z : size.y);
    }
    Buffer words(std::string_view name, std::uint64_t count) const {
        return graph.buffer(name, {.size = 4 * count, .stride = 4});
    }

    LineHulls find_hulls(std::uint32_t step, std::string_view name, Buffer source) const {
        // Whole lines need no kernel that joins parts; otherwise groups read whole sectors of
        // memory.
        const std::uint32_t texels = step == 2 ? kTileTexelsAlongZ : kTileTexels;
        std::uint32_t lines = 32;
        while (lines > 8 && along(step) * lines > texels)
            lines /= 2;
        if (along(step) * lines > texels) lines = 32;
        const std::uint32_t places = texels / lines;
        const bool whole = along(step) <= places;

        const std::uint32_t words_of_line = div_round_up(along(step), kWordLength);
        const std::uint64_t all = std::uint64_t{width()} * across(step);
        ComputeNodeBuilder node =
            graph.compute("distance/exact_hulls", {{"STEP", step}, {"LINES", lines}},
                          fmt::format("{}_hulls", name));
        node.set("size", size);
        node.set("whole", whole ? 1u : 0u);
        node.read(step == 2 ? "sites" : "columns", source);
        LineHulls hulls;
        hulls.corners = node.write("hulls", words("hulls", all * words_of_line));
        const std::uint64_t blocks = all * div_round_up(words_of_line, kWordLength);
        hulls.filled = node.write("filled", words("filled", blocks));
        node.dispatch(div_round_up(width(), lines), across(step),
                      div_round_up(along(step), places));
        return whole ? hulls : joined(source, hulls, places / kWordLength);
    }

    /// Hulls of whole columns of a picture, from those of `words` words each.
    LineHulls joined(Buffer columns, const LineHulls& parts, std::uint32_t words) const {
        ComputeNodeBuilder node = graph.compute("distance/exact_long", "joins");
        node.set("size", glm::ivec2(size));
        node.set("joined", static_cast<int>(words));
        node.read("columns", columns);
        LineHulls hulls = parts;
        hulls.corners = node.write("hulls", parts.corners);
        hulls.filled = node.write("filled", parts.filled);
        node.dispatch(div_round_up(width(), kLinesOfLongGroup));
        return hulls;
    }
};

} // namespace

void ExactDistance::describe(PassInfo<ExactDistance>& info) {
    info.summary("Measures exact squared Euclidean distances to the nearest object, and finds it")
        .details(
            "The time depends on the number of texels and little on the number of objects.\n\nThe "
            "rows come first: each texel finds the nearest object of its row among the row's bits. "
            "Columns follow, and lines along z in a volume: among the sites of a line only the "
            "corners of a lower convex hull can be nearest to any texel. Hulls of 32 places are "
            "joined two by two; a corner owns the texels from where it becomes nearer than the "
            "previous corner.\n\nWithout any object, the field holds 2^31 - 1 and the site 2^32 - "
            "1, and a warning reports it. At equal distance the first object in row order wins. "
            "Pictures may have 16,384 texels along a side, volumes 512.")
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
    info.input("seed", &ExactDistance::seed, "a picture or volume of integers");
    info.parameter("to", &ExactDistance::to, "texels to measure the distance to");
    info.output("field", &ExactDistance::field, "squared distance in texels, r32_uint");
    info.output("site", &ExactDistance::site,
                "position of that object, r32_uint: x | y << 16; in volumes x | y << 10 | z << 20");
    info.output("status", &ExactDistance::status,
                "a DistanceStatus; its objects are the texels that distances are measured to")
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
    rows.read("seed", ImageView(seed).mip(0), Sampler::nearest());
    rows.specialize("kWords", static_cast<std::int32_t>(div_round_up(extent.width, kWordLength)));
    rows.set("size", size);
    rows.set("background", std::uint32_t(to == DistanceTo::background));
    const Buffer columns =
        rows.write("columns", words("columns", 2 * rows_of_all * div_round_up(extent.width, 4u)));
    const Buffer counted = rows.accumulate("status", clear_status(graph));
    rows.dispatch(div_round_up(extent.height, kRowsOfGroup), extent.depth);

    const ImageDesc result{
        .format = Format::r32_uint, .extent = extent, .shape = graph.desc(seed).shape};
    const auto write_results = [&](ComputeNodeBuilder& node) {
        node.match<DistanceStatus>("status");
        status = node.write("status", counted);
        graph.status<DistanceStatus>(status);
        field = node.write("field", graph.image("field", result));
    };
    const LineTransform lines_of{graph, size,
                                 to == DistanceTo::background ? kFullSeed : kEmptySeed};
    site = graph.image("site", result);
    if (!volume) {
        site = lines_of.add(0, "columns", columns, site, write_results);
        return;
    }
    const Buffer sites = lines_of.add(1, "along_y", columns,
                                      words("sites", rows_of_all * extent.width), [](auto&) {});
    site = lines_of.add(2, "along_z", sites, site, write_results);
}

TUFF_PASS(ExactDistance)

} // namespace tuff::passes
