#pragma once

#include "passes/mpi/poisson.hpp"
#include "passes/mpi/poisson_levels.hpp"

/// Solid and fixed cells of mpi/poisson.
namespace tuff::passes {

/// Reports what is wrong with the kinds of cells and returns false: `mpi/part-size`,
/// `image/size-mismatch`, `image/unsupported-format`, `solver/cells-method`.
[[nodiscard]] bool has_valid_kinds(Graph& graph, const PoissonOfParts& pass, const Field& field);

/// A word for each cell of this rank's part, `PoissonCell`, and for those beside it: an array of
/// the finest grid.
Buffer kinds_in(Graph& graph, Image kinds, const Field& field, const PoissonLevels& levels);

/// The faces of such cells that something goes through, as words; see shaders/mpi/kinds.glsl. The
/// array has the places of the images' texels.
Buffer faces_of(Graph& graph, const PoissonOfParts& pass, const Field& field);

} // namespace tuff::passes
