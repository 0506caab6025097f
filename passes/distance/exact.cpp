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
constexpr std::uint32_t kGroupTexels = 32 * 256;
constexpr std::uint32_t kGroupTexelsAlongZ = 32 * 128;
constexpr std::uint32_t kLinesOfParts = 32; // of a picture's columns
// As in exact_small.comp.
constexpr std::uint32_t kGroupTexelsOfColumns = 16 * 256;
constexpr int kSmallSide = 1024;
// More words of a column leave shared memory for four in a group of exact_long.
constexpr std::uint32_t kMostWordsOfEightLines = 256;
constexpr std::uint32_t kLinesOfFillGroup = 32; // as in exact_fill.comp
// As in exact_line.glsl.
constexpr std::uint32_t kMarksOfWord = 32;
constexpr std::uint32_t kWindowRows = 64;

/// What exact_rows writes.
struct Rows {
    Buffer columns;
    Buffer objects;
    Buffer marks; ///< of pictures
};

/// The hulls of all lines along an axis: see exact_hulls.comp.
struct LineHulls {
    Buffer corners;
    Buffer filled;
    Buffer begins;
    Buffer firsts;
};

/// Adds what transforms the lines of an axis.
struct LineTransform {
    Graph& graph;
    glm::ivec3 size;
    std::uint32_t code_without_objects;
    Rows rows;
    Buffer status;
    Buffer dense; ///< of pictures: as exact_hulls writes it

    /// `step` as in exact_hulls.comp. Returns `sites`, a buffer or an image, filled in;
    /// `write(node)` connects what the last kernel writes besides.
    template <typename Sites, typename Write>
    Sites add(std::uint32_t step, std::string_view name, Buffer source, Sites sites, Write write) {
        const LineHulls hulls = find_hulls(step, name, source);
        ComputeNodeBuilder node = graph.compute("distance/exact_fill", {{"STEP", step}}, name);
        node.set("size", size);
        node.read(step == 2 ? "sites" : "columns", source);
        if (step == 0) node.read("dense", dense);
        node.read("hulls", hulls.corners);
        node.read("filled", hulls.filled);
        node.read("begins", hulls.begins);
        node.read("firsts", hulls.firsts);
        sites = node.write(step == 1 ? "result" : "site_places", sites);
        write(node);
        node.dispatch(div_round_up(width(), kLinesOfFillGroup), across(step), words_of_line(step));
        return sites;
    }

    /// Whether squared distances and places fit in one word, and a group has whole columns.
    bool is_small() const { return size.x <= kSmallSide && size.y <= kSmallSide; }
    template <typename Write>
    Image fill_small_columns(Image sites, Write write) {
        const std::uint32_t lines = whole_lines(0, kGroupTexelsOfColumns, 8);
        ComputeNodeBuilder node =
            graph.compute("distance/exact_small", {{"LINES", lines}}, "columns");
        node.set("size", size);
        node.read("columns", rows.columns);
        node.read("marks", rows.marks);
        write_status(node, 0);
        sites = node.write("site_places", sites);
        write(node);
        node.dispatch(div_round_up(width(), lines) + 1); // the last group writes the status
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
    std::uint32_t row_groups() const {
        return div_round_up(static_cast<std::uint32_t>(size.y), kRowsOfGroup);
    }
    std::uint32_t words_of_line(std::uint32_t step) const {
        return div_round_up(along(step), kWordLength);
    }
    Buffer words(std::string_view name, std::uint64_t count) const {
        return graph.buffer(name, {.size = 4 * count, .stride = 4});
    }

    /// Connects what a kernel writes besides the corners.
    void write_owners(ComputeNodeBuilder& node, std::uint32_t step, LineHulls& hulls) const {
        const std::uint64_t all = std::uint64_t{width()} * across(step);
        const std::uint32_t blocks = div_round_up(words_of_line(step), kWordLength);
        hulls.filled = node.write("filled", words("filled", all * blocks));
        hulls.begins = node.write("begins", words("begins", all * words_of_line(step)));
        hulls.firsts = node.write("firsts", words("firsts", all * words_of_line(step)));
    }

    std::uint32_t group_texels(std::uint32_t step) const {
        return step == 2 ? kGroupTexelsAlongZ : kGroupTexels;
    }
    /// Lines of a group that has whole ones, at most so many: one variant of the kernel more would
    /// only serve short lines.
    std::uint32_t whole_lines(std::uint32_t step, std::uint32_t texels, std::uint32_t lines) const {
        while (along(step) * lines > texels)
            lines /= 2;
        return lines;
    }
    /// Lines of a group of exact_hulls.
    std::uint32_t lines_of_group(std::uint32_t step) const {
        return step == 0 ? kLinesOfParts
                         : whole_lines(step, group_texels(step), step == 1 ? 32 : 16);
    }
    std::uint32_t places_of_group(std::uint32_t step) const {
        return group_texels(step) / lines_of_group(step);
    }

    void write_status(ComputeNodeBuilder& node, std::uint32_t step) {
        node.set("counts", static_cast<int>(across(step) * row_groups()));
        node.set("code_without_objects", code_without_objects);
        node.read("objects", rows.objects);
        node.match<DistanceStatus>("status");
        status = node.write("status", graph.buffer("status", {.size = sizeof(DistanceStatus)}));
    }

    LineHulls find_hulls(std::uint32_t step, std::string_view name, Buffer source) {
        ComputeNodeBuilder node =
            graph.compute("distance/exact_hulls", {{"STEP", step}, {"LINES", lines_of_group(step)}},
                          fmt::format("{}_hulls", name));
        node.set("size", size);
        node.read(step == 2 ? "sites" : "columns", source);
        if (step != 2) write_status(node, step);
        if (step == 0) {
            node.read("marks", rows.marks);
            dense = node.write("dense", words("dense", div_round_up(width(), kMarksOfWord)));
        }
        const std::uint64_t all = std::uint64_t{width()} * across(step);
        LineHulls hulls;
        hulls.corners = node.write("hulls", words("hulls", all * words_of_line(step)));
        if (step != 0) write_owners(node, step, hulls);
        node.dispatch(div_round_up(width(), lines_of_group(step)), across(step),
                      div_round_up(along(step), places_of_group(step)));
        if (step != 0) return hulls;
        return joined(source, hulls, places_of_group(step) / kWordLength);
    }

    /// Hulls of whole columns of a picture, from those of `words` words each.
    LineHulls joined(Buffer columns, const LineHulls& parts, std::uint32_t words) const {
        ComputeNodeBuilder node = graph.compute("distance/exact_long", "joins");
        const std::uint32_t lines = words_of_line(0) <= kMostWordsOfEightLines ? 8 : 4;
        node.specialize("kWords", static_cast<std::int32_t>(words_of_line(0)));
        node.specialize("kLines", static_cast<std::int32_t>(lines));
        node.set("size", glm::ivec2(size));
        node.set("joined", static_cast<int>(words));
        node.read("columns", columns);
        node.read("dense", dense);
        LineHulls hulls;
        hulls.corners = node.write("hulls", parts.corners);
        write_owners(node, 0, hulls);
        node.dispatch(div_round_up(width(), lines));
        return hulls;
    }
};

} // namespace

