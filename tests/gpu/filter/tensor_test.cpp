#include "passes/filter/orientation.hpp"
#include "passes/filter/polar.hpp"
#include "passes/filter/structure_tensor.hpp"
#include "tests/gpu/filter/structure_fixture.hpp"
#include "tests/gpu/filter/tensor_reference.hpp"
#include "tests/gpu/filter/waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

/// Tensors of local structure, their eigenvalues, magnitudes and phases, in double precision.
namespace tuff {
namespace {

using passes::FilterKernelKind;
using passes::FilterOrientation;
using passes::FilterPolar;
using passes::FilterStructureTensor;
using passes::KernelSet;
using passes::TensorMethod;
using testing::ElementsAre;
using testing_gpu::cube;
using testing_gpu::eigen_of;
using testing_gpu::kWavePi;
using testing_gpu::Matrix;
using testing_gpu::Running;
using testing_gpu::tensor_of;

/// One group and more, no multiple of it.
constexpr std::uint32_t kPlaces = 261;
constexpr std::uint32_t kArrays = 2;

class FilterTensors : public testing_gpu::StructureTest {};

TEST_F(FilterTensors, AreSumsOverTheFiltersByTheirDefinition) {
    Graph g = graph();
    std::map<std::string, std::vector<float>> sources;
    for (const auto method :
         {TensorMethod::quadrature, TensorMethod::monomial, TensorMethod::gradient})
        for (const std::uint32_t d : {2u, 3u, 4u}) {
            const std::string name = fmt::format("{} {}", static_cast<int>(method), d);
            const std::uint32_t filters = passes::tensor_responses(method, d);
            sources[name] = random_numbers(std::size_t{kPlaces} * kArrays * filters, d);
            g.output(name, g.add(FilterStructureTensor{.responses = numbers(g, name, sources[name]),
                                                       .method = method,
                                                       .dimensions = d,
                                                       .size = {3, 87, 1, 1},
                                                       .batch = kArrays})
                               .tensor);
        }
    Running running = run(std::move(g));
    for (const auto method :
         {TensorMethod::quadrature, TensorMethod::monomial, TensorMethod::gradient})
        for (const std::uint32_t d : {2u, 3u, 4u}) {
            const std::string name = fmt::format("{} {}", static_cast<int>(method), d);
            const std::uint32_t filters = passes::tensor_responses(method, d);
            const std::uint32_t components = d * (d + 1) / 2;
            const auto got = running.buffer<float>(name);
            ASSERT_EQ(got.size(), kPlaces * kArrays * components);
            for (std::uint32_t place = 0; place < kPlaces * kArrays; ++place) {
                const auto at = [&](std::uint32_t one, std::uint32_t all) {
                    return (place / kPlaces * all + one) * kPlaces + place % kPlaces;
                };
                std::vector<double> responses;
                for (std::uint32_t f = 0; f < filters; ++f)
                    responses.push_back(static_cast<double>(sources[name][at(f, filters)]));
                const Matrix expected = tensor_of(method, d, responses);
                std::uint32_t component = 0;
                for (std::uint32_t i = 0; i < d; ++i)
                    for (std::uint32_t j = i; j < d; ++j)
                        ASSERT_NEAR(static_cast<double>(got[at(component++, components)]),
                                    expected[i][j], 2e-5)
                            << name << ", place " << place;
            }
        }
}

TEST_F(FilterTensors, OfZeroResponsesAreZero) {
    Graph g = graph();
    for (const auto method : {TensorMethod::quadrature, TensorMethod::monomial})
        g.output(fmt::format("{}", static_cast<int>(method)),
                 g.add(FilterStructureTensor{.responses = numbers(g, "zero", std::vector<float>(8)),
                                             .method = method,
                                             .size = {1, 1, 1, 1}})
                     .tensor);
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<float>("0"), ElementsAre(0, 0, 0));
    EXPECT_THAT(running.buffer<float>("1"), ElementsAre(0, 0, 0));
}

/// Matrices with all that may happen: random ones, diagonal, of low rank, with equal eigenvalues,
/// with negative ones, tiny and large.
std::vector<Matrix> odd_matrices(std::uint32_t d) {
    std::mt19937 random(d);
    std::normal_distribution<double> number;
    std::vector<Matrix> all;
    for (std::uint32_t m = 0; m < kPlaces * kArrays; ++m) {
        Matrix a{};
        const double scale = m % 7 == 1 ? 1e-12 : m % 7 == 2 ? 1e12 : 1.0;
        const std::uint32_t rank = m % 5 == 4 ? 1 : d;
        for (std::uint32_t r = 0; r < rank; ++r) {
            std::array<double, 4> v{};
            for (std::uint32_t i = 0; i < d; ++i)
                v[i] = number(random);
            const double sign = m % 11 == 3 && r == 0 ? -1.0 : 1.0;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = 0; j < d; ++j)
                    a[i][j] += sign * scale * v[i] * v[j];
        }
        if (m % 13 == 5) a = {};
        if (m % 13 == 6)
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = 0; j < d; ++j)
                    a[i][j] = i == j ? scale : 0.0;
        if (m % 13 == 7)
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = 0; j < d; ++j)
                    if (i != j) a[i][j] = 0.0;
        if (m % 13 == 8) // nearly diagonal
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = 0; j < d; ++j)
                    if (i != j) a[i][j] *= 1e-9;
        for (auto& row : a)
            for (double& one : row)
                one = static_cast<double>(static_cast<float>(one));
        all.push_back(a);
    }
    return all;
}

