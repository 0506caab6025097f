#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/vec3.hpp>

#include <string_view>

namespace tuff::passes {

/// Makes a scene of one material from a mesh on the device. See `describe`.
struct IsosurfaceScene {
    static constexpr std::string_view kName = "isosurface/scene";

    TriangleMesh mesh;
    Buffer normals;
    glm::vec3 color{0.8f};
    glm::vec3 emissive{0.0f};
    float metallic = 0.0f;
    float roughness = 0.5f;
    bool double_sided = false;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};

    Scene scene;

    static void describe(PassInfo<IsosurfaceScene>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
