#pragma once

#include "passes/raytrace/camera_rays.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <string_view>

namespace tuff::passes {

/// Rays through the middles of pixels. See `describe`.
struct PrimaryRays {
    static constexpr std::string_view kName = "raytrace/primary";

    Scene scene;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    Buffer rays;

    static void describe(PassInfo<PrimaryRays>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
