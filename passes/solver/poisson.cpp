#include "passes/solver/poisson.hpp"

#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/solver/poisson_cells.hpp"
#include "passes/solver/poisson_cycle.hpp"
#include "passes/solver/poisson_fft.hpp"
#include "passes/solver/poisson_grid.hpp"
#include "passes/solver/poisson_printed.hpp"
#include "passes/solver/poisson_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::uint64_t kMaxCells = 1u << 30;
constexpr std::uint32_t kMaxCycles = 10000;
constexpr std::uint32_t kMaxSweeps = 64;
/// A mean of this share of the greatest magnitude is no rounding error.
constexpr float kCompatible = 1e-4f;

constexpr float kJacobiOmega = 0.95f;

bool is_smoother(PoissonMethod method) {
    return method == PoissonMethod::jacobi || method == PoissonMethod::gauss_seidel ||
           method == PoissonMethod::sor;
}

bool is_multigrid(PoissonMethod method) {
    return method == PoissonMethod::v_cycle || method == PoissonMethod::w_cycle ||
           method == PoissonMethod::full_multigrid;
}

bool is_printed(PoissonMethod method) {
    return method == PoissonMethod::printed_v || method == PoissonMethod::printed_4w;
}

float omega_for(const Poisson& pass, const PoissonGrid& grid) {
    if (pass.omega != 0.0f) return pass.omega;
    switch (pass.method) {
    case PoissonMethod::jacobi: return kJacobiOmega;
    case PoissonMethod::gauss_seidel: return 1.0f;
    case PoissonMethod::sor: return static_cast<float>(best_overrelaxation(grid));
    default: return kCycleOmega;
    }
}

CellSource rhs_of(const Poisson& pass) {
    return {"rhs", pass.rhs, pass.rhs_image};
}
CellSource guess_of(const Poisson& pass) {
    return {"guess", pass.guess, pass.guess_image};
}
CellSource kinds_of(const Poisson& pass) {
    return {"cells", pass.cells, pass.cells_image};
}

bool is_valid(Graph& graph, const Poisson& pass) {
    bool right = true;
    for (int a = 0; a < 3; ++a) // 0 stands for the size of an image, and here is none
        right = in_range(graph, "size", pass.size[a], 1, kMaxSide) && right;
    if (!right) return false;
    if (!has_valid_sides(graph, pass)) return false;
    const PoissonGrid grid = grid_of(pass);
    const bool walls = std::ranges::all_of(
        grid.axes, [](const PoissonAxis& axis) { return axis.has_neumann_walls(); });
    if (is_printed(pass.method) && (!walls || kinds_of(pass))) {
        graph.error("solver/printed-method",
                    "the chapter's cycles support neither solid or fixed cells nor boundaries "
                    "other than \"neumann\"",
                    "choose \"v_cycle\", or with cells \"mgpcg\"");
        return false;
    }
    if (kinds_of(pass) && pass.method == PoissonMethod::fft) {
        graph.error("solver/cells-method", "transforms support neither solid nor fixed cells",
                    "choose \"mgpcg\", or leave the method \"automatic\"");
        return false;
    }
    if (pass.method == PoissonMethod::fft && !has_transforms(graph, pass)) return false;
    if (kinds_of(pass) && is_multigrid(pass.method)) {
        graph.error("solver/cells-method",
                    "with solid or fixed cells the coarse grids are too rough for multigrid cycles "
                    "alone",
                    "choose \"mgpcg\", which uses a V-cycle as the preconditioner, or leave the "
                    "method \"automatic\"");
        return false;
    }
    if (pass.pre_sweeps + pass.post_sweeps == 0) {
        graph.error("pass/out-of-range", "\"pre_sweeps\" and \"post_sweeps\" are both 0",
                    "set one of them to 1 or more");
        return false;
    }
    const std::uint64_t count = std::uint64_t{pass.size.x} * pass.size.y * pass.size.z;
    if (count > kMaxCells) {
        graph.error("primitives/too-long",
                    fmt::format("{} x {} x {} cells are more than can be addressed", pass.size.x,
                                pass.size.y, pass.size.z));
        return false;
    }
    right = has_cells(graph, rhs_of(pass), pass.size, CellNumbers::real);
    const CellSource guess = guess_of(pass);
    if (guess) right = has_cells(graph, guess, pass.size, CellNumbers::real) && right;
    const CellSource kinds = kinds_of(pass);
    if (kinds) right = has_cells(graph, kinds, pass.size, CellNumbers::whole) && right;
    return right;
}

