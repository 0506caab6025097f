#include "tests/reference/poisson_sides_reference.hpp"

#include <Eigen/Sparse>

#include <vector>

namespace tuff::testing_gpu {
namespace {

/// Of a face's values, the number of a cell's.
std::size_t place_on_face(const SideProblem& p, glm::uvec3 cell, int axis) {
    if (axis == 0) return cell.y + std::size_t{p.size.y} * cell.z;
    if (axis == 1) return cell.x + std::size_t{p.size.x} * cell.z;
    return cell.x + std::size_t{p.size.x} * cell.y;
}

} // namespace

Field solve_with_outer_cells(const SideProblem& p) {
    using Triplet = Eigen::Triplet<double>;
    const std::size_t count = p.count();
    std::size_t unknowns = count;
    for (int axis = 0; axis < 3; ++axis)
        if (p.has_axis(axis)) unknowns += 2 * p.face_cells(axis);
    const std::size_t free = p.is_free() ? 1 : 0;
    std::vector<Triplet> entries;
    Field right(p.rhs);
    right.resize(unknowns + free, 0.0);
    const auto put = [&](std::size_t row, std::size_t column, double value) {
        entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    const std::size_t stride[3] = {1, p.size.x, std::size_t{p.size.x} * p.size.y};
    std::size_t outer = count;
    for (int axis = 0; axis < 3; ++axis) {
        if (!p.has_axis(axis)) continue;
        const double h = p.spacing[axis];
        each_cell(p.size, [&](glm::uvec3 cell, std::size_t i) {
            for (int end = 0; end < 2; ++end) {
                const bool outside = cell[axis] == (end == 0 ? 0 : p.size[axis] - 1);
                const std::size_t inner = end == 0 ? i - stride[axis] : i + stride[axis];
                const std::size_t neighbour = outside ? outer++ : inner;
                put(i, i, 1.0 / (h * h));
                put(i, neighbour, -1.0 / (h * h));
                if (!outside) continue;
                const SideCondition& side =
                    p.sides[2 * static_cast<std::size_t>(axis) + static_cast<std::size_t>(end)];
                put(neighbour, i, side.a / 2.0 - side.b / h);
                put(neighbour, neighbour, side.a / 2.0 + side.b / h);
                right[neighbour] = side.values[place_on_face(p, cell, axis)];
            }
        });
    }
    for (std::size_t i = 0; free == 1 && i < count; ++i) {
        put(i, unknowns, 1.0);
        put(unknowns, i, 1.0);
    }
    const auto n = static_cast<int>(unknowns + free);
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(matrix);
    const Eigen::VectorXd u = solver.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
    return {u.data(), u.data() + count};
}

} // namespace tuff::testing_gpu
