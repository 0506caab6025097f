#include "passes/image/average.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/image/median.hpp"
#include "tests/gpu/image/image_checks.hpp"
#include "tests/reference/image_reference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

/// Every filter against the double-precision reference, over sizes that are smaller than the
/// window, multiples of the group and neither. Source: Gaulin 2004, as the passes cite it.
namespace tuff {
namespace {

using passes::Border;
using reference::Expected;
using reference::Picture;
using reference::Texel;

constexpr std::array<std::array<int, 2>, 6> kSizes{
    {{1, 1}, {3, 2}, {16, 16}, {17, 33}, {64, 48}, {130, 70}}};
constexpr std::array kFormats{Format::rgba8_unorm, Format::rgba16_sfloat, Format::rgba32_sfloat};
constexpr std::array kBorders{Border::clamp, Border::zero, Border::mirror};

struct Weights {
    int width = 3;
    int height = 3;
    std::vector<float> values;

    std::vector<double> doubles() const { return {values.begin(), values.end()}; }
};

/// Weights whose magnitudes sum to 1 or so, none a multiple of another.
Weights random_weights(int width, int height, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0f, 2.0f);
    Weights weights{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        weights.values.push_back(value(random) / static_cast<float>(width * height));
    return weights;
}

std::vector<double> scaled_laplacian(double centre) {
    std::vector<double> kernel(9, -1.0 / 9.0);
    kernel[4] = centre;
    return kernel;
}

class ImageFilters : public ImageTest {
  protected:
    /// Calls `check(source, picture, border, label)` for each size, format and border, in one graph
    /// a format.
    template <typename Check>
    void over_everything(double low, double high, Check check) {
        for (Format format : kFormats) {
            ImageChecks checks = begin();
            std::uint32_t seed = 1;
            for (auto [width, height] : kSizes) {
                const HostImage image = reference::noise(format, width, height, ++seed, low, high);
                const Image source = checks.source(image);
                const Picture picture = reference::picture_of(image);
                for (Border border : kBorders)
                    check(checks, source, picture, border,
                          fmt::format("{} {}x{} border {}", info(format).name, width, height,
                                      static_cast<int>(border)));
            }
            run_checks(std::move(checks));
        }
    }
};

TEST_F(ImageFilters, CorrelationMatchesTheReferenceForAnyOddKernel) {
    const std::array kernels{random_weights(3, 3, 1), random_weights(5, 3, 2),
                             random_weights(1, 7, 3), random_weights(9, 1, 4),
                             random_weights(17, 17, 5)};
    over_everything(0.0, 1.0,
                    [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
                        const std::string& label) {
                        for (const Weights& kernel : kernels) {
                            const Image result = checks.graph()
                                                     .add(passes::Convolve{.source = source,
                                                                           .kernel = kernel.values,
                                                                           .width = kernel.width,
                                                                           .height = kernel.height,
                                                                           .border = border})
                                                     .result;
                            checks.expect(
                                result,
                                reference::correlated(picture, kernel.doubles(), kernel.width,
                                                      kernel.height, border),
                                fmt::format("{} kernel {}x{}", label, kernel.width, kernel.height));
                        }
                    });
}

TEST_F(ImageFilters, SeparatedKernelsMatchTheReference) {
    Weights product{7, 5, {}};
    for (float y : {0.1f, 0.3f, 0.4f, -0.2f, 0.2f})
        for (float x : {0.05f, 0.1f, -0.2f, 0.5f, 0.25f, 0.1f, 0.05f})
            product.values.push_back(x * y);
    over_everything(
        0.0, 1.0,
        [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
            const std::string& label) {
            const Image result = checks.graph()
                                     .add(passes::Convolve{.source = source,
                                                           .kernel = product.values,
                                                           .width = 7,
                                                           .height = 5,
                                                           .border = border,
                                                           .separable = passes::Separation::on})
                                     .result;
            checks.expect(result, reference::correlated(picture, product.doubles(), 7, 5, border),
                          label);
        });
}

TEST_F(ImageFilters, NamedFiltersMatchTheReference) {
    const std::vector<double> mean3(9, 1.0 / 9.0);
    const std::vector<double> mean7(49, 1.0 / 49.0);
    std::vector<double> gaussian;
    for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x)
            gaussian.push_back(std::exp(-(x * x + y * y) / 2.0) / (2.0 * std::numbers::pi));
    over_everything(
        0.0, 1.0,
        [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
            const std::string& label) {
            Graph& graph = checks.graph();
            const auto with = [&](const std::vector<double>& kernel, int size) {
                return reference::correlated(picture, kernel, size, size, border);
            };
            checks.expect(graph.add(passes::Average{.source = source, .border = border}).result,
                          with(mean3, 3), label + " average 3");
            checks.expect(
                graph.add(passes::Average{.source = source, .window = 7, .border = border}).result,
                with(mean7, 7), label + " average 7");
            checks.expect(graph
                              .add(passes::Gaussian{.source = source,
                                                    .sigma = 1.0f,
                                                    .scale = passes::GaussianScale::analytic,
                                                    .border = border})
                              .result,
                          with(gaussian, 7), label + " gaussian");
            checks.expect(graph.add(passes::Highpass{.source = source, .border = border}).result,
                          with(scaled_laplacian(8.0 / 9.0), 3), label + " highpass");
            Expected boosted = with(scaled_laplacian(1.5 + 8.0 / 9.0), 3);
            for (Texel& texel : boosted.value.texels)
                for (std::size_t c = 0; c < 3; ++c)
                    texel[c] = std::clamp(texel[c], 0.0, 1.0);
            checks.expect(
                graph.add(passes::Highboost{.source = source, .weight = 1.5f, .border = border})
                    .result,
                boosted, label + " highboost");
        });
}

TEST_F(ImageFilters, MedianIsExactForBothWindows) {
    over_everything(
        -1.0, 1.0,
        [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
            const std::string& label) {
            for (int window : {3, 5}) {
                const Image result =
                    checks.graph()
                        .add(passes::Median{.source = source, .window = window, .border = border})
                        .result;
                checks.expect_exact(result, reference::median(picture, window, border),
                                    fmt::format("{} window {}", label, window));
            }
        });
}

TEST_F(ImageFilters, GrayscaleIsTheMeanOrTheLuminance) {
    over_everything(
        0.0, 1.0,
        [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
            const std::string& label) {
            if (border != Border::clamp) return; // a filter without a window
            const auto gray = [&](std::array<double, 3> w) {
                Expected expected{
                    reference::map(picture,
                                   [&](const Texel& t) {
                                       const double g = w[0] * t[0] + w[1] * t[1] + w[2] * t[2];
                                       return Texel{g, g, g, t[3]};
                                   }),
                    reference::blank(picture.width, picture.height, {4e-7, 4e-7, 4e-7, 0.0})};
                return expected;
            };
            checks.expect(checks.graph().add(passes::Grayscale{.source = source}).result,
                          gray({1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}), label + " mean");
            checks.expect(checks.graph()
                              .add(passes::Grayscale{.source = source,
                                                     .weights = passes::GrayWeights::rec709})
                              .result,
                          gray({0.2126, 0.7152, 0.0722}), label + " rec709");
        });
}

TEST_F(ImageFilters, IdentityKernelsCopyEveryBit) {
    over_everything(
        -2.0, 2.0,
        [&](ImageChecks& checks, Image source, const Picture& picture, Border border,
            const std::string& label) {
            Weights large{9, 5, std::vector<float>(45, 0.0f)};
            large.values[22] = 1.0f;
            checks.expect_exact(
                checks.graph().add(passes::Convolve{.source = source, .border = border}).result,
                picture, label + " 3x3");
            checks.expect_exact(checks.graph()
                                    .add(passes::Convolve{.source = source,
                                                          .kernel = large.values,
                                                          .width = 9,
                                                          .height = 5,
                                                          .border = border,
                                                          .separable = passes::Separation::off})
                                    .result,
                                picture, label + " 9x5");
        });
}

TEST_F(ImageFilters, WorkedExampleGives3218) {
    constexpr std::array<float, 16> kRows{20, 32, 47, 2,  58, 120, 200, 87,
                                          33, 8,  74, 72, 4,  2,   65,  3};
    HostImage image = make_image(Format::r32_sfloat, {4, 4});
    for (std::uint32_t i = 0; i < 16; ++i)
        image.set_texel({kRows[i], 0, 0, 1}, i % 4, i / 4);
    ImageChecks checks = begin();
    const Image result = checks.graph()
                             .add(passes::Convolve{.source = checks.source(image),
                                                   .kernel = {1, 2, 3, 4, 5, 6, 7, 8, 9}})
                             .result;
    checks.keep(result, "result");
    const auto pictures = run_checks(std::move(checks));
    ASSERT_TRUE(pictures.contains("result"));
    EXPECT_EQ(pictures.at("result").texel(1, 1)[0], 3218.0f);
}

TEST_F(ImageFilters, ImpulseComesBackAsTheKernelFlippedOrNot) {
    HostImage image = reference::constant(Format::rgba32_sfloat, 9, 9, {0, 0, 0, 1});
    image.set_texel({1, 1, 1, 1}, 4, 4);
    const Weights kernel = random_weights(5, 3, 9);
    ImageChecks checks = begin();
    const Image source = checks.source(image);
    for (bool flip : {false, true})
        checks.keep(checks.graph()
                        .add(passes::Convolve{.source = source,
                                              .kernel = kernel.values,
                                              .width = 5,
                                              .height = 3,
                                              .flip = flip})
                        .result,
                    flip ? "convolution" : "correlation");
    const auto pictures = run_checks(std::move(checks));
    ASSERT_EQ(pictures.size(), 2u);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 5; ++x) {
            const float weight = kernel.values[static_cast<std::size_t>(y * 5 + x)];
            const auto column = static_cast<std::uint32_t>(x);
            const auto row = static_cast<std::uint32_t>(y);
            EXPECT_EQ(pictures.at("convolution").texel(2 + column, 3 + row)[0], weight);
            EXPECT_EQ(pictures.at("correlation").texel(6 - column, 5 - row)[0], weight);
        }
}

