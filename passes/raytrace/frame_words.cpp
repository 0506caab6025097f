#include "passes/raytrace/frame_words.hpp"

#include "passes/common/constant_bytes.hpp"

namespace tuff::passes {

Buffer frame_words(Graph& graph) {
    return graph.constant_buffer("first_frame", {.size = 16, .stride = 4}, constant_bytes<16, 0>());
}

} // namespace tuff::passes
