#include "passes/bodies/solve.hpp"

#include "passes/bodies/descent.hpp"
#include "passes/bodies/flow.hpp"
#include "passes/bodies/jacobi.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kSolveGroups = 20; // bytes: where the tally has groups for constraints
constexpr std::uint32_t kRowQuads = 10;
constexpr std::uint32_t kImpulseQuads = 4;
constexpr std::uint32_t kGlobalBatches = 32; // dispatches; what is beyond is solved by one group
constexpr std::uint32_t kFewBodies = 1024;   // that one group may move
constexpr float kNever = 1e30f;              // m/s: a threshold that nothing passes

/// As shaders/bodies/solver.glsl has them.
enum class Phase : std::uint32_t { warm, solve, relax, bounce };

/// The nodes of one step.
class Solution {
  public:
    Solution(Graph& graph, SolveConstraints& pass)
        : graph_(graph), pass_(pass), pairs_(pass.contacts.pairs), state_(pass.source),
          stride_(std::max(pairs_.most(), 1u)),
          flow_(graph, pass.batches, by_cells() ? pass.solver.sweep : SweepMethod::sets) {}

    void run() {
        const bool soft = pass_.solver.method == SolverMethod::soft;
        h_ = soft ? pass_.dt / static_cast<float>(pass_.solver.substeps) : pass_.dt;
        pass_.status = pass_.batches.status;
        prepare();
        if (pass_.with_residuals) begin_residuals();
        if (pass_.solver.bounces > 0) bounce();
        if (soft)
            run_soft();
        else if (pass_.solver.method == SolverMethod::avbd)
            run_descent();
        else
            run_hard();
        store();
        pass_.bodies = state_;
    }

  private:
    bool by_cells() const {
        return pass_.solver.method == SolverMethod::two_level ||
               pass_.solver.method == SolverMethod::soft;
    }
    float inverse_dt() const { return h_ > 0.0f ? 1.0f / h_ : 0.0f; }

    void prepare() {
        const SolverParameters& p = pass_.solver;
        ComputeNodeBuilder node = graph_.compute("bodies/prepare");
        node.read("tally", pairs_.tally);
        node.read("keys", pass_.batches.keys);
        node.read("ordered", pass_.batches.ordered);
        node.read("ordered_batches", pass_.batches.ordered_batches);
        node.read("pairs", pairs_.pairs);
        node.read("manifolds", pass_.contacts.manifolds);
        node.read("masses", pass_.outlines.masses);
        node.read("places", state_.places);
        node.read("turns", state_.turns);
        node.read("motions", state_.motions);
        node.read_optional("joints", state_.joints);
        node.read_optional("old_pairs", pass_.before.pairs);
        node.read_optional("old_tally", pass_.before.tally, "has_old_pairs");
        node.read_optional("old_offsets", pass_.before.offsets, "has_old_pairs");
        node.read_optional("old_impulses", pass_.before.impulses, "has_old_pairs");
        node.specialize("kBouncesApart", p.method == SolverMethod::soft || p.bounces > 0 ? 1u : 0u);
        node.set("count", state_.count);
        node.set("joint_count", state_.joint_count);
        node.set("all_cells", pass_.batches.cell_count());
        node.set("stride", stride_);
        node.set("inverse_dt", inverse_dt());
        node.set("dt", h_);
        node.set("correction", p.correction);
        node.set("slop", p.slop);
        node.set("fastest_push", p.fastest_push);
        node.set("threshold", p.threshold);
        node.set("kept", p.warm);
        heads_ = node.write("heads", body_array(graph_, "heads", stride_, 16));
        rows_ =
            node.write("rows", body_array(graph_, "rows", std::uint64_t{kRowQuads} * stride_, 16));
        impulses_ = node.write(
            "impulses", body_array(graph_, "impulses", std::uint64_t{kImpulseQuads} * stride_, 16));
        state_.motions = node.write("own_motions", body_array(graph_, "motions", state_.count, 32));
        node.set("progress_words", flow_.words());
        flow_.start(
            node.write("progress", body_array(graph_, "progress", std::max(flow_.words(), 1u), 4)));
        node.dispatch_indirect(pairs_.tally, kSolveGroups);
    }

