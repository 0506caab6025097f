#include "passes/image/plot.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPlotSide = 16384;
constexpr std::uint32_t kMaxRows = 1u << 24;

bool is_valid(Graph& graph, const Plot& pass) {
    if (pass.low < pass.high && (!pass.logarithmic || pass.low > 0.0f)) return true;
    graph.error("pass/out-of-range",
                fmt::format("values from {} to {} make no axis", pass.low, pass.high),
                "\"low\" is below \"high\", and above 0 where \"logarithmic\"");
    return false;
}

float placed(const Plot& pass, float value) {
    return pass.logarithmic ? std::log2(value) : value;
}

} // namespace

void Plot::describe(PassInfo<Plot>& info) {
    info.summary("Draws arrays of numbers as curves")
        .details("Element i of the longest array is at the right edge if it is the last, element 0 "
                 "at the left. Values that are not finite, or not positive on a logarithmic axis, "
                 "are gaps. Lines of the grid are at powers of ten, or at tenths of the axis. The "
                 "curves are, in their order, blue, orange, green, red, violet, brown, pink and "
                 "grey. The table has a row for each element and a column for each curve; where a "
                 "curve has ended there is a NaN.")
        .complexity("O(texels * curves)");
    info.input_list("curves", &Plot::curves, "arrays of f32, at most 8")
        .wires(1, Plot::kMaxCurves)
        .elements<float>();
    info.parameter("width", &Plot::width, "of the picture")
        .range(1, kMaxPlotSide)
        .unit("texels")
        .structural();
    info.parameter("height", &Plot::height, "likewise")
        .range(1, kMaxPlotSide)
        .unit("texels")
        .structural();
    info.parameter("logarithmic", &Plot::logarithmic, "the axis of values").structural();
    info.parameter("low", &Plot::low, "the value at the lower edge").structural();
    info.parameter("high", &Plot::high, "the value at the upper edge").structural();
    info.parameter("line", &Plot::line, "width of the curves").range(0, 1000).unit("texels");
    info.output("result", &Plot::result, "rgba8_unorm, as displays show it");
    info.output("table", &Plot::table, "f32, row by row: for a file of comma-separated values")
        .elements<float>();
}

void Plot::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const auto columns = static_cast<std::uint32_t>(curves.size());
    std::uint64_t most = 1;
    for (const Buffer curve : curves)
        most = std::max(most, graph.desc(curve).size / 4);
    const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, kMaxRows));
    table = graph.buffer("table", {.size = 4ull * rows * columns, .stride = 4 * columns});
    for (std::uint32_t column = 0; column < columns; ++column) {
        ComputeNodeBuilder node =
            graph.compute("image/plot_column", fmt::format("column[{}]", column));
        node.read("curve", curves[column]);
        node.set("rows", rows);
        node.set("columns", columns);
        node.set("column", column);
        node.set("values", static_cast<std::uint32_t>(
                               std::min<std::uint64_t>(graph.desc(curves[column]).size / 4, rows)));
        table = node.write("table", table);
        node.dispatch_each(rows);
    }

    ComputeNodeBuilder node = graph.compute("image/plot");
    node.read("table", table);
    node.set("rows", rows);
    node.set("columns", columns);
    node.set("logarithmic", std::uint32_t(logarithmic));
    node.set("low", placed(*this, low));
    node.set("high", placed(*this, high));
    node.set("line", line);
    const Extent extent{width, height};
    result = node.write("result",
                        graph.image("plot", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(Plot)

} // namespace tuff::passes
