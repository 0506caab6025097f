#include "passes/particles/simulate.hpp"

#include "passes/particles/integrate.hpp"
#include "passes/particles/state.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 4096;

} // namespace

void SimulateParticles::describe(PassInfo<SimulateParticles>& info) {
    info.summary("Simulates particles that fall and collide, from execution to execution")
        .details("Each execution runs \"steps\" steps of particles/collide and particles/integrate "
                 "and continues from the previous execution. The first execution, and each with "
                 "\"reset\", starts from the initial state. A particle moves by at most its "
                 "diameter in a step, however long the step is. With a \"capacity\" of the "
                 "emitter, particles die and are emitted before each step, as in particles/emit. "
                 "The result is the same to the bit in every run on the same device.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles * steps)")
        .cost([](const SimulateParticles& pass, const Graph&) {
            const double moved = static_cast<double>(pass.initial.count) * pass.steps;
            return Cost{.bytes = 276.0 * moved, .operations = 350.0 * moved};
        });
    info.input("initial", &SimulateParticles::initial, "the initial state");
    info.parameter("steps", &SimulateParticles::steps, "steps of an execution")
        .range(0, kMaxSteps)
        .structural();
    info.parameter("dt", &SimulateParticles::dt, "length of a step")
        .range(0.0, kLongestStep)
        .unit("seconds");
    info.parameter("reset", &SimulateParticles::reset, "starts again from the initial state");
    info.parameter("method", &SimulateParticles::method,
                   "which pairs are tried; \"none\": particles pass through each other")
        .structural();
    info.group("contact", &SimulateParticles::contact);
    info.group("emitter", &SimulateParticles::emitter);
    info.group("box", &SimulateParticles::box);
    info.parameter(
            "shape", &SimulateParticles::shape,
            "shape of the grid's cells; columns: as deep as the box, for particles in a plane")
        .structural();
    info.group("sphere", &SimulateParticles::sphere);
    info.parameter("gravity", &SimulateParticles::gravity, "acceleration of all particles")
        .range(-kFarthest, kFarthest)
        .unit("world units a second squared");
    info.parameter("damping", &SimulateParticles::damping,
                   "logarithmic rate at which velocities decay")
        .range(0.0, 1e6)
        .unit("1 / second");
    info.parameter("restitution", &SimulateParticles::restitution,
                   "share of the speed towards a surface that bounces back")
        .range(0.0, 1.0);
    info.parameter("friction", &SimulateParticles::friction,
                   "share of the speed along a surface that each touch takes")
        .range(0.0, 1.0);
    info.output("particles", &SimulateParticles::particles, "the particles now");
}

void SimulateParticles::build(Graph& graph) {
    particles = initial;
    if (!is_valid(graph, initial)) return;
    const bool emits = emitter.capacity > 0;
    if (emits && !is_valid(graph, emitter)) return;
    LastingState state(
        graph, initial, std::max(emitter.capacity, initial.count),
        {.births = emits || initial.tally || initial.lives, .bodies = initial.are_bodies()});
    particles = graph.repeat(
        "step", steps, state.begin(reset), [&](const Particles& before, std::uint32_t) {
            return stepped(graph, emits ? emitted(graph, before, emitter, dt) : before);
        });
    state.end(particles);
    if (emits) graph.status<ParticleTally>(particles.tally);
}

Particles SimulateParticles::stepped(Graph& graph, const Particles& before) const {
    const Particles pushed = graph
                                 .add(CollideParticles{.source = before,
                                                       .method = method,
                                                       .contact = contact,
                                                       .box = box,
                                                       .shape = shape,
                                                       .dt = dt})
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
}

TUFF_PASS(SimulateParticles)

} // namespace tuff::passes
