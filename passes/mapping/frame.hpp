#pragma once

#include "passes/mapping/rgbd.hpp"

#include <string_view>

namespace tuff::passes {

/// Makes a frame from pictures of a depth camera. See `describe`.
struct MappingFrame {
    static constexpr std::string_view kName = "mapping/frame";

    Image depth;
    Image color; ///< optional
    float scale = 65.535f;
    float invalid = 1.0f;
    glm::vec4 intrinsics{525.0f, 525.0f, 319.5f, 239.5f};
    glm::vec2 range{0.3f, 5.0f};

    RgbdFrame result;

    static void describe(PassInfo<MappingFrame>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
