#pragma once

#include "passes/filter/problem.hpp"

/// What kernels need that include shaders/filter/tile_steps.glsl.
namespace tuff::passes {

/// Sets constants and binds roots for groups that transform tiles of `side` x `side` numbers.
void bind_tile(Graph& graph, ComputeNodeBuilder& node, std::uint32_t side);

/// Spectra of the two-dimensional slices of all kernels, scaled for the way there and back.
/// Precondition: the kernel extends no further along x and y. Reports filter/too-large, and returns
/// nothing.
Buffer tile_spectra(Graph& graph, Buffer kernel, const FilterProblem& problem, std::uint32_t side);

} // namespace tuff::passes
