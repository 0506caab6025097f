#pragma once

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <vector>

/// Handles of versions of images and buffers, and views of parts of them. Included by
/// tuff/graph.hpp; `Graph` makes them.
namespace tuff {

/// One version of an image. A default-constructed one is "not connected".
struct Image {
    VersionId version; ///< none: not connected
    /// Whether it is connected.
    explicit operator bool() const { return bool(version); }
    friend bool operator==(const Image&, const Image&) = default;
};

/// One version of a buffer.
struct Buffer {
    VersionId version; ///< none: not connected
    /// Whether it is connected.
    explicit operator bool() const { return bool(version); }
    friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// Part of an image: all of it, or some mips and layers.
struct ImageView {
    Image image; ///< the image
    Range range; ///< mips and layers

    ImageView() = default;
    /// The whole image.
    ImageView(Image whole) : image(whole) {} // NOLINT: an image is a view of itself
    /// Some mips of the view.
    ImageView mip(std::uint32_t level, std::uint32_t count = 1) const;
    /// Some layers of the view.
    ImageView layer(std::uint32_t first, std::uint32_t count = 1) const;
};
/// Some mips of an image.
inline ImageView mip(Image image, std::uint32_t level, std::uint32_t count = 1) {
    return ImageView(image).mip(level, count);
}

/// Part of a buffer, in bytes.
struct BufferView {
    Buffer buffer; ///< the buffer
    Range range;   ///< bytes

    BufferView() = default;
    /// The whole buffer.
    BufferView(Buffer whole) : buffer(whole) {} // NOLINT: a buffer is a view of itself
    /// `size` bytes from `offset` on; kWhole: to the end.
    BufferView(Buffer buffer, std::uint64_t offset, std::uint64_t size);
};

/// A history: the version to write in this execution, and those of earlier executions.
struct ImageHistory {
    Image current;               ///< to be written; the next execution sees its last version
    std::vector<Image> previous; ///< [0]: one execution ago
};
/// See `Graph::history_buffer`.
struct BufferHistory {
    Buffer current;               ///< to be written in this execution
    std::vector<Buffer> previous; ///< [0]: one execution ago
};

/// A hardware acceleration structure: the top level has one untransformed instance of the
/// bottom level.
struct Acceleration {
    Buffer top;    ///< over one instance of the bottom
    Buffer bottom; ///< over the triangles
    /// Whether both are connected.
    explicit operator bool() const { return top && bottom; }
};

/// Triangles to build an acceleration structure over. Indices must be below `vertices`, and
/// coordinates must be finite, except: a triangle is left out if the first coordinate of a
/// vertex is NaN.
struct AccelerationInput {
    Buffer positions; ///< three floats a vertex
    Buffer indices;   ///< three words a triangle; unconnected: every three vertices are one
    std::uint32_t vertices = 0;  ///< number of vertices
    std::uint32_t triangles = 0; ///< number of triangles
};

} // namespace tuff
