#include "passes/mpi/poisson_solve.hpp"

#include "passes/mpi/poisson_cycles.hpp"
#include "passes/mpi/poisson_kinds.hpp"
#include "passes/mpi/poisson_levels.hpp"
#include "passes/mpi/transfer.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/solver/poisson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tuff::passes {
namespace {

/// As of solver/poisson: a mean of this share of the greatest magnitude is no rounding error.
constexpr float kCompatible = 1e-4f;

/// Unlike those of solver/poisson, axes of one cell have their boundaries.
PoissonGrid grid_of(const PoissonOfParts& pass, bool volume) {
    glm::uvec3 size(pass.cells);
    size.z = std::max(size.z, 2u); // so that none counts as missing
    const PoissonBoundary z = volume ? pass.z : PoissonBoundary::neumann;
    PoissonGrid grid = finest_grid(size, pass.spacing, {.x = pass.x, .y = pass.y, .z = z});
    grid.axes[2].cells = static_cast<std::uint32_t>(pass.cells.z);
    return grid;
}

class Solve {
  public:
    Solve(Graph& graph, PoissonOfParts& pass, const Field& field)
        : graph_(graph), pass_(pass), field_(field),
          volume_(graph.desc(pass.source).shape == ImageShape::d3),
          levels_(grid_of(pass, volume_), graph.ranks(), pass.gather_cells),
          part_(levels_.layout(0)),
          kinds_(pass.kinds ? kinds_in(graph, pass.kinds, field, levels_) : Buffer{}),
          cycles_(graph, levels_, kinds_,
                  by_gradients() ? PoissonOrder::black_first : PoissonOrder::red_first) {}

    void build() {
        const bool singular = levels_.grid(0).is_singular();
        if (decides() || singular) begin(singular);
        rhs_ = loaded("load_source", pass_.source, -1.0f, pass_.status, {});
        if (!by_gradients()) rhs_ = cycles_.filled(rhs_, PartCycles::kRhsHalo);
        Buffer solution = by_gradients() ? gradients() : iterations();
        if (singular && !decides()) {
            solution = with_halo(solution);
            test_convergence(cycles_.residual(rhs_, solution), pass_.max_cycles);
        }
        pass_.result = stored(solution);
        if (decides()) return;
        pass_.status = {};
        pass_.residuals = {};
    }

  private:
    Buffer with_halo(Buffer solution) {
        return cycles_.filled(solution, PartCycles::kSolutionHalo);
    }
    bool by_gradients() const { return pass_.method == PartPoissonMethod::mgpcg; }
    /// Whether the cycles end at a tolerance.
    bool decides() const { return pass_.tolerance > 0.0f; }

    void begin(bool singular) {
        ComputeNodeBuilder sums = graph_.compute("mpi/poisson_rhs_norm", {{"VOLUME", volume_}});
        const std::uint64_t cells = std::uint64_t{part_.cells[0]} * part_.cells[1] * part_.cells[2];
        const std::uint32_t groups = walking_groups(sums, cells);
        sums.read("source", pass_.source, Sampler::nearest());
        sums.read_optional("guess", ImageView(pass_.guess), Sampler::nearest());
        sums.read_optional("kinds", kinds_);
        sums.set("own", whole_numbers(part_.cells));
        sums.set("image_halo", whole_numbers(field_.halo));
        sums.set("size", whole_numbers(part_.size()));
        sums.set("halo", whole_numbers(part_.halo));
        const Buffer parts = sums.write(
            "partial_sums",
            graph_.buffer("partial_sums", {.size = std::uint64_t{groups} * 32, .stride = 16}));
        sums.dispatch(groups);
        const PoissonCycles::PartialSums all = cycles_.of_all_ranks({parts, groups}, 2);
        rhs_norm_ = all.buffer;

        ComputeNodeBuilder node = graph_.compute("solver/begin");
        node.read("partial_sums", all.buffer);
        node.set("partial_sums", static_cast<std::int32_t>(all.count));
        node.set("singular", singular ? 1 : 0);
        node.set("residuals", static_cast<std::int32_t>(pass_.max_cycles + 1));
        node.set("compatible", kCompatible);
        pass_.status = node.write("status", array(graph_, "status", kPoissonStatusWords));
        pass_.residuals = node.write("residuals", array(graph_, "residuals", pass_.max_cycles + 1));
        node.dispatch(1);
    }

