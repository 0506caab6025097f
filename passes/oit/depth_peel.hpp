#pragma once

#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Transparent surfaces layer by layer, each by drawing all of them. See `describe`.
struct DepthPeel {
    static constexpr std::string_view kName = "oit/depth_peel";
    static constexpr std::uint32_t kMaxLayers = 256;

    Scene scene;
    SceneView view;
    std::uint32_t layers = 8;
    Image color;

    static void describe(PassInfo<DepthPeel>& info);
    void build(Graph& graph);
};

/// Transparent surfaces as a weighted average. See `describe`.
struct WeightedBlended {
    static constexpr std::string_view kName = "oit/weighted_blended";

    Scene scene;
    SceneView view;
    Image color;

    static void describe(PassInfo<WeightedBlended>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
