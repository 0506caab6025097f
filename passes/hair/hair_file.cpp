#include "passes/hair/hair_file.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::size_t kHairHeaderBytes = 128;
constexpr std::uint32_t kHasSegments = 1;
constexpr std::uint32_t kHasPoints = 2;
constexpr std::uint32_t kKnownArrays = 31;
constexpr double kFarthestPoint = 1e18; // squares stay finite

auto corrupt(std::string message) {
    return fail("hair/corrupt-file", std::move(message),
                "a .hair file has a header of 128 bytes, strand lengths as u16 and points as "
                "three floats; rows have four floats: strand, x, y, z");
}

template <typename T>
T value_at(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

bool is_usable(glm::vec3 point) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(static_cast<double>(point[axis])) < kFarthestPoint)) return false;
    return true;
}

/// Points of the strands, of which each has one more than it has segments.
Result<std::vector<std::uint32_t>> strand_firsts(std::span<const std::byte> bytes,
                                                 std::uint32_t strands, std::uint32_t points,
                                                 bool listed, std::uint32_t usual) {
    std::vector<std::uint32_t> firsts{0};
    firsts.reserve(std::size_t{strands} + 1);
    std::uint64_t next = 0;
    for (std::uint32_t i = 0; i < strands; ++i) {
        next += 1u + (listed ? value_at<std::uint16_t>(bytes, kHairHeaderBytes + 2 * std::size_t{i})
                             : usual);
        if (next > points)
            return corrupt(fmt::format("strand {} of {} ends at point {}, but there are only "
                                       "{} points",
                                       i, strands, next, points));
        firsts.push_back(static_cast<std::uint32_t>(next));
    }
    return firsts;
}

} // namespace

Result<HairLines> read_hair_file(std::span<const std::byte> bytes) {
    static_assert(std::endian::native == std::endian::little);
    if (bytes.size() < kHairHeaderBytes || std::memcmp(bytes.data(), "HAIR", 4) != 0)
        return corrupt("the file does not begin with the header of a .hair file");
    const auto strands = value_at<std::uint32_t>(bytes, 4);
    const auto points = value_at<std::uint32_t>(bytes, 8);
    const auto arrays = value_at<std::uint32_t>(bytes, 12);
    const auto usual = value_at<std::uint32_t>(bytes, 16);
    const bool listed = (arrays & kHasSegments) != 0;
    if ((arrays & kHasPoints) == 0) return corrupt("the file has no points");
    if ((arrays & ~kKnownArrays) != 0) return corrupt("the file has arrays of an unknown kind");
    const std::uint64_t before = kHairHeaderBytes + (listed ? 2 * std::uint64_t{strands} : 0);
    const std::uint64_t needed = before + 12 * std::uint64_t{points};
    if (needed > bytes.size())
        return corrupt(fmt::format("{} strands of {} points take {} bytes, but the file has {}",
                                   strands, points, needed, bytes.size()));
    if (!listed && std::uint64_t{strands} * (std::uint64_t{usual} + 1) > points)
        return corrupt(fmt::format("{} strands of {} segments have more than {} points", strands,
                                   usual, points));
    auto firsts = strand_firsts(bytes, strands, points, listed, usual);
    if (!firsts) return propagate(std::move(firsts));
    HairLines lines{.firsts = std::move(*firsts), .points = std::vector<glm::vec3>(points)};
    if (points > 0)
        std::memcpy(static_cast<void*>(lines.points.data()), bytes.data() + before,
                    12 * std::size_t{points});
    return lines;
}

Result<HairLines> read_hair_rows(std::span<const std::byte> bytes) {
    constexpr std::size_t kRow = 16;
    if (bytes.size() % kRow != 0)
        return corrupt(fmt::format("the file has {} bytes, which is not a whole number of rows",
                                   bytes.size()));
    HairLines lines{.firsts = {0}, .points = {}};
    lines.points.reserve(bytes.size() / kRow);
    float strand = 0.0f;
    for (std::size_t at = 0; at < bytes.size(); at += kRow) {
        const auto number = value_at<float>(bytes, at);
        if (at > 0 && !(number == strand))
            lines.firsts.push_back(static_cast<std::uint32_t>(lines.points.size()));
        strand = number;
        lines.points.emplace_back(value_at<float>(bytes, at + 4), value_at<float>(bytes, at + 8),
                                  value_at<float>(bytes, at + 12));
    }
    if (!lines.points.empty())
        lines.firsts.push_back(static_cast<std::uint32_t>(lines.points.size()));
    return lines;
}

EvenStrands resampled(const HairLines& lines, std::uint32_t vertices, std::uint32_t most) {
    EvenStrands even;
    const std::size_t strands = std::min<std::size_t>(lines.count(), most);
    for (std::size_t i = 0; i < strands; ++i) {
        const std::span<const glm::vec3> strand = lines.strand(i);
        std::vector<double> ways{0.0}; // from the root to each point
        bool good = strand.size() > 1;
        for (std::size_t p = 0; p < strand.size(); ++p) {
            good = good && is_usable(strand[p]);
            if (p > 0)
                ways.push_back(ways.back() +
                               glm::distance(glm::dvec3(strand[p - 1]), glm::dvec3(strand[p])));
        }
        if (!good || !(ways.back() > 0.0)) {
            ++even.left_out;
            continue;
        }
        std::size_t edge = 0;
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const double way = ways.back() * v / (vertices - 1u);
            while (edge + 2 < strand.size() && ways[edge + 1] < way)
                ++edge;
            const double length = ways[edge + 1] - ways[edge];
            const double share =
                length > 0.0 ? std::clamp((way - ways[edge]) / length, 0.0, 1.0) : 0.0;
            even.points.emplace_back(
                glm::mix(glm::dvec3(strand[edge]), glm::dvec3(strand[edge + 1]), share));
        }
        ++even.count;
    }
    return even;
}

} // namespace tuff::passes
