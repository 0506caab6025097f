#include "passes/bodies/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxBodySteps = 4096;

/// Arrays that go on from execution to execution.
class LastingBodies {
  public:
    LastingBodies(Graph& graph, bool reset) : graph_(graph), reset_(reset) {
        age_ = graph.history_buffer("age", {.size = kWordBytes, .stride = kWordBytes});
    }
    /// What the execution begins with.
    Buffer begin(std::string_view name, Buffer initial, std::uint64_t bytes) {
        const BufferDesc desc{.size = bytes, .stride = 8};
        histories_.push_back(graph_.history_buffer(name, desc));
        ComputeNodeBuilder node = graph_.compute("bodies/begin", name);
        node.read_optional("before", histories_.back().previous[0]);
        node.read_optional("before_age", age_.previous[0], "has_before");
        node.read_optional("initial", initial);
        const auto words = static_cast<std::uint32_t>(bytes / kWordBytes);
        node.set("words", words);
        node.set("initial_words",
                 initial ? static_cast<std::uint32_t>(graph_.desc(initial).size / kWordBytes) : 0u);
        node.set("reset", std::uint32_t(reset_));
        const Buffer result = node.write("result", graph_.buffer(name, desc));
        node.dispatch_each(words);
        return result;
    }
    /// What the execution before left, as it is: for arrays of which others tell whether they
    /// count. Nothing is copied.
    Buffer before(std::string_view name, std::uint64_t bytes) {
        histories_.push_back(graph_.history_buffer(name, {.size = bytes, .stride = 8}));
        return histories_.back().previous[0];
    }
    /// Keeps what there is now of what was begun, in that order.
    void end(std::span<const Buffer> last) {
        ComputeNodeBuilder older = graph_.compute("bodies/begin_age");
        older.read("before", age_.previous[0]);
        older.set("reset", std::uint32_t(reset_));
        (void)older.write("age", age_.current);
        older.dispatch(1);
        for (std::size_t i = 0; i < last.size(); ++i) {
            const std::uint64_t bytes =
                std::min(graph_.desc(last[i]).size, graph_.desc(histories_[i].current).size);
            (void)graph_.copy(BufferView(last[i], 0, bytes),
                              BufferView(histories_[i].current, 0, bytes), "keep");
        }
    }

  private:
    Graph& graph_;
    bool reset_;
    BufferHistory age_; ///< a word: executions since the beginning
    std::vector<BufferHistory> histories_;
};

} // namespace

void SimulateBodies::describe(PassInfo<SimulateBodies>& info) {
    info.summary("Simulates rigid bodies with contacts and joints, from execution to execution")
        .details("An execution takes \"steps\" steps from the state that the previous "
                 "execution left. The first execution, and any with \"reset\", starts from the "
                 "initial state. A step is bodies/forces, bodies/pairs, bodies/contacts, "
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
    info.parameter("steps", &SimulateBodies::steps, "steps of an execution")
        .range(0, kMaxBodySteps)
        .structural();
    info.parameter("dt", &SimulateBodies::dt, "length of a step").range(0.0, 1.0).unit("seconds");
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
    info.output("contacts", &SimulateBodies::contacts, "contacts of the last step");
    info.output("batches", &SimulateBodies::batches, "batches of the last step");
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
    LastingBodies state(graph, reset);
    bodies = initial;
    bodies.places = state.begin("places", initial.places, n * 16);
    bodies.turns = state.begin("turns", initial.turns, n * 16);
    bodies.motions = state.begin("motions", initial.motions, n * 32);
    bodies.rest = state.begin("rest", initial.rest, n * 8);
    cache.tally = state.begin("tally", {}, 8 * 4);
    // The tally says how many pairs there are, none at first.
    cache.offsets = state.before("offsets", n * 4);
    cache.pairs = state.before("pairs", std::uint64_t{std::max(pool, 1u)} * 8);
    cache.impulses = state.before("impulses", constraints * 64);
    if (pairs == PairMethod::tree) {
        tree.nodes = state.begin("tree_nodes", {}, n * 64);
        tree.leaves = state.begin("tree_leaves", {}, n * 48);
        tree.status = state.begin("tree_status", {}, 64);
        tree.built = state.begin("tree_built", {}, n * 16); // nobody is in it at first
    }
    status = empty_status(graph);
    for (std::uint32_t i = 0; i < steps; ++i) {
        graph.push_scope(fmt::format("step[{}]", i));
        step(graph);
        graph.pop_scope();
    }
    std::vector<Buffer> last{bodies.places, bodies.turns,  bodies.motions, bodies.rest,
                             cache.tally,   cache.offsets, cache.pairs,    cache.impulses};
    if (tree) last.insert(last.end(), {tree.nodes, tree.leaves, tree.status, tree.built});
    state.end(last);
    // What others do with the last step goes on from its end.
    contacts.pairs.status = status;
    batches.status = status;
    graph.status<BodiesStatus>(status);
}

void SimulateBodies::step(Graph& graph) {
    const bool soft = solver.method == SolverMethod::soft;
    const BodyForces forces = graph.add(BodyForces{.source = bodies,
                                                   .status = status,
                                                   .dt = dt,
                                                   .gravity = soft ? glm::vec3(0.0f) : gravity,
                                                   .damping = soft ? 0.0f : damping,
                                                   .margin = margin,
                                                   .reach = reach});
    const FindPairs search = graph.add(FindPairs{.bodies = forces.bodies,
                                                 .outlines = forces.outlines,
                                                 .before = tree,
                                                 .method = pairs,
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
