#pragma once

#include "passes/solver/poisson.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// The grids of solver/poisson: sizes, and what couples their cells. No GPU.
namespace tuff::passes {

/// One axis of a grid. Lengths are in sides of the finest grid's cells: small whole numbers.
struct PoissonAxis {
    std::uint32_t cells = 1;
    double side = 1.0;      ///< of every cell but the last
    double last_side = 1.0; ///< of the last cell, not longer
    double spacing = 1.0;   ///< side of the finest grid's cells
    PoissonBoundary boundary = PoissonBoundary::neumann;

    /// Coupling of a cell to its neighbours below and above: 1 / (its side * distance of centres).
    struct Weights {
        double low_first, low_inner, low_last;
        double high_inner, high_before, high_last;
    };
    Weights weights() const;
    /// Pairs of cells in one.
    PoissonAxis coarsened() const;
    /// All cells of one size, in pairs.
    bool is_regular() const { return cells % 2 == 0 && side == last_side; }
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
PoissonGrid finest_grid(glm::uvec3 size, glm::vec3 spacing, const PoissonBoundaries& boundary);

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
