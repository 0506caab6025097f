#pragma once

#include "passes/bvh/bvh.hpp"
#include "passes/lights/lights.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// Finds the shadows of some lights. See `describe`.
struct LightShadows {
    static constexpr std::string_view kName = "lights/shadows";

    Lights lights;
    Bvh bvh;
    Image depth;
    Image normal;
    Scene scene;
    CameraParameters camera;
    std::uint32_t chosen = 1;
    float bias = 0.001f;
    float gap = 0.0f;
    Image hidden;

    static void describe(PassInfo<LightShadows>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
