#pragma once

#include "passes/lights/lights.hpp"

#include <vector>

namespace tuff::passes {

/// Makes lights from numbers. See `describe`.
struct ListLights {
    static constexpr std::string_view kName = "lights/list";

    std::vector<float> places;
    std::vector<float> colors;
    std::vector<float> spots;
    Lights lights;

    static void describe(PassInfo<ListLights>& info);
    void build(Graph& graph);
};

/// Makes lights from arrays. See `describe`.
struct LightBuffers {
    static constexpr std::string_view kName = "lights/buffers";

    Buffer spheres;
    Buffer shades;
    std::uint32_t count = 0;
    Lights lights;

    static void describe(PassInfo<LightBuffers>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
