#pragma once

#include "passes/lights/cull.hpp"

namespace tuff::passes {

/// Assigns lights to clusters of the view. See `describe`.
struct ClusterLights {
    static constexpr std::string_view kName = "lights/cluster";

    Lights lights;
    Scene scene;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    LightTile side = LightTile::side32;
    std::uint32_t bins = 64;
    LightGrid grid;

    static void describe(PassInfo<ClusterLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
