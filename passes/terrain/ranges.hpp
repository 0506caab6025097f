#pragma once

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Minimum and maximum values of a picture's first channel, over 2^m x 2^m texels for each level m:
/// two floats each, the levels one after the other down to one element, as
/// shaders/terrain/tree.glsl reads them. Values that are not finite count as `instead`.
Buffer picture_ranges(Graph& graph, Image picture, float instead);

} // namespace tuff::passes
