#pragma once

#include "passes/raytrace/light.hpp"
#include "passes/raytrace/tracer_parameters.hpp"

#include <string_view>
#include <vector>

namespace tuff::passes {

/// A picture with shadows and mirrored rays. See `describe`.
struct TraceWhitted : TracerParameters {
    static constexpr std::string_view kName = "raytrace/whitted";

    Scene scene;
    Bvh bvh;
    EnvironmentMap environment;
    RayShapes shapes; ///< optional
    std::vector<RayLight> lights;
    Image color;

    static void describe(PassInfo<TraceWhitted>& info);
    void build(Graph& graph);
};

/// The picture of a tracer that is set up: what TraceWhitted does.
Image trace_whitted(Graph& graph, TracerSetup& setup, const TracerParameters& parameters,
                    const std::vector<RayLight>& lights);

} // namespace tuff::passes
