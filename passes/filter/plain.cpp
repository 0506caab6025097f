#include "passes/filter/window.hpp"
#include "passes/primitives/elements.hpp"

namespace tuff::passes {

Buffer convolve_plain(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      const FilterWindow& window, bool unrolled) {
    ComputeNodeBuilder node = graph.compute("filter/plain", {{"UNROLLED", unrolled}});
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    if (unrolled) {
        node.specialize("kernel_x", problem.kernel_size[0]);
        node.specialize("kernel_y", problem.kernel_size[1]);
    }
    node.read("source", source);
    node.read("kernel", kernel);
    const std::uint64_t count = filter_count(window.size) * problem.batch * problem.filters;
    node.set("source_size", as_vector(problem.size));
    node.set("result_size", as_vector(window.size));
    node.set("first", as_vector(window.first));
    node.set("kernel_size", as_vector(problem.kernel_size));
    node.set("count", static_cast<std::uint32_t>(count));
    node.set("filters", problem.filters);
    node.set("correlate", std::uint32_t(problem.correlate));
    const Buffer result = node.write("result", window_results(graph, problem, window));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

Buffer convolve_plain(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      bool unrolled) {
    return convolve_plain(graph, source, kernel, problem, whole_window(problem), unrolled);
}

} // namespace tuff::passes
