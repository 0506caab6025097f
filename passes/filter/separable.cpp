#include "passes/common/constant_array.hpp"
#include "passes/filter/crossovers.hpp"
#include "passes/filter/weights.hpp"
#include "passes/filter/window.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::string_view kPassNames[] = {"along_x", "along_y", "along_z", "along_w"};

Buffer convolve_along(Graph& graph, Buffer source, const std::vector<float>& weights,
                      std::size_t axis, FilterProblem& problem) {
    problem.kernel_size = {1, 1, 1, 1};
    problem.kernel_size[axis] = static_cast<std::uint32_t>(weights.size());
    problem.weights = weights;
    graph.push_scope(kPassNames[axis]);
    const Buffer kernel = constant_array(graph, "factor", weights);
    const Buffer result = direct_path(graph.target(), problem) == FilterPath::tiled
                              ? convolve_tiled(graph, source, kernel, problem)
                              : convolve_plain(graph, source, kernel, problem, false);
    graph.pop_scope();
    problem.size = filter_result_size(problem);
    return result;
}

/// One pass for each axis that has weights to sum, and at least one.
Buffer convolve_by_axes(Graph& graph, Buffer source, const FilterFactors& factors,
                        FilterProblem problem) {
    Buffer result;
    for (std::size_t axis = 0; axis < factors.size(); ++axis)
        if (factors[axis].size() > 1 || factors[axis][0] != 1.0f)
            result = convolve_along(graph, result ? result : source, factors[axis], axis, problem);
    return result ? result : convolve_along(graph, source, factors[0], 0, problem);
}

} // namespace

Buffer convolve_separable(Graph& graph, Buffer source, const FilterProblem& problem) {
    const auto factors = filter_factors(problem);
    if (!factors) {
        graph.error("filter/not-separable",
                    problem.weights.empty() ? "the weights are made on the device and cannot be "
                                              "factored"
                                            : "a kernel is not a product of one-dimensional "
                                              "kernels",
                    "choose the path \"tiled\", or \"auto\"");
        return {};
    }
    FilterProblem one = problem;
    one.filters = 1;
    if (problem.filters == 1) return convolve_by_axes(graph, source, factors->front(), one);

    const std::uint64_t bytes = filter_count(filter_result_size(problem)) * sizeof(float);
    Buffer result = window_results(graph, problem, whole_window(problem));
    for (std::uint32_t filter = 0; filter < problem.filters; ++filter) {
        graph.push_scope(fmt::format("filter_{}", filter));
        const Buffer filtered = convolve_by_axes(graph, source, (*factors)[filter], one);
        for (std::uint32_t array = 0; array < problem.batch; ++array)
            result = graph.copy(
                BufferView(filtered, array * bytes, bytes),
                BufferView(result, (array * problem.filters + filter) * bytes, bytes), "gather");
        graph.pop_scope();
    }
    return result;
}

} // namespace tuff::passes
