#pragma once

#include "passes/filter/kernel_design.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

/// Plane waves, and what kernels answer them with, in double precision.
namespace tuff::testing_gpu {

inline constexpr double kWavePi = std::numbers::pi;

/// sum of weight * exp(-i u f): what a wave exp(i u p) is multiplied by.
inline std::complex<double> transfer(const passes::KernelSet& kernels, std::uint32_t filter,
                                     const glm::dvec4& frequency) {
    const std::uint64_t taps = passes::filter_count(kernels.size);
    std::complex<double> sum = 0.0;
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
        double phase = 0.0;
        std::uint64_t rest = tap;
        for (int a = 0; a < 4; ++a) {
            const std::uint32_t side = kernels.size[static_cast<std::size_t>(a)];
            phase += frequency[a] * (static_cast<double>(rest % side) - side / 2);
            rest /= side;
        }
        sum += kernels.weights[filter * taps + tap] * std::polar(1.0, -phase);
    }
    return sum;
}

/// What each kernel answers cos(u p + phase) with, in the interior.
inline std::vector<double> wave_responses(const passes::KernelSet& kernels,
                                          const glm::dvec4& frequency, double phase) {
    std::vector<double> responses;
    for (std::uint32_t filter = 0; filter < kernels.filters; ++filter)
        responses.push_back((transfer(kernels, filter, frequency) * std::polar(1.0, phase)).real());
    return responses;
}

/// A unit vector in the first `dimensions` axes.
inline glm::dvec4 random_direction(std::mt19937& random, std::uint32_t dimensions) {
    std::normal_distribution<double> number;
    glm::dvec4 direction(0.0);
    for (std::uint32_t a = 0; a < dimensions; ++a)
        direction[static_cast<int>(a)] = number(random);
    return glm::normalize(direction);
}

/// `side` along each of these axes, 1 along the others.
inline passes::FilterSize cube(std::uint32_t dimensions, std::uint32_t side) {
    passes::FilterSize size{1, 1, 1, 1};
    for (std::uint32_t a = 0; a < dimensions; ++a)
        size[a] = side;
    return size;
}

} // namespace tuff::testing_gpu
