#pragma once

#include <tuff/scene.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tuff {

/// A node of a file at rest, 112 bytes, std430.
struct MotionNode {
    glm::mat4 local{1.0f};                      ///< to its parent
    glm::vec4 rotation{0.0f, 0.0f, 0.0f, 1.0f}; ///< quaternion x, y, z, w
    glm::vec3 translation{0.0f};                ///< unless a channel replaces it
    std::int32_t parent = -1;                   ///< precedes it; -1: it is a root
    glm::vec3 scale{1.0f};                      ///< before the rotation
    std::uint32_t padding = 0;                  ///< of std430
};
static_assert(sizeof(MotionNode) == 112);

/// Interpolation of the keys of a channel. The numbers are those of
/// shaders/scene/motion_channels.glsl.
enum class Interpolation : std::uint32_t {
    step,   ///< the value of the key before
    linear, ///< linear; rotations along the shortest arc
    cubic,  ///< a Hermite spline: a key has an in-tangent, a value and an out-tangent
};

/// Keys and values of one channel, 16 bytes, std430. Both are in SceneMotion::keys.
struct MotionChannel {
    std::uint32_t first_time = 0;  ///< of times, which increase
    std::uint32_t key_count = 0;   ///< at least one
    std::uint32_t first_value = 0; ///< three, four or, for weights, one float a target
    Interpolation interpolation = Interpolation::linear; ///< between keys
};
static_assert(sizeof(MotionChannel) == 16);

/// The weight of a morph target of a node, 16 bytes, std430.
struct MotionWeight {
    float rest = 0.0f;        ///< without a channel
    std::uint32_t group = 0;  ///< number of the node among those with morph targets
    std::uint32_t target = 0; ///< of the node
    std::uint32_t count = 0;  ///< targets of the node
};
static_assert(sizeof(MotionWeight) == 16);

/// A joint of a skin, 64 bytes, std430.
struct MotionJoint {
    std::array<glm::vec4, 3> inverse_bind{}; ///< rows of the affine matrix
    std::uint32_t node = 0;                  ///< index of its node
    std::uint32_t padding[3] = {0, 0, 0};    ///< of std430
};
static_assert(sizeof(MotionJoint) == 64);

/// The vertices of one draw that skin or morph targets move, 48 bytes, std430.
struct MotionRange {
    std::uint32_t first_vertex = 0;    ///< into SceneData::vertices
    std::uint32_t vertex_count = 0;    ///< ranges do not overlap
    std::uint32_t first_joint = 0;     ///< of the skin
    std::uint32_t influence_sets = 0;  ///< of four joints each; 0: no skin
    std::uint32_t first_influence = 0; ///< into SceneMotion::influences
    std::uint32_t first_weight = 0;    ///< into SceneMotion::weights
    std::uint32_t target_count = 0;    ///< 0: no morph targets
    std::uint32_t first_delta = 0;     ///< into SceneMotion::deltas
    std::uint32_t has_normals = 0;     ///< 1: three floats a vertex for the normal
    std::uint32_t has_tangents = 0;    ///< 1: three for the tangent
    std::uint32_t padding[2] = {0, 0}; ///< of std430
};
static_assert(sizeof(MotionRange) == 48);

/// A camera or a light of a node that a clip moves.
struct MotionFollower {
    std::uint32_t index = 0; ///< into SceneData::cameras or SceneData::lights
    std::int32_t node = 0;   ///< into SceneMotion::nodes
    std::int32_t root = 0;   ///< the transform that places the file's coordinates
};

/// Vertices of a draw that one joint, or the draw's transform, moves, to compute bounds.
struct MotionBox {
    std::uint32_t draw = 0;  ///< into SceneData::draws
    std::int32_t joint = -1; ///< into SceneMotion::joints; -1: the draw's transform
    std::int32_t range = -1; ///< with morph targets of the vertices; -1: none
    Bounds bounds;           ///< of the vertices at rest, in the space of the mesh
};

