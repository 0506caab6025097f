#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

/// Pools: buffers whose size a pass has to guess, because only the device knows the need.
namespace tuff {

/// A pool that was too small, from a status (`Graph::status`).
struct PoolNeed {
    std::string_view pool;      ///< its name in `Graph::pool`
    std::uint64_t elements = 0; ///< needed: with this size none would have been lost
};

/// Elements by pool: "glass/fragments" is pool "fragments" of the pass "glass".
using PoolSizes = std::map<std::string, std::uint64_t, std::less<>>;

} // namespace tuff
