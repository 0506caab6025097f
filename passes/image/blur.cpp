#include "passes/image/blur.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace tuff::passes {
namespace {

constexpr int kMaxRadius = 16; // of image/blur_line
/// What a line of the smaller picture has beyond the source at both ends: the window's radius, what
/// splines reach, and what the ends themselves spoil.
constexpr std::uint32_t kMargin = kMaxRadius + 4;

/// How often the picture is halved, so that the window along a line is never wide.
int halvings(double sigma) {
    return sigma < 4.0 ? 0 : static_cast<int>(std::floor(std::log2(sigma / 2.0)));
}

/// The standard deviation that is left for the window, in texels of the smaller picture: halving
/// and the splines blur, too, and variances add.
double window_sigma(double sigma, int halved) {
    if (halved == 0) return sigma;
    const double texel = std::exp2(halved);
    const double of_halving = (texel * texel - 1.0) / 4.0; // 3/4 (1 + 4 + 16 + ...)
    return std::sqrt((sigma * sigma - of_halving) / (texel * texel) - 1.0 / 3.0);
}

/// The weights 1 3 3 1, applied as often as the picture is halved. Means of two would let finest
/// detail through, as if it were coarse.
std::vector<float> halving_weights(int times) {
    std::vector<double> weights = {1.0};
    for (int halving = 0; halving < times; ++halving) {
        const std::size_t apart = std::size_t{1} << halving;
        std::vector<double> wider(weights.size() + 3 * apart);
        constexpr std::array kOnce = {0.125, 0.375, 0.375, 0.125};
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t k = 0; k < kOnce.size(); ++k)
                wider[i + k * apart] += weights[i] * kOnce[k];
        weights = std::move(wider);
    }
    return {weights.begin(), weights.end()};
}

/// Weights of a Gaussian at whole texels, scaled to sum 1, as image/blur_line takes them.
struct Window {
    int radius = 0;
    std::array<glm::vec4, 5> weights{};
};
Window window_of(double sigma) {
    Window window{.radius = std::min(static_cast<int>(std::ceil(4.0 * sigma)), kMaxRadius)};
    std::array<double, kMaxRadius + 1> values{};
    double sum = 0.0;
    for (int i = 0; i <= window.radius; ++i) {
        const double value = std::exp(-0.5 * i * i / (sigma * sigma));
        values[static_cast<std::size_t>(i)] = value;
        sum += i == 0 ? value : 2.0 * value;
    }
    for (int i = 0; i <= window.radius; ++i)
        window.weights[static_cast<std::size_t>(i / 4)][i % 4] =
            static_cast<float>(values[static_cast<std::size_t>(i)] / sum);
    return window;
}

/// Makes lines of a picture smaller, and blurs them.
Image blurred_lines(Graph& graph, Image picture, int axis, int halved, const Window& window,
                    Border border) {
    constexpr int kMaxAtOnce = 4; // halvings in one pass: 16 texels
    for (int left = halved, first = 1; left > 0; first = 0) {
        const int now = std::min(left, kMaxAtOnce);
        left -= now;
        Extent extent = graph.extent(picture);
        std::uint32_t& side = axis == 0 ? extent.width : extent.height;
        const std::uint32_t whole = std::uint32_t{1} << halved;
        const std::uint32_t margin = first ? kMargin * whole : 0;
        // All of it is a multiple of what the picture will be made smaller by.
        const std::uint32_t padded = first ? (side + whole - 1) / whole * whole + 2 * margin : side;
        side = padded >> now;
        ComputeNodeBuilder node =
            graph.compute("image/blur_halve", fmt::format("{}_by_{}", "xy"[axis], 1 << now));
        node.set("axis", axis);
        node.set("factor", 1 << now);
        const std::vector<float> weights = halving_weights(now);
        std::array<glm::vec4, 12> packed{};
        std::memcpy(packed.data(), weights.data(), weights.size() * sizeof(float));
        node.set("start", -static_cast<std::int32_t>(margin) - ((1 << now) - 1));
        node.set("taps", static_cast<std::int32_t>(weights.size()));
        node.set("weights", std::span<const glm::vec4>(packed));
        node.set("border", static_cast<std::int32_t>(first ? border : Border::clamp));
        node.read("source", ImageView(picture).mip(0));
        picture = node.write(
            "result", graph.image("smaller", {.format = Format::rgba32_sfloat, .extent = extent}));
        node.dispatch_over(extent);
    }
    ComputeNodeBuilder node =
        graph.compute("image/blur_line", fmt::format("{}_window", "xy"[axis]));
    node.set("axis", axis);
    node.set("radius", window.radius);
    node.set("weights", std::span<const glm::vec4>(window.weights));
    // Of a line with margins nothing beyond its ends reaches the picture.
    node.set("border", static_cast<std::int32_t>(halved > 0 ? Border::clamp : border));
    node.read("source", ImageView(picture).mip(0));
    const Image lines = image_like(graph, "lines", picture, Format::rgba32_sfloat);
    const Image result = node.write("result", lines);
    node.dispatch_over(graph.extent(picture));
    return result;
}

} // namespace

void Blur::describe(PassInfo<Blur>& info) {
    info.summary("Blurs an image with a Gaussian of any width")
        .details(
            "The cost hardly grows with sigma. Up to sigma 4 the window reaches 4 sigma and is "
            "applied to rows, then to columns. Beyond, rows and columns are first halved "
            "repeatedly by the weights 1 3 3 1 until a window of 33 is wide enough, and the result "
            "is upsampled by cubic B-splines. The window is narrowed by the blur of halving and "
            "splines. The result is within 0.002 of the exact one for a source from 0 to 1. The "
            "border mode applies at every size. Sums are taken in 32-bit floats.")
        .source("Burt and Adelson, \"The Laplacian Pyramid as a Compact Image Code\", IEEE "
                "Transactions on Communications 31, 1983; Unser, \"Splines: A Perfect Fit for "
                "Signal and Image Processing\", IEEE Signal Processing Magazine 16, 1999")
        .complexity("O(texels), and O(sigma * (width + height)) for what lies beyond the edge")
        .cost([](const Blur& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result,
                                pass.sigma < 4.0f ? 64.0 * pass.sigma : 160.0);
        });
    info.input("source", &Blur::source, "the image to blur").picture();
    info.parameter("sigma", &Blur::sigma, "standard deviation")
        .range(0.05, kMaxSigma)
        .unit("texels")
        .structural();
    info.parameter("border", &Blur::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("alpha", &Blur::alpha, "copied from the source, or blurred too");
    info.parameter("format", &Blur::format, "format of the result").structural();
    info.output("result", &Blur::result, "the blurred image, of the source's size");
}

void Blur::build(Graph& graph) {
    const Extent extent = graph.extent(source);
    const int halved = halvings(sigma);
    const Window window = window_of(window_sigma(sigma, halved));
    Image small = source;
    for (const int axis : {0, 1})
        small = blurred_lines(graph, small, axis, halved, window, border);

    ComputeNodeBuilder node = graph.compute("image/blur_spread", "spread");
    node.set("factor", glm::ivec2(1 << halved));
    node.set("margin", glm::ivec2(halved > 0 ? static_cast<int>(kMargin) : 0));
    node.set("copy_alpha", std::uint32_t(alpha == AlphaUse::keep));
    node.read("small", small);
    node.read("source", ImageView(source).mip(0));
    result = node.write("result", image_like(graph, "result", source,
                                             result_format(graph.desc(source).format, format)));
    node.dispatch_over(extent);
}

TUFF_PASS(Blur)

} // namespace tuff::passes
