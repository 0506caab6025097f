// What is done with spectra of fields over ranks: functions of the frequency, and the Poisson
// equation.

#include "fft_rounding.hpp"
#include "passes/mpi/fft_forward.hpp"
#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson_fft.hpp"
#include "passes/mpi/spectrum_filter.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

using passes::Cells;
using passes::count_of;
using passes::FieldNumbers;
using passes::PoissonFftOfParts;
using passes::SpectrumFilter;
using passes::SpectrumLayout;
using passes::SpectrumShape;
using passes::TexelBox;
using testing_gpu::FftRounding;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::Running;
using testing_gpu::values_in;

class SpectrumOfRanks : public testing_gpu::RanksTest {
  protected:
    static TexelBox box_of(const Ranks& ranks, const Cells& cells, FieldNumbers numbers,
                           SpectrumLayout layout) {
        return passes::plan_fft(ranks, cells, numbers, layout)
            .spectrum.box(passes::spectrum_size(cells, numbers), ranks.rank);
    }
    static glm::ivec3 as_ivec(const Cells& cells) {
        return {static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2])};
    }
    /// Periods over the field, step by step, unlike the kernels.
    static int frequency(std::uint32_t index, std::uint32_t cells) {
        int k = static_cast<int>(index);
        while (2 * k > static_cast<int>(cells))
            k -= static_cast<int>(cells);
        return k;
    }
    template <typename Visit>
    static void for_numbers(const TexelBox& box, Visit visit) {
        std::size_t index = 0;
        for (std::uint32_t z = 0; z < box.size[2]; ++z)
            for (std::uint32_t y = 0; y < box.size[1]; ++y)
                for (std::uint32_t x = 0; x < box.size[0]; ++x)
                    visit(index++, Cells{box.corner[0] + x, box.corner[1] + y, box.corner[2] + z});
    }
};

TEST_F(SpectrumOfRanks, HasFrequenciesThatKernelsFind) {
    for (const Cells& cells : {Cells{5, 4, 1}, Cells{4, 3, 2}})
        for (const Ranks& ranks : grids(cells)) {
            Graph g = graph_of(ranks);
            const TexelBox own = passes::domain_division(ranks).box(cells, ranks.rank);
            const auto count = static_cast<std::uint32_t>(count_of(own.size));
            const Buffer source =
                g.fill(g.buffer("part", {.size = 4 * count, .stride = 4}), 0, "zeros");
            const auto pass = g.add(passes::FftForwardOfParts{.source = source,
                                                              .cells = as_ivec(cells),
                                                              .numbers = FieldNumbers::reals,
                                                              .layout = SpectrumLayout::computed});
            const auto numbers =
                static_cast<std::uint32_t>(g.desc(pass.result).size / sizeof(glm::vec2));
            ComputeNodeBuilder node = g.compute("test/frequencies");
            node.read("box", pass.box);
            g.output(
                "frequencies",
                node.write("frequencies", g.buffer("found", {.size = 16 * numbers, .stride = 16})));
            node.set("count", numbers);
            node.dispatch_each(numbers);
            const auto found = run(std::move(g)).buffer<std::int32_t>("frequencies");
            const TexelBox box =
                box_of(ranks, cells, FieldNumbers::reals, SpectrumLayout::computed);
            std::vector<std::int32_t> expected;
            for_numbers(box, [&](std::size_t, const Cells& at) {
                for (std::size_t a = 0; a < 3; ++a)
                    expected.push_back(frequency(at[a], cells[a]));
                expected.push_back(1);
            });
            if (expected.empty()) expected.assign(4, 0); // a number that is none
            EXPECT_EQ(found, expected);
        }
}

/// What a spectrum is multiplied by, and how far from it the product of the kernel may be, in units
/// of 2^-24 of it. The sum of the squares has three rounded numbers and two sums, so three units.
struct Factor {
    double value = 0.0;
    double units = 0.0;
};
constexpr double kUnitsOfSquares = 3.0;

/// exp(x) is good to 3 + 2 |x| ULP, as Vulkan has it, which are two units each. x has the
/// squares' units, two of the rounded strength and of the product.
Factor gaussian(double sigma, double k_squared) {
    const double x = 0.5 * sigma * sigma * k_squared;
    return {std::exp(-x), (kUnitsOfSquares + 2.0) * x + 2.0 * (3.0 + 2.0 * x)};
}

