#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

/// Real numbers and their half spectra.
namespace tuff {
namespace {

using passes::FftRealForward;
using passes::FftRealInverse;
using passes::FftScale;
using testing_gpu::as_vector;
using testing_gpu::Complexes;
using testing_gpu::count_of;
using testing_gpu::error_bound;
using testing_gpu::fftw_real;
using testing_gpu::fftw_real_inverse;
using testing_gpu::padded;
using testing_gpu::random_complexes;
using testing_gpu::random_reals;
using testing_gpu::Reals;
using testing_gpu::relative_error;
using testing_gpu::Running;
using testing_gpu::Sizes;

class FftReals : public testing_gpu::FftTest {
  protected:
    static Sizes half_of(Sizes size) {
        size[0] = size[0] / 2 + 1;
        return size;
    }
    void try_forward(const Sizes& size, const Sizes& given, int arrays = 1) {
        const Reals numbers = random_reals(count_of(given) * static_cast<std::size_t>(arrays), 2);
        const std::string name = tag();
        const FftRealForward pass{.source = reals(batch(), name + "source", numbers),
                                  .size = as_vector(size),
                                  .batch = static_cast<std::uint32_t>(arrays),
                                  .source_size = as_vector(given)};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            const Complexes expected =
                fftw_real(padded(numbers, given, size, arrays), size, arrays);
            EXPECT_LE(relative_error(complexes(running, name), expected), bound(size))
                << testing::PrintToString(size) << testing::PrintToString(given);
        });
    }
    void try_inverse(const Sizes& size, const Sizes& wanted, int arrays = 1) {
        // Spectra of real numbers: what others become is a matter of the method.
        const Complexes half = fftw_real(
            random_reals(count_of(size) * static_cast<std::size_t>(arrays), 3), size, arrays);
        const std::string name = tag();
        const FftRealInverse pass{.source = complexes(batch(), name + "source", half),
                                  .size = as_vector(size),
                                  .batch = static_cast<std::uint32_t>(arrays),
                                  .result_size = as_vector(wanted),
                                  .scale = FftScale::none};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            const Reals expected =
                padded(fftw_real_inverse(half, size, arrays), size, wanted, arrays);
            EXPECT_LE(relative_error(reals(running, name), expected), bound(size))
                << testing::PrintToString(size) << testing::PrintToString(wanted);
        });
    }

  private:
    /// Some lengths are chirped, and each way has a step more than that of complex numbers.
    static double bound(const Sizes& size) {
        return 2.0 * error_bound(4.0 * static_cast<double>(count_of(size)));
    }
};

TEST_F(FftReals, OfManyLengthsAreThoseOfFftw) {
    const std::vector<int> lengths{1,  2,  3,  4,  5,  6,   8,    7,    10,   11,   14,   22,
                                   26, 34, 45, 64, 96, 100, 1018, 4096, 8192, 8190, 9000, 16384};
    for (const int n : some_of(lengths, 3)) {
        try_forward({n}, {n}, 3);
        try_inverse({n}, {n}, 3);
    }
    run_batch();
}

TEST_F(FftReals, OfAllLengthsUpTo70AreThoseOfFftw) {
    TUFF_ONLY_ON(swiftshader); // which compiles kernels faster
    for (int n = 1; n <= 70; ++n) {
        try_forward({n}, {n}, 2);
        try_inverse({n}, {n}, 2);
    }
    run_batch();
}

TEST_F(FftReals, OfAnyShapeAreThoseOfFftw) {
    const std::vector<Sizes> sizes{{1, 64},  {64, 1},      {5, 3},      {8, 8},
                                   {60, 35}, {9, 16},      {7, 6, 5},   {16, 8, 32},
                                   {26, 11}, {4, 5, 6, 7}, {3, 5, 7, 4}};
    for (const Sizes& size : some_of(sizes, 3)) {
        try_forward(size, size, 2);
        try_inverse(size, size, 2);
    }
    run_batch();
}

TEST_F(FftReals, ThatEndEarlyAreFollowedByZeros) {
    for (const Sizes& given : {Sizes{12, 7}, Sizes{13, 5}, Sizes{1, 1}, Sizes{16, 3}})
        try_forward({16, 9}, given, 2);
    try_forward({15, 8}, {8, 5}, 2);
    try_forward({15, 8}, {9, 5}, 2);
    try_forward({26, 4}, {11, 2}, 1);
    try_forward({16384}, {9001}, 1);
    run_batch();
}

TEST_F(FftReals, OfWhichAPartIsWantedAreThatPart) {
    for (const Sizes& wanted : {Sizes{12, 7}, Sizes{13, 5}, Sizes{1, 1}, Sizes{16, 3}})
        try_inverse({16, 9}, wanted, 2);
    try_inverse({15, 8}, {8, 5}, 2);
    try_inverse({15, 8}, {9, 5}, 2);
    try_inverse({26, 4}, {11, 2}, 1);
    try_inverse({16384}, {9001}, 1);
    run_batch();
}

/// A convolution that does not wrap around, of each kind of length.
TEST_F(FftReals, AreConvolvedWithoutWrappingAround) {
    for (const auto& [size, given, taps] :
         {std::tuple{32, 23, 10}, {33, 23, 11}, {26, 20, 7}, {10000, 9000, 5}}) {
        const Reals field = random_reals(static_cast<std::size_t>(given), 6);
        const Reals kernel = random_reals(static_cast<std::size_t>(taps), 7);
        const std::string name = tag();
        const auto spectrum = [&](const Reals& numbers) {
            return batch()
                .add(FftRealForward{.source = reals(batch(), name + "numbers", numbers),
                                    .size = as_vector({size}),
                                    .source_size = as_vector({static_cast<int>(numbers.size())})})
                .result;
        };
        const int wanted = given + taps - 1;
        const FftRealInverse pass{.source = spectrum(field),
                                  .multiplier = spectrum(kernel),
                                  .size = as_vector({size}),
                                  .result_size = as_vector({wanted})};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            Reals expected(static_cast<std::size_t>(wanted));
            for (std::size_t i = 0; i < field.size(); ++i)
                for (std::size_t j = 0; j < kernel.size(); ++j)
                    expected[i + j] += field[i] * kernel[j];
            EXPECT_LE(relative_error(reals(running, name), expected), 5e-6);
        });
    }
    run_batch();
}

/// As FFTW has it: numbers without a frequency of their own opposite are real.
TEST_F(FftReals, IgnoreImaginaryPartsThatTheyCannotHave) {
    for (const int n : {1, 2, 8, 9, 22, 8192 * 2}) {
        const Complexes half = random_complexes(static_cast<std::size_t>(n / 2 + 1), 8);
        const std::string name = tag();
        const FftRealInverse pass{.source = complexes(batch(), name + "source", half),
                                  .size = as_vector({n}),
                                  .scale = FftScale::none};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            EXPECT_LE(relative_error(reals(running, name), fftw_real_inverse(half, {n})), 2e-6)
                << n;
        });
    }
    run_batch();
}

} // namespace
} // namespace tuff
