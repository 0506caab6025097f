#pragma once

#include "passes/occlusion/levels.hpp"

namespace tuff::passes {

/// Computes means over all cubes of one width. See `describe`.
struct OcclusionCubeMeans {
    static constexpr std::string_view kName = "occlusion/cube_means";

    Image opacity;
    std::uint32_t level = 1;
    OcclusionMethod method = OcclusionMethod::n_buffer;
    std::uint32_t mips = 2;
    std::uint32_t budget = 0;
    OcclusionBorder border = OcclusionBorder::open;
    OcclusionPrecision precision = OcclusionPrecision::unorm16;
    Image result;

    static void describe(PassInfo<OcclusionCubeMeans>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
