#pragma once

#include <concepts>

namespace tuff {

/// `yes` or `no` without a branch, for conditions that nobody can guess: compilers make a branch of
/// the operator where they like, and a wrong guess costs as much as fifty instructions.
template <std::unsigned_integral T>
constexpr T select(bool condition, T yes, T no) {
    const T mask = T{0} - static_cast<T>(condition);
    return (yes & mask) | (no & ~mask);
}

} // namespace tuff
