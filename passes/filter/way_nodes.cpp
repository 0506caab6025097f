#include "passes/filter/way_nodes.hpp"

#include "passes/common/div_round_up.hpp"

namespace tuff::passes {

glm::uvec4 as_vector(const FilterSize& size) {
    return {size[0], size[1], size[2], size[3]};
}

FilterSize filter_half(const FilterProblem& problem) {
    FilterSize half = problem.kernel_size;
    for (std::uint32_t& extent : half)
        extent /= 2;
    return half;
}

std::uint64_t filter_results(const FilterProblem& problem) {
    return filter_count(filter_result_size(problem)) * problem.filters * problem.batch;
}

Buffer filter_floats(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = count * sizeof(float), .stride = sizeof(float)});
}

void set_window(ComputeNodeBuilder& node, const FilterProblem& problem) {
    const FilterSize& kernel = problem.kernel_size;
    node.specialize("kernel_x", kernel[0]);
    node.specialize("kernel_y", kernel[1]);
    node.specialize("kernel_z", kernel[2]);
    node.specialize("kernel_w", kernel[3]);
    node.set("border", static_cast<std::uint32_t>(problem.border));
    const bool valid = problem.border == FilterBorder::valid;
    const glm::ivec4 before = valid ? glm::ivec4(0) : glm::ivec4(as_vector(filter_half(problem)));
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(filter_result_size(problem)));
    node.set("before", before);
    node.set("filters", problem.filters);
}

Buffer write_each_result(Graph& graph, ComputeNodeBuilder& node, const FilterProblem& problem) {
    const auto count = static_cast<std::uint32_t>(filter_results(problem));
    set_window(node, problem);
    node.set("count", count);
    const Buffer result = node.write("result", filter_floats(graph, "result", count));
    node.dispatch_each(count);
    return result;
}

Buffer weight_vectors(Graph& graph, Buffer kernel, const FilterProblem& problem) {
    const auto taps = static_cast<std::uint32_t>(filter_count(problem.kernel_size));
    const std::uint32_t pitch = div_round_up(taps, 4u) * 4;
    const std::uint32_t count = pitch * problem.filters;
    ComputeNodeBuilder node = graph.compute("filter/weight_vectors");
    node.read("kernel", kernel);
    node.set("count", count);
    node.set("taps", taps);
    node.set("pitch", pitch);
    node.set("turned", std::uint32_t(!problem.correlate));
    const Buffer result = node.write("result", filter_floats(graph, "weights", count));
    node.dispatch_each(count);
    return result;
}

} // namespace tuff::passes
