#include "passes/volume/plume.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr double kFar = 1e6;
constexpr std::uint32_t kMostPuffs = 1u << 20;

} // namespace

void Plume::describe(PassInfo<Plume>& info) {
    info.summary("Makes a plume of smoke: balls of a medium that rise, grow, thin out and begin "
                 "anew")
        .details("Every ball's place is a function of the time, so any frame can be made without "
                 "those before it. Balls are evenly spread over their ages. One carries about the "
                 "same amount of smoke all its life: its density falls with its volume, and to "
                 "nothing at both ends of its life. It may glow at first.")
        .complexity("O(balls)")
        .cost([](const Plume& pass, const Graph&) {
            return Cost{.bytes = 64.0 * pass.count, .operations = 200.0 * pass.count};
        });
    info.parameter("count", &Plume::count, "number of balls").range(0, kMostSpheres).structural();
    info.parameter("seed", &Plume::seed, "another number, other balls");
    info.parameter("time", &Plume::time, "of the picture").range(-kFar, kFar).unit("seconds");
    info.parameter("lifetime", &Plume::lifetime, "of a ball").range(1e-3, kFar).unit("seconds");
    info.parameter("source", &Plume::source, "where balls begin")
        .range(-kFar, kFar)
        .unit("world units");
    info.parameter("source_radius", &Plume::source_radius, "of the disc that they begin on")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("rise", &Plume::rise, "speed upwards at first; at the end it is half of that")
        .range(-kFar, kFar)
        .unit("world units / second");
    info.parameter("wind", &Plume::wind, "speed that a ball has at the end of its life")
        .range(-kFar, kFar)
        .unit("world units / second");
    info.parameter("spread", &Plume::spread, "how far balls are from the axis at the end")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("turbulence", &Plume::turbulence, "how far eddies carry balls at the end")
        .range(0.0, kFar)
        .unit("world units");
    info.parameter("first_radius", &Plume::first_radius, "of a ball when it begins")
        .range(1e-6, kFar)
        .unit("world units");
    info.parameter("last_radius", &Plume::last_radius, "and when it ends")
        .range(1e-6, kFar)
        .unit("world units");
    info.parameter("density", &Plume::density, "greatest extinction of a ball of \"first_radius\"")
        .range(0.0, kMostOptics)
        .unit("1 / world unit");
    info.parameter("first_albedo", &Plume::first_albedo,
                   "share of the lost light that is scattered when a ball begins")
        .range(0.0, 1.0);
    info.parameter("albedo", &Plume::albedo, "and when it ends").range(0.0, 1.0);
    info.parameter("glow", &Plume::glow, "radiance of an opaque ball when it begins")
        .range(0.0, 65504.0);
    info.parameter("glow_until", &Plume::glow_until, "share of its life in which a ball glows")
        .range(1e-3, 1.0);
    info.parameter("puffs", &Plume::puffs,
                   "into which the column of smoke parts above its source; 0: it is even")
        .range(0, kMostPuffs);
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
