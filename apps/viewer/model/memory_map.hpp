#pragma once

#include <tuff/plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tuff::viewer {

/// Where a transient resource lives: levels from left to right, bytes of all blocks from top to
/// bottom, one block after the other.
struct MemoryBox {
    ResourceId resource;
    std::uint32_t first_level = 0, last_level = 0; ///< inclusive
    std::uint64_t first_byte = 0, bytes = 0;
    std::uint32_t neighbours = 0; ///< resources that hold some of the same bytes at other times
};

struct MemoryMap {
    std::vector<MemoryBox> boxes;
    std::uint32_t levels = 0;
    std::uint64_t bytes = 0;                 ///< of all blocks
    std::vector<std::uint64_t> alive;        ///< bytes that are in use, per level
    std::vector<std::uint64_t> block_starts; ///< first byte of each block
};

MemoryMap memory_map_of(const Plan& plan);

} // namespace tuff::viewer
