#include "passes/fft/real_to_real.hpp"
#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

/// Cosine, sine and Hartley transforms.
namespace tuff {
namespace {

using passes::FftRealToReal;
using passes::RealTransform;
using testing::ElementsAre;
using testing_gpu::as_vector;
using testing_gpu::count_of;
using testing_gpu::error_bound;
using testing_gpu::random_reals;
using testing_gpu::Reals;
using testing_gpu::relative_error;
using testing_gpu::Running;
using testing_gpu::Sizes;

struct RealKind {
    RealTransform transform;
    fftw_r2r_kind fftw;
    double factor; ///< of FFTW's result; of a line of n numbers, where `by_length` times n
    bool by_length = false;
};
constexpr RealKind kCosine{RealTransform::cosine, FFTW_REDFT10, 0.5};
constexpr RealKind kCosineInverse{RealTransform::cosine_inverse, FFTW_REDFT01, 1.0, true};
constexpr RealKind kSine{RealTransform::sine, FFTW_RODFT10, 0.5};
constexpr RealKind kSineInverse{RealTransform::sine_inverse, FFTW_RODFT01, 1.0, true};
constexpr RealKind kHartley{RealTransform::hartley, FFTW_DHT, 1.0};

class FftRealSums : public testing_gpu::FftTest {
  protected:
    static Reals expected(Reals numbers, const Sizes& size, const std::vector<RealKind>& kinds,
                          int arrays) {
        const std::vector<int> sides(size.rbegin(), size.rend());
        std::vector<fftw_r2r_kind> fftw_kinds;
        double factor = 1.0;
        for (std::size_t a = 0; a < kinds.size(); ++a) {
            fftw_kinds.insert(fftw_kinds.begin(), kinds[a].fftw);
            factor *= kinds[a].factor / (kinds[a].by_length ? size[a] : 1);
        }
        const int count = static_cast<int>(count_of(size));
        const fftw_plan plan = fftw_plan_many_r2r(
            static_cast<int>(sides.size()), sides.data(), arrays, numbers.data(), nullptr, 1, count,
            numbers.data(), nullptr, 1, count, fftw_kinds.data(), FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        for (double& number : numbers)
            number *= factor;
        return numbers;
    }
    void try_kinds(const Sizes& size, const std::vector<RealKind>& kinds, int arrays) {
        const Reals numbers = random_reals(count_of(size) * static_cast<std::size_t>(arrays), 2);
        const std::string name = tag();
        FftRealToReal pass{.source = reals(batch(), name + "source", numbers),
                           .size = as_vector(size),
                           .batch = static_cast<std::uint32_t>(arrays)};
        for (const auto& [a, field] : {std::pair{0u, &FftRealToReal::x},
                                       {1u, &FftRealToReal::y},
                                       {2u, &FftRealToReal::z},
                                       {3u, &FftRealToReal::w}})
            if (a < kinds.size()) pass.*field = kinds[a].transform;
        batch().output(name, batch().add(pass).result);
        later([=](Running& running) {
            EXPECT_LE(relative_error(reals(running, name), expected(numbers, size, kinds, arrays)),
                      2.0 * error_bound(2.0 * static_cast<double>(count_of(size))))
                << testing::PrintToString(size) << static_cast<int>(kinds[0].transform);
        });
    }
};

TEST_F(FftRealSums, OfLinesAreThoseOfFftw) {
    const std::vector<int> lengths{1, 2, 3, 4, 5, 7, 8, 9, 60, 21, 64, 100, 4096, 1024};
    for (const int n : some_of(lengths, 4))
        for (const RealKind& kind : {kCosine, kCosineInverse, kSine, kSineInverse, kHartley})
            try_kinds({n}, {kind}, 5);
    run_batch();
}

TEST_F(FftRealSums, OfSeveralAxesAreThoseOfFftw) {
    try_kinds({6, 10}, {kCosine, kSine}, 1);
    try_kinds({9, 7}, {kSineInverse, kCosineInverse}, 3);
    try_kinds({15, 4, 9}, {kHartley, kCosine, kSine}, 1);
    try_kinds({5, 8, 3, 6}, {kSine, kHartley, kCosineInverse, kCosine}, 2);
    run_batch();
}

TEST_F(FftRealSums, OfOtherLengthsAreRefused) {
    for (const std::uint32_t n : {11u, 4098u, 5000u})
        EXPECT_THAT(codes<FftRealToReal>([&](Graph& g) {
                        return FftRealToReal{.source = reals(g, "source", Reals(n)),
                                             .x = RealTransform::cosine};
                    }),
                    ElementsAre("fft/length"));
}

} // namespace
} // namespace tuff