TEST_F(FilterTensors, HaveTheEigenvaluesAndDirectionsOfAnExactSolver) {
    Graph g = graph();
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const std::uint32_t components = d * (d + 1) / 2;
        const std::vector<Matrix> matrices = odd_matrices(d);
        std::vector<float> packed(matrices.size() * components);
        for (std::uint32_t m = 0; m < matrices.size(); ++m) {
            std::uint32_t component = 0;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = i; j < d; ++j)
                    packed[(m / kPlaces * components + component++) * kPlaces + m % kPlaces] =
                        static_cast<float>(matrices[m][i][j]);
        }
        const auto pass =
            g.add(FilterOrientation{.tensor = numbers(g, fmt::format("tensor {}", d), packed),
                                    .dimensions = d,
                                    .size = {kPlaces, 1, 1, 1},
                                    .batch = kArrays});
        g.output(fmt::format("values {}", d), pass.values);
        g.output(fmt::format("vector {}", d), pass.vector);
        g.output(fmt::format("anisotropy {}", d), pass.anisotropy);
    }
    Running running = run(std::move(g));
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const std::vector<Matrix> matrices = odd_matrices(d);
        const auto values = running.buffer<float>(fmt::format("values {}", d));
        const auto vector = running.buffer<float>(fmt::format("vector {}", d));
        const auto anisotropy = running.buffer<float>(fmt::format("anisotropy {}", d));
        ASSERT_EQ(anisotropy.size(), matrices.size());
        for (std::uint32_t m = 0; m < matrices.size(); ++m) {
            const Matrix& a = matrices[m];
            const std::vector<double> expected = eigen_of(a, d).values;
            const auto at = [&](std::uint32_t k) {
                return (m / kPlaces * d + k) * kPlaces + m % kPlaces;
            };
            double norm = 0.0;
            for (const double value : expected)
                norm = std::hypot(norm, value);
            std::array<double, 4> v{};
            double length = 0.0;
            double largest = 0.0;
            for (std::uint32_t k = 0; k < d; ++k) {
                // A few roundings of the whole matrix, for each of a few rotations.
                ASSERT_NEAR(static_cast<double>(values[at(k)]), expected[k], 2e-6 * norm)
                    << d << " dimensions, matrix " << m << ", value " << k;
                v[k] = static_cast<double>(vector[at(k)]);
                length += v[k] * v[k];
                if (std::abs(v[k]) > std::abs(largest)) largest = v[k];
            }
            ASSERT_NEAR(length, 1.0, 3e-6);
            ASSERT_GT(largest, 0.0);
            for (std::uint32_t i = 0; i < d; ++i) {
                double image = 0.0;
                for (std::uint32_t j = 0; j < d; ++j)
                    image += a[i][j] * v[j];
                ASSERT_NEAR(image, expected[0] * v[i], 4e-6 * norm) << d << ", matrix " << m;
            }
            double mean = 0.0;
            for (const double value : expected)
                mean += value / d;
            double off = 0.0;
            for (const double value : expected)
                off = std::hypot(off, value - mean);
            ASSERT_NEAR(static_cast<double>(anisotropy[m]),
                        norm > 0.0 ? std::sqrt(d / (d - 1.0)) * off / norm : 0.0, 1e-5)
                << d << ", matrix " << m;
        }
    }
}

