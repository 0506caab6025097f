#include "tests/gpu/filter/way_test.hpp"

#include <cmath>

/// The way of 8 bits: what packing does to numbers, and sums of packed ones.
namespace tuff {
namespace {

using passes::FilterBorder;
using passes::FilterProblem;
using testing_gpu::filter_case;
using testing_gpu::kDirectBound;

class FilterPacked : public testing_gpu::WayTest {
  protected:
    /// What packing leaves of numbers: the filter of one weight, 1.
    Buffer repacked(Buffer source, std::uint32_t count) {
        return passes::convolve_packed(batch(), source, floats({1.0f}), {.size = {count, 1, 1, 1}});
    }
};

/// k / 255, to the last digit that dividing on the device has.
std::vector<float> levels(std::uint64_t count, std::uint32_t seed) {
    std::vector<float> numbers = testing_gpu::random_numbers(count, seed);
    for (float& number : numbers)
        number = std::floor((number + 1.0f) * 128.0f) / 255.0f;
    return numbers;
}

TEST_F(FilterPacked, NumbersAreRoundedTo8BitsAndThoseOf8BitsKept) {
    std::vector<float> numbers;
    for (int k = 0; k <= 255; ++k)
        numbers.push_back(static_cast<float>(k) / 255.0f);
    const std::size_t exact = numbers.size();
    for (int i = -100; i < 1100; ++i)
        numbers.push_back(static_cast<float>(i) * 0.001f);
    numbers.push_back(-3.0f);
    numbers.push_back(1e30f);
    const Buffer once = repacked(floats(numbers), static_cast<std::uint32_t>(numbers.size()));
    const Buffer twice = repacked(once, static_cast<std::uint32_t>(numbers.size()));
    auto first = std::make_shared<std::vector<float>>();
    later(once, [=](const std::vector<float>& got) {
        *first = got;
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_NEAR(got[i], std::min(std::max(numbers[i], 0.0f), 1.0f),
                        i < exact ? 6e-8 : 0.5 / 255.0 + 1e-6)
                << i;
    });
    later(twice, [=](const std::vector<float>& got) { EXPECT_EQ(got, *first); });
    run_batch();
}

/// Sizes whose last word is not full: 1, 2 and 3 numbers of it are.
TEST_F(FilterPacked, SumsAreThoseOfTheNumbersWithEveryBorder) {
    for (const FilterBorder border : testing_gpu::kEveryBorder) {
        for (FilterProblem problem :
             {FilterProblem{.size = {19, 17, 13, 1}, .kernel_size = {3, 3, 3, 1}},
              FilterProblem{.size = {19, 17, 13, 1}, .kernel_size = {5, 5, 5, 1}},
              FilterProblem{.size = {19, 17, 13, 1}, .kernel_size = {7, 7, 7, 1}},
              FilterProblem{.size = {131, 67, 1, 1}, .kernel_size = {17, 1, 1, 1}},
              FilterProblem{
                  .size = {9, 7, 5, 6}, .batch = 2, .kernel_size = {3, 5, 3, 3}, .filters = 2},
              FilterProblem{.size = {3, 2, 1, 1}, .kernel_size = {5, 5, 1, 1}}}) {
            problem.border = border;
            problem.correlate = border == FilterBorder::clamp;
            if (passes::filter_count(passes::filter_result_size(problem)) == 0) continue;
            const std::uint64_t count = passes::filter_count(problem.size) * problem.batch;
            const std::uint64_t weights =
                passes::filter_count(problem.kernel_size) * problem.filters;
            // Levels are off by a last digit at most, 6e-8 of them.
            try_way({"packed", passes::convolve_packed},
                    filter_case(problem, levels(count, 5), testing_gpu::random_numbers(weights, 6)),
                    kDirectBound);
        }
    }
    run_batch();
}

/// The same sums in the same order, of the numbers that packing leaves.
TEST_F(FilterPacked, SumsAreExactlyThoseWithoutPacking) {
    for (const std::uint32_t side : {3u, 5u, 7u}) {
        const FilterProblem problem{.size = {21, 12, 11, 1},
                                    .kernel_size = {side, side, side, 1},
                                    .border = FilterBorder::clamp};
        const auto count = static_cast<std::uint32_t>(passes::filter_count(problem.size));
        const auto taps = static_cast<std::uint32_t>(passes::filter_count(problem.kernel_size));
        const Buffer source = floats(testing_gpu::random_numbers(count, 8));
        const Buffer kernel = floats(testing_gpu::random_numbers(taps, 9));
        auto packed = std::make_shared<std::vector<float>>();
        later(passes::convolve_packed(batch(), source, kernel, problem),
              [=](const std::vector<float>& got) { *packed = got; });
        later(passes::convolve_multipass(batch(), repacked(source, count), kernel, problem, taps),
              [=](const std::vector<float>& got) { EXPECT_EQ(got, *packed); });
    }
    run_batch();
}

} // namespace
} // namespace tuff
