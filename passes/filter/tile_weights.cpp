#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/filter/tiled.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kQuadBytes = 16;

/// Rows of weights of one filter, and vectors of a row.
struct WeightRows {
    std::uint32_t rows;
    std::uint32_t quads;
};
WeightRows weight_rows(const FilterSize& kernel_size) {
    return {kernel_size[1] * kernel_size[2] * kernel_size[3], div_round_up(kernel_size[0], 4u)};
}

/// As filter/arrange_weights does it.
std::vector<float> arranged_on_host(const FilterProblem& problem, const TileShape& shape,
                                    std::uint64_t bytes) {
    const auto [rows, quads] = weight_rows(problem.kernel_size);
    const std::uint32_t width = problem.kernel_size[0];
    const std::size_t taps = std::size_t{rows} * width;
    std::vector<float> arranged(bytes / sizeof(float));
    for (std::size_t i = 0; i < taps * problem.filters; ++i) {
        const std::size_t filter = i / taps;
        const std::size_t tap = i % taps;
        const std::size_t met = problem.correlate ? tap : taps - 1 - tap;
        const std::size_t line =
            (filter / shape.filters * rows + met / width) * shape.filters + filter % shape.filters;
        arranged[line * quads * 4 + met % width] = problem.weights[i];
    }
    return arranged;
}

} // namespace

std::uint64_t tile_weight_bytes(const TileShape& shape, const FilterProblem& problem) {
    const auto [rows, quads] = weight_rows(problem.kernel_size);
    const std::uint64_t filters =
        std::uint64_t{div_round_up(problem.filters, shape.filters)} * shape.filters;
    return filters * rows * quads * kQuadBytes;
}

Buffer tile_weights(Graph& graph, Buffer kernel, const FilterProblem& problem,
                    const TileShape& shape, std::uint64_t bytes) {
    if (!problem.weights.empty())
        return constant_array(graph, "weights", arranged_on_host(problem, shape, bytes));
    const auto count = static_cast<std::uint32_t>(bytes / kQuadBytes);
    ComputeNodeBuilder node = graph.compute("filter/arrange_weights");
    node.read("kernel", kernel);
    node.set("kernel_size", as_vector(problem.kernel_size));
    node.set("filters", problem.filters);
    node.set("together", shape.filters);
    node.set("row_quads", weight_rows(problem.kernel_size).quads);
    node.set("quads", count);
    node.set("correlate", std::uint32_t(problem.correlate));
    const Buffer weights =
        node.write("weights", graph.buffer("weights", {.size = bytes, .stride = kQuadBytes}));
    node.dispatch_each(count);
    return weights;
}

} // namespace tuff::passes
