#pragma once

#include "passes/volume/media.hpp"

namespace tuff::passes {

/// The space in the shadow of a closed mesh. See `describe`.
struct VolumeShadow {
    static constexpr std::string_view kName = "volume/shadow";

    TriangleMesh mesh;
    float azimuth = 40.0f;   ///< degrees
    float elevation = 50.0f; ///< degrees
    float length = 10.0f;
    std::uint32_t light = 0;
    MeshMedium shadow;

    static void describe(PassInfo<VolumeShadow>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
