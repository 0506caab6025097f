#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/scene/camera_parameters.hpp"
#include "passes/terrain/surface.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What rasterizes triangles.
enum class MeshDrawer : std::uint8_t {
    device,  ///< the device's rasterizer
    compute, ///< geometry/compute_raster
};

/// Draws a mesh from `terrain/mesh`. See `describe`.
struct DrawTerrainMesh {
    static constexpr std::string_view kName = "terrain/draw_mesh";

    TriangleMesh mesh;
    Buffer vertices;
    Surface surface;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    MeshDrawer by = MeshDrawer::compute;
    glm::vec3 sun{0.4f, 0.7f, 0.3f};
    float light = 1.0f;
    float tint = 0.0f;
    float natural = 1.0f;
    glm::vec2 heights{0.0f, 0.1f};
    glm::vec4 background{0.35f, 0.5f, 0.75f, 1.0f};
    Image color;
    Image depth;
    Image normals;
    Image places;

    static void describe(PassInfo<DrawTerrainMesh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MeshDrawer> {
    static constexpr std::array<std::string_view, 2> names{"device", "compute"};
};
