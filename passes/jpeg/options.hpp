#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// What may be chosen of a JPEG file.
namespace tuff::passes {

/// Which pixels share their chroma.
enum class JpegSampling : std::uint8_t {
    s444, ///< none
    s422, ///< two side by side
    s420, ///< two by two
    s440, ///< two one above the other
};

/// What a file holds.
enum class JpegColor : std::uint8_t {
    automatic, ///< grey where the source has one channel
    color,
    grey,
};

/// How blocks are transformed.
enum class JpegTransform : std::uint8_t {
    fast,   ///< by a factorisation
    matrix, ///< by the definition, as a product of matrices
};

/// What becomes of alpha, which no file holds.
enum class JpegAlpha : std::uint8_t {
    ignore,
    multiply, ///< colors are multiplied by it: the picture over black
};

/// How luma and color differences are computed.
enum class JpegConversion : std::uint8_t {
    real,    ///< not rounded before the transform
    integer, ///< rounded, as the Independent JPEG Group's library does
};

/// Which Huffman tables a file has.
enum class JpegTables : std::uint8_t {
    standard,  ///< those of the standard's annex K.3: two of luma, two of chroma
    single,    ///< those of luma for all components
    optimised, ///< such as fit the picture
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::JpegSampling> {
    static constexpr std::array<std::string_view, 4> names{"4:4:4", "4:2:2", "4:2:0", "4:4:0"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegColor> {
    static constexpr std::array<std::string_view, 3> names{"auto", "color", "grey"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegTransform> {
    static constexpr std::array<std::string_view, 2> names{"fast", "matrix"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegAlpha> {
    static constexpr std::array<std::string_view, 2> names{"ignore", "multiply"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegConversion> {
    static constexpr std::array<std::string_view, 2> names{"real", "integer"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegTables> {
    static constexpr std::array<std::string_view, 3> names{"standard", "single", "optimised"};
};
