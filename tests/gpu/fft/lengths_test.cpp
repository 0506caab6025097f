#include "passes/fft/lengths.hpp"
#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

#include <numbers>

/// Lines of complex numbers of many lengths.
namespace tuff {
namespace {

using passes::FftForward;
using passes::FftInverse;
using passes::FftScale;
using testing_gpu::as_vector;
using testing_gpu::Complexes;
using testing_gpu::error_bound;
using testing_gpu::fftw;
using testing_gpu::random_complexes;
using testing_gpu::relative_error;
using testing_gpu::Running;

/// Products of small factors, of one pass over memory each: every radix alone, squared, and in the
/// company of others; the longest lines; few and many workers.
const std::vector<int> kShort{1,   2,   3,   4,   5,   6,    7,    8,    9,    10,   12,   14,  15,
                              16,  18,  21,  27,  32,  49,   60,   64,   70,   100,  125,  128, 210,
                              243, 256, 343, 512, 625, 1000, 1024, 2187, 2401, 2520, 3125, 4096};
/// With other factors, and of several passes.
const std::vector<int> kChirped{11, 13, 17, 22, 121, 251, 1009, 4095, 10007};
const std::vector<int> kLong{4116, 5000, 8192, 16807, 16384, 59049, 65536, 78125};

class FftLengths : public testing_gpu::FftTest {
  protected:
    /// Both directions of `rows` lines against FFTW.
    void try_length(int n, int rows) {
        const Complexes numbers = random_complexes(static_cast<std::size_t>(n * rows), 1);
        const std::string name = tag();
        const Buffer source = complexes(batch(), name + "source", numbers);
        const auto lines = static_cast<std::uint32_t>(rows);
        const FftForward forward{.source = source, .size = as_vector({n}), .batch = lines};
        const FftInverse inverse{
            .source = source, .size = as_vector({n}), .batch = lines, .scale = FftScale::none};
        batch().output(name + "forward", batch().add(forward).result);
        batch().output(name + "inverse", batch().add(inverse).result);
        later([=](Running& running) {
            // Bluestein's method has two transforms of more than twice the length.
            const bool chirped = n % 11 == 0 || n % 13 == 0 || !passes_small(n);
            const double bound = chirped ? 2.0 * error_bound(4.0 * n) : error_bound(n);
            EXPECT_LE(relative_error(complexes(running, name + "forward"),
                                     fftw(numbers, {n}, FFTW_FORWARD, rows)),
                      bound)
                << n;
            EXPECT_LE(relative_error(complexes(running, name + "inverse"),
                                     fftw(numbers, {n}, FFTW_BACKWARD, rows)),
                      bound)
                << n;
        });
    }

  private:
    static bool passes_small(int n) {
        for (const int prime : {2, 3, 5, 7})
            while (n % prime == 0)
                n /= prime;
        return n == 1;
    }
};

TEST_F(FftLengths, OfSmallFactorsAreThoseOfFftw) {
    for (const int n : some_of(kShort, 4))
        try_length(n, 3);
    run_batch();
}

TEST_F(FftLengths, OfOtherFactorsAreThoseOfFftw) {
    for (const int n : some_of(kChirped, 3))
        try_length(n, 2);
    run_batch();
}

TEST_F(FftLengths, OfSeveralPassesAreThoseOfFftw) {
    for (const int n : some_of(kLong, 3))
        try_length(n, 2);
    run_batch();
}

TEST_F(FftLengths, UpTo300AreThoseOfFftw) {
    TUFF_ONLY_ON(swiftshader); // which compiles kernels faster
    for (int n = 1; n <= 300; ++n)
        try_length(n, 2);
    run_batch();
}

TEST_F(FftLengths, OfAMillionAreThoseOfFftw) {
    TUFF_ONLY_ON(lavapipe); // which computes faster
    try_length(1 << 20, 1);
    run_batch();
    try_length(1000003, 1); // a prime
    run_batch();
}

/// More lines than a dispatch has groups in a row, and groups that are not full.
TEST_F(FftLengths, OfManyLinesAreThoseOfFftw) {
    try_length(2, 40001);
    try_length(4096, 33);
    run_batch();
}

/// What an impulse becomes is known number by number.
TEST_F(FftLengths, OfAnImpulseAreRootsOfUnityWhereverItIs) {
    for (const int n : {7, 16, 30, 36, 11}) {
        const auto count = static_cast<std::size_t>(n);
        Complexes impulses(count * count);
        for (std::size_t i = 0; i < count; ++i)
            impulses[i * count + i] = 1.0;
        const std::string name = tag();
        const Buffer source = complexes(batch(), name + "source", impulses);
        batch().output(name, batch()
                                 .add(FftForward{.source = source,
                                                 .size = as_vector({n}),
                                                 .batch = static_cast<std::uint32_t>(n)})
                                 .result);
        later([=](Running& running) {
            const Complexes got = complexes(running, name);
            ASSERT_EQ(got.size(), count * count);
            const double bound = n == 11 ? 1e-6 : 4 * 0x1p-24;
            for (std::size_t at = 0; at < count; ++at)
                for (std::size_t k = 0; k < count; ++k) {
                    const double turn = static_cast<double>(at * k % count) / n;
                    const auto root = std::polar(1.0, -2.0 * std::numbers::pi * turn);
                    ASSERT_LE(std::abs(got[at * count + k] - root), bound)
                        << n << ": impulse " << at << ", frequency " << k;
                }
        });
    }
    run_batch();
}

/// Lines side by side, whose groups have more invocations than those of single ones.
TEST(FftGroups, HaveNoMoreInvocationsThanADeviceTakes) {
    for (std::uint32_t line = 1; line <= passes::kMaxFftLine; ++line) {
        if (!passes::has_small_factors(line)) continue;
        for (const bool mirrored : {false, true}) {
            const passes::FftGroup group = passes::fft_group(
                line, {.lines = 1000, .by_columns = true, .large = true, .mirrored = mirrored});
            EXPECT_LE(group.workers * group.columns, passes::kLargeFftGroup) << line;
            EXPECT_GE(group.columns, 1u) << line;
        }
    }
}

} // namespace
} // namespace tuff
