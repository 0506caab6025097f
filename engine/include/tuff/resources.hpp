#pragma once

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <vector>

/// What passes and nodes hand on: versions of images and buffers, and parts of them. Included by
/// tuff/graph.hpp, whose `Graph` makes them.
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
    Image image; ///< whose
    Range range; ///< mips and layers

    ImageView() = default;
    /// The whole image.
    ImageView(Image whole) : image(whole) {} // NOLINT: an image is a view of itself
    /// Some mips of what is viewed.
    ImageView mip(std::uint32_t level, std::uint32_t count = 1) const;
    /// Some layers of what is viewed.
    ImageView layer(std::uint32_t first, std::uint32_t count = 1) const;
};
/// Some mips of an image.
inline ImageView mip(Image image, std::uint32_t level, std::uint32_t count = 1) {
    return ImageView(image).mip(level, count);
}

/// Part of a buffer, in bytes.
struct BufferView {
    Buffer buffer; ///< whose
    Range range;   ///< bytes

    BufferView() = default;
    /// The whole buffer.
    BufferView(Buffer whole) : buffer(whole) {} // NOLINT: a buffer is a view of itself
    /// `size` bytes from `offset` on; kWhole: all of the rest.
    BufferView(Buffer buffer, std::uint64_t offset, std::uint64_t size);
};

/// The two ends of a history resource: what earlier executions left, and what this one leaves.
struct ImageHistory {
    Image current;               ///< write it; its last version is what the next execution sees
    std::vector<Image> previous; ///< [0]: one execution ago
};
/// See `Graph::history_buffer`.
struct BufferHistory {
    Buffer current;               ///< to be written in this execution
    std::vector<Buffer> previous; ///< what it held 1, 2, ... executions ago
};

/// What the device's own ray tracing goes through: the top level holds the bottom one, once and as
/// it is.
struct Acceleration {
    Buffer top;    ///< over one instance of the bottom
    Buffer bottom; ///< over the triangles
    /// Whether both are connected.
    explicit operator bool() const { return top && bottom; }
};

/// Triangles to build an acceleration structure over. Indices must be below `vertices`; a triangle
/// is left out where the first coordinate of a vertex is no number, and that is all that may be
/// wrong with it.
struct AccelerationInput {
    Buffer positions; ///< three floats a vertex
    Buffer indices;   ///< three words a triangle; not connected: every three vertices are one
    std::uint32_t vertices = 0;  ///< that there are
    std::uint32_t triangles = 0; ///< that there are
};

} // namespace tuff
