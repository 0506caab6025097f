#pragma once

#include "passes/solver/poisson.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <vector>

/// Poisson's equation on the CPU in double precision, written apart from the kernels.
namespace tuff::testing_gpu {

using Field = std::vector<double>;

/// A box of cells.
struct PoissonBox {
    glm::uvec3 size{1};
    glm::dvec3 spacing{1.0};
    passes::PoissonBoundaries boundary;
    std::vector<std::uint32_t> cells; ///< empty: all unknown

    std::size_t count() const { return std::size_t{size.x} * size.y * size.z; }
    /// The axis has neighbours, or faces at which something happens.
    bool has_axis(int axis) const;
    passes::PoissonBoundary boundary_of(int axis) const;
    /// Nothing fixes the solution's mean (where `cells` is empty).
    bool is_singular() const;
};

/// -laplace(u); 0 in cells that are not unknown.
Field minus_laplace(const PoissonBox& box, const Field& u);

/// The solution by the eigenvectors of each axis; of mean 0 where nothing fixes it, and then for
/// `rhs` without its mean. For boxes without special cells.
Field solve_by_eigenvectors(const PoissonBox& box, const Field& rhs);

/// The solution by conjugate gradients, to rounding, with what `held` has in fixed cells. Where
/// nothing fixes the mean of a pocket of cells, that of `rhs` there must be 0, and so is that of
/// the solution if there is only one pocket.
Field solve_by_gradients(const PoissonBox& box, const Field& rhs, const Field& held);

/// The least eigenvalue of minus_laplace that is not 0: a residual r is an error of at most
/// norm(r) divided by it. With special cells a half of what inverse iteration has after a few
/// steps, which comes down to it.
double least_eigenvalue(const PoissonBox& box);
/// At least as great as the greatest one, by Gershgorin's circles.
double greatest_eigenvalue(const PoissonBox& box);

/// How far the residual of `u`, a solution that single precision improved so many times, may be
/// from the one that its solver counts.
double residual_rounding(const PoissonBox& box, const Field& u, std::uint32_t improvements);

/// Independent numbers in [-1, 1).
Field random_field(std::size_t count, std::uint32_t seed);
void remove_mean(Field& field);
double norm(const Field& field);
double greatest(const Field& field);
Field difference(const Field& a, const Field& b);
Field widened(const std::vector<float>& values);
std::vector<float> narrowed(const Field& values);

} // namespace tuff::testing_gpu
