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
    info.summary("Defines a surface over the unit square: a ground, or a closed surface")
        .details(
            "Grounds are a square in the plane y = 0 around the origin, u along x and v along "
            "z, with heights times \"height\" plus \"base\". \"heights\" takes the first "
            "channel of a picture: the first and the last texel are at the square's edges, "
            "values are interpolated, and heights that are not finite count as 0. Without a "
            "picture, or with one texel, the ground is flat. \"fbm\" is octaves of noise. "
            "\"sine\" is sin(a x) cos(b z).\n\n"
            "A sphere has u around it, counter-clockwise seen from above, and v from the upper "
            "pole to the lower. A torus has u around it and v around the tube. A knot is a "
            "tube along the trefoil knot, \"radius\" times that on the torus of radii 2 and 1. "
            "Planets are made by terrain/planet.\n\n"
            "Errors: terrain/no-planet-here.")
        .source("Perlin, \"Improving Noise\", SIGGRAPH 2002; Musgrave, \"Procedural Fractal "
                "Terrains\", in \"Texturing and Modeling\", 2003 (ridges)")
        .complexity("none: the pass only describes the surface");
    info.optional_input("heights", &MakeSurface::heights,
                        "kind \"heights\": a map of heights in its first channel")
        .picture();
    info.parameter("kind", &MakeSurface::kind, "shape of the surface").structural();
    info.parameter("side", &MakeSurface::side, "grounds: side of the square")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("height", &MakeSurface::height, "grounds: factor of heights")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("base", &MakeSurface::base, "grounds: offset added to heights")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("frequency", &MakeSurface::frequency,
                   "fbm: cells of the first octave along the side")
        .range(0.01, 4096.0);
    info.parameter("octaves", &MakeSurface::octaves,
                   "fbm: octaves, each with twice the frequency of the previous one")
        .range(1, 16);
    info.parameter("gain", &MakeSurface::gain,
                   "fbm: ratio of the amplitudes of successive "
                   "octaves")
        .range(0.0, 1.0);
    info.parameter("ridges", &MakeSurface::ridges,
                   "fbm: 0: hills; 1: sharp crests between "
                   "valleys")
        .range(0.0, 1.0);
    info.parameter("seed", &MakeSurface::seed, "fbm: seed of the noise").range(0, 65535);
    info.parameter("waves", &MakeSurface::waves, "sine: a and b")
        .range(-1e4, 1e4)
        .unit("radians per world unit");
    info.parameter("radius", &MakeSurface::radius,
                   "sphere: radius; torus: radius to the center of its tube; knot: size")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("tube", &MakeSurface::tube, "torus and knot: radius of the tube")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("span", &MakeSurface::span,
                   "closed surfaces: length of a side for trees, as a share of the longest "
                   "path along u or v; below 1, cells that are much shorter are divided less, "
                   "and neighbours may differ by several levels")
        .range(0.01, 1.0);
    info.output("surface", &MakeSurface::surface, "the surface, for the other passes of terrain");
}

void MakeSurface::build(Graph& graph) {
    if (kind == SurfaceKind::planet) {
        graph.error("terrain/no-planet-here", "terrain/surface does not make planets",
                    "use terrain/planet");
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
