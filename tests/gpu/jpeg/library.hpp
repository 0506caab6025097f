#pragma once

#include "passes/jpeg/header.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// JPEG files as libjpeg-turbo reads and writes them.
namespace tuff::testing_jpeg {

/// A picture of bytes: three, or for grey ones one a pixel.
struct Pixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 3;
    std::vector<std::uint8_t> values;
};

/// Quantised coefficients of a block, by place: row * 8 + column.
using Block = std::array<int, 64>;

/// How a file is cut.
struct Cut {
    std::uint32_t across = 2; ///< pixels that share chroma
    std::uint32_t down = 2;
    bool grey = false;
    std::uint32_t restart = 0;
    bool direct = false; ///< red, green and blue themselves; "chroma" is green and blue
};

/// What the library makes of a file.
struct Decoded {
    Pixels pixels;
    std::string error; ///< empty: it was read
    long warnings = 0;
    std::vector<Block> blocks;                     ///< in the order of the file
    std::array<passes::jpeg::TablePair, 3> tables; ///< of each component
};

Decoded decode(std::span<const std::byte> file);
/// By its transform "islow", with the standard's tables, or such as fit the picture best.
std::vector<std::byte> encode(const Pixels& pixels, const Cut& cut, int quality,
                              bool optimised = false);

/// A file of the same coefficients, with the tables that fit them best.
std::vector<std::byte> with_optimised_tables(std::span<const std::byte> file);

} // namespace tuff::testing_jpeg
