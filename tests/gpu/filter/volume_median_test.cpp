#include "passes/filter/volume_median.hpp"
#include "tests/gpu/filter/array_fixture.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

/// filter/volume_median against nth_element.
namespace tuff {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;
using passes::FilterVolumeMedian;
using testing_gpu::FilterNumbers;
using testing_gpu::unit_numbers;

class FilterVolumeMedianTest : public testing_gpu::FilterArrayTest {
  protected:
    Buffer median(const FilterProblem& problem, const FilterNumbers& source) {
        const auto vector = [](const FilterSize& s) { return glm::uvec4(s[0], s[1], s[2], s[3]); };
        return batch()
            .add(FilterVolumeMedian{.source = numbers(source),
                                    .size = vector(problem.size),
                                    .batch = problem.batch,
                                    .window = vector(problem.kernel_size),
                                    .border = problem.border})
            .result;
    }
    void expect_exact(const FilterProblem& problem, const FilterNumbers& source) {
        expect(median(problem, source), [=](const FilterNumbers& got) {
            SCOPED_TRACE(fmt::format("{} window {} border {}", problem.size, problem.kernel_size,
                                     static_cast<int>(problem.border)));
            ASSERT_EQ(got.size(), filter_count(filter_result_size(problem)) * problem.batch);
            for (std::size_t i = 0; i < got.size(); ++i) {
                FilterNumbers met = testing_gpu::neighbours(problem, source, i);
                const auto middle = met.begin() + static_cast<std::ptrdiff_t>(met.size() / 2);
                std::ranges::nth_element(met, middle);
                ASSERT_EQ(got[i], *middle) << i;
            }
        });
    }
};

TEST_F(FilterVolumeMedianTest, IsExactForAllWindowsAndBorders) {
    const std::pair<FilterSize, FilterSize> shapes[] = {
        {{19, 17, 13, 1}, {3, 3, 3, 1}}, {{12, 11, 6, 1}, {5, 3, 3, 1}},
        {{40, 9, 1, 1}, {3, 3, 1, 1}},   {{90, 1, 1, 1}, {7, 1, 1, 1}},
        {{5, 4, 4, 3}, {3, 3, 3, 3}},    {{2, 1, 2, 1}, {3, 3, 3, 1}}};
    for (const auto& [size, window] : shapes)
        for (const FilterBorder border :
             {FilterBorder::zero, FilterBorder::clamp, FilterBorder::mirror, FilterBorder::wrap,
              FilterBorder::valid}) {
            if (border == FilterBorder::valid && size[0] < window[0]) continue;
            const FilterProblem problem{
                .size = size, .batch = 2, .kernel_size = window, .border = border};
            FilterNumbers source = unit_numbers(2 * filter_count(size), 8);
            for (float& value : source) // few values, of both signs: many are equal
                value = std::round(value * 20.0f) - 9.0f;
            source[1] = -1e30f;
            source[2] = 1e-30f;
            expect_exact(problem, source);
        }
    run_batch();
}

TEST_F(FilterVolumeMedianTest, KeepsConstantsAndRemovesSinglePoints) {
    const FilterSize size{20, 14, 11, 1};
    const FilterProblem problem{
        .size = size, .kernel_size = {3, 3, 3, 1}, .border = FilterBorder::clamp};
    FilterNumbers specks(filter_count(size), 0.5f);
    for (std::size_t i = 0; i < specks.size(); ++i) // no two within three numbers of each other
        if (i % 20 % 4 == 0 && i / 20 % 14 % 4 == 0 && i / 280 % 4 == 0)
            specks[i] = i % 8 == 0 ? 0.0f : 1.0f;
    specks[4 * 20 + 8] = std::nanf("");
    ASSERT_GT(std::ranges::count_if(specks, [](float v) { return v != 0.5f; }), 3);
    expect(median(problem, specks), [](const FilterNumbers& got) {
        for (const float value : got)
            ASSERT_EQ(value, 0.5f);
    });
    run_batch();
}

TEST_F(FilterVolumeMedianTest, SaysWhatIsWrong) {
    const auto code_of = [this](glm::uvec4 size, glm::uvec4 window, FilterBorder border) {
        return codes([&](Graph& g) {
            return g
                .add(FilterVolumeMedian{.source = numbers(g, "source", FilterNumbers(60)),
                                        .size = size,
                                        .window = window,
                                        .border = border})
                .result;
        });
    };
    using Codes = std::vector<std::string>;
    const FilterBorder clamp = FilterBorder::clamp;
    EXPECT_EQ(code_of({0, 1, 1, 1}, {3, 3, 3, 1}, clamp), Codes{});
    EXPECT_EQ(code_of({61, 1, 1, 1}, {3, 3, 3, 1}, clamp), Codes{"filter/too-short"});
    EXPECT_EQ(code_of({60, 1, 1, 1}, {2, 3, 3, 1}, clamp), Codes{"filter/kernel-size"});
    EXPECT_EQ(code_of({60, 1, 1, 1}, {257, 257, 1, 1}, clamp), Codes{"filter/kernel-size"});
    EXPECT_EQ(code_of({60, 1, 1, 1}, {3, 3, 3, 1}, FilterBorder::valid), Codes{"filter/no-result"});
}

} // namespace
} // namespace tuff
