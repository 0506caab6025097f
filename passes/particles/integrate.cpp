#include "passes/particles/integrate.hpp"

#include <cmath>
#include <limits>

namespace tuff::passes {
namespace {

constexpr double kMaxDamping = 1e6;

/// Lives and orientations after a step.
void integrate_parts(Graph& graph, Particles& particles, float dt) {
    const Particles before = particles;
    if (before.lives) {
        ComputeNodeBuilder node = graph.compute("particles/age");
        bind_count(node, before);
        node.read("lives", before.lives);
        node.set("dt", dt);
        particles.lives = node.write("aged", graph.buffer("lives", graph.desc(before.lives)));
        dispatch_each(graph, node, before);
    }
    if (before.are_bodies()) {
        ComputeNodeBuilder node = graph.compute("particles/turn");
        bind_count(node, before);
        node.read("orientations", before.orientations);
        node.read("spins", before.spins);
        node.set("dt", dt);
        particles.orientations =
            node.write("turned", particle_array(graph, "orientations", before.count));
        dispatch_each(graph, node, before);
    }
}

} // namespace

void IntegrateParticles::describe(PassInfo<IntegrateParticles>& info) {
    info.summary("Moves particles by one time step, within a box and around a sphere")
        .details(
            "The integrator is semi-implicit Euler: v <- (v + (g + f/m) dt) e^(-damping dt), then "
            "p <- p + v dt. Bodies also get q <- q + dt/2 (0, w) q, normalized; without spin q is "
            "kept to the bit. Ages grow by dt. A particle that enters the sphere or leaves the box "
            "is put back onto the surface and bounces off. \"max_step\" bounds the distance of one "
            "step, so steps of any length keep velocities finite.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles)")
        .cost([](const IntegrateParticles& pass, const Graph&) {
            return Cost{.bytes = 64.0 * pass.source.count, .operations = 60.0 * pass.source.count};
        });
    info.input("source", &IntegrateParticles::source, "particles before the step");
    info.optional_input("forces", &IntegrateParticles::forces,
                        "force on each particle; the fourth number is ignored")
        .elements<glm::vec4>();
    info.parameter("dt", &IntegrateParticles::dt, "length of the step")
        .range(0.0, kLongestStep)
        .unit("seconds");
    info.parameter("gravity", &IntegrateParticles::gravity, "acceleration of all particles")
        .range(-kFarthest, kFarthest)
        .unit("world units a second squared");
    info.parameter("damping", &IntegrateParticles::damping,
                   "logarithmic rate at which velocities decay")
        .range(0.0, kMaxDamping)
        .unit("1 / second");
    info.group("box", &IntegrateParticles::box);
    info.group("sphere", &IntegrateParticles::sphere);
    info.parameter("restitution", &IntegrateParticles::restitution,
                   "share of the speed towards a surface that bounces back")
        .range(0.0, 1.0);
    info.parameter("friction", &IntegrateParticles::friction,
                   "share of the speed along a surface that each touch takes")
        .range(0.0, 1.0);
    info.parameter("max_step", &IntegrateParticles::max_step,
                   "longest distance a particle moves in the step; 0: any")
        .range(0.0, kFarthest)
        .unit("world units");
    info.output("particles", &IntegrateParticles::particles, "particles after the step");
}

void IntegrateParticles::build(Graph& graph) {
    if (!is_valid(graph, source) || !is_valid(graph, box, source.radius)) return;
    if (forces && !holds(graph, forces, {.most = 4 * source.count, .count = {}}, "forces")) return;
    particles = source;
    integrate_parts(graph, particles, dt);
    ComputeNodeBuilder node = graph.compute("particles/integrate");
    node.read_optional("forces", forces);
    node.read_optional("spins", forces ? source.spins : Buffer{});
    node.read("positions", source.positions);
    node.read("velocities", source.velocities);
    bind_count(node, source);
    node.set("dt", dt);
    node.set("gravity", gravity);
    node.set("kept", std::exp(-damping * dt));
    node.set("fastest",
             max_step > 0.0f && dt > 0.0f ? max_step / dt : std::numeric_limits<float>::max());
    node.set("low", box.low + source.radius);
    node.set("high", box.high - source.radius);
    node.set("sphere_center", sphere.center);
    // Middles stay this far away; 0 where there is no ball.
    node.set("sphere_reach", sphere.radius > 0.0f ? sphere.radius + source.radius : 0.0f);
    node.set("restitution", restitution);
    node.set("friction", friction);
    particles.positions = node.write("moved", particle_array(graph, "positions", source.count));
    particles.velocities = node.write("changed", particle_array(graph, "velocities", source.count));
    dispatch_each(graph, node, source);
}

TUFF_PASS(IntegrateParticles)

} // namespace tuff::passes
