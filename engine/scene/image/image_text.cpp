// Texts in files that stb has written: it has no way to ask for them.
#include "scene/image/image_codec.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>

namespace tuff::codec {
namespace {

using Bytes = std::vector<std::byte>;

void append(Bytes& bytes, std::string_view text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), data, data + text.size());
}

/// The highest byte first.
std::array<char, 4> big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
            static_cast<char>(value >> 8), static_cast<char>(value)};
}

/// An iTXt chunk (PNG specification, third edition, 11.3.3.4), not compressed.
void append_png_text(Bytes& bytes, const ImageText& text) {
    std::string chunk = "iTXt" + text.name;
    chunk += std::string(5, '\0'); // end of the name; not compressed; no language, no translation
    chunk += text.text;
    const std::array<char, 4> length = big_endian(static_cast<std::uint32_t>(chunk.size() - 4));
    const uLong checksum = crc32_z(0, reinterpret_cast<const Bytef*>(chunk.data()), chunk.size());
    const std::array<char, 4> check = big_endian(static_cast<std::uint32_t>(checksum));
    append(bytes, {length.data(), length.size()});
    append(bytes, chunk);
    append(bytes, {check.data(), check.size()});
}

} // namespace

Bytes with_png_texts(Bytes file, std::span<const ImageText> texts) {
    constexpr std::size_t kHeader = 8 + 4 + 4 + 13 + 4; // signature and IHDR, which comes first
    Bytes chunks;
    for (const ImageText& text : texts)
        append_png_text(chunks, text);
    file.insert(file.begin() + kHeader, chunks.begin(), chunks.end());
    return file;
}

Bytes with_jpeg_comment(Bytes file, std::span<const ImageText> texts) {
    constexpr std::size_t kMaxBytes = 65535 - 2; // its length counts itself
    std::string comment;
    for (const ImageText& text : texts)
        if (const std::string line = text.name + ": " + text.text + "\n";
            comment.size() + line.size() <= kMaxBytes)
            comment += line;
    if (comment.empty()) return file;
    const std::array<char, 4> head = big_endian(
        0xFFFE0000u | static_cast<std::uint32_t>(comment.size() + 2)); // COM and its length
    // Readers take a file for JFIF only where APP0 comes first, so the comment goes behind it.
    const auto word = [&](std::size_t at) {
        return std::to_integer<std::size_t>(file[at]) << 8 |
               std::to_integer<std::size_t>(file[at + 1]);
    };
    constexpr std::size_t kStart = 2;
    const std::size_t at = word(kStart) == 0xFFE0 ? kStart + 2 + word(kStart + 2) : kStart;
    Bytes segment;
    append(segment, {head.data(), head.size()});
    append(segment, comment);
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), segment.begin(), segment.end());
    return file;
}

} // namespace tuff::codec
