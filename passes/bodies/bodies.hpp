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

/// The values are those of shaders/bodies/body.glsl.
enum class ShapeKind : std::uint32_t {
    sphere,
    capsule, ///< its axis is y
    box,
    hull,      ///< a convex polyhedron
    plane,     ///< the half-space below its plane y = 0; never moves
    heights,   ///< a height field over x and z; never moves
    distances, ///< a solid given by signed distances; never moves
};

/// A shape as kernels read it.
struct ShapeRecord {
    glm::vec3 size{0.5f};            ///< radius; radius and half length of the axis; half sides
    std::uint32_t kind = 0;          ///< a `ShapeKind`
    glm::vec3 inverse_inertia{0.0f}; ///< principal, kg m^2
    std::uint32_t geometry = 0;      ///< index of the first vec4 of a hull or field
};
static_assert(sizeof(ShapeRecord) == 32);

/// Velocities and surface properties.
struct MotionRecord {
    glm::vec3 velocity{0.0f}; ///< m/s
    float friction = 0.5f;
    glm::vec3 spin{0.0f}; ///< radians per second
    float restitution = 0.0f;
};
static_assert(sizeof(MotionRecord) == 32);

/// The values are those of shaders/bodies/joint.glsl.
enum class JointKind : std::uint32_t {
    ball,   ///< a point of each body coincides
    hinge,  ///< a ball joint that rotates about one axis only
    slider, ///< no relative rotation; slides along one axis
};

/// A joint as kernels read it: a point and an axis in the frame of each of two bodies.
struct JointRecord {
    std::uint32_t first = 0; ///< the bodies
    std::uint32_t second = 0;
    std::uint32_t kind = 0;
    std::uint32_t parts = 0; ///< bit 0: limits; bit 1: a motor
    glm::vec3 first_anchor{0.0f};
    float low = 0.0f; ///< limits: radians or metres
    glm::vec3 second_anchor{0.0f};
    float high = 0.0f;
    glm::vec3 first_axis{1.0f, 0.0f, 0.0f};
    float speed = 0.0f; ///< speed of the motor: radians or metres per second
    glm::vec3 second_axis{1.0f, 0.0f, 0.0f};
    float strength = 0.0f; ///< strength of the motor: newton metres or newtons
    glm::vec4 turn{0.0f, 0.0f, 0.0f,
                   1.0f}; ///< rest orientation of the second body relative to the first
};
static_assert(sizeof(JointRecord) == 96);

inline constexpr std::uint32_t kMaxBodies = 1u << 22;
inline constexpr std::uint32_t kMaxJoints = 1u << 20;

/// The state of rigid bodies.
struct Bodies {
    static constexpr std::string_view kPortType = "Bodies";

    Buffer places;   ///< one vec4 a body: center of mass, inverse mass (0: never moves)
    Buffer turns;    ///< one vec4 a body: orientation, a quaternion (x, y, z, w)
    Buffer motions;  ///< one `MotionRecord` a body
    Buffer shapes;   ///< one `ShapeRecord` a body
    Buffer rest;     ///< two floats a body: seconds of rest; 1 if it sleeps
    Buffer geometry; ///< vec4 data of hulls and fields
    Buffer joints;   ///< optional: one `JointRecord` a joint
    Buffer apart;    ///< optional: two u32 for each pair that does not collide, lower index first,
                     ///< sorted
    std::uint32_t count = 0;
    std::uint32_t joint_count = 0;
    std::uint32_t apart_count = 0;
    std::uint32_t kinds = 0; ///< bit k: some body has shape kind k
    float largest = 1.0f;    ///< largest diameter of the bounding spheres of moving bodies
    glm::vec3 low{-10.0f};   ///< the box in which bodies are expected; bodies outside are slower
    glm::vec3 high{10.0f};

    explicit operator bool() const { return places && turns && motions && shapes; }
    bool has(ShapeKind kind) const { return (kinds >> static_cast<std::uint32_t>(kind) & 1u) != 0; }
    std::vector<PortMember> members() const;
};

/// What steps report: sums over all steps of an execution, or maxima.
struct BodiesStatus {
    std::uint32_t pairs = 0;      ///< pairs of overlapping boxes, maximum of the steps
    std::uint32_t lost_pairs = 0; ///< pairs that did not fit
    std::uint32_t contacts = 0;   ///< pairs that touch, last step
    std::uint32_t points = 0;     ///< contact points, last step
    std::uint32_t reset = 0;      ///< bodies whose new state was not finite: they were stopped
    std::uint32_t coincident = 0; ///< contacts without a direction, which use up
    std::uint32_t batches = 0;    ///< batches, maximum of the cells
    std::uint32_t tail = 0;       ///< constraints beyond the largest number of batches
    std::uint32_t deepest = 0;    ///< bits of the largest penetration, last step
    std::uint32_t residual = 0;   ///< bits of the largest approach speed, last step
    std::uint32_t asleep = 0;     ///< sleeping bodies, last step
    std::uint32_t full_batch = 0; ///< constraints of the fullest cell
    std::uint32_t rebuilt = 0;    ///< trees of boxes that had to be rebuilt, not only refitted
    std::uint32_t uncolored = 0;  ///< bodies without a colour in block descent, summed over steps

    static constexpr std::string_view kStructName = "BodiesStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(BodiesStatus, pairs),    TUFF_MEMBER(BodiesStatus, lost_pairs),
            TUFF_MEMBER(BodiesStatus, contacts), TUFF_MEMBER(BodiesStatus, points),
            TUFF_MEMBER(BodiesStatus, reset),    TUFF_MEMBER(BodiesStatus, coincident),
            TUFF_MEMBER(BodiesStatus, batches),  TUFF_MEMBER(BodiesStatus, tail),
            TUFF_MEMBER(BodiesStatus, deepest),  TUFF_MEMBER(BodiesStatus, residual),
            TUFF_MEMBER(BodiesStatus, asleep),   TUFF_MEMBER(BodiesStatus, full_batch),
            TUFF_MEMBER(BodiesStatus, rebuilt),  TUFF_MEMBER(BodiesStatus, uncolored)};
    }
    float penetration() const { return std::bit_cast<float>(deepest); } ///< metres
    float approach() const { return std::bit_cast<float>(residual); }   ///< metres per second
    static BodiesStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "pairs"
};
static_assert(sizeof(BodiesStatus) == 56);

/// Checks a pass's inputs: reports graph/unconnected, primitives/too-short or pass/out-of-range.
[[nodiscard]] bool is_valid(Graph& graph, const Bodies& bodies);

/// A transient buffer of `count` records of `bytes` bytes, at least one record.
Buffer body_array(Graph& graph, std::string_view name, std::uint64_t count, std::uint32_t bytes);

/// A status of zeros.
Buffer empty_status(Graph& graph);

} // namespace tuff::passes
