#pragma once

#include "passes/solver/poisson.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// The grids of solver/poisson: sizes, and what couples their cells. No GPU.
namespace tuff::passes {

/// The six sides: x low, x high, y low, and so on.
using PoissonSides = std::array<PoissonSide, 6>;

/// An end of an axis: a u + b du/dn = 0 there, n pointing outwards.
struct PoissonEnd {
    double a = 0.0;
    double b = 1.0;
    bool operator==(const PoissonEnd&) const = default;
    bool is_dirichlet() const { return b == 0.0; }
    bool is_neumann() const { return a == 0.0; }
    /// The share of the solution in a cell of this length that is gone at the face.
    double drop(double length) const {
        return is_dirichlet() ? 1.0 : a * length / (a * length + 2.0 * b);
    }
};

/// One axis of a grid. Lengths are in sides of the finest grid's cells: small whole numbers.
struct PoissonAxis {
    std::uint32_t cells = 1;
    double side = 1.0;      ///< of every cell but the last
    double last_side = 1.0; ///< of the last cell, not longer
    double spacing = 1.0;   ///< side of the finest grid's cells
    bool wraps = false;     ///< periodic: there are no ends
    PoissonEnd low;
    PoissonEnd high;

    /// Coupling of a cell to its neighbours below and above: 1 / (its side * distance of centres).
    struct Weights {
        double low_first, low_inner, low_last;
        double high_inner, high_before, high_last;
    };
    Weights weights() const;
    /// Pairs of cells in one.
    PoissonAxis coarsened() const;
    /// All cells of one size, in pairs, and both ends Dirichlet's or both Neumann's.
    bool is_regular() const;
    bool has_neumann_walls() const { return !wraps && low.is_neumann() && high.is_neumann(); }
    /// The solution's mean is bound to something.
    bool fixes_mean() const { return !wraps && !has_neumann_walls(); }
    /// What an end adds to the equation of its cell for each unit of its value.
    double value_weight(const PoissonEnd& end) const;
};

/// The eigenvectors of an axis's coupling, for axes of a few cells. The matrix is symmetric once
/// each equation is multiplied, and each unknown divided, by the square root of its cell's side.
struct PoissonModes {
    std::vector<double> roots; ///< of the sides
    std::vector<double> eigenvalues;
    std::vector<double> vectors; ///< [cell * cells + mode]
};
PoissonModes modes_of(const PoissonAxis& axis);

/// A grid, along x, y and z; pictures have theirs along x and z, so that kernels which walk along z
/// have work.
struct PoissonGrid {
    std::array<PoissonAxis, 3> axes;

    std::uint64_t count() const;
    std::uint32_t count32() const { return static_cast<std::uint32_t>(count()); }
    bool is_flat() const { return axes[1].cells == 1; }
    /// Nothing but fixed cells can fix the mean of a solution.
    bool is_singular() const;
    glm::ivec3 cells() const;
};

/// The grid of these cells. Along missing axes (z of one cell, and then y of one cell) nothing is
/// coupled.
PoissonGrid finest_grid(glm::uvec3 size, glm::vec3 spacing, const PoissonBoundaries& boundary,
                        const PoissonSides& sides = {});

/// The next coarser grid. Axes along which the coupling is weak stay as they are until the others
/// have caught up. Of a grid of one cell, itself.
PoissonGrid coarsened(const PoissonGrid& grid);

/// Whether the kernels for regular cells are to work on this grid, all of whose cells are in pairs
/// on the next coarser one: see shaders/solver/strips.glsl.
bool is_regular(const PoissonGrid& grid, const PoissonGrid& coarser);

/// The factor of overrelaxation that damps the slowest mode most: 2 / (1 + sqrt(1 - rho^2)), rho
/// the spectral radius of Jacobi's method.
double best_overrelaxation(const PoissonGrid& grid);

/// Sets what shaders/solver/grid_params.glsl and the members for the next coarser grid declare.
void set_grid(KernelNode& node, const PoissonGrid& grid);
void set_transfer(KernelNode& node, const PoissonGrid& fine, const PoissonGrid& coarse);
/// Sets what shaders/solver/regular_params.glsl declares of the grid.
void set_regular(KernelNode& node, const PoissonGrid& grid);

} // namespace tuff::passes
