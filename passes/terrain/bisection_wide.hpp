#pragma once

#include "passes/terrain/bisection.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

inline constexpr std::uint32_t kMaxWideBisectionLevel = 56;

/// Bisects triangles to any depth, storing only the leaves. See `describe`.
struct BisectWide {
    static constexpr std::string_view kName = "terrain/bisection_wide";

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

    static void describe(PassInfo<BisectWide>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
