#include "passes/fluid/pressure.hpp"

#include "passes/solver/poisson.hpp"

namespace tuff::passes {
namespace {

/// An array of a 32-bit number a cell.
Buffer numbers(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = 4 * count, .stride = 4});
}

} // namespace

PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidObstacles& solid,
                                 const FluidBoundary& boundary, glm::uvec3 dims) {
    const std::uint64_t count = std::uint64_t{dims.x} * dims.y * dims.z;
    PressureProblem problem{.dims = dims, .boundary = boundary};
    ComputeNodeBuilder node = graph.compute("fluid/divergence");
    node.read("velocities", velocities);
    bind_obstacles(node, solid, velocities);
    node.set("dims", glm::ivec3(dims));
    node.set("faces", boundary.bits());
    problem.rhs = node.write("rhs", numbers(graph, "rhs", count));
    const Buffer kinds = node.write("kinds", numbers(graph, "kinds", solid ? count : 1));
    if (solid) problem.cells = kinds;
    node.dispatch_over({dims.x, dims.y, dims.z});
    return problem;
}

PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem, float tolerance,
                                std::uint32_t max_cycles) {
    const auto kind = [](FluidFace face) {
        return face == FluidFace::periodic ? PoissonBoundary::periodic : PoissonBoundary::neumann;
    };
    const Poisson solved = graph.add(Poisson{
        .rhs = problem.rhs,
        .cells = problem.cells,
        .size = problem.dims,
        .boundary = {.x = kind(problem.boundary.left),
                     .y = kind(problem.boundary.bottom),
                     .z = kind(problem.boundary.back)},
        .method = problem.cells ? PoissonMethod::mgpcg : PoissonMethod::v_cycle,
        .tolerance = tolerance,
        .max_cycles = max_cycles,
    });
    return {.pressure = solved.solution, .status = solved.status};
}

} // namespace tuff::passes
