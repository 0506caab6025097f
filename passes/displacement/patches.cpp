#include "passes/displacement/patches.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void MakePatches::describe(PassInfo<MakePatches>& info) {
    info.summary("Makes quads to displace: a ground with hills, or a trunk")
        .details("The ground's quads lie in rows, each with a whole map, x along the map's first "
                 "coordinate and -z along its second. A trunk's go around the y axis and up, with "
                 "\"repeats\" maps around, each row of quads a map high.")
        .complexity("O(patches)")
        .cost([](const MakePatches& pass, const Graph&) {
            const double patches = static_cast<double>(pass.columns) * pass.rows;
            return Cost{.bytes = 128.0 * patches, .operations = 100.0 * patches};
        });
    info.parameter("layout", &MakePatches::layout, "how the quads lie").structural();
    info.parameter("columns", &MakePatches::columns, "quads along x, or around the trunk")
        .range(1, 2048)
        .structural();
    info.parameter("rows", &MakePatches::rows, "quads along z, or up the trunk")
        .range(1, 2048)
        .structural();
    info.parameter("size", &MakePatches::size,
                   "of the ground along x and z; of the trunk radius and height")
        .range(1e-6, 1e6)
        .unit("world units");
    info.parameter("hills", &MakePatches::hills,
                   "how high hills are; of a trunk, the share of the radius that it swells by");
    info.parameter("waves", &MakePatches::waves, "hills along a side, or up the trunk")
        .range(0.0, 1024.0);
    info.parameter("repeats", &MakePatches::repeats,
                   "maps around a trunk; they must divide its columns")
        .range(1, 2048);
    info.output("patches", &MakePatches::patches, "for displacement/surface")
        .elements<PatchRecord>();
}

void MakePatches::build(Graph& graph) {
    const bool trunk = layout == PatchLayout::trunk;
    if (trunk && (columns < 3 || columns % repeats != 0)) {
        graph.error("displacement/trunk",
                    fmt::format("a trunk of {} columns with {} maps around", columns, repeats),
                    "take at least three columns, and maps whose number divides theirs");
        return;
    }
    ComputeNodeBuilder node = graph.compute("displacement/patches");
    node.specialize("around", std::uint32_t(trunk));
    node.set("count", glm::uvec2(columns, rows));
    node.set("size", size);
    node.set("hills", hills);
    node.set("waves", waves);
    node.set("repeats", repeats);
    const std::uint32_t count = columns * rows;
    patches = node.write(
        "result", graph.buffer("patches", {.size = std::uint64_t{count} * sizeof(PatchRecord),
                                           .stride = sizeof(PatchRecord)}));
    node.dispatch_each(count);
}

TUFF_PASS(MakePatches)

} // namespace tuff::passes
