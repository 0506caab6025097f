#include "passes/particles/seed.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr double kLeastFill = 1e-9;
constexpr double kMaxFill = 0.6; // about what spheres thrown into a box come to

/// Points of a lattice that has at least as many as there are particles.
struct Lattice {
    glm::uvec3 points{1};
    glm::vec3 spacing{0.0f};
};

Lattice lattice_of(glm::vec3 size, std::uint32_t count) {
    const glm::vec3 extent = glm::max(size, glm::vec3(1e-20f));
    double spacing = std::cbrt(static_cast<double>(extent.x) * static_cast<double>(extent.y) *
                               static_cast<double>(extent.z) / std::max(count, 1u));
    Lattice lattice;
    for (;; spacing *= 0.995) { // rounding down loses points
        double points = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const double along = std::clamp(std::floor(static_cast<double>(extent[axis]) / spacing),
                                            1.0, static_cast<double>(kMaxParticles));
            lattice.points[axis] = static_cast<std::uint32_t>(along);
            points *= along;
        }
        if (points >= count) break;
    }
    for (int axis = 0; axis < 3; ++axis)
        lattice.spacing[axis] = size[axis] / static_cast<float>(lattice.points[axis]);
    return lattice;
}

float chosen_radius(const SeedParticles& pass) {
    if (pass.radius > 0.0f) return pass.radius;
    const glm::vec3 size = pass.box.high - pass.box.low;
    const double volume = static_cast<double>(size.x) * static_cast<double>(size.y) *
                          static_cast<double>(size.z) * static_cast<double>(pass.fill);
    const double radius = std::cbrt(volume * 0.75 / std::numbers::pi / std::max(pass.count, 1u));
    const float least = std::min({size.x, size.y, size.z});
    return std::min(static_cast<float>(radius), 0.25f * least);
}

bool has_region(Graph& graph, const SeedParticles& pass) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto low = static_cast<double>(pass.region_low[axis]);
        const auto high = static_cast<double>(pass.region_high[axis]);
        if (!in_range(graph, "region_high", high, low, 1.0)) return false;
    }
    return true;
}

} // namespace

void SeedParticles::describe(PassInfo<SeedParticles>& info) {
    info.summary("Fills part of a box with particles")
        .details("Particles stand on a lattice that fills the region from below, each moved a "
                 "little at random. The same parameters give the same particles on every device, "
                 "except for rounding.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles)")
        .cost([](const SeedParticles& pass, const Graph&) {
            return Cost{.bytes = 32.0 * pass.count, .operations = 30.0 * pass.count};
        });
    info.parameter("count", &SeedParticles::count, "number of particles")
        .range(0, kMaxParticles)
        .structural();
    info.parameter("radius", &SeedParticles::radius,
                   "radius of a particle; 0: computed from \"fill\"")
        .range(0.0, kFarthest)
        .unit("world units")
        .structural();
    info.parameter("fill", &SeedParticles::fill,
                   "share of the box's volume that the particles fill")
        .range(kLeastFill, kMaxFill)
        .structural();
    info.group("box", &SeedParticles::box);
    info.parameter("region_low", &SeedParticles::region_low,
                   "start of the region to fill, as shares of the box")
        .range(0.0, 1.0);
    info.parameter("region_high", &SeedParticles::region_high,
                   "end of the region to fill, as shares of the box")
        .range(0.0, 1.0);
    info.parameter("jitter", &SeedParticles::jitter,
                   "random offset from the lattice, as a share of its spacing")
        .range(0.0, 1.0);
    info.parameter("velocity", &SeedParticles::velocity, "initial velocity of all particles")
        .range(-kFarthest, kFarthest)
        .unit("world units a second");
    info.parameter("seed", &SeedParticles::seed, "seed of the random numbers");
    info.output("particles", &SeedParticles::particles, "the particles");
}

void SeedParticles::build(Graph& graph) {
    if (!is_valid(graph, box, 0.0f) || !has_region(graph, *this)) return;
    const float r = chosen_radius(*this);
    if (!is_valid(graph, box, r)) return;

    // The region is where middles may be.
    const glm::vec3 size = box.high - box.low;
    const glm::vec3 low = glm::clamp(box.low + region_low * size, box.low + r, box.high - r);
    const glm::vec3 high = glm::clamp(box.low + region_high * size, low, box.high - r);
    const Lattice lattice = lattice_of(high - low, count);
    ComputeNodeBuilder node = graph.compute("particles/seed");
    node.set("count", count);
    node.set("low", low);
    node.set("high", high);
    node.set("points", lattice.points);
    node.set("spacing", lattice.spacing);
    node.set("jitter", jitter);
    node.set("velocity", velocity);
    node.set("seed", seed);
    particles = {.positions = node.write("positions", particle_array(graph, "positions", count)),
                 .velocities = node.write("velocities", particle_array(graph, "velocities", count)),
                 .count = count,
                 .radius = r};
    node.dispatch_each(count);
}

TUFF_PASS(SeedParticles)

} // namespace tuff::passes
