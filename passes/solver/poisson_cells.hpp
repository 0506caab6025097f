#pragma once

#include <tuff/graph.hpp>

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

/// What solver/poisson is given, a number a cell: buffers, or images of one channel.
namespace tuff::passes {

enum class CellNumbers : std::uint8_t { real, whole };

/// A buffer, or an image in its place.
struct CellSource {
    std::string_view port; ///< the buffer's; the image's is "port_image"
    Buffer buffer;
    Image image;
    explicit operator bool() const { return buffer || image; }
};

/// Reports to `graph`, and returns false, unless `source` has a number for each cell of a box of
/// `size`. Codes: `graph/unconnected`, `primitives/too-short`, `solver/given-twice`,
/// `image/size-mismatch`, `image/unsupported-format`.
[[nodiscard]] bool has_cells(Graph& graph, const CellSource& source, glm::uvec3 size,
                             CellNumbers numbers);

/// The numbers in a buffer, x fastest: an image's are brought there. Not connected: nor is this.
Buffer cells_in(Graph& graph, const CellSource& source);

} // namespace tuff::passes
