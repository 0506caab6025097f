#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// The field with a clock for adaptive steps in its status, which has the largest speed of the
/// field's cells, or of this rank's part; if the field is at rest, its cells are not read.
FluidField with_clock(Graph& graph, const FluidField& field, bool at_rest);

/// The same clock of a field in parts, with the largest speed of the cells of all ranks.
FluidField with_speed_of_all(Graph& graph, const FluidField& field);

/// Sets the parameters of fluid/time.glsl: how long the field has been simulated.
void set_time(ComputeNodeBuilder& node, const FluidField& field);

} // namespace tuff::passes