TEST_F(ImageFilters, ConstantImagesKeepTheirColourOrBecomeZero) {
    const Texel color{0.3, 0.6, 0.9, 0.5};
    const HostImage image = reference::constant(Format::rgba32_sfloat, 21, 19, color);
    const Picture same = reference::picture_of(image);
    const Picture zero = reference::map(same, [](const Texel& t) {
        return Texel{0.0, 0.0, 0.0, t[3]};
    });
    const Picture bound = reference::blank(21, 19, {1e-6, 1e-6, 1e-6, 0.0});
    ImageChecks checks = begin();
    Graph& graph = checks.graph();
    const Image source = checks.source(image);
    checks.expect(graph.add(passes::Average{.source = source, .window = 5}).result, {same, bound},
                  "average");
    checks.expect(graph.add(passes::Gaussian{.source = source, .sigma = 2.0f}).result,
                  {same, bound}, "gaussian");
    checks.expect(graph.add(passes::Highpass{.source = source}).result, {zero, bound}, "highpass");
    checks.expect(graph.add(passes::Highboost{.source = source, .weight = 1.0f}).result,
                  {same, bound}, "highboost");
    checks.expect_exact(graph.add(passes::Median{.source = source}).result, same, "median");
    run_checks(std::move(checks));
}

TEST_F(ImageFilters, MedianRemovesEverySpeckThatStandsAlone) {
    const HostImage clean = reference::constant(Format::rgba8_unorm, 40, 30, {0.5, 0.4, 0.3, 1.0});
    HostImage specked = clean;
    for (std::uint32_t y = 1; y < 30; y += 4)
        for (std::uint32_t x = 1; x < 40; x += 4) {
            const float value = (x + y) % 8 == 2 ? 0.0f : 1.0f;
            specked.set_texel({value, value, value, 1.0f}, x, y);
        }
    ImageChecks checks = begin();
    const Image source = checks.source(specked);
    for (int window : {3, 5})
        checks.expect_exact(
            checks.graph().add(passes::Median{.source = source, .window = window}).result,
            reference::picture_of(clean), fmt::format("window {}", window));
    run_checks(std::move(checks));
}

