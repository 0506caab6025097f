// Division by a number that the host knows, as kernels do it.

#include "passes/mpi/divisor.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tuff {
namespace {

using passes::Divisor;

void expect_exact(std::uint32_t divisor, std::uint32_t number) {
    constexpr std::uint32_t kMost = (1u << 31) - 1;
    if (number > kMost) return;
    EXPECT_EQ(Divisor(divisor).of(number), number / divisor) << number << " / " << divisor;
}

TEST(Divisor, OfSmallNumbersIsExact) {
    for (std::uint32_t divisor = 1; divisor <= 300; ++divisor)
        for (std::uint32_t number = 0; number <= 2000; ++number)
            expect_exact(divisor, number);
}

/// Errors would show beside multiples, and in the greatest numbers first.
TEST(Divisor, BesideMultiplesIsExact) {
    constexpr std::uint32_t kEnd = 1u << 31;
    for (std::uint32_t bits = 0; bits < 31; ++bits)
        for (const std::uint32_t off : {0u, 1u, 2u, 3u, 5u, 77u, 1000u}) {
            const std::uint32_t divisor = (1u << bits) + off;
            if (divisor >= kEnd) continue;
            for (const std::uint32_t factor : {1u, 2u, 3u, 100u, 12345u, kEnd / divisor}) {
                if (std::uint64_t{factor} * divisor > kEnd) continue;
                const std::uint32_t multiple = factor * divisor;
                expect_exact(divisor, multiple - 1);
                expect_exact(divisor, multiple);
                expect_exact(divisor, multiple + 1);
            }
            expect_exact(divisor, kEnd - 1);
            expect_exact(divisor, kEnd - 2);
        }
}

} // namespace
} // namespace tuff
