#pragma once

#include "passes/filter/tensor.hpp"

#include <glm/vec2.hpp>

#include <string_view>

namespace tuff::passes {

/// Orientations as colours. See `describe`.
struct FilterColorWheel {
    static constexpr std::string_view kName = "filter/color_wheel";

    Buffer tensor;
    glm::uvec2 size{1};
    float scale = 1.0f;
    float legend = 0.0f; ///< texels
    Image result;

    static void describe(PassInfo<FilterColorWheel>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