/// pow(s, y) is exp2(y log2(s)). The logarithm is good to 3 ULP, near 1 to 2^-21, and has the units
/// of s by ln 2 besides; the product has one more, and the exponential 3 + 2 |x| ULP.
Factor power(double exponent, double k_squared) {
    const double logarithm = std::log2(k_squared);
    const double x = 0.5 * exponent * logarithm;
    const double of_logarithm =
        std::max(6.0 * std::abs(logarithm), 8.0) + kUnitsOfSquares / std::numbers::ln2;
    const double of_x = std::abs(0.5 * exponent) * of_logarithm + std::abs(x);
    return {std::exp2(x), std::numbers::ln2 * of_x + 2.0 * (3.0 + 2.0 * std::abs(x))};
}

/// A quotient is good to 2.5 ULP.
Factor inverse_laplacian(double difference) {
    return {-1.0 / difference, kUnitsOfSquares + 5.0};
}

TEST_F(SpectrumOfRanks, IsMultipliedByFunctionsOfTheFrequency) {
    constexpr float kSigma = 0.8f;
    constexpr float kExponent = -1.5f;
    constexpr float kCell = 0.5f;
    constexpr SpectrumShape kShapes[] = {SpectrumShape::gaussian, SpectrumShape::power,
                                         SpectrumShape::inverse_laplacian};
    const auto expected = [&](SpectrumShape shape, const Cells& at, const Cells& cells) {
        double k_squared = 0.0;
        double difference = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double turn = 2.0 * std::numbers::pi * frequency(at[a], cells[a]) / cells[a];
            k_squared += std::pow(turn / double{kCell}, 2.0);
            difference += (2.0 - 2.0 * std::cos(turn)) / (double{kCell} * double{kCell});
        }
        if (shape == SpectrumShape::gaussian) return gaussian(double{kSigma}, k_squared);
        if (at == Cells{}) return Factor{};
        return shape == SpectrumShape::power ? power(double{kExponent}, k_squared)
                                             : inverse_laplacian(difference);
    };
    const Cells cells{6, 5, 4};
    for (const Ranks& ranks : grids(cells))
        for (const FieldNumbers numbers : {FieldNumbers::complexes, FieldNumbers::reals}) {
            Graph g = graph_of(ranks);
            const TexelBox box = box_of(ranks, cells, numbers, SpectrumLayout::natural);
            const std::size_t count = std::max<std::size_t>(count_of(box.size), 1);
            std::vector<float> ones(2 * count);
            for (std::size_t i = 0; i < ones.size(); ++i)
                ones[i] = i % 2 == 0 ? 1.0f : -2.0f;
            const Buffer source = g.constant_buffer("ones", {.size = 8 * count, .stride = 8},
                                                    testing_gpu::bytes_of(ones));
            for (const SpectrumShape shape : kShapes)
                g.output(fmt::format("result{}", int(shape)),
                         g.add(SpectrumFilter{.source = source,
                                              .cells = as_ivec(cells),
                                              .numbers = numbers,
                                              .shape = shape,
                                              .sigma = kSigma,
                                              .exponent = kExponent,
                                              .cell = kCell})
                             .result);
            Running running = run(std::move(g));
            for (const SpectrumShape shape : kShapes) {
                const auto found = running.buffer<float>(fmt::format("result{}", int(shape)));
                ASSERT_EQ(found.size(), 2 * count);
                for_numbers(box, [&](std::size_t index, const Cells& at) {
                    const Factor factor = expected(shape, at, cells);
                    // A unit more of the product; 1.001 for powers of the units.
                    const double within =
                        1.001 * (factor.units + 1.0) * FftRounding::kUnit * std::abs(factor.value);
                    EXPECT_NEAR(static_cast<double>(found[2 * index]), factor.value, within);
                    EXPECT_NEAR(static_cast<double>(found[2 * index + 1]), -2.0 * factor.value,
                                2.0 * within);
                });
            }
        }
}

constexpr float kSide = 0.5f;

/// The solution in the gathered field, of the differences of a given one.
class PoissonFftOfRanks : public testing_gpu::RanksTest {
  protected:
    struct Problem {
        Cells cells;
        bool volume;
        std::uint32_t halo;
    };

