#pragma once

#include "passes/volume/fragments.hpp"

namespace tuff::passes {

/// Radii of a body by direction. See `describe`.
struct MakeRadiusMap {
    static constexpr std::string_view kName = "volume/radius_map";

    std::uint32_t size = 64;
    float least = 0.55f;
    float most = 1.0f;
    float frequency = 3.0f;
    std::uint32_t seed = 1;
    RadiusMap map;

    static void describe(PassInfo<MakeRadiusMap>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
