#include "passes/fft/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>
#include <span>

namespace tuff::passes {
namespace {

std::uint64_t product_of(std::span<const std::uint32_t> sides) {
    return std::accumulate(sides.begin(), sides.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The numbers before and behind an axis of an array of this extent.
FftAxis axis_of(const FftExtent& extent, std::uint32_t batch, std::size_t axis) {
    const std::span sides(extent);
    FftAxis result;
    result.inner = product_of(sides.first(axis));
    result.outer = product_of(sides.subspan(axis + 1)) * batch;
    return result;
}

/// Axes of one number are transformed already. Where all are, one stands for them: it is scaled.
std::vector<std::size_t> axes_to_do(const FftArray& array, std::size_t first) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = first; axis < array.size.size(); ++axis)
        if (array.transformed[axis] && array.size[axis] > 1) axes.push_back(axis);
    return axes;
}

/// All numbers as they are, but for factors.
Buffer scaled(Graph& graph, Buffer source, std::uint64_t count, float scale,
              const FftMultiplier& multiplier) {
    return transform_axis(graph, source, {.inner = count, .scale = scale}, multiplier);
}

/// Along the axes of `axes`, in their order; `extent` becomes what there is behind them.
Buffer transform_axes(Graph& graph, Buffer source, const FftArray& array, FftExtent& extent,
                      std::span<const std::size_t> axes, const FftExtent& wanted,
                      FftDirection direction, float scale, FftMultiplier multiplier) {
    for (std::size_t i = 0; i < axes.size() && source; ++i) {
        const std::size_t a = axes[i];
        FftAxis axis = axis_of(extent, array.batch, a);
        axis.length = array.size[a];
        axis.source_length = extent[a];
        axis.result_length = wanted[a];
        axis.direction = direction;
        axis.scale = i + 1 == axes.size() ? scale : 1.0f;
        source = transform_axis(graph, source, axis, multiplier);
        multiplier = {};
        extent[a] = wanted[a];
    }
    return source;
}

} // namespace

FftExtent half_of(FftExtent size) {
    size[0] = size[0] / 2 + 1;
    return size;
}

bool is_part_of_transformed(Graph& graph, std::string_view parameter, const FftArray& array,
                            const FftExtent& part) {
    for (std::size_t axis = 0; axis < part.size(); ++axis) {
        if (array.transformed[axis] || part[axis] == array.size[axis]) continue;
        graph.error("fft/extent",
                    fmt::format("\"{}\" is less than \"size\" along {}, which is not transformed",
                                parameter, "xyzw"[axis]),
                    "set \"size\" to the number of lines");
        return false;
    }
    return true;
}

bool is_along_x(Graph& graph, const FftArray& array) {
    if (array.transformed[0]) return true;
    graph.error("fft/axes", "the transform of real numbers needs the axis x",
                "add x to \"axes\": half the spectrum is stored along it; \"fft/forward\" takes "
                "complex numbers along any axes");
    return false;
}

std::optional<FftMultiplier> fft_multiplier(Graph& graph, Buffer numbers, std::uint64_t count,
                                            std::uint64_t batch, bool conjugate) {
    if (!numbers) return FftMultiplier{};
    if (!has_numbers(graph, "multiplier", numbers, count, sizeof(glm::vec2))) return {};
    const bool each = graph.desc(numbers).size / sizeof(glm::vec2) >= count * batch;
    return FftMultiplier{numbers, each ? count * batch : count, conjugate};
}

Buffer forward_transform(Graph& graph, Buffer source, const FftArray& array,
                         const FftExtent& source_extent, float scale) {
    const std::vector<std::size_t> axes = axes_to_do(array, 0);
    if (axes.empty()) return scaled(graph, source, product_of(array.size) * array.batch, scale, {});
    FftExtent extent = source_extent;
    return transform_axes(graph, source, array, extent, axes, array.size, FftDirection::forward,
                          scale, {});
}

Buffer inverse_transform(Graph& graph, Buffer source, const FftArray& array,
                         const FftExtent& result_extent, float scale,
                         const FftMultiplier& multiplier) {
    std::vector<std::size_t> axes = axes_to_do(array, 0);
    if (axes.empty())
        return scaled(graph, source, product_of(array.size) * array.batch, scale, multiplier);
    std::ranges::reverse(axes);
    FftExtent extent = array.size;
    return transform_axes(graph, source, array, extent, axes, result_extent, FftDirection::inverse,
                          scale, multiplier);
}

Buffer real_forward_transform(Graph& graph, Buffer source, const FftArray& array,
                              const FftExtent& source_extent, float scale) {
    const std::vector<std::size_t> axes = axes_to_do(array, 1);
    FftExtent extent = source_extent;
    FftAxis along_x = axis_of(extent, array.batch, 0);
    along_x.length = array.size[0];
    along_x.source_length = extent[0];
    along_x.scale = axes.empty() ? scale : 1.0f;
    const Buffer half = transform_real_axis(graph, source, along_x);
    extent[0] = half_of(array.size)[0];
    return transform_axes(graph, half, array, extent, axes, array.size, FftDirection::forward,
                          scale, {});
}

Buffer real_inverse_transform(Graph& graph, Buffer source, const FftArray& array,
                              const FftExtent& result_extent, float scale,
                              const FftMultiplier& multiplier) {
    std::vector<std::size_t> axes = axes_to_do(array, 1);
    std::ranges::reverse(axes);
    FftExtent extent = half_of(array.size);
    const Buffer half = transform_axes(graph, source, array, extent, axes, result_extent,
                                       FftDirection::inverse, 1.0f, multiplier);
    if (!half) return {};
    FftAxis along_x = axis_of(extent, array.batch, 0);
    along_x.length = array.size[0];
    along_x.result_length = result_extent[0];
    along_x.direction = FftDirection::inverse;
    along_x.scale = scale;
    return transform_real_axis(graph, half, along_x, axes.empty() ? multiplier : FftMultiplier{});
}

} // namespace tuff::passes
