#pragma once

#include "passes/terrain/bisection_wide.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Bisects triangles to any depth, with a pool of leaves that store their neighbours. See
/// `describe`.
struct BisectPool {
    static constexpr std::string_view kName = "terrain/bisection_pool";

    Surface surface;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    float edge = 16.0f;
    std::uint32_t max_level = 40;
    std::uint32_t iterations = 1;
    std::uint32_t capacity = 1u << 16;
    std::uint32_t reset = 0;
    bool cull = true;
    BisectionTree tree;
    BisectionTree seen;

    static void describe(PassInfo<BisectPool>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
