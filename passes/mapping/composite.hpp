#pragma once

#include "passes/mapping/rgbd.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Composites a virtual object into the camera's picture. See `describe`.
struct MappingComposite {
    static constexpr std::string_view kName = "mapping/composite";

    RgbdFrame frame;
    Buffer pose;
    RgbdMaps maps; ///< optional
    glm::vec3 position{0.0f};
    float size = 0.3f;
    float turn = 0.0f; ///< degrees
    glm::vec3 color{0.85f, 0.78f, 0.7f};
    float margin = 0.01f;

    Image result;

    static void describe(PassInfo<MappingComposite>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
