#pragma once

#include "passes/primitives/elements.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the passes of rigid bodies share. Units are metres, kilograms and seconds; y is up.
namespace tuff::passes {

/// The numbers are those of shaders/bodies/body.glsl.
enum class ShapeKind : std::uint32_t {
    sphere,
    capsule, ///< its axis is y
    box,
    hull,      ///< a convex polyhedron
    plane,     ///< the half-space below y = 0; never moves
    heights,   ///< a height field over x and z; never moves
    distances, ///< a solid given by its signed distances; never moves
};

/// A shape as kernels have it.
struct ShapeRecord {
    glm::vec3 size{0.5f};            ///< radius; radius and half length of the axis; half sides
    std::uint32_t kind = 0;          ///< a `ShapeKind`
    glm::vec3 inverse_inertia{0.0f}; ///< principal, kg m^2
    std::uint32_t geometry = 0;      ///< where a hull's or a field's quads begin
};
static_assert(sizeof(ShapeRecord) == 32);

/// Velocities and what the surface is like.
struct MotionRecord {
    glm::vec3 velocity{0.0f}; ///< m/s
    float friction = 0.5f;
    glm::vec3 spin{0.0f}; ///< radians a second
    float restitution = 0.0f;
};
static_assert(sizeof(MotionRecord) == 32);

/// The numbers are those of shaders/bodies/joint.glsl.
enum class JointKind : std::uint32_t {
    ball,   ///< a point of both is at one place
    hinge,  ///< and they turn about one axis
    slider, ///< they do not turn, and shift along one axis
};

/// A joint as kernels have it: two bodies' points and axes in their own frames.
struct JointRecord {
    std::uint32_t first = 0; ///< the bodies
    std::uint32_t second = 0;
    std::uint32_t kind = 0;
    std::uint32_t parts = 0; ///< bit 0: it has limits; bit 1: a motor
    glm::vec3 first_anchor{0.0f};
    float low = 0.0f; ///< limits: radians or metres
    glm::vec3 second_anchor{0.0f};
    float high = 0.0f;
    glm::vec3 first_axis{1.0f, 0.0f, 0.0f};
    float speed = 0.0f; ///< of the motor: radians or metres a second
    glm::vec3 second_axis{1.0f, 0.0f, 0.0f};
    float strength = 0.0f; ///< of the motor: newton metres or newtons, at most
    glm::vec4 turn{0.0f, 0.0f, 0.0f,
                   1.0f}; ///< the second's orientation seen from the first, at rest
};
static_assert(sizeof(JointRecord) == 96);

inline constexpr std::uint32_t kMaxBodies = 1u << 22;
inline constexpr std::uint32_t kMaxJoints = 1u << 20;

/// The state of rigid bodies.
struct Bodies {
    static constexpr std::string_view kPortType = "Bodies";

    Buffer places;   ///< a vec4 a body: centre of mass, inverse mass; 0: it never moves
    Buffer turns;    ///< a vec4 a body: orientation, a quaternion (x, y, z, w)
    Buffer motions;  ///< a `MotionRecord` a body
    Buffer shapes;   ///< a `ShapeRecord` a body
    Buffer rest;     ///< two floats a body: seconds of quiet; 1 where it sleeps
    Buffer geometry; ///< quads of hulls and fields
    Buffer joints;   ///< a `JointRecord` a joint; optional
    Buffer apart;    ///< two u32 a pair that does not touch, the lower first, sorted; optional
    std::uint32_t count = 0;
    std::uint32_t joint_count = 0;
    std::uint32_t apart_count = 0;
    std::uint32_t kinds = 0; ///< bit k: some body has the shape kind k
    float largest = 1.0f;    ///< greatest diameter of a bounding sphere, of bodies that move
    glm::vec3 low{-10.0f};   ///< the box in which bodies are expected; others are slower
    glm::vec3 high{10.0f};

    explicit operator bool() const { return places && turns && motions && shapes; }
    bool has(ShapeKind kind) const { return (kinds >> static_cast<std::uint32_t>(kind) & 1u) != 0; }
    std::vector<PortMember> members() const;
};

/// What steps have found: counts of all steps of an execution, or the greatest of them.
struct BodiesStatus {
    std::uint32_t pairs = 0;      ///< boxes that touch, the most of a step
    std::uint32_t lost_pairs = 0; ///< for which there was no room
    std::uint32_t contacts = 0;   ///< pairs that touch, of the last step
    std::uint32_t points = 0;     ///< of contact, of the last step
    std::uint32_t reset = 0;      ///< bodies whose new state was not finite: they were stopped
    std::uint32_t coincident = 0; ///< contacts without a direction: up was taken
    std::uint32_t batches = 0;    ///< the most of a cell
    std::uint32_t tail = 0;       ///< constraints beyond the batches there is room for
    std::uint32_t deepest = 0;    ///< bits of the penetration, of the last step
    std::uint32_t residual = 0;   ///< bits of the greatest speed of approach, likewise
    std::uint32_t asleep = 0;     ///< bodies, at the last step
    std::uint32_t full_batch = 0; ///< constraints of the fullest cell
    std::uint32_t rebuilt = 0;    ///< trees of boxes that new boxes alone would not have done for

    static constexpr std::string_view kStructName = "BodiesStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(BodiesStatus, pairs),    TUFF_MEMBER(BodiesStatus, lost_pairs),
            TUFF_MEMBER(BodiesStatus, contacts), TUFF_MEMBER(BodiesStatus, points),
            TUFF_MEMBER(BodiesStatus, reset),    TUFF_MEMBER(BodiesStatus, coincident),
            TUFF_MEMBER(BodiesStatus, batches),  TUFF_MEMBER(BodiesStatus, tail),
            TUFF_MEMBER(BodiesStatus, deepest),  TUFF_MEMBER(BodiesStatus, residual),
            TUFF_MEMBER(BodiesStatus, asleep),   TUFF_MEMBER(BodiesStatus, full_batch),
            TUFF_MEMBER(BodiesStatus, rebuilt)};
    }
    float penetration() const { return std::bit_cast<float>(deepest); } ///< metres
    float approach() const { return std::bit_cast<float>(residual); }   ///< metres a second
    static BodiesStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "pairs"
};
static_assert(sizeof(BodiesStatus) == 52);

/// Checks what a pass is given: reports graph/unconnected, primitives/too-short or
/// pass/out-of-range.
[[nodiscard]] bool is_valid(Graph& graph, const Bodies& bodies);

/// A transient buffer of `count` records of `bytes` bytes, with room for one where there are none.
Buffer body_array(Graph& graph, std::string_view name, std::uint64_t count, std::uint32_t bytes);

/// A status of zeros.
Buffer empty_status(Graph& graph);

} // namespace tuff::passes
