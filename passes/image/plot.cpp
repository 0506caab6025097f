#include "passes/image/plot.hpp"

#include "passes/image/chart.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPlotSide = 16384;
constexpr std::uint32_t kMaxRows = 1u << 24;

bool is_valid(Graph& graph, const Plot& pass) {
    if (pass.low < pass.high && (!pass.logarithmic || pass.low > 0.0f)) return true;
    graph.error("pass/out-of-range",
                fmt::format("the axis from \"low\" {} to \"high\" {} is empty, or not positive and "
                            "logarithmic",
                            pass.low, pass.high),
                "set \"low\" below \"high\", and above 0 if \"logarithmic\"");
    return false;
}

/// The curves' rectangle, and what is around it.
ChartPicture chart_of(const Plot& pass, std::uint32_t rows) {
    if (!pass.axes)
        return {Canvas(pass.width, pass.height, glm::vec4(1.0f)), glm::ivec2(0),
                glm::ivec2(pass.width, pass.height)};
    const double last = pass.first + double{pass.step} * (rows - 1);
    const bool one = rows == 1; // stands in the middle
    return draw_chart({.width = pass.width,
                       .height = pass.height,
                       .title = pass.title,
                       .x = {.low = one ? pass.first - 0.5 * pass.step : pass.first,
                             .high = one ? pass.first + 0.5 * pass.step : last,
                             .label = pass.x_label},
                       .y = {.low = pass.low,
                             .high = pass.high,
                             .logarithmic = pass.logarithmic,
                             .label = pass.y_label},
                       .names = pass.names,
                       .text = pass.text});
}

float placed(const Plot& pass, float value) {
    return pass.logarithmic ? std::log2(value) : value;
}

} // namespace

void Plot::describe(PassInfo<Plot>& info) {
    info.summary("Draws arrays of numbers as curves")
        .details("Element 0 is at the left edge, the last element of the longest array at the "
                 "right edge. Values that are not finite, or not positive on a logarithmic axis, "
                 "are gaps. Around the curves stand a title, axes with round numbers and a legend; "
                 "texts without room are cut off with \"...\", and a picture too small for axes "
                 "shows the curves alone. Texts may hold any letters of DejaVu Sans. The curves "
                 "are, in their order, blue, orange, green, red, violet, brown, pink and grey. The "
                 "table has a row for each element and a column for each curve; after the end of a "
                 "shorter curve it holds NaN.")
        .complexity("O(texels * curves)");
    info.input_list("curves", &Plot::curves, "arrays of f32, at most 8")
        .wires(1, Plot::kMaxCurves)
        .elements<float>();
    info.parameter("width", &Plot::width, "width of the picture")
        .range(1, kMaxPlotSide)
        .unit("texels")
        .structural();
    info.parameter("height", &Plot::height, "height of the picture")
        .range(1, kMaxPlotSide)
        .unit("texels")
        .structural();
    info.parameter("logarithmic", &Plot::logarithmic, "logarithmic axis of values").structural();
    info.parameter("low", &Plot::low, "the value at the lower edge").structural();
    info.parameter("high", &Plot::high, "the value at the upper edge").structural();
    info.parameter("line", &Plot::line, "width of the curves").range(0, 1000).unit("texels");
    info.parameter("axes", &Plot::axes,
                   "title, axes and legend; false: curves alone, over the whole picture")
        .structural();
    info.parameter("title", &Plot::title, "text above the curves").structural();
    info.parameter("x_label", &Plot::x_label, "text below the horizontal axis").structural();
    info.parameter("y_label", &Plot::y_label, "text beside the vertical axis").structural();
    info.parameter("names", &Plot::names, "names of the curves in their order: the legend")
        .structural();
    info.parameter("first", &Plot::first, "number at element 0 on the horizontal axis")
        .structural();
    info.parameter("step", &Plot::step, "step from one element to the next on the horizontal axis")
        .range(0, 1e30, RangeEnds::open_low)
        .structural();
    info.parameter("text", &Plot::text, "height of a line of text")
        .range(4, 200)
        .unit("texels")
        .structural();
    info.output("result", &Plot::result, "the plot, rgba8_unorm, encoded for a display");
    info.output("table", &Plot::table,
                "the table, f32, row by row: for a file of comma-separated values")
        .elements<float>();
}

void Plot::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const auto columns = static_cast<std::uint32_t>(curves.size());
    std::uint64_t most = 1;
    for (const Buffer curve : curves)
        most = std::max(most, graph.desc(curve).size / 4);
    const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, kMaxRows));
    if (names.size() > columns) {
        graph.error("pass/out-of-range",
                    fmt::format("{} names for {} curves", names.size(), columns),
                    "give a name for each curve");
        return;
    }
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

    const ChartPicture chart = chart_of(*this, rows);
    const Extent extent{width, height};
    const Image paper = graph.constant_image(
        "paper", {.format = Format::rgba8_unorm, .extent = extent}, shared_texels(chart.canvas));

    ComputeNodeBuilder node = graph.compute("image/plot");
    node.read("paper", paper);
    node.read("table", table);
    node.set("rows", rows);
    node.set("columns", columns);
    node.set("logarithmic", std::uint32_t(logarithmic));
    node.set("low", placed(*this, low));
    node.set("high", placed(*this, high));
    node.set("line", line);
    node.set("corner", chart.low);
    node.set("size", chart.high - chart.low);
    node.set("colors", std::span<const glm::vec4>(kCurveColors));
    result = node.write("result",
                        graph.image("plot", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(Plot)

} // namespace tuff::passes
