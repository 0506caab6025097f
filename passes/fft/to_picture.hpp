#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What an array for a picture holds.
enum class PictureArray : std::uint8_t {
    reals,
    complexes,
    half_spectrum, ///< of real numbers, as `FftRealForward` makes it
};

/// The numbers are those of shaders/fft/to_picture.comp.
enum class PictureShows : std::uint8_t { real, imaginary, magnitude, logarithm, phase };

/// An array of numbers as a picture. See `describe`.
struct FftToPicture {
    static constexpr std::string_view kName = "fft/to_picture";

    Buffer source;
    glm::uvec2 size{1};
    PictureArray numbers = PictureArray::reals;
    PictureShows show = PictureShows::real;
    bool centered = false;
    float scale = 1.0f;
    Image result;

    static void describe(PassInfo<FftToPicture>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PictureArray> {
    static constexpr std::array<std::string_view, 3> names{"reals", "complexes", "half_spectrum"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PictureShows> {
    static constexpr std::array<std::string_view, 5> names{"real", "imaginary", "magnitude",
                                                           "logarithm", "phase"};
};
