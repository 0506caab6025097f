#pragma once

#include "passes/mpi/parts.hpp"

#include <tuff/graph.hpp>

#include <span>
#include <string_view>

/// Boxes of cells between images or arrays and packed buffers, by kernels. A packed texel has a
/// word for each channel.
namespace tuff::passes {

/// A box of texels of an image, or cells of an array.
struct TexelBox {
    Cells corner{}; ///< lowest texel
    Cells size{};   ///< texels
    friend bool operator==(const TexelBox&, const TexelBox&) = default;
};

/// Cells in a buffer, x fastest, of whole words each.
struct CellArray {
    Buffer buffer;
    Cells size{};            ///< cells along x, y, z, halo included
    std::uint32_t words = 1; ///< of a cell, 32 bits each
};

/// Boxes for kernels that include mpi/boxes.glsl.
struct BoxTable {
    Buffer boxes;
    std::uint32_t count = 0;
    std::uint32_t texels = 0; ///< of all boxes
};
BoxTable box_table(Graph& graph, std::string_view name, std::span<const TexelBox> boxes);

/// Bytes of a packed texel or cell.
std::uint64_t packed_cell_bytes(const Graph& graph, Image image);
inline std::uint64_t packed_cell_bytes(const Graph&, const CellArray& array) {
    return std::uint64_t{4} * array.words;
}

/// The cells of `boxes`, one box after the other. Unconnected where there are none.
Buffer pack_boxes(Graph& graph, std::string_view name, Image source,
                  std::span<const TexelBox> boxes);
Buffer pack_boxes(Graph& graph, std::string_view name, const CellArray& source,
                  std::span<const TexelBox> boxes);
/// The other way round, in place: the rest of `target` stays.
Image unpack_boxes(Graph& graph, std::string_view name, Buffer packed, Image target,
                   std::span<const TexelBox> boxes);
CellArray unpack_boxes(Graph& graph, std::string_view name, Buffer packed, const CellArray& target,
                       std::span<const TexelBox> boxes);

/// Boxes from one array into those of the same sizes of another.
CellArray copy_boxes(Graph& graph, std::string_view name, const CellArray& source,
                     std::span<const TexelBox> from, const CellArray& target,
                     std::span<const TexelBox> to);

} // namespace tuff::passes
