#include "passes/mpi/poisson.hpp"

#include "passes/common/picture.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/mpi/field.hpp"
#include "passes/mpi/poisson_kinds.hpp"
#include "passes/mpi/poisson_solve.hpp"
#include "passes/solver/poisson_report.hpp"

#include <limits>

namespace tuff::passes {
namespace {

HaloEdge edge_of(PoissonBoundary boundary) {
    return boundary == PoissonBoundary::periodic ? HaloEdge::periodic : HaloEdge::clamp;
}

/// Adds the nodes of Jacobi's method, which all know the same of the part.
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
        if (pass.kinds) faces_ = faces_of(graph, pass, field);
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
        ComputeNodeBuilder node = graph_.compute("mpi/residual", variant());
        node.read("solution", solution, Sampler::nearest());
        const Buffer own = node.accumulate("greatest", zero);
        set_place(node);
        node.dispatch_over(desc_.extent);
        return graph_.add(AllReduce{.source = own, .operation = RankOperation::max}).result;
    }

  private:
    Image step(std::string_view name, Image solution, Image target, bool border) {
        ComputeNodeBuilder node = graph_.compute("mpi/jacobi", variant(), name);
        node.read("solution", solution, Sampler::nearest());
        const Image result = node.write("result", target);
        node.set("border", border ? 1 : 0);
        node.set("omega", pass_.omega);
        set_place(node);
        node.dispatch_over(desc_.extent);
        return result;
    }
    ShaderVariant variant() const { return {{"VOLUME", volume_}, {"CELLS", bool(faces_)}}; }
    void set_place(ComputeNodeBuilder& node) {
        const auto is_zero = [](PoissonBoundary boundary) {
            return boundary == PoissonBoundary::dirichlet ? 1 : 0;
        };
        node.read("source", pass_.source, Sampler::nearest());
        if (faces_) node.read("faces", faces_);
        node.set("halo", halo_);
        node.set("first", first_);
        node.set("cells", pass_.cells);
        node.set("dirichlet", glm::ivec3(is_zero(pass_.x), is_zero(pass_.y), is_zero(pass_.z)));
        const glm::vec3 coupling = 1.0f / (pass_.spacing * pass_.spacing);
        node.set("coupling", coupling);
    }

    Graph& graph_;
    const PoissonOfParts& pass_;
    glm::ivec3 halo_;
    glm::ivec3 first_{};
    bool volume_;
    ImageDesc desc_;
    Buffer faces_; ///< of cells, where some are solid or fixed
};

} // namespace

