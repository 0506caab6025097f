#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>

namespace tuff {

/// How `watch_finite` watches.
struct WatchOptions {
    /// Transient memory is zeroed before its first use, so that what no kernel writes is finite. In
    /// graphs that are compiled with `CompileOptions::poison` it should not be.
    bool fills_first = true;
};

/// Adds to a finished description nodes that look for numbers that are not finite, NaN and
/// infinities, in all that live nodes write and in the constants that they read:
///
///  - images of floating-point formats, all their mips and layers; multisampled ones are left out;
///  - buffers, where the kernel that writes them, or whoever reads what a transfer wrote, says what
///    they consist of.
///
/// `Executor::warnings` then has one error, graph/not-finite, that names the first node in the
/// order of declaration, the resource, and the first texel and channel, or element, that is not
/// finite. A note, graph/watch-skipped, names buffers of which nobody knows what they consist of.
/// Results stay what they are, to the bit. Takes time, and memory that fewer resources share.
///
/// `shaders` has the kernels "graph/find_not_finite_...". A description with mistakes is returned
/// as it is, for `compile` to report them.
GraphDesc watch_finite(GraphDesc graph, const DeviceCaps& caps, const ShaderInterfaces& shaders,
                       const WatchOptions& options = {});

/// The same with kernels that do not look at what they assert (assert.glsl).
GraphDesc without_assertions(GraphDesc graph);

/// Whether `binding` is the one in which `kernel` counts failed assertions: graphs bind it.
bool binds_assertions(const ShaderInterface& kernel, const ShaderBinding& binding);

} // namespace tuff
