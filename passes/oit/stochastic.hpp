#pragma once

#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Transparent surfaces as the mean of pictures in which each fragment is there or not. See
/// `describe`.
struct StochasticTransparency {
    static constexpr std::string_view kName = "oit/stochastic";
    static constexpr std::uint32_t kMaxStochasticSamples = 256;

    Scene scene;
    SceneView view;
    std::uint32_t samples = 16;
    std::uint32_t seed = 0;
    Image color;

    static void describe(PassInfo<StochasticTransparency>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
