#pragma once

#include "passes/displacement/cast.hpp"
#include "passes/scene/camera_parameters.hpp"

namespace tuff::passes {

/// What a picture of a displaced surface shows. The values are those of
/// shaders/displacement/shade.comp.
enum class DisplacedView : std::uint8_t { lit, levels, loads, normals };

/// Draws a displaced surface. See `describe`.
struct DrawDisplaced {
    static constexpr std::string_view kName = "displacement/draw";

    DisplacedSurface surface;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    DisplacedView view = DisplacedView::lit;
    PatchMethod method = PatchMethod::automatic;
    PatchLeaf leaf = PatchLeaf::triangles;
    float pixels = 1.0f;
    bool shadows = true;
    glm::vec3 sun{0.5f, 0.7f, 0.4f};
    glm::vec3 low_color{0.1f, 0.17f, 0.04f};
    glm::vec3 middle_color{0.75f, 0.68f, 0.55f};
    glm::vec3 high_color{0.6f, 0.07f, 0.04f};
    float high = 0.4f;
    glm::vec3 center{0.0f};
    float radius = 8.0f;
    std::uint32_t most_rays = 8192;

    Image color;

    static void describe(PassInfo<DrawDisplaced>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::DisplacedView> {
    static constexpr std::array<std::string_view, 4> names{"lit", "levels", "loads", "normals"};
};
