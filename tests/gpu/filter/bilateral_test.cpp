#include "passes/filter/bilateral.hpp"
#include "tests/gpu/filter/array_fixture.hpp"
#include "tests/reference/filter_reference.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <numeric>

/// filter/bilateral against its definition in double precision, and its fast methods against it.
namespace tuff {
namespace {

using passes::BilateralMethod;
using passes::filter_count;
using passes::FilterBilateral;
using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;
using testing_gpu::FilterNumbers;
using testing_gpu::neighbours;
using testing_gpu::own_number;
using testing_gpu::psnr;
using testing_gpu::unit_numbers;

constexpr float kBilateralInfinity = std::numeric_limits<float>::infinity();

glm::uvec4 bilateral_uvec4(const FilterSize& size) {
    return {size[0], size[1], size[2], size[3]};
}

FilterNumbers bilateral_gaussian(const FilterSize& size, double sigma) {
    std::vector<double> exact;
    for (std::uint64_t i = 0; i < filter_count(size); ++i) {
        double squares = 0.0;
        std::uint64_t rest = i;
        for (const std::uint32_t extent : size) {
            const double apart = static_cast<double>(rest % extent) - extent / 2;
            squares += apart * apart;
            rest /= extent;
        }
        exact.push_back(std::exp(-0.5 * squares / (sigma * sigma)));
    }
    const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
    FilterNumbers weights;
    for (const double weight : exact)
        weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

double bilateral_defined(const FilterProblem& problem, const FilterNumbers& source,
                         double sigma_range, std::uint64_t result) {
    const double own = own_number(problem, source, result);
    if (!std::isfinite(own)) return own;
    const FilterNumbers met = neighbours(problem, source, result);
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i < met.size(); ++i) {
        if (!std::isfinite(met[i])) continue;
        const double apart = (static_cast<double>(met[i]) - own) / sigma_range;
        const double weight = static_cast<double>(problem.weights[met.size() - 1 - i]) *
                              std::exp(-0.5 * apart * apart);
        sum += weight * static_cast<double>(met[i]);
        weights += weight;
    }
    return weights > 0.0 ? sum / weights : own;
}

class FilterBilateralTest : public testing_gpu::FilterArrayTest {
  protected:
    FilterBilateral pass_of(const FilterProblem& problem, const FilterNumbers& source) {
        return {.source = numbers(source),
                .size = bilateral_uvec4(problem.size),
                .batch = problem.batch,
                .kernel_size = bilateral_uvec4(problem.kernel_size),
                .border = problem.border};
    }

