#include "passes/common/div_round_up.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"
#include "passes/primitives/elements.hpp"

/// Kernels as the columns of a matrix: see shaders/filter/matrix_rows.glsl. Matrix units take
/// numbers and weights of 16 bits, to about 1e-3 of the sum of |number * weight|; numbers are at
/// most 65504 then.
namespace tuff::passes {
namespace {

// As the kernels have them.
constexpr std::uint32_t kMatrixRows = 128;
constexpr std::uint32_t kMatrixColumns = 16;
constexpr std::uint32_t kMatrixInner = 32;
constexpr std::uint32_t kMatrixLanes = 32;

bool has_units(const DeviceCaps& caps) {
    return caps.cooperative_matrix && caps.fp16 && caps.subgroup_size == kMatrixLanes;
}

struct HalfWeights {
    Buffer words;
    Buffer scales; ///< of the kernels
};
HalfWeights half_weights(Graph& graph, Buffer kernel, const FilterProblem& problem) {
    const auto taps = static_cast<std::uint32_t>(filter_count(problem.kernel_size));
    const std::uint32_t lines = div_round_up(taps, kMatrixInner) * kMatrixInner;
    const std::uint32_t columns = div_round_up(problem.filters, kMatrixColumns) * kMatrixColumns;
    ComputeNodeBuilder node = graph.compute("filter/matrix_weights");
    node.read("kernel", kernel);
    node.set("pairs", columns / 2);
    node.set("filters", problem.filters);
    node.set("taps", taps);
    node.set("lines", lines);
    node.set("turned", std::uint32_t(!problem.correlate));
    const std::uint64_t words = std::uint64_t{columns} / 2 * lines;
    const HalfWeights result{node.write("result", filter_floats(graph, "half_weights", words)),
                             node.write("scales", filter_floats(graph, "scales", problem.filters))};
    fold_groups(columns / 2).dispatch(node);
    return result;
}

} // namespace

Buffer convolve_matrix(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    const bool by_units = has_units(graph.target());
    HalfWeights halves;
    if (by_units) halves = half_weights(graph, kernel, problem);
    ComputeNodeBuilder node =
        graph.compute(by_units ? "filter/matrix_cooperative" : "filter/matrix", "matrix");
    node.read("source", source);
    node.read("weights", by_units ? halves.words : kernel);
    if (by_units) node.read("scales", halves.scales);
    set_window(node, problem);
    node.set("turned", std::uint32_t(!problem.correlate));
    const auto rows = static_cast<std::uint32_t>(filter_results(problem) / problem.filters);
    const glm::uvec2 tiles{div_round_up(problem.filters, kMatrixColumns),
                           div_round_up(rows, kMatrixRows)};
    node.set("rows", rows);
    node.set("tiles", tiles);
    const Buffer result =
        node.write("result", filter_floats(graph, "result", filter_results(problem)));
    fold_groups(std::uint64_t{tiles.x} * tiles.y).dispatch(node);
    return result;
}

} // namespace tuff::passes
