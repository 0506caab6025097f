#pragma once

#include "passes/raytrace/tracer_parameters.hpp"

#include <string_view>

namespace tuff::passes {

/// A picture with global illumination that gets better with each execution. See `describe`.
struct PathTrace : TracerParameters {
    static constexpr std::string_view kName = "raytrace/path_trace";

    Scene scene;
    Bvh bvh;
    EnvironmentMap environment;
    RayShapes shapes; ///< optional
    std::uint32_t samples = 1;
    std::uint32_t roulette_from = 3;
    float limit = 0.0f;
    bool jitter = true;
    bool emitters = true;
    bool reset = false;
    Image color;
    Buffer count;

    static void describe(PassInfo<PathTrace>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
