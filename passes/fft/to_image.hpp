#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What an array for an image holds.
enum class ImageArray : std::uint8_t {
    reals,
    complexes,
    half_spectrum, ///< of real numbers, as `FftRealForward` makes it
};

/// The numbers are those of shaders/fft/to_image.comp.
enum class ImageShows : std::uint8_t { real, imaginary, magnitude, logarithm, phase };

/// What axes an image has: a picture x and y, a volume x, y and z.
enum class ImageAxes : std::uint8_t { picture, volume };

/// Arrays of numbers as a picture or volume. See `describe`.
struct FftToImage {
    static constexpr std::string_view kName = "fft/to_image";

    Buffer source;
    glm::uvec4 size{1};
    ImageAxes shape = ImageAxes::picture;
    glm::uvec2 slice{0};
    std::uint32_t channels = 1;
    std::uint32_t first = 0;
    ImageArray numbers = ImageArray::reals;
    ImageShows show = ImageShows::real;
    bool centered = false;
    float scale = 1.0f;
    Image result;

    static void describe(PassInfo<FftToImage>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ImageArray> {
    static constexpr std::array<std::string_view, 3> names{"reals", "complexes", "half_spectrum"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ImageShows> {
    static constexpr std::array<std::string_view, 5> names{"real", "imaginary", "magnitude",
                                                           "logarithm", "phase"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ImageAxes> {
    static constexpr std::array<std::string_view, 2> names{"picture", "volume"};
};
