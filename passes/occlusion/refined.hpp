#pragma once

#include "passes/occlusion/rays.hpp"

namespace tuff::passes {

/// Refines ambient occlusion by rays from frame to frame. See `describe`.
struct OcclusionRefined {
    static constexpr std::string_view kName = "occlusion/refined";

    Image opacity;
    Image numbers; ///< optional
    std::uint32_t rays = 8;
    OcclusionCover cover = OcclusionCover::sphere;
    std::uint32_t stride = 1;
    float reach = 1e6f;
    bool own = false;
    std::uint32_t frame = 0;
    std::uint32_t frames = 1024;
    std::uint32_t restart = 0;
    Image result;

    static void describe(PassInfo<OcclusionRefined>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
