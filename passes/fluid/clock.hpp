#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// The field with a clock for adaptive steps in its status, which knows the greatest speed of its
/// cells; where it is at rest they are not looked at.
FluidField with_clock(Graph& graph, const FluidField& field, bool at_rest);

/// Sets what fluid/time.glsl has of how long the field has gone on for.
void set_time(ComputeNodeBuilder& node, const FluidField& field);

} // namespace tuff::passes
