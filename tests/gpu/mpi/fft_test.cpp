// Fourier transforms of fields that ranks have in parts, compared with sums in double precision
// and, to the bit, with the transforms of one process.

#include "fft_rounding.hpp"
#include "passes/fft/forward.hpp"
#include "passes/fft/inverse.hpp"
#include "passes/fft/real_forward.hpp"
#include "passes/fft/real_inverse.hpp"
#include "passes/mpi/fft_forward.hpp"
#include "passes/mpi/fft_inverse.hpp"
#include "passes/mpi/fft_parts.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace tuff {
namespace {

using passes::Cells;
using passes::count_of;
using passes::FftForwardOfParts;
using passes::FftInverseOfParts;
using passes::FftPlan;
using passes::FieldNumbers;
using passes::SpectrumLayout;
using passes::TexelBox;
using testing_gpu::bytes_of;
using testing_gpu::FftRounding;
using testing_gpu::Running;

using Spectrum = std::vector<std::complex<double>>;

constexpr FieldNumbers kComplexes = FieldNumbers::complexes;
constexpr FieldNumbers kReals = FieldNumbers::reals;
constexpr FieldNumbers kNumbers[] = {kComplexes, kReals};
constexpr SpectrumLayout kLayouts[] = {SpectrumLayout::natural, SpectrumLayout::computed};

glm::ivec3 as_ivec(const Cells& cells) {
    return {static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2])};
}
glm::uvec4 as_size(const Cells& cells) {
    return {cells[0], cells[1], cells[2], 1};
}
std::uint32_t words_of(FieldNumbers numbers) {
    return numbers == FieldNumbers::reals ? 1 : 2;
}

/// The words of a field: those of cell i begin at i times the words of a number.
std::vector<float> field_values(const Cells& cells, FieldNumbers numbers) {
    std::vector<float> values(count_of(cells) * words_of(numbers));
    std::uint32_t state = 12345;
    for (float& value : values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
    }
    return values;
}

/// What a box of an array of numbers of `words` words holds, with `halo` cells of -7 around it.
std::vector<float> part_of_values(const std::vector<float>& whole, const Cells& cells,
                                  std::size_t words, const TexelBox& box, const Cells& halo = {},
                                  float outside = -7.0f) {
    std::vector<float> part;
    if (count_of(box.size) == 0) return std::vector<float>(words, 0.0f);
    const auto lies_within = [](std::uint32_t at, std::uint32_t before, std::uint32_t count) {
        return at >= before && at < before + count;
    };
    for (std::uint32_t z = 0; z < box.size[2] + 2 * halo[2]; ++z)
        for (std::uint32_t y = 0; y < box.size[1] + 2 * halo[1]; ++y)
            for (std::uint32_t x = 0; x < box.size[0] + 2 * halo[0]; ++x)
                for (std::size_t word = 0; word < words; ++word) {
                    const Cells at{x, y, z};
                    bool inside = true;
                    Cells cell{};
                    for (std::size_t a = 0; a < 3; ++a) {
                        inside = inside && lies_within(at[a], halo[a], box.size[a]);
                        cell[a] = box.corner[a] + at[a] - halo[a];
                    }
                    const std::size_t index =
                        (std::size_t{cell[2]} * cells[1] + cell[1]) * cells[0] + cell[0];
                    part.push_back(inside ? whole[index * words + word] : outside);
                }
    return part;
}

/// Sums in double precision, axis by axis.
Spectrum spectrum_by_sums(const std::vector<float>& values, const Cells& cells,
                          FieldNumbers numbers) {
    Spectrum field(count_of(cells));
    for (std::size_t i = 0; i < field.size(); ++i)
        field[i] = numbers == FieldNumbers::reals
                       ? std::complex<double>(static_cast<double>(values[i]), 0.0)
                       : std::complex<double>(static_cast<double>(values[2 * i]),
                                              static_cast<double>(values[2 * i + 1]));
    std::size_t pitch = 1;
    for (const std::uint32_t n : cells) {
        Spectrum roots;
        for (std::uint32_t k = 0; k < n; ++k)
            roots.push_back(std::polar(1.0, -2.0 * std::numbers::pi * k / n));
        Spectrum sums(field.size());
        for (std::size_t i = 0; i < field.size(); ++i) {
            const std::size_t k = i / pitch % n;
            for (std::size_t j = 0; j < n; ++j)
                sums[i] += field[i - k * pitch + j * pitch] * roots[j * k % n];
        }
        field = sums;
        pitch *= n;
    }
    if (numbers == FieldNumbers::complexes) return field;
    Spectrum half;
    for (std::size_t i = 0; i < field.size(); ++i)
        if (i % cells[0] <= cells[0] / 2) half.push_back(field[i]);
    return half;
}