TEST_F(FilterTensors, MagnitudeAndPhaseAreThoseOfThePairs) {
    constexpr std::uint32_t kPairs = 3;
    std::vector<float> source = random_numbers(std::size_t{kPlaces} * kArrays * 2 * kPairs, 5);
    for (std::uint32_t i = 0; i < 4; ++i) {
        source[i] = i % 2 == 0 ? 0.0f : -2.0f; // even ones
        source[kPlaces + i] = i < 2 ? 0.0f : 1.0f;
    }
    Graph g = graph();
    const auto pass = g.add(FilterPolar{.responses = numbers(g, "responses", source),
                                        .pairs = kPairs,
                                        .size = {kPlaces, 1, 1, 1},
                                        .batch = kArrays});
    g.output("magnitude", pass.magnitude);
    g.output("phase", pass.phase);
    Running running = run(std::move(g));
    const auto magnitude = running.buffer<float>("magnitude");
    const auto phase = running.buffer<float>("phase");
    ASSERT_EQ(magnitude.size(), kPlaces * kArrays * kPairs);
    ASSERT_EQ(phase.size(), magnitude.size());
    for (std::uint32_t i = 0; i < magnitude.size(); ++i) {
        const std::uint32_t even = i / kPlaces * 2 * kPlaces + i % kPlaces;
        const std::complex<double> q(static_cast<double>(source[even]),
                                     static_cast<double>(source[even + kPlaces]));
        ASSERT_NEAR(static_cast<double>(magnitude[i]), std::abs(q), 1e-6 * std::abs(q)) << i;
        // Devices' arcs are good to about four digits.
        ASSERT_NEAR(std::remainder(static_cast<double>(phase[i]) - std::arg(q), 2.0 * kWavePi), 0.0,
                    5e-4)
            << i;
    }
    EXPECT_EQ(phase[0], 0.0f);
}

/// The angle of the main direction to the wave's, in degrees, and second over first eigenvalue.
struct WaveMiss {
    double angle = 0.0;
    double ratio = 0.0;
    double amplitude = 0.0; ///< of the first eigenvalue, relative
};