Buffer partial_sums_array(Graph& graph, std::uint64_t vectors) {
    return graph.buffer("partial_sums", {.size = vectors * 16, .stride = 16});
}

/// Builds a solve: keeps the versions of the status and the residuals.
class Solve {
  public:
    Solve(Graph& graph, Poisson& pass)
        : graph_(graph), pass_(pass), grid_(grid_of(pass)),
          rhs_(with_sides(graph, pass, cells_in(graph, rhs_of(pass)))),
          guess_(cells_in(graph, guess_of(pass))), cells_(cells_in(graph, kinds_of(pass))) {}

    void build() {
        begin();
        // A symmetric operator has as many sweeps after the correction as before.
        const std::uint32_t both = std::max(pass_.pre_sweeps, pass_.post_sweeps);
        const PoissonCycles::Sweeps sweeps{
            .before = by_gradients() ? both : pass_.pre_sweeps,
            .after = by_gradients() ? both : pass_.post_sweeps,
            .omega = omega_for(pass_, grid_),
            .after_order = by_gradients() ? PoissonOrder::black_first : PoissonOrder::red_first,
            .corrections = pass_.method == PoissonMethod::w_cycle ? 2u : 1u};
        PoissonCycles cycles(graph_, grid_, cells_, sweeps);
        cycles.look_at(pass_.status);
        if (is_direct())
            finish(transforms(cycles));
        else
            finish(by_gradients() ? gradients(cycles) : iterations(cycles, sweeps.omega));
    }

  private:
    void begin() {
        const std::uint64_t count = grid_.count();
        ComputeNodeBuilder rhs_norm =
            graph_.compute("solver/rhs_norm", {{"CELLS", cells_ ? 1 : 0}});
        const std::uint32_t groups = walking_groups(rhs_norm, count);
        rhs_norm.read("rhs", rhs_);
        rhs_norm.read_optional("guess", guess_);
        if (cells_) rhs_norm.read("cells", cells_);
        rhs_norm.set("count", static_cast<std::int32_t>(count));
        rhs_norm_ =
            rhs_norm.write("partial_sums", partial_sums_array(graph_, 2 * std::uint64_t{groups}));
        rhs_norm.dispatch(groups);

        ComputeNodeBuilder node = graph_.compute("solver/begin");
        node.read("partial_sums", rhs_norm_);
        node.set("partial_sums", static_cast<std::int32_t>(groups));
        node.set("singular", grid_.is_singular() ? 1 : 0);
        node.set("residuals", static_cast<std::int32_t>(pass_.max_cycles + 1));
        node.set("compatible", kCompatible);
        pass_.status = node.write("status", array(graph_, "status", kPoissonStatusWords));
        pass_.residuals = node.write("residuals", array(graph_, "residuals", pass_.max_cycles + 1));
        node.dispatch(1);
    }

    bool by_gradients() const { return pass_.method == PoissonMethod::mgpcg; }
    bool is_direct() const { return pass_.method == PoissonMethod::fft; }

    /// One solve, and what is left.
    Buffer transforms(PoissonCycles& cycles) {
        test_convergence({rhs_norm_, 0}, 0); // the residual of 0 is known
        const Buffer v = solve_by_transforms(graph_, pass_, rhs_);
        cycles.look_at(pass_.status);
        test_convergence(cycles.residual(rhs_, v), 1);
        return v;
    }

