#include "passes/raytrace/frame_words.hpp"

#include <memory>
#include <vector>

namespace tuff::passes {

Buffer frame_words(Graph& graph) {
    // Made once: graphs built anew must hand over the same bytes to upload nothing again.
    static const auto zeros = std::make_shared<const std::vector<std::byte>>(16);
    return graph.constant_buffer("first_frame", {.size = 16, .stride = 4}, zeros);
}

} // namespace tuff::passes