    /// Every result is compared, or `some` of them.
    void expect_defined(FilterProblem problem, const FilterNumbers& source, float sigma_range,
                        std::size_t some = 2000, double within = 2e-6) {
        FilterBilateral pass = pass_of(problem, source);
        pass.kernel = numbers(problem.weights);
        pass.sigma_range = sigma_range;
        expect(batch().add(pass).result, [=](const FilterNumbers& got) {
            SCOPED_TRACE(fmt::format("{} by {}, border {}", fmt::join(problem.size, "x"),
                                     fmt::join(problem.kernel_size, "x"),
                                     static_cast<int>(problem.border)));
            ASSERT_EQ(got.size(), filter_count(filter_result_size(problem)) * problem.batch);
            const std::size_t step = std::max<std::size_t>(got.size() / some, 1);
            for (std::size_t i = 0; i < got.size(); i += step) {
                const double should =
                    bilateral_defined(problem, source, static_cast<double>(sigma_range), i);
                // Exponentials of devices are good to 3 + 2 |x| units in the last place.
                if (std::isfinite(should)) {
                    ASSERT_NEAR(static_cast<double>(got[i]), should, within) << i;
                } else {
                    ASSERT_EQ(std::isnan(got[i]), std::isnan(should)) << i;
                }
            }
        });
    }
};

FilterProblem bilateral_problem(const FilterSize& size, const FilterSize& kernel_size,
                                FilterBorder border = FilterBorder::clamp,
                                std::uint32_t batch = 1) {
    FilterProblem problem{
        .size = size, .batch = batch, .kernel_size = kernel_size, .border = border};
    problem.weights = unit_numbers(filter_count(kernel_size), 5); // asymmetric: not turned is wrong
    return problem;
}

FilterNumbers bilateral_source(const FilterProblem& problem, std::uint32_t seed = 7) {
    return unit_numbers(filter_count(problem.size) * problem.batch, seed);
}

TEST_F(FilterBilateralTest, IsAsDefinedInOneToFourDimensionsAtEachBorder) {
    const std::pair<FilterSize, FilterSize> shapes[] = {
        {{1100, 1, 1, 1}, {21, 1, 1, 1}}, {{67, 45, 1, 1}, {5, 7, 1, 1}},
        {{1, 61, 1, 1}, {1, 9, 1, 1}},    {{33, 17, 9, 1}, {3, 5, 3, 1}},
        {{17, 16, 9, 5}, {3, 3, 5, 3}},   {{150, 3, 4, 1}, {5, 3, 3, 1}}};
    for (const auto& [size, kernel_size] : shapes)
        for (const FilterBorder border :
             {FilterBorder::zero, FilterBorder::clamp, FilterBorder::mirror, FilterBorder::wrap,
              FilterBorder::valid}) {
            // At valid borders all three rows of the last shape are needed.
            const FilterProblem problem = bilateral_problem(size, kernel_size, border);
            expect_defined(problem, bilateral_source(problem), 0.3f, 500);
        }
    run_batch();
}

TEST_F(FilterBilateralTest, IsAsDefinedWhereKernelsOutgrowTilesAndArrays) {
    // 61 x 61 does not fit a tile; 9 x 9 is mirrored more than once by an array of 3 x 2.
    for (const auto& [size, kernel_size] :
         std::initializer_list<std::pair<FilterSize, FilterSize>>{{{40, 35, 1, 1}, {61, 61, 1, 1}},
                                                                  {{3, 2, 1, 1}, {9, 9, 1, 1}},
                                                                  {{1, 1, 1, 1}, {3, 3, 3, 3}}})
        for (const FilterBorder border :
             {FilterBorder::zero, FilterBorder::mirror, FilterBorder::wrap}) {
            const FilterProblem problem = bilateral_problem(size, kernel_size, border, 2);
            expect_defined(problem, bilateral_source(problem), 0.2f, 100, 5e-6);
        }
    run_batch();
}

TEST_F(FilterBilateralTest, TakesEachArrayOfABatchByItself) {
    const FilterProblem problem =
        bilateral_problem({35, 33, 2, 1}, {3, 3, 3, 1}, FilterBorder::wrap, 3);
    expect_defined(problem, bilateral_source(problem), 0.1f);
    run_batch();
}

// Check "sigma_r to infinity equals the Gaussian (1e-6)", of all methods that say so.
TEST_F(FilterBilateralTest, IsAGaussianWhereTheRangeDoesNotMatter) {
    for (const FilterSize& kernel_size : {FilterSize{9, 9, 1, 1}, FilterSize{5, 7, 5, 1}}) {
        FilterProblem problem =
            bilateral_problem({41, 23, 6, 1}, kernel_size, FilterBorder::mirror);
        problem.weights = bilateral_gaussian(kernel_size, 2.0);
        const FilterNumbers source = bilateral_source(problem);
        for (const BilateralMethod method : {BilateralMethod::direct, BilateralMethod::separable}) {
            FilterBilateral pass = pass_of(problem, source);
            pass.sigma = glm::vec4(2.0f);
            pass.sigma_range = 1e18f;
            pass.method = method;
            expect(batch().add(pass).result, [=](const FilterNumbers& got) {
                const auto sums = reference::convolved(problem, source, problem.weights);
                ASSERT_EQ(got.size(), sums.size());
                for (std::size_t i = 0; i < got.size(); ++i)
                    ASSERT_NEAR(static_cast<double>(got[i]), sums[i].value, 1e-6) << i;
            });
        }
    }
    run_batch();
}

// Check "a step edge of 1.0 with sigma_r = 0.05 keeps the edge: |difference| <= 1e-3".
TEST_F(FilterBilateralTest, KeepsAStep) {
    for (const FilterSize& size : {FilterSize{64, 20, 1, 1}, FilterSize{40, 12, 10, 1}})
        for (const BilateralMethod method :
             {BilateralMethod::direct, BilateralMethod::separable, BilateralMethod::grid}) {
            FilterNumbers source(filter_count(size));
            for (std::size_t i = 0; i < source.size(); ++i)
                source[i] = i % size[0] < size[0] / 2 ? 0.0f : 1.0f;
            FilterProblem problem{.size = size,
                                  .kernel_size = {9, 9, size[2] > 1 ? 9u : 1u, 1},
                                  .border = FilterBorder::clamp};
            FilterBilateral pass = pass_of(problem, source);
            pass.sigma_range = 0.05f;
            pass.method = method;
            expect(batch().add(pass).result, [=](const FilterNumbers& got) {
                ASSERT_EQ(got.size(), source.size());
                for (std::size_t i = 0; i < got.size(); ++i)
                    ASSERT_NEAR(got[i], source[i], 1e-3f) << i;
            });
        }
    run_batch();
}

TEST_F(FilterBilateralTest, LeavesNumbersThatAreNotFiniteAndDoesNotSpreadThem) {
    FilterProblem problem = bilateral_problem({30, 20, 1, 1}, {5, 5, 1, 1});
    FilterNumbers source = bilateral_source(problem);
    source[43] = std::nanf("");
    source[44] = kBilateralInfinity;
    source[319] = -kBilateralInfinity;
    expect_defined(problem, source, 0.3f);
    for (const BilateralMethod method : {BilateralMethod::separable, BilateralMethod::grid}) {
        FilterBilateral pass = pass_of(problem, source);
        pass.method = method;
        expect(batch().add(pass).result, [=](const FilterNumbers& got) {
            ASSERT_TRUE(std::isnan(got[43]));
            ASSERT_EQ(got[44], kBilateralInfinity);
            ASSERT_EQ(got[319], -kBilateralInfinity);
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_EQ(std::isfinite(got[i]), std::isfinite(source[i])) << i;
        });
    }
    run_batch();
}

/// A disc and a ramp, with noise: edges in all directions.
FilterNumbers bilateral_scene(const FilterSize& size) {
    FilterNumbers values = unit_numbers(filter_count(size), 11);
    for (std::size_t i = 0; i < values.size(); ++i) {
        double squares = 0.0;
        std::uint64_t rest = i;
        for (const std::uint32_t extent : size) {
            const double at = (static_cast<double>(rest % extent) + 0.5) / extent - 0.5;
            if (extent > 1) squares += at * at;
            rest /= extent;
        }
        const double inside = squares < 0.1 ? 0.75 : 0.25;
        const double ramp = 0.15 * static_cast<double>(i % size[0]) / size[0];
        values[i] =
            static_cast<float>(inside + ramp + 0.1 * (static_cast<double>(values[i]) - 0.5));
    }
    return values;
}

TEST_F(FilterBilateralTest, IsApproximatedByTheOtherMethods) {
    struct BilateralShape {
        FilterSize size;
        FilterSize kernel_size;
        float sigma;
        FilterBorder border;
    };
    for (const BilateralShape& shape :
         {BilateralShape{{517, 1, 1, 1}, {25, 1, 1, 1}, 4.0f, FilterBorder::wrap},
          BilateralShape{{67, 53, 1, 1}, {19, 19, 1, 1}, 3.0f, FilterBorder::valid},
          BilateralShape{{15, 14, 13, 1}, {13, 13, 13, 1}, 2.0f, FilterBorder::wrap}}) {
        const FilterProblem problem{
            .size = shape.size, .kernel_size = shape.kernel_size, .border = shape.border};
        const FilterNumbers source = bilateral_scene(shape.size);
        FilterBilateral pass = pass_of(problem, source);
        pass.sigma = glm::vec4(shape.sigma);
        pass.sigma_range = 0.15f;
        const auto direct = std::make_shared<FilterNumbers>();
        expect(batch().add(pass).result, [=](const FilterNumbers& got) { *direct = got; });
        const auto expect_near = [&](BilateralMethod method, float cell, double bound) {
            pass.method = method;
            pass.cell = cell;
            expect(batch().add(pass).result, [=](const FilterNumbers& got) {
                SCOPED_TRACE(
                    fmt::format("{} border {} method {} cell {}", fmt::join(problem.size, "x"),
                                static_cast<int>(problem.border), static_cast<int>(method), cell));
                ASSERT_EQ(got.size(), direct->size());
                EXPECT_GE(psnr(got, *direct, 1.0), bound);
            });
        };
        expect_near(BilateralMethod::separable, 1.0f, 48.0);
        expect_near(BilateralMethod::grid, 1.0f, 52.0);
        expect_near(BilateralMethod::grid, 0.5f, 65.0);
    }
    run_batch();
}

TEST_F(FilterBilateralTest, ByTheGridIsTheSameInEveryRun) {
    const FilterSize size{61, 47, 1, 1};
    const FilterProblem problem{.size = size, .kernel_size = {9, 9, 1, 1}};
    FilterBilateral pass = pass_of(problem, bilateral_scene(size));
    pass.method = BilateralMethod::grid;
    const auto first = std::make_shared<FilterNumbers>();
    expect(batch().add(pass).result, [=](const FilterNumbers& got) { *first = got; });
    expect(batch().add(pass).result, [=](const FilterNumbers& got) { ASSERT_EQ(got, *first); });
    run_batch();
}

TEST_F(FilterBilateralTest, SaysWhatIsWrong) {
    using Codes = std::vector<std::string>;
    const auto code_of = [this](const std::function<void(FilterBilateral&, Graph&)>& change) {
        return codes([&](Graph& g) {
            FilterBilateral pass{.source = numbers(g, "source", FilterNumbers(60)),
                                 .size = {10, 6, 1, 1}};
            change(pass, g);
            return g.add(pass).result;
        });
    };
    EXPECT_EQ(code_of([](auto&, auto&) {}), Codes{});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.size = {10, 7, 1, 1};
              }),
              Codes{"filter/too-short"});
    EXPECT_EQ(code_of([](auto& pass, auto&) { pass.size = {10, 0, 1, 1}; }), Codes{"filter/empty"});
    EXPECT_EQ(code_of([](auto& pass, auto&) { pass.size = glm::uvec4(~0u); }),
              Codes{"filter/too-large"});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.size = {0, ~0u, ~0u, 1};
              }),
              Codes{"filter/too-large"});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.kernel_size = {4, 5, 1, 1};
              }),
              Codes{"filter/kernel-size"});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.kernel_size = {99999, 99999, 1, 1};
              }),
              Codes{"filter/too-large"});
    EXPECT_EQ(code_of([](auto& pass, auto&) { pass.border = FilterBorder::valid; }),
              Codes{"filter/no-result"});
    EXPECT_EQ(code_of([](auto& pass, Graph& g) {
                  pass.kernel = numbers(g, "kernel", FilterNumbers(80));
              }),
              Codes{"filter/too-short"});
    EXPECT_EQ(code_of([](auto& pass, Graph& g) {
                  pass.kernel = numbers(g, "kernel", FilterNumbers(81));
                  pass.method = BilateralMethod::grid;
              }),
              Codes{"filter/kernel-given"});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.method = BilateralMethod::grid;
                  pass.range = {1.0f, 1.0f};
              }),
              Codes{"filter/bilateral-grid"});
    EXPECT_EQ(code_of([](auto& pass, auto&) {
                  pass.method = BilateralMethod::grid;
                  pass.sigma_range = 1e-5f;
              }),
              Codes{"filter/bilateral-grid"});
}

} // namespace
} // namespace tuff
