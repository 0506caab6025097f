#pragma once

#include <concepts>

namespace tuff::passes {

/// n / by, rounded up: the groups of `by` that hold n.
constexpr auto div_round_up(std::unsigned_integral auto n, std::unsigned_integral auto by) {
    return (n + by - 1) / by;
}

} // namespace tuff::passes
