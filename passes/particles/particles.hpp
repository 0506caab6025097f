#pragma once

#include "passes/primitives/elements.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the passes of the particle system share. A particle is a sphere; all have the same radius,
/// and mass 1 unless they are bodies. One whose place or velocity is not finite takes no part in
/// anything: it neither moves nor touches others, and is not drawn.
namespace tuff::passes {

/// The state of particles: places and velocities, and what else they have.
struct Particles {
    static constexpr std::string_view kPortType = "Particles";

    Buffer positions;        ///< a vec4 a particle: place, and a number of no meaning
    Buffer velocities;       ///< a vec4 a particle: velocity, and how many others it last touched
    std::uint32_t count = 0; ///< with a tally the most there may be; the buffers have room for one
                             ///< where there are none
    float radius = 0.0f;

    // Optional state.
    Buffer tally;        ///< a `ParticleTally`; its first word is the number of particles
    Buffer lives;        ///< a vec2 a particle: age and life span, seconds
    Buffer orientations; ///< a quaternion (x, y, z, w) a particle
    Buffer spins;        ///< a vec4 a particle: angular velocity, radians a second; mass

    explicit operator bool() const { return positions && velocities; }
    /// Orientations and spins come together.
    bool are_bodies() const { return orientations && spins; }
    std::vector<PortMember> members() const;
};

/// How many particles there are, and what an emitter has done so far. Counts wrap around.
struct ParticleTally {
    std::uint32_t alive = 0;    ///< first: kernels and primitives read it as the count
    std::uint32_t born = 0;     ///< in all steps
    std::uint32_t died = 0;     ///< in all steps, of age or because they were not finite
    std::uint32_t not_born = 0; ///< in all steps, for want of room
    std::uint32_t steps = 0;    ///< of the emitter
    std::uint32_t owed = 0;     ///< 2^-32 particles that are due and not whole
    std::uint32_t due = 0;      ///< births of the last step, of which there may have been fewer

    static constexpr std::string_view kStructName = "ParticleTally";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(ParticleTally, alive), TUFF_MEMBER(ParticleTally, born),
                          TUFF_MEMBER(ParticleTally, died),  TUFF_MEMBER(ParticleTally, not_born),
                          TUFF_MEMBER(ParticleTally, steps), TUFF_MEMBER(ParticleTally, owed),
                          TUFF_MEMBER(ParticleTally, due)};
    }
    static ParticleTally read(std::span<const std::uint32_t> words);
    /// Warns of particles that were not born.
    Diagnostics warnings() const;
};

inline constexpr std::uint32_t kMaxParticles = 1u << 26;
inline constexpr float kFarthest = 1e6f;    // lengths and coordinates of parameters
inline constexpr float kLongestStep = 1e6f; // seconds

/// The box in which particles are, as a parameter group. y is up.
struct BoxParameters {
    glm::vec3 low{-0.8f, 0.0f, -0.4f};
    glm::vec3 high{0.8f, 1.0f, 0.4f};

    static void describe_fields(auto&& field) {
        field("low", &BoxParameters::low, "corner with the least coordinates; y is up")
            .range(-kFarthest, kFarthest)
            .unit("world units")
            .structural();
        field("high", &BoxParameters::high, "corner with the greatest coordinates")
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
        field("center", &SphereParameters::center, "center of the obstacle")
            .range(-kFarthest, kFarthest)
            .unit("world units");
        field("radius", &SphereParameters::radius, "radius of the obstacle; 0: none")
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

/// The number of particles, for primitives.
Length length_of(const Particles& particles);

/// Binds what shaders/particles/count.glsl declares, and sets the parameter `count`.
void bind_count(KernelNode& node, const Particles& particles);
/// Dispatches an invocation for each particle.
void dispatch_each(Graph& graph, ComputeNodeBuilder& node, const Particles& particles);

/// A transient buffer of a `ParticleTally`, and its description.
BufferDesc tally_desc();

/// An array of a vec4 a particle, and a transient one.
BufferDesc particle_array_desc(std::uint32_t count);
Buffer particle_array(Graph& graph, std::string_view name, std::uint32_t count);

} // namespace tuff::passes
