#pragma once

#include "passes/occlusion/levels.hpp"

namespace tuff::passes {

/// Computes the ambient occlusion of a volume from spherical shells. See `describe`.
struct OcclusionSpheres {
    static constexpr std::string_view kName = "occlusion/spheres";

    Image opacity;
    std::uint32_t radius = 8;
    OcclusionBorder border = OcclusionBorder::open;
    bool own = false;
    Image result;

    static void describe(PassInfo<OcclusionSpheres>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
