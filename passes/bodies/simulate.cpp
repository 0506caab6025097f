#include "passes/bodies/simulate.hpp"

#include "passes/bodies/lasting_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxBodySteps = 4096;

} // namespace

void SimulateBodies::describe(PassInfo<SimulateBodies>& info) {
    info.summary("Simulates rigid bodies with contacts and joints, from execution to execution")
        .details(
            "An execution takes \"steps\" steps from the state that the previous "
            "execution left. The first execution, and any with \"reset\", starts from the "
            "initial state. "
            "With the clock \"time\" an execution takes as many whole steps of \"dt\" as "
            "reach \"frame_time\", at most \"steps\" (else it "
            "warns); the rest of its time is kept for the "
            "next one, so states do not depend on the length of frames. The first execution "
            "and any with \"reset\" then take no step. \"shown\" is interpolated between "
            "the last two states. \"contacts\" and \"batches\" are found for the last state, as "
            "the next step will find them, if something reads them.\n\n"
            "A step is bodies/forces, bodies/pairs, bodies/contacts, "
            "bodies/batches, bodies/solve and, if bodies may sleep, bodies/islands. Runs "
            "on the same device give the same bits.")
        .source("T. Harada, \"Two-Level Constraint Solver and Pipelined Local Batching for Rigid "
                "Body Simulation on GPUs\", GPU Pro 4, 2013")
        .complexity("O((bodies + contacts * iterations) * steps)")
        .cost([](const SimulateBodies& pass, const Graph&) {
            const double n = static_cast<double>(pass.initial.count) * pass.steps;
            return Cost{.bytes = n * (1500.0 + 600.0 * pass.solver.iterations),
                        .operations = n * (5000.0 + 1200.0 * pass.solver.iterations)};
        });
    info.input("initial", &SimulateBodies::initial, "the bodies at the start");
    info.parameter("steps", &SimulateBodies::steps,
                   "steps of an execution; \"time\": the largest number of them")
        .range(0, kMaxBodySteps)
        .structural();
    info.parameter("dt", &SimulateBodies::dt, "length of a step").range(0.0, 1.0).unit("seconds");
    info.parameter("clock", &SimulateBodies::clock,
                   "whether an execution takes \"steps\" steps or \"frame_time\"")
        .structural();
    info.parameter("frame_time", &SimulateBodies::frame_time,
                   "\"time\": time that an execution simulates")
        .range(0.0, 10.0)
        .unit("seconds");
    info.parameter("reset", &SimulateBodies::reset, "starts again from \"initial\"");
    info.parameter("gravity", &SimulateBodies::gravity, "acceleration of all bodies")
        .range(-1e6, 1e6)
        .unit("m/s^2");
    info.parameter("damping", &SimulateBodies::damping,
                   "rate of the exponential decay of velocities")
        .range(0.0, 1e6)
        .unit("1 / second");
    info.parameter("margin", &SimulateBodies::margin, "distance at which contacts begin")
        .range(0.0, 1e3)
        .unit("metres")
        .structural();
    info.parameter("reach", &SimulateBodies::reach,
                   "largest extra distance for the speed of a body, so that fast bodies do not "
                   "pass through others")
        .range(0.0, 1e3)
        .unit("metres")
        .structural();
    info.parameter("pairs", &SimulateBodies::pairs, "how pairs are found").structural();
    info.parameter("room", &SimulateBodies::room, "capacity, in pairs; 0: 8 a body")
        .range(0, 1 << 27)
        .structural();
    info.parameter("split", &SimulateBodies::split,
                   "largest number of cells along each axis; "
                   "1: not divided")
        .range(1, 1024)
        .unit("cells")
        .structural();
    info.parameter("batching", &SimulateBodies::batching, "how the batches are made").structural();
    info.group("solver", &SimulateBodies::solver);
    info.group("sleep", &SimulateBodies::sleep);
    info.parameter("with_residuals", &SimulateBodies::with_residuals,
                   "whether to compute \"residuals\" of the last step")
        .structural();
    info.output("bodies", &SimulateBodies::bodies, "the bodies after the last step");
    info.output("shown", &SimulateBodies::shown,
                "the bodies at the time of the execution, to draw; \"steps\": after the last step");
    info.output("contacts", &SimulateBodies::contacts,
                "contacts of the last step; \"time\": after it");
    info.output("batches", &SimulateBodies::batches,
                "batches of the last step; \"time\": after it");
    info.output("cache", &SimulateBodies::cache, "the impulses of the last step");
    info.output("status", &SimulateBodies::status, "counts").elements<BodiesStatus>();
    info.output("residuals", &SimulateBodies::residuals,
                "one number an iteration: the largest remaining approach speed, m/s")
        .elements<float>();
}

void SimulateBodies::build(Graph& graph) {
    if (!is_valid(graph, initial)) return;
    const std::uint64_t n = std::max(initial.count, 1u);
    const std::uint32_t pool = room != 0 ? room : pair_room(graph, initial);
    room = pool;
    const std::uint64_t constraints = std::max(pool + initial.joint_count, 1u);
    LastingBodies lasting(graph, reset);
    bodies = initial;
    bodies.places = lasting.begin("places", initial.places, n * 16);
    bodies.turns = lasting.begin("turns", initial.turns, n * 16);
    bodies.motions = lasting.begin("motions", initial.motions, n * 32);
    bodies.rest = lasting.begin("rest", initial.rest, n * 8);
    cache.tally = lasting.begin("tally", {}, 8 * 4);
    // The tally says how many pairs there are, none at first.
    cache.offsets = lasting.before("offsets", n * 4);
    cache.pairs = lasting.before("pairs", std::uint64_t{std::max(pool, 1u)} * 8);
    cache.impulses = lasting.before("impulses", constraints * 64);
    if (pairs == PairMethod::tree) {
        tree.nodes = lasting.begin("tree_nodes", {}, n * 64);
        tree.leaves = lasting.begin("tree_leaves", {}, n * 48);
        tree.status = lasting.begin("tree_status", {}, 64);
        tree.built = lasting.begin("tree_built", {}, n * 16); // nobody is in it at first
    }
    status = empty_status(graph);
    if (clock == StepClock::time) {
        take_time(graph, lasting);
        return;
    }
    for (std::uint32_t i = 0; i < steps; ++i) {
        graph.push_scope(fmt::format("step[{}]", i));
        step(graph);
        graph.pop_scope();
    }
    lasting.end(state());
    shown = bodies;
    // What others do with the last step goes on from its end.
    contacts.pairs.status = status;
    batches.status = status;
    graph.status<BodiesStatus>(status);
}

