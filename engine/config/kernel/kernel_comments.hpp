#pragma once

#include "config/kernel/kernel_source.hpp"

namespace tuff {

/// Adds to a kernel's ports and parameters what its comments say of them: `//! range 0..4, unit
/// texels, default 1, doc how strong`, behind a declaration or on a line of its own before it. A
/// `doc` goes on to the end of the line. Reports config/kernel-comment.
void apply_kernel_comments(const NodeDecl& decl, const KernelSource& source, PassDescriptor& pass,
                           Problems& problems);

} // namespace tuff
