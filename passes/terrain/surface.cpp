#include "passes/terrain/surface.hpp"

#include "passes/terrain/heights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr float kUnknownHeight = 1e30f;
constexpr float kTwoPi = 2.0f * std::numbers::pi_v<float>;

/// How long the knot's middle is at most per turn of its parameter, and how much a tube adds: the
/// derivative of the frame is below 9 turns of it.
float knot_span(float scale, float tube) {
    // |c'| <= sqrt(3^2 + (2 * 3)^2) = 6.71 per radian.
    return kTwoPi * (6.71f * scale + 9.0f * tube);
}

} // namespace

void set_surface_base(KernelNode& node, const Surface& surface) {
    node.specialize("surface_kind", static_cast<std::uint32_t>(surface.kind));
    node.read_optional("planet", surface.planet);
    node.set("ground", surface.ground);
    node.set("shape", surface.shape);
}

void set_surface(KernelNode& node, const Surface& surface) {
    set_surface_base(node, surface);
    node.read_optional("heights", surface.heights, Sampler::nearest());
}

void set_surface_bounds(KernelNode& node, const Surface& surface) {
    node.read_optional("pyramid", surface.pyramid, Sampler::nearest());
    node.set("bounds", surface.bounds);
}

void MakeSurface::describe(PassInfo<MakeSurface>& info) {
    info.summary("Says what the ground, or another surface over the unit square, looks like")
        .details(
            "Grounds are a square in the plane y = 0 about the origin, u along x and v along z, "
            "with heights above it times \"height\", plus \"base\". Heights are those of the "
            "picture \"heights\" (its first channel; the first and the last texel lie at the "
            "square's edges, what is between is interpolated, and heights that are not finite "
            "count as 0; without a picture, or with one of one texel, the ground is flat), octaves "
            "of "
            "noise (\"fbm\"), or waves sin(a x) cos(b z) (\"sine\").\n\n"
            "A sphere has u run around it against the clock, seen from above, and v from the "
            "upper pole to the lower; a torus has u run around it and v around the tube; a knot is "
            "a tube along the trefoil knot, \"radius\" times that on the torus of radii 2 and 1. "
            "Planets are made by terrain/planet. Errors: terrain/no-planet-here.")
        .source("Perlin, \"Improving Noise\", SIGGRAPH 2002; Musgrave, \"Procedural Fractal "
                "Terrains\", in \"Texturing and Modeling\", 2003 (ridges)")
        .complexity("none: it only says what other passes do");
    info.optional_input("heights", &MakeSurface::heights,
                        "of kind \"heights\": a map of heights in its first channel")
        .picture();
    info.parameter("kind", &MakeSurface::kind, "what the square becomes").structural();
    info.parameter("side", &MakeSurface::side, "of the square, for grounds")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("height", &MakeSurface::height, "for grounds: what heights are multiplied by")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("base", &MakeSurface::base, "for grounds: what is added to heights")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("frequency", &MakeSurface::frequency,
                   "fbm: cells of the first octave along the side")
        .range(0.01, 4096.0);
    info.parameter("octaves", &MakeSurface::octaves,
                   "fbm: each of twice the frequency of the one before")
        .range(1, 16);
    info.parameter("gain", &MakeSurface::gain, "fbm: height of an octave over the one before")
        .range(0.0, 1.0);
    info.parameter("ridges", &MakeSurface::ridges, "fbm: 0 hills, 1 sharp crests between valleys")
        .range(0.0, 1.0);
    info.parameter("seed", &MakeSurface::seed, "fbm: another ground").range(0, 65535);
    info.parameter("waves", &MakeSurface::waves, "sine: a and b")
        .range(-1e4, 1e4)
        .unit("radians a world unit");
    info.parameter("radius", &MakeSurface::radius,
                   "of the sphere; of the torus, to the middle of its tube; of the knot, its size")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("tube", &MakeSurface::tube, "radius of the tube of torus and knot")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("span", &MakeSurface::span,
                   "of closed surfaces: share of the longest way along u or v that trees take a "
                   "side for; below 1 cells that are much shorter than that are not divided as "
                   "far, and neighbours may differ by several levels")
        .range(0.01, 1.0);
    info.output("surface", &MakeSurface::surface, "for the other passes of terrain");
}

void MakeSurface::build(Graph& graph) {
    if (kind == SurfaceKind::planet) {
        graph.error("terrain/no-planet-here", "terrain/surface makes no planets",
                    "use the output of terrain/planet");
        return;
    }
    Surface made{.kind = kind, .ground = {side, height, base, ridges}};
    float reach = 1.0f; // of heights, before they are multiplied
    switch (kind) {
    case SurfaceKind::heights:
        made.heights = heights;
        reach = heights ? kUnknownHeight : 0.0f; // the pyramid knows
        if (heights) made.pyramid = graph.add(HeightBounds{.heights = heights}, "bounds").bounds;
        break;
    case SurfaceKind::fbm: {
        made.shape = {frequency, static_cast<float>(octaves), gain, static_cast<float>(seed)};
        float octave = 1.0f;
        reach = 0.0f;
        for (std::uint32_t i = 0; i < octaves; ++i, octave *= gain)
            reach += octave;
        break;
    }
    case SurfaceKind::sine: made.shape = {waves.x, waves.y, 0.0f, 0.0f}; break;
    case SurfaceKind::sphere: made.shape = {radius, 0.0f, 0.0f, kTwoPi * radius}; break;
    case SurfaceKind::torus: made.shape = {radius, tube, 0.0f, kTwoPi * (radius + tube)}; break;
    case SurfaceKind::knot: made.shape = {radius, tube, 0.0f, knot_span(radius, tube)}; break;
    case SurfaceKind::planet: break;
    }
    if (!is_ground(kind)) made.shape.w *= span;
    if (is_ground(kind))
        made.bounds = {base - std::abs(height) * reach, base + std::abs(height) * reach};
    surface = made;
}

TUFF_PASS(MakeSurface)

} // namespace tuff::passes
