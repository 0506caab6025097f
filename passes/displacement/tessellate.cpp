#include "passes/displacement/tessellate.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void TessellateDisplaced::describe(PassInfo<TessellateDisplaced>& info) {
    info.summary("Makes a mesh of a displaced surface")
        .details(
            "Each cell of a level becomes two triangles, cell by cell and patch by patch: the "
            "triangles that displacement/cast hits. Patches share no vertices. Casting rays at "
            "the patches directly saves the memory of this mesh.")
        .complexity("O(patches * 4^level)")
        .cost([](const TessellateDisplaced& pass, const Graph&) {
            const std::uint32_t level =
                pass.level < 0 ? pass.surface.level : static_cast<std::uint32_t>(pass.level);
            const double cells =
                static_cast<double>(pass.surface.count) * static_cast<double>(1u << 2 * level);
            return Cost{.bytes = 36.0 * cells, .operations = 150.0 * cells};
        });
    info.input("surface", &TessellateDisplaced::surface, "the surface, from displacement/surface");
    info.parameter("level", &TessellateDisplaced::level,
                   "level: a side has 2^level cells; -1: the surface's finest level")
        .range(-1, DisplaceSurface::kFinest)
        .structural();
    info.output("mesh", &TessellateDisplaced::mesh, "the mesh, for example for bvh/lbvh_build");
}

void TessellateDisplaced::build(Graph& graph) {
    const std::uint32_t fine = level < 0 ? surface.level : static_cast<std::uint32_t>(level);
    const std::uint64_t side = std::uint64_t{1} << fine;
    const std::uint64_t triangles = 2 * side * side * surface.count;
    if (triangles > kMaxMeshTriangles) {
        graph.error("displacement/large-mesh",
                    fmt::format("{} patches of level {} make {} triangles; a mesh has at most "
                                "{}",
                                surface.count, fine, triangles, kMaxMeshTriangles),
                    "use a lower level");
        return;
    }
    const std::uint64_t points = (side + 1) * (side + 1) * surface.count;
    ComputeNodeBuilder node = graph.compute("displacement/tessellate");
    surface.bind(node);
    node.set("count", surface.count);
    node.set("level", fine);
    node.set("scale", surface.scale);
    mesh = {.positions = node.write("positions",
                                    graph.buffer("positions", {.size = 12 * points, .stride = 4})),
            .indices = node.write("indices",
                                  graph.buffer("indices", {.size = 12 * triangles, .stride = 4})),
            .draws = {},
            .vertex_count = static_cast<std::uint32_t>(points),
            .triangle_count = static_cast<std::uint32_t>(triangles)};
    dispatch_each(node, points, 64);
}

TUFF_PASS(TessellateDisplaced)

} // namespace tuff::passes
