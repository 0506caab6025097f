#include "passes/filter/directions.hpp"
#include "passes/filter/frequency_design.hpp"
#include "passes/filter/kernel.hpp"
#include "tests/gpu/filter/waves.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/filter_reference.hpp"

#include <cmath>
#include <numeric>

/// Named kernels, against closed forms.
namespace tuff {
namespace {

using passes::designed_kernels;
using passes::FilterKernel;
using passes::FilterKernelKind;
using passes::FilterProblem;
using passes::FilterSize;
using passes::KernelDesign;
using passes::KernelScale;
using passes::KernelSet;
using passes::KernelWindow;
using testing::ElementsAre;
using testing::Pointwise;
using testing_gpu::cube;
using testing_gpu::kWavePi;
using testing_gpu::transfer;

class FilterKernels : public testing_gpu::GpuTest {
  protected:
    static KernelSet made(const KernelDesign& design) {
        auto set = designed_kernels(design);
        EXPECT_TRUE(set) << to_string(set.error());
        return set ? *set : KernelSet{.filters = 0};
    }
    static double sum(const KernelSet& set, std::uint32_t filter = 0) {
        const auto taps = static_cast<std::ptrdiff_t>(passes::filter_count(set.size));
        const auto first = set.weights.begin() + filter * taps;
        return std::accumulate(first, first + taps, 0.0);
    }
    /// Constants are no outputs; copies of them are.
    static void output_kernel(Graph& g, std::string_view name, const FilterKernel& pass) {
        const Buffer kernel = g.add(pass).kernel;
        g.output(name, g.copy(kernel, g.buffer(name, g.desc(kernel))));
    }
    std::vector<std::string> codes(const FilterKernel& pass) {
        Graph g = graph();
        output_kernel(g, "kernel", pass);
        const auto plan = compile(std::move(g).finish(), device().caps());
        std::vector<std::string> found;
        if (!plan)
            for (const Diagnostic& one : plan.error())
                found.push_back(one.code);
        return found;
    }
};

TEST_F(FilterKernels, GaussiansAreThoseOfTheFormula) {
    const KernelSet plane = made({.size = {3, 3, 1, 1}, .scale = KernelScale::analytic});
    EXPECT_NEAR(plane.weights[0], 0.05855, 5e-6);
    EXPECT_NEAR(plane.weights[1], 0.09653, 5e-6);
    EXPECT_NEAR(plane.weights[4], 0.15915, 6e-6);
    EXPECT_NEAR(sum(plane), 0.7795, 5e-5);
    EXPECT_NEAR(sum(made({.size = {3, 3, 3, 1}, .scale = KernelScale::analytic})), 0.6882, 5e-5);
    // Wide enough for the tails, a density sums to 1 in any number of dimensions.
    EXPECT_NEAR(sum(made({.size = cube(4, 11), .scale = KernelScale::analytic})), 1.0, 1e-6);

    const glm::dvec4 sigma(1.5, 0.7, 2.0, 1.0);
    const KernelSet uneven = made({.size = {7, 1, 5, 3}, .sigma = sigma});
    EXPECT_NEAR(sum(uneven), 1.0, 1e-14);
    const auto power = [&](int x, int z, int w) {
        return std::exp(-0.5 * (x * x / (1.5 * 1.5) + z * z / 4.0 + w * w));
    };
    for (int w = -1; w <= 1; ++w)
        for (int z = -2; z <= 2; ++z)
            for (int x = -3; x <= 3; ++x)
                EXPECT_NEAR(uneven.weights[static_cast<std::size_t>((w * 5 + z) * 7 + x + 52)] /
                                uneven.weights[52],
                            power(x, z, w), 1e-14);
}

TEST_F(FilterKernels, SobelAndLaplaceAreThoseOfTheText) {
    const KernelSet sobel = made({.kind = FilterKernelKind::sobel});
    ASSERT_EQ(sobel.filters, 2u);
    EXPECT_THAT(sobel.weights, ElementsAre(1, 0, -1, 2, 0, -2, 1, 0, -1, //
                                           1, 2, 1, 0, 0, 0, -1, -2, -1));
    EXPECT_THAT(made({.kind = FilterKernelKind::laplace}).weights,
                ElementsAre(0, 1, 0, 1, -4, 1, 0, 1, 0));
    std::vector<double> box(25, 1.0);
    box[12] = -24.0;
    EXPECT_EQ(made({.kind = FilterKernelKind::laplace, .size = {5, 5, 1, 1}}).weights, box);
    for (const std::uint32_t d : {1u, 2u, 3u, 4u}) {
        const KernelSet star = made({.kind = FilterKernelKind::laplace, .size = cube(d, 3)});
        EXPECT_EQ(star.weights[star.weights.size() / 2], -2.0 * d);
        EXPECT_EQ(std::ranges::count(star.weights, 1.0), 2 * d);
        EXPECT_EQ(sum(star), 0.0);
    }
    EXPECT_EQ(sum(made({.kind = FilterKernelKind::laplace, .size = cube(4, 5)})), 0.0);
}

/// A ramp along one axis is answered by that axis' kernel alone, with 2 4^(D - 1) times the slope.
TEST_F(FilterKernels, SobelMeasuresTheSlopeOfRamps) {
    for (const std::uint32_t d : {1u, 2u, 3u, 4u})
        for (std::uint32_t axis = 0; axis < d; ++axis) {
            const KernelSet sobel = made({.kind = FilterKernelKind::sobel, .size = cube(d, 3)});
            ASSERT_EQ(sobel.filters, d);
            const std::vector<float> kernel(sobel.weights.begin(), sobel.weights.end());
            const FilterProblem problem{.size = cube(d, 3),
                                        .kernel_size = cube(d, 3),
                                        .filters = d,
                                        .border = passes::FilterBorder::valid};
            std::vector<float> ramp(passes::filter_count(problem.size));
            const auto pitch = static_cast<std::size_t>(std::pow(3, axis));
            for (std::size_t i = 0; i < ramp.size(); ++i)
                ramp[i] = 5.0f + 0.25f * static_cast<float>(i / pitch % 3);
            for (std::uint32_t filter = 0; filter < d; ++filter) {
                const double slope =
                    reference::convolved_at(problem, ramp, kernel, 0, filter, {}).value;
                EXPECT_EQ(slope, filter == axis ? 2.0 * std::pow(4.0, d - 1.0) * 0.25 : 0.0)
                    << d << " dimensions, " << axis << ", " << filter;
            }
        }
}

TEST_F(FilterKernels, AreAsManyAsIsSaid) {
    const auto count = [](FilterKernelKind kind, std::uint32_t d) {
        return made({.kind = kind, .size = cube(d, 3), .frequency = 2.0}).filters;
    };
    std::vector<std::uint32_t> quadrature, gabor, monomial, adaptive, others;
    for (const std::uint32_t d : {1u, 2u, 3u, 4u}) {
        quadrature.push_back(count(FilterKernelKind::quadrature, d));
        gabor.push_back(count(FilterKernelKind::gabor, d));
        monomial.push_back(count(FilterKernelKind::monomial, d));
        adaptive.push_back(count(FilterKernelKind::adaptive, d));
        others.push_back(count(FilterKernelKind::average, d));
        for (const auto kind :
             {FilterKernelKind::quadrature, FilterKernelKind::gabor, FilterKernelKind::monomial,
              FilterKernelKind::adaptive, FilterKernelKind::sobel, FilterKernelKind::laplace})
            EXPECT_EQ(passes::kernel_filters(kind, d, passes::kernel_directions(kind, d)),
                      count(kind, d));
    }
    EXPECT_THAT(quadrature, ElementsAre(2, 8, 12, 24));
    EXPECT_THAT(gabor, ElementsAre(2, 8, 12, 24));
    EXPECT_THAT(monomial, ElementsAre(2, 5, 9, 14));
    EXPECT_THAT(adaptive, ElementsAre(2, 4, 7, 11));
    EXPECT_THAT(others, ElementsAre(1, 1, 1, 1));
}

/// sum n n^T = K I / D and the fourth moments of a sphere: what the duals of tensors rest on.
TEST_F(FilterKernels, DirectionsAreSpreadEvenly) {
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const auto directions = passes::filter_directions(d);
        const double k = static_cast<double>(directions.size());
        std::mt19937 random(d);
        for (int trial = 0; trial < 20; ++trial) {
            const glm::dvec4 u = testing_gpu::random_direction(random, d);
            double second = 0.0;
            double fourth = 0.0;
            for (const glm::dvec4& n : directions) {
                EXPECT_NEAR(glm::length(n), 1.0, 1e-14);
                second += std::pow(glm::dot(u, n), 2);
                fourth += std::pow(glm::dot(u, n), 4);
            }
            EXPECT_NEAR(second, k / d, 1e-12);
            EXPECT_NEAR(fourth, 3.0 * k / (d * (d + 2.0)), 1e-12);
        }
    }
    EXPECT_NEAR(passes::filter_directions(2)[3].x, std::cos(0.75 * kWavePi), 1e-15);
    EXPECT_NEAR(passes::filter_directions(2)[1].y, std::sin(0.25 * kWavePi), 1e-15);
}

/// A large kernel's response is the formula: R(rho) cos^2 in the half-space of n, 0 in the other.
TEST_F(FilterKernels, QuadratureFiltersAnswerAsTheyAreDefined) {
    for (const std::uint32_t d : {1u, 2u, 3u}) {
        const double center = 0.5 * kWavePi;
        const KernelSet set = made({.kind = FilterKernelKind::quadrature,
                                    .size = cube(d, d == 3 ? 13 : 21),
                                    .frequency = center});
        const auto directions = passes::filter_directions(d);
        ASSERT_EQ(set.filters, 2 * directions.size());
        std::mt19937 random(d);
        for (int trial = 0; trial < 60; ++trial) {
            const glm::dvec4 along = testing_gpu::random_direction(random, d);
            const double rho = center * std::exp2(-0.7 + 0.02 * trial);
            const glm::dvec4 u = rho * along;
            // log2 of the ratio, half of B = 2 octaves away: exp(-ln 2) = 1/2.
            const double band =
                std::exp2(-std::pow(std::log2(rho / center), 2)) * passes::led_to_zero(rho, center);
            for (std::uint32_t k = 0; k < directions.size(); ++k) {
                const double cosine = glm::dot(along, directions[k]);
                const double there = cosine > 0.0 ? band * cosine * cosine : 0.0;
                const double back = cosine < 0.0 ? band * cosine * cosine : 0.0;
                const auto even = transfer(set, 2 * k, u);
                const auto odd = transfer(set, 2 * k + 1, u);
                EXPECT_NEAR(even.real(), there + back, 0.03) << d << ", " << trial << ", " << k;
                EXPECT_NEAR(odd.imag(), back - there, 0.03) << d << ", " << trial << ", " << k;
                EXPECT_NEAR(even.imag(), 0.0, 1e-12);
                EXPECT_NEAR(odd.real(), 0.0, 1e-12);
            }
        }
    }
}

TEST_F(FilterKernels, QuadratureFiltersAreNormalisedAndBlindToConstants) {
    for (const std::uint32_t d : {1u, 2u, 3u, 4u})
        for (const KernelWindow window :
             {KernelWindow::none, KernelWindow::root_cosine, KernelWindow::cosine}) {
            const KernelSet set = made({.kind = FilterKernelKind::quadrature,
                                        .size = cube(d, d == 4 ? 5 : 7),
                                        .frequency = 1.4,
                                        .window = window});
            const auto directions = passes::filter_directions(d);
            const std::uint64_t taps = passes::filter_count(set.size);
            for (std::uint32_t k = 0; k < directions.size(); ++k) {
                const glm::dvec4 u = 1.4 * directions[k];
                const double even = transfer(set, 2 * k, u).real();
                const double odd = -transfer(set, 2 * k + 1, u).imag();
                EXPECT_NEAR(0.5 * (even + odd), 1.0, 1e-12);
                EXPECT_NEAR(sum(set, 2 * k), 0.0, 1e-12);
                for (std::uint64_t tap = 0; tap < taps; ++tap) {
                    const auto weight = [&](std::uint32_t filter, std::uint64_t at) {
                        return set.weights[filter * taps + at];
                    };
                    ASSERT_NEAR(weight(2 * k, tap), weight(2 * k, taps - 1 - tap), 1e-13);
                    ASSERT_NEAR(weight(2 * k + 1, tap), -weight(2 * k + 1, taps - 1 - tap), 1e-13);
                }
            }
        }
}

/// Magnitudes hold still within a percent, and even and odd responses are a quarter period apart.
TEST_F(FilterKernels, PlaneWavesAreAnsweredByCirclesInThePlaneOfEvenAndOdd) {
    struct Case {
        std::uint32_t dimensions;
        std::uint32_t side;
    };
    for (const Case c : {Case{1, 11}, Case{2, 11}, Case{3, 11}}) {
        const KernelSet set = made({.kind = FilterKernelKind::quadrature,
                                    .size = cube(c.dimensions, c.side),
                                    .frequency = 0.5 * kWavePi,
                                    .window = KernelWindow::cosine});
        const auto directions = passes::filter_directions(c.dimensions);
        for (std::uint32_t k = 0; k < directions.size(); ++k)
            for (const double rho : {0.42 * kWavePi, 0.5 * kWavePi, 0.58 * kWavePi}) {
                const auto even = transfer(set, 2 * k, rho * directions[k]);
                const auto odd = transfer(set, 2 * k + 1, rho * directions[k]);
                const double phase = std::arg(even / odd) * 180.0 / kWavePi;
                EXPECT_NEAR(phase, 90.0, 0.5);
                double least = INFINITY;
                double most = 0.0;
                for (int step = 0; step < 64; ++step) {
                    const auto turn = std::polar(1.0, 2.0 * kWavePi * step / 64);
                    const double magnitude = std::hypot((even * turn).real(), (odd * turn).real());
                    least = std::min(least, magnitude);
                    most = std::max(most, magnitude);
                }
                EXPECT_LE(most / least, 1.02) << c.dimensions << ", " << k << ", " << rho;
                if (rho == 0.5 * kWavePi) {
                    EXPECT_NEAR(0.5 * (most + least), 1.0, 0.01);
                }
            }
    }
}

TEST_F(FilterKernels, GaborFiltersAreWavesUnderAGaussian) {
    const KernelSet set = made({.kind = FilterKernelKind::gabor,
                                .size = {13, 13, 1, 1},
                                .only = {1},
                                .sigma = glm::dvec4(1.7),
                                .frequency = 1.2});
    ASSERT_EQ(set.filters, 2u);
    // The Gaussian's own spectrum, moved to the frequency and to its opposite.
    const auto envelope = [](double distance) {
        return std::exp(-0.5 * distance * distance * 1.7 * 1.7);
    };
    const double side = std::sqrt(0.5);
    for (const double rho : {0.0, 0.8, 1.2, 1.7}) {
        const glm::dvec4 u(rho * side, rho * side, 0, 0);
        EXPECT_NEAR(transfer(set, 0, u).real(), envelope(rho - 1.2) + envelope(rho + 1.2), 2e-3);
        EXPECT_NEAR(-transfer(set, 1, u).imag(), envelope(rho - 1.2) - envelope(rho + 1.2), 2e-3);
    }
}

TEST_F(FilterKernels, MonomialsAnswerAsTheyAreDefined) {
    for (const std::uint32_t d : {2u, 3u}) {
        const double center = 0.5 * kWavePi;
        const KernelSet set = made({.kind = FilterKernelKind::monomial,
                                    .size = cube(d, d == 3 ? 11 : 17),
                                    .frequency = center});
        std::mt19937 random(d);
        for (int trial = 0; trial < 40; ++trial) {
            const glm::dvec4 along = testing_gpu::random_direction(random, d);
            const double rho = center * std::exp2(-0.5 + 0.02 * trial);
            const double band =
                std::exp2(-std::pow(std::log2(rho / center), 2)) * passes::led_to_zero(rho, center);
            std::uint32_t filter = 0;
            for (int i = 0; i < static_cast<int>(d); ++i)
                EXPECT_NEAR(-transfer(set, filter++, rho * along).imag(), band * along[i], 0.03);
            for (int i = 0; i < static_cast<int>(d); ++i)
                for (int j = i; j < static_cast<int>(d); ++j)
                    EXPECT_NEAR(transfer(set, filter++, rho * along).real(),
                                band * along[i] * along[j], 0.03)
                        << i << ", " << j;
            EXPECT_EQ(filter, set.filters);
        }
    }
}

TEST_F(FilterKernels, AdaptiveFiltersSumToTheIdentity) {
    for (const std::uint32_t d : {1u, 2u, 3u, 4u})
        for (const KernelWindow window : {KernelWindow::none, KernelWindow::root_cosine}) {
            const KernelSet set = made({.kind = FilterKernelKind::adaptive,
                                        .size = cube(d, d == 4 ? 5 : 7),
                                        .frequency = 0.9,
                                        .window = window});
            const std::uint64_t taps = passes::filter_count(set.size);
            EXPECT_NEAR(sum(set), 1.0, 1e-12);
            std::vector<double> all(set.weights.begin(),
                                    set.weights.begin() + static_cast<std::ptrdiff_t>(taps));
            std::uint32_t filter = 1;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = i; j < d; ++j, ++filter) {
                    EXPECT_NEAR(sum(set, filter), 0.0, 1e-12);
                    if (i == j)
                        for (std::uint64_t tap = 0; tap < taps; ++tap)
                            all[tap] += set.weights[filter * taps + tap];
                }
            for (std::uint64_t tap = 0; tap < taps; ++tap)
                ASSERT_NEAR(all[tap], tap == taps / 2 ? 1.0 : 0.0, 1e-12) << d << ", " << tap;
        }
}

