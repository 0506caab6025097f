#pragma once

#include "passes/raygrid/cast.hpp"
#include "passes/raytrace/light.hpp"
#include "passes/raytrace/tracer_parameters.hpp"

#include <string_view>
#include <vector>

namespace tuff::passes {

/// Renders a scene with shadows and reflections through a grid. See `describe`.
struct TraceWhittedGrid : TracerParameters {
    static constexpr std::string_view kName = "raygrid/whitted";

    Scene scene;
    Bvh bvh;
    EnvironmentMap environment;
    std::vector<RayLight> lights;
    RayGridParameters grid;
    GridCastParameters cast;
    bool with_work = false;
    std::uint32_t work_bounce = 1;

    Image color;
    Buffer work;

    static void describe(PassInfo<TraceWhittedGrid>& info);
    void build(Graph& graph);
};

/// Which work of rays is shown. The values are those of shaders/raygrid/heat.comp.
enum class GridWork : std::uint8_t { links, tests, rounds };

/// Shows the work for rays, pixel by pixel. See `describe`.
struct GridHeatMap {
    static constexpr std::string_view kName = "raygrid/heat_map";

    Buffer work;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    GridWork shown = GridWork::links;
    float most = 32.0f;

    Image color;

    static void describe(PassInfo<GridHeatMap>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GridWork> {
    static constexpr std::array<std::string_view, 3> names{"links", "tests", "rounds"};
};
