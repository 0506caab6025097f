#pragma once

#include "passes/common/picture.hpp"
#include "passes/oit/lists.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Blends fragments into a few layers a pixel. See `describe`.
struct MultiLayer {
    static constexpr std::string_view kName = "oit/multi_layer";
    static constexpr std::uint32_t kMaxLayers = 8; ///< as in shaders/oit/multi_layer.comp

    FragmentLists lists;
    SceneView view;
    Image background; ///< optional
    std::uint32_t layers = 4;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image color;

    static void describe(PassInfo<MultiLayer>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
