#pragma once

#include <tuff/graph.hpp>

namespace tuff::passes {

/// The words that kernels of tracers read as `frame` where there is no sample before.
Buffer frame_words(Graph& graph);

} // namespace tuff::passes
