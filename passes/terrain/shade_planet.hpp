#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/terrain/surface.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <string_view>

namespace tuff::passes {

/// Shades a planet and its atmosphere. See `describe`.
struct ShadePlanet {
    static constexpr std::string_view kName = "terrain/shade_planet";

    Surface surface;
    Image depth;
    Image normals;
    CameraParameters camera;
    glm::vec3 sun{1.0f, 0.2f, 0.3f};
    float light = 3.0f;
    float air = 0.00126f;
    float haze = 1.0f;
    glm::vec2 snow{0.0004f, 0.0006f};
    Image color;

    static void describe(PassInfo<ShadePlanet>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
