#include "passes/hair/read.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/warning.hpp"
#include "passes/hair/hair_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

void ReadHair::describe(PassInfo<ReadHair>& info) {
    info.summary("Makes a groom of the strands in a file")
        .details(
            "The format \"hair\" is that of Cem Yuksel's hair models, whose bytes an array asset "
            "reads: {\"array\": \"wCurly.hair\"}. \"rows\" are four floats a point, the number of "
            "its strand and its place, as a .csv of that shape has them. Strands begin at their "
            "roots, and are resampled to \"vertices\" points at even distances; thickness and "
            "colours are left out. Strands without length or with numbers that are not finite are "
            "left out with a warning. Errors: hair/not-constant, hair/corrupt-file, "
            "hair/too-large.")
        .source("Yuksel, Schaefer and Keyser, \"Hair Meshes\", ACM TOG 28(5), 2009 (file format)")
        .complexity("O(vertices)")
        .cost([](const ReadHair& pass, const Graph&) {
            return Cost{.bytes = 64.0 * static_cast<double>(pass.groom.vertex_count())};
        });
    info.input("file", &ReadHair::file, "the file's bytes, a constant of the graph")
        .elements_from("u8, or four f32 of rows", [](const ReadHair& pass) {
            return pass.format == HairFileFormat::hair ? BufferElements(ElementType::u8, 1)
                                                       : BufferElements(ElementType::f32, 4);
        });
    info.parameter("format", &ReadHair::format, "of the file").structural();
    info.parameter("vertices", &ReadHair::vertices, "of a strand")
        .range(2, kMaxStrandVertices)
        .structural();
    info.parameter("most", &ReadHair::most, "strands that are taken")
        .range(0, kMaxStrands)
        .structural();
    info.parameter("scale", &ReadHair::scale, "of the file's lengths")
        .range(1e-6, 1e6)
        .structural();
    info.parameter("shift", &ReadHair::shift, "of the points, after scaling")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units")
        .structural();
    info.parameter("z_up", &ReadHair::z_up, "z is up in the file").structural();
    info.output("groom", &ReadHair::groom, "one group");
}

void ReadHair::build(Graph& graph) {
    const VersionDesc& version = graph.peek().versions[file.version.index];
    const auto& contents = graph.peek().resources[version.resource.index].contents;
    if (!contents) {
        graph.error("hair/not-constant", "the file's bytes are not known when the graph is built",
                    "give the file as a constant");
        return;
    }
    const Result<HairLines> lines =
        format == HairFileFormat::hair ? read_hair_file(*contents) : read_hair_rows(*contents);
    if (!lines) {
        for (const Diagnostic& diagnostic : lines.error())
            graph.report(diagnostic);
        return;
    }
    if (!has_room(graph, std::min<std::size_t>(lines->count(), most), vertices)) return;
    const EvenStrands even = resampled(*lines, vertices, most);
    if (even.left_out > 0)
        graph.report(warning("hair/bad-strand",
                             fmt::format("{} strands of the file are not finite or have no length, "
                                         "and are left out",
                                         even.left_out),
                             "mend the file"));
    std::vector<glm::vec4> points;
    points.reserve(even.points.size() + 1);
    for (const glm::vec3& p : even.points)
        points.emplace_back((z_up ? glm::vec3(p.x, p.z, -p.y) : p) * scale + shift, 1.0f);
    if (points.empty()) points.emplace_back(0.0f);
    const std::vector<std::uint32_t> groups(std::max(even.count, 1u), 0u);
    groom = prepared(graph, constant_array(graph, "points", points),
                     constant_array(graph, "groups", groups), even.count, vertices, 1);
}

TUFF_PASS(ReadHair)

} // namespace tuff::passes
