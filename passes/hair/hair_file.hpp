#pragma once

#include <tuff/diagnostic.hpp>

#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Grooms in files.
namespace tuff::passes {

/// Polylines of any lengths.
struct HairLines {
    std::vector<std::uint32_t> firsts; ///< first point of each strand, and at the end their number
    std::vector<glm::vec3> points;

    std::size_t count() const { return firsts.empty() ? 0 : firsts.size() - 1; }
    std::span<const glm::vec3> strand(std::size_t i) const {
        return std::span(points).subspan(firsts[i], firsts[i + 1] - firsts[i]);
    }
};

/// A file in Cem Yuksel's format: a header of 128 bytes, then whole arrays. Thickness,
/// transparency and colours are left out. Error: hair/corrupt-file.
Result<HairLines> read_hair_file(std::span<const std::byte> bytes);

/// Rows of four floats: number of the strand, x, y, z; the rows of a strand follow each other.
/// Error: hair/corrupt-file.
Result<HairLines> read_hair_rows(std::span<const std::byte> bytes);

/// Strands of `vertices` points each.
struct EvenStrands {
    std::vector<glm::vec3> points;
    std::uint32_t count = 0;
    std::uint32_t left_out = 0; ///< strands without length, or with points that are not finite
};
/// Resamples every polyline evenly along its length. At most `most` strands are taken.
EvenStrands resampled(const HairLines& lines, std::uint32_t vertices, std::uint32_t most);

} // namespace tuff::passes
