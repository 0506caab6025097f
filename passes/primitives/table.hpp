#pragma once

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

/// Binds what primitives/table.glsl declares, and sets the parameter `table_length`.
void bind_table(ComputeNodeBuilder& node, const Length& table);

} // namespace tuff::passes
