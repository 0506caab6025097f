#include "passes/filter/tiled.hpp"

#include "passes/common/divided_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kUniformBytes = 16 * 1024; ///< as the kernel declares them

Buffer convolve_in_tiles(Graph& graph, Buffer source, Buffer kernel, const FilterTask& task,
                         const TileShape& shape) {
    const auto& [problem, window] = task;
    const std::uint64_t weight_bytes = tile_weight_bytes(shape, problem);
    const bool uniform = weight_bytes <= kUniformBytes;
    const Buffer weights =
        tile_weights(graph, kernel, problem, shape, std::max(weight_bytes, kUniformBytes));
    ComputeNodeBuilder node =
        graph.compute("filter/tiled", {{"WEIGHTS", uniform ? "uniform" : "storage"}});
    specialize_tile(node, problem, shape);
    node.specialize("unroll_rows", std::uint32_t(shape.unrolls_rows));
    node.specialize("blocks", divided_up(problem.filters, shape.filters));
    node.read("source", source);
    node.read("weights", weights);
    node.set("source_size", as_vector(problem.size));
    node.set("result_size", as_vector(window.size));
    node.set("first", as_vector(window.first));
    node.set("tiles", glm::uvec3(divided_up(window.size[0], shape.columns * shape.results),
                                 divided_up(window.size[1], shape.lines * shape.rows),
                                 divided_up(window.size[2], shape.slices)));
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
                fmt::format("no tile with the halo of {} x {} weights fits shared memory",
                            task.problem.kernel_size[0], task.problem.kernel_size[1]),
                "choose the path \"fft\", or \"auto\"");
    return {};
}

Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    return convolve_tiled(graph, source, kernel, problem, whole_window(problem));
}

} // namespace tuff::passes