    /// Impacts one after the other; those of contacts that are solved later are over then. Soft
    /// contacts look a short step ahead.
    void bounce() {
        const float ahead = pass_.dt + (pass_.solver.method == SolverMethod::soft ? h_ : 0.0f);
        const bool one_set = pass_.batches.sets() == 1;
        for (std::uint32_t i = 0; i < (one_set ? 1 : pass_.solver.bounces); ++i)
            for (std::uint32_t set = 0; set < pass_.batches.sets(); ++set) {
                ComputeNodeBuilder node = graph_.compute("bodies/bounce");
                read_cells(node);
                node.read("heads", heads_);
                node.read("rows", rows_);
                node.read("masses", pass_.outlines.masses);
                node.set("set", set);
                node.set("stride", stride_);
                node.set("sweeps", one_set ? pass_.solver.bounces : 1);
                node.set("inverse_dt", ahead > 0.0f ? 1.0f / ahead : 0.0f);
                node.set("threshold", pass_.solver.threshold);
                state_.motions = node.write("motions", state_.motions);
                fold_groups(pass_.batches.set_cells()).dispatch(node);
            }
    }

    void run_hard() {
        const bool jacobi = pass_.solver.method == SolverMethod::jacobi;
        if (jacobi) split_ = split_masses(graph_, pass_.batches, pairs_, state_.count);
        const bool one_go =
            (pass_.batches.sets() == 1 || flow_.takes(pass_.solver.iterations + 1)) &&
            !pass_.with_residuals && pass_.solver.method == SolverMethod::two_level;
        const bool warm = bool(pass_.before) && pass_.solver.warm > 0.0f;
        const bool warm_too = warm && one_go && flow_;
        if (warm && !warm_too) sweep(Phase::warm, 1);
        if (one_go)
            sweep(Phase::solve, pass_.solver.iterations + (warm_too ? 1 : 0), warm_too ? 1 : 0);
        else
            for (std::uint32_t i = 0; i < pass_.solver.iterations; ++i) {
                sweep(Phase::solve, 1);
                measure(i);
            }
        integrate();
    }

    void run_soft() {
        if (pass_.batches.sets() == 1 && !pass_.with_residuals && state_.count <= kFewBodies) {
            run_soft_together();
            return;
        }
        shifts_ = graph_.fill(body_array(graph_, "shifts", state_.count, 32), 0, "no_shifts");
        for (std::uint32_t i = 0; i < pass_.solver.substeps; ++i) {
            accelerate();
            sweep(Phase::warm, 1);
            sweep(Phase::solve, 1);
            integrate();
            sweep(Phase::relax, 1);
        }
        sweep(Phase::bounce, 1);
    }

    /// All short steps in one dispatch.
    void run_soft_together() {
        ComputeNodeBuilder node = graph_.compute("bodies/soft_together");
        node.specialize("local_size_x", pass_.solver.group);
        node.read("ranges", pass_.batches.ranges);
        node.read("cell_batches", pass_.batches.cell_batches);
        node.read("heads", heads_);
        node.read("rows", rows_);
        node.read("masses", pass_.outlines.masses);
        node.read("shapes", state_.shapes);
        (void)node.write(
            "shifts", graph_.fill(body_array(graph_, "shifts", state_.count, 32), 0, "no_shifts"));
        state_.places = node.write(
            "places", graph_.copy(state_.places, body_array(graph_, "places", state_.count, 16),
                                  "own_places"));
        state_.turns = node.write(
            "turns",
            graph_.copy(state_.turns, body_array(graph_, "turns", state_.count, 16), "own_turns"));
        pass_.status = node.accumulate("status", pass_.status);
        node.set("count", state_.count);
        node.set("substeps", pass_.solver.substeps);
        node.set("dt", h_);
        set_acceleration(node);
        set_solver(node);
        impulses_ = node.write("impulses", impulses_);
        state_.motions = node.write("motions", state_.motions);
        node.dispatch(1);
    }

    /// Bodies, a colour at a time, then forces, again and again.
    void run_descent() {
        Descent descent(graph_, {.stride = stride_,
                                 .bodies = state_.count,
                                 .dt = h_,
                                 .correction = pass_.solver.correction,
                                 .masses = pass_.outlines.masses,
                                 .heads = heads_,
                                 .rows = rows_,
                                 .pairs = pairs_,
                                 .batches = pass_.batches,
                                 .status = pass_.status});
        state_.motions = descent.run(state_.motions, impulses_, pass_.solver.iterations);
        impulses_ = descent.impulses();
        pass_.status = descent.status();
        integrate();
    }

    /// All constraints `times` times, the first `warms` of them as a warm start, where cells flow.
    void sweep(Phase phase, std::uint32_t times, std::uint32_t warms = 0) {
        if (pass_.solver.method == SolverMethod::global) {
            sweep_batches(phase);
            return;
        }
        if (pass_.solver.method == SolverMethod::jacobi) {
            sweep_jacobi(phase);
            return;
        }
        const bool flows = flow_.takes(times);
        for (std::uint32_t set = 0; set < (flows ? 1 : pass_.batches.sets()); ++set) {
            ComputeNodeBuilder node = solver(flows ? "bodies/solve_flow" : "bodies/solve", true);
            read_cells(node);
            node.set("iterations", times);
            finish(node, phase);
            if (flows) {
                node.set("warms", warms);
                flow_.run(node, times, state_);
            } else {
                node.set("set", set);
                fold_groups(pass_.batches.set_cells()).dispatch(node);
            }
        }
    }

