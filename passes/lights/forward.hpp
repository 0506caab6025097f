#pragma once

#include "passes/lights/cull.hpp"

namespace tuff::passes {

/// The lights that fragments of a tile try.
enum class ForwardLists : std::uint8_t { tiles, all };

/// Draws a scene with many lights. See `describe`.
struct ForwardLights {
    static constexpr std::string_view kName = "lights/forward";

    Scene scene;
    Lights lights;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    ForwardLists lists = ForwardLists::tiles;
    LightTile side = LightTile::side16;
    CullTest test = CullTest::both;
    DepthSplit split = DepthSplit::modified_half;
    bool own_materials = false;
    float roughness = 0.5f;
    float metallic = 0.0f;
    glm::vec3 ambient{0.0f};
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;
    Image depth;
    LightGrid grid;

    static void describe(PassInfo<ForwardLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ForwardLists> {
    static constexpr std::array<std::string_view, 2> names{"tiles", "all"};
};
