#pragma once

#include "passes/mpi/poisson.hpp"

namespace tuff::passes {

/// The cycles of mpi/poisson: builds them and sets the outputs. The images have been checked.
void solve_by_cycles(Graph& graph, PoissonOfParts& pass, const Field& field);

} // namespace tuff::passes
