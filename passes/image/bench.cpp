#include "apps/bench/checks.hpp"
#include "passes/image/bloom.hpp"
#include "passes/image/blur.hpp"
#include "passes/image/compare.hpp"
#include "passes/image/denoise.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/map.hpp"
#include "passes/image/median.hpp"
#include "passes/image/numbers.hpp"
#include "passes/image/resize.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace tuff::bench {
namespace {

using Rgba = std::array<double, 4>;

/// Half a step of 8 bits, and what the device's own rounding may add.
constexpr Tolerance kEightBits{.absolute = 0.6 / 255};

Rgba unpack(std::uint32_t texel) {
    Rgba result;
    for (std::size_t c = 0; c < 4; ++c)
        result[c] = ((texel >> (8 * c)) & 255u) / 255.0;
    return result;
}

/// A picture of random texels, read as RGBA with coordinates clamped to its edges.
struct Picture {
    ImageInput<std::uint32_t> input;
    Rgba at(std::int64_t x, std::int64_t y) const {
        x = std::clamp<std::int64_t>(x, 0, input.extent.width - 1);
        y = std::clamp<std::int64_t>(y, 0, input.extent.height - 1);
        return unpack(input.texels()[static_cast<std::size_t>(y * input.extent.width + x)]);
    }
};

Picture picture(CaseBuilder& c) {
    return {c.image<std::uint32_t>("source", Format::rgba8_unorm, hash32)};
}

/// Compares up to `most` texels, spread over the picture, with `expected(x, y)`: references that
/// look at many texels for each would take minutes for large pictures. The ends are always among
/// them.
template <typename Expected>
void check_texels(CaseBuilder& c, Image image, Tolerance tolerance, Expected expected,
                  std::uint64_t most = 1u << 16) {
    c.check("result", image, [=](const HostImage& got) -> Verdict {
        const std::uint64_t texels = std::uint64_t{got.extent.width} * got.extent.height;
        if (texels == 0) return std::unexpected("there is no result");
        const std::uint64_t compared = std::min<std::uint64_t>(texels, most);
        for (std::uint64_t i = 0; i < compared; ++i) {
            // An odd multiplier visits each texel of a power-of-two picture once.
            const std::uint64_t at = i < 2 ? i * (texels - 1) : i * 2'654'435'761u % texels;
            const auto x = static_cast<std::uint32_t>(at % got.extent.width);
            const auto y = static_cast<std::uint32_t>(at / got.extent.width);
            const std::array<float, 4> texel = got.texel(x, y);
            const Rgba wanted = expected(x, y);
            for (std::size_t channel = 0; channel < 4; ++channel)
                if (!near(texel[channel], wanted[channel], tolerance))
                    return std::unexpected(
                        fmt::format("channel {} of texel ({}, {}) is {} instead of {}", channel, x,
                                    y, texel[channel], wanted[channel]));
        }
        return {};
    });
}

void gaussian(CaseBuilder& c) {
    constexpr int kRadius = 6;
    const Picture source = picture(c);
    const Image result =
        c.add(passes::Gaussian{.source = source.input.image, .sigma = 2.0f, .radius = kRadius})
            .result;
    std::array<double, 2 * kRadius + 1> weights;
    double sum = 0.0;
    for (int i = -kRadius; i <= kRadius; ++i)
        sum += weights[static_cast<std::size_t>(i + kRadius)] = std::exp(-i * i / 8.0);
    for (double& weight : weights)
        weight /= sum;
    check_texels(c, result, {.absolute = 1.1 / 255}, [=](std::uint32_t x, std::uint32_t y) {
        Rgba blurred{};
        for (int dy = -kRadius; dy <= kRadius; ++dy)
            for (int dx = -kRadius; dx <= kRadius; ++dx) {
                const Rgba texel = source.at(std::int64_t{x} + dx, std::int64_t{y} + dy);
                const double weight = weights[static_cast<std::size_t>(dx + kRadius)] *
                                      weights[static_cast<std::size_t>(dy + kRadius)];
                for (std::size_t channel = 0; channel < 3; ++channel)
                    blurred[channel] += weight * texel[channel];
            }
        blurred[3] = source.at(x, y)[3];
        return blurred;
    });
}

/// A Gaussian so wide that halving pays.
void blur(CaseBuilder& c) {
    constexpr double kSigma = 16.0;
    constexpr int kRadius = 80;
    const Picture source = picture(c);
    const Image result =
        c.add(passes::Blur{.source = source.input.image, .sigma = static_cast<float>(kSigma)})
            .result;
    std::vector<double> weights(2 * kRadius + 1);
    double sum = 0.0;
    for (int i = -kRadius; i <= kRadius; ++i)
        sum += weights[static_cast<std::size_t>(i + kRadius)] =
            std::exp(-0.5 * i * i / (kSigma * kSigma));
    constexpr std::uint64_t kCompared = 256; // of windows of 25,921 texels
    check_texels(
        c, result, {.absolute = 0.6 / 255 + 2e-3},
        [=](std::uint32_t x, std::uint32_t y) {
            Rgba blurred{};
            for (int dy = -kRadius; dy <= kRadius; ++dy)
                for (int dx = -kRadius; dx <= kRadius; ++dx) {
                    const Rgba texel = source.at(std::int64_t{x} + dx, std::int64_t{y} + dy);
                    const double weight = weights[static_cast<std::size_t>(dx + kRadius)] *
                                          weights[static_cast<std::size_t>(dy + kRadius)] /
                                          (sum * sum);
                    for (std::size_t channel = 0; channel < 3; ++channel)
                        blurred[channel] += weight * texel[channel];
                }
            blurred[3] = source.at(x, y)[3];
            return blurred;
        },
        kCompared);
}

/// Of an even picture, to which its own light is added, whatever the sizes of circles.
void bloom(CaseBuilder& c) {
    const ImageInput<std::uint32_t> source = c.image<std::uint32_t>(
        "source", Format::rgba8_unorm, c.extent(), [](std::uint64_t) { return 0xff336699u; });
    const Image result =
        c.add(passes::Bloom{
                  .source = source.image, .threshold = 0.25f, .knee = 0.0f, .intensity = 0.5f})
            .result;
    check_texels(c, result, kEightBits, [=](std::uint32_t, std::uint32_t) {
        Rgba texel = unpack(0xff336699u);
        const double share = (texel[0] - 0.25) / texel[0]; // red is the brightest
        for (std::size_t channel = 0; channel < 3; ++channel)
            texel[channel] *= 1.0 + 0.5 * share;
        return texel;
    });
}

/// Two rounds, each texel from 25 of the first one, of which each is from 25 of the source.
void denoise(CaseBuilder& c) {
    constexpr float kSigma = 0.5f;
    const Picture source = picture(c);
    const Image result =
        c.add(passes::Denoise{.source = source.input.image, .rounds = 2, .color = kSigma}).result;
    const Extent extent = source.input.extent;
    const auto round = [extent](auto at, std::int64_t x, std::int64_t y, int step, double sigma) {
        constexpr std::array kWeights = {6.0 / 16, 4.0 / 16, 1.0 / 16};
        const Rgba own = at(x, y);
        Rgba sum{};
        double weights = 0.0;
        for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i) {
                const std::int64_t u = x + step * i;
                const std::int64_t v = y + step * j;
                if (u < 0 || v < 0 || u >= extent.width || v >= extent.height) continue;
                const Rgba other = at(u, v);
                double difference = 0.0;
                for (std::size_t channel = 0; channel < 3; ++channel)
                    difference += (other[channel] - own[channel]) * (other[channel] - own[channel]);
                const double weight = kWeights[static_cast<std::size_t>(std::abs(i))] *
                                      kWeights[static_cast<std::size_t>(std::abs(j))] *
                                      std::exp(-difference / (sigma * sigma));
                for (std::size_t channel = 0; channel < 3; ++channel)
                    sum[channel] += weight * other[channel];
                weights += weight;
            }
        for (double& channel : sum)
            channel /= weights;
        sum[3] = own[3];
        return sum;
    };
    constexpr std::uint64_t kCompared = 1u << 12;
    check_texels(
        c, result, kEightBits,
        [=](std::uint32_t x, std::uint32_t y) {
            const auto first = [&](std::int64_t u, std::int64_t v) {
                return round([&](std::int64_t s, std::int64_t t) { return source.at(s, t); }, u, v,
                             1, kSigma);
            };
            return round(first, x, y, 2, 0.5 * kSigma);
        },
        kCompared);
}

