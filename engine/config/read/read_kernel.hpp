#pragma once

#include "config/read/config_file.hpp"
#include "config/read/object_reader.hpp"

namespace tuff {

/// Reads what a node with a kernel of its own says beside "in" and "params": the kernel itself,
/// "out" and "dispatch". `entry` has "kernel" or "glsl".
void read_kernel(ObjectReader& entry, const SourceFile& source, NodeDecl& node, Problems& problems);

} // namespace tuff
