#include "passes/filter/array_checks.hpp"
#include "passes/filter/bilateral_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxBilateralBins = 2048;                 // shared memory
constexpr std::uint64_t kMaxGridColumns = std::uint64_t{1} << 24; // cells without their bins
constexpr std::uint64_t kMaxGridSums = std::uint64_t{1} << 27;
constexpr std::uint64_t kMaxCellNumbers = std::uint64_t{1} << 20;
constexpr double kSumBits = 31.0; // of the weights of a cell, in whole numbers

/// Places between cells. Few enough lie in a cell that the sum of their weights keeps precision.
FilterSize grid_steps(const FilterProblem& problem, glm::vec4 sigma, float cell) {
    FilterSize step{1, 1, 1, 1};
    for (int axis = 0; axis < 4; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (problem.kernel_size[a] == 1) continue;
        step[a] = static_cast<std::uint32_t>(std::clamp(sigma[axis] * cell, 1.0f, 65536.0f));
    }
    while (filter_count(step) > kMaxCellNumbers)
        *std::ranges::max_element(step) /= 2;
    return step;
}

/// What is left to blur, in cells: adding to cells and reading between them blur as well, each as
/// the convolution of two boxes of a cell's width does.
double left_variance(double sigma, std::uint32_t step) {
    const double cells = sigma / step;
    return cells * cells - (1.0 - 1.0 / (static_cast<double>(step) * step)) / 3.0;
}

std::int32_t blur_radius(double variance) {
    return static_cast<std::int32_t>(std::ceil(3.0 * std::sqrt(variance)));
}

void set_shape(ComputeNodeBuilder& node, const FilterBilateral& pass, const BilateralGrid& grid) {
    node.set("cells", as_vector(grid.cells));
    node.set("step", as_vector(grid.step));
    node.set("pad", as_vector(grid.pad));
    node.set("low", pass.range.x);
    node.set("high", pass.range.y);
    node.set("bin", grid.bin);
}

Buffer grid_buffer(Graph& graph, std::uint64_t sums) {
    return graph.buffer("grid", {.size = sums * sizeof(glm::vec2), .stride = sizeof(glm::vec2)});
}

Buffer splatted(Graph& graph, const FilterBilateral& pass, const FilterProblem& problem,
                const BilateralGrid& grid) {
    const std::uint64_t columns = filter_count(grid.cells) * problem.batch;
    ComputeNodeBuilder node = graph.compute("filter/bilateral_splat");
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.specialize("bin_count", grid.bins);
    node.read("source", pass.source);
    node.set("size", as_vector(problem.size));
    set_shape(node, pass, grid);
    const double most = std::exp2(kSumBits) / static_cast<double>(filter_count(grid.step));
    node.set("unit", static_cast<float>(std::exp2(std::floor(std::log2(most)))));
    node.set("count", static_cast<std::uint32_t>(columns));
    const Buffer sums = node.write("grid", grid_buffer(graph, columns * grid.bins));
    node.dispatch_each(static_cast<std::uint32_t>(columns) * node.group_size()[0]);
    return sums;
}

/// Along the bins (0), or x (1) to w (4).
Buffer blurred(Graph& graph, Buffer sums, const FilterProblem& problem, const BilateralGrid& grid,
               std::size_t axis) {
    const double variance = static_cast<double>(grid.blur[axis]);
    if (variance <= 0.0) return sums;
    const std::uint64_t count = filter_count(grid.cells) * problem.batch * grid.bins;
    std::uint32_t stride = axis == 0 ? 1 : grid.bins;
    for (std::size_t a = 1; a < axis; ++a)
        stride *= grid.cells[a - 1];
    ComputeNodeBuilder node = graph.compute("filter/bilateral_blur");
    node.read("source", sums);
    node.set("count", static_cast<std::uint32_t>(count));
    node.set("stride", stride);
    node.set("extent", axis == 0 ? grid.bins : grid.cells[axis - 1]);
    node.set("radius", blur_radius(variance));
    node.set("falloff", static_cast<float>(0.5 * std::numbers::log2e / variance));
    const Buffer result = node.write("result", grid_buffer(graph, count));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

} // namespace

std::optional<BilateralGrid> bilateral_grid(Graph& graph, const FilterBilateral& pass,
                                            const FilterProblem& problem) {
    const auto wrong = [&](std::string message, std::string_view hint) {
        graph.error("filter/bilateral-grid", std::move(message), std::string(hint));
        return std::nullopt;
    };
    if (!std::isfinite(pass.range.x) || !std::isfinite(pass.range.y - pass.range.x) ||
        pass.range.y <= pass.range.x)
        return wrong(fmt::format("the range from {} to {} is empty", pass.range.x, pass.range.y),
                     "set \"range\" to the least and the greatest number");
    BilateralGrid grid{.step = grid_steps(problem, pass.sigma, pass.cell),
                       .bin = pass.cell * pass.sigma_range};
    for (int axis = 0; axis < 4; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (problem.kernel_size[a] > 1) {
            const double left = left_variance(static_cast<double>(pass.sigma[axis]), grid.step[a]);
            grid.blur[a + 1] = static_cast<float>(left);
            grid.pad[a] = static_cast<std::uint32_t>(blur_radius(left));
        }
        const std::uint32_t last = (problem.size[a] - 1) / grid.step[a];
        grid.cells[a] = last + (grid.step[a] > 1 ? 2 : 1) + 2 * grid.pad[a];
    }
    const double cell = static_cast<double>(pass.cell);
    grid.blur[0] = static_cast<float>(1.0 / (cell * cell) - 1.0 / 3.0);
    const double bins = std::floor(static_cast<double>(pass.range.y - pass.range.x) /
                                   static_cast<double>(grid.bin)) +
                        2.0;
    double columns = problem.batch;
    for (const std::uint32_t extent : grid.cells)
        columns *= extent;
    if (bins > kMaxBilateralBins)
        return wrong(fmt::format("the range has {} bins, more than {}", bins, kMaxBilateralBins),
                     "set a smaller \"range\", a larger \"sigma_range\" or the method \"direct\"");
    if (columns > static_cast<double>(kMaxGridColumns) ||
        columns * bins > static_cast<double>(kMaxGridSums))
        return wrong(fmt::format("the grid has {} cells of {} bins, more than can be addressed",
                                 columns, bins),
                     "set a larger \"sigma\" or \"cell\", or the method \"direct\"");
    grid.bins = static_cast<std::uint32_t>(bins);
    return grid;
}

Buffer bilateral_by_grid(Graph& graph, const FilterBilateral& pass, const FilterProblem& problem,
                         const BilateralGrid& grid) {
    Buffer sums = splatted(graph, pass, problem, grid);
    for (std::size_t axis = 0; axis < grid.blur.size(); ++axis)
        sums = blurred(graph, sums, problem, grid, axis);

    const FilterSize size = filter_result_size(problem);
    const std::uint64_t count = filter_count(size) * problem.batch;
    const bool valid = problem.border == FilterBorder::valid;
    ComputeNodeBuilder node = graph.compute("filter/bilateral_slice");
    node.read("source", pass.source);
    node.read("grid", sums);
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(size));
    node.set("first", valid ? as_vector(problem.kernel_size) / 2u : glm::uvec4(0));
    set_shape(node, pass, grid);
    node.set("bins", grid.bins);
    node.set("count", static_cast<std::uint32_t>(count));
    const Buffer result = node.write("result", filter_floats(graph, "result", count));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

} // namespace tuff::passes
