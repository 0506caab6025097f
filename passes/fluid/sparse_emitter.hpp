#pragma once

#include "passes/voxel/voxel_grid.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Where an emitter of smoke is. The numbers are those of shaders/fluid/sparse_sources.glsl.
enum class SmokeShape : std::uint8_t {
    sphere,  ///< falls off smoothly to its surface
    box,     ///< all of it alike
    texture, ///< a box, times the red number of the texel there
    voxels,  ///< the voxels of a mesh that are set, in a box
};

/// A place that smoke comes from, as a bundle: see the pass `fluid/sparse_emitter`.
struct SmokeEmitter {
    static constexpr std::string_view kPortType = "SmokeEmitter";

    SmokeShape shape = SmokeShape::sphere;
    glm::vec3 position{0.0f};
    glm::vec3 size{0.0f}; ///< half of the box; of spheres x is the radius
    glm::vec3 force{0.0f};
    glm::vec4 dye{0.0f};
    Image texture;
    VoxelGrid voxels;

    /// Half of the box about it.
    glm::vec3 extent() const { return shape == SmokeShape::sphere ? glm::vec3(size.x) : size; }
};

/// A place that smoke comes from. See `describe`.
struct SparseEmitter {
    static constexpr std::string_view kName = "fluid/sparse_emitter";

    SmokeShape shape = SmokeShape::sphere;
    glm::vec3 position{0.0f};
    glm::vec3 size{8.0f};
    glm::vec3 force{0.0f, 1.0f, 0.0f};
    glm::vec4 dye{1.0f, 1.0f, 1.0f, 0.0f};
    Image texture;
    VoxelGrid voxels;
    SmokeEmitter emitter;

    static void describe(PassInfo<SparseEmitter>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SmokeShape> {
    static constexpr std::array<std::string_view, 4> names{"sphere", "box", "texture", "voxels"};
};
