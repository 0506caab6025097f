#pragma once

#include "passes/primitives/summed_area.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Blurs what is out of focus. See `describe`.
struct DepthOfField {
    static constexpr std::string_view kName = "image/depth_of_field";

    Image source;
    Image depth;
    SummedArea table; ///< of `source`; made where it is not connected
    float near_plane = 0.1f;
    float far_plane = 100.0f;
    float focus = 5.0f;
    float aperture = 0.025f;
    float focal_length = 0.05f;
    float sensor_height = 0.024f;
    float max_radius = 64.0f;
    Image result;

    static void describe(PassInfo<DepthOfField>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
