#include "passes/displacement/patches.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void MakePatches::describe(PassInfo<MakePatches>& info) {
    info.summary("Makes quads to be displaced: a ground with hills, or a trunk")
        .details("The quads of a ground lie in rows. Each has the whole map, x along the map's "
                 "first coordinate and -z along its second. The quads of a trunk go around the "
                 "y axis and up, with \"repeats\" maps around and \"repeats_up\" maps one above "
                 "the other.")
        .complexity("O(patches)")
        .cost([](const MakePatches& pass, const Graph&) {
            const double patches = static_cast<double>(pass.columns) * pass.rows;
            return Cost{.bytes = 128.0 * patches, .operations = 100.0 * patches};
        });
    info.parameter("layout", &MakePatches::layout, "arrangement of the quads").structural();
    info.parameter("columns", &MakePatches::columns, "quads along x, or around the trunk")
        .range(1, 2048)
        .structural();
    info.parameter("rows", &MakePatches::rows, "quads along z, or up the trunk")
        .range(1, 2048)
        .structural();
    info.parameter("size", &MakePatches::size,
                   "ground: size along x and z; trunk: radius and height")
        .range(1e-6, 1e6)
        .unit("world units");
    info.parameter("hills", &MakePatches::hills,
                   "height of hills; trunk: relative change of the radius");
    info.parameter("waves", &MakePatches::waves, "hills along a side, or up the trunk")
        .range(0.0, 1024.0);
    info.parameter("repeats", &MakePatches::repeats, "maps around a trunk; must divide \"columns\"")
        .range(1, 2048);
    info.parameter("repeats_up", &MakePatches::repeats_up,
                   "maps up a trunk; must divide \"rows\"; 0: each row of quads is one map high")
        .range(0, 2048);
    info.output("patches", &MakePatches::patches, "the patches, for displacement/surface")
        .elements<PatchRecord>();
}

void MakePatches::build(Graph& graph) {
    const bool trunk = layout == PatchLayout::trunk;
    if (trunk && (columns < 3 || columns % repeats != 0)) {
        graph.error(
            "displacement/trunk",
            fmt::format("a trunk of {} columns cannot have {} maps around it", columns, repeats),
            "use at least three columns, and a number of maps that divides them");
        return;
    }
    if (trunk && repeats_up > 0 && rows % repeats_up != 0) {
        graph.error("displacement/trunk",
                    fmt::format("a trunk of {} rows cannot have {} maps one above the other", rows,
                                repeats_up),
                    "use a number of maps that divides the rows");
        return;
    }
    ComputeNodeBuilder node = graph.compute("displacement/patches");
    node.specialize("around", std::uint32_t(trunk));
    node.set("count", glm::uvec2(columns, rows));
    node.set("size", size);
    node.set("hills", hills);
    node.set("waves", waves);
    node.set("repeats", glm::uvec2(repeats, repeats_up > 0 ? repeats_up : rows));
    const std::uint32_t count = columns * rows;
    patches = node.write(
        "result", graph.buffer("patches", {.size = std::uint64_t{count} * sizeof(PatchRecord),
                                           .stride = sizeof(PatchRecord)}));
    node.dispatch_each(count);
}

TUFF_PASS(MakePatches)

} // namespace tuff::passes