TEST_F(FilterKernels, AreConstantsOfTheGraph) {
    Graph g = graph();
    output_kernel(g, "sobel",
                  {.kind = FilterKernelKind::sobel, .size = {3, 3, 3, 1}, .directions = {2, 0}});
    output_kernel(g, "average", {.kind = FilterKernelKind::average, .size = {5, 1, 3, 1}});
    output_kernel(g, "identity", {.kind = FilterKernelKind::identity, .size = {3, 3, 1, 1}});
    output_kernel(g, "quadrature", {.kind = FilterKernelKind::quadrature, .size = {7, 7, 1, 1}});
    testing_gpu::Running running = run(std::move(g));
    const auto sobel = running.buffer<float>("sobel");
    ASSERT_EQ(sobel.size(), 54u);
    EXPECT_EQ(sobel[0], 1.0f);       // z first: the slice that is before
    EXPECT_EQ(sobel[26], -1.0f);     // and the one behind
    EXPECT_EQ(sobel[27 + 12], 4.0f); // then x: the neighbour before, in the middle of y and z
    EXPECT_THAT(running.buffer<float>("average"), testing::Each(1.0f / 15.0f));
    EXPECT_THAT(running.buffer<float>("identity"), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0, 0));
    const KernelSet expected = made({.kind = FilterKernelKind::quadrature,
                                     .size = {7, 7, 1, 1},
                                     .frequency = static_cast<double>(1.5707964f)});
    EXPECT_THAT(running.buffer<float>("quadrature"),
                Pointwise(testing::FloatNear(1e-8f),
                          std::vector<float>(expected.weights.begin(), expected.weights.end())));
}

