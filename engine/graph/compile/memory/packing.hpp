#pragma once

#include "graph/compile/stages.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// Placing intervals of time in a line of bytes: dynamic storage allocation.
namespace tuff {

/// `alignment` is a power of two, as Vulkan has it.
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

/// A resource waiting for its place.
struct PackingItem {
    std::uint32_t resource;
    LiveRange life;
    MemoryRequirements needs; ///< `size` is a multiple of `alignment`
};

/// Where each item begins, in the order of the items, and how many bytes all take.
struct Packing {
    std::vector<std::uint64_t> offsets;
    std::uint64_t size = 0;
};

/// Most bytes alive at one level: no packing is smaller.
std::uint64_t peak_of(std::span<const PackingItem> items);

/// The smallest packing that the known ways find. They are tried from the quickest on until one
/// reaches `peak`.
Packing pack(std::span<const PackingItem> items, std::uint64_t peak);

/// By a list of free intervals, best fit: a little larger, but its time hardly depends on how many
/// live at once. For tens of thousands that do.
Packing pack_many(std::span<const PackingItem> items);

/// One after the other: nothing is shared.
Packing pack_side_by_side(std::span<const PackingItem> items);

} // namespace tuff