/// Plane waves along directions of all kinds, in all phases: the interior of a field that holds
/// one is nothing else.
class FilterWaves : public FilterTensors {
  protected:
    WaveMiss worst_of(TensorMethod method, std::uint32_t d, std::uint32_t side) {
        const double center = 0.5 * kWavePi;
        const auto kernels = passes::designed_kernels({.kind = method == TensorMethod::quadrature
                                                                   ? FilterKernelKind::quadrature
                                                                   : FilterKernelKind::monomial,
                                                       .size = cube(d, side),
                                                       .frequency = center});
        EXPECT_TRUE(kernels);
        if (!kernels) return {INFINITY, INFINITY, INFINITY};
        std::mt19937 random(d);
        std::vector<glm::dvec4> along;
        std::vector<float> responses(std::size_t{kernels->filters} * kWaves);
        for (std::uint32_t wave = 0; wave < kWaves; ++wave) {
            along.push_back(testing_gpu::random_direction(random, d));
            const auto one = testing_gpu::wave_responses(
                *kernels, center * (0.9 + 0.05 * (wave % 5)) * along.back(), 0.4 * wave);
            for (std::uint32_t f = 0; f < kernels->filters; ++f)
                responses[f * kWaves + wave] = static_cast<float>(3.0 * one[f]);
        }
        Graph g = graph();
        const glm::uvec4 size(kWaves, 1, 1, 1);
        const Buffer tensor = g.add(FilterStructureTensor{.responses = numbers(g, "q", responses),
                                                          .method = method,
                                                          .dimensions = d,
                                                          .size = size})
                                  .tensor;
        const auto found =
            g.add(FilterOrientation{.tensor = tensor, .dimensions = d, .size = size});
        g.output("values", found.values);
        g.output("vector", found.vector);
        Running running = run(std::move(g));
        const auto values = running.buffer<float>("values");
        const auto vector = running.buffer<float>("vector");
        WaveMiss worst;
        for (std::uint32_t wave = 0; wave < kWaves && values.size() == d * kWaves; ++wave) {
            double dot = 0.0;
            for (std::uint32_t a = 0; a < d; ++a)
                dot += static_cast<double>(vector[a * kWaves + wave]) *
                       along[wave][static_cast<int>(a)];
            const auto first = static_cast<double>(values[wave]);
            worst.angle =
                std::max(worst.angle, std::acos(std::min(std::abs(dot), 1.0)) * 180 / kWavePi);
            worst.ratio = std::max(worst.ratio, static_cast<double>(values[kWaves + wave]) / first);
            const double band = std::exp2(-std::pow(std::log2(0.9 + 0.05 * (wave % 5)), 2.0));
            worst.amplitude = std::max(worst.amplitude, std::abs(first / (3.0 * band) - 1.0));
        }
        return worst;
    }

  private:
    static constexpr std::uint32_t kWaves = 60;
};

TEST_F(FilterWaves, GiveTheirDirectionByQuadratureFilters) {
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const WaveMiss worst = worst_of(TensorMethod::quadrature, d, 9);
        EXPECT_LE(worst.angle, 0.5) << d;
        EXPECT_LE(worst.ratio, 0.05) << d;
        EXPECT_LE(worst.amplitude, 0.05) << d;
    }
}

TEST_F(FilterWaves, GiveTheirDirectionByMonomials) {
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const WaveMiss worst = worst_of(TensorMethod::monomial, d, d == 4 ? 7 : 9);
        EXPECT_LE(worst.angle, d == 4 ? 1.0 : 0.5) << d;
        EXPECT_LE(worst.ratio, 0.05) << d;
        EXPECT_LE(worst.amplitude, 0.05) << d;
    }
}

TEST_F(FilterTensors, ThatCannotBeMadeAreRefused) {
    const auto refused = [&](FilterStructureTensor pass, std::size_t count) {
        Graph g = graph();
        pass.responses = numbers(g, "responses", std::vector<float>(count));
        g.output("tensor", g.add(pass).tensor);
        return codes(std::move(g));
    };
    EXPECT_TRUE(refused({.size = {4, 4, 1, 1}}, 128).empty());
    EXPECT_THAT(refused({.size = {4, 4, 1, 1}}, 127), ElementsAre("filter/too-short"));
    EXPECT_THAT(refused({.size = {4, 4, 1, 1}, .batch = 2}, 255), ElementsAre("filter/too-short"));
    EXPECT_THAT(refused({.size = {4, 0, 1, 1}}, 128), ElementsAre("filter/empty"));
    EXPECT_THAT(refused({.size = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu}}, 128),
                ElementsAre("filter/too-large"));
    EXPECT_THAT(refused({.dimensions = 5, .size = {4, 4, 1, 1}}, 128),
                ElementsAre("pass/out-of-range"));
    Graph g = graph();
    g.output("values", g.add(FilterOrientation{.tensor = numbers(g, "t", std::vector<float>(5)),
                                               .size = {2, 1, 1, 1}})
                           .values);
    EXPECT_THAT(codes(std::move(g)), ElementsAre("filter/too-short"));
    Graph h = graph();
    h.output("phase", h.add(FilterPolar{.responses = numbers(h, "q", std::vector<float>(5)),
                                        .size = {3, 1, 1, 1}})
                          .phase);
    EXPECT_THAT(codes(std::move(h)), ElementsAre("filter/too-short"));
}

} // namespace
} // namespace tuff
