#include "passes/filter/directions.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace tuff::passes {

std::span<const glm::dvec4> filter_directions(std::uint32_t dimensions) {
    static constexpr double kHalf = 0.5 * std::numbers::sqrt2;
    static const std::array<glm::dvec4, 1> kLine{{{1, 0, 0, 0}}};
    static constexpr std::array<glm::dvec4, 4> kPlane{
        {{1, 0, 0, 0}, {kHalf, kHalf, 0, 0}, {0, 1, 0, 0}, {-kHalf, kHalf, 0, 0}}};
    static const std::array<glm::dvec4, 6> kSpace = [] {
        // (2, 1 + sqrt 5) / sqrt(10 + 2 sqrt 5), as Knutsson has the icosahedron.
        const double length = std::sqrt(10.0 + 2.0 * std::sqrt(5.0));
        const double a = 2.0 / length;
        const double b = (1.0 + std::sqrt(5.0)) / length;
        return std::array<glm::dvec4, 6>{{{a, 0, b, 0},
                                          {-a, 0, b, 0},
                                          {b, a, 0, 0},
                                          {b, -a, 0, 0},
                                          {0, b, a, 0},
                                          {0, b, -a, 0}}};
    }();
    static constexpr std::array<glm::dvec4, 12> kHyperspace{{{kHalf, kHalf, 0, 0},
                                                             {kHalf, -kHalf, 0, 0},
                                                             {kHalf, 0, kHalf, 0},
                                                             {kHalf, 0, -kHalf, 0},
                                                             {kHalf, 0, 0, kHalf},
                                                             {kHalf, 0, 0, -kHalf},
                                                             {0, kHalf, kHalf, 0},
                                                             {0, kHalf, -kHalf, 0},
                                                             {0, kHalf, 0, kHalf},
                                                             {0, kHalf, 0, -kHalf},
                                                             {0, 0, kHalf, kHalf},
                                                             {0, 0, kHalf, -kHalf}}};
    switch (dimensions) {
    case 1: return kLine;
    case 2: return kPlane;
    case 3: return kSpace;
    case 4: return kHyperspace;
    default: return {};
    }
}

} // namespace tuff::passes
