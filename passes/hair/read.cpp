#include "passes/hair/read.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/warning.hpp"
#include "passes/hair/hair_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

void ReadHair::describe(PassInfo<ReadHair>& info) {
    info.summary("Reads a groom from a file")
        .details(
            "\"hair\" is the format of Cem Yuksel's hair models. An array asset reads its "
            "bytes: {\"array\": \"wCurly.hair\"}. \"rows\" are four floats a point: the number "
            "of its strand, x, y and z, as an array asset reads them from a .csv.\n\n"
            "Strands begin at their roots. Each is resampled to \"vertices\" points at even "
            "distances. Thickness and colors are ignored. Strands of length 0 or with numbers "
            "that are not finite are left out with a warning.\n\n"
            "Errors: hair/not-constant, hair/corrupt-file, hair/too-large.")
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
    info.parameter("format", &ReadHair::format, "format of the file").structural();
    info.parameter("vertices", &ReadHair::vertices, "vertices of a strand")
        .range(2, kMaxStrandVertices)
        .structural();
    info.parameter("most", &ReadHair::most, "largest number of strands to read")
        .range(0, kMaxStrands)
        .structural();
    info.parameter("scale", &ReadHair::scale, "world units in one unit of the file's lengths")
        .range(1e-6, 1e6)
        .structural();
    info.parameter("shift", &ReadHair::shift, "offset added to points after scaling")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units")
        .structural();
    info.parameter("z_up", &ReadHair::z_up, "whether z is up in the file").structural();
    info.output("groom", &ReadHair::groom, "the hair, one group");
}

void ReadHair::build(Graph& graph) {
    const VersionDesc& version = graph.peek().versions[file.version.index];
    const auto& contents = graph.peek().resources[version.resource.index].contents;
    if (!contents) {
        graph.error("hair/not-constant",
                    "the file's bytes are not known when the graph is "
                    "built",
                    "connect a constant, for example an array asset");
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
                             fmt::format("{} strands of the file are not finite or have length "
                                         "0; they are left out",
                                         even.left_out),
                             "fix the file"));
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
