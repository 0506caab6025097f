#pragma once

#include "passes/filter/problem.hpp"

#include <tuff/diagnostic.hpp>

#include <glm/vec4.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

/// Kernels of one to four dimensions as numbers. No graph, no device.
namespace tuff::passes {

enum class FilterKernelKind : std::uint8_t {
    average,
    identity,
    gaussian,
    sobel,
    laplace,
    quadrature,
    gabor,
    monomial,
    adaptive,
};

/// How a Gaussian is scaled.
enum class KernelScale : std::uint8_t {
    sum_one,  ///< its weights sum to 1
    analytic, ///< samples of (2 pi)^(-D/2) / prod sigma exp(...): cut tails are missing
};

/// What cuts a kernel that was designed in the frequency domain.
enum class KernelWindow : std::uint8_t {
    none,        ///< its size alone: the least squared error of the response
    root_cosine, ///< the square root of the next
    cosine,      ///< half a period of a cosine along each axis: rounder, less selective responses
};

/// What is to be made.
struct KernelDesign {
    FilterKernelKind kind = FilterKernelKind::gaussian;
    FilterSize size{3, 3, 1, 1};       ///< odd; 1 along axes that it does not have
    std::vector<std::uint32_t> only{}; ///< directions by number; empty: all
    glm::dvec4 sigma{1.0};
    KernelScale scale = KernelScale::sum_one;
    double frequency = 1.0; ///< radians a number
    double octaves = 2.0;   ///< bandwidth
    KernelWindow window = KernelWindow::root_cosine;
};

/// Weights of `filters` kernels one after the other, x fastest.
struct KernelSet {
    FilterSize size{1, 1, 1, 1};
    std::uint32_t filters = 1;
    std::vector<double> weights{};
};

/// The highest axis along which a kernel has more than one weight, counted from 1; 0 of one weight.
std::uint32_t kernel_dimensions(const FilterSize& size);

/// How many directions a kind has in `dimensions`; 1 where it has none.
std::uint32_t kernel_directions(FilterKernelKind kind, std::uint32_t dimensions);

/// How many kernels a kind has in `dimensions`, `directions` of them chosen: two for each direction
/// of quadrature and Gabor filters, D + D (D + 1) / 2 monomials, 1 + D (D + 1) / 2 adaptive ones.
std::uint32_t kernel_filters(FilterKernelKind kind, std::uint32_t dimensions,
                             std::uint32_t directions);

/// The weights. Errors: `filter/kernel-size`, `filter/direction`, `filter/frequency`.
Result<KernelSet> designed_kernels(const KernelDesign& design);

/// The sum of the squares of kernel `filter`: the variance that it leaves of white noise.
double noise_gain(const KernelSet& kernels, std::uint32_t filter);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FilterKernelKind> {
    static constexpr std::array<std::string_view, 9> names{"average", "identity", "gaussian",
                                                           "sobel",   "laplace",  "quadrature",
                                                           "gabor",   "monomial", "adaptive"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::KernelScale> {
    static constexpr std::array<std::string_view, 2> names{"sum_one", "analytic"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::KernelWindow> {
    static constexpr std::array<std::string_view, 3> names{"none", "root_cosine", "cosine"};
};
