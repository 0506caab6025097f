#include "passes/particles/collide.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr double kTouched = 30.0; // particles that are looked at in 27 cells, about

bool is_of(Graph& graph, const ParticleGrid& grid, const Particles& particles) {
    if (grid.cell >= 2.0f * particles.radius &&
        graph.desc(grid.positions).size == graph.desc(particles.positions).size)
        return true;
    graph.error("particles/grid-mismatch",
                "the grid was built from other particles than \"source\"",
                "connect the same particles to \"source\" here and in particles/grid");
    return false;
}

} // namespace

void CollideParticles::describe(PassInfo<CollideParticles>& info) {
    info.summary("Lets particles that touch push each other")
        .details(
            "Each particle reads the old state of the particles it touches and writes its own new "
            "state. An overlap pushes two particles apart, and they exchange part of the speed at "
            "which they come together. Momentum is conserved; \"exchange\" 1 without stiffness and "
            "friction is the elastic collision. All collisions of a particle add up: in a dense "
            "pile, stiffness and exchange above about 0.2 make it boil. Bodies push by their "
            "masses: the lighter one gains more speed. Two particles at the same point separate "
            "along an axis that depends on their indices.\n\n\"grid\" looks for neighbours in 27 "
            "cells, or in 9 if the grid is one cell deep; \"all\" tries every pair, for "
            "comparison. Both find the same pairs and differ only in rounding.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles) while cells hold few; \"all\": O(particles^2)")
        .cost([](const CollideParticles& pass, const Graph&) {
            const double n = pass.source.count;
            const double pairs = pass.method == CollisionMethod::all ? n * n : kTouched * n;
            return Cost{.bytes = 52.0 * n, .operations = 9.0 * pairs};
        });
    info.input("source", &CollideParticles::source, "particles before the step");
    info.optional_input("grid", &CollideParticles::grid,
                        "the grid of \"source\"; built if not connected");
    info.parameter("method", &CollideParticles::method, "which pairs are tried").structural();
    info.group("contact", &CollideParticles::contact);
    info.group("box", &CollideParticles::box);
    info.parameter("shape", &CollideParticles::shape,
                   "shape of the grid's cells; columns: as deep as the box")
        .structural();
    info.parameter("dt", &CollideParticles::dt, "length of the step")
        .range(0.0, kLongestStep)
        .unit("seconds");
    info.output("particles", &CollideParticles::particles,
                "new velocities; the fourth number counts the particles that each touches");
}

void CollideParticles::build(Graph& graph) {
    particles = source;
    if (!is_valid(graph, source)) return;
    if (method == CollisionMethod::none) return;
    const bool by_grid = method == CollisionMethod::grid;
    if (by_grid && !grid)
        grid = graph.add(SortIntoGrid{.source = source, .box = box, .shape = shape}).grid;
    if (by_grid && (!grid || !is_of(graph, grid, source))) return;

    ComputeNodeBuilder node =
        graph.compute(by_grid ? "particles/collide_grid" : "particles/collide_all", "collide");
    node.read("positions", by_grid ? grid.positions : source.positions);
    node.read("velocities", by_grid ? grid.velocities : source.velocities);
    if (by_grid) {
        node.read("order", grid.order);
        node.read("ranges", grid.ranges);
        set_grid(node, grid);
    }
    node.read_optional("spins", source.spins);
    const float distance = 2.0f * source.radius;
    bind_count(node, source);
    node.set("distance", distance);
    node.set("squared_distance", distance * distance);
    node.set("push", dt > 0.0f ? contact.stiffness / dt : 0.0f);
    node.set("exchange", contact.exchange);
    node.set("friction", contact.friction);
    particles.velocities = node.write("changed", particle_array(graph, "velocities", source.count));
    dispatch_each(graph, node, source);
}

TUFF_PASS(CollideParticles)

} // namespace tuff::passes
