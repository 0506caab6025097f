#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How a layer meets what is under it. The values are those of shaders/image/blend.comp.
enum class BlendMode : std::uint8_t {
    over,
    add,
    multiply,
    screen,
    mix,
    min,
    max,
    difference,
    overlay,
    hard_light,
    soft_light,
    color_dodge,
    color_burn,
    exclusion,
    hue,
    saturation,
    color,
    luminosity,
    subtract,
    in,
    out,
    atop,
    exclusive_or,
};

/// Composes a layer onto a base. See `describe`.
struct Blend {
    static constexpr std::string_view kName = "image/blend";

    Image base;
    Image layer;
    Image mask; ///< optional
    BlendMode mode = BlendMode::over;
    float opacity = 1.0f;
    float weight = 0.5f; ///< `mix` only
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Blend>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BlendMode> {
    static constexpr std::array<std::string_view, 23> names{
        "over",       "add",        "multiply", "screen",     "mix",        "min",
        "max",        "difference", "overlay",  "hard_light", "soft_light", "color_dodge",
        "color_burn", "exclusion",  "hue",      "saturation", "color",      "luminosity",
        "subtract",   "in",         "out",      "atop",       "xor"};
};
