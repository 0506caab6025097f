#pragma once

#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

/// The direct ways, for some of the results: what slabs are made by.
namespace tuff::passes {

/// Results are wanted for a box of places of the source. Places outside of the source are read as
/// the border says.
struct FilterWindow {
    FilterSize first{};
    FilterSize size{1, 1, 1, 1};
};

/// That of all results of a problem.
FilterWindow whole_window(const FilterProblem& problem);

/// As `convolve_plain`, for the results of a window.
Buffer convolve_plain(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      const FilterWindow& window, bool unrolled);
/// As `convolve_tiled`, for the results of a window.
Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      const FilterWindow& window);

/// A buffer for the results of a window.
Buffer window_results(Graph& graph, const FilterProblem& problem, const FilterWindow& window);

/// A problem and a window of it.
struct FilterTask {
    FilterProblem problem;
    FilterWindow window;
};

/// The same numbers in as few axes as can be: axes of one number are left out, neighbours
/// that the kernels do not reach along become one.
FilterTask squeezed(const FilterProblem& problem, const FilterWindow& window);

} // namespace tuff::passes
