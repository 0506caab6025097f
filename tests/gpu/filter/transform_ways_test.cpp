#include "tests/gpu/filter/way_test.hpp"

#include <cmath>
#include <limits>

/// The ways by transforms: lengths of all kinds, tiles, and numbers that are not finite.
namespace tuff {
namespace {

using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;
using testing_gpu::filter_case;
using testing_gpu::kEveryBorder;
using testing_gpu::NamedWay;
using testing_gpu::random_numbers;
using testing_gpu::SharedCase;
using testing_gpu::transform_bound;

const NamedWay kWholeFft{"fft", passes::convolve_fft};
const NamedWay kTilesFft{"tiles_fft", passes::convolve_tiles_fft};

class FilterTransforms : public testing_gpu::WayTest {
  protected:
    void try_with_borders(const NamedWay& way, FilterProblem problem) {
        for (const FilterBorder border : kEveryBorder) {
            problem.border = border;
            problem.correlate = !problem.correlate;
            if (passes::filter_count(passes::filter_result_size(problem)) == 0) continue;
            try_way(way, filter_case(problem), transform_bound(problem));
        }
    }
};

/// Lengths that go round by themselves, even and odd, and a prime, which is extended; one that
/// takes several passes.
TEST_F(FilterTransforms, FftTakesAnyLength) {
    TUFF_ONLY_ON(lavapipe);
    for (const std::uint32_t length : {67u, 105u})
        try_with_borders(kWholeFft, {.size = {length, 3, 1, 1}, .kernel_size = {5, 3, 1, 1}});
    try_with_borders(kWholeFft, {.size = {20, 31, 1, 1}, .kernel_size = {17, 17, 1, 1}});
    try_with_borders(kWholeFft, {.size = {1, 9000, 1, 1}, .kernel_size = {1, 9, 1, 1}});
    try_with_borders(kWholeFft, {.size = {5, 3, 1, 1}, .kernel_size = {9, 13, 1, 1}});
    try_with_borders(kWholeFft, {.size = {1, 1, 1, 1}, .kernel_size = {1, 1, 1, 1}});
    run_batch();
}

/// With one of them, either factor of the product is the one that is repeated.
TEST_F(FilterTransforms, FftTakesSeveralArraysAndKernels) {
    for (const FilterBorder border : {FilterBorder::zero, FilterBorder::mirror})
        for (const auto& [batch, filters] : {std::pair{3u, 1u}, {1u, 4u}, {2u, 3u}}) {
            const FilterProblem problem{.size = {23, 14, 5, 1},
                                        .batch = batch,
                                        .kernel_size = {5, 3, 3, 1},
                                        .filters = filters,
                                        .border = border};
            try_way(kWholeFft, filter_case(problem), transform_bound(problem));
        }
    run_batch();
}

TEST_F(FilterTransforms, TilesAreSumsWithEveryBorder) {
    // Tiles of 32, one and several, an even and an odd number of them; tiles of 64.
    try_with_borders(kTilesFft, {.size = {20, 11, 1, 1}, .kernel_size = {5, 9, 1, 1}});
    try_with_borders(kTilesFft, {.size = {131, 67, 1, 1}, .kernel_size = {9, 9, 1, 1}});
    try_with_borders(kTilesFft, {.size = {75, 50, 1, 1}, .kernel_size = {17, 17, 1, 1}});
    try_with_borders(kTilesFft, {.size = {70, 40, 1, 1}, .kernel_size = {31, 33, 1, 1}});
    try_with_borders(kTilesFft, {.size = {1, 150, 1, 1}, .kernel_size = {1, 9, 1, 1}});
    try_with_borders(kTilesFft, {.size = {3, 2, 1, 1}, .kernel_size = {9, 5, 1, 1}});
    run_batch();
}

TEST_F(FilterTransforms, TilesTakeSeveralArraysKernelsAndSlices) {
    try_with_borders(
        kTilesFft, {.size = {40, 30, 1, 1}, .batch = 3, .kernel_size = {9, 7, 1, 1}, .filters = 3});
    try_with_borders(kTilesFft, {.size = {33, 17, 9, 1}, .kernel_size = {5, 5, 5, 1}});
    try_with_borders(
        kTilesFft, {.size = {11, 8, 5, 4}, .batch = 2, .kernel_size = {3, 5, 3, 3}, .filters = 2});
    run_batch();
}

/// The host makes the spectra then, of up to 64 slices.
TEST_F(FilterTransforms, TilesTakeWeightsOfTheHost) {
    for (const bool correlate : {false, true})
        for (FilterProblem problem :
             {FilterProblem{.size = {75, 50, 1, 1}, .kernel_size = {17, 13, 1, 1}},
              FilterProblem{.size = {40, 30, 1, 1}, .kernel_size = {9, 7, 1, 1}, .filters = 3},
              FilterProblem{.size = {20, 9, 6, 3}, .kernel_size = {3, 5, 5, 3}, .filters = 2},
              FilterProblem{.size = {9, 8, 7, 5}, .kernel_size = {3, 3, 5, 13}}}) {
            problem.correlate = correlate;
            const SharedCase of_device = filter_case(problem);
            problem.weights = of_device->kernel;
            try_way(kTilesFft, filter_case(problem, of_device->source, of_device->kernel),
                    transform_bound(problem));
        }
    run_batch();
}

TEST_F(FilterTransforms, TilesOfLargerKernelsAreReported) {
    for (const FilterSize kernel : {FilterSize{35, 3, 1, 1}, FilterSize{3, 35, 1, 1}}) {
        Graph g = graph();
        const std::vector<float> numbers(4096);
        const Buffer source = g.constant_buffer("numbers", {.size = 4096 * sizeof(float)},
                                                testing_gpu::bytes_of(numbers));
        EXPECT_FALSE(passes::convolve_tiles_fft(g, source, source,
                                                {.size = {64, 64, 1, 1}, .kernel_size = kernel}));
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error()[0].code, "filter/kernel-size");
    }
}

TEST_F(FilterTransforms, SpectraThatCannotBeAddressedAreReported) {
    Graph g = graph();
    const std::vector<float> numbers(4096);
    const Buffer source = g.constant_buffer("numbers", {.size = 4096 * sizeof(float)},
                                            testing_gpu::bytes_of(numbers));
    EXPECT_FALSE(passes::convolve_fft(
        g, source, source,
        {.size = {1u << 15, 1u << 13, 1, 1}, .kernel_size = {3, 3, 1, 1}, .filters = 3}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error()[0].code, "filter/too-large");
}

/// What the passes say of them: a transform spreads them over its array, and over no other.
TEST_F(FilterTransforms, NumbersThatAreNotFiniteSpreadOverTheirArrayAlone) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const FilterProblem problem{
            .size = {24, 10, 1, 1}, .batch = 2, .kernel_size = {3, 3, 1, 1}};
        const SharedCase good = filter_case(problem);
        std::vector<float> source = good->source;
        source[3 * 24 + 7] = bad;
        for (const NamedWay& way : {kWholeFft, kTilesFft})
            later(way.way(batch(), floats(source), floats(good->kernel), problem),
                  [=](const std::vector<float>& got) {
                      ASSERT_EQ(got.size(), 480u);
                      for (std::size_t i = 0; i < 240; ++i) // one tile, too
                          ASSERT_FALSE(std::isfinite(got[i])) << way.name << ' ' << i;
                      for (std::size_t i = 240; i < 480; ++i)
                          ASSERT_NEAR(got[i], good->expected[i].value, 1e-4)
                              << way.name << ' ' << i;
                  });
    }
    run_batch();
}

/// Two arrays are a spectrum's real and imaginary part; kernels are not mixed.
TEST_F(FilterTransforms, AreLinear) {
    const FilterProblem problem{.size = {24, 10, 1, 1}, .kernel_size = {3, 3, 1, 1}};
    const std::vector<float> a = random_numbers(24 * 10, 1);
    const std::vector<float> b = random_numbers(24 * 10, 2);
    const std::vector<float> kernel = random_numbers(9, 3);
    std::vector<float> sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += b[i];
    for (const NamedWay& way : {kWholeFft, kTilesFft}) {
        auto parts = std::make_shared<std::vector<float>>(a.size());
        for (const auto& part : {a, b})
            later(way.way(batch(), floats(part), floats(kernel), problem),
                  [=](const std::vector<float>& got) {
                      for (std::size_t i = 0; i < got.size(); ++i)
                          (*parts)[i] += got[i];
                  });
        later(way.way(batch(), floats(sum), floats(kernel), problem),
              [=](const std::vector<float>& got) {
                  for (std::size_t i = 0; i < got.size(); ++i)
                      ASSERT_NEAR(got[i], (*parts)[i], 1e-4) << way.name << ' ' << i;
              });
    }
    run_batch();
}

} // namespace
} // namespace tuff
