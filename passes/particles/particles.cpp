#include "passes/particles/particles.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kParticleBytes = 16;

bool holds_particles(Graph& graph, Buffer buffer, std::uint32_t count, std::string_view port,
                     std::uint64_t bytes = kParticleBytes) {
    const std::uint64_t room = graph.desc(buffer).size / bytes;
    if (room >= std::max(count, 1u)) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" holds {} particles, but {} are needed", port, room, count));
    return false;
}

/// Optional arrays: both or neither, and long enough.
bool has_whole_state(Graph& graph, const Particles& particles) {
    if (bool(particles.orientations) != bool(particles.spins)) {
        graph.error("graph/unconnected", "the particles have only one of orientations and spins",
                    "give them both");
        return false;
    }
    if (particles.tally && graph.desc(particles.tally).size < tally_desc().size) {
        graph.error("primitives/too-short", "the buffer of the particles' tally is too short",
                    "give it the words of ParticleTally");
        return false;
    }
    return (!particles.lives ||
            holds_particles(graph, particles.lives, particles.count, "lives", sizeof(glm::vec2))) &&
           (!particles.are_bodies() ||
            (holds_particles(graph, particles.orientations, particles.count, "orientations") &&
             holds_particles(graph, particles.spins, particles.count, "spins")));
}

} // namespace

std::vector<PortMember> Particles::members() const {
    std::vector<PortMember> all{{"positions", positions, BufferElements::of<glm::vec4>()},
                                {"velocities", velocities, BufferElements::of<glm::vec4>()}};
    if (tally) all.push_back({"tally", tally, BufferElements::of<std::uint32_t>()});
    if (lives) all.push_back({"lives", lives, BufferElements::of<glm::vec2>()});
    if (orientations)
        all.push_back({"orientations", orientations, BufferElements::of<glm::vec4>()});
    if (spins) all.push_back({"spins", spins, BufferElements::of<glm::vec4>()});
    return all;
}

ParticleTally ParticleTally::read(std::span<const std::uint32_t> words) {
    return status_from<ParticleTally>(words);
}

Diagnostics ParticleTally::warnings() const {
    Diagnostics all;
    if (not_born > 0)
        all.push_back(warning(
            "particles/not-born",
            fmt::format("{} particles had no room and were not emitted; {} were", not_born, born),
            "give the emitter a larger \"capacity\" or a shorter \"life\""));
    return all;
}

Length length_of(const Particles& particles) {
    return {.most = particles.count, .count = particles.tally};
}

void bind_count(KernelNode& node, const Particles& particles) {
    node.read_optional("tally", BufferView(particles.tally, 0, kWordBytes));
    node.set("count", particles.count);
}

void dispatch_each(Graph& graph, ComputeNodeBuilder& node, const Particles& particles) {
    dispatch_each(graph, node, length_of(particles));
}

BufferDesc tally_desc() {
    return {.size = sizeof(ParticleTally), .stride = kWordBytes};
}

bool is_valid(Graph& graph, const Particles& particles) {
    if (!holds_particles(graph, particles.positions, particles.count, "positions") ||
        !holds_particles(graph, particles.velocities, particles.count, "velocities") ||
        !has_whole_state(graph, particles))
        return false;
    return in_range(graph, "count", particles.count, 0, kMaxParticles) &&
           in_range(graph, "radius", static_cast<double>(particles.radius),
                    static_cast<double>(std::numeric_limits<float>::min()),
                    static_cast<double>(kFarthest));
}

bool is_valid(Graph& graph, const BoxParameters& box, float radius) {
    for (int axis = 0; axis < 3; ++axis) {
        if (box.high[axis] - box.low[axis] >= 2.0f * radius) continue;
        graph.error("pass/out-of-range",
                    fmt::format("the box reaches from {} to {} along axis {}: it has no room for a "
                                "particle of radius {}",
                                box.low[axis], box.high[axis], "xyz"[axis], radius));
        return false;
    }
    return true;
}

BufferDesc particle_array_desc(std::uint32_t count) {
    return {.size = std::max<std::uint64_t>(count, 1) * kParticleBytes, .stride = kParticleBytes};
}

Buffer particle_array(Graph& graph, std::string_view name, std::uint32_t count) {
    return graph.buffer(name, particle_array_desc(count));
}

} // namespace tuff::passes
