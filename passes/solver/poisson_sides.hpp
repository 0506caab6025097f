#pragma once

#include "passes/solver/poisson_grid.hpp"

#include <tuff/graph.hpp>

/// The sides of solver/poisson: what they are given, and what that adds to the right-hand side.
namespace tuff::passes {

PoissonSides sides_of(const Poisson& pass);
PoissonGrid grid_of(const Poisson& pass);
void describe_sides(PassInfo<Poisson>& info);

/// Reports to `graph`, and returns false, unless each side fits its axis and has values for its
/// cells. Codes: `solver/side`, and those of `has_cells`.
[[nodiscard]] bool has_valid_sides(Graph& graph, const Poisson& pass);

/// The right-hand side with what the sides' values add to it: itself where they are all 0.
Buffer with_sides(Graph& graph, const Poisson& pass, Buffer rhs);

} // namespace tuff::passes
