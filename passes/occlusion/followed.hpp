#pragma once

#include "passes/occlusion/levels.hpp"

namespace tuff::passes {

/// Updates the ambient occlusion of a volume that changes in places. See `describe`.
struct OcclusionFollowed {
    static constexpr std::string_view kName = "occlusion/followed";

    Image opacity;
    std::uint32_t shells = 6;
    OcclusionBorder border = OcclusionBorder::open;
    float growth = 1.4f;
    float strength = 1.0f;
    bool own = false;
    Image result;
    Buffer dirty;

    static void describe(PassInfo<OcclusionFollowed>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
