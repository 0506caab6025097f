#pragma once

#include "passes/volume/media.hpp"

namespace tuff::passes {

/// Side of a tile in pixels, and entries of all tiles' lists.
inline constexpr std::uint32_t kLeastTile = 4;
inline constexpr std::uint32_t kMaxTile = 256;
inline constexpr std::uint32_t kMaxTileEntries = 1u << 28;

/// Spheres as rays meet them.
struct SortedSpheres {
    MediaSpheres spheres; ///< in the order of `nearest`; those that are none of a medium last
    Buffer nearest;       ///< a float a sphere: how near to the eye it begins
    Buffer status;        ///< words of `VolumeStatus`; the first: spheres that are none
};

enum class SphereOrder : std::uint8_t { nearest_point, middle };

/// Sorts spheres by their distance from the eye, those at the same distance by their numbers.
/// Counts in `status`, whose words are zero where nothing has been counted.
SortedSpheres sort_spheres(Graph& graph, const MediaSpheres& spheres, const VolumeView& view,
                           Buffer status, SphereOrder order = SphereOrder::nearest_point);

/// Which spheres may be seen through each tile of a picture, in their order. Lists lie one after
/// the other; one that ends beyond `entries` is not there, and stands for all spheres.
struct TileLists {
    Buffer counts;          ///< u32 a tile
    Buffer starts;          ///< u32 a tile
    Buffer entries;         ///< numbers of sorted spheres
    std::uint32_t tile = 0; ///< texels a side; 0: there are no lists, all rays try all spheres
    std::uint32_t tiles_per_row = 0;
    std::uint32_t room = 0; ///< words of `entries`
};

/// Makes the lists, of large tiles first where there are many. `room`: entries in all, unless the
/// pool "tile_entries" has to be larger.
TileLists list_spheres(Graph& graph, SortedSpheres& sorted, const VolumeView& view,
                       std::uint32_t tile, std::uint32_t room);

/// Binds what shaders/volume/spheres.glsl and lists.glsl declare, but for the radius map
/// and the nearest distances.
void bind_lists(ComputeNodeBuilder& node, const SortedSpheres& sorted, const TileLists& lists);

/// Counters of a picture, all zero.
Buffer volume_status(Graph& graph);

} // namespace tuff::passes
