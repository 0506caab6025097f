#pragma once

#include "passes/bvh/bvh.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// Builds a hierarchy on the host by the surface area heuristic: the yardstick of the others. See
/// `describe`.
struct SahBuild {
    static constexpr std::string_view kName = "bvh/sah_build";

    Scene scene;
    TriangleMesh mesh;

    Bvh bvh;

    static void describe(PassInfo<SahBuild>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