    void read_cells(ComputeNodeBuilder& node) const {
        node.specialize("local_size_x", group_for_cell(graph_.desc(pass_.batches.order).size / 4 /
                                                           pass_.batches.cell_count(),
                                                       pass_.solver.group));
        node.read("ranges", pass_.batches.ranges);
        node.read("cell_batches", pass_.batches.cell_batches);
        node.set("cells", pass_.batches.cells);
    }

    void sweep_batches(Phase phase) {
        if (!batch_ranges_) find_batches();
        for (std::uint32_t batch = 0; batch <= kGlobalBatches; ++batch) {
            ComputeNodeBuilder node = solver("bodies/solve_batch", false);
            node.read("batch_ranges", batch_ranges_);
            node.set("batch", batch);
            node.set("most", kGlobalBatches);
            node.read("ordered_batches", pass_.batches.ordered_batches);
            finish(node, phase);
            node.dispatch_indirect(arguments_, std::uint64_t{12} * batch);
        }
    }

    void find_batches() {
        ComputeNodeBuilder node = graph_.compute("bodies/batch_ranges");
        node.read("ranges", pass_.batches.ranges);
        node.read("ordered_batches", pass_.batches.ordered_batches);
        node.set("most", kGlobalBatches);
        batch_ranges_ =
            node.write("batch_ranges", body_array(graph_, "batch_ranges", kGlobalBatches + 1, 8));
        arguments_ =
            node.write("arguments", body_array(graph_, "arguments", 3 * (kGlobalBatches + 1), 4));
        node.dispatch(1);
    }

    void sweep_jacobi(Phase phase) {
        ComputeNodeBuilder node = solver("bodies/jacobi", false);
        node.read("tally", pairs_.tally);
        node.read("keys", pass_.batches.keys);
        node.read("shares", split_.shares);
        node.set("all_cells", pass_.batches.cell_count());
        const Buffer pushes = node.write("pushes", body_array(graph_, "pushes", 3 * stride_, 16));
        finish(node, phase, false);
        node.dispatch_indirect(pairs_.tally, kSolveGroups);
        ComputeNodeBuilder gather = graph_.compute("bodies/jacobi_gather");
        gather.read("offsets", split_.offsets);
        gather.read("incidences", split_.incidences);
        gather.read("pushes", pushes);
        gather.read("masses", pass_.outlines.masses);
        gather.set("count", state_.count);
        gather.set("stride", stride_);
        state_.motions = gather.write("motions", state_.motions);
        gather.dispatch_each(state_.count);
    }

    ComputeNodeBuilder solver(std::string_view kernel, bool has_variants) {
        const bool soft = pass_.solver.method == SolverMethod::soft;
        ComputeNodeBuilder node = has_variants ? graph_.compute(kernel, {{"SOFT", soft ? 1u : 0u}})
                                               : graph_.compute(kernel);
        node.read("heads", heads_);
        node.read("rows", rows_);
        node.read("masses", pass_.outlines.masses);
        if (soft) node.read("shifts", shifts_);
        return node;
    }

    /// What shaders/bodies/solver.glsl expects, but for the phase.
    void set_solver(ComputeNodeBuilder& node) const {
        const SolverParameters& p = pass_.solver;
        node.set("stride", stride_);
        node.set("inverse_dt", inverse_dt());
        node.set("correction", p.correction);
        node.set("slop", p.slop);
        node.set("fastest_push", p.fastest_push);
        node.set("threshold", p.bounces > 0 ? kNever : p.threshold);
        const float omega =
            2.0f * std::numbers::pi_v<float> *
            std::min(p.frequency, 0.25f * (inverse_dt() > 0.0f ? inverse_dt() : 1.0f));
        const float a1 = 2.0f * p.damping_ratio + h_ * omega;
        const float a2 = h_ * omega * a1;
        node.set("soft_rate", omega / a1);
        node.set("soft_mass", a2 / (1.0f + a2));
        node.set("soft_impulse", 1.0f / (1.0f + a2));
    }

