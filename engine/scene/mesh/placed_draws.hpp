#pragma once

#include "scene/mesh/geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff {

/// The matrix for normals where `world` is that for positions. A flattening one has no inverse; its
/// cofactors serve instead.
glm::mat4 normal_transform(const glm::mat4& world);

/// The box about the placed corners of a box.
Bounds placed_box(const Bounds& box, const glm::mat4& world);

/// Where the triangles of a primitive lie in the arrays of a scene.
struct SceneRange {
    std::uint32_t first_index = 0;
    std::uint32_t index_count = 0;
    std::int32_t vertex_offset = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t material = 0;
    Bounds bounds; ///< in mesh space
};

/// Adds triangles to a scene's arrays; where they go to is limited by the caller.
SceneRange append_geometry(SceneData& scene, const Geometry& geometry);

/// Draws primitives of a scene where nodes of a file place them.
class DrawPlacer {
  public:
    explicit DrawPlacer(SceneData& scene) : scene_(scene) {}

    /// `name` is the node's. False where that would be too many draws: nodes times primitives, of
    /// which small files may claim any number.
    bool place(std::span<const SceneRange> ranges, std::uint32_t mesh, const glm::mat4& world,
               std::string_view name = {});

    static constexpr std::size_t kMaxDraws = std::size_t{1} << 22;

  private:
    Bounds world_bounds(const SceneRange& range, const glm::mat4& world);

    SceneData& scene_;
    std::uint64_t exact_bounds_work_ = std::uint64_t{1} << 27; ///< corners
};

} // namespace tuff
