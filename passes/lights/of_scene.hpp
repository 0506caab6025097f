#pragma once

#include "passes/lights/lights.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// Makes the lights of a scene's file. See `describe`.
struct SceneLights {
    static constexpr std::string_view kName = "lights/of_scene";

    Scene scene;
    float scale = 1.0f;
    float cutoff = 0.01f;
    bool directional = true;
    Lights lights;

    static void describe(PassInfo<SceneLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
