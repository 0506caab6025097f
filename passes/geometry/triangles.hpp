#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <string_view>

namespace tuff::passes {

/// A scene as one mesh of triangles in world space. See `describe`.
struct Triangles {
    static constexpr std::string_view kName = "geometry/triangles";

    Scene scene;
    TriangleMesh mesh;

    static void describe(PassInfo<Triangles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
