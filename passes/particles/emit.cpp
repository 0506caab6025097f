#include "passes/particles/emit.hpp"

#include "passes/common/picture.hpp"
#include "passes/particles/state.hpp"
#include "passes/primitives/compact.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

/// Births of a step: whole ones, and 2^-32 of one.
struct StepBirths {
    std::uint32_t whole = 0;
    std::uint32_t part = 0;
};

StepBirths births_of_step(float rate, float dt) {
    const double births = std::min(static_cast<double>(rate) * static_cast<double>(dt),
                                   static_cast<double>(kMaxParticles));
    const double whole = std::floor(births);
    return {.whole = static_cast<std::uint32_t>(whole),
            .part = static_cast<std::uint32_t>((births - whole) * 0x1p32)};
}

/// Those of a source that live on.
struct Survivors {
    Buffer indices;
    Buffer count; ///< one word
};

Survivors survivors_of(Graph& graph, const Particles& source) {
    ComputeNodeBuilder node = graph.compute("particles/survivors");
    bind_count(node, source);
    node.read("positions", source.positions);
    node.read("velocities", source.velocities);
    node.read("lives", source.lives);
    const Buffer flags = node.write("flags", array(graph, "flags", source.count));
    dispatch_each(graph, node, source);
    const Compact kept = graph.add(Compact{.source = flags,
                                           .flags = flags,
                                           .count = source.tally,
                                           .length = source.count,
                                           .emits = Emits::indices});
    return {.indices = kept.result, .count = kept.kept};
}

Buffer planned(Graph& graph, const Particles& source, const Survivors& survivors,
               const StepBirths& births) {
    ComputeNodeBuilder node = graph.compute("particles/plan_births");
    node.match<ParticleTally>("before");
    node.match<ParticleTally>("after");
    node.read("before", source.tally);
    node.read("kept", survivors.count);
    node.set("room", source.count);
    node.set("whole", births.whole);
    node.set("part", births.part);
    const Buffer tally = node.write("after", graph.buffer("tally", tally_desc()));
    node.dispatch(1);
    return tally;
}

/// Sets what both kernels that move survivors up read.
void read_survivors(ComputeNodeBuilder& node, const Particles& born, const Survivors& survivors) {
    bind_count(node, born);
    node.match<ParticleTally>("births");
    node.read("births", born.tally);
    node.read("kept", survivors.count);
    node.read("survivors", survivors.indices);
}

void set_nozzle(ComputeNodeBuilder& node, const EmitterParameters& emitter) {
    const glm::vec3 direction = glm::normalize(emitter.direction);
    const glm::vec3 other =
        std::abs(direction.y) < 0.9f ? glm::vec3(0.0f, 1.0f, 0.0f) : glm::vec3(1.0f, 0.0f, 0.0f);
    const glm::vec3 side = glm::normalize(glm::cross(direction, other));
    node.set("place", emitter.place);
    node.set("direction", direction);
    node.set("side", side);
    node.set("up", glm::cross(side, direction));
    node.set("radius", emitter.radius);
    node.set("speed", emitter.speed);
    node.set("speed_spread", emitter.speed_spread);
    node.set("cosine", std::cos(emitter.angle * std::numbers::pi_v<float> / 180.0f));
    node.set("life", emitter.life);
    node.set("life_spread", emitter.life_spread);
    node.set("seed", emitter.seed);
}

} // namespace

bool is_valid(Graph& graph, const EmitterParameters& emitter) {
    const float longest = std::max({std::abs(emitter.direction.x), std::abs(emitter.direction.y),
                                    std::abs(emitter.direction.z)});
    return in_range(graph, "direction", static_cast<double>(longest), 1e-12,
                    static_cast<double>(kFarthest));
}

Particles emitted(Graph& graph, const Particles& source, const EmitterParameters& emitter,
                  float dt) {
    const Survivors survivors = survivors_of(graph, source);
    Particles result = source;
    result.tally = planned(graph, source, survivors, births_of_step(emitter.rate, dt));

    ComputeNodeBuilder node = graph.compute("particles/renew");
    read_survivors(node, result, survivors);
    node.read("positions", source.positions);
    node.read("velocities", source.velocities);
    node.read("lives", source.lives);
    node.set("dt", dt);
    set_nozzle(node, emitter);
    const BufferDesc vectors = particle_array_desc(source.count);
    result.positions = node.write("new_positions", graph.buffer("positions", vectors));
    result.velocities = node.write("new_velocities", graph.buffer("velocities", vectors));
    result.lives = node.write("new_lives", graph.buffer("lives", graph.desc(source.lives)));
    dispatch_each(graph, node, result);
    if (!source.are_bodies()) return result;

    ComputeNodeBuilder bodies = graph.compute("particles/renew_bodies");
    read_survivors(bodies, result, survivors);
    bodies.read("orientations", source.orientations);
    bodies.read("spins", source.spins);
    bodies.set("mass", emitter.mass);
    bodies.set("spin", emitter.spin);
    bodies.set("seed", emitter.seed);
    result.orientations = bodies.write("new_orientations", graph.buffer("orientations", vectors));
    result.spins = bodies.write("new_spins", graph.buffer("spins", vectors));
    dispatch_each(graph, bodies, result);
    return result;
}

void EmitParticles::describe(PassInfo<EmitParticles>& info) {
    info.summary("Removes particles at the end of their life and emits others from a nozzle")
        .details("Use it in a simulation of your own; particles/simulate does the same in every "
                 "step.\n\nA particle is removed when it reaches its life span or is not finite. "
                 "The others move up in order; new particles follow them, spread over the step. "
                 "The number of particles stays on the device, and later passes dispatch "
                 "indirectly. A step emits a whole number of particles and carries the fraction "
                 "over to the next step. Particles without room are lost, and a warning says how "
                 "many. Random numbers depend only on seed, step and index of the birth. Particles "
                 "of a source without life spans live for ever.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles)")
        .cost([](const EmitParticles& pass, const Graph&) {
            const double n = std::max(pass.emitter.capacity, pass.source.count);
            return Cost{.bytes = 132.0 * n, .operations = 10.0 * n};
        });
    info.input("source", &EmitParticles::source, "particles before the step");
    info.group("emitter", &EmitParticles::emitter);
    info.parameter("dt", &EmitParticles::dt, "length of the step")
        .range(0.0, kLongestStep)
        .unit("seconds");
    info.output("particles", &EmitParticles::particles, "particles after the step");
}

void EmitParticles::build(Graph& graph) {
    if (!is_valid(graph, source) || !is_valid(graph, emitter)) return;
    const std::uint32_t room = std::max(emitter.capacity, source.count);
    const bool has_room = source.tally && source.lives && source.count == room;
    const StateParts parts{.births = true, .bodies = source.are_bodies()};
    const Particles before = has_room ? source : make_state(graph, source, room, parts);
    particles = emitted(graph, before, emitter, dt);
    graph.status<ParticleTally>(particles.tally);
}

TUFF_PASS(EmitParticles)

} // namespace tuff::passes
