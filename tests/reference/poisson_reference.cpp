#include "tests/reference/poisson_reference.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>

namespace tuff::testing_gpu {
namespace {

using passes::PoissonBoundary;

/// Orthonormal eigenvectors of one axis, a row each, and their eigenvalues.
struct Basis {
    std::vector<Field> vectors;
    Field values;
};

Basis basis_of(const PoissonBox& box, int axis) {
    const std::uint32_t n = box.size[axis];
    const PoissonBoundary boundary = box.boundary_of(axis);
    const double unit = box.has_axis(axis) ? 1.0 / (box.spacing[axis] * box.spacing[axis]) : 0.0;
    Basis basis;
    for (std::uint32_t k = 0; k < n; ++k) {
        Field vector(n);
        double angle = 0.0; // from one cell to the next
        for (std::uint32_t i = 0; i < n; ++i) {
            const double centre = i + 0.5;
            switch (boundary) {
            case PoissonBoundary::neumann:
                angle = std::numbers::pi * k / n;
                vector[i] = std::cos(angle * centre);
                break;
            case PoissonBoundary::dirichlet:
                angle = std::numbers::pi * (k + 1) / n;
                vector[i] = std::sin(angle * centre);
                break;
            case PoissonBoundary::periodic:
                angle = 2.0 * std::numbers::pi * ((k + 1) / 2) / n;
                vector[i] = k % 2 == 1 ? std::sin(angle * i) : std::cos(angle * i);
                break;
            }
        }
        // sin(pi i) of an even number of cells is 0: there the cosine is the eigenvector.
        const double length = norm(vector);
        for (double& value : vector)
            value /= length;
        basis.vectors.push_back(std::move(vector));
        basis.values.push_back(unit * (2.0 - 2.0 * std::cos(angle)));
    }
    if (boundary == PoissonBoundary::periodic && n % 2 == 0) {
        for (std::uint32_t i = 0; i < n; ++i)
            basis.vectors[n - 1][i] = (i % 2 == 0 ? 1.0 : -1.0) / std::sqrt(n);
    }
    return basis;
}

/// Multiplies along an axis by the basis, or with `back` by its transpose.
enum class Direction : std::uint8_t { forth, back };
Field transformed(const PoissonBox& box, int axis, const Basis& basis, const Field& field,
                  Direction direction) {
    const std::size_t n = box.size[axis];
    std::size_t stride = 1;
    for (int a = 0; a < axis; ++a)
        stride *= box.size[a];
    Field result(field.size(), 0.0);
    for (std::size_t first = 0; first < field.size(); ++first) {
        if (first / stride % n != 0) continue;
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < n; ++i) {
                const double factor =
                    direction == Direction::forth ? basis.vectors[k][i] : basis.vectors[i][k];
                result[first + k * stride] += factor * field[first + i * stride];
            }
    }
    return result;
}

} // namespace

bool PoissonBox::has_axis(int axis) const {
    if (axis == 2) return size.z > 1;
    return axis == 0 || size.y > 1 || size.z > 1;
}

PoissonBoundary PoissonBox::boundary_of(int axis) const {
    if (!has_axis(axis)) return PoissonBoundary::neumann;
    return axis == 0 ? boundary.x : axis == 1 ? boundary.y : boundary.z;
}

bool PoissonBox::is_singular() const {
    for (int a = 0; a < 3; ++a)
        if (boundary_of(a) == PoissonBoundary::dirichlet) return false;
    return true;
}

Field minus_laplace(const PoissonBox& box, const Field& u) {
    const auto kind = [&](std::size_t i) { return box.cells.empty() ? 0u : box.cells[i]; };
    const glm::ivec3 size(box.size);
    const auto index = [&](glm::ivec3 c) {
        return static_cast<std::size_t>(c.x + size.x * (c.y + size.y * c.z));
    };
    Field result(u.size(), 0.0);
    for (int z = 0; z < size.z; ++z)
        for (int y = 0; y < size.y; ++y)
            for (int x = 0; x < size.x; ++x) {
                const std::size_t own = index({x, y, z});
                if (kind(own) != 0) continue;
                for (int axis = 0; axis < 3; ++axis)
                    for (const int step : {-1, 1}) {
                        if (!box.has_axis(axis)) continue;
                        const double unit = 1.0 / (box.spacing[axis] * box.spacing[axis]);
                        glm::ivec3 other(x, y, z);
                        other[axis] += step;
                        if (other[axis] < 0 || other[axis] >= size[axis]) {
                            if (box.boundary_of(axis) == PoissonBoundary::neumann) continue;
                            if (box.boundary_of(axis) == PoissonBoundary::dirichlet) {
                                result[own] += unit * 2.0 * u[own];
                                continue;
                            }
                            other[axis] = (other[axis] + size[axis]) % size[axis];
                        }
                        if (kind(index(other)) == 1) continue;
                        result[own] += unit * (u[own] - u[index(other)]);
                    }
            }
    return result;
}

