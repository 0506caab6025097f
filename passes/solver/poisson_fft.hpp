#pragma once

#include "passes/solver/poisson_grid.hpp"

#include <tuff/graph.hpp>

/// The direct solve of solver/poisson: along each axis sums with the eigenvectors of its coupling,
/// which are cosines, sines or both, by Fourier transforms.
namespace tuff::passes {

/// Reports to `graph`, and returns false, unless the axes have such eigenvectors and lengths.
/// Codes: `solver/fft-sides`, `solver/fft-size`.
[[nodiscard]] bool has_transforms(Graph& graph, const Poisson& pass);

/// The solution for `rhs`; of mean 0 where nothing fixes it.
Buffer solve_by_transforms(Graph& graph, const Poisson& pass, Buffer rhs);

} // namespace tuff::passes