std::vector<Buffer> SimulateBodies::state() const {
    std::vector<Buffer> parts{bodies.places, bodies.turns,  bodies.motions, bodies.rest,
                              cache.tally,   cache.offsets, cache.pairs,    cache.impulses};
    if (tree) parts.insert(parts.end(), {tree.nodes, tree.leaves, tree.status, tree.built});
    return parts;
}

void SimulateBodies::set_state(std::span<const Buffer> parts) {
    bodies.places = parts[0];
    bodies.turns = parts[1];
    bodies.motions = parts[2];
    bodies.rest = parts[3];
    cache = {.tally = parts[4], .offsets = parts[5], .pairs = parts[6], .impulses = parts[7]};
    if (tree)
        tree = {.nodes = parts[8], .leaves = parts[9], .status = parts[10], .built = parts[11]};
}

/// Steps that the device counts. Steps that are not due are in the graph, but do nothing.
void SimulateBodies::take_time(Graph& graph, LastingBodies& lasting) {
    const std::uint64_t n = std::max(initial.count, 1u);
    const BodyClock now =
        lasting.begin_clock({.most = steps, .frame_time = frame_time, .dt = dt, .reset = reset});
    std::vector<Buffer> parts = state();
    const std::size_t own = parts.size();
    parts.push_back(lasting.begin("last_places", initial.places, n * 16));
    parts.push_back(lasting.begin("last_turns", initial.turns, n * 16));
    if (with_residuals)
        parts.push_back(lasting.begin("last_residuals", {}, 4 * std::max(solver.iterations, 1u)));
    const std::size_t kept = parts.size();
    parts.push_back(status);
    parts = graph
                .repeat_until(
                    "step", steps, parts,
                    [&](const std::vector<Buffer>& before, std::uint32_t i) {
                        set_state(before);
                        status = before.back();
                        step(graph);
                        std::vector<Buffer> after = state();
                        after.insert(after.end(), {before[0], before[1]});
                        if (with_residuals) after.push_back(residuals);
                        after.push_back(status);
                        return Step{after, now.done_after(graph, i)};
                    },
                    BufferView(now.done))
                .state;
    set_state(parts);
    status = parts.back();
    if (with_residuals) residuals = parts[own + 2];
    lasting.end(std::span(parts).first(kept));
    shown = now.between(graph, bodies, parts[own], parts[own + 1]);
    graph.status<BodiesStatus>(status);
    graph.status<ClockWords>(now.words);
    // Those of a step may be of one that has not run. The tree is the steps', and so are counts.
    graph.push_scope("last");
    (void)find(graph, empty_status(graph), pairs == PairMethod::tree ? PairMethod::grid : pairs);
    graph.pop_scope();
}

BodyForces SimulateBodies::find(Graph& graph, Buffer counts, PairMethod method) {
    const bool soft = solver.method == SolverMethod::soft;
    const BodyForces forces = graph.add(BodyForces{.source = bodies,
                                                   .status = counts,
                                                   .dt = dt,
                                                   .gravity = soft ? glm::vec3(0.0f) : gravity,
                                                   .damping = soft ? 0.0f : damping,
                                                   .margin = margin,
                                                   .reach = reach});
    const FindPairs search = graph.add(FindPairs{.bodies = forces.bodies,
                                                 .outlines = forces.outlines,
                                                 .before = tree,
                                                 .method = method,
                                                 .room = room});
    const BodyPairs& found = search.pairs;
    tree = search.tree;
    contacts =
        graph
            .add(FindContacts{.bodies = forces.bodies, .outlines = forces.outlines, .pairs = found})
            .contacts;
    batches = graph
                  .add(BatchConstraints{
                      .bodies = forces.bodies,
                      .outlines = forces.outlines,
                      .contacts = contacts,
                      .split = solver.method == SolverMethod::global ? glm::uvec3(1) : split,
                      .method = batching,
                      .group = solver.group})
                  .batches;
    return forces;
}

void SimulateBodies::step(Graph& graph) {
    const BodyForces forces = find(graph, status, pairs);
    const SolveConstraints solved = graph.add(SolveConstraints{.source = forces.bodies,
                                                               .outlines = forces.outlines,
                                                               .contacts = contacts,
                                                               .batches = batches,
                                                               .before = cache,
                                                               .solver = solver,
                                                               .dt = dt,
                                                               .gravity = gravity,
                                                               .damping = damping,
                                                               .with_residuals = with_residuals});
    bodies = solved.bodies;
    cache = solved.cache;
    status = solved.status;
    residuals = solved.residuals;
    if (sleep.speed <= 0.0f) return;
    const SleepIslands islands = graph.add(SleepIslands{
        .source = bodies, .contacts = contacts, .counts = status, .sleep = sleep, .dt = dt});
    bodies = islands.bodies;
    status = islands.status;
}

TUFF_PASS(SimulateBodies)

} // namespace tuff::passes
