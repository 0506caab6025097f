#pragma once

#include "scene/mesh/geometry.hpp"

#include <tuff/scene_motion.hpp>

#include <tiny_gltf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tuff::gltf {

/// Collects what animations, skins and morph targets of a file are for a scene, while its nodes are
/// visited, parents first.
class MotionReader {
  public:
    explicit MotionReader(const tinygltf::Model& model);

    /// Whether anything moves. Nothing else is asked for where not.
    bool moves() const { return moves_; }

    /// `parent` is what an earlier call returned, -1 for a root; `local` is its transform.
    /// Errors: gltf/too-large.
    Result<std::int32_t> visit(int node, std::int32_t parent, const glm::mat4& local);
    /// Whether a skin or morph targets move the vertices of the node's mesh, so that they are its
    /// own.
    bool deforms(const tinygltf::Node& node) const;
    bool has_skin(const tinygltf::Node& node) const;
    /// Reads what moves the vertices of a primitive of the node, which lie in the scene from
    /// `first_vertex` on.
    Result<void> deform(int node, const tinygltf::Primitive& primitive, const Geometry& geometry,
                        std::uint32_t first_vertex, const std::string& owner,
                        Diagnostics& warnings);
    /// The transforms from the last call's on to `transforms` are of this visited node; -1: of
    /// none.
    void place(std::size_t transforms, std::int32_t visited);
    /// The camera or light of this number is carried by a visited node.
    void carry_camera(std::size_t camera, std::int32_t visited);
    void carry_light(std::size_t light, std::int32_t visited);
    /// The file gives the camera no far plane.
    void open_camera(std::size_t camera);
    /// Reads skins and animations. `root` is the transform that places the file's coordinates.
    Result<std::shared_ptr<const SceneMotion>> finish(std::int32_t root, Diagnostics& warnings);

  private:
    Result<void> read_influences(const tinygltf::Primitive& primitive, std::size_t joint_count,
                                 const Geometry& geometry, MotionRange& range,
                                 const std::string& owner, Diagnostics& warnings);
    Result<void> read_targets(int node, const tinygltf::Primitive& primitive,
                              const Geometry& geometry, MotionRange& range,
                              const std::string& owner);
    Result<void> read_skin(std::size_t index);
    void leave_still_nodes(std::int32_t root);

    const tinygltf::Model& model_;
    bool moves_ = false;
    SceneMotion motion_;
    std::vector<std::int32_t> visited_;       ///< by node of the file; -1: not in the scene
    std::vector<std::uint32_t> depths_;       ///< by visited node
    std::vector<std::int32_t> groups_;        ///< by visited node: of weights
    std::vector<std::uint32_t> group_counts_; ///< targets of each group
    std::vector<std::uint32_t> group_starts_; ///< first weight of each
    std::vector<std::uint32_t> first_joints_; ///< by skin
};

/// Reads the clips of a file into `motion`, whose nodes and weights are there. Errors:
/// gltf/animation, gltf/not-finite, gltf/too-large and those of accessors.
Result<void> read_clips(const tinygltf::Model& model, const std::vector<std::int32_t>& visited,
                        const std::vector<std::int32_t>& groups,
                        const std::vector<std::uint32_t>& group_counts, SceneMotion& motion,
                        Diagnostics& warnings);

} // namespace tuff::gltf
