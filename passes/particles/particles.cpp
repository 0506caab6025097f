#include "passes/particles/particles.hpp"

#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kParticleBytes = 16;

bool holds_particles(Graph& graph, Buffer buffer, std::uint32_t count, std::string_view port) {
    const std::uint64_t room = graph.desc(buffer).size / kParticleBytes;
    if (room >= std::max(count, 1u)) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" holds {} particles, but {} are needed", port, room, count));
    return false;
}

} // namespace

bool is_valid(Graph& graph, const Particles& particles) {
    if (!holds_particles(graph, particles.positions, particles.count, "positions") ||
        !holds_particles(graph, particles.velocities, particles.count, "velocities"))
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
                    fmt::format("the box reaches from {} to {} along axis {}: a particle of "
                                "radius {} has no room in it",
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
