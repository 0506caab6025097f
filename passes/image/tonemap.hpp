#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How scene brightness becomes display brightness. The values are those of
/// shaders/image/tonemap.comp.
enum class ToneCurve : std::uint8_t {
    none,              ///< cut off at 1
    reinhard,          ///< L / (1 + L), on luminance
    reinhard_extended, ///< the same, with a luminance that becomes 1
    aces,              ///< Hill's fit to the ACES reference and output transforms
};

enum class OutputEncoding : std::uint8_t { srgb, linear };

/// From scene-linear colour to a picture for a display. See `describe`.
struct Tonemap {
    static constexpr std::string_view kName = "image/tonemap";

    Image source;
    float exposure = 0.0f; ///< stops
    ToneCurve curve = ToneCurve::aces;
    float white = 4.0f; ///< reinhard_extended only
    OutputEncoding encoding = OutputEncoding::srgb;
    bool dither = false;
    OutputFormat format = OutputFormat::rgba8_unorm;
    Image result;

    static void describe(PassInfo<Tonemap>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ToneCurve> {
    static constexpr std::array<std::string_view, 4> names{"none", "reinhard", "reinhard_extended",
                                                           "aces"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::OutputEncoding> {
    static constexpr std::array<std::string_view, 2> names{"srgb", "linear"};
};
