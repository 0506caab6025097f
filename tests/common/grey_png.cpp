#include "tests/common/grey_png.hpp"

#include <string_view>

namespace tuff::test {
namespace {

/// Big-endian.
void append_word(std::string& bytes, std::uint32_t word, int count = 4) {
    for (int i = count - 1; i >= 0; --i)
        bytes += static_cast<char>(word >> (8 * i) & 255);
}

std::uint32_t crc_of(std::string_view bytes) {
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

std::string png_chunk(std::string_view type, std::string_view data) {
    std::string chunk;
    append_word(chunk, static_cast<std::uint32_t>(data.size()));
    const std::string body = std::string(type) + std::string(data);
    chunk += body;
    append_word(chunk, crc_of(body));
    return chunk;
}

} // namespace

std::string grey_png(std::uint32_t width, std::uint32_t height,
                     std::span<const std::uint16_t> grey) {
    std::string rows;
    for (std::uint32_t y = 0; y < height; ++y) {
        rows += '\0'; // no filter
        for (std::uint32_t x = 0; x < width; ++x)
            append_word(rows, grey[y * width + x], 2);
    }
    std::string data("\x78\x01", 2);
    std::uint32_t a = 1, b = 0; // Adler-32
    for (std::size_t at = 0; at < rows.size(); at += 65535) {
        const std::string_view block = std::string_view(rows).substr(at, 65535);
        const auto size = static_cast<std::uint32_t>(block.size());
        data += static_cast<char>(at + size == rows.size());
        for (const std::uint32_t word : {size, ~size})
            data += {static_cast<char>(word & 255), static_cast<char>(word >> 8 & 255)};
        data += block;
        for (const char byte : block) {
            a = (a + static_cast<unsigned char>(byte)) % 65521;
            b = (b + a) % 65521;
        }
    }
    append_word(data, b << 16 | a);
    std::string header;
    append_word(header, width);
    append_word(header, height);
    header += std::string("\x10\0\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + png_chunk("IDAT", data) +
           png_chunk("IEND", {});
}

} // namespace tuff::test
