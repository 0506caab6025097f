#include "passes/particles/simulate.hpp"

#include "passes/particles/integrate.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 4096;

/// What one execution leaves for the next.
struct Memory {
    BufferHistory positions;
    BufferHistory velocities;
    BufferHistory age; ///< a word: executions since the beginning, so 0 at first
};

Memory remember(Graph& graph, std::uint32_t count) {
    const BufferDesc array = particle_array_desc(count);
    return {.positions = graph.history_buffer("positions", array),
            .velocities = graph.history_buffer("velocities", array),
            .age = graph.history_buffer("age", {.size = 4, .stride = 4})};
}

} // namespace

void SimulateParticles::describe(PassInfo<SimulateParticles>& info) {
    info.summary("Lets particles fall and collide, from execution to execution")
        .details("An execution takes \"steps\" steps, of particles/collide and "
                 "particles/integrate, from where the one before ended; the first, and those with "
                 "\"reset\", from the initial state. A particle moves by at most its diameter a "
                 "step, however long that is. The same bits in every run on the same device.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles * steps)")
        .cost([](const SimulateParticles& pass, const Graph&) {
            const double moved = static_cast<double>(pass.initial.count) * pass.steps;
            return Cost{.bytes = 276.0 * moved, .operations = 350.0 * moved};
        });
    info.input("initial", &SimulateParticles::initial, "what it begins with");
    info.parameter("steps", &SimulateParticles::steps, "of an execution")
        .range(0, kMaxSteps)
        .structural();
    info.parameter("dt", &SimulateParticles::dt, "length of a step")
        .range(0.0, kLongestStep)
        .unit("seconds");
    info.parameter("reset", &SimulateParticles::reset, "begins anew");
    info.parameter("method", &SimulateParticles::method,
                   "which pairs are tried; \"none\": particles pass through each other")
        .structural();
    info.group("contact", &SimulateParticles::contact);
    info.group("box", &SimulateParticles::box);
    info.group("sphere", &SimulateParticles::sphere);
    info.parameter("gravity", &SimulateParticles::gravity, "acceleration of all particles")
        .range(-kFarthest, kFarthest)
        .unit("world units a second squared");
    info.parameter("damping", &SimulateParticles::damping,
                   "logarithmic rate at which velocities decay")
        .range(0.0, 1e6)
        .unit("1 / second");
    info.parameter("restitution", &SimulateParticles::restitution,
                   "share of the speed towards a surface that comes back")
        .range(0.0, 1.0);
    info.parameter("friction", &SimulateParticles::friction,
                   "share of the speed along a surface that each touch takes")
        .range(0.0, 1.0);
    info.output("particles", &SimulateParticles::particles, "places and velocities now");
}

void SimulateParticles::build(Graph& graph) {
    particles = initial;
    if (!is_valid(graph, initial)) return;
    const std::uint32_t count = initial.count;
    const Memory memory = remember(graph, count);
    ComputeNodeBuilder begin = graph.compute("particles/begin");
    begin.read("before_positions", memory.positions.previous[0]);
    begin.read("before_velocities", memory.velocities.previous[0]);
    begin.read("before_age", memory.age.previous[0]);
    begin.read("initial_positions", initial.positions);
    begin.read("initial_velocities", initial.velocities);
    begin.set("count", count);
    begin.set("reset", std::uint32_t(reset));
    particles.positions = begin.write("positions", particle_array(graph, "positions", count));
    particles.velocities = begin.write("velocities", particle_array(graph, "velocities", count));
    (void)begin.write("age", memory.age.current);
    begin.dispatch_each(count);

    particles = graph.repeat("step", steps, particles, [&](Particles before, std::uint32_t) {
        const Particles pushed =
            graph
                .add(CollideParticles{
                    .source = before, .method = method, .contact = contact, .box = box, .dt = dt})
                .particles;
        return graph
            .add(IntegrateParticles{.source = pushed,
                                    .dt = dt,
                                    .gravity = gravity,
                                    .damping = damping,
                                    .box = box,
                                    .sphere = sphere,
                                    .restitution = restitution,
                                    .friction = friction,
                                    .max_step = 2.0f * initial.radius})
            .particles;
    });
    // Copies, so that the results are ordinary ones, which may be outputs.
    (void)graph.copy(particles.positions, memory.positions.current, "keep_positions");
    (void)graph.copy(particles.velocities, memory.velocities.current, "keep_velocities");
}

TUFF_PASS(SimulateParticles)

} // namespace tuff::passes
