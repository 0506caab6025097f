#pragma once

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

/// Binds what primitives/table.glsl declares. `stand_in` as in `bind_length`.
void bind_table(ComputeNodeBuilder& node, const Length& table, Buffer stand_in);

} // namespace tuff::passes
