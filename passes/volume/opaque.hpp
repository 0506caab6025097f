#pragma once

#include "passes/volume/media.hpp"

namespace tuff::passes {

/// What media are seen in front of. See `describe`.
struct VolumeOpaque {
    static constexpr std::string_view kName = "volume/opaque";

    Image color; ///< optional
    Image depth; ///< optional
    Scene scene; ///< optional
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    glm::vec3 background{0.0f};
    Image result;

    static void describe(PassInfo<VolumeOpaque>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