    Buffer start(PoissonCycles& cycles) {
        const Buffer v = cycles.field("solution");
        if (cells_) {
            ComputeNodeBuilder node = graph_.compute("solver/start_cells");
            node.read("cells", cells_);
            node.read_optional("guess", guess_);
            node.set("count", static_cast<std::int32_t>(grid_.count()));
            const Buffer result = node.write("result", v);
            node.dispatch_each(grid_.count32());
            return result;
        }
        if (!guess_) return graph_.fill(v, 0, "zero");
        return graph_.copy(BufferView(guess_, 0, grid_.count() * 4), v, "start");
    }

    /// Where iterations start, and how many cycles are behind it.
    struct Start {
        Buffer solution;
        Buffer finished;
        std::uint32_t cycles = 0;
    };
    Start first(PoissonCycles& cycles) {
        const bool full = pass_.method == PoissonMethod::full_multigrid;
        if (guess_ || full || is_smoother(pass_.method) || is_printed(pass_.method)) {
            const Buffer v = full ? cycles.full(rhs_, guess_) : start(cycles);
            return {v, test_convergence(cycles.residual(rhs_, v), 0), 0};
        }
        // The residual of 0 is known, and a cycle from there does not read it.
        test_convergence({rhs_norm_, 0}, 0);
        cycles.look_at(pass_.status);
        graph_.push_scope("first_cycle");
        const PoissonCycles::Measured after = cycles.measured_cycle(rhs_, {}, {});
        const Buffer finished = test_convergence(after.partial_sums, 1);
        graph_.pop_scope();
        return {after.field, finished, 1};
    }

    Buffer iterations(PoissonCycles& cycles, float omega) {
        const Start begun = first(cycles);
        if (begun.cycles == pass_.max_cycles) return begun.solution;
        const auto body = [&](Buffer before, std::uint32_t i) {
            cycles.look_at(pass_.status);
            const PoissonCycles::Measured after = iterate(cycles, before, omega);
            return Step{after.field, test_convergence(after.partial_sums, begun.cycles + i + 1)};
        };
        return graph_
            .repeat_until("cycle", pass_.max_cycles - begun.cycles, begun.solution, body,
                          BufferView(begun.finished))
            .state;
    }

    /// Conjugate residuals, a cycle from 0 as preconditioner. All is updated in place.
    Buffer gradients(PoissonCycles& cycles) {
        const Buffer v = start(cycles);
        const PoissonCycles::Measured first = cycles.kept_residual(rhs_, v);
        Buffer residual = first.field;
        const Buffer finished = test_convergence(first.partial_sums, 0);
        Buffer direction = graph_.fill(cycles.field("direction"), 0, "no_direction");
        Buffer image = graph_.fill(cycles.field("image"), 0, "no_image");
        // In turn: all groups of a step read one while the first of them writes the other.
        std::array<Buffer, 2> squares;
        for (Buffer& square : squares)
            square = graph_.fill(array(graph_, "square", 1), 0, "no_square");
        cycles.look_at({}); // what is to be taken off has been
        const auto body = [&](Buffer before, std::uint32_t i) {
            const Buffer preconditioned = cycles.cycle(residual, {}, {});
            const PoissonCycles::Measured applied = cycles.laplace(preconditioned, image, residual);

            ComputeNodeBuilder step = graph_.compute("solver/cr_step");
            step.read("preconditioned", preconditioned);
            step.read("applied", applied.field);
            step.read("products", applied.partial_sums.buffer);
            step.read("former", squares[i % 2]);
            step.set("count", static_cast<std::int32_t>(grid_.count()));
            step.set("partial_sums", static_cast<std::int32_t>(applied.partial_sums.count));
            squares[(i + 1) % 2] = step.write("next", squares[(i + 1) % 2]);
            direction = step.write("direction", direction);
            image = step.write("image", image);
            const Buffer after = step.write("solution", before);
            residual = step.write("residual", residual);
            const std::uint32_t groups = walking_groups(step, grid_.count());
            const Buffer partial_sums =
                step.write("partial_sums", partial_sums_array(graph_, groups));
            step.dispatch(groups);
            return Step{after, test_convergence({partial_sums, groups}, i + 1)};
        };
        return graph_.repeat_until("step", pass_.max_cycles, v, body, BufferView(finished)).state;
    }

