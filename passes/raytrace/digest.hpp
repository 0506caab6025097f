#pragma once

#include "passes/raytrace/tracer_parameters.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Two words that depend on all that rays meet and see: vertices, transforms, materials, textures,
/// the triangles of the hierarchy, the surroundings. They differ, but for one chance in 2^64, from
/// one execution to the next where any of it does. Where it is constant, so is this work: with
/// ConstantWork::once it is done once.
Buffer digest_of(Graph& graph, const TracerSetup& setup);

} // namespace tuff::passes
