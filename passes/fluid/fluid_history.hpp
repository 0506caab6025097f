#pragma once

#include "passes/fluid/advect.hpp"

namespace tuff::passes {

/// The state of a fluid that one execution leaves for the next.
struct FluidHistory {
    Buffer before;
    Buffer after;           ///< the new state, to be written
    bool from_rest = false; ///< whether to ignore `before`
};

/// A history of the cells of `field`, initially at rest (all zero). In the first execution and in
/// those with `reset`, `before` is `initial` if that is connected; it has no halo.
FluidHistory keep_fluid(Graph& graph, const FluidField& field, Buffer initial, bool reset);

/// Velocities on faces, as in `StableFluid::faces`.
BufferDesc faces_desc(const FluidField& field);
/// The same for velocities on faces; `initial` has one vec4 a cell.
FluidHistory keep_faces(Graph& graph, const FluidField& field, Buffer initial, bool reset);

struct KeptDye {
    FluidDye before;
    Buffer after;
};
/// The same for a dye of `field`, initially none.
KeptDye keep_dye(Graph& graph, const FluidField& field, std::uint32_t scale);

/// Advects the dye with `field` for the field's time, and keeps it for the next execution. With
/// `reset` there was no dye before.
FluidDye carry_dye(Graph& graph, const KeptDye& dye, const FluidField& field,
                   const std::vector<EmitterShape>& emitters, const DyeParameters& parameters,
                   bool reset);

/// Without steps: `after` becomes `before`, or zero.
Buffer pass_on(Graph& graph, Buffer before, Buffer after, bool from_rest);

/// A status of zeros.
Buffer no_fluid_events(Graph& graph);

} // namespace tuff::passes
