#include "passes/fluid/pressure.hpp"

#include "passes/solver/poisson.hpp"

namespace tuff::passes {
namespace {

/// An array of a 32-bit number a cell.
Buffer numbers(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = 4 * count, .stride = 4});
}

} // namespace

void set_projection(ComputeNodeBuilder& node, const PressureProblem& problem,
                    const FluidObstacles& solid, glm::uvec3 dims) {
    node.set("dims", glm::ivec3(dims));
    node.set("faces", problem.boundary.bits());
    node.set("inflow", problem.boundary.inflow);
    node.set("problem_dims", glm::ivec3(problem.dims));
    node.set("offset", problem.offset);
    set_motion(node, solid);
}

PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidObstacles& solid,
                                 const FluidBoundary& boundary, glm::uvec3 dims) {
    PressureProblem problem{.dims = dims, .boundary = boundary};
    const auto layers = [&](int axis, FluidFace low, FluidFace high) {
        if (axis == 2 && dims.z == 1) return;
        problem.offset[axis] = low == FluidFace::open ? 1 : 0;
        problem.dims[axis] += low == FluidFace::open ? 1u : 0u;
        problem.dims[axis] += high == FluidFace::open ? 1u : 0u;
    };
    layers(0, boundary.left, boundary.right);
    layers(1, boundary.bottom, boundary.top);
    layers(2, boundary.back, boundary.front);
    const std::uint64_t count = std::uint64_t{problem.dims.x} * problem.dims.y * problem.dims.z;
    const bool has_kinds = bool(solid) || problem.dims != dims;

    ComputeNodeBuilder node = graph.compute("fluid/divergence");
    node.read("moved", velocities);
    node.specialize("kKinds", std::uint32_t(has_kinds));
    bind_obstacles(node, solid);
    set_projection(node, problem, solid, dims);
    problem.rhs = node.write("rhs", numbers(graph, "rhs", count));
    const Buffer kinds = node.write("kinds", numbers(graph, "kinds", has_kinds ? count : 1));
    if (has_kinds) problem.cells = kinds;
    node.dispatch_over({problem.dims.x, problem.dims.y, problem.dims.z});
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
    // Some cycles a step are meant to be enough: that they leave a rest is no news.
    graph.status<PoissonFaults>(solved.status);
    return {.pressure = solved.solution, .status = solved.status};
}

} // namespace tuff::passes
