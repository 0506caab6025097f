#include "passes/filter/kernel_array.hpp"

#include "passes/filter/way_nodes.hpp"

namespace tuff::passes {

Buffer place_kernels(Graph& graph, Buffer kernel, const FilterProblem& problem,
                     const KernelArray& array) {
    const auto count =
        static_cast<std::uint32_t>(filter_count(array.size) * problem.filters * array.floats);
    ComputeNodeBuilder node = graph.compute("filter/place_kernel");
    node.read("kernel", kernel);
    node.set("kernel_size", as_vector(problem.kernel_size));
    node.set("result_size", as_vector(array.size));
    node.set("shift", as_vector(array.shift));
    node.set("turned", std::uint32_t(problem.correlate));
    node.set("step", array.floats);
    node.set("count", count);
    const Buffer result = node.write("result", filter_floats(graph, "kernels", count));
    node.dispatch_each(count);
    return result;
}

} // namespace tuff::passes