    PoissonCycles::Measured iterate(PoissonCycles& cycles, Buffer v, float omega) {
        if (is_printed(pass_.method)) {
            const std::uint32_t descents = pass_.method == PoissonMethod::printed_4w ? 4 : 1;
            const Buffer after =
                PrintedCycles(graph_, grid_, pass_.status, descents).cycle(rhs_, v);
            return {after, cycles.residual(rhs_, after)};
        }
        if (!is_smoother(pass_.method)) return cycles.measured_cycle(rhs_, v, v);
        const Buffer after = pass_.method == PoissonMethod::jacobi
                                 ? cycles.jacobi(rhs_, v, v, pass_.batch_sweeps, omega)
                                 : cycles.relax(rhs_, v, v, pass_.batch_sweeps, omega);
        return {after, cycles.residual(rhs_, after)};
    }

    /// One word: non-zero where there is nothing left to do.
    Buffer test_convergence(const PoissonCycles::PartialSums& partial_sums, std::uint32_t cycle) {
        const bool smoother = is_smoother(pass_.method);
        ComputeNodeBuilder node = graph_.compute("solver/convergence_test");
        node.read("partial_sums", partial_sums.buffer);
        node.set("partial_sums", static_cast<std::int32_t>(partial_sums.count));
        node.set("cycle", static_cast<std::int32_t>(cycle));
        node.set("last_cycle", static_cast<std::int32_t>(is_direct() ? 1 : pass_.max_cycles));
        node.set("tolerance", pass_.tolerance);
        // Overrelaxation lets the residual grow at first, and smoothers are slow; conjugate
        // residuals are so now and then.
        node.set("progress", smoother ? 1.0f : 0.9f);
        // What transforms leave is rounding.
        const bool no_more = is_direct() && cycle == 1;
        node.set("stagnation_limit", no_more ? 0 : smoother ? 20 : by_gradients() ? 4 : 2);
        node.set("runaway", 1e4f);
        node.set("keeps_mean", is_direct() ? 1 : 0); // transforms leave out the constant mode
        node.set("from_residual", cells_ ? 1 : 0);
        pass_.status = node.write("status", pass_.status);
        pass_.residuals = node.write("residuals", pass_.residuals);
        const Buffer done = node.write("done", array(graph_, "done", 1));
        node.dispatch(1);
        return done;
    }

    bool fits_image() const {
        const DeviceCaps& caps = graph_.target();
        const std::uint32_t most = pass_.size.z == 1 ? caps.max_image_2d : caps.max_image_3d;
        return std::max({pass_.size.x, pass_.size.y, pass_.size.z}) <= most;
    }

    /// Culled where nothing reads it; and where only the image is read, what writes the array is.
    void finish_image(Buffer v) {
        const bool flat = pass_.size.z == 1;
        ComputeNodeBuilder image =
            graph_.compute("solver/finish_image", {{"DIMENSIONS", flat ? 2 : 3}});
        image.read("solution", v);
        image.read_optional("cells", cells_);
        image.read("status", pass_.status);
        image.set("cells", glm::ivec3(pass_.size));
        const ImageDesc desc{.format = Format::r32_sfloat,
                             .extent = {pass_.size.x, pass_.size.y, pass_.size.z},
                             .shape = flat ? ImageShape::d2 : ImageShape::d3};
        pass_.image = image.write("result", graph_.image("image", desc));
        image.dispatch_each(grid_.count32());
    }

    void finish(Buffer v) {
        if (fits_image()) finish_image(v);
        ComputeNodeBuilder node = graph_.compute("solver/finish");
        node.read_optional("cells", cells_);
        node.read("status", pass_.status);
        node.set("count", static_cast<std::int32_t>(grid_.count()));
        pass_.solution = node.write("solution", v);
        node.dispatch(walking_groups(node, grid_.count()));
    }

