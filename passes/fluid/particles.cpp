#include "passes/fluid/particles.hpp"

#include "passes/fluid/clock.hpp"

namespace tuff::passes {
namespace {

bool is_valid(Graph& graph, const FluidParticles& pass) {
    return is_valid(graph, pass.field, "field");
}

} // namespace

void FluidParticles::describe(PassInfo<FluidParticles>& info) {
    info.summary("Moves particles with a flow, from execution to execution")
        .details("A particle moves with the flow for its time, by a midpoint method. It "
                 "restarts at a random place in a box if its lifetime has ended, if it has "
                 "left the field through a side that is not periodic, or if it would be in a "
                 "solid. Initial ages are evenly distributed. The result is in world units, "
                 "for particles/draw and other passes.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011")
        .complexity("O(particles)")
        .cost([](const FluidParticles& pass, const Graph&) {
            return Cost{.bytes = 64.0 * pass.count, .operations = 200.0 * pass.count};
        });
    info.input("field", &FluidParticles::field, "the flow");
    info.parameter("count", &FluidParticles::count, "number of particles")
        .range(1, kMaxParticles)
        .structural();
    info.parameter("seed", &FluidParticles::seed, "seed of the random places");
    info.parameter("low", &FluidParticles::low,
                   "lower corner of the box in which they start; 0 and 1 are the field's "
                   "corners")
        .range(0.0, 1.0);
    info.parameter("high", &FluidParticles::high, "upper corner of that box").range(0.0, 1.0);
    info.parameter("lifetime", &FluidParticles::lifetime, "lifetime of a particle")
        .range(1e-6, 1e9)
        .unit("time units");
    info.parameter("reset", &FluidParticles::reset, "restarts all particles");
    info.parameter("spacing", &FluidParticles::spacing, "size of a cell")
        .range(1e-6, 1e6)
        .unit("world units");
    info.parameter("origin", &FluidParticles::origin, "position of the field's corner")
        .range(-1e6, 1e6)
        .unit("world units");
    info.parameter("radius", &FluidParticles::radius, "radius of a particle, for drawing")
        .range(1e-6, 1e6)
        .unit("world units");
    info.output("particles", &FluidParticles::particles, "positions and velocities, world units");
}

void FluidParticles::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const BufferHistory state = graph.history_buffer("places", particle_array_desc(count));
    ComputeNodeBuilder node = graph.compute("fluid/particles", "carry");
    bind_flow(node, field);
    bind_obstacles(node, field.solid);
    node.read("before", state.previous[0]);
    node.set("dims", glm::ivec3(field.dims));
    node.set("faces", field.boundary.bits());
    node.set("count", count);
    node.set("seed", seed);
    set_time(node, field);
    node.set("lifetime", lifetime);
    node.set("low", low);
    node.set("high", high);
    node.set("reset", std::uint32_t(reset));
    node.set("spacing", spacing);
    node.set("origin", origin);
    (void)node.write("after", state.current);
    particles = {.count = count, .radius = radius};
    particles.positions = node.write("positions", particle_array(graph, "positions", count));
    particles.velocities = node.write("velocities", particle_array(graph, "velocities", count));
    node.dispatch_each(count);
}

TUFF_PASS(FluidParticles)

} // namespace tuff::passes