    void finish(ComputeNodeBuilder& node, Phase phase, bool writes_motions = true) {
        set_solver(node);
        node.set("phase", static_cast<std::uint32_t>(phase));
        impulses_ = node.write("impulses", impulses_);
        if (writes_motions)
            state_.motions = node.write("motions", state_.motions);
        else
            node.read("motions", state_.motions);
    }

    void set_acceleration(ComputeNodeBuilder& node) const {
        node.set("change", h_ * pass_.gravity);
        node.set("kept", std::exp(-pass_.damping * h_));
    }

    void accelerate() {
        ComputeNodeBuilder node = graph_.compute("bodies/accelerate");
        node.read("masses", pass_.outlines.masses);
        node.set("count", state_.count);
        set_acceleration(node);
        state_.motions = node.write("motions", state_.motions);
        node.dispatch_each(state_.count);
    }

    void integrate() {
        const bool soft = pass_.solver.method == SolverMethod::soft;
        ComputeNodeBuilder node = graph_.compute("bodies/integrate");
        node.read("places", state_.places);
        node.read("turns", state_.turns);
        node.read("motions", state_.motions);
        node.read("shapes", state_.shapes);
        node.read("masses", pass_.outlines.masses);
        node.read_optional("shifts", shifts_);
        node.set("count", state_.count);
        node.set("dt", h_);
        state_.places = node.write("moved", body_array(graph_, "places", state_.count, 16));
        state_.turns = node.write("turned", body_array(graph_, "turns", state_.count, 16));
        state_.motions = node.write("changed", body_array(graph_, "motions", state_.count, 32));
        const Buffer shifted =
            node.write("shifted", body_array(graph_, "shifts", soft ? state_.count : 1, 32));
        if (soft) shifts_ = shifted;
        pass_.status = node.accumulate("status", pass_.status);
        node.dispatch_each(state_.count);
    }

    void begin_residuals() {
        const std::uint64_t count = std::max(pass_.solver.iterations, 1u);
        pass_.residuals = graph_.fill(body_array(graph_, "residuals", count, 4), 0, "no_residuals");
    }
    void measure(std::uint32_t iteration) {
        if (!pass_.with_residuals) return;
        ComputeNodeBuilder node = graph_.compute("bodies/residual");
        node.read("tally", pairs_.tally);
        node.read("keys", pass_.batches.keys);
        node.read("heads", heads_);
        node.read("rows", rows_);
        node.read("motions", state_.motions);
        node.set("all_cells", pass_.batches.cell_count());
        node.set("stride", stride_);
        node.set("at", iteration);
        pass_.residuals = node.write("residuals", pass_.residuals);
        node.dispatch_indirect(pairs_.tally, kSolveGroups);
    }

    void store() {
        ComputeNodeBuilder node = graph_.compute("bodies/store");
        node.read("tally", pairs_.tally);
        node.read("keys", pass_.batches.keys);
        node.read("ordered", pass_.batches.ordered);
        node.read("order", pass_.batches.order);
        node.read("heads", heads_);
        node.read("manifolds", pass_.contacts.manifolds);
        node.read("impulses", impulses_);
        node.set("joint_count", state_.joint_count);
        node.set("all_cells", pass_.batches.cell_count());
        node.set("stride", stride_);
        pass_.cache = {.tally = pairs_.tally, .offsets = pairs_.offsets, .pairs = pairs_.pairs};
        pass_.cache.impulses = node.write(
            "kept", body_array(graph_, "kept", std::uint64_t{kImpulseQuads} * stride_, 16));
        node.dispatch_indirect(pairs_.tally, kSolveGroups);
    }

    Graph& graph_;
    SolveConstraints& pass_;
    const BodyPairs& pairs_;
    Bodies state_;
    std::uint32_t stride_;
    float h_ = 0.0f; ///< length of a step, or of a short one
    Buffer heads_;
    Buffer rows_;
    Buffer impulses_;
    Buffer shifts_;
    Buffer batch_ranges_;
    Buffer arguments_;
    SplitMasses split_;
    CellFlow flow_;
};

} // namespace

