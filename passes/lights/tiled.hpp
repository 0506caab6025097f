#pragma once

#include "passes/lights/cull.hpp"
#include "passes/lights/shade.hpp"

namespace tuff::passes {

/// Culls lights and shades pixels in one kernel. See `describe`.
struct TiledLights {
    static constexpr std::string_view kName = "lights/tiled";

    Lights lights;
    Image depth;
    Image normal;
    Image albedo;
    Image material; ///< optional
    Image under;    ///< optional
    Image hidden;   ///< optional
    Scene scene;
    CameraParameters camera;
    LightTile side = LightTile::side16;
    CullTest test = CullTest::both;
    DepthSplit split = DepthSplit::modified_half;
    float roughness = 0.5f;
    float metallic = 0.0f;
    glm::vec3 ambient{0.0f};
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    LitStorage storage = LitStorage::rgba16_sfloat;
    Image result;

    static void describe(PassInfo<TiledLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
