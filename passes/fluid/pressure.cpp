#include "passes/fluid/pressure.hpp"

#include "passes/fluid/parts.hpp"
#include "passes/mpi/poisson_solve.hpp"
#include "passes/solver/poisson.hpp"

#include <array>

namespace tuff::passes {
namespace {

/// An array of a 32-bit number a cell.
Buffer numbers(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = 4 * count, .stride = 4});
}

/// Layers of cells beyond the sides.
struct Layers {
    glm::uvec3 low{0};
    glm::uvec3 high{0};
};
Layers layers_of(const FluidField& field) {
    const FluidBoundary& b = field.boundary;
    const auto layer = [](FluidFace face) { return face == FluidFace::open ? 1u : 0u; };
    Layers layers{.low = {layer(b.left), layer(b.bottom), layer(b.back)},
                  .high = {layer(b.right), layer(b.top), layer(b.front)}};
    if (field.is_flat()) layers.low.z = layers.high.z = 0;
    return layers;
}

PoissonBoundaries boundaries_of(const FluidField& field) {
    const auto periodic = field.boundary.periodic();
    const auto kind = [&](std::size_t axis) {
        return periodic[axis] ? PoissonBoundary::periodic : PoissonBoundary::neumann;
    };
    return {.x = kind(0), .y = kind(1), .z = kind(2)};
}

/// Each rank has its part of the flow, and of the layers what is beside it.
PoissonLevels levels_of(const Graph& graph, const FluidField& field, const Layers& layers,
                        std::uint64_t gather_cells) {
    const Ranks& ranks = graph.ranks();
    Split split = split_of({field.dims.x, field.dims.y, field.dims.z}, ranks);
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<CellSpan>& spans = split[static_cast<std::size_t>(axis)];
        for (CellSpan& span : spans)
            span.first += layers.low[axis];
        spans.front().first = 0;
        spans.front().count += layers.low[axis];
        spans.back().count += layers.high[axis];
    }
    const PoissonGrid grid = grid_of_parts(field.dims + layers.low + layers.high, glm::vec3(1.0f),
                                           boundaries_of(field), field.is_flat());
    return {grid, ranks, split, gather_cells};
}

} // namespace

void set_projection(ComputeNodeBuilder& node, const PressureProblem& problem,
                    const FluidField& field) {
    set_grid(node, field);
    node.set("inflow", field.boundary.inflow);
    node.set("problem_dims", glm::ivec3(problem.dims));
    node.set("offset", problem.offset);
    set_motion(node, field.solid);
}

PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidField& field,
                                 const PressureParameters& parameters) {
    const Layers layers = layers_of(field);
    PressureProblem problem{.dims = field.dims + layers.low + layers.high,
                            .offset = glm::ivec3(layers.low)};
    const bool has_kinds = bool(field.solid) || problem.dims != field.dims;
    glm::ivec3 from = -problem.offset;
    glm::ivec3 to = from + glm::ivec3(problem.dims);
    if (field.part || parameters.tolerance == 0.0f) {
        problem.levels = levels_of(graph, field, layers, parameters.gather_cells);
        const PartLayout part = problem.levels->layout(0);
        from += whole_numbers(part.first);
        to = from + whole_numbers(part.cells);
        problem.dims = glm::uvec3(whole_numbers(part.size()));
        problem.offset = whole_numbers(part.halo) - from;
    }
    const std::uint64_t count = std::uint64_t{problem.dims.x} * problem.dims.y * problem.dims.z;

    ComputeNodeBuilder node = graph.compute("fluid/divergence");
    node.read("moved", velocities);
    node.specialize("kKinds", std::uint32_t(has_kinds));
    bind_obstacles(node, field.solid);
    set_projection(node, problem, field);
    node.set("problem_from", from);
    node.set("problem_to", to);
    problem.rhs = node.write("rhs", numbers(graph, "rhs", count));
    const Buffer kinds = node.write("kinds", numbers(graph, "kinds", has_kinds ? count : 1));
    if (has_kinds) problem.cells = kinds;
    const glm::uvec3 size(to - from);
    node.dispatch_over({size.x, size.y, size.z});
    return problem;
}

PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem,
                                const FluidField& field, const PressureParameters& parameters) {
    PressureSolution result;
    if (problem.levels) {
        PoissonOfArrays solved{.rhs = problem.rhs,
                               .kinds = problem.cells,
                               .tolerance = parameters.tolerance,
                               .max_cycles = parameters.max_cycles};
        solve_by_cycles(graph, *problem.levels, solved);
        result = {.pressure = solved.solution, .status = solved.status};
    } else {
        const Poisson solved = graph.add(Poisson{
            .rhs = problem.rhs,
            .cells = problem.cells,
            .size = problem.dims,
            .boundary = boundaries_of(field),
            .method = problem.cells ? PoissonMethod::mgpcg : PoissonMethod::v_cycle,
            .tolerance = parameters.tolerance,
            .max_cycles = parameters.max_cycles,
        });
        result = {.pressure = solved.solution, .status = solved.status};
    }
    // Some cycles a step are meant to be enough: that they leave a rest is no news.
    if (result.status) graph.status<PoissonFaults>(result.status);
    return result;
}

} // namespace tuff::passes