void median(CaseBuilder& c) {
    const Picture source = picture(c);
    const Image result = c.add(passes::Median{.source = source.input.image}).result;
    check_texels(c, result, kEightBits, [=](std::uint32_t x, std::uint32_t y) {
        Rgba middle = source.at(x, y);
        for (std::size_t channel = 0; channel < 3; ++channel) {
            std::vector<double> window;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    window.push_back(
                        source.at(std::int64_t{x} + dx, std::int64_t{y} + dy)[channel]);
            std::ranges::nth_element(window, window.begin() + 4);
            middle[channel] = window[4];
        }
        return middle;
    });
}

void grayscale(CaseBuilder& c) {
    const Picture source = picture(c);
    const Image result = c.add(passes::Grayscale{.source = source.input.image}).result;
    check_texels(c, result, kEightBits, [=](std::uint32_t x, std::uint32_t y) {
        const Rgba texel = source.at(x, y);
        const double mean = (texel[0] + texel[1] + texel[2]) / 3.0;
        return Rgba{mean, mean, mean, texel[3]};
    });
}

/// What `image/reinhard` computes of a texel, as an expression.
void map(CaseBuilder& c) {
    const Picture source = picture(c);
    const Image result =
        c.add(passes::MapPicture{.source = source.input.image,
                                 .expression = "vec4(p.x * x.rgb / (1 + x.rgb), x.a)",
                                 .p = {1.5f, 0.0f, 0.0f, 0.0f}})
            .result;
    check_texels(c, result, kEightBits, [=](std::uint32_t x, std::uint32_t y) {
        Rgba texel = source.at(x, y);
        for (std::size_t channel = 0; channel < 3; ++channel)
            texel[channel] = 1.5 * texel[channel] / (1.0 + texel[channel]);
        return texel;
    });
}

