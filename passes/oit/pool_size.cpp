#include "passes/oit/pool_size.hpp"

#include <algorithm>
#include <limits>

namespace tuff::passes {
namespace {

/// A quarter more than was needed.
std::uint32_t with_room(std::uint32_t demand) {
    const std::uint64_t wanted = std::uint64_t{demand} + demand / 4;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        wanted, PoolSize::kLeast, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

bool PoolSize::observe(std::uint32_t demand) {
    demands_.push_back(demand);
    if (demands_.size() > kWindow) demands_.pop_front();
    const std::uint32_t wanted = with_room(*std::ranges::max_element(demands_));
    const bool too_small = demand > capacity_;
    const bool too_large = demands_.size() == kWindow && wanted < capacity_ / 2;
    if (!too_small && !too_large) return false;
    capacity_ = wanted;
    return true;
}

} // namespace tuff::passes