    Buffer loaded(std::string_view name, Image image, float factor, Buffer status, Buffer kinds) {
        ComputeNodeBuilder node = graph_.compute("mpi/poisson_load", {{"VOLUME", volume_}}, name);
        node.read("source", image, Sampler::nearest());
        node.read_optional("status", status);
        node.read_optional("kinds", kinds);
        set_place(node);
        node.set("factor", factor);
        const Buffer result = node.write("result", cycles_.field("loaded"));
        dispatch(node);
        return result;
    }

    Buffer guess_or_zero() {
        if (pass_.guess) return loaded("load_guess", pass_.guess, 1.0f, {}, kinds_);
        return graph_.fill(cycles_.field("solution"), 0, "zero");
    }

    Buffer iterations() {
        Buffer solution;
        std::uint32_t done = 0;
        Buffer finished;
        if (pass_.guess) {
            solution = with_halo(guess_or_zero());
            if (decides()) finished = test_convergence(cycles_.residual(rhs_, solution), 0);
        } else {
            // The residual of 0 is known, and a cycle from there does not read it.
            if (decides()) test_convergence({rhs_norm_, 0}, 0);
            graph_.push_scope("first_cycle");
            solution = cycles_.cycle(rhs_);
            done = 1;
            if (decides()) {
                solution = with_halo(solution);
                finished = test_convergence(cycles_.residual(rhs_, solution), done);
            }
            graph_.pop_scope();
        }
        const std::uint32_t left = pass_.max_cycles - done;
        if (left == 0) return solution;
        if (!decides())
            return graph_.repeat("cycle", left, solution, [&](Buffer before, std::uint32_t i) {
                // That of the guess has its halo.
                if (i > 0 || done > 0) before = with_halo(before);
                return cycles_.cycle(rhs_, before, before);
            });
        const auto body = [&](Buffer before, std::uint32_t i) {
            cycles_.send_until(pass_.status);
            Buffer after = cycles_.cycle(rhs_, before, before);
            after = with_halo(after);
            return Step{after, test_convergence(cycles_.residual(rhs_, after), done + i + 1)};
        };
        return graph_.repeat_until("cycle", left, solution, body, BufferView(finished)).state;
    }

    /// Conjugate residuals, a cycle from 0 as preconditioner. All is updated in place.
    Buffer gradients() {
        Buffer solution = with_halo(guess_or_zero());
        const PoissonCycles::Measured first = cycles_.kept_residual(rhs_, solution);
        Buffer residual = first.field;
        Buffer direction = graph_.fill(cycles_.field("direction"), 0, "no_direction");
        Buffer image = graph_.fill(cycles_.field("image"), 0, "no_image");
        // In turn: all groups of a step read one while the first of them writes the other.
        std::array<Buffer, 2> squares;
        for (Buffer& square : squares)
            square = graph_.fill(array(graph_, "square", 1), 0, "no_square");
        const auto step = [&](Buffer before, std::uint32_t i) {
            residual = cycles_.filled(residual, PartCycles::kRhsHalo);
            const Buffer preconditioned =
                cycles_.filled(cycles_.cycle(residual), PartCycles::kOperatorHalo);
            const PoissonCycles::Measured applied =
                cycles_.laplace(preconditioned, image, residual);
            ComputeNodeBuilder node = graph_.compute("mpi/poisson_step");
            node.read("preconditioned", preconditioned);
            node.read("applied", applied.field);
            node.read("products", applied.partial_sums.buffer);
            node.read("former", squares[i % 2]);
            node.set("ranks", static_cast<std::int32_t>(applied.partial_sums.count));
            cycles_.set_part(node);
            squares[(i + 1) % 2] = node.write("next", squares[(i + 1) % 2]);
            direction = node.write("direction", direction);
            image = node.write("image", image);
            const Buffer after = node.write("solution", before);
            residual = node.write("residual", residual);
            return std::pair{after, cycles_.summed(node)};
        };
        if (!decides())
            return graph_.repeat(
                "step", pass_.max_cycles, solution,
                [&](Buffer before, std::uint32_t i) { return step(before, i).first; });
        const Buffer finished = test_convergence(first.partial_sums, 0);
        const auto body = [&](Buffer before, std::uint32_t i) {
            cycles_.send_until(pass_.status);
            const auto [after, sums] = step(before, i);
            return Step{after, test_convergence(sums, i + 1)};
        };
        return graph_.repeat_until("step", pass_.max_cycles, solution, body, BufferView(finished))
            .state;
    }

