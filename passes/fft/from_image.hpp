#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Which numbers of a texel are meant. `rgb` and `rgba` are one array a channel.
enum class ImageNumber : std::uint8_t { red, green, blue, alpha, luminance, rgb, rgba };

/// A picture or volume as arrays of real numbers. See `describe`.
struct FftFromImage {
    static constexpr std::string_view kName = "fft/from_image";

    Image source;
    ImageNumber number = ImageNumber::luminance;
    Buffer result;

    static void describe(PassInfo<FftFromImage>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ImageNumber> {
    static constexpr std::array<std::string_view, 7> names{"red",       "green", "blue", "alpha",
                                                           "luminance", "rgb",   "rgba"};
};