void PoissonOfParts::describe(PassInfo<PoissonOfParts>& info) {
    info.summary("Solves the Poisson equation on a field that ranks have in parts")
        .details(
            "Finds u with laplace(u) = source, by the discretization of solver/poisson. If "
            "nothing fixes the mean of the solution, it is 0, and that of the source is "
            "removed.\n\n\"v_cycle\" and \"mgpcg\" are the multigrid methods of solver/poisson: "
            "V-cycles with one sweep of red-black Gauss-Seidel before each correction and one "
            "after it, or these as the preconditioner of conjugate residuals. The grids are "
            "those of the whole field, of any size, and colours count in it, so that each cycle "
            "has the same bits for any number of ranks. Halos are three or four cells wide, and "
            "ranks relax the cells of others in them once more: so a cycle has two exchanges a "
            "grid. A grid of at most \"gather_cells\" cells, or one on which a rank would have "
            "none, goes to all ranks, which solve the rest alike without further "
            "messages.\n\nThe residuals of all ranks are added in their order after each cycle, "
            "and all ranks end at the same one: at \"tolerance\" times the norm of the source; "
            "see the status. Kernels of later cycles are skipped then, and no messages travel "
            "for them. With a tolerance of 0 all cycles run, nothing is summed up, and there is "
            "no status: for a few cycles from a good guess, as in a fluid's step. (Where nothing "
            "fixes the mean two sums remain.) Bits are then the same for any number of ranks, "
            "except that the two sums, and the dot products of \"mgpcg\", may round "
            "otherwise.\n\n\"jacobi\" makes damped iterations of the Jacobi method, as many as "
            "\"iterations\" says. In each one the inner cells of a part are relaxed while its "
            "halo travels, and then the others. It needs as many iterations as the square of the "
            "field's width, so it suits smoothing. The solution and the residual have the same "
            "bits for any number of ranks.\n\nWith \"kinds\" some cells are solid or fixed, as "
            "with the \"cells\" of solver/poisson, on coarse grids too. Then \"v_cycle\" is "
            "refused, and the tolerance is relative to the first residual if that is greater. "
            "What couples cells travels once, before the first cycle; it and each V-cycle of "
            "\"mgpcg\" have the same bits for any number of ranks. To \"jacobi\", faces that "
            "nothing goes through are like Neumann sides.")
        .source("Briggs, Henson and McCormick, \"A Multigrid Tutorial\", 2nd ed., SIAM, 2000, "
                "chapters 2 to 4")
        .complexity("O(cells of the part) a cycle or an iteration; multigrid needs the same number "
                    "of cycles for any size")
        .cost([](const PoissonOfParts& pass, const Graph& graph) {
            const bool jacobi = pass.method == PartPoissonMethod::jacobi;
            // Of the finest grid: the coarser ones have a seventh of its cells.
            Cost cost = picture_cost(graph, pass.source, pass.result, jacobi ? 12.0 : 80.0);
            const double times = jacobi ? pass.iterations : pass.max_cycles;
            return Cost{.bytes = cost.bytes * times * (jacobi ? 1.0 : 8.0),
                        .operations = cost.operations * times};
        });
    info.input(
            "source", &PoissonOfParts::source,
            "the rank's part of the right-hand side in the first channel, with room for the halo")
        .picture_or_volume();
    info.optional_input("guess", &PoissonOfParts::guess,
                        "where the iterations or cycles begin, and the values of fixed cells; "
                        "unconnected: 0")
        .picture_or_volume();
    info.optional_input("kinds", &PoissonOfParts::kinds,
                        "the rank's part of what cells are, in an image of one channel of whole "
                        "numbers, with room for the halo: 0 unknown, 1 solid (no flux through its "
                        "faces; the solution is 0), 2 fixed (the solution is the guess)");
    describe_field(info, &PoissonOfParts::cells, &PoissonOfParts::halo, 1);
    info.parameter("method", &PoissonOfParts::method, "the algorithm; see the description")
        .structural();
    info.parameter("tolerance", &PoissonOfParts::tolerance,
                   "the residual's norm at which cycles end, relative to that of the source; 0: "
                   "all of them run")
        .range(0.0, 1.0, RangeEnds::open_high)
        .structural();
    info.parameter("max_cycles", &PoissonOfParts::max_cycles, "most cycles")
        .range(1, 1000)
        .structural();
    info.parameter("gather_cells", &PoissonOfParts::gather_cells,
                   "multigrid: all ranks have all of grids of so many cells")
        .range(1, 1 << 24)
        .structural();
    info.parameter("iterations", &PoissonOfParts::iterations, "jacobi: how many there are")
        .range(1, 10'000)
        .structural();
    info.parameter("omega", &PoissonOfParts::omega, "jacobi: damping; 1: none").range(0.0, 1.0);
    info.parameter("spacing", &PoissonOfParts::spacing,
                   "distance between neighbours along each axis")
        .range(0.0, std::numeric_limits<double>::infinity(), RangeEnds::open_low)
        .structural();
    info.parameter("x", &PoissonOfParts::x, "boundary condition at both ends of the x axis")
        .structural();
    info.parameter("y", &PoissonOfParts::y, "boundary condition at both ends of the y axis")
        .structural();
    info.parameter("z", &PoissonOfParts::z, "boundary condition at both ends of the z axis")
        .structural();
    info.output("result", &PoissonOfParts::result,
                "the part of the solution with its halo, r32_sfloat");
    info.output("residual", &PoissonOfParts::residual,
                "jacobi: the greatest absolute residual of all cells of all ranks")
        .elements<float>();
    info.output("status", &PoissonOfParts::status,
                "16 words of cycles that end at a tolerance; PoissonReport names them")
        .elements(poisson_status_elements());
    info.output(
            "residuals", &PoissonOfParts::residuals,
            "f32 norms of the residual before the first cycle and after each; -1 where no cycle "
            "ran")
        .elements<float>();
}

void PoissonOfParts::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo);
    if (!is_part_of(graph, source, field) || (guess && !is_part_of(graph, guess, field))) return;
    if (kinds && !has_valid_kinds(graph, *this, field)) return;
    if (method != PartPoissonMethod::jacobi) {
        solve_by_cycles(graph, *this, field);
        return;
    }
    Relaxation relaxation(graph, *this, field);
    const Image begin = guess ? relaxation.copied(guess) : relaxation.zeros();
    const Image relaxed =
        graph.repeat("jacobi", iterations, begin,
                     [&](Image solution, std::uint32_t) { return relaxation.relaxed(solution); });
    result = relaxation.filled(relaxed);
    residual = relaxation.residual(result);
}

TUFF_PASS(PoissonOfParts)

} // namespace tuff::passes
