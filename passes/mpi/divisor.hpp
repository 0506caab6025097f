#pragma once

#include <bit>
#include <cstdint>

namespace tuff::passes {

/// How kernels divide by `divisor`, which is not 0: shaders/mpi/divide.glsl. Of numbers below
/// 2^31 it is exact: the factor is too great by less than 2^bits in 2^31 2^bits.
struct Divisor {
    std::uint32_t factor = 1u << 31;
    std::uint32_t shift = 0;

    constexpr explicit Divisor(std::uint32_t divisor = 1)
        : shift(static_cast<std::uint32_t>(std::bit_width(divisor - 1))) {
        const std::uint64_t power = std::uint64_t{1} << (31 + shift);
        factor = static_cast<std::uint32_t>((power + divisor - 1) / divisor);
    }
    constexpr std::uint32_t of(std::uint32_t number) const {
        return static_cast<std::uint32_t>((std::uint64_t{2 * number} * factor >> 32) >> shift);
    }
};

} // namespace tuff::passes
