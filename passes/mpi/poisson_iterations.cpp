#include "passes/mpi/poisson_iterations.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/solver/poisson_report.hpp"

#include <array>
#include <utility>

namespace tuff::passes {
namespace {

/// As of solver/poisson: a mean of this share of the greatest magnitude is no rounding error.
constexpr float kCompatible = 1e-4f;

} // namespace

PartIterations::PartIterations(Graph& graph, const PoissonLevels& levels, Buffer kinds,
                               Options options)
    : graph_(graph), options_(options), kinds_(kinds),
      cycles_(graph, levels, kinds,
              options.by_gradients ? PoissonOrder::black_first : PoissonOrder::red_first) {}

void PartIterations::begin(PoissonCycles::PartialSums parts, bool singular) {
    const PoissonCycles::PartialSums all = cycles_.of_all_ranks(parts, 2);
    rhs_norm_ = all.buffer;
    ComputeNodeBuilder node = graph_.compute("solver/begin");
    node.read("partial_sums", all.buffer);
    node.set("partial_sums", static_cast<std::int32_t>(all.count));
    node.set("singular", singular ? 1 : 0);
    node.set("residuals", static_cast<std::int32_t>(options_.max_cycles + 1));
    node.set("compatible", kCompatible);
    status_ = node.write("status", array(graph_, "status", kPoissonStatusWords));
    residuals_ = node.write("residuals", array(graph_, "residuals", options_.max_cycles + 1));
    node.dispatch(1);
}

Buffer PartIterations::solve(Buffer rhs, Buffer guess) {
    rhs_ = options_.by_gradients ? rhs : cycles_.filled(rhs, PartCycles::kRhsHalo);
    Buffer solution = options_.by_gradients ? gradients(guess) : iterations(guess);
    if (status_ && !decides()) {
        solution = with_halo(solution);
        test_convergence(cycles_.residual(rhs_, solution), options_.max_cycles);
    }
    return solution;
}

Buffer PartIterations::iterations(Buffer guess) {
    Buffer solution;
    std::uint32_t done = 0;
    Buffer finished;
    if (guess) {
        solution = with_halo(guess);
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
    const std::uint32_t left = options_.max_cycles - done;
    if (left == 0) return solution;
    if (!decides())
        return graph_.repeat("cycle", left, solution, [&](Buffer before, std::uint32_t i) {
            // That of the guess has its halo.
            if (i > 0 || done > 0) before = with_halo(before);
            return cycles_.cycle(rhs_, before, before);
        });
    const auto body = [&](Buffer before, std::uint32_t i) {
        cycles_.send_until(status_);
        Buffer after = cycles_.cycle(rhs_, before, before);
        after = with_halo(after);
        return Step{after, test_convergence(cycles_.residual(rhs_, after), done + i + 1)};
    };
    return graph_.repeat_until("cycle", left, solution, body, BufferView(finished)).state;
}

// A cycle from 0 is the preconditioner. All is updated in place.
Buffer PartIterations::gradients(Buffer guess) {
    Buffer solution = with_halo(guess ? guess : graph_.fill(cycles_.field("solution"), 0, "zero"));
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
        const PoissonCycles::Measured applied = cycles_.laplace(preconditioned, image, residual);
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
        return graph_.repeat("step", options_.max_cycles, solution,
                             [&](Buffer before, std::uint32_t i) { return step(before, i).first; });
    const Buffer finished = test_convergence(first.partial_sums, 0);
    const auto body = [&](Buffer before, std::uint32_t i) {
        cycles_.send_until(status_);
        const auto [after, sums] = step(before, i);
        return Step{after, test_convergence(sums, i + 1)};
    };
    return graph_.repeat_until("step", options_.max_cycles, solution, body, BufferView(finished))
        .state;
}

Buffer PartIterations::test_convergence(const PoissonCycles::PartialSums& sums,
                                        std::uint32_t cycle) {
    ComputeNodeBuilder node = graph_.compute("solver/convergence_test");
    node.read("partial_sums", sums.buffer);
    node.set("partial_sums", static_cast<std::int32_t>(sums.count));
    node.set("cycle", static_cast<std::int32_t>(cycle));
    node.set("last_cycle", static_cast<std::int32_t>(options_.max_cycles));
    node.set("tolerance", options_.tolerance);
    node.set("progress", 0.9f);
    node.set("stagnation_limit", options_.by_gradients ? 4 : 2);
    node.set("runaway", 1e4f);
    node.set("keeps_mean", 0);
    node.set("from_residual", kinds_ ? 1 : 0);
    status_ = node.write("status", status_);
    residuals_ = node.write("residuals", residuals_);
    const Buffer done = node.write("done", array(graph_, "done", 1));
    node.dispatch(1);
    return done;
}

} // namespace tuff::passes
