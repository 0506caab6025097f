#include "passes/image/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace tuff::passes {
namespace {

/// Relative size below which a sum of weights counts as zero, and a weight as equal.
constexpr double kTolerance = 1e-6;

std::size_t area(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

bool valid_size(int size) {
    return size >= 1 && size <= kMaxKernelSize && size % 2 == 1;
}

} // namespace

Result<Kernel> checked_kernel(std::span<const float> weights, int width, int height) {
    if (!valid_size(width) || !valid_size(height))
        return fail(
            "image/kernel-size",
            fmt::format("a kernel of {}x{} has no centre texel or is too large", width, height),
            fmt::format("width and height must be odd and at most {}", kMaxKernelSize));
    if (weights.size() != area(width, height))
        return fail("image/kernel-count",
                    fmt::format("a kernel of {}x{} has {} weights, but {} are given", width, height,
                                area(width, height), weights.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (!std::isfinite(weights[i]))
            return fail("image/kernel-not-finite",
                        fmt::format("weight {} of the kernel is not a finite number", i));
    return Kernel{width, height, {weights.begin(), weights.end()}};
}

Kernel average_kernel(int size) {
    const std::size_t count = area(size, size);
    return {size, size, std::vector<double>(count, 1.0 / static_cast<double>(count))};
}

Kernel gaussian_kernel(double sigma, int radius, GaussianScale scale) {
    Kernel kernel{2 * radius + 1, 2 * radius + 1, {}};
    const double variance = sigma * sigma;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x)
            kernel.weights.push_back(std::exp(-(x * x + y * y) / (2.0 * variance)) /
                                     (2.0 * std::numbers::pi * variance));
    return scale == GaussianScale::sum_one ? normalised(std::move(kernel)) : kernel;
}

int gaussian_radius(double sigma) {
    return static_cast<int>(std::clamp(std::ceil(3.0 * sigma), 1.0, 8.0));
}

Kernel highpass_kernel() {
    Kernel kernel{3, 3, std::vector<double>(9, -1.0 / 9.0)};
    kernel.weights[4] = 8.0 / 9.0;
    return kernel;
}

Kernel highboost_kernel(double weight) {
    Kernel kernel = highpass_kernel();
    kernel.weights[4] += weight;
    return kernel;
}

Kernel flipped(Kernel kernel) {
    std::ranges::reverse(kernel.weights);
    return kernel;
}

Kernel normalised(Kernel kernel) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (double weight : kernel.weights) {
        sum += weight;
        magnitude += std::abs(weight);
    }
    if (std::abs(sum) <= kTolerance * magnitude) return kernel;
    for (double& weight : kernel.weights)
        weight /= sum;
    return kernel;
}

std::optional<SeparatedKernel> separate(const Kernel& kernel) {
    const auto width = static_cast<std::size_t>(kernel.width);
    const auto height = static_cast<std::size_t>(kernel.height);
    const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto pivot = std::ranges::max_element(kernel.weights, larger);
    if (*pivot == 0.0) return std::nullopt; // no pivot to divide by

    // The row and column through the largest weight; any other pivot would amplify rounding.
    const auto index = static_cast<std::size_t>(pivot - kernel.weights.begin());
    SeparatedKernel parts{{kernel.width, 1, {}}, {1, kernel.height, {}}};
    for (std::size_t x = 0; x < width; ++x)
        parts.row.weights.push_back(kernel.weights[index / width * width + x]);
    for (std::size_t y = 0; y < height; ++y)
        parts.column.weights.push_back(kernel.weights[y * width + index % width] / *pivot);

    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const double product = parts.column.weights[y] * parts.row.weights[x];
            const double error = std::abs(product - kernel.weights[y * width + x]);
            if (error >= kTolerance * std::abs(*pivot)) return std::nullopt;
        }
    return parts;
}

std::vector<float> float_weights(const Kernel& kernel) {
    std::vector<float> weights;
    weights.reserve(kernel.weights.size());
    for (double weight : kernel.weights)
        weights.push_back(static_cast<float>(weight));
    return weights;
}

} // namespace tuff::passes