std::vector<double> words_in(const Spectrum& spectrum) {
    std::vector<double> words;
    for (const auto& number : spectrum) {
        words.push_back(number.real());
        words.push_back(number.imag());
    }
    return words;
}

/// |got - expected| / |expected|.
double relative_error(const std::vector<float>& got, const std::vector<double>& expected) {
    if (got.size() != expected.size()) return INFINITY;
    double difference = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        difference += std::pow(static_cast<double>(got[i]) - expected[i], 2.0);
        all += expected[i] * expected[i];
    }
    return std::sqrt(difference / all);
}

class FftOfRanks : public testing_gpu::RanksTest {
  protected:
    static Buffer floats_in(Graph& g, std::string_view name, const std::vector<float>& values,
                            std::uint32_t words) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4 * words},
                                 bytes_of(values));
    }

    struct Transformed {
        std::vector<float> spectrum;
        std::vector<float> again;
    };
    /// By the passes of one process, there and back.
    Transformed by_one(const Cells& cells, FieldNumbers numbers) {
        const std::vector<float> values = field_values(cells, numbers);
        Graph g = graph();
        const Buffer field = floats_in(g, "field", values, words_of(numbers));
        const glm::uvec4 size = as_size(cells);
        if (numbers == FieldNumbers::reals) {
            const Buffer there =
                g.add(passes::FftRealForward{.source = field, .size = size}).result;
            g.output("spectrum", there);
            g.output("again", g.add(passes::FftRealInverse{.source = there, .size = size}).result);
        } else {
            const Buffer there = g.add(passes::FftForward{.source = field, .size = size}).result;
            g.output("spectrum", there);
            g.output("again", g.add(passes::FftInverse{.source = there, .size = size}).result);
        }
        Running running = run(std::move(g));
        return {running.buffer<float>("spectrum"), running.buffer<float>("again")};
    }

    static Cells halo_of(const Cells& cells, std::uint32_t width) {
        return {width, width, cells[2] > 1 ? width : 0};
    }

    /// In both layouts, there and back, for all grids.
    void check(const Cells& cells, FieldNumbers numbers, std::uint32_t halo = 0,
               unsigned executions = 1) {
        const Transformed one = by_one(cells, numbers);
        const Cells size = passes::spectrum_size(cells, numbers);
        const std::uint32_t words = words_of(numbers);
        const Cells around = halo_of(cells, halo);
        for (const Ranks& ranks : grids(cells)) {
            const std::string where =
                fmt::format("{}x{}x{} cells, {}x{}x{} ranks", cells[0], cells[1], cells[2],
                            ranks.grid[0], ranks.grid[1], ranks.grid[2]);
            const TexelBox own = passes::domain_division(ranks).box(cells, ranks.rank);
            Graph g = graph_of(ranks);
            const Buffer part = floats_in(
                g, "part", part_of_values(field_values(cells, numbers), cells, words, own, around),
                words);
            for (const SpectrumLayout layout : kLayouts) {
                const std::string tag = fmt::format("{}", int(layout));
                const FftForwardOfParts there =
                    g.add(FftForwardOfParts{.source = part,
                                            .cells = as_ivec(cells),
                                            .numbers = numbers,
                                            .layout = layout,
                                            .halo = static_cast<std::int32_t>(halo)});
                const FftInverseOfParts back = g.add(FftInverseOfParts{.source = there.result,
                                                                       .cells = there.cells,
                                                                       .numbers = numbers,
                                                                       .layout = layout,
                                                                       .halo = there.halo});
                g.output("spectrum" + tag, there.result);
                g.output("box" + tag, there.box);
                g.output("again" + tag, back.result);
            }
            Running running = run(std::move(g), executions);
            for (const SpectrumLayout layout : kLayouts) {
                const std::string tag = fmt::format("{}", int(layout));
                const TexelBox box =
                    passes::plan_fft(ranks, cells, numbers, layout).spectrum.box(size, ranks.rank);
                ASSERT_THAT(running.buffer<std::uint32_t>("box" + tag),
                            testing::ElementsAre(box.corner[0], box.corner[1], box.corner[2], 1,
                                                 box.size[0], box.size[1], box.size[2], 1, cells[0],
                                                 cells[1], cells[2], 1));
                EXPECT_EQ(running.buffer<float>("spectrum" + tag),
                          part_of_values(one.spectrum, size, 2, box))
                    << where;
                EXPECT_EQ(running.buffer<float>("again" + tag),
                          part_of_values(one.again, cells, words, own, around, 0.0f))
                    << where;
            }
        }
    }
};