TEST_F(ImageFilters, BiasAlphaClampAndNormalisationDoWhatTheySay) {
    const HostImage image = reference::noise(Format::rgba32_sfloat, 20, 18, 7);
    const Picture picture = reference::picture_of(image);
    const std::vector<float> box(9, 1.0f);
    const std::vector<double> mean(9, 1.0 / 9.0);
    const Expected filtered = reference::correlated(picture, mean, 3, 3, Border::clamp);
    ImageChecks checks = begin();
    Graph& graph = checks.graph();
    const Image source = checks.source(image);
    const passes::Convolve normalised{
        .source = source, .kernel = box, .normalisation = passes::Normalisation::sum};

    checks.expect(graph.add(normalised).result, filtered, "normalised");

    passes::Convolve biased = normalised;
    biased.bias = 0.75f;
    biased.clamp_result = true;
    Expected expected = filtered;
    for (Texel& texel : expected.value.texels)
        for (std::size_t c = 0; c < 3; ++c)
            texel[c] = std::clamp(texel[c] + 0.75, 0.0, 1.0);
    checks.expect(graph.add(biased).result, expected, "bias and clamp");

    // Alpha filtered as the colours are: put it in their place to get the reference.
    passes::Convolve with_alpha = normalised;
    with_alpha.alpha = passes::AlphaUse::filter;
    const Picture alpha_first = reference::map(picture, [](const Texel& t) {
        return Texel{t[3], t[1], t[2], t[3]};
    });
    const Expected alpha = reference::correlated(alpha_first, mean, 3, 3, Border::clamp);
    expected = filtered;
    for (std::size_t i = 0; i < expected.value.texels.size(); ++i) {
        expected.value.texels[i][3] = alpha.value.texels[i][0];
        expected.bound.texels[i][3] = alpha.bound.texels[i][0];
    }
    checks.expect(graph.add(with_alpha).result, expected, "alpha");
    run_checks(std::move(checks));
}

TEST_F(ImageFilters, AnotherResultFormatKeepsNegativeValues) {
    const HostImage image = reference::noise(Format::rgba8_unorm, 20, 18, 7);
    Expected expected = reference::correlated(reference::picture_of(image),
                                              scaled_laplacian(8.0 / 9.0), 3, 3, Border::clamp);
    for (Texel& bound : expected.bound.texels)
        bound[3] = 1e-7; // the device's k / 255 may differ from ours in the last bit
    ImageChecks checks = begin();
    checks.expect(checks.graph()
                      .add(passes::Highpass{.source = checks.source(image),
                                            .format = passes::OutputFormat::rgba32_sfloat})
                      .result,
                  std::move(expected), "highpass");
    run_checks(std::move(checks));
}

} // namespace
} // namespace tuff