Field solve_by_eigenvectors(const PoissonBox& box, const Field& rhs) {
    const Basis bases[3] = {basis_of(box, 0), basis_of(box, 1), basis_of(box, 2)};
    Field field = rhs;
    for (int axis = 0; axis < 3; ++axis)
        field = transformed(box, axis, bases[axis], field, Direction::forth);
    for (std::size_t i = 0; i < field.size(); ++i) {
        const std::size_t x = i % box.size.x;
        const std::size_t y = i / box.size.x % box.size.y;
        const std::size_t z = i / box.size.x / box.size.y;
        const double value = bases[0].values[x] + bases[1].values[y] + bases[2].values[z];
        field[i] = value > 0.0 ? field[i] / value : 0.0;
    }
    for (int axis = 0; axis < 3; ++axis)
        field = transformed(box, axis, bases[axis], field, Direction::back);
    return field;
}

Field solve_by_gradients(const PoissonBox& box, const Field& rhs, const Field& held) {
    Field u(rhs.size(), 0.0);
    const auto unknown = [&](std::size_t i) { return box.cells.empty() || box.cells[i] == 0; };
    for (std::size_t i = 0; i < u.size(); ++i)
        if (!unknown(i) && box.cells[i] == 2) u[i] = held[i];
    Field residual = minus_laplace(box, u);
    for (std::size_t i = 0; i < u.size(); ++i)
        residual[i] = unknown(i) ? rhs[i] - residual[i] : 0.0;
    Field direction = residual;
    const double first = norm(residual);
    double square = first * first;
    for (std::size_t step = 0; step < 4 * u.size() && std::sqrt(square) > 1e-13 * first; ++step) {
        const Field image = minus_laplace(box, direction);
        const double energy =
            std::inner_product(image.begin(), image.end(), direction.begin(), 0.0);
        const double length = square / energy;
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] += length * direction[i];
            residual[i] -= length * image[i];
        }
        const double next = norm(residual) * norm(residual);
        for (std::size_t i = 0; i < u.size(); ++i)
            direction[i] = residual[i] + next / square * direction[i];
        square = next;
    }
    return u;
}

namespace {

/// Of what a few inverse iterations make of random numbers.
double rayleigh_quotient(const PoissonBox& box) {
    constexpr int kSteps = 6;
    Field constant(box.count(), 0.0);
    for (std::size_t i = 0; i < constant.size(); ++i)
        constant[i] = box.cells[i] == 0 ? 1.0 : 0.0;
    const double unknown = norm(constant) * norm(constant);
    const bool is_singular = norm(minus_laplace(box, constant)) == 0.0;
    const Field nothing(box.count(), 0.0);
    Field u = random_field(box.count(), 77);
    double value = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        const double sum = std::inner_product(u.begin(), u.end(), constant.begin(), 0.0);
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] = constant[i] * (is_singular ? u[i] - sum / unknown : u[i]);
        const double before = norm(u);
        for (double& number : u)
            number /= before;
        u = solve_by_gradients(box, u, nothing);
        value = 1.0 / norm(u);
    }
    return value;
}

} // namespace

double least_eigenvalue(const PoissonBox& box) {
    if (!box.cells.empty()) return 0.5 * rayleigh_quotient(box);
    const Basis bases[3] = {basis_of(box, 0), basis_of(box, 1), basis_of(box, 2)};
    const double greatest = greatest_eigenvalue(box);
    double least = greatest;
    for (const double x : bases[0].values)
        for (const double y : bases[1].values)
            for (const double z : bases[2].values)
                if (x + y + z > 1e-12 * greatest) least = std::min(least, x + y + z);
    return least;
}

double greatest_eigenvalue(const PoissonBox& box) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        if (box.has_axis(axis)) sum += 4.0 / (box.spacing[axis] * box.spacing[axis]);
    return sum;
}

double residual_rounding(const PoissonBox& box, const Field& u, std::uint32_t improvements) {
    // A cell's residual is a sum of its neighbours, itself and the right-hand side, each once
    // rounded as a product: of magnitudes that the matrix of absolute values makes, whose norm the
    // circles bound, too. An improvement rounds a product and a sum, which the matrix carries over.
    int terms = 2;
    for (int axis = 0; axis < 3; ++axis)
        terms += box.has_axis(axis) ? 2 : 0;
    const double roundings = (terms + 2.0) * std::max(improvements, 1u);
    return roundings * 0x1p-24 * greatest_eigenvalue(box) * norm(u);
}

Field random_field(std::size_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    Field field(count);
    for (double& value : field)
        value = static_cast<double>(static_cast<float>(generator() >> 8) * 0x1p-23f - 1.0f);
    return field;
}

void remove_mean(Field& field) {
    const double mean =
        std::accumulate(field.begin(), field.end(), 0.0) / static_cast<double>(field.size());
    for (double& value : field)
        value -= mean;
}

double norm(const Field& field) {
    return std::sqrt(std::inner_product(field.begin(), field.end(), field.begin(), 0.0));
}

double greatest(const Field& field) {
    double most = 0.0;
    for (const double value : field)
        most = std::max(most, std::abs(value));
    return most;
}

Field difference(const Field& a, const Field& b) {
    Field result(a.size());
    std::ranges::transform(a, b, result.begin(), std::minus<>());
    return result;
}

Field widened(const std::vector<float>& values) {
    return Field(values.begin(), values.end());
}

std::vector<float> narrowed(const Field& values) {
    std::vector<float> result(values.size());
    std::ranges::transform(values, result.begin(),
                           [](double value) { return static_cast<float>(value); });
    return result;
}

} // namespace tuff::testing_gpu
