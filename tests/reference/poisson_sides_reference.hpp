#pragma once

#include "tests/reference/poisson_reference.hpp"

#include <array>

/// Poisson's equation with conditions on each side of the box, on the CPU in double precision.
namespace tuff::testing_gpu {

/// a u + b du/dn = values, of each cell of a face; x low, x high, y low and so on.
struct SideCondition {
    double a = 0.0;
    double b = 1.0;
    Field values;
};
struct SideProblem {
    glm::uvec3 size{1};
    glm::dvec3 spacing{1.0};
    std::array<SideCondition, 6> sides;
    Field rhs;

    std::size_t count() const { return std::size_t{size.x} * size.y * size.z; }
    bool has_axis(int axis) const {
        return axis == 0 || (axis == 1 && (size.y > 1 || size.z > 1)) || (axis == 2 && size.z > 1);
    }
    std::size_t face_cells(int axis) const { return count() / size[axis]; }
    bool is_free() const {
        for (const SideCondition& side : sides)
            if (side.a != 0.0) return false;
        return true;
    }
};

template <typename F>
void each_cell(glm::uvec3 size, F&& f) {
    std::size_t i = 0;
    for (std::uint32_t z = 0; z < size.z; ++z)
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x, ++i)
                f(glm::uvec3(x, y, z), i);
}

/// The discrete system with the cells beyond the sides as unknowns of their own, whose equations
/// are the sides'; solved directly. Where nothing fixes the mean, it is 0, and what of the
/// right-hand side nothing takes up goes to one more unknown.
Field solve_with_outer_cells(const SideProblem& p);

} // namespace tuff::testing_gpu
