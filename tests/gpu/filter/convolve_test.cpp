#include "tests/gpu/filter/convolve_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

/// The direct ways to convolve: what the checks of the chapter say that they give.
namespace tuff {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterPath;
using passes::FilterProblem;
using testing_gpu::ArrayShape;
using testing_gpu::counted;
using testing_gpu::Floats;
using testing_gpu::kEveryBorder;
using testing_gpu::kLaplace3;
using testing_gpu::kLaplace5;
using testing_gpu::kSobel;
using testing_gpu::random_numbers;
using testing_gpu::random_problem;
using testing_gpu::random_source;
using testing_gpu::random_whole;

class Convolve : public testing_gpu::ConvolveTest {};

/// Sizes that are no multiples of a tile, and reach a second one along each axis of a plane.
const std::vector<ArrayShape> kShapes{
    {{131, 67, 1, 1}, {5, 3, 1, 1}}, {{129, 67, 1, 1}, {9, 9, 1, 1}},
    {{33, 17, 9, 1}, {3, 5, 3, 1}},  {{17, 16, 9, 5}, {3, 3, 5, 3}},
    {{1, 77, 1, 1}, {1, 7, 1, 1}},   {{301, 1, 1, 1}, {17, 1, 1, 1}}};

TEST_F(Convolve, PlainIsTheReferenceForAllBordersAndSizes) {
    for (const FilterBorder border : kEveryBorder)
        for (const auto& [size, kernel_size] : kShapes)
            expect_reference(random_problem(size, kernel_size, border), FilterPath::plain);
    run_batch();
}

TEST_F(Convolve, TiledIsTheReferenceForAllBordersAndSizes) {
    for (const FilterBorder border : borders())
        for (const auto& [size, kernel_size] : kShapes)
            expect_reference(random_problem(size, kernel_size, border), FilterPath::tiled);
    run_batch();
}

TEST_F(Convolve, OtherPlainFormsAreTheReference) {
    const ArrayShape plane{{131, 67, 1, 1}, {5, 3, 1, 1}};
    const ArrayShape volume{{33, 17, 9, 1}, {3, 5, 3, 1}};
    for (const FilterBorder border : kEveryBorder) {
        expect_reference(random_problem(plane.size, plane.kernel_size, border),
                         FilterPath::texture);
        expect_reference(random_problem(volume.size, volume.kernel_size, border),
                         FilterPath::texture);
    }
    for (const ArrayShape& shape : {plane, volume}) {
        const auto problem = random_problem(shape.size, shape.kernel_size, FilterBorder::mirror);
        expect_reference(problem, FilterPath::plain_unrolled);
        expect_reference(problem, FilterPath::texture_unrolled);
    }
    run_batch();
}

/// Each path of the pass, whose own tests are elsewhere. Transforms round by the greatest sums.
TEST_F(Convolve, AllPathsAgree) {
    const std::vector<ArrayShape> shapes{{{129, 67, 1, 1}, {5, 7, 1, 1}},
                                         {{33, 17, 9, 1}, {3, 5, 3, 1}}};
    for (const auto& [size, kernel_size] : shapes)
        for (const FilterBorder border : {FilterBorder::zero, FilterBorder::mirror}) {
            const auto problem = random_problem(size, kernel_size, border);
            for (const FilterPath path :
                 {FilterPath::accumulated, FilterPath::vectors, FilterPath::multipass})
                expect_reference(problem, path);
            auto tiled = std::make_shared<Floats>();
            solve(problem, random_source(problem), {}, [=](const Floats& got) { *tiled = got; });
            double greatest = 0.0; // result: numbers are at most 1
            for (const float weight : problem.weights)
                greatest += std::abs(static_cast<double>(weight));
            const double share = 2e-6 * std::log2(static_cast<double>(filter_count(size)));
            for (const auto& [path, within] :
                 {std::pair(FilterPath::fft, share), std::pair(FilterPath::tiles_fft, share),
                  std::pair(FilterPath::matrix, 2e-3)})
                solve(problem, random_source(problem), {.path = path}, [=](const Floats& got) {
                    ASSERT_EQ(got.size(), tiled->size());
                    for (std::size_t i = 0; i < got.size(); ++i)
                        ASSERT_NEAR(got[i], (*tiled)[i], within * greatest)
                            << passes::name_of(path) << ", result " << i;
                });
        }
    FilterProblem bytes = random_problem({33, 17, 9, 1}, {3, 5, 3, 1});
    Floats source = random_whole(filter_count(bytes.size), 0, 255, 3);
    for (float& number : source)
        number /= 255.0f;
    expect_reference(bytes, source, {.path = FilterPath::packed}, 2e-6);
    run_batch();
}

/// The chapter's sizes for its tests: 3, 9 and 17 in a plane, 5 and 7 in a volume, 3 and 5 with
/// four axes.
TEST_F(Convolve, TiledIsTheReferenceForKernelsOfAllSizes) {
    for (const std::uint32_t n : {3u, 9u, 17u, 31u})
        expect_reference(random_problem({131, 67, 1, 1}, {n, n, 1, 1}), FilterPath::tiled);
    for (const std::uint32_t n : {5u, 7u})
        expect_reference(random_problem({24, 20, 18, 1}, {n, n, n, 1}), FilterPath::tiled);
    for (const std::uint32_t n : {3u, 5u})
        expect_reference(random_problem({10, 9, 8, 7}, {n, n, n, n}), FilterPath::tiled);
    // More than 16 KiB of weights, and more than 64.
    expect_reference(random_problem({20, 9, 7, 1}, {17, 17, 17, 1}), FilterPath::tiled);
    expect_reference(random_problem({9, 4, 5, 3}, {13, 11, 11, 11}), FilterPath::tiled);
    run_batch();
}

/// The block shapes of GPUs run on software devices as well. They are taken where there are groups
/// enough, which batches make.
TEST_F(Convolve, TiledIsTheReferenceInTheShapesOfGpus) {
    as_for_gpus();
    struct Batch {
        ArrayShape shape;
        std::uint32_t arrays;
        std::uint32_t filters; // so many that the last block of them is not whole
    };
    const std::vector<Batch> batches{
        {{{131, 35, 1, 1}, {5, 3, 1, 1}}, 67, 1}, {{{20, 12, 1, 1}, {9, 9, 1, 1}}, 264, 1},
        {{{20, 12, 1, 1}, {3, 3, 1, 1}}, 132, 5}, {{{20, 6, 5, 1}, {3, 5, 3, 1}}, 132, 1},
        {{{20, 6, 5, 1}, {3, 3, 3, 1}}, 44, 3},   {{{9, 5, 6, 3}, {3, 3, 3, 3}}, 44, 1}};
    for (const auto& [shape, arrays, filters] : batches) {
        FilterProblem problem = random_problem(shape.size, shape.kernel_size, FilterBorder::clamp);
        problem.batch = arrays;
        problem.filters = filters;
        problem.weights = random_numbers(filters * filter_count(shape.kernel_size), 5);
        expect_reference(problem, FilterPath::tiled);
    }
    run_batch();
}

TEST_F(Convolve, KernelsAndArraysFollowOneAnother) {
    for (const FilterPath path :
         {FilterPath::plain, FilterPath::plain_unrolled, FilterPath::texture, FilterPath::tiled}) {
        FilterProblem problem = random_problem({21, 13, 1, 1}, {3, 5, 1, 1}, FilterBorder::valid);
        problem.batch = 3;
        problem.filters = 7;
        problem.weights = random_numbers(7 * 15, 5);
        expect_reference(problem, random_source(problem), {.path = path});
        expect_reference(problem, random_source(problem), {.path = path, .device_weights = true});
    }
    run_batch();
}

/// The group numbers of a dispatch are folded into rows of 65,535.
TEST_F(Convolve, ManyGroupsAreFoldedIntoRows) {
    FilterProblem problem = random_problem({3, 2, 1, 1}, {3, 3, 1, 1}, FilterBorder::wrap);
    problem.batch = 70'001;
    expect_reference(problem, FilterPath::tiled);
    run_batch();
}

/// Larger than the array along every axis, so that the border is passed more than once.
TEST_F(Convolve, KernelsMayBeLargerThanTheArray) {
    for (const FilterBorder border : kEveryBorder) {
        if (border == FilterBorder::valid) continue;
        for (const FilterPath path : {FilterPath::plain, FilterPath::tiled})
            expect_reference(random_problem({3, 2, 2, 1}, {13, 9, 11, 1}, border), path);
    }
    run_batch();
}

TEST_F(Convolve, WholeNumbersAreExact) {
    const Floats image = random_whole(131 * 67, 0, 255, 1);
    for (const FilterPath path : {FilterPath::plain, FilterPath::texture, FilterPath::tiled})
        for (const auto& [weights, n] :
             {std::pair(kSobel, 3u), std::pair(kLaplace3, 3u), std::pair(kLaplace5, 5u)})
            expect_reference({.size = {131, 67, 1, 1},
                              .kernel_size = {n, n, 1, 1},
                              .border = FilterBorder::mirror,
                              .weights = weights},
                             image, {.path = path}, 0.0);
    run_batch();
}

/// An impulse gives the kernel, turned where it is a correlation.
TEST_F(Convolve, AnImpulseGivesTheKernel) {
    const std::vector<ArrayShape> shapes{{{31, 1, 1, 1}, {7, 1, 1, 1}},
                                         {{19, 23, 1, 1}, {5, 7, 1, 1}},
                                         {{11, 9, 13, 1}, {5, 3, 7, 1}},
                                         {{9, 8, 7, 9}, {3, 5, 3, 5}}};
    for (const auto& [size, kernel_size] : shapes)
        for (const bool correlate : {false, true})
            for (const FilterPath path : {FilterPath::plain, FilterPath::tiled}) {
                const std::uint64_t taps = filter_count(kernel_size);
                Floats source(filter_count(size));
                std::uint64_t middle = 0;
                for (std::size_t axis = 4; axis-- > 0;)
                    middle = middle * size[axis] + size[axis] / 2;
                source[middle] = 1.0f;
                const FilterProblem problem{.size = size,
                                            .kernel_size = kernel_size,
                                            .correlate = correlate,
                                            .weights = counted(taps)};
                solve(problem, source, {.path = path}, [=](const Floats& got) {
                    ASSERT_EQ(got.size(), filter_count(size));
                    Floats met;
                    for (const float number : got)
                        if (number != 0.0f) met.push_back(number);
                    Floats expected = counted(taps);
                    if (correlate) std::ranges::reverse(expected);
                    EXPECT_EQ(met, expected);
                });
            }
    run_batch();
}

TEST_F(Convolve, ConstantsAreMultipliedByTheSumOfTheWeights) {
    const Floats source(40 * 21, 3.25f);
    for (const FilterBorder border : {FilterBorder::clamp, FilterBorder::wrap}) {
        FilterProblem problem{.size = {40, 21, 1, 1},
                              .kernel_size = {9, 9, 1, 1},
                              .border = border,
                              .weights = Floats(81, 1.0f / 81.0f)};
        solve(problem, source, {}, [](const Floats& got) {
            for (const float number : got)
                ASSERT_NEAR(number, 3.25f, 1e-6 * 3.25);
        });
        problem.kernel_size = {5, 5, 1, 1};
        problem.weights = kLaplace5;
        solve(problem, source, {}, [](const Floats& got) {
            for (const float number : got)
                ASSERT_EQ(number, 0.0f);
        });
    }
    run_batch();
}

/// Sobel's kernel correlates with a ramp to eight times its slope.
TEST_F(Convolve, SobelMeasuresTheSlopeOfARamp) {
    Floats ramp;
    for (int y = 0; y < 21; ++y)
        for (int x = 0; x < 40; ++x)
            ramp.push_back(0.5f * static_cast<float>(x) + 7.0f * static_cast<float>(y));
    solve({.size = {40, 21, 1, 1},
           .kernel_size = {3, 3, 1, 1},
           .border = FilterBorder::valid,
           .correlate = true,
           .weights = kSobel},
          ramp, {}, [](const Floats& got) {
              ASSERT_EQ(got.size(), 38u * 19u);
              for (const float number : got)
                  ASSERT_EQ(number, 4.0f);
          });
    run_batch();
}

/// The thesis' example: rows of a picture of 4 x 4, weights 1 to 9.
TEST_F(Convolve, TheWorkedExampleIs3218) {
    const Floats picture{20, 32, 47, 2, 58, 120, 200, 87, 33, 8, 74, 72, 4, 2, 65, 3};
    for (const FilterPath path : {FilterPath::plain, FilterPath::tiled})
        solve({.size = {4, 4, 1, 1},
               .kernel_size = {3, 3, 1, 1},
               .correlate = true,
               .weights = counted(9)},
              picture, {.path = path}, [](const Floats& got) { EXPECT_EQ(got.at(5), 3218.0f); });
    run_batch();
}

TEST_F(Convolve, TheIdentityChangesNothing) {
    for (const FilterBorder border : {FilterBorder::zero, FilterBorder::clamp}) {
        FilterProblem problem{.size = {19, 17, 13, 1},
                              .kernel_size = {3, 3, 3, 1},
                              .border = border,
                              .weights = Floats(27)};
        problem.weights[13] = 1.0f;
        const Floats source = random_source(problem);
        solve(problem, source, {}, [=](const Floats& got) { EXPECT_EQ(got, source); });
    }
    run_batch();
}

TEST_F(Convolve, AKernelOfOneWeightScales) {
    for (const FilterPath path :
         {FilterPath::plain, FilterPath::tiled, FilterPath::separable, FilterPath::texture})
        for (const float weight : {1.0f, 0.5f}) {
            const Floats source = random_numbers(35, 2);
            solve({.size = {7, 5, 1, 1}, .weights = {weight}}, source, {.path = path},
                  [=](const Floats& got) {
                      Floats expected = source;
                      for (float& number : expected)
                          number *= weight;
                      EXPECT_EQ(got, expected);
                  });
        }
    run_batch();
}

TEST_F(Convolve, IsLinear) {
    const FilterProblem problem = random_problem({50, 40, 1, 1}, {9, 9, 1, 1});
    const Floats a = random_numbers(2000, 1);
    const Floats b = random_numbers(2000, 2);
    Floats both = a;
    for (std::size_t i = 0; i < both.size(); ++i)
        both[i] += b[i];
    Floats sums;
    double magnitude = 0.0;
    for (const float weight : problem.weights)
        magnitude += std::abs(static_cast<double>(weight)) * 4.0; // |a| + |b| + |a + b| at most
    solve(problem, a, {}, [&](const Floats& got) { sums = got; });
    solve(problem, b, {}, [&](const Floats& got) {
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums.at(i) += got.at(i);
    });
    solve(problem, both, {}, [&](const Floats& got) {
        for (std::size_t i = 0; i < sums.size(); ++i)
            ASSERT_NEAR(got.at(i), sums.at(i), 1e-6 * magnitude);
    });
    run_batch();
}

/// By one number, in an array that repeats: to the bit.
TEST_F(Convolve, AShiftShiftsTheResult) {
    const FilterProblem problem = random_problem({50, 12, 5, 1}, {5, 7, 3, 1}, FilterBorder::wrap);
    const Floats source = random_source(problem);
    const auto shifted = [](const Floats& numbers) {
        Floats moved(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            moved[i / 50 * 50 + (i + 1) % 50] = numbers[i];
        return moved;
    };
    for (const FilterPath path : {FilterPath::plain, FilterPath::tiled}) {
        Floats still;
        solve(problem, source, {.path = path}, [&](const Floats& got) { still = got; });
        solve(problem, shifted(source), {.path = path},
              [&](const Floats& got) { EXPECT_EQ(got, shifted(still)); });
        run_batch();
    }
}

/// It reaches the results whose neighbourhood has it, and no others.
TEST_F(Convolve, ANumberThatIsNoneSpreadsAsFarAsTheKernel) {
    const FilterProblem problem = random_problem({90, 40, 1, 1}, {5, 7, 1, 1});
    Floats source = random_source(problem);
    source[20 * 90 + 64] = std::numeric_limits<float>::quiet_NaN();
    for (const FilterPath path : {FilterPath::plain, FilterPath::tiled})
        solve(problem, source, {.path = path}, [](const Floats& got) {
            for (int y = 0; y < 40; ++y)
                for (int x = 0; x < 90; ++x)
                    ASSERT_EQ(std::isnan(got.at(static_cast<std::size_t>(y * 90 + x))),
                              std::abs(x - 64) <= 2 && std::abs(y - 20) <= 3)
                        << x << ", " << y;
        });
    run_batch();
}

} // namespace
} // namespace tuff