void SolveConstraints::describe(PassInfo<SolveConstraints>& info) {
    info.summary("Solves the contacts and joints of a step, and moves the bodies")
        .details(
            "The solver is projected Gauss-Seidel: each constraint in turn corrects the "
            "velocities of its two bodies, within the limits of its impulse. Contacts only "
            "push, friction stays in its cone, and a motor stays below its strength.\n\n"
            "\"two_level\" solves the cells of a set in parallel, and the batches of a cell in "
            "one group; with a single cell, all iterations are one dispatch. \"sweep\" \"flow\" "
            "is one dispatch for all sets, iterations and the warm start: a cell waits for those "
            "beside it. \"auto\" takes it on GPUs whose groups all go on; on other devices it is "
            "one group. \"global\" uses one dispatch for each batch of all constraints; their "
            "\"split\" must be 1. "
            "\"jacobi\" solves all constraints at once and splits the bodies' masses among "
            "them. \"soft\" takes \"substeps\" short steps with contacts as stiff, damped "
            "springs, and relaxes them without the springs after each; with a single cell and at "
            "most 1,024 bodies, all short steps are one dispatch. \"avbd\" moves the bodies of "
            "one color at a time to their minimum of energy.\n\n"
            "Momentum is kept to rounding, and the angular momentum of \"soft\" to 4e-5 of its "
            "parts a step. \"avbd\" misses both as far as its iterations have not converged: "
            "about 1e-3 of their parts a step in a dense pile with ten iterations, and less than "
            "1e-5 with a hundred.\n\n"
            "With \"bounces\", impacts of contacts with restitution follow each other, so many "
            "times over all of them, before contacts are solved: a body that is hit hits the next "
            "one. Without, contacts that close within a step share the blow.\n\n"
            "Contacts of \"soft\" sink by \"slop\" and by what their springs yield: the load on "
            "a point over m (2 pi \"frequency\")^2, with the mass m that a push meets there. A "
            "tower of ten boxes sinks by 78 mm, 50 of them for the slop, at 30 Hz. A higher "
            "\"frequency\" and less \"slop\" make contacts hard.\n\n"
            "Impulses of the previous step with the same pair and features are applied first "
            "(warm start). Sums have a fixed order, so runs on the same device give the same "
            "bits for any group size.")
        .source("T. Harada, \"Two-Level Constraint Solver and Pipelined Local Batching for Rigid "
                "Body Simulation on GPUs\", GPU Pro 4, 2013; R. Tonge, F. Benevolenski and A. "
                "Voroshilov, \"Mass Splitting for Jitter-Free Parallel Rigid Body Simulation\", "
                "SIGGRAPH 2012; E. Catto, \"Solver2D\", 2024; C. Giles, E. Diaz and C. Yuksel, "
                "\"Augmented Vertex Block Descent\", SIGGRAPH 2025")
        .complexity("O(constraints * iterations)")
        .cost([](const SolveConstraints& pass, const Graph&) {
            const double n = 2.0 * pass.source.count;
            const double times = pass.solver.method == SolverMethod::soft
                                     ? 3.0 * pass.solver.substeps
                                     : 1.0 * pass.solver.iterations;
            return Cost{.bytes = 300.0 * n * (times + 1.0),
                        .operations = 600.0 * n * (times + 1.0)};
        });
    info.input("source", &SolveConstraints::source, "the bodies, from bodies/forces");
    info.input("outlines", &SolveConstraints::outlines, "bounds and inertia, from bodies/forces");
    info.input("contacts", &SolveConstraints::contacts, "the contacts, from bodies/contacts");
    info.input("batches", &SolveConstraints::batches, "the batches, from bodies/batches");
    info.optional_input("before", &SolveConstraints::before, "the impulses of the previous step");
    info.group("solver", &SolveConstraints::solver);
    info.parameter("dt", &SolveConstraints::dt, "length of the step")
        .range(0.0, 1.0)
        .unit("seconds");
    info.parameter("gravity", &SolveConstraints::gravity,
                   "\"soft\": acceleration in the short steps")
        .range(-1e6, 1e6)
        .unit("m/s^2");
    info.parameter("damping", &SolveConstraints::damping,
                   "\"soft\": rate of the exponential decay of velocities in "
                   "the short steps")
        .range(0.0, 1e6)
        .unit("1 / second");
    info.parameter("with_residuals", &SolveConstraints::with_residuals,
                   "whether to compute \"residuals\"; not with \"soft\"")
        .structural();
    info.output("bodies", &SolveConstraints::bodies, "the bodies after the step");
    info.output("cache", &SolveConstraints::cache, "the impulses, for the next step");
    info.output("status", &SolveConstraints::status, "counts").elements<BodiesStatus>();
    info.output("residuals", &SolveConstraints::residuals,
                "one number an iteration: the largest remaining approach speed, m/s")
        .elements<float>();
}

void SolveConstraints::build(Graph& graph) {
    if (!is_valid(graph, source)) return;
    if (solver.method == SolverMethod::global && batches.cell_count() != 1) {
        graph.error("bodies/not-global",
                    "the method \"global\" needs batches of all constraints, but these are "
                    "divided into cells",
                    "set \"split\" of bodies/batches to [1, 1, 1]");
        return;
    }
    Solution(graph, *this).run();
}

TUFF_PASS(SolveConstraints)

} // namespace tuff::passes
