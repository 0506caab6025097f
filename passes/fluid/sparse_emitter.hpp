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

/// The shape of an emitter of smoke. The values are those of shaders/fluid/sparse_sources.glsl.
enum class SmokeShape : std::uint8_t {
    sphere,  ///< falls off smoothly towards its surface
    box,     ///< uniform
    texture, ///< a box, weighted by the red channel of the texel
    voxels,  ///< the set voxels of a mesh, in a box
};

/// A source of smoke, as a bundle: see the pass `fluid/sparse_emitter`.
struct SmokeEmitter {
    static constexpr std::string_view kPortType = "SmokeEmitter";

    SmokeShape shape = SmokeShape::sphere;
    glm::vec3 position{0.0f};
    glm::vec3 size{0.0f}; ///< half the size of the box; for spheres x is the radius
    glm::vec3 force{0.0f};
    glm::vec4 dye{0.0f};
    Image texture;
    VoxelGrid voxels;

    /// Half the size of its bounding box.
    glm::vec3 extent() const { return shape == SmokeShape::sphere ? glm::vec3(size.x) : size; }
};

/// Defines a source of smoke. See `describe`.
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