struct FieldCase {
    Cells cells;
    FieldNumbers numbers;
};
const FieldCase kFields[] = {
    {{12, 10, 1}, kReals},
    {{9, 17, 1}, kComplexes},
    {{6, 5, 4}, kComplexes},
    {{2, 7, 11}, kReals},
};

/// Of one rank; more have its bits.
TEST_F(FftOfRanks, AreTheSumsOfTheWholeField) {
    if (job_size() > 1) GTEST_SKIP() << "one rank";
    for (const auto& [cells, numbers] : kFields) {
        const std::vector<float> values = field_values(cells, numbers);
        Graph g = graph();
        const Buffer field = floats_in(g, "field", values, words_of(numbers));
        const FftForwardOfParts there =
            g.add(FftForwardOfParts{.source = field, .cells = as_ivec(cells), .numbers = numbers});
        g.output("spectrum", there.result);
        g.output("again",
                 g.add(FftInverseOfParts{
                           .source = there.result, .cells = as_ivec(cells), .numbers = numbers})
                     .result);
        Running running = run(std::move(g));
        EXPECT_LT(relative_error(running.buffer<float>("spectrum"),
                                 words_in(spectrum_by_sums(values, cells, numbers))),
                  FftRounding::of_field(cells, numbers));
        EXPECT_LT(relative_error(running.buffer<float>("again"), {values.begin(), values.end()}),
                  FftRounding::of_both_ways(cells, numbers));
    }
}

TEST_F(FftOfRanks, HaveTheBitsOfOneProcess) {
    for (const auto& [cells, numbers] : kFields)
        check(cells, numbers);
}

TEST_F(FftOfRanks, OfOneAxisGoToOneRank) {
    check({24, 1, 1}, kReals);
    check({1, 13, 1}, kComplexes);
}

/// Then there are more ranks than places on the way.
TEST_F(FftOfRanks, WorkWhereAxesHaveFewerCellsThanRanks) {
    TUFF_ONLY_ON(lavapipe);
    const std::uint32_t size = job_size();
    check({size, 2, 1}, kReals);
    check({2, 2, size + 1}, kComplexes);
    check({1, size, 2}, kReals);
}

/// A rank may have a single column, where one process has several side by side.
TEST_F(FftOfRanks, OfLongColumnsTakeTheKernelsOfTheWhole) {
    check({3, 1200, 1}, kComplexes);
}

TEST_F(FftOfRanks, LeaveHalosOut) {
    TUFF_ONLY_ON(lavapipe);
    check({9, 8, 1}, kReals, 2);
    check({2, 3, 4}, kComplexes, 1, 3);
}

/// Slabs as small as there are: several on the way, of unequal sizes. A large field has no cuts
/// besides.
TEST_F(FftOfRanks, GoInSlabs) {
    TUFF_ONLY_ON(lavapipe);
    struct SlabCase {
        Cells cells;
        FieldNumbers numbers;
        bool large = false;
    };
    for (const auto& [cells, numbers, large] :
         {SlabCase{{7, 6, 5}, kComplexes}, SlabCase{{7, 6, 5}, kComplexes, true},
          SlabCase{{4, 11, 9}, kReals}, SlabCase{{5, 1, 13}, kComplexes},
          SlabCase{{1, 7, 6}, kComplexes}}) {
        const bool flat = std::ranges::min(cells) == 1;
        if (flat && job_size() > 3) continue; // takes long, and is no other way
        if (large && job_size() != 2) continue;
        const Transformed one = by_one(cells, numbers);
        const Cells size = passes::spectrum_size(cells, numbers);
        const std::uint32_t words = words_of(numbers);
        for (const Ranks& ranks : grids(cells)) {
            Graph g = graph_of(ranks);
            const TexelBox own = passes::domain_division(ranks).box(cells, ranks.rank);
            auto fft =
                passes::planned_fft(g, {as_ivec(cells), numbers, SpectrumLayout::computed, 0});
            ASSERT_TRUE(fft);
            fft->slab_bytes = 1;
            if (large) fft->uncut_bytes = 1;
            const Buffer part = floats_in(
                g, "part", part_of_values(field_values(cells, numbers), cells, words, own), words);
            const auto there =
                passes::forward_of_parts(g, *fft, *passes::field_part(g, *fft, part), 1.0f);
            ASSERT_TRUE(there);
            const auto back =
                passes::inverse_of_parts(g, *fft, *there, fft->factor(passes::FftScale::by_count));
            ASSERT_TRUE(back);
            g.output("spectrum", passes::never_empty(g, *there));
            g.output("again", passes::never_empty(g, *back));
            Running running = run(std::move(g), 2);
            const TexelBox box = fft->plan.spectrum.box(size, ranks.rank);
            const std::string where =
                fmt::format("{}x{}x{} cells, {}x{}x{} ranks", cells[0], cells[1], cells[2],
                            ranks.grid[0], ranks.grid[1], ranks.grid[2]);
            EXPECT_EQ(running.buffer<float>("spectrum"), part_of_values(one.spectrum, size, 2, box))
                << where;
            EXPECT_EQ(running.buffer<float>("again"), part_of_values(one.again, cells, words, own))
                << where;
        }
    }
}

