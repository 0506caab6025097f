#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

#include <cmath>
#include <numbers>

/// Arrays of complex numbers of one to four axes.
namespace tuff {
namespace {

using passes::FftForward;
using passes::FftInverse;
using passes::FftScale;
using testing_gpu::as_vector;
using testing_gpu::Complexes;
using testing_gpu::count_of;
using testing_gpu::error_bound;
using testing_gpu::fftw;
using testing_gpu::padded;
using testing_gpu::random_complexes;
using testing_gpu::relative_error;
using testing_gpu::Running;
using testing_gpu::Sizes;

class FftArrays : public testing_gpu::FftTest {
  protected:
    /// The transform of random numbers, which have `given` of the size, against FFTW.
    void try_forward(const Sizes& size, const Sizes& given, int arrays) {
        const Complexes numbers =
            random_complexes(count_of(given) * static_cast<std::size_t>(arrays), 2);
        const std::string name = tag();
        const FftForward pass{.source = complexes(batch(), name + "source", numbers),
                              .size = as_vector(size),
                              .batch = static_cast<std::uint32_t>(arrays),
                              .source_size = as_vector(given)};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            const Complexes expected =
                fftw(padded(numbers, given, size, arrays), size, FFTW_FORWARD, arrays);
            EXPECT_LE(relative_error(complexes(running, name), expected),
                      2.0 * error_bound(static_cast<double>(count_of(size))))
                << testing::PrintToString(size) << testing::PrintToString(given);
        });
    }
    /// The inverse of random numbers, of which `wanted` are wanted.
    void try_inverse(const Sizes& size, const Sizes& wanted, int arrays) {
        const Complexes numbers =
            random_complexes(count_of(size) * static_cast<std::size_t>(arrays), 3);
        const std::string name = tag();
        const FftInverse pass{.source = complexes(batch(), name + "source", numbers),
                              .size = as_vector(size),
                              .batch = static_cast<std::uint32_t>(arrays),
                              .result_size = as_vector(wanted),
                              .scale = FftScale::none};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            const Complexes expected =
                padded(fftw(numbers, size, FFTW_BACKWARD, arrays), size, wanted, arrays);
            EXPECT_LE(relative_error(complexes(running, name), expected),
                      2.0 * error_bound(static_cast<double>(count_of(size))))
                << testing::PrintToString(size) << testing::PrintToString(wanted);
        });
    }
};

const std::vector<Sizes> kArrays{{1, 64},      {64, 1},      {5, 3},       {8, 8},
                                 {60, 35},     {2, 2048},    {3, 4096},    {11, 6},
                                 {8, 13},      {1, 1, 16},   {6, 10, 15},  {16, 8, 32},
                                 {3, 5, 7, 4}, {8, 1, 9, 2}, {1, 1, 1, 1}, {2, 13, 3, 8}};

TEST_F(FftArrays, OfAnyShapeAreThoseOfFftw) {
    for (const Sizes& size : some_of(kArrays, 2)) {
        try_forward(size, size, 1);
        try_inverse(size, size, 1);
    }
    run_batch();
}

TEST_F(FftArrays, OfABatchAreThoseOfEachArray) {
    for (const Sizes& size : {Sizes{6, 10}, Sizes{64, 1}, Sizes{1, 9}, Sizes{4, 3, 5}}) {
        try_forward(size, size, 7);
        try_inverse(size, size, 7);
    }
    run_batch();
}

TEST_F(FftArrays, ThatEndEarlyAreFollowedByZeros) {
    try_forward({64}, {33}, 3);
    try_forward({32, 16}, {20, 9}, 2);
    try_forward({16, 15}, {1, 15}, 1);
    try_forward({8192}, {5001}, 1); // of several passes
    try_forward({26, 16}, {13, 8}, 2);
    try_forward({8, 16, 4}, {5, 9, 3}, 2);
    try_forward({8, 6, 4, 10}, {4, 3, 2, 5}, 1);
    run_batch();
}

TEST_F(FftArrays, OfWhichAPartIsWantedAreThatPart) {
    try_inverse({64}, {33}, 3);
    try_inverse({32, 16}, {20, 9}, 2);
    try_inverse({8192}, {5001}, 1);
    try_inverse({26, 16}, {13, 8}, 2);
    try_inverse({8, 16, 4}, {5, 9, 3}, 2);
    try_inverse({8, 6, 4, 10}, {4, 3, 2, 5}, 1);
    run_batch();
}

/// By the sums, of which few are enough.
TEST_F(FftArrays, AreTransformedAlongTheChosenAxesAlone) {
    const Sizes size{6, 5, 4, 3};
    const Complexes numbers = random_complexes(count_of(size), 4);
    for (const std::string axes : {"", "x", "y", "z", "w", "xz", "wy", "yzw"}) {
        const std::string name = tag();
        const FftForward pass{.source = complexes(batch(), name + "source", numbers),
                              .size = as_vector(size),
                              .axes = axes};
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            Complexes expected = numbers;
            std::size_t inner = 1;
            for (std::size_t a = 0; a < 4; ++a) {
                const auto n = static_cast<std::size_t>(size[a]);
                if (axes.find("xyzw"[a]) != std::string::npos) {
                    const Complexes before = expected;
                    for (std::size_t i = 0; i < expected.size(); ++i) {
                        const std::size_t k = i / inner % n;
                        expected[i] = 0.0;
                        for (std::size_t j = 0; j < n; ++j)
                            expected[i] += before[i + j * inner - k * inner] *
                                           std::polar(1.0, -2.0 * std::numbers::pi *
                                                               static_cast<double>(j * k) /
                                                               static_cast<double>(n));
                    }
                }
                inner *= n;
            }
            EXPECT_LE(relative_error(complexes(running, name), expected), error_bound(360.0))
                << axes;
        });
    }
    run_batch();
}

