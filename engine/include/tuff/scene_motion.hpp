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
    glm::vec3 translation{0.0f};                ///< what channels do not replace
    std::int32_t parent = -1;                   ///< comes before it; -1: it is a root
    glm::vec3 scale{1.0f};                      ///< before the rotation
    std::uint32_t padding = 0;                  ///< of std430
};
static_assert(sizeof(MotionNode) == 112);

/// How the values of a channel follow from its keys. The numbers are those of
/// shaders/scene/motion_channels.glsl.
enum class Interpolation : std::uint32_t {
    step,   ///< that of the key before
    linear, ///< along a line; rotations along the shortest arc
    cubic,  ///< a Hermite spline: a key has a tangent before, a value and a tangent behind
};

/// Keys and values of one channel, 16 bytes, std430. Both lie in SceneMotion::keys.
struct MotionChannel {
    std::uint32_t first_time = 0;  ///< of times, which increase
    std::uint32_t key_count = 0;   ///< at least one
    std::uint32_t first_value = 0; ///< three, four or, of weights, one float a target
    Interpolation interpolation = Interpolation::linear; ///< between keys
};
static_assert(sizeof(MotionChannel) == 16);

/// The weight of a morph target of a node, 16 bytes, std430.
struct MotionWeight {
    float rest = 0.0f;        ///< where no channel says otherwise
    std::uint32_t group = 0;  ///< the node among those with morph targets
    std::uint32_t target = 0; ///< of the node
    std::uint32_t count = 0;  ///< targets of the node
};
static_assert(sizeof(MotionWeight) == 16);

/// A joint of a skin, 64 bytes, std430.
struct MotionJoint {
    std::array<glm::vec4, 3> inverse_bind{}; ///< rows of the affine matrix
    std::uint32_t node = 0;                  ///< that it follows
    std::uint32_t padding[3] = {0, 0, 0};    ///< of std430
};
static_assert(sizeof(MotionJoint) == 64);

/// The vertices of one draw that skin or morph targets move, 48 bytes, std430.
struct MotionRange {
    std::uint32_t first_vertex = 0;    ///< into SceneData::vertices
    std::uint32_t vertex_count = 0;    ///< those of no other range
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

/// A camera or a light that a node carries, where a clip moves the node.
struct MotionFollower {
    std::uint32_t index = 0; ///< into SceneData::cameras or SceneData::lights
    std::int32_t node = 0;   ///< into SceneMotion::nodes
    std::int32_t root = 0;   ///< the transform that places the file's coordinates
};

/// Vertices of a draw that one joint, or the draw's transform, moves: what bounds follow from.
struct MotionBox {
    std::uint32_t draw = 0;  ///< into SceneData::draws
    std::int32_t joint = -1; ///< into SceneMotion::joints; -1: the draw's transform
    std::int32_t range = -1; ///< whose morph targets move the vertices as well; -1: none
    Bounds bounds;           ///< of the vertices at rest, in the space of the mesh
};

/// Where a clip takes what it moves, at 65 moments from its start to its end.
struct ClipReach {
    std::int32_t root = 0; ///< the transform that places the file's coordinates
    Bounds bounds;         ///< in these coordinates
};

/// One animation of the file.
struct SceneClip {
    std::string name;      ///< as the file has it, else its number
    float duration = 0.0f; ///< seconds: the time of the last key
    /// Channels of a node, for translation, rotation and scale; -1: it stays at rest. By node;
    /// empty, as weight_channels, once they are packed.
    std::vector<glm::ivec4> node_channels;
    std::vector<std::int32_t> weight_channels; ///< by node with morph targets; -1: at rest
    std::vector<ClipReach> reaches;            ///< by root; made by `pack_scene`
};

/// The arrays of a SceneMotion as buffers have them, shared by the graphs that they enter.
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

/// How a scene moves: its nodes, its clips, and what skins and morph targets do to vertices.
struct SceneMotion {
    std::vector<MotionNode> nodes;       ///< parents before their children
    std::vector<SceneClip> clips;        ///< by their order in the file
    std::vector<MotionChannel> channels; ///< of all clips
    std::vector<float> keys;             ///< times and values of all channels
    std::vector<MotionWeight> weights;   ///< those of a node follow one another
    std::uint32_t weight_groups = 0;     ///< nodes with morph targets
    std::vector<MotionJoint> joints;     ///< of all skins; those of a skin follow one another
    /// For each transform the node that moves it, -1 where none does, and the transform that places
    /// the file's coordinates. What has a skin lies in these coordinates.
    std::vector<glm::ivec2> places;
    std::vector<MotionRange> ranges; ///< by first vertex
    /// Six words a vertex and set: two words with four joints of 16 bits, counted from the skin's
    /// first, then four float weights. The weights of all sets have the sum 1. Vertex by vertex.
    std::vector<std::uint32_t> influences;
    /// Target by target, vertex by vertex: the displacement of the position, then those of normal
    /// and tangent where the range has them.
    std::vector<float> deltas;
    std::vector<MotionFollower> cameras;     ///< those that clips move
    std::vector<MotionFollower> lights;      ///< those that clips move
    std::vector<std::uint32_t> open_cameras; ///< the file gives them no far plane
    MotionBytes packed; ///< made by `pack_scene`, which gives the memory of the arrays back
    std::vector<MotionBox> boxes;                   ///< by draw; made by `pack_scene`
    std::vector<std::vector<Bounds>> target_bounds; ///< of displacements, by range and target
};

inline constexpr std::uint32_t kNoClip = 0xffffffffu; ///< all is at rest

/// What `scene/animate` shows.
struct MotionMoment {
    std::uint32_t clip = kNoClip;        ///< into SceneMotion::clips
    float time = 0.0f;                   ///< seconds into the clip
    std::uint32_t second_clip = kNoClip; ///< that it is blended with
    float second_time = 0.0f;            ///< seconds into the second clip
    float blend = 0.0f;                  ///< 1: the second clip alone
};

/// A packed scene with its cameras, lights and bounds as they are at a moment. Bounds of draws hold
/// what kernels make of the vertices, with room for rounding. The scene's hold them too, and where
/// the clips that are seen take them: cameras that frame the scene stand still while it moves.
/// Nothing else changes; transforms and vertices are moved on the device. Precondition: it has
/// `motion`.
SceneData pose_scene(const SceneData& scene, const MotionMoment& moment);

} // namespace tuff
