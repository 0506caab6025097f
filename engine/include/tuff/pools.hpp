#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

/// Pools: buffers whose size a pass has to guess, because the device decides how much goes in.
namespace tuff {

/// What a status (`Graph::status`) says of a pool that was too small.
struct PoolNeed {
    std::string_view pool;      ///< its name, as the pass has asked `Graph::pool` for it
    std::uint64_t elements = 0; ///< that there were: with room for these none would have been lost
};

/// Elements by pool: "glass/fragments" is pool "fragments" of the pass "glass".
using PoolSizes = std::map<std::string, std::uint64_t, std::less<>>;

} // namespace tuff
