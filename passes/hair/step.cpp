#include "passes/hair/step.hpp"

#include "passes/common/picture.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::string_view kHairSource =
    "Engel (ed.), \"GPU Pro 5\", 2014, chapter on hair simulation in TressFX; Han and Harada, "
    "\"Real-time Hair Simulation with Efficient Hair Style Preservation\", VRIPHYS 2012, and "
    "\"Tridiagonal Matrix Formulation for Inextensible Hair Strand Simulation\", VRIPHYS 2013; "
    "Mueller, Kim and Chentanez, \"Fast Simulation of Inextensible Hair and Fur\", VRIPHYS 2012; "
    "Macklin et al., \"Small Steps in Physics Simulation\", SCA 2019; Kugelstadt and Schoemer, "
    "\"Position and Orientation Based Cosserat Rods\", SCA 2016";

constexpr std::string_view kSteps =
    "A sub-step moves each vertex (Verlet, with gravity and damping) and pulls it towards its "
    "position in the groom (global shape), then towards its position relative to its neighbours "
    "(local shape: bend and twist). Then the wind pushes across edges, edges get their length "
    "back, and vertices move out of bodies.\n\n"
    "\"fused\" does this in one kernel with one strand a lane. \"split\" uses the kernels of "
    "the chapter, with the same result except for rounding. Stiffness is applied once a "
    "sub-step, so its effect depends on the length of the sub-step; that of compliance does "
    "not. Strands that become infinite or NaN begin again at rest, and the status counts them.";

/// Bytes and operations of a step, about.
Cost step_cost(const HairGroom& groom, const HairMotion& motion, const HairColliders& colliders,
               double steps) {
    const auto vertices = static_cast<double>(groom.vertex_count());
    // Most bodies are far from a part of a strand, and are tried once for all its vertices.
    const double each = 120.0 + 90.0 * motion.local_iterations + 30.0 * motion.length_iterations +
                        4.0 * (colliders.count + colliders.solids.count);
    return {.bytes = 112.0 * vertices * steps,
            .operations = vertices * steps * motion.substeps * each};
}

HairShape shape_of(const HairGroom& groom, Buffer positions, Buffer tangents) {
    return {.positions = positions,
            .tangents = tangents,
            .groups = groom.groups,
            .count = groom.count,
            .vertices = groom.vertices};
}

template <typename Pass>
void describe_hair(PassInfo<Pass>& info) {
    info.input("groom", &Pass::groom, "hair at rest");
    info.optional_input("roots", &Pass::roots,
                        "motion of the roots relative to the head, from "
                        "hair/skin");
    info.optional_input("colliders", &Pass::colliders, "what hair collides with");
}

/// The picture's hair: between two states, and where the head is now.
HairShape presented(Graph& graph, const StepRequest& request, Buffer positions, Buffer last) {
    const HairGroom& groom = request.groom;
    const auto count = static_cast<std::uint32_t>(groom.vertex_count());
    ComputeNodeBuilder node = graph.compute("hair/present");
    node.read("clock_words", request.clock.words);
    node.set("count", count);
    node.set("vertices", groom.vertices);
    node.read("rest", groom.rest);
    node.read("positions", positions);
    node.read("last", last);
    node.read_optional("roots", request.roots.places);
    const Buffer shown = node.write("shown", vectors(graph, "shown", count));
    const Buffer tangents = node.write("tangents", vectors(graph, "tangents", count));
    node.dispatch_each(count);
    return shape_of(groom, shown, tangents);
}

