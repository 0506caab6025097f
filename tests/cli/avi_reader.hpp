#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Films as `tuff run` writes them, read back.
namespace tuff::test {

/// What an AVI film says of itself, and its frames.
struct AviFilm {
    std::uint32_t frame_microseconds = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t frame_count = 0; ///< as its header says
    std::vector<std::string> frames;
};

/// Reads a film strictly: sizes of all lists, padding, and every entry of the index must be right.
/// Throws std::runtime_error that says what is not.
AviFilm read_avi(const std::string& file);

/// A JPEG file that libjpeg-turbo has decoded; no pixels where it has found anything wrong.
struct DecodedJpeg {
    int width = 0;
    int height = 0;
    std::vector<std::byte> pixels; ///< red, green and blue
};
DecodedJpeg decode_jpeg(const std::string& file);

} // namespace tuff::test