/// Bounds of a clip, at 65 points in time from its start to its end.
struct ClipReach {
    std::int32_t root = 0; ///< the transform that places the file's coordinates
    Bounds bounds;         ///< in these coordinates
};

/// One animation of the file.
struct SceneClip {
    std::string name;      ///< from the file, else its number
    float duration = 0.0f; ///< seconds: the time of the last key
    /// Channels of a node, for translation, rotation and scale; -1: it stays at rest. By node;
    /// like weight_channels, empty once packed.
    std::vector<glm::ivec4> node_channels;
    std::vector<std::int32_t> weight_channels; ///< by node with morph targets; -1: at rest
    std::vector<ClipReach> reaches;            ///< by root; made by `pack_scene`
};

/// The arrays of a SceneMotion as bytes of buffers, shared by all graphs that use them.
struct MotionBytes {
    using Bytes = std::shared_ptr<const std::vector<std::byte>>; ///< of one buffer
    Bytes nodes;                                                 ///< MotionNode
    Bytes node_channels;                                         ///< ivec4 a node, clip by clip
    Bytes weight_channels; ///< int32 a node with morph targets, clip by clip
    Bytes channels;        ///< MotionChannel
    Bytes keys;            ///< float
    Bytes weights;         ///< MotionWeight
    Bytes joints;          ///< MotionJoint
    Bytes places;          ///< ivec2 a transform
    Bytes ranges;          ///< MotionRange
    Bytes influences;      ///< uint32
    Bytes deltas;          ///< float
};

/// Animation data of a scene: nodes, clips, skins and morph targets.
struct SceneMotion {
    std::vector<MotionNode> nodes;       ///< parents before their children
    std::vector<SceneClip> clips;        ///< by their order in the file
    std::vector<MotionChannel> channels; ///< of all clips
    std::vector<float> keys;             ///< times and values of all channels
    std::vector<MotionWeight> weights;   ///< those of a node are consecutive
    std::uint32_t weight_groups = 0;     ///< nodes with morph targets
    std::vector<MotionJoint> joints;     ///< of all skins; those of a skin are consecutive
    /// For each transform the node that moves it, or -1, and the transform that places
    /// the file's coordinates. Skinned meshes are in these coordinates.
    std::vector<glm::ivec2> places;
    std::vector<MotionRange> ranges; ///< by first vertex
    /// Six words a vertex and set: two words with four joints of 16 bits, counted from the skin's
    /// first, then four float weights. The weights of all sets add up to 1. Vertex by vertex.
    std::vector<std::uint32_t> influences;
    /// Target by target, vertex by vertex: the displacement of the position, then those of normal
    /// and tangent if the range has them.
    std::vector<float> deltas;
    std::vector<MotionFollower> cameras;     ///< moved by clips
    std::vector<MotionFollower> lights;      ///< moved by clips
    std::vector<std::uint32_t> open_cameras; ///< the file gives them no far plane
    MotionBytes packed;                      ///< made by `pack_scene`, which frees the arrays
    std::vector<MotionBox> boxes;            ///< by draw; made by `pack_scene`
    std::vector<std::vector<Bounds>> target_bounds; ///< of displacements, by range and target
};

inline constexpr std::uint32_t kNoClip = 0xffffffffu; ///< everything is at rest

/// A point in time for `scene/animate`.
struct MotionMoment {
    std::uint32_t clip = kNoClip;        ///< into SceneMotion::clips
    float time = 0.0f;                   ///< seconds into the clip
    std::uint32_t second_clip = kNoClip; ///< blended with the first
    float second_time = 0.0f;            ///< seconds into the second clip
    float blend = 0.0f;                  ///< 1: the second clip alone
};

/// A packed scene with its cameras, lights and bounds at a point in time. Bounds of draws include
/// the moved vertices, with a margin for rounding. The scene's bounds include these and the bounds
/// of the playing clips, so cameras that frame the scene stand still while it moves.
/// Nothing else changes; transforms and vertices are moved on the device. Precondition: it has
/// `motion`.
SceneData pose_scene(const SceneData& scene, const MotionMoment& moment);

} // namespace tuff
