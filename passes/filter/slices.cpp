#include "passes/filter/slices.hpp"

#include "passes/common/constant_array.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxSlicesSide = 16384;

/// Numbers of slices below `end`. Reports filter/no-slice.
std::optional<std::vector<std::uint32_t>> slice_numbers(Graph& graph, std::string_view parameter,
                                                        const std::vector<float>& list,
                                                        std::uint32_t end,
                                                        std::uint32_t otherwise) {
    std::vector<std::uint32_t> numbers;
    for (const float number : list) {
        // Lists may come from expressions: a third of the size is no whole number.
        const float whole = std::floor(number);
        if (!(whole >= 0.0f && whole < static_cast<float>(end))) {
            graph.error(
                "filter/no-slice",
                fmt::format("\"{}\" has the index {}, but there are {}", parameter, number, end),
                "count from 0");
            return {};
        }
        numbers.push_back(static_cast<std::uint32_t>(whole));
    }
    if (numbers.empty()) numbers.push_back(otherwise);
    return numbers;
}

} // namespace

void FilterSlices::describe(PassInfo<FilterSlices>& info) {
    info.summary("Shows slices of a volume over time side by side")
        .details("The picture has a row for each of \"times\" and a column for each of \"slices\", "
                 "with x to the right and y downwards. \"low\" is black and \"high\" is white; "
                 "numbers beyond are clamped, and NaN is black or white, depending on the device. "
                 "Fractions of slice indices are dropped.")
        .complexity("O(texels)")
        .cost([](const FilterSlices& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.result);
            const double texels = static_cast<double>(extent.width) * extent.height;
            return Cost{.bytes = 8.0 * texels, .operations = 4.0 * texels};
        });
    info.input("source", &FilterSlices::source, "the numbers, x fastest, f32").elements<float>();
    info.parameter("size", &FilterSlices::size, "size of the array along x, y, z, w").structural();
    info.parameter("slices", &FilterSlices::slices, "indices along z; empty: the middle")
        .structural();
    info.parameter("times", &FilterSlices::times, "indices along w; empty: the first").structural();
    info.parameter("low", &FilterSlices::low, "the number that is black");
    info.parameter("high", &FilterSlices::high, "the number that is white; not \"low\"");
    info.parameter("gap", &FilterSlices::gap, "gap between slices")
        .range(0, 1024)
        .unit("texels")
        .structural();
    info.output("result", &FilterSlices::result,
                "the picture, rgba8_unorm, grey, encoded for a display");
}

void FilterSlices::build(Graph& graph) {
    const auto field = tensor_field(graph, size, 1, 1);
    if (!field || !holds_places(graph, "source", source, *field, 1)) return;
    const auto columns = slice_numbers(graph, "slices", slices, size.z, size.z / 2);
    const auto rows = slice_numbers(graph, "times", times, size.w, 0);
    if (!columns || !rows) return;
    if (low == high) {
        graph.error("pass/out-of-range",
                    fmt::format("\"low\" {} and \"high\" {} are equal", low, high),
                    "give \"high\" another value");
        return;
    }
    const std::uint64_t width = columns->size() * (std::uint64_t{size.x} + gap) - gap;
    const std::uint64_t height = rows->size() * (std::uint64_t{size.y} + gap) - gap;
    if (width > kMaxSlicesSide || height > kMaxSlicesSide) {
        graph.error("filter/too-large",
                    fmt::format("the picture would have {} x {} texels, more than {} a side", width,
                                height, kMaxSlicesSide),
                    "show fewer slices");
        return;
    }
    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    ComputeNodeBuilder node = graph.compute("filter/slices");
    node.read("source", source);
    node.read("columns", constant_array(graph, "columns", *columns));
    node.read("rows", constant_array(graph, "rows", *rows));
    node.set("size", size);
    node.set("gap", gap);
    node.set("low", low);
    node.set("high", high);
    result = node.write("result",
                        graph.image("slices", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(FilterSlices)

} // namespace tuff::passes
