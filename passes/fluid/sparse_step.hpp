#pragma once

#include "passes/fluid/sparse.hpp"
#include "passes/fluid/sparse_copies.hpp"

namespace tuff::passes {

/// Bytes of a cell of velocity or dye.
std::uint32_t smoke_cell_bytes(FluidPrecision precision);

/// Adds the nodes of a step and sets the outputs of `pass`, whose parameters are valid. Returns
/// false, and reports an error, if ranks cannot have the smoke in parts.
bool build_smoke_step(Graph& graph, SparseFluid& pass, const SparseShape& shape);

/// Memory of sweeps that are all in one dispatch: shaders/fluid/sparse_sweeps.comp. Not connected
/// where each sweep is a dispatch. A kernel before them has to clear its first quads: one, and one
/// a slot.
Buffer sweeps_memory(Graph& graph, const SparseFluid& pass, const SmokeCopies& copies,
                     const SparseShape& shape);

/// The pressure that removes `divergence`, over active bricks; copies have at least one layer of
/// it. `before`: initial values, of bricks that were active before, or of all of them where copies
/// travel; not connected: 0. The last sweep writes `target`. `memory`: of `sweeps_memory`.
Buffer sparse_pressure(Graph& graph, const SparseFluid& pass, const SmokeCopies& copies,
                       const SparseBricks& bricks, const SmokeField& divergence, Buffer before,
                       Buffer target, Buffer memory = {});

} // namespace tuff::passes
