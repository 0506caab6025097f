#include "passes/image/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <string>

namespace tuff::passes {
namespace {

double sum(const Kernel& kernel) {
    return std::accumulate(kernel.weights.begin(), kernel.weights.end(), 0.0);
}

Kernel random_kernel(int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Kernel kernel{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        kernel.weights.push_back(uniform(random));
    return kernel;
}

TEST(ImageKernels, AverageHasEqualWeightsThatSumToOne) {
    for (int size : {1, 3, 5, 17}) {
        const Kernel kernel = average_kernel(size);
        ASSERT_EQ(kernel.weights.size(), static_cast<std::size_t>(size * size));
        for (double weight : kernel.weights)
            EXPECT_DOUBLE_EQ(weight, 1.0 / (size * size));
        EXPECT_NEAR(sum(kernel), 1.0, 1e-14);
    }
}

TEST(ImageKernels, AnalyticGaussianHasThePrintedValues) {
    const Kernel kernel = gaussian_kernel(1.0, 1, GaussianScale::analytic);
    ASSERT_EQ(kernel.weights.size(), 9u);
    for (std::size_t corner : {0u, 2u, 6u, 8u})
        EXPECT_NEAR(kernel.weights[corner], 0.05855, 5e-6);
    for (std::size_t edge : {1u, 3u, 5u, 7u})
        EXPECT_NEAR(kernel.weights[edge], 0.09653, 5e-6);
    EXPECT_NEAR(kernel.weights[4], 0.15915, 5e-6);
    EXPECT_NEAR(sum(kernel), 0.7795, 5e-5);
}

TEST(ImageKernels, GaussianSumsToOneUnlessAnalytic) {
    for (double sigma : {0.05, 0.5, 1.0, 2.0, 4.0})
        for (int radius : {0, 1, 4, 8})
            EXPECT_NEAR(sum(gaussian_kernel(sigma, radius, GaussianScale::sum_one)), 1.0, 1e-14);
    // A wide window holds nearly all of the continuous Gaussian.
    EXPECT_NEAR(sum(gaussian_kernel(1.0, 8, GaussianScale::analytic)), 1.0, 1e-7);
}

TEST(ImageKernels, GaussianRadiusReachesThreeSigmaWithinTheLimit) {
    EXPECT_EQ(gaussian_radius(0.05), 1);
    EXPECT_EQ(gaussian_radius(1.0), 3);
    EXPECT_EQ(gaussian_radius(1.1), 4);
    EXPECT_EQ(gaussian_radius(4.0), 8);
}

TEST(ImageKernels, HighpassSumsToZeroAndHighboostToItsWeight) {
    EXPECT_NEAR(sum(highpass_kernel()), 0.0, 1e-15);
    EXPECT_DOUBLE_EQ(highpass_kernel().weights[4], 8.0 / 9.0);
    EXPECT_NEAR(sum(highboost_kernel(1.5)), 1.5, 1e-15);
}

TEST(ImageKernels, FlippedTurnsByHalfATurn) {
    const Kernel kernel = flipped({3, 1, {1, 2, 3}});
    EXPECT_EQ(kernel.weights, (std::vector<double>{3, 2, 1}));
    const Kernel square = flipped({3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}});
    EXPECT_EQ(square.weights, (std::vector<double>{9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(ImageKernels, NormalisedSumsToOne) {
    EXPECT_NEAR(sum(normalised({3, 1, {1, 2, 1}})), 1.0, 1e-15);
    EXPECT_NEAR(sum(normalised({3, 1, {-1, -2, -1}})), 1.0, 1e-15);
}

TEST(ImageKernels, NormalisingLeavesAKernelThatCancelsOut) {
    const Kernel laplacian{3, 1, {-1, 2, -1}};
    EXPECT_EQ(normalised(laplacian).weights, laplacian.weights);
    // Weights rounded to float cancel only nearly.
    Kernel rounded = highpass_kernel();
    for (double& weight : rounded.weights)
        weight = static_cast<float>(weight);
    EXPECT_EQ(normalised(rounded).weights, rounded.weights);
}

TEST(ImageKernels, GaussianAndAverageAreSeparable) {
    for (int size : {3, 5, 9, 17}) {
        EXPECT_TRUE(separate(average_kernel(size)));
        EXPECT_TRUE(separate(gaussian_kernel(size / 6.0, size / 2, GaussianScale::analytic)));
    }
}

TEST(ImageKernels, SeparationSurvivesWeightsRoundedToFloat) {
    Kernel kernel = gaussian_kernel(1.7, 5, GaussianScale::sum_one);
    for (double& weight : kernel.weights)
        weight = static_cast<float>(weight);
    EXPECT_TRUE(separate(kernel));
}

TEST(ImageKernels, SeparatedPartsMultiplyBackToTheKernel) {
    const Kernel row = random_kernel(7, 1, 1);
    const Kernel column = random_kernel(1, 5, 2);
    Kernel product{7, 5, {}};
    for (double y : column.weights)
        for (double x : row.weights)
            product.weights.push_back(x * y);
    const auto parts = separate(product);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->row.width, 7);
    EXPECT_EQ(parts->row.height, 1);
    EXPECT_EQ(parts->column.width, 1);
    EXPECT_EQ(parts->column.height, 5);
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 0; x < 7; ++x)
            EXPECT_NEAR(parts->column.weights[y] * parts->row.weights[x],
                        product.weights[y * 7 + x], 1e-12);
}

TEST(ImageKernels, RandomHighpassAndZeroKernelsAreNotSeparable) {
    for (unsigned seed = 0; seed < 20; ++seed)
        EXPECT_FALSE(separate(random_kernel(5, 3, seed))) << "seed " << seed;
    EXPECT_FALSE(separate(highpass_kernel()));
    EXPECT_FALSE(separate({3, 3, std::vector<double>(9, 0.0)}));
}

TEST(ImageKernels, SeparationToleratesErrorsUpToOneMillionthOfTheLargestWeight) {
    Kernel kernel = average_kernel(3);
    kernel.weights[8] += 0.5e-6 * kernel.weights[4];
    EXPECT_TRUE(separate(kernel));
    kernel = average_kernel(3);
    kernel.weights[8] += 1e-5 * kernel.weights[4];
    EXPECT_FALSE(separate(kernel));
}

TEST(ImageKernels, CheckedKernelAcceptsOddSizesUpToSeventeen) {
    for (int width : {1, 3, 17})
        for (int height : {1, 5, 17}) {
            const std::vector<float> weights(static_cast<std::size_t>(width * height), 1.0f);
            const auto kernel = checked_kernel(weights, width, height);
            ASSERT_TRUE(kernel) << width << "x" << height;
            EXPECT_EQ(kernel->weights.size(), weights.size());
        }
}

TEST(ImageKernels, CheckedKernelRefusesWhatIsNoKernel) {
    struct Case {
        int width, height;
        std::size_t count;
        float value;
        std::string code;
    };
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::array cases{
        Case{2, 3, 6, 1, "image/kernel-size"},
        Case{3, 4, 12, 1, "image/kernel-size"},
        Case{19, 1, 19, 1, "image/kernel-size"},
        Case{0, 3, 0, 1, "image/kernel-size"},
        Case{-3, -3, 9, 1, "image/kernel-size"},
        Case{3, 3, 8, 1, "image/kernel-count"},
        Case{3, 3, 10, 1, "image/kernel-count"},
        Case{3, 3, 0, 1, "image/kernel-count"},
        Case{3, 1, 3, kNan, "image/kernel-not-finite"},
        Case{3, 1, 3, kInfinity, "image/kernel-not-finite"},
    };
    for (const Case& c : cases) {
        const auto kernel = checked_kernel(std::vector<float>(c.count, c.value), c.width, c.height);
        ASSERT_FALSE(kernel) << c.width << "x" << c.height << " of " << c.count;
        EXPECT_EQ(kernel.error().front().code, c.code);
    }
}

} // namespace
} // namespace tuff::passes
