#pragma once

#include "passes/oit/lists.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <string_view>
#include <vector>

namespace tuff::passes {

/// Colours for fragments that compute kernels have captured. See `describe`.
struct OitShade {
    static constexpr std::string_view kName = "oit/shade";

    FragmentLists captured;
    Scene scene;
    SceneView view;
    FragmentPacking packing = FragmentPacking::standard;
    std::vector<float> modes;
    FragmentLists lists;

    static void describe(PassInfo<OitShade>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