/// What a simulation keeps from execution to execution.
class HairHistory {
  public:
    HairHistory(Graph& graph, const HairGroom& groom, std::uint32_t most, bool rods)
        : graph_(graph) {
        const BufferDesc desc{.size = std::max<std::uint64_t>(groom.vertex_count(), 1) *
                                      sizeof(glm::vec4),
                              .stride = sizeof(glm::vec4)};
        positions_ = graph.history_buffer("positions", desc);
        previous_ = graph.history_buffer("previous", desc);
        last_ = graph.history_buffer("last", desc);
        if (rods) turns_ = graph.history_buffer("turns", desc);
        clock_ = graph.history_buffer("clock", clock_desc(most));
        probe_ = graph.history_buffer("probe", {.size = 4, .stride = 4});
    }
    Buffer clock_before() const { return clock_.previous[0]; }
    Buffer probe_before() const { return probe_.previous[0]; }
    Buffer last_before() const { return last_.previous[0]; }
    HairState before() const {
        HairState state{.positions = positions_.previous[0], .previous = previous_.previous[0]};
        if (!turns_.previous.empty()) state.turns = turns_.previous[0];
        return state;
    }
    void keep(const StepState& state, Buffer last, const HairClock& clock) {
        (void)graph_.copy(state.hair.positions, positions_.current, "keep_positions");
        (void)graph_.copy(state.hair.previous, previous_.current, "keep_previous");
        (void)graph_.copy(last, last_.current, "keep_last");
        if (state.hair.turns) (void)graph_.copy(state.hair.turns, turns_.current, "keep_turns");
        (void)graph_.copy(clock.words, clock_.current, "keep_clock");
        ComputeNodeBuilder node = graph_.compute("hair/keep_probe");
        node.read("clock_words", clock.words);
        node.read("probe", state.probe);
        (void)node.write("kept", probe_.current);
        node.dispatch(1);
    }

  private:
    Graph& graph_;
    BufferHistory positions_, previous_, last_, turns_, clock_, probe_;
};

} // namespace

void StepHair::describe(PassInfo<StepHair>& info) {
    info.summary("Simulates hair for one time step")
        .details(std::string(kSteps) +
                 "\n\n"
                 "Without a state, hair begins at rest at the head's position before the step. "
                 "\"adaptive\" switches to \"follow\" only in hair/simulate, which knows the "
                 "previous step.\n\n"
                 "Errors: hair/few-numbers, hair/too-large.")
        .source(kHairSource)
        .complexity("O(vertices * substeps)")
        .cost([](const StepHair& pass, const Graph&) {
            return step_cost(pass.groom, pass.motion, pass.colliders, 1.0);
        });
    describe_hair(info);
    info.optional_input("state", &StepHair::state, "the hair before the step");
    info.parameter("dt", &StepHair::dt, "length of the step").range(0.0, 1.0).unit("seconds");
    info.group("head", &StepHair::head);
    info.group("head_before", &StepHair::head_before);
    info.group("motion", &StepHair::motion);
    info.group("crowd", &StepHair::crowd);
    info.output("after", &StepHair::after, "the hair after the step");
    info.output("shape", &StepHair::shape, "the hair after the step, to draw");
    info.output("status", &StepHair::status, "counts: HairStatus").elements<HairStatus>();
}

void StepHair::build(Graph& graph) {
    StepRequest request{.groom = groom,
                        .roots = roots,
                        .colliders = colliders,
                        .clock = {},
                        .motion = &motion,
                        .crowd = &crowd,
                        .dt = dt};
    if (!is_valid(graph, request) || (state && !is_valid(graph, state, groom))) return;
    request.clock =
        make_clock(graph, {.frame_time = dt, .dt = dt, .head = head, .head_before = head_before});
    HairState start = state;
    if (!start)
        start = at_rest(graph, request, {});
    else // steps write there
        start.previous = graph.copy(
            state.previous, vectors(graph, "previous", groom.vertex_count()), "copy_previous");
    if (motion.solver == LengthSolver::rod && !start.turns)
        start.turns = at_rest(graph, request, {}).turns;
    if (motion.mode == HairMode::rigid) {
        request.clock =
            make_clock(graph, {.frame_time = dt, .dt = dt, .head = head, .head_before = head});
        start = at_rest(graph, request, {});
        after = start;
        shape = presented(graph, request, start.positions, start.positions);
        status = begun(graph, request, start).status;
        return;
    }
    const StepState end = stepped(graph, request, begun(graph, request, start), 0);
    after = end.hair;
    shape = shape_of(groom, end.hair.positions, end.tangents);
    status = end.status;
    graph.status<HairStatus>(status);
}

