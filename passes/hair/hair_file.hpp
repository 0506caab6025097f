#pragma once

#include <tuff/diagnostic.hpp>

#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Grooms in files.
namespace tuff::passes {

/// Polylines of any length.
struct HairLines {
    std::vector<std::uint32_t> firsts; ///< first point of each strand, then the number of points
    std::vector<glm::vec3> points;

    std::size_t count() const { return firsts.empty() ? 0 : firsts.size() - 1; }
    std::span<const glm::vec3> strand(std::size_t i) const {
        return std::span(points).subspan(firsts[i], firsts[i + 1] - firsts[i]);
    }
};

/// Reads a file in Cem Yuksel's format: a header of 128 bytes, then whole arrays. Thickness,
/// transparency and colors are ignored. Error: hair/corrupt-file.
Result<HairLines> read_hair_file(std::span<const std::byte> bytes);

/// Reads rows of four floats: number of the strand, x, y, z. The rows of a strand are contiguous.
/// Error: hair/corrupt-file.
Result<HairLines> read_hair_rows(std::span<const std::byte> bytes);

/// Strands of `vertices` points each.
struct EvenStrands {
    std::vector<glm::vec3> points;
    std::uint32_t count = 0;
    std::uint32_t left_out = 0; ///< strands of length 0, or with points that are not finite
};
/// Resamples every polyline evenly along its length. Keeps at most `most` strands.
EvenStrands resampled(const HairLines& lines, std::uint32_t vertices, std::uint32_t most);

} // namespace tuff::passes
