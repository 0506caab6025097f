#include "passes/filter/tiled.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <string_view>

namespace tuff::passes {
namespace {

/// Where the kernel reads weights, and bytes of the block that it declares.
struct WeightBinding {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr WeightBinding kUniformWeights{"uniform", 16 * 1024};
constexpr WeightBinding kLargeWeights{"large", 64 * 1024};

WeightBinding binding_for(const DeviceCaps& target, std::uint64_t bytes) {
    if (bytes <= kUniformWeights.bytes) return kUniformWeights;
    if (bytes <= kLargeWeights.bytes && target.max_uniform_buffer_bytes >= kLargeWeights.bytes)
        return kLargeWeights;
    return {"storage", bytes};
}

Buffer convolve_in_tiles(Graph& graph, Buffer source, Buffer kernel, const FilterTask& task,
                         const TileShape& shape) {
    const auto& [problem, window] = task;
    const WeightBinding binding = binding_for(graph.target(), tile_weight_bytes(shape, problem));
    const Buffer weights = tile_weights(graph, kernel, problem, shape, binding.bytes);
    ComputeNodeBuilder node = graph.compute("filter/tiled", {{"WEIGHTS", binding.name}});
    specialize_tile(node, problem, shape);
    node.specialize("unroll_rows", std::uint32_t(shape.unrolls_rows));
    node.specialize("blocks", div_round_up(problem.filters, shape.filters));
    node.read("source", source);
    node.read("weights", weights);
    node.set("source_size", as_vector(problem.size));
    node.set("result_size", as_vector(window.size));
    node.set("first", as_vector(window.first));
    node.set("tiles", glm::uvec3(div_round_up(window.size[0], shape.columns * shape.results),
                                 div_round_up(window.size[1], shape.lines * shape.rows),
                                 div_round_up(window.size[2], shape.slices)));
    const std::uint64_t groups = tile_groups(shape, problem, window);
    node.set("groups", static_cast<std::uint32_t>(groups));
    node.set("all_filters", problem.filters);
    const Buffer result = node.write("result", window_results(graph, problem, window));
    fold_groups(groups).dispatch(node);
    return result;
}

} // namespace

Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      const FilterWindow& window) {
    const FilterTask task = squeezed(problem, window);
    if (is_folded(graph.target(), task.problem, task.window))
        return convolve_folded(graph, source, task.problem, task.window);
    if (const auto shape = tile_shape(graph.target(), task.problem, task.window))
        return convolve_in_tiles(graph, source, kernel, task, *shape);
    graph.error("filter/kernel-size",
                fmt::format("a tile with the halo of {} x {} weights does not fit shared memory",
                            task.problem.kernel_size[0], task.problem.kernel_size[1]),
                "choose the path \"fft\", or \"auto\"");
    return {};
}

Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    return convolve_tiled(graph, source, kernel, problem, whole_window(problem));
}

} // namespace tuff::passes
