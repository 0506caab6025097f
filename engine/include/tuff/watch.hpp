#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>

namespace tuff {

/// Options of `watch_finite`.
struct WatchOptions {
    /// Zeroes transient memory before its first use, so that unwritten parts are finite. Set it to
    /// false for graphs that are compiled with `CompileOptions::poison`.
    bool fills_first = true;
};

/// Adds nodes to a finished description that search for NaN and infinities in all resources that
/// live nodes write, and in the constants that they read:
///
///  - images of floating-point formats, all their mips and layers, except multisampled ones;
///  - buffers, if the kernel that writes them, or a reader of the result of a transfer, declares
///    their elements.
///
/// `Executor::warnings` then has one error, graph/not-finite, that names the first node in the
/// order of declaration, the resource, and the first texel and channel, or element, that is not
/// finite. A note, graph/watch-skipped, names buffers with unknown elements.
/// Results do not change, to the bit. Costs time, and memory because fewer resources alias.
///
/// `shaders` has the kernels "graph/find_not_finite_...". A description with mistakes is returned
/// unchanged; `compile` reports them.
GraphDesc watch_finite(GraphDesc graph, const DeviceCaps& caps, const ShaderInterfaces& shaders,
                       const WatchOptions& options = {});

/// The same graph with kernels that do not check their assertions (assert.glsl).
GraphDesc without_assertions(GraphDesc graph);

/// Whether `binding` is the buffer of failed assertions of `kernel`, which graphs bind.
bool binds_assertions(const ShaderInterface& kernel, const ShaderBinding& binding);

} // namespace tuff
