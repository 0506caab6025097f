#include "passes/mpi/poisson.hpp"

#include "passes/common/picture.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/mpi/field.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

HaloEdge edge_of(PoissonBoundary boundary) {
    return boundary == PoissonBoundary::periodic ? HaloEdge::periodic : HaloEdge::clamp;
}

/// Adds the nodes of a solution, which all know the same of the part.
class Relaxation {
  public:
    Relaxation(Graph& graph, const PoissonOfParts& pass, const Field& field)
        : graph_(graph), pass_(pass), halo_(field.halo[0], field.halo[1], field.halo[2]),
          volume_(graph.desc(pass.source).shape == ImageShape::d3) {
        const auto part = graph.ranks().part(field.cells);
        first_ = {static_cast<int>(part[0].first), static_cast<int>(part[1].first),
                  static_cast<int>(part[2].first)};
        const ImageDesc of_source = graph.desc(pass.source);
        desc_ = {
            .format = Format::r32_sfloat, .extent = of_source.extent, .shape = of_source.shape};
    }

    Image zeros() {
        return graph_.clear(graph_.image("zeros", desc_), std::array<float, 4>{}, "clear");
    }

    /// Halos are filled in place, and the guess is the user's.
    Image copied(Image guess) {
        return graph_.copy(guess, graph_.image("begin", graph_.desc(guess)), "copy");
    }

    Image filled(Image solution) {
        return graph_
            .add(HaloExchange{.source = solution,
                              .cells = pass_.cells,
                              .halo = pass_.halo,
                              .edge_x = edge_of(pass_.x),
                              .edge_y = edge_of(pass_.y),
                              .edge_z = edge_of(pass_.z)})
            .result;
    }

    /// The inner cells need no halo: they are relaxed while it travels.
    Image relaxed(Image solution) {
        const Image inner = step("inner", solution, graph_.image("relaxed", desc_), false);
        return step("border", filled(solution), inner, true);
    }

    /// The greatest of all ranks, of a solution with its halo.
    Buffer residual(Image solution) {
        const Buffer zero =
            graph_.fill(graph_.buffer("greatest", {.size = 4, .stride = 4}), 0, "zero");
        ComputeNodeBuilder node = graph_.compute("mpi/residual", {{"VOLUME", volume_}});
        node.read("solution", solution, Sampler::nearest());
        const Buffer own = node.accumulate("greatest", zero);
        set_place(node);
        node.dispatch_over(desc_.extent);
        return graph_.add(AllReduce{.source = own, .operation = RankOperation::max}).result;
    }

  private:
    Image step(std::string_view name, Image solution, Image target, bool border) {
        ComputeNodeBuilder node = graph_.compute("mpi/jacobi", {{"VOLUME", volume_}}, name);
        node.read("solution", solution, Sampler::nearest());
        const Image result = node.write("result", target);
        node.set("border", border ? 1 : 0);
        node.set("omega", pass_.omega);
        set_place(node);
        node.dispatch_over(desc_.extent);
        return result;
    }
    void set_place(ComputeNodeBuilder& node) {
        const auto is_zero = [](PoissonBoundary boundary) {
            return boundary == PoissonBoundary::dirichlet ? 1 : 0;
        };
        node.read("source", pass_.source, Sampler::nearest());
        node.set("halo", halo_);
        node.set("first", first_);
        node.set("cells", pass_.cells);
        node.set("dirichlet", glm::ivec3(is_zero(pass_.x), is_zero(pass_.y), is_zero(pass_.z)));
        node.set("cell_area", pass_.cell * pass_.cell);
    }

    Graph& graph_;
    const PoissonOfParts& pass_;
    glm::ivec3 halo_;
    glm::ivec3 first_{};
    bool volume_;
    ImageDesc desc_;
};

} // namespace

void PoissonOfParts::describe(PassInfo<PoissonOfParts>& info) {
    info.summary("Relaxes the Poisson equation on a field that ranks have in parts")
        .details(
            "Iterations of the damped Jacobi method for laplace(u) = source. In each one the inner "
            "cells of a part are relaxed while its halo travels, and then the others. The solution "
            "and the residual have the same bits for any number of ranks. The method needs as many "
            "iterations as the square of the field's width: it suits a few iterations from a good "
            "guess, or smoothing. Where no axis is dirichlet the sum of the source should be 0.")
        .source("Briggs, Henson and McCormick, \"A Multigrid Tutorial\", 2nd ed., SIAM, 2000, "
                "chapter 2")
        .complexity("O(cells of the part times iterations)")
        .cost([](const PoissonOfParts& pass, const Graph& graph) {
            Cost cost = picture_cost(graph, pass.source, pass.result, 12.0);
            const double times = pass.iterations;
            return Cost{.bytes = cost.bytes * times, .operations = cost.operations * times};
        });
    info.input(
            "source", &PoissonOfParts::source,
            "the rank's part of the right-hand side in the first channel, with room for the halo")
        .picture_or_volume();
    info.optional_input("guess", &PoissonOfParts::guess,
                        "where the iterations begin; unconnected: 0")
        .picture_or_volume();
    describe_field(info, &PoissonOfParts::cells, &PoissonOfParts::halo, 1);
    info.parameter("iterations", &PoissonOfParts::iterations, "how many there are")
        .range(1, 10'000)
        .structural();
    info.parameter("omega", &PoissonOfParts::omega, "damping; 1: none").range(0.0, 1.0);
    info.parameter("cell", &PoissonOfParts::cell, "side of a cell").range(1e-6, 1e6);
    info.parameter("x", &PoissonOfParts::x, "boundary condition at both ends of the x axis")
        .structural();
    info.parameter("y", &PoissonOfParts::y, "boundary condition at both ends of the y axis")
        .structural();
    info.parameter("z", &PoissonOfParts::z, "boundary condition at both ends of the z axis")
        .structural();
    info.output("result", &PoissonOfParts::result,
                "the part of the solution with its halo, r32_sfloat");
    info.output("residual", &PoissonOfParts::residual,
                "the greatest absolute residual of all cells of all ranks")
        .elements<float>();
}

void PoissonOfParts::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo);
    if (!is_part_of(graph, source, field) || (guess && !is_part_of(graph, guess, field))) return;
    Relaxation relaxation(graph, *this, field);
    const Image begin = guess ? relaxation.copied(guess) : relaxation.zeros();
    const Image relaxed =
        graph.repeat("jacobi", static_cast<std::uint32_t>(iterations), begin,
                     [&](Image solution, std::uint32_t) { return relaxation.relaxed(solution); });
    result = relaxation.filled(relaxed);
    residual = relaxation.residual(result);
}

TUFF_PASS(PoissonOfParts)

} // namespace tuff::passes
