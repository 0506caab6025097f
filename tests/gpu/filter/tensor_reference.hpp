#pragma once

#include "passes/filter/directions.hpp"
#include "passes/filter/structure_tensor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

/// Tensors of local structure, and eigenvectors, in double precision.
namespace tuff::testing_gpu {

using Matrix = std::array<std::array<double, 4>, 4>;

/// The tensor by its definition, of the responses at one place.
inline Matrix tensor_of(passes::TensorMethod method, std::uint32_t d,
                        const std::vector<double>& responses) {
    Matrix t{};
    if (method == passes::TensorMethod::quadrature) {
        static constexpr std::array<double, 5> kAlpha{0, 0, 1.0, 5.0 / 4.0, 1.0};
        static constexpr std::array<double, 5> kBeta{0, 0, 0.25, 0.25, 1.0 / 6.0};
        const auto directions = passes::filter_directions(d);
        for (std::size_t k = 0; k < directions.size(); ++k)
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = 0; j < d; ++j)
                    t[i][j] += std::hypot(responses[2 * k], responses[2 * k + 1]) *
                               (kAlpha[d] * directions[k][static_cast<int>(i)] *
                                    directions[k][static_cast<int>(j)] -
                                (i == j ? kBeta[d] : 0.0));
        return t;
    }
    for (std::uint32_t i = 0; i < d; ++i)
        for (std::uint32_t j = 0; j < d; ++j)
            t[i][j] = responses[i] * responses[j];
    if (method == passes::TensorMethod::gradient) return t;
    Matrix b{};
    std::size_t next = d;
    for (std::uint32_t i = 0; i < d; ++i)
        for (std::uint32_t j = i; j < d; ++j)
            b[i][j] = b[j][i] = responses[next++];
    double squares = 0.0;
    for (std::uint32_t i = 0; i < d; ++i)
        for (std::uint32_t j = 0; j < d; ++j) {
            for (std::uint32_t k = 0; k < d; ++k)
                t[i][j] += b[i][k] * b[k][j];
            squares += t[i][j] * t[i][j];
        }
    for (auto& row : t)
        for (double& number : row)
            number /= std::sqrt(std::sqrt(squares));
    return t;
}

/// Eigenvalues in descending order, and their unit vectors.
struct Eigen {
    std::vector<double> values;
    std::vector<std::array<double, 4>> vectors;
};

/// By Jacobi's method.
inline Eigen eigen_of(Matrix a, std::uint32_t d) {
    Matrix v{};
    for (std::uint32_t i = 0; i < d; ++i)
        v[i][i] = 1.0;
    const auto rotate = [](double& first, double& second, double c, double s) {
        first = std::exchange(second, s * first + c * second) * -s + c * first;
    };
    for (int sweep = 0; sweep < 40; ++sweep)
        for (std::uint32_t p = 0; p + 1 < d; ++p)
            for (std::uint32_t q = p + 1; q < d; ++q) {
                if (a[p][q] == 0.0) continue;
                const double angle = 0.5 * std::atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
                const double c = std::cos(angle);
                const double s = std::sin(angle);
                for (std::uint32_t k = 0; k < d; ++k)
                    rotate(a[k][p], a[k][q], c, s);
                for (std::uint32_t k = 0; k < d; ++k)
                    rotate(a[p][k], a[q][k], c, s);
                for (std::uint32_t k = 0; k < d; ++k)
                    rotate(v[k][p], v[k][q], c, s);
            }
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < d; ++k)
        order.push_back(k);
    std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) { return a[i][i] > a[j][j]; });
    Eigen found;
    for (const std::uint32_t k : order) {
        found.values.push_back(a[k][k]);
        found.vectors.push_back({v[0][k], v[1][k], v[2][k], v[3][k]});
    }
    return found;
}

} // namespace tuff::testing_gpu
