#pragma once

#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What is drawn of a distance field.
enum class ShadeMode : std::uint8_t { alpha_test, antialiased, outline, glow, shadow, hue };
/// What draws it.
enum class ShadeMethod : std::uint8_t { compute, raster };
/// What tells how wide a pixel is in the field.
enum class ShadeWidth : std::uint8_t { analytic, differences };
enum class ShadeFormat : std::uint8_t { rgba8_unorm, rgba16_sfloat };

/// Draws shapes from their distance field. See `describe`.
struct ShadeDistance {
    static constexpr std::string_view kName = "distance/shade";

    Image field;
    Image background; ///< optional
    ShadeMode mode = ShadeMode::antialiased;
    float scale = 0.0f;
    float clamp = 0.0f;

    std::uint32_t width = 0;
    std::uint32_t height = 0;
    float magnification = 1.0f;
    float rotation = 0.0f;
    float tilt = 0.0f;
    glm::vec2 center{0.5f, 0.5f};

    glm::vec4 color{1.0f, 1.0f, 1.0f, 1.0f};
    glm::vec4 effect{0.0f, 0.0f, 0.0f, 1.0f};
    glm::vec4 ground{0.0f, 0.0f, 0.0f, 0.0f};
    float thickness = 1.0f;
    float radius = 8.0f;
    float softness = 2.0f;
    glm::vec2 offset{4.0f, 4.0f};
    float period = 16.0f;
    float animation = 0.0f;

    ShadeWidth footprint = ShadeWidth::analytic;
    ShadeMethod method = ShadeMethod::compute;
    ShadeFormat format = ShadeFormat::rgba8_unorm;
    Image result;

    static void describe(PassInfo<ShadeDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ShadeMode> {
    static constexpr std::array<std::string_view, 6> names{"alpha_test", "antialiased", "outline",
                                                           "glow",       "shadow",      "hue"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ShadeMethod> {
    static constexpr std::array<std::string_view, 2> names{"compute", "raster"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ShadeWidth> {
    static constexpr std::array<std::string_view, 2> names{"analytic", "differences"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ShadeFormat> {
    static constexpr std::array<std::string_view, 2> names{"rgba8_unorm", "rgba16_sfloat"};
};
