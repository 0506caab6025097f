#pragma once

#include "passes/fluid/sparse_view.hpp"

namespace tuff::passes {

/// Draws smoke in bricks, brick by brick. See `describe`.
struct SparseDraw {
    static constexpr std::string_view kName = "fluid/sparse_draw";

    SparseSmoke smoke;
    Image behind;       ///< optional
    Image behind_depth; ///< optional
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    SmokeLook look;
    float opaque = 1.0f / 255.0f;
    std::uint32_t buckets = 8;
    Image result;

    static void describe(PassInfo<SparseDraw>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
