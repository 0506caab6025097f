#include "passes/isosurface/metaballs.hpp"

#include "passes/isosurface/isosurface.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {

void Metaballs::describe(PassInfo<Metaballs>& info) {
    info.summary("Makes a field of metaballs, for isosurface/marching_cubes")
        .details(
            "Each ball adds (1 - (d / r)^2)^3 at distance d from its center, up to its radius "
            "r, and nothing beyond; the sum is twice continuously differentiable. A single "
            "ball has the value 0.5 at 0.454 r.\n\n"
            "Groups of texels skip balls that do not reach them. Balls are added in their "
            "order, so every run gives the same sum. A ball whose radius is not positive or is "
            "NaN adds nothing.")
        .source("G. Wyvill, C. McPheeters and B. Wyvill, \"Data Structure for Soft Objects\", The "
                "Visual Computer 2, 1986; J. Blinn, \"A Generalization of Algebraic Surface "
                "Drawing\", TOG 1982")
        .complexity("O(texels / 256 * balls + texels * balls that reach them)")
        .cost([](const Metaballs& pass, const Graph& graph) {
            const double texels =
                1.0 * pass.dims.x * pass.dims.y * static_cast<double>(pass.dims.z);
            const double balls =
                pass.balls ? static_cast<double>(graph.desc(pass.balls).size) / 16.0 : 0.0;
            return Cost{.bytes = 4.0 * texels + 16.0 * balls,
                        .operations = texels / 256.0 * balls * 12.0};
        });
    info.input("balls", &Metaballs::balls, "x, y and z of the center, and the radius")
        .elements<glm::vec4>();
    info.parameter("dims", &Metaballs::dims, "texels of the field along x, y and z")
        .range(1, kMaxIsosurfaceSide)
        .unit("texels")
        .structural();
    info.parameter("spacing", &Metaballs::spacing, "distance between texels")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units");
    info.parameter("origin", &Metaballs::origin, "position of the first texel's center")
        .unit("world units");
    info.parameter("weight", &Metaballs::weight, "factor of the sum").range(-1e6, 1e6);
    info.output("field", &Metaballs::field, "the field, a volume, r32_sfloat");
}

void Metaballs::build(Graph& graph) {
    const Extent extent{dims.x, dims.y, dims.z};
    ComputeNodeBuilder node = graph.compute("isosurface/metaballs");
    node.read("balls", balls);
    node.set("dims", glm::ivec3(dims));
    node.set("ball_count", static_cast<std::uint32_t>(graph.desc(balls).size / 16));
    node.set("origin", origin);
    node.set("weight", weight);
    node.set("spacing", spacing);
    field = node.write("field", graph.image("field", {.format = Format::r32_sfloat,
                                                      .extent = extent,
                                                      .shape = ImageShape::d3}));
    node.dispatch_over(extent);
}

TUFF_PASS(Metaballs)

} // namespace tuff::passes
