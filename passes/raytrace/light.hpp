#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

enum class LightKind : std::uint8_t {
    point,     ///< shines everywhere
    spot,      ///< shines into a cone
    rectangle, ///< shines from its front, with soft shadows
};

/// A light at a place, as a bundle: see the pass `raytrace/light`.
struct RayLight {
    static constexpr std::string_view kPortType = "RayLight";

    LightKind kind = LightKind::point;
    glm::vec3 position{0.0f};
    glm::vec3 direction{0.0f, -1.0f, 0.0f}; ///< unit
    glm::vec3 strength{0.0f};               ///< radiant intensity; of a rectangle radiance
    std::array<glm::vec3, 2> sides{};       ///< of a rectangle
    float inner_angle = 0.0f;               ///< of a spot, degrees from its axis
    float outer_angle = 45.0f;
    std::uint32_t samples = 1; ///< of a rectangle, along each side
};

/// Adds a light to a tracer. See `describe`.
struct MakeRayLight {
    static constexpr std::string_view kName = "raytrace/light";

    LightKind kind = LightKind::point;
    glm::vec3 position{0.0f, 2.0f, 0.0f};
    glm::vec3 direction{0.0f, -1.0f, 0.0f};
    glm::vec3 color{1.0f};
    float intensity = 10.0f;
    float inner_angle = 0.0f;
    float outer_angle = 45.0f;
    glm::vec2 size{1.0f};
    float roll = 0.0f;
    std::uint32_t samples = 4;
    RayLight light;

    static void describe(PassInfo<MakeRayLight>& info);
    void build(Graph& graph);
};

/// What a shadow ray goes to: a point, whose irradiance at distance d under the cosine c between
/// the ray and `direction` is `strength` / d^2 times a share of c.
/// shaders/raytrace/light_rays.comp.
struct LightPoint {
    glm::vec3 position{0.0f};
    glm::vec3 direction{0.0f};
    glm::vec3 strength{0.0f};
    float cone_scale = 0.0f; ///< the share is c * cone_scale + cone_offset, in [0, 1]
    float cone_offset = 1.0f;
    bool is_area = false; ///< of a part of a rectangle; else the share is squared
};

/// The points that stand for a light: those of a rectangle are the middles of its equal parts.
std::vector<LightPoint> points_of(const RayLight& light);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::LightKind> {
    static constexpr std::array<std::string_view, 3> names{"point", "spot", "rectangle"};
};
