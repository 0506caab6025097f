#pragma once

#include <cstdint>

namespace tuff::passes::jpeg {

/// Codes of markers: the byte behind one of 255 (table B.1).
struct Marker {
    static constexpr std::uint32_t baseline_frame = 0xc0;
    static constexpr std::uint32_t extended_frame = 0xc1;
    static constexpr std::uint32_t huffman_tables = 0xc4;
    static constexpr std::uint32_t first_restart = 0xd0;
    static constexpr std::uint32_t start_of_image = 0xd8;
    static constexpr std::uint32_t end_of_image = 0xd9;
    static constexpr std::uint32_t start_of_scan = 0xda;
    static constexpr std::uint32_t quantization_tables = 0xdb;
    static constexpr std::uint32_t restart_interval = 0xdd;
    static constexpr std::uint32_t jfif = 0xe0;
    static constexpr std::uint32_t adobe = 0xee;
};

} // namespace tuff::passes::jpeg
