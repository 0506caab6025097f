#include "passes/volume/plume.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr double kFar = 1e6;
constexpr std::uint32_t kMaxPuffs = 1u << 20;

} // namespace

void Plume::describe(PassInfo<Plume>& info) {
    info.summary("Makes a plume of smoke: spheres of a medium that rise, grow, thin out and start "
                 "again")
        .details("The position of each sphere is a function of time, so any frame can be computed "
                 "without the frames before it. The ages of the spheres are evenly spread. A "
                 "sphere carries about the same amount of smoke all its life: its density falls as "
                 "its volume grows, and fades to 0 at both ends of its life. It may glow at first.")
        .complexity("O(spheres)")
        .cost([](const Plume& pass, const Graph&) {
            return Cost{.bytes = 64.0 * pass.count, .operations = 200.0 * pass.count};
        });
    info.parameter("count", &Plume::count, "number of spheres").range(0, kMaxSpheres).structural();
    info.parameter("seed", &Plume::seed, "seed of the spheres");
    info.parameter("time", &Plume::time, "time of the picture").range(-kFar, kFar).unit("seconds");
    info.parameter("lifetime", &Plume::lifetime, "lifetime of a sphere")
        .range(1e-3, kFar)
        .unit("seconds");
    info.parameter("source", &Plume::source, "where spheres start")
        .range(-kFar, kFar)
        .unit("world units");
    info.parameter("source_radius", &Plume::source_radius,
                   "radius of the disc that spheres start on")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("rise", &Plume::rise, "initial speed upwards; half of it remains at the end")
        .range(-kFar, kFar)
        .unit("world units / second");
    info.parameter("wind", &Plume::wind, "velocity of a sphere at the end of its life")
        .range(-kFar, kFar)
        .unit("world units / second");
    info.parameter("spread", &Plume::spread, "distance of spheres from the axis at the end")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("turbulence", &Plume::turbulence,
                   "distance that eddies carry spheres by the end")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("first_radius", &Plume::first_radius, "radius of a sphere at its start")
        .range(1e-6, kFar)
        .unit("world units");
    info.parameter("last_radius", &Plume::last_radius, "radius of a sphere at its end")
        .range(1e-6, kFar)
        .unit("world units");
    info.parameter("density", &Plume::density,
                   "greatest extinction of a sphere of \"first_radius\"")
        .range(0.0, kMaxOptics)
        .unit("1 / world unit");
    info.parameter("first_albedo", &Plume::first_albedo,
                   "share of the lost light that is scattered at the start of a sphere")
        .range(0.0, 1.0);
    info.parameter("albedo", &Plume::albedo,
                   "share of the lost light that is scattered at the end of a sphere")
        .range(0.0, 1.0);
    info.parameter("glow", &Plume::glow, "radiance of an opaque sphere at its start")
        .range(0.0, 65504.0);
    info.parameter("glow_until", &Plume::glow_until, "share of its life in which a sphere glows")
        .range(1e-3, 1.0);
    info.parameter("puffs", &Plume::puffs,
                   "puffs that the column of smoke splits into above its source; 0: an even column")
        .range(0, kMaxPuffs);
    info.output("spheres", &Plume::spheres, "for volume/fragments");
}

void Plume::build(Graph& graph) {
    const std::uint64_t room = std::max(count, 1u);
    ComputeNodeBuilder node = graph.compute("volume/plume");
    node.set("count", count);
    node.set("seed", seed);
    node.set("time", time);
    node.set("lifetime", lifetime);
    node.set("source", source);
    node.set("source_radius", source_radius);
    node.set("rise", rise);
    node.set("wind", wind);
    node.set("spread", spread);
    node.set("turbulence", turbulence);
    node.set("first_radius", first_radius);
    node.set("last_radius", last_radius);
    node.set("density", density);
    node.set("first_albedo", first_albedo);
    node.set("albedo", albedo);
    node.set("glow", glow);
    node.set("glow_until", glow_until);
    node.set("puffs", puffs);
    spheres.count = count;
    spheres.balls = node.write("balls", graph.buffer("balls", {.size = 16 * room, .stride = 16}));
    spheres.optics =
        node.write("optics", graph.buffer("optics", {.size = 48 * room, .stride = 16}));
    node.dispatch_each(count);
}

TUFF_PASS(Plume)

} // namespace tuff::passes
