#pragma once

#include "passes/displacement/surface.hpp"
#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// Makes quads to be displaced from a scene's triangles. See `describe`.
struct ScenePatches {
    static constexpr std::string_view kName = "displacement/scene_patches";

    Scene scene;
    TriangleMesh mesh; ///< optional
    std::int32_t material = -1;

    Buffer patches;
    Buffer materials;
    TriangleMesh rest;

    static void describe(PassInfo<ScenePatches>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
