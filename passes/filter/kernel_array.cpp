#include "passes/filter/kernel_array.hpp"

#include "passes/fft/array.hpp"
#include "passes/filter/way_nodes.hpp"

#include <fmt/format.h>

namespace tuff::passes {

bool spectra_fit(Graph& graph, const FilterSize& size, std::uint64_t arrays) {
    if (fft_count(size, arrays)) return true;
    graph.error("filter/too-large",
                fmt::format("{} spectra of {} x {} x {} x {} numbers have more than the {} that "
                            "can be addressed",
                            arrays, size[0], size[1], size[2], size[3], kMaxFftNumbers),
                "filter parts of the array, or use fewer kernels at a time");
    return false;
}

Buffer place_kernels(Graph& graph, Buffer kernel, const FilterProblem& problem,
                     const KernelArray& array) {
    const auto count = static_cast<std::uint32_t>(filter_count(array.size) * problem.filters);
    ComputeNodeBuilder node = graph.compute("filter/place_kernel");
    node.read("kernel", kernel);
    node.set("kernel_size", as_vector(problem.kernel_size));
    node.set("result_size", as_vector(array.size));
    node.set("shift", as_vector(array.shift));
    node.set("turned", std::uint32_t(problem.correlate));
    node.set("count", count);
    const Buffer result = node.write("result", filter_floats(graph, "kernels", count));
    node.dispatch_each(count);
    return result;
}

} // namespace tuff::passes
