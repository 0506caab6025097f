#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

/// What the passes of the particle system share. A particle is a ball; all have the same radius and
/// mass 1. One whose place or velocity is not finite takes no part in anything: it neither moves
/// nor touches others, and is not drawn.
namespace tuff::passes {

/// Places and velocities of particles.
struct Particles {
    static constexpr std::string_view kPortType = "Particles";

    Buffer positions;        ///< a vec4 a particle: place, and a number of no meaning
    Buffer velocities;       ///< a vec4 a particle: velocity, and how many others it last touched
    std::uint32_t count = 0; ///< the buffers have room for one where there are none
    float radius = 0.0f;

    explicit operator bool() const { return positions && velocities; }
    std::vector<PortMember> members() const {
        return {{"positions", positions, BufferElements::of<glm::vec4>()},
                {"velocities", velocities, BufferElements::of<glm::vec4>()}};
    }
};

inline constexpr std::uint32_t kMaxParticles = 1u << 26;
inline constexpr float kFarthest = 1e6f;    // lengths and coordinates of parameters
inline constexpr float kLongestStep = 1e6f; // seconds

/// The box in which particles are, as a parameter group. y is up.
struct BoxParameters {
    glm::vec3 low{-0.8f, 0.0f, -0.4f};
    glm::vec3 high{0.8f, 1.0f, 0.4f};

    static void describe_fields(auto&& field) {
        field("low", &BoxParameters::low, "corner of the least coordinates; y is up")
            .range(-kFarthest, kFarthest)
            .unit("world units")
            .structural();
        field("high", &BoxParameters::high, "corner of the greatest")
            .range(-kFarthest, kFarthest)
            .unit("world units")
            .structural();
    }
};

/// A ball that stands in the way, as a parameter group.
struct SphereParameters {
    glm::vec3 center{0.0f, 0.25f, 0.0f};
    float radius = 0.25f;

    static void describe_fields(auto&& field) {
        field("center", &SphereParameters::center, "of the obstacle")
            .range(-kFarthest, kFarthest)
            .unit("world units");
        field("radius", &SphereParameters::radius, "of the obstacle; 0: there is none")
            .range(0.0, kFarthest)
            .unit("world units");
    }
};

/// Checks what a pass is given. Reports graph/unconnected, primitives/too-short where a buffer
/// holds fewer than `count` particles, or pass/out-of-range where there are too many or their
/// radius is not a positive number.
[[nodiscard]] bool is_valid(Graph& graph, const Particles& particles);

/// Reports pass/out-of-range, and returns false, unless the box is finite and a particle of this
/// radius has room in it.
[[nodiscard]] bool is_valid(Graph& graph, const BoxParameters& box, float radius);
[[nodiscard]] bool is_valid(Graph& graph, const SphereParameters& sphere);

/// An array of a vec4 a particle, and a transient one.
BufferDesc particle_array_desc(std::uint32_t count);
Buffer particle_array(Graph& graph, std::string_view name, std::uint32_t count);

} // namespace tuff::passes
