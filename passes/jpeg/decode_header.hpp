#pragma once

#include "passes/jpeg/tables.hpp"

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What stands before the entropy-coded data of a JPEG file (ITU-T T.81, annex B).
namespace tuff::passes::jpeg {

/// One of the planes that a picture is made of.
struct DecodeComponent {
    std::uint8_t id = 0;
    std::uint32_t across = 1; ///< blocks of an MCU
    std::uint32_t down = 1;
    std::array<std::uint16_t, 64> divisors{}; ///< by place
    std::uint32_t dc_table = 0;               ///< of DecodeHeader::tables
    std::uint32_t ac_table = 0;
};

/// Of an MCU.
inline std::uint32_t blocks_of(const DecodeComponent& component) {
    return component.across * component.down;
}

/// How the components of a pixel become colors.
enum class DecodeColors : std::uint8_t { gray, ycc, rgb };

/// A baseline picture of one scan.
struct DecodeHeader {
    std::uint32_t width = 0;  ///< pixels
    std::uint32_t height = 0; ///< pixels
    DecodeColors colors = DecodeColors::gray;
    std::vector<DecodeComponent> components; ///< one or three, in the order of the scan
    std::vector<HuffmanTable> tables;
    std::uint32_t restart_interval = 0; ///< MCUs; 0: no markers
    std::size_t first_byte = 0;         ///< of the entropy-coded data

    std::uint32_t max_across() const;
    std::uint32_t max_down() const;
    std::uint32_t mcus_across() const;
    std::uint32_t mcus_down() const;
    std::uint32_t mcu_count() const { return mcus_across() * mcus_down(); }
    std::uint32_t blocks_of_mcu() const;
};

/// Reads the segments up to the first scan. Errors name the byte: `jpeg/damaged`, and
/// `jpeg/unsupported` for what the standard knows but this decoder does not: progressive,
/// arithmetic, lossless, 12 bits, other than one or three components, several scans, components in
/// another order, a height that follows the scan, unusual sampling.
Result<DecodeHeader> read_header(std::span<const std::byte> file);

} // namespace tuff::passes::jpeg