void ExactDistance::describe(PassInfo<ExactDistance>& info) {
    info.summary("Measures exact squared Euclidean distances to the nearest object, and finds it")
        .details(
            "The time depends on the number of texels and little on the number of objects; it is "
            "shortest where no texel is far from an object.\n\nThe rows come first: each texel "
            "finds the nearest object of its row among the row's bits. Columns follow, and lines "
            "along z in a volume: among the sites of a line only the corners of a lower convex "
            "hull can be nearest to any texel. Hulls of bands become one by taking corners off "
            "that others "
            "hide; a corner owns the texels from where it becomes nearer than the previous corner. "
            "Pictures of up to 1,024 texels a side need no hulls: between two texels of a column "
            "whose sites are known, others only look at the rows between these sites. "
            "In 32 columns of a picture that have objects in all parts, texels search the rows "
            "above and below instead.\n\nAn object's own distance is 0, and its site is itself. "
            "Nothing lies outside the picture. If there is nothing to measure to, every texel of "
            "the field is 2^31 - 1 and of the site 2^32 - 1: in an empty seed, where a warning "
            "reports it (distance/empty-seed), and with \"to\": \"background\" in a seed of "
            "objects alone (distance/full-seed). At equal distance the first object in row order "
            "wins. Pictures may have 16,384 texels along a side, volumes 512.")
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

    ComputeNodeBuilder node = graph.compute("distance/exact_rows", {{"VOLUME", volume}}, "rows");
    node.read("seed", ImageView(seed).mip(0), Sampler::nearest());
    node.specialize("kWords", static_cast<std::int32_t>(div_round_up(extent.width, kWordLength)));
    node.set("size", size);
    node.set("background", std::uint32_t(to == DistanceTo::background));
    const std::uint32_t groups = div_round_up(extent.height, kRowsOfGroup);
    Rows rows;
    rows.columns =
        node.write("columns", words("columns", 4 * rows_of_all * div_round_up(extent.width, 8u)));
    rows.objects = node.write("objects", words("objects", std::uint64_t{groups} * extent.depth));
    if (!volume) {
        const std::uint32_t words_of_marks =
            div_round_up(div_round_up(extent.width, kWordLength), kMarksOfWord);
        const std::uint32_t windows = div_round_up(extent.height, kWindowRows);
        rows.marks = node.write(
            "marks", words("marks", std::uint64_t{words_of_marks} * windows * kMarksOfWord));
    }
    node.dispatch(groups, extent.depth);

    const ImageDesc result{
        .format = Format::r32_uint, .extent = extent, .shape = graph.desc(seed).shape};
    const auto write_field = [&](ComputeNodeBuilder& last) {
        field = last.write("field", graph.image("field", result));
    };
    LineTransform lines_of{.graph = graph,
                           .size = size,
                           .code_without_objects =
                               to == DistanceTo::background ? kFullSeed : kEmptySeed,
                           .rows = rows};
    site = graph.image("site", result);
    if (volume) {
        const Buffer sites = words("sites", rows_of_all * extent.width);
        site = lines_of.add(2, "along_z",
                            lines_of.add(1, "along_y", rows.columns, sites, [](auto&) {}), site,
                            write_field);
    } else if (lines_of.is_small()) {
        site = lines_of.fill_small_columns(site, write_field);
    } else {
        site = lines_of.add(0, "columns", rows.columns, site, write_field);
    }
    status = lines_of.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(ExactDistance)

} // namespace tuff::passes
