#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

#include <algorithm>
#include <vector>

/// Three and four axes as sums of two-dimensional filters: the loops over time, over the kernel's
/// times and over its slices are the graph's.
namespace tuff::passes {
namespace {

/// What one dispatch adds: a slice of the window to the slices of the result, at one time, for
/// which it lies within the source.
struct WindowSlice {
    std::uint32_t z = 0;
    std::uint32_t w = 0;
    std::uint32_t first_z = 0; ///< of the result
    std::uint32_t last_z = 0;
    std::uint32_t result_w = 0;
    bool first = false; ///< at this time
};

/// Places of the result along an axis for which place `tap` of the window lies within the source.
struct ResultSpan {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};
ResultSpan span_of(const FilterProblem& problem, std::size_t axis, std::uint32_t tap) {
    const std::uint32_t results = filter_result_size(problem)[axis];
    if (problem.border != FilterBorder::zero) return {0, results};
    const std::uint32_t half = problem.kernel_size[axis] / 2;
    const std::uint32_t size = problem.size[axis];
    const std::uint32_t end = size + half > tap ? size + half - tap : 0;
    return {half > tap ? half - tap : 0, std::min(results, end)};
}

/// Places of the window along an axis, the middle one first: with it all results begin.
std::vector<std::uint32_t> window_order(std::uint32_t size) {
    std::vector<std::uint32_t> order{size / 2};
    for (std::uint32_t tap = 0; tap < size; ++tap)
        if (tap != size / 2) order.push_back(tap);
    return order;
}

std::vector<WindowSlice> window_slices(const FilterProblem& problem) {
    std::vector<WindowSlice> slices;
    for (std::uint32_t time = 0; time < filter_result_size(problem)[3]; ++time) {
        bool first = true;
        for (const std::uint32_t w : window_order(problem.kernel_size[3])) {
            const ResultSpan times = span_of(problem, 3, w);
            if (time < times.first || time >= times.end) continue;
            for (const std::uint32_t z : window_order(problem.kernel_size[2])) {
                const ResultSpan span = span_of(problem, 2, z);
                if (span.first >= span.end) continue;
                slices.push_back({z, w, span.first, span.end - 1, time, first});
                first = false;
            }
        }
    }
    return slices;
}

} // namespace

Buffer convolve_accumulated(Graph& graph, Buffer source, Buffer kernel,
                            const FilterProblem& problem) {
    const FilterSize size = filter_result_size(problem);
    const std::uint64_t slice_results =
        std::uint64_t{size[0]} * size[1] * problem.filters * problem.batch;
    const std::vector<WindowSlice> slices = window_slices(problem);
    return graph.repeat(
        "slice", static_cast<std::uint32_t>(slices.size()),
        filter_floats(graph, "result", filter_results(problem)), [&](Buffer sums, std::uint32_t i) {
            const WindowSlice& slice = slices[i];
            const auto count =
                static_cast<std::uint32_t>(slice_results * (slice.last_z - slice.first_z + 1));
            ComputeNodeBuilder node =
                graph.compute("filter/slice", {{"FIRST", std::uint32_t(slice.first)}});
            node.read("source", source);
            node.read("weights", kernel);
            set_window(node, problem);
            node.set("turned", std::uint32_t(!problem.correlate));
            node.set("count", count);
            node.set("slice_z", slice.z);
            node.set("slice_w", slice.w);
            node.set("first_z", slice.first_z);
            node.set("last_z", slice.last_z);
            node.set("result_w", slice.result_w);
            const Buffer more = node.write("result", sums);
            node.dispatch_each(count);
            return more;
        });
}

} // namespace tuff::passes
