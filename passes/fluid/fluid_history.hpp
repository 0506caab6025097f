#pragma once

#include "passes/fluid/advect.hpp"

namespace tuff::passes {

/// The state of a fluid as one execution leaves it for the next.
struct FluidHistory {
    Buffer before;
    Buffer after;           ///< to be written
    bool from_rest = false; ///< `before` is not to be looked at
};

/// A history of cells, at rest (all zero) at first. With `initial` connected, `before` is that
/// in the first execution and in those with `reset`.
FluidHistory keep_fluid(Graph& graph, glm::uvec3 dims, FluidPrecision precision, Buffer initial,
                        bool reset);

/// Likewise for velocities on faces, as in `StableFluid::faces`; `initial` has a vec4 a cell.
FluidHistory keep_faces(Graph& graph, BufferDesc faces, glm::uvec3 dims, Buffer initial,
                        bool reset);

struct KeptDye {
    FluidDye before;
    Buffer after;
};
/// Likewise for a dye, none at first.
KeptDye keep_dye(Graph& graph, glm::uvec3 dims, std::uint32_t scale);

/// The dye after it has gone with `field` by the field's time, kept for the next execution. With
/// `reset` there was none before.
FluidDye carry_dye(Graph& graph, const KeptDye& dye, const FluidField& field,
                   const std::vector<EmitterShape>& emitters, const DyeParameters& parameters,
                   bool reset);

/// Where no step is taken: `after` becomes what `before` is, or zero.
Buffer pass_on(Graph& graph, Buffer before, Buffer after, bool from_rest);

/// A status that counts nothing yet.
Buffer no_fluid_events(Graph& graph);

} // namespace tuff::passes