    /// Of mean 0 along each axis.
    static double solution_at(const Cells& at, const Cells& cells) {
        double value = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
            if (cells[a] == 1) continue;
            const double turn = 2.0 * std::numbers::pi * at[a] / cells[a];
            value += std::sin(turn + 0.3 * static_cast<double>(a)) + 0.4 * std::cos(2.0 * turn);
        }
        const double x = 2.0 * std::numbers::pi * at[0] / cells[0];
        const double y = 2.0 * std::numbers::pi * at[1] / cells[1];
        return value + 0.7 * std::sin(x) * std::cos(y);
    }
    /// Its differences, and a mean that has no solution.
    static double source_at(const Cells& at, const Cells& cells) {
        double sum = 0.0;
        for (std::size_t a = 0; a < 3; ++a)
            for (const std::uint32_t step : {1u, cells[a] - 1}) {
                Cells other = at;
                other[a] = (at[a] + step) % cells[a];
                sum += solution_at(other, cells) - solution_at(at, cells);
            }
        return sum / (double{kSide} * double{kSide}) + 0.25;
    }

    /// The greatest error of a cell, which is at most the norm of all errors. Those of the rounded
    /// source and of its spectrum are divided by eigenvalues, at least by the least one that is not
    /// 0; the quotient and the way back have the norm of the solution.
    static double rounding(const Cells& cells) {
        double source = 0.0;
        double solution = 0.0;
        for (std::uint32_t z = 0; z < cells[2]; ++z)
            for (std::uint32_t y = 0; y < cells[1]; ++y)
                for (std::uint32_t x = 0; x < cells[0]; ++x) {
                    source += std::pow(source_at({x, y, z}, cells), 2.0);
                    solution += std::pow(solution_at({x, y, z}, cells), 2.0);
                }
        const std::uint32_t longest = std::ranges::max(cells);
        const double least =
            std::pow(2.0 * std::sin(std::numbers::pi / longest) / double{kSide}, 2.0);
        const double one_way = FftRounding::of_field(cells, FieldNumbers::reals);
        const double product = (inverse_laplacian(1.0).units + 1.0) * FftRounding::kUnit;
        const double scale = 2.0 * FftRounding::kUnit;
        return (FftRounding::kUnit + one_way) * std::sqrt(source) / least +
               (product + one_way + scale) * std::sqrt(solution);
    }

    struct Solved {
        std::vector<float> whole;
        std::vector<float> part;
    };
    Solved solve(const Problem& problem, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const Cells halo{problem.halo, problem.halo, problem.volume ? problem.halo : 0};
        const Image source = g.constant_image(
            "source", floats(part_size(ranks, problem.cells, halo), problem.volume),
            part_texels(ranks, problem.cells, halo, NAN, [&](const Cells& cell) {
                return static_cast<float>(source_at(cell, problem.cells));
            }));
        const glm::ivec3 cells(problem.cells[0], problem.cells[1], problem.cells[2]);
        const auto width = static_cast<std::int32_t>(problem.halo);
        const Image result =
            g.add(PoissonFftOfParts{.source = source, .cells = cells, .halo = width, .cell = kSide})
                .result;
        g.output("part", result);
        g.output(
            "whole",
            g.add(passes::GatherParts{.source = result, .cells = cells, .halo = width}).result);
        Running running = run(std::move(g));
        return {values_in(running, "whole"), values_in(running, "part")};
    }
};

TEST_F(PoissonFftOfRanks, SolvesWithTheSameBitsForAnyNumberOfThem) {
    for (const Problem& problem : {Problem{{12, 9, 1}, false, 1}, Problem{{4, 6, 3}, true, 2},
                                   Problem{{16, 1, 1}, false, 0}}) {
        const Cells& cells = problem.cells;
        const std::vector<float> one = solve(problem, Ranks{}).whole;
        ASSERT_EQ(one.size(), count_of(cells));
        const double within = rounding(cells);
        std::size_t index = 0;
        for (std::uint32_t z = 0; z < cells[2]; ++z)
            for (std::uint32_t y = 0; y < cells[1]; ++y)
                for (std::uint32_t x = 0; x < cells[0]; ++x, ++index)
                    ASSERT_NEAR(static_cast<double>(one[index]), solution_at({x, y, z}, cells),
                                within);
        for (const Ranks& ranks : grids(cells)) {
            const Solved several = solve(problem, ranks);
            if (ranks.rank == 0) {
                EXPECT_EQ(several.whole, one);
            }
            // The halo goes on at the other end.
            const auto part = ranks.part(cells);
            const Cells halo{problem.halo, problem.halo, problem.volume ? problem.halo : 0};
            const auto wrapped = [&](std::size_t a, std::uint32_t texel) {
                const std::uint32_t far = halo[a] * cells[a] - halo[a]; // around as often as needed
                return (part[a].first + texel + far) % cells[a];
            };
            index = 0;
            for (std::uint32_t z = 0; z < part[2].count + 2 * halo[2]; ++z)
                for (std::uint32_t y = 0; y < part[1].count + 2 * halo[1]; ++y)
                    for (std::uint32_t x = 0; x < part[0].count + 2 * halo[0]; ++x, ++index)
                        ASSERT_EQ(several.part[index],
                                  one[(wrapped(2, z) * cells[1] + wrapped(1, y)) * cells[0] +
                                      wrapped(0, x)]);
        }
    }
}

} // namespace
} // namespace tuff