    Graph& graph_;
    Poisson& pass_;
    PoissonGrid grid_;
    Buffer rhs_;
    Buffer guess_;
    Buffer cells_;
    Buffer rhs_norm_; ///< parts of what there is to solve
};

} // namespace

void Poisson::describe(PassInfo<Poisson>& info) {
    info.summary("Solves Poisson's equation on a box of cells")
        .details(
            "Finds u with -(d2u/dx2 + d2u/dy2 + d2u/dz2) = rhs. The device decides when to stop: "
            "at \"tolerance\" times the norm of the right-hand side; see the status. If nothing "
            "fixes the mean of the solution, it is 0.\n\nDiscretization: unknowns are at cell "
            "centers; a cell's equation is the sum of (u - u of the neighbour) / spacing^2 over "
            "its faces. At a Dirichlet face u is 0, half a cell away, so the quotient is twice as "
            "large. A Neumann face has no term. A periodic face leads to the other end of the "
            "axis. The error is of second order in the spacing.\n\nSides: each side may have its "
            "own condition: u = value, du/dn = value or a u + b du/dn = value, with n pointing "
            "outwards. The value is a constant plus a buffer or an image with a number for each "
            "cell of the face. On the face u is the mean of the outermost cell and a ghost cell, "
            "and du/dn their difference over the spacing. Eliminating the ghost cell leaves a "
            "share of the diagonal on every grid, and a term that is added to the right-hand side "
            "once. The error stays of second order: quadratic functions are exact between fluxes, "
            "linear functions between sides with a value of u. The status of the right-hand side "
            "includes the sides: if all have fluxes, its mean is of both together. Grids with "
            "Robin sides, or with a Dirichlet side opposite to a Neumann side, take the slower "
            "kernels.\n\nMultigrid works for any size: if a number of cells is odd, the last cell "
            "of the next grid is shorter, and its coefficients, means and interpolation follow its "
            "size. Axes with longer cells are coarsened later. The coarsest grid is solved "
            "exactly, by the eigenvectors of its axes, in shared memory. Grids with cells of one "
            "size and an even number of cells along all axes are the fastest: a sweep and the "
            "residual on the next grid are one pass over memory, 12.5 bytes a cell, and so are the "
            "correction, the sweep after it and the residual's norm; for pictures up to three "
            "sweeps share a pass. On other grids, and for more sweeps, both colors of a sweep take "
            "one pass, 12 bytes a cell, with the correction or without, and residuals take 8.\n\n"
            "Methods: \"automatic\" is \"v_cycle\", or \"mgpcg\" with \"cells\". With \"cells\" "
            "the other cycles are refused: the coarse grids represent solid cells only roughly, "
            "which is enough for a preconditioner. Conjugate residuals are the form of conjugate "
            "gradients that minimizes the residual in each step, so an enclosed region whose "
            "right-hand side does not add up to 0 does not spoil the rest. \"fft\" solves "
            "directly, without cycles, by cosine, sine or Fourier transforms along each axis. Both "
            "sides of an axis must be dirichlet, or both neumann, or the axis periodic; \"cells\" "
            "are not supported, and the cells along each axis are a product of 2, 3, 5 and 7, at "
            "most 4096. It ignores the guess. If the right-hand side is smooth and the grid large, "
            "rounding leaves a residual above \"tolerance\", and the status is stagnated.\n\n"
            "\"printed_v\" and \"printed_4w\" are the chapter's cycles as printed, for comparison: "
            "two sweeps before the correction and four after it, relaxed by 0.75 and 1.25, "
            "corrections without interpolation, walls that take a sweep longer, 32 sweeps by 1.5 "
            "on a coarsest grid of at most 8 cells a side, and with 4W four descents from the "
            "second grid in each cycle. They ignore \"pre_sweeps\", \"post_sweeps\" and "
            "\"omega\".\n\nImages may replace arrays, with a number for each texel; then the "
            "solution is also in \"image\". The loop works on arrays, so texels are read once "
            "before it and written once after it.")
        .source("Noury, Boivin, Le Maitre, \"A Fast Poisson Solver for OpenCL using Multigrid "
                "Methods\", GPU Pro 2, 2011")
        .complexity("O(cells) a cycle; multigrid needs the same number of cycles for any size");
    info.optional_input("rhs", &Poisson::rhs,
                        "the right-hand side: an f32 for each cell, x fastest")
        .elements<float>();
    info.optional_input("rhs_image", &Poisson::rhs_image,
                        "an image of one channel instead of \"rhs\"; a volume if there are several "
                        "cells along z");
    info.optional_input("guess", &Poisson::guess,
                        "an f32 for each cell: the initial solution, and the values of fixed cells")
        .elements<float>();
    info.optional_input("guess_image", &Poisson::guess_image, "an image instead of \"guess\"");
    info.optional_input("cells", &Poisson::cells,
                        "a u32 for each cell: 0 unknown, 1 solid (no flux through its faces), 2 "
                        "fixed")
        .elements<std::uint32_t>();
    info.optional_input("cells_image", &Poisson::cells_image,
                        "an image of integers instead of \"cells\"");
    info.parameter("size", &Poisson::size,
                   "cells along each axis; [0, 0, 0]: the texels of \"rhs_image\"")
        .range(0, kMaxSide)
        .unit("cells")
        .structural();
    info.parameter("spacing", &Poisson::spacing, "distance between neighbours along each axis")
        .range(0.0, std::numeric_limits<double>::infinity(), RangeEnds::open_low)
        .structural();
    info.group("boundary", &Poisson::boundary);
    describe_sides(info);
    info.parameter("method", &Poisson::method, "the algorithm; see the description").structural();
    info.parameter(
            "tolerance", &Poisson::tolerance,
            "the residual's norm at which to stop, relative to that of the right-hand side; 0: "
            "continue until it stops falling")
        .range(0.0, 1.0, RangeEnds::open_high);
    info.parameter("max_cycles", &Poisson::max_cycles,
                   "most cycles; for jacobi, gauss_seidel and sor batches of sweeps")
        .range(1, kMaxCycles)
        .structural();
    info.parameter("pre_sweeps", &Poisson::pre_sweeps, "sweeps on each grid before its correction")
        .range(0, kMaxSweeps)
        .structural();
    info.parameter("post_sweeps", &Poisson::post_sweeps, "sweeps on each grid after its correction")
        .range(0, kMaxSweeps)
        .structural();
    info.parameter("omega", &Poisson::omega,
                   "relaxation factor, less than 2; 0: chosen for the method and the grid")
        .range(0.0, 2.0, RangeEnds::open_high); // relaxation diverges from 2 on
    info.parameter("batch_sweeps", &Poisson::batch_sweeps,
                   "sweeps of jacobi, gauss_seidel and sor between two convergence tests")
        .range(1, kMaxSweeps)
        .structural();
    info.output("solution", &Poisson::solution, "the solution: an f32 for each cell, x fastest")
        .elements<float>();
    info.output("image", &Poisson::image,
                "the solution as an image, r32_sfloat; none if the device has no images of that "
                "size");
    info.output("status", &Poisson::status, "16 words; PoissonReport names them")
        .elements(poisson_status_elements());
    info.output("residuals", &Poisson::residuals,
                "f32: norms before the first cycle and after each; -1 for cycles that did not run")
        .elements<float>();
}

void Poisson::build(Graph& graph) {
    if (size == glm::uvec3(0) && rhs_image) {
        const Extent extent = graph.extent(rhs_image);
        size = {extent.width, extent.height, extent.depth};
    }
    if (method == PoissonMethod::automatic)
        method = kinds_of(*this) ? PoissonMethod::mgpcg : PoissonMethod::v_cycle;
    if (!is_valid(graph, *this)) return;
    Solve(graph, *this).build();
    if (tolerance > 0.0f)
        graph.status<PoissonReport>(status);
    else
        graph.status<PoissonFaults>(status);
}

TUFF_PASS(Poisson)

} // namespace tuff::passes