TEST_F(FftArrays, OfAPlaneWaveAreOneSpike) {
    const Sizes size{16, 12, 9, 5};
    const std::size_t waves[] = {3, 11, 4, 2};
    Complexes wave(count_of(size));
    for (std::size_t i = 0; i < wave.size(); ++i) {
        double turns = 0.0;
        std::size_t rest = i;
        for (std::size_t a = 0; a < 4; ++a) {
            const auto n = static_cast<std::size_t>(size[a]);
            turns += static_cast<double>(rest % n * waves[a]) / static_cast<double>(n);
            rest /= n;
        }
        wave[i] = std::polar(1.0, 2.0 * std::numbers::pi * turns);
    }
    Graph g = graph();
    const Buffer source = complexes(g, "source", wave);
    g.output(
        "spectrum",
        g.add(FftForward{.source = source, .size = as_vector(size), .scale = FftScale::by_count})
            .result);
    Running running = run(std::move(g));
    const Complexes got = complexes(running, "spectrum");
    ASSERT_EQ(got.size(), wave.size());
    const std::size_t spike = 3 + 16 * (11 + 12 * (4 + 9 * 2));
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_LE(std::abs(got[i] - (i == spike ? 1.0 : 0.0)), 1e-6) << i;
}

TEST_F(FftArrays, AreUndoneByTheInverseWithEachPairOfScales) {
    const Sizes size{20, 9, 13};
    const Complexes numbers = random_complexes(count_of(size), 5);
    const std::pair<FftScale, FftScale> pairs[] = {{FftScale::none, FftScale::by_count},
                                                   {FftScale::by_count, FftScale::none},
                                                   {FftScale::unitary, FftScale::unitary}};
    for (const auto& [there, back] : pairs) {
        const std::string name = tag();
        const Buffer spectrum = batch()
                                    .add(FftForward{.source = complexes(batch(), name, numbers),
                                                    .size = as_vector(size),
                                                    .scale = there})
                                    .result;
        batch().output(name + "spectrum", spectrum);
        batch().output(
            name + "back",
            batch()
                .add(FftInverse{.source = spectrum, .size = as_vector(size), .scale = back})
                .result);
        const bool unitary = there == FftScale::unitary;
        later([=](Running& running) {
            const Complexes spectrum_numbers = complexes(running, name + "spectrum");
            EXPECT_LE(relative_error(complexes(running, name + "back"), numbers), 4e-6);
            if (!unitary) return;
            // Parseval's theorem.
            double before = 0.0;
            double behind = 0.0;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                before += std::norm(numbers[i]);
                behind += std::norm(spectrum_numbers[i]);
            }
            EXPECT_NEAR(behind, before, 2e-6 * before);
        });
    }
    run_batch();
}

/// The product of two spectra is that of their convolution.
TEST_F(FftArrays, AreConvolvedOrCorrelatedByTheMultiplier) {
    const Sizes size{12, 5};
    const std::size_t count = count_of(size);
    const Complexes field = random_complexes(3 * count, 6);
    for (const bool conjugate : {false, true})
        for (const int kernels : {1, 3}) {
            const Complexes kernel = random_complexes(count * static_cast<std::size_t>(kernels), 7);
            const std::string name = tag();
            const auto spectrum = [&](const Complexes& numbers, std::uint32_t arrays) {
                return batch()
                    .add(FftForward{.source = complexes(batch(), name + "numbers", numbers),
                                    .size = as_vector(size),
                                    .batch = arrays})
                    .result;
            };
            const FftInverse pass{.source = spectrum(field, 3),
                                  .multiplier =
                                      spectrum(kernel, static_cast<std::uint32_t>(kernels)),
                                  .size = as_vector(size),
                                  .batch = 3,
                                  .conjugate = conjugate};
            batch().output(name, batch().add(pass).result);
            later([=](Running& running) {
                Complexes expected(field.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const std::size_t of = i / count;
                    const std::size_t x = i % count % 12;
                    const std::size_t y = i % count / 12;
                    for (std::size_t j = 0; j < count; ++j) {
                        const std::complex<double> tap =
                            kernel[j + (kernels == 3 ? of * count : 0)];
                        const std::size_t from_x = (conjugate ? x + j % 12 : x + 12 - j % 12) % 12;
                        const std::size_t from_y = (conjugate ? y + j / 12 : y + 5 - j / 12) % 5;
                        expected[i] += field[of * count + from_x + 12 * from_y] *
                                       (conjugate ? std::conj(tap) : tap);
                    }
                }
                EXPECT_LE(relative_error(complexes(running, name), expected), 3e-6)
                    << conjugate << kernels;
            });
        }
    run_batch();
}

} // namespace
} // namespace tuff