/// Of pictures that differ in some texels, by the distance of random numbers.
void compare(CaseBuilder& c) {
    const Picture a = picture(c);
    const ImageInput<std::uint32_t> b =
        c.image<std::uint32_t>("other", Format::rgba8_unorm,
                               [](std::uint64_t i) { return hash32(i % 3 == 0 ? i + 7 : i); });
    const Buffer result = c.add(passes::Compare{.a = a.input.image, .b = b.image}).result;
    c.check<float>("result", result, [=](std::span<const float> got) -> Verdict {
        if (got.size() != 2) return std::unexpected("there is no result");
        const auto mine = a.input.texels();
        const auto others = b.texels();
        double sum = 0.0;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const Rgba x = unpack(mine[i]);
            const Rgba y = unpack(others[i]);
            for (std::size_t channel = 0; channel < 3; ++channel)
                sum += (x[channel] - y[channel]) * (x[channel] - y[channel]);
        }
        const double mean = sum / (3.0 * static_cast<double>(mine.size()));
        // Partial sums are of floats, 256 texels each and then pair by pair.
        if (auto ok = near(got[0], mean, Tolerance{.relative = 1e-4}); !ok) return ok;
        return near(got[1], -10.0 * std::log10(mean), Tolerance{.absolute = 1e-3});
    });
}

/// A line of numbers in a corner: what is left is a copy of the picture.
void numbers(CaseBuilder& c) {
    const Picture source = picture(c);
    const std::array<std::uint32_t, 2> words{1234567, std::bit_cast<std::uint32_t>(-2.5f)};
    const auto values = c.input<std::uint32_t>("values", words.size(),
                                               [words](std::uint64_t i) { return words[i]; });
    const Image result = c.add(passes::Numbers{.source = source.input.image,
                                               .values = {values.buffer},
                                               .text = "{0.0:9d} {0.1:7.2f}"})
                             .result;
    c.check("result", result, [source](const HostImage& got) -> Verdict {
        constexpr std::uint32_t kHigh = 24; // more than a line of text
        if (got.empty()) return std::unexpected("there is no result");
        bool written = false;
        const std::uint64_t texels = std::uint64_t{got.extent.width} * got.extent.height;
        for (std::uint64_t i = 0; i < texels; ++i) {
            const auto x = static_cast<std::uint32_t>(i % got.extent.width);
            const auto y = static_cast<std::uint32_t>(i / got.extent.width);
            const std::array<float, 4> texel = got.texel(x, y);
            const Rgba wanted = source.at(x, y);
            bool same = true;
            for (std::size_t channel = 0; channel < 4; ++channel)
                same = same && near(texel[channel], wanted[channel], kEightBits).has_value();
            written = written || !same;
            if (!same && y >= kHigh)
                return std::unexpected(fmt::format("texel ({}, {}) below the text differs", x, y));
        }
        if (!written) return std::unexpected("nothing was written");
        return {};
    });
}

/// Twice the side from a source of a quarter of the texels, so that `size()` is what is written.
void resize(CaseBuilder& c) {
    const Extent large = c.extent();
    const Extent small{std::max(large.width / 2, 1u), std::max(large.height / 2, 1u)};
    const Picture source{c.image<std::uint32_t>("source", Format::rgba8_unorm, small, hash32)};
    const Image result = c.add(passes::Resize{.source = source.input.image,
                                              .width = static_cast<int>(2 * small.width),
                                              .height = static_cast<int>(2 * small.height),
                                              .filter = passes::ResizeFilter::nearest})
                             .result;
    check_texels(c, result, kEightBits,
                 [=](std::uint32_t x, std::uint32_t y) { return source.at(x / 2, y / 2); });
}

} // namespace

void add_image_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::Bloom::kName), .name = "6 levels", .build = bloom});
    cases.add({.pass = std::string(passes::Blur::kName), .name = "sigma 16", .build = blur});
    cases.add({.pass = std::string(passes::Compare::kName),
               .name = "8 bits",
               .build = compare,
               .most = std::uint64_t{1} << 24});
    cases.add({.pass = std::string(passes::Denoise::kName), .name = "2 rounds", .build = denoise});
    cases.add({.pass = std::string(passes::Gaussian::kName),
               .name = "sigma 2 radius 6",
               .build = gaussian});
    cases.add({.pass = std::string(passes::Grayscale::kName), .name = "mean", .build = grayscale});
    cases.add({.pass = std::string(passes::MapPicture::kName), .name = "curve", .build = map});
    cases.add({.pass = std::string(passes::Median::kName), .name = "3x3", .build = median});
    cases.add({.pass = std::string(passes::Numbers::kName),
               .name = "two numbers",
               .build = numbers,
               .least = 1024,
               .most = std::uint64_t{1} << 24});
    cases.add({.pass = std::string(passes::Resize::kName), .name = "nearest 2x", .build = resize});
}

} // namespace tuff::bench
