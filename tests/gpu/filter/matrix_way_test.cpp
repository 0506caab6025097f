#include "tests/gpu/filter/way_test.hpp"

#include <bit>
#include <cmath>

/// Kernels as columns of a matrix.
namespace tuff {
namespace {

using passes::FilterBorder;
using passes::FilterProblem;
using testing_gpu::filter_case;
using testing_gpu::kDirectBound;
using testing_gpu::WayBound;

class FilterMatrix : public testing_gpu::WayTest {
  protected:
    /// Matrix units round to 16 bits, and the text allows 2e-3.
    WayBound matrix_bound() {
        const DeviceCaps& caps = device().caps();
        const bool units = caps.cooperative_matrix && caps.fp16 && caps.subgroup_size == 32;
        return units ? WayBound{.of_own_sum = 2e-3} : kDirectBound;
    }
};

TEST_F(FilterMatrix, ProductsAreSumsWithEveryBorder) {
    for (const FilterBorder border : testing_gpu::kEveryBorder)
        for (FilterProblem problem :
             {FilterProblem{.size = {40, 33, 1, 1}, .kernel_size = {9, 9, 1, 1}, .filters = 12},
              FilterProblem{
                  .size = {17, 9, 7, 1}, .batch = 2, .kernel_size = {5, 3, 5, 1}, .filters = 16},
              FilterProblem{.size = {9, 8, 6, 5}, .kernel_size = {3, 3, 3, 3}, .filters = 19},
              FilterProblem{.size = {300, 1, 1, 1}, .kernel_size = {1, 1, 1, 1}, .filters = 33},
              FilterProblem{.size = {3, 4, 1, 1}, .kernel_size = {7, 5, 1, 1}, .filters = 8}}) {
            problem.border = border;
            problem.correlate = border == FilterBorder::wrap;
            if (passes::filter_count(passes::filter_result_size(problem)) == 0) continue;
            try_way({"matrix", passes::convolve_matrix}, filter_case(problem), matrix_bound());
        }
    run_batch();
}

float half_of_bits(std::uint32_t bits) {
    const double mantissa = static_cast<double>(bits & 0x3ffu) / 1024.0;
    const int exponent = static_cast<int>(bits >> 10 & 31u);
    const double size =
        exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1.0 + mantissa, exponent - 15);
    return static_cast<float>((bits & 0x8000u) != 0 ? -size : size);
}

/// What matrix units are given: also devices without them can make it.
TEST_F(FilterMatrix, WeightsOf16BitsKeepElevenDigitsOfTheGreatest) {
    constexpr std::uint32_t kFilters = 19;
    constexpr std::uint32_t kTaps = 27;
    constexpr std::uint32_t kLines = 32;
    std::vector<float> kernel = testing_gpu::random_numbers(kFilters * kTaps, 4);
    for (std::uint32_t i = 0; i < kTaps; ++i) {
        kernel[3 * kTaps + i] *= 1e-7f; // would be nothing in 16 bits
        kernel[4 * kTaps + i] *= 1e9f;  // or infinite
        kernel[5 * kTaps + i] = 0.0f;
    }
    Graph g = graph();
    ComputeNodeBuilder node = g.compute("filter/matrix_weights");
    node.read("kernel", g.constant_buffer("kernel", {.size = kernel.size() * sizeof(float)},
                                          testing_gpu::bytes_of(kernel)));
    node.set("pairs", 16u);
    node.set("filters", kFilters);
    node.set("taps", kTaps);
    node.set("lines", kLines);
    node.set("turned", 1u);
    g.output("words", node.write("result", g.buffer("words", {.size = 16 * kLines * 4})));
    g.output("scales", node.write("scales", g.buffer("scales", {.size = kFilters * 4})));
    node.dispatch(16);
    testing_gpu::Running running = run(std::move(g));
    const auto words = running.buffer<std::uint32_t>("words");
    const auto scales = running.buffer<float>("scales");
    ASSERT_EQ(words.size(), 16u * kLines);
    for (std::uint32_t which = 0; which < 32; ++which) {
        float greatest = 0.0f;
        for (std::uint32_t tap = 0; which < kFilters && tap < kTaps; ++tap)
            greatest = std::max(greatest, std::abs(kernel[which * kTaps + tap]));
        for (std::uint32_t line = 0; line < kLines; ++line) {
            const std::uint32_t word = words[(which / 16 * kLines + line) * 8 + which % 16 / 2];
            const float half = half_of_bits(word >> 16 * (which % 2) & 0xffffu);
            if (which >= kFilters || line >= kTaps) {
                ASSERT_EQ(half, 0.0f);
                continue;
            }
            ASSERT_LT(std::abs(half), 2.0f + 1e-3f);
            ASSERT_NEAR(half * scales[which], kernel[which * kTaps + kTaps - 1 - line],
                        greatest * 0x1p-10f);
        }
    }
}

} // namespace
} // namespace tuff
