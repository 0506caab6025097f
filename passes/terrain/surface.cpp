#include "passes/terrain/surface.hpp"

#include <algorithm>

namespace tuff::passes {

void set_surface(KernelNode& node, const Surface& surface) {
    node.specialize("surface_kind", static_cast<std::uint32_t>(surface.kind));
    node.read_optional("heights", surface.heights, Sampler::nearest());
    node.set("ground", surface.ground);
    node.set("shape", surface.shape);
}

void MakeSurface::describe(PassInfo<MakeSurface>& info) {
    info.summary("Says what the ground, or another surface over the unit square, looks like")
        .details("A square in the plane y = 0 about the origin, u along x and v along z, with "
                 "heights above it: those of \"heights\" (its first channel; the first and the "
                 "last texel lie at the square's edges, and what is between is interpolated), "
                 "times \"height\", plus \"base\". Heights that are not finite count as 0.")
        .complexity("none: it only says what other passes do");
    info.optional_input("heights", &MakeSurface::heights, "a map of heights in its first channel")
        .picture();
    info.parameter("kind", &MakeSurface::kind, "what the square becomes").structural();
    info.parameter("side", &MakeSurface::side, "of the square")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("height", &MakeSurface::height, "what heights of the map are multiplied by")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("base", &MakeSurface::base, "what is added to heights")
        .range(-1e6, 1e6)
        .unit("world units");
    info.output("surface", &MakeSurface::surface, "for the other passes of terrain");
}

void MakeSurface::build(Graph&) {
    surface = {.heights = heights, .kind = kind, .ground = {side, height, base, 0.0f}};
    surface.bounds = {std::min(base, base + height), std::max(base, base + height), 0.0f, 0.0f};
}

TUFF_PASS(MakeSurface)

} // namespace tuff::passes