TEST_F(FftOfRanks, MultiplyByAnotherSpectrum) {
    for (const auto& [cells, numbers] :
         {FieldCase{{6, 5, 4}, kComplexes}, FieldCase{{24, 1, 1}, kReals}}) {
        const Cells size = passes::spectrum_size(cells, numbers);
        const std::vector<float> spectrum = field_values(size, kComplexes);
        const std::vector<float> factors(spectrum.rbegin(), spectrum.rend());
        Graph one = graph();
        const Buffer source = floats_in(one, "spectrum", spectrum, 2);
        const Buffer multiplier = floats_in(one, "factors", factors, 2);
        if (numbers == kReals)
            one.output("result", one.add(passes::FftRealInverse{.source = source,
                                                                .multiplier = multiplier,
                                                                .size = as_size(cells),
                                                                .conjugate = true})
                                     .result);
        else
            one.output("result", one.add(passes::FftInverse{.source = source,
                                                            .multiplier = multiplier,
                                                            .size = as_size(cells),
                                                            .conjugate = true})
                                     .result);
        const std::vector<float> expected = run(std::move(one)).buffer<float>("result");
        for (const Ranks& ranks : grids(cells)) {
            Graph g = graph_of(ranks);
            for (const SpectrumLayout layout : kLayouts) {
                const TexelBox box =
                    passes::plan_fft(ranks, cells, numbers, layout).spectrum.box(size, ranks.rank);
                const FftInverseOfParts pass{
                    .source = floats_in(g, "spectrum", part_of_values(spectrum, size, 2, box), 2),
                    .multiplier = floats_in(g, "factors", part_of_values(factors, size, 2, box), 2),
                    .cells = as_ivec(cells),
                    .numbers = numbers,
                    .layout = layout,
                    .conjugate = true};
                g.output(fmt::format("result{}", int(layout)), g.add(pass).result);
            }
            Running running = run(std::move(g));
            const TexelBox own = passes::domain_division(ranks).box(cells, ranks.rank);
            for (const std::string_view output : {"result0", "result1"})
                EXPECT_EQ(running.buffer<float>(output),
                          part_of_values(expected, cells, words_of(numbers), own));
        }
    }
}

TEST_F(FftOfRanks, RefuseBuffersThatAreNotTheRanksPart) {
    const auto codes_of = [&](const Ranks& ranks, std::size_t floats, const Cells& cells,
                              std::int32_t halo = 0) {
        Graph g = graph_of(ranks);
        (void)g.add(FftForwardOfParts{.source = g.buffer("part", {.size = 4 * floats, .stride = 4}),
                                      .cells = as_ivec(cells),
                                      .numbers = FieldNumbers::reals,
                                      .halo = halo});
        std::vector<std::string> codes;
        for (const Diagnostic& diagnostic : g.peek().diagnostics)
            codes.push_back(diagnostic.code);
        return codes;
    };
    using testing::ElementsAre;
    using testing::IsEmpty;
    EXPECT_THAT(codes_of({}, 20, {4, 5, 1}), IsEmpty());
    EXPECT_THAT(codes_of({}, 19, {4, 5, 1}), ElementsAre("mpi/part-size"));
    EXPECT_THAT(codes_of({}, 42, {4, 5, 1}, 1), IsEmpty());
    EXPECT_THAT(codes_of({}, 41, {4, 5, 1}, 1), ElementsAre("mpi/part-size"));
    EXPECT_THAT(codes_of({.grid = {5, 1, 1}}, 20, {4, 5, 1}), ElementsAre("mpi/too-many-ranks"));
    EXPECT_THAT(codes_of({}, 20, {40'000, 40'000, 1}), ElementsAre("fft/too-large"));
}

} // namespace
} // namespace tuff