    /// One word: non-zero where there is nothing left to do. As of solver/poisson.
    Buffer test_convergence(const PoissonCycles::PartialSums& sums, std::uint32_t cycle) {
        ComputeNodeBuilder node = graph_.compute("solver/convergence_test");
        node.read("partial_sums", sums.buffer);
        node.set("partial_sums", static_cast<std::int32_t>(sums.count));
        node.set("cycle", static_cast<std::int32_t>(cycle));
        node.set("last_cycle", static_cast<std::int32_t>(pass_.max_cycles));
        node.set("tolerance", pass_.tolerance);
        node.set("progress", 0.9f);
        node.set("stagnation_limit", by_gradients() ? 4 : 2);
        node.set("runaway", 1e4f);
        node.set("keeps_mean", 0);
        node.set("from_residual", kinds_ ? 1 : 0);
        pass_.status = node.write("status", pass_.status);
        pass_.residuals = node.write("residuals", pass_.residuals);
        const Buffer done = node.write("done", array(graph_, "done", 1));
        node.dispatch(1);
        return done;
    }

    Image stored(Buffer solution) {
        ImageDesc desc = graph_.desc(pass_.source);
        desc = {.format = Format::r32_sfloat, .extent = desc.extent, .shape = desc.shape};
        ComputeNodeBuilder node = graph_.compute("mpi/poisson_store", {{"VOLUME", volume_}});
        node.read("source", solution);
        node.read_optional("status", pass_.status);
        node.read_optional("kinds", kinds_);
        set_place(node);
        const Image result = node.write("result", graph_.image("result", desc));
        dispatch(node);
        Field filled = field_;
        const std::array boundaries{pass_.x, pass_.y, pass_.z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            filled.edges[axis] = boundaries[axis] == PoissonBoundary::periodic ? HaloEdge::periodic
                                                                               : HaloEdge::clamp;
        return fill_halo(graph_, result, filled);
    }

    void set_place(ComputeNodeBuilder& node) {
        node.set("size", whole_numbers(part_.size()));
        node.set("halo", whole_numbers(part_.halo));
        node.set("first", whole_numbers(part_.first));
        node.set("image_halo", whole_numbers(field_.halo));
    }
    void dispatch(ComputeNodeBuilder& node) {
        const Cells size = part_.size();
        node.dispatch_over({size[0], size[1], size[2]});
    }

    Graph& graph_;
    PoissonOfParts& pass_;
    const Field& field_;
    bool volume_;
    PoissonLevels levels_;
    PartLayout part_;
    Buffer kinds_; ///< of the part's cells, where some are solid or fixed
    PartCycles cycles_;
    Buffer rhs_;
    Buffer rhs_norm_; ///< what there is to solve, of all ranks
};

} // namespace

void solve_by_cycles(Graph& graph, PoissonOfParts& pass, const Field& field) {
    const Extent extent = graph.extent(pass.source);
    constexpr std::uint64_t kMaxTexels = 1u << 30;
    if (std::uint64_t{extent.width} * extent.height * extent.depth > kMaxTexels) {
        graph.error("primitives/too-long",
                    fmt::format("a part of {}x{}x{} texels is more than can be addressed",
                                extent.width, extent.height, extent.depth),
                    "divide the field among more ranks");
        return;
    }
    Solve(graph, pass, field).build();
    if (pass.status) graph.status<PoissonReport>(pass.status);
}

} // namespace tuff::passes
