#pragma once

#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Convolution kernels as numbers: making, checking and taking them apart. No graph, no device.
namespace tuff::passes {

/// Largest width and height of a kernel: a radius of 8 around the centre.
inline constexpr int kMaxKernelSize = 17;

/// Weights row by row, the first row at the top. Width and height are odd, so there is a centre.
struct Kernel {
    int width = 1;
    int height = 1;
    std::vector<double> weights = {1.0};
};

/// How a Gaussian kernel is scaled.
enum class GaussianScale : std::uint8_t {
    sum_one,  ///< its weights sum to 1: brightness is kept
    analytic, ///< samples of the continuous Gaussian: darkens where the window cuts its tails
};

/// Checks a kernel that a user wrote. Errors: `image/kernel-size` (even, or not within 1 to 17),
/// `image/kernel-count` (not width * height weights), `image/kernel-not-finite`.
Result<Kernel> checked_kernel(std::span<const float> weights, int width, int height);

/// `size` x `size` equal weights that sum to 1.
Kernel average_kernel(int size);

/// The Gaussian exp(-(i^2 + j^2) / (2 sigma^2)) / (2 pi sigma^2) at whole i, j up to `radius`.
/// Precondition: sigma > 0, 0 <= radius <= 8.
Kernel gaussian_kernel(double sigma, int radius, GaussianScale scale);

/// The least radius that reaches 3 sigma, where the Gaussian has fallen to 1.1 percent of its
/// peak; at most 8.
int gaussian_radius(double sigma);

/// 1/9 of the Laplacian over 8 neighbours: 8 in the centre, -1 around it. Sums to 0.
Kernel highpass_kernel();

/// `weight` times the image plus its high pass, as one kernel.
Kernel highboost_kernel(double weight);

/// Rotated by half a turn: correlation with it is convolution with `kernel`.
Kernel flipped(Kernel kernel);

/// Scaled so that its weights sum to 1. A kernel whose weights cancel out (to 1e-6 of the sum of
/// their magnitudes) is returned as it is.
Kernel normalised(Kernel kernel);

/// A kernel as the outer product of a column and a row.
struct SeparatedKernel {
    Kernel row;    ///< height 1
    Kernel column; ///< width 1
};

/// Takes a kernel of rank 1 apart. Empty where the outer product misses some weight by 1e-6 of the
/// largest magnitude or more.
std::optional<SeparatedKernel> separate(const Kernel& kernel);

/// The weights as configs and kernels on the device hold them.
std::vector<float> float_weights(const Kernel& kernel);

} // namespace tuff::passes