void SimulateHair::describe(PassInfo<SimulateHair>& info) {
    info.summary("Simulates hair on a moving head, from execution to execution")
        .details(std::string(kSteps) +
                 "\n\n"
                 "Steps have the fixed length \"dt\". An execution takes as many steps as "
                 "reach its time, at most \"most_steps\". It outputs the hair interpolated "
                 "between the last two states, with its roots at the head's position.\n\n"
                 "Hair begins at rest in the first execution, with \"reset\", and if the head "
                 "moves farther than \"teleport\".\n\n"
                 "Errors: hair/few-numbers, hair/too-large.")
        .source(kHairSource)
        .complexity("O(vertices * steps * substeps)")
        .cost([](const SimulateHair& pass, const Graph&) {
            return step_cost(pass.groom, pass.motion, pass.colliders, pass.most_steps);
        });
    describe_hair(info);
    info.parameter("most_steps", &SimulateHair::most_steps,
                   "largest number of steps of an execution")
        .range(1, 256)
        .structural();
    info.parameter("frame_time", &SimulateHair::frame_time, "time that an execution simulates")
        .range(0.0, 10.0)
        .unit("seconds");
    info.parameter("dt", &SimulateHair::dt, "length of a step; 0: nothing moves")
        .range(0.0, 1.0)
        .unit("seconds");
    info.parameter("reset", &SimulateHair::reset, "begins again at rest");
    info.parameter("teleport", &SimulateHair::teleport,
                   "distance that the head may move in an execution; beyond it hair begins "
                   "again; 0: never")
        .range(0.0, kFarthestHair)
        .unit("world units");
    info.group("head", &SimulateHair::head);
    info.group("motion", &SimulateHair::motion);
    info.group("crowd", &SimulateHair::crowd);
    info.output("shape", &SimulateHair::shape, "the hair at the time of the execution, to draw");
    info.output("state", &SimulateHair::state, "the hair after the last step");
    info.output("status", &SimulateHair::status, "counts of the execution: HairStatus")
        .elements<HairStatus>();
}

void SimulateHair::build(Graph& graph) {
    StepRequest request{.groom = groom,
                        .roots = roots,
                        .colliders = colliders,
                        .clock = {},
                        .motion = &motion,
                        .crowd = &crowd,
                        .dt = dt};
    if (!is_valid(graph, request)) return;
    HairHistory history(graph, groom, most_steps, motion.solver == LengthSolver::rod);
    request.clock = make_clock(graph, {.most = most_steps,
                                       .frame_time = frame_time,
                                       .dt = dt,
                                       .teleport = teleport,
                                       .reset = reset || motion.mode == HairMode::rigid,
                                       .head = head,
                                       .head_before = head,
                                       .before = history.clock_before()});
    StepState now = begun(graph, request, at_rest(graph, request, history.before()));
    now.probe = graph.copy(history.probe_before(), BufferView(now.probe, 0, 4), "last_probe");
    Buffer last = at_rest(graph,
                          {.groom = groom,
                           .roots = roots,
                           .colliders = {},
                           .clock = request.clock,
                           .motion = &motion,
                           .crowd = nullptr,
                           .dt = dt},
                          {.positions = history.last_before(), .previous = {}, .turns = {}})
                      .positions;
    if (motion.mode != HairMode::rigid)
        for (std::uint32_t step = 0; step < most_steps; ++step) {
            graph.push_scope("step[" + std::to_string(step) + "]");
            ComputeNodeBuilder node = graph.compute("hair/keep_last");
            const auto count = static_cast<std::uint32_t>(groom.vertex_count());
            node.read("clock_words", request.clock.words);
            node.set("count", count);
            node.set("step", step);
            node.read("positions", now.hair.positions);
            last = node.write("last", last);
            node.dispatch_each(count);
            now = stepped(graph, request, now, step);
            graph.pop_scope();
        }
    shape = presented(graph, request, now.hair.positions, last);
    state = now.hair;
    status = now.status;
    history.keep(now, last, request.clock);
    graph.status<HairStatus>(status);
}

TUFF_PASS(StepHair)
TUFF_PASS(SimulateHair)

} // namespace tuff::passes
