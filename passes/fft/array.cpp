#include "passes/fft/array.hpp"

#include "passes/fft/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::string_view kAxisNames = "xyzw";

std::string text_of(const std::array<std::uint32_t, 4>& size) {
    return fmt::format("{} x {} x {} x {}", size[0], size[1], size[2], size[3]);
}

/// Reports fft/axes where `axes` has other letters, or one twice.
std::optional<std::array<bool, 4>> axes_in(Graph& graph, std::string_view axes) {
    std::array<bool, 4> chosen{};
    for (const char letter : axes) {
        const std::size_t axis = kAxisNames.find(letter);
        if (axis == std::string_view::npos || chosen[axis]) {
            graph.error("fft/axes", fmt::format("\"{}\" is not a list of axes", axes),
                        "write letters of x, y, z and w, each at most once: for example \"xy\"");
            return {};
        }
        chosen[axis] = true;
    }
    return chosen;
}

} // namespace

std::optional<std::uint64_t> fft_count(const std::array<std::uint32_t, 4>& size,
                                       std::uint64_t batch) {
    std::uint64_t count = batch;
    if (count > kMaxFftNumbers) return {};
    for (const std::uint32_t side : size) {
        if (side != 0 && count > kMaxFftNumbers / side) return {};
        count *= side;
    }
    return count;
}

std::optional<FftArray> fft_array(Graph& graph, const FftRequest& request, std::uint64_t whole) {
    const auto axes = axes_in(graph, request.axes);
    if (!axes) return {};
    FftArray array{.size = {request.size.x, request.size.y, request.size.z, request.size.w},
                   .batch = request.batch,
                   .transformed = *axes};
    const auto too_large = [&] {
        graph.error(
            "fft/too-large",
            fmt::format("{} arrays of {} have more numbers than the {} that can be addressed",
                        array.batch, text_of(array.size), kMaxFftNumbers),
            "transform parts of the array separately");
        return std::nullopt;
    };
    if (array.size[0] == 0) {
        const auto others =
            fft_count({1, array.size[1], array.size[2], array.size[3]}, array.batch);
        if (!others) return too_large();
        if (*others > 0)
            array.size[0] = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(whole / *others, kMaxFftNumbers));
    }
    const auto count = fft_count(array.size, array.batch);
    if (!count) return too_large();
    if (*count == 0) {
        graph.error("fft/empty", fmt::format("an array of {} is empty", text_of(array.size)),
                    "set \"size\" to 1 or more for each axis, 1 for unused axes");
        return {};
    }
    return array;
}

std::optional<std::array<std::uint32_t, 4>> fft_part(Graph& graph, std::string_view parameter,
                                                     glm::uvec4 part,
                                                     const std::array<std::uint32_t, 4>& all) {
    std::array<std::uint32_t, 4> extent{};
    for (int a = 0; a < 4; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        extent[axis] = part[a] == 0 ? all[axis] : part[a];
        if (extent[axis] <= all[axis]) continue;
        graph.error("fft/extent",
                    fmt::format("\"{}\" is {} along {}, more than the {} of \"size\"", parameter,
                                extent[axis], kAxisNames[axis], all[axis]),
                    "set it to at most \"size\"; 0 takes all of an axis");
        return {};
    }
    return extent;
}

bool has_numbers(Graph& graph, std::string_view port, Buffer buffer, std::uint64_t count,
                 std::uint32_t bytes) {
    const std::uint64_t room = graph.desc(buffer).size / bytes;
    if (room >= count) return true;
    graph.error("fft/too-short",
                fmt::format("\"{}\" holds {} numbers, but {} are needed", port, room, count),
                "set \"size\" and \"batch\" to what the buffer holds");
    return false;
}

float scale_of(FftScale scale, const FftArray& array) {
    double count = 1.0;
    for (std::size_t axis = 0; axis < array.size.size(); ++axis)
        if (array.transformed[axis]) count *= array.size[axis];
    switch (scale) {
    case FftScale::unitary: return static_cast<float>(1.0 / std::sqrt(count));
    case FftScale::by_count: return static_cast<float>(1.0 / count);
    default: return 1.0f;
    }
}

Cost fft_cost(double source_bytes, double result_bytes, glm::uvec4 size, std::uint32_t batch,
              std::string_view axes) {
    const double others = static_cast<double>(size.y) * size.z * size.w * batch;
    const double numbers = result_bytes / sizeof(glm::vec2);
    const double along_x = size.x != 0 ? size.x : std::max(numbers / std::max(others, 1.0), 1.0);
    double count = 1.0; // of a transform
    for (const char letter : axes) {
        const std::size_t axis = kAxisNames.find(letter);
        if (axis == std::string_view::npos) continue;
        count *= std::max(axis == 0 ? along_x : size[static_cast<int>(axis)], 1.0);
    }
    const double between = count > kMaxFftLine ? 2.0 * result_bytes : 0.0;
    return {.bytes = source_bytes + between + result_bytes,
            .operations = 5.0 * along_x * others * std::log2(count)};
}

} // namespace tuff::passes
