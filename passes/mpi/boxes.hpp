#pragma once

#include "passes/mpi/parts.hpp"

#include <tuff/graph.hpp>

#include <span>
#include <string_view>

/// Boxes of texels between images and buffers, by kernels: a word for each channel.
namespace tuff::passes {

/// A box of texels of an image.
struct TexelBox {
    Cells corner{}; ///< lowest texel
    Cells size{};   ///< texels
};

/// Bytes of a texel in a buffer.
std::uint64_t packed_texel_bytes(const Graph& graph, Image image);

/// The texels of `boxes`, one box after the other. Unconnected where there are none.
Buffer pack_boxes(Graph& graph, std::string_view name, Image source,
                  std::span<const TexelBox> boxes);
/// The other way round, in place: the rest of `target` stays.
Image unpack_boxes(Graph& graph, std::string_view name, Buffer texels, Image target,
                   std::span<const TexelBox> boxes);

} // namespace tuff::passes