/// Rebuilt graphs upload nothing again, since the bytes are the same.
TEST_F(FilterKernels, AreMadeOnce) {
    Graph first = graph();
    Graph second = graph();
    const KernelDesign design{.kind = FilterKernelKind::quadrature, .size = {9, 9, 1, 1}};
    const auto held = passes::shared_kernels(first, design);
    EXPECT_EQ(held, passes::shared_kernels(second, design));
    EXPECT_NE(held, passes::shared_kernels(
                        second, {.kind = FilterKernelKind::monomial, .size = {9, 9, 1, 1}}));
}

TEST_F(FilterKernels, ThatCannotBeAreRefused) {
    using Kind = FilterKernelKind;
    EXPECT_THAT(codes({.size = {4, 3, 1, 1}}), ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.size = {3, 3, 1, 0}}), ElementsAre("pass/out-of-range"));
    EXPECT_THAT(codes({.size = {4097, 4097, 1, 1}}), ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.size = {4194303, 4194303, 4194303, 4194303}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::sobel, .size = {5, 5, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::sobel, .size = {1, 1, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::laplace, .size = {3, 5, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .size = {1, 9, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::gabor, .size = {1, 1, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::monomial, .size = {33, 33, 33, 33}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .size = {3, 3, 1, 1}, .frequency = 0.5f}),
                ElementsAre("filter/frequency"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .directions = {4}}),
                ElementsAre("filter/direction"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .directions = {0.5f}}),
                ElementsAre("filter/direction"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .directions = {-1.0f}}),
                ElementsAre("filter/direction"));
    EXPECT_THAT(codes({.kind = Kind::sobel, .size = {3, 1, 3, 1}, .directions = {1}}),
                ElementsAre("filter/direction"));
    EXPECT_THAT(codes({.sigma = glm::vec4(0.0f)}), ElementsAre("pass/out-of-range"));
    EXPECT_THAT(codes({.kind = Kind::quadrature, .frequency = 4.0f}),
                ElementsAre("pass/out-of-range"));
    EXPECT_TRUE(codes({.size = {1, 1, 1, 1}}).empty());
}

} // namespace
} // namespace tuff
