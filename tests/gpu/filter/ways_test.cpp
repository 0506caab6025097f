#include "tests/gpu/filter/way_test.hpp"

#include <cmath>

/// The ways that sum number by number, and those that transform, against sums in double precision.
namespace tuff {
namespace {

using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;
using testing_gpu::filter_case;
using testing_gpu::kDirectBound;
using testing_gpu::kEveryBorder;
using testing_gpu::NamedWay;
using testing_gpu::SharedCase;
using testing_gpu::transform_bound;

NamedWay multipass(std::uint32_t taps) {
    return {"multipass by " + std::to_string(taps),
            [taps](Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
                return passes::convolve_multipass(graph, source, kernel, problem, taps);
            }};
}

const std::vector<NamedWay> kDirectWays{{"accumulated", passes::convolve_accumulated},
                                        {"vectors", passes::convolve_vectors},
                                        multipass(25)};
const NamedWay kFft{"fft", passes::convolve_fft};

class FilterWays : public testing_gpu::WayTest {
  protected:
    /// Each length of a transform is a kernel of its own, which one of the devices takes long to
    /// compile: transform_ways_test.cpp has some for it.
    static bool takes_long() { return test::leaves_to("swiftshader"); }

    /// By all of these ways, with every border that leaves a result.
    void try_borders(FilterProblem problem, bool by_fft = false) {
        for (const FilterBorder border : kEveryBorder) {
            problem.border = border;
            problem.correlate = !problem.correlate; // some of both
            if (passes::filter_count(passes::filter_result_size(problem)) == 0) continue;
            const SharedCase one = filter_case(problem);
            for (const NamedWay& way : kDirectWays)
                try_way(way, one, kDirectBound);
            if (by_fft && !takes_long()) try_way(kFft, one, transform_bound(problem));
        }
    }
};

TEST_F(FilterWays, OfOneAxisAreSumsWithEveryBorder) {
    try_borders({.size = {1031, 1, 1, 1}, .batch = 2, .kernel_size = {7, 1, 1, 1}});
    try_borders({.size = {1, 300, 1, 1}, .kernel_size = {1, 9, 1, 1}});
    try_borders({.size = {1, 1, 1, 70}, .kernel_size = {1, 1, 1, 5}});
    run_batch();
}

TEST_F(FilterWays, OfTwoAxesAreSumsWithEveryBorder) {
    try_borders({.size = {131, 67, 1, 1}, .kernel_size = {3, 3, 1, 1}});
    try_borders({.size = {129, 67, 1, 1}, .kernel_size = {9, 9, 1, 1}});
    run_batch();
}

TEST_F(FilterWays, OfThreeAxesAreSumsWithEveryBorder) {
    try_borders({.size = {33, 17, 9, 1}, .kernel_size = {3, 3, 3, 1}}, true);
    for (const std::uint32_t side : {3u, 5u, 7u})
        try_borders({.size = {19, 17, 13, 1}, .kernel_size = {side, side, side, 1}});
    run_batch();
}

TEST_F(FilterWays, OfFourAxesAreSumsWithEveryBorder) {
    try_borders({.size = {17, 16, 9, 5}, .kernel_size = {3, 3, 3, 3}}, true);
    try_borders({.size = {8, 7, 6, 5}, .kernel_size = {5, 3, 5, 5}});
    run_batch();
}

TEST_F(FilterWays, TakeSeveralArraysAndKernels) {
    const FilterSize size{23, 14, 5, 1};
    const FilterSize kernel{5, 3, 3, 1};
    try_borders({.size = size, .batch = 3, .kernel_size = kernel});
    try_borders({.size = size, .kernel_size = kernel, .filters = 4});
    try_borders({.size = size, .batch = 2, .kernel_size = kernel, .filters = 3});
    run_batch();
}

/// No result of such a window lies wholly within the source, and places are reflected more than
/// once.
TEST_F(FilterWays, TakeKernelsLargerThanTheSource) {
    try_borders({.size = {5, 3, 1, 1}, .kernel_size = {9, 13, 1, 1}});
    try_borders({.size = {2, 1, 3, 2}, .kernel_size = {3, 3, 9, 5}});
    try_borders({.size = {1, 1, 1, 1}, .kernel_size = {1, 1, 1, 1}});
    run_batch();
}

TEST_F(FilterWays, MultipassIsTheSameForAnyNumberOfTaps) {
    const SharedCase one = filter_case({.size = {12, 9, 7, 1}, .kernel_size = {5, 5, 5, 1}});
    // 125 passes in three levels of sums, 9 and 8 passes, one.
    for (const std::uint32_t taps : {1u, 14u, 16u, 125u, 1000u})
        try_way(multipass(taps), one, kDirectBound);
    run_batch();
}

TEST_F(FilterWays, MultipassWithTooManyPassesIsReported) {
    const FilterProblem problem{.size = {9, 9, 9, 9}, .kernel_size = {9, 9, 9, 9}};
    Graph g = graph();
    const Buffer numbers = g.buffer("numbers", {.size = 6561 * sizeof(float)});
    EXPECT_FALSE(passes::convolve_multipass(g, numbers, numbers, problem, 1));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error()[0].code, "filter/too-many-passes");
}

/// Sums of whole numbers below 2^24 are exact in any order.
TEST_F(FilterWays, OfWholeNumbersAreExact) {
    const FilterProblem problem{
        .size = {31, 18, 6, 1}, .kernel_size = {5, 5, 3, 1}, .border = FilterBorder::mirror};
    std::vector<float> source = testing_gpu::random_numbers(31 * 18 * 6, 7);
    for (float& number : source)
        number = std::floor((number + 1.0f) * 128.0f);
    std::vector<float> kernel(75);
    for (std::size_t i = 0; i < kernel.size(); ++i)
        kernel[i] = static_cast<float>(i + 1); // a kernel that is turned is another
    const SharedCase one = filter_case(problem, source, kernel);
    for (const NamedWay& way : kDirectWays)
        try_way(way, one, {});
    run_batch();
}

TEST_F(FilterWays, AnImpulseBecomesTheKernel) {
    for (const bool correlate : {false, true}) {
        const FilterProblem problem{
            .size = {9, 8, 7, 6}, .kernel_size = {3, 5, 3, 5}, .correlate = correlate};
        std::vector<float> source(9 * 8 * 7 * 6);
        source[((3 * 7 + 2) * 8 + 4) * 9 + 5] = 1.0f;
        std::vector<float> kernel(225);
        for (std::size_t i = 0; i < kernel.size(); ++i)
            kernel[i] = static_cast<float>(i + 1);
        const auto is_kernel = [=](const std::vector<float>& got) {
            for (std::size_t tap = 0; tap < 225; ++tap) {
                const std::size_t x = 4 + tap % 3;
                const std::size_t y = 2 + tap / 3 % 5;
                const std::size_t z = 1 + tap / 15 % 3;
                const std::size_t w = 1 + tap / 45;
                ASSERT_EQ(got[((w * 7 + z) * 8 + y) * 9 + x], kernel[correlate ? 224 - tap : tap]);
            }
        };
        for (const NamedWay& way : kDirectWays)
            later(way.way(batch(), floats(source), floats(kernel), problem), is_kernel);
    }
    run_batch();
}

/// The thesis' example.
TEST_F(FilterWays, TheWorkedExampleIs3218) {
    const std::vector<float> image{20, 32, 47, 2, 58, 120, 200, 87, 33, 8, 74, 72, 4, 2, 65, 3};
    const std::vector<float> weights{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const FilterProblem problem{.size = {4, 4, 1, 1},
                                .kernel_size = {3, 3, 1, 1},
                                .border = FilterBorder::valid,
                                .correlate = true};
    for (const NamedWay& way : kDirectWays)
        later(way.way(batch(), floats(image), floats(weights), problem),
              [](const std::vector<float>& got) {
                  ASSERT_EQ(got.size(), 4u);
                  EXPECT_EQ(got[0], 3218.0f);
              });
    later(passes::convolve_fft(batch(), floats(image), floats(weights), problem),
          [](const std::vector<float>& got) { EXPECT_NEAR(got[0], 3218.0f, 0.02f); });
    run_batch();
}

TEST_F(FilterWays, AccumulatedTakesMoreThanAThousandSlices) {
    const SharedCase one = filter_case(
        {.size = {5, 4, 3, 16}, .kernel_size = {3, 3, 9, 9}, .border = FilterBorder::clamp});
    try_way({"accumulated", passes::convolve_accumulated}, one, kDirectBound);
    EXPECT_GT(batch().peek().nodes.size(), 1000u);
    run_batch();
}

TEST_F(FilterWays, AccumulatedLaunchesOnlySlicesWhoseSourceExists) {
    FilterProblem problem{.size = {6, 5, 4, 3}, .kernel_size = {3, 3, 5, 5}};
    const auto nodes = [&](FilterBorder border) {
        problem.border = border;
        Graph g = graph();
        const Buffer numbers = g.buffer("numbers", {.size = 360 * sizeof(float)});
        (void)passes::convolve_accumulated(g, numbers, numbers, problem);
        return g.peek().nodes.size();
    };
    EXPECT_EQ(nodes(FilterBorder::clamp), 3u * 5u * 5u);
    EXPECT_EQ(nodes(FilterBorder::zero), (3u + 3u + 3u) * 5u); // each time meets three
    problem.size = {6, 5, 5, 7};
    EXPECT_EQ(nodes(FilterBorder::valid), 3u * 5u * 5u);
    problem.size = {6, 5, 2, 7}; // slices further than one away do not exist
    EXPECT_EQ(nodes(FilterBorder::zero), (3u + 4u + 5u + 5u + 5u + 4u + 3u) * 3u);
}

} // namespace
} // namespace tuff
