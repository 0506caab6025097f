#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Which number of a texel is meant.
enum class PictureNumber : std::uint8_t { red, green, blue, alpha, luminance };

/// A picture as an array of real numbers. See `describe`.
struct FftFromPicture {
    static constexpr std::string_view kName = "fft/from_picture";

    Image source;
    PictureNumber number = PictureNumber::luminance;
    Buffer result;

    static void describe(PassInfo<FftFromPicture>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PictureNumber> {
    static constexpr std::array<std::string_view, 5> names{"red", "green", "blue", "alpha",
                                                           "luminance"};
};
