#include "passes/filter/window.hpp"

namespace tuff::passes {
namespace {

struct WindowAxis {
    std::uint32_t size, taps, first, wanted;
};

/// Whether `inner` and the axis behind it are one to kernels.
bool is_one_axis(const WindowAxis& inner, const WindowAxis& outer) {
    return inner.taps == 1 && outer.taps == 1 && inner.first == 0 && inner.wanted == inner.size;
}

} // namespace

FilterWindow whole_window(const FilterProblem& problem) {
    FilterWindow window{.first = {}, .size = filter_result_size(problem)};
    if (problem.border == FilterBorder::valid)
        for (std::size_t axis = 0; axis < window.first.size(); ++axis)
            window.first[axis] = problem.kernel_size[axis] / 2;
    return window;
}

Buffer window_results(Graph& graph, const FilterProblem& problem, const FilterWindow& window) {
    const std::uint64_t count = filter_count(window.size) * problem.batch * problem.filters;
    return graph.buffer("result", {.size = count * sizeof(float), .stride = sizeof(float)});
}

FilterTask squeezed(const FilterProblem& problem, const FilterWindow& window) {
    std::vector<WindowAxis> axes;
    for (std::size_t a = 0; a < problem.size.size(); ++a) {
        const WindowAxis axis{problem.size[a], problem.kernel_size[a], window.first[a],
                              window.size[a]};
        if (axis.size == 1 && axis.taps == 1) continue;
        if (axes.empty() || !is_one_axis(axes.back(), axis)) {
            axes.push_back(axis);
            continue;
        }
        const std::uint32_t row = axes.back().size;
        axes.back() = {row * axis.size, 1, row * axis.first, row * axis.wanted};
    }
    FilterTask task{.problem = problem, .window = {}};
    for (std::size_t a = 0; a < problem.size.size(); ++a) {
        const WindowAxis axis = a < axes.size() ? axes[a] : WindowAxis{1, 1, 0, 1};
        task.problem.size[a] = axis.size;
        task.problem.kernel_size[a] = axis.taps;
        task.window.first[a] = axis.first;
        task.window.size[a] = axis.wanted;
    }
    return task;
}

} // namespace tuff::passes
