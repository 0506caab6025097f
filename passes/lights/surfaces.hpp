#pragma once

#include "passes/geometry/compute_raster.hpp"
#include "passes/lights/lights.hpp"

namespace tuff::passes {

/// Makes pictures of surfaces from visible triangles. See `describe`.
struct LitSurfaces {
    static constexpr std::string_view kName = "lights/surfaces";

    Visibility visibility;
    Scene scene;
    CameraParameters camera;
    Image normal;
    Image albedo;
    Image material;

    static void describe(PassInfo<LitSurfaces>& info);
    void build(Graph& graph);
};

/// Lights transparent fragments. See `describe`.
struct LightFragments {
    static constexpr std::string_view kName = "lights/fragments";

    FragmentLists source;
    Scene scene;
    TriangleMesh mesh;
    Lights lights;
    LightGrid grid;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    float roughness = 0.5f;
    float metallic = 0.0f;
    FragmentLists lists;

    static void describe(PassInfo<LightFragments>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
