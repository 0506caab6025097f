#include "passes/hair/motion.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kStrandGroup = 64; // lanes of the kernels that have a vertex a lane
constexpr std::uint32_t kStepLanes = 128;  // of hair/step on a GPU
constexpr double kWindRate = 3.0;          // radians a second: 0.05 a frame at 60 frames a second

// As in shaders/hair/step.comp.
constexpr std::uint32_t kIntegrate = 1;
constexpr std::uint32_t kLocalShape = 2;
constexpr std::uint32_t kWind = 4;
constexpr std::uint32_t kGiveLengths = 8;
constexpr std::uint32_t kCollide = 16;
constexpr std::uint32_t kTangents = 32;
constexpr std::uint32_t kMeasure = 64;

/// Strands of a group of hair/step: what 32 KiB of shared memory hold, with two numbers an edge. On
/// a GPU few of them, which many lanes share: what goes along a strand then keeps fewer lanes
/// waiting.
std::uint32_t strands_of_group(std::uint32_t vertices, bool on_cpu) {
    return on_cpu && vertices <= 36 ? 32 : 16;
}

/// That hair/step keeps for each edge.
std::uint32_t numbers_of(LengthSolver solver) {
    return solver == LengthSolver::direct ? 2 : solver == LengthSolver::soft ? 1 : 0;
}

/// The nodes of one step, or of a part of it.
class StepNodes {
  public:
    StepNodes(Graph& graph, const StepRequest& request, StepState state, std::uint32_t step)
        : graph_(graph), request_(request), motion_(*request.motion), state_(std::move(state)),
          step_(step), h_(request.dt / static_cast<float>(motion_.substeps)) {}

    StepState fused() {
        std::uint32_t phases =
            kIntegrate | kLocalShape | kWind | kGiveLengths | kCollide | kTangents;
        if (motion_.solver == LengthSolver::adaptive) phases |= kMeasure;
        strands("step", phases, motion_.substeps, {0.0f, 1.0f});
        return state_;
    }

    StepState split() {
        const auto parts = static_cast<float>(motion_.substeps);
        for (std::uint32_t i = 0; i < motion_.substeps; ++i) {
            const auto at = static_cast<float>(i);
            const glm::vec2 part(at / parts, (at + 1.0f) / parts);
            integrate(part);
            if (motion_.local_iterations > 0) strands("local_shape", kLocalShape, 1, part);
            give_lengths(part);
            collide(part);
            if (motion_.closing) strands("closing", kGiveLengths, 1, part, LengthSolver::follow);
        }
        return state_;
    }

    void crowd();

  private:
    bool has_rods() const { return motion_.solver == LengthSolver::rod; }
    bool by_batches() const {
        return motion_.solver == LengthSolver::batches || motion_.solver == LengthSolver::soft ||
               motion_.solver == LengthSolver::adaptive;
    }
    std::array<glm::vec4, kMaxHairGroups> group_numbers() const;
    std::array<glm::vec4, 4> winds() const;
    float soft() const { return h_ > 0.0f ? motion_.compliance / (h_ * h_) : 0.0f; }

    void set_common(ComputeNodeBuilder& node, glm::vec2 part) const;
    void set_all(ComputeNodeBuilder& node, std::uint32_t substeps, glm::vec2 part) const;
    void dispatch_vertices(ComputeNodeBuilder& node) const {
        const std::uint32_t strands = kStrandGroup / request_.groom.vertices;
        fold_groups(std::max(div_round_up(request_.groom.count, strands), 1u)).dispatch(node);
    }
    void strands(std::string_view name, std::uint32_t phases, std::uint32_t substeps,
                 glm::vec2 part, std::optional<LengthSolver> solver = {});
    /// Leads where the probe asks for it, where batches have left edges alone.
    void follow_where_asked(glm::vec2 part) {
        iterations_ = 0;
        strands("follow", kGiveLengths, 1, part, LengthSolver::adaptive);
        iterations_ = motion_.length_iterations;
    }
    void integrate(glm::vec2 part);
    void give_lengths(glm::vec2 part);
    void collide(glm::vec2 part);

    Graph& graph_;
    const StepRequest& request_;
    const HairMotion& motion_;
    StepState state_;
    std::uint32_t step_;
    float h_; ///< seconds of a sub-step
    std::uint32_t iterations_ = motion_.length_iterations;
};

std::array<glm::vec4, kMaxHairGroups> StepNodes::group_numbers() const {
    std::array<glm::vec4, kMaxHairGroups> all;
    for (std::uint32_t group = 0; group < kMaxHairGroups; ++group) {
        const double lost = number_of(motion_.damping, group);
        all[group] = {static_cast<float>(std::pow(1.0 - lost, 60.0 * static_cast<double>(h_))),
                      number_of(motion_.local_stiffness, group),
                      number_of(motion_.global_stiffness, group),
                      number_of(motion_.global_range, group)};
    }
    return all;
}

std::array<glm::vec4, 4> StepNodes::winds() const {
    std::array<glm::vec4, 4> all{};
    const glm::dvec3 wind(motion_.wind);
    const double speed = glm::length(wind);
    if (!(speed > 0.0)) return all;
    const glm::dvec3 along = wind / speed;
    const glm::dvec3 side = glm::normalize(
        glm::cross(along, std::abs(along.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0)));
    const glm::dvec3 other = glm::cross(along, side);
    const double angle = glm::radians(static_cast<double>(motion_.wind_cone));
    const double beat = std::sin(kWindRate * static_cast<double>(motion_.time));
    // The weights of the four are 2 together.
    const double push = 0.5 * speed * (beat * beat + 0.5) * static_cast<double>(motion_.drag) *
                        static_cast<double>(h_) * static_cast<double>(h_);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double turn = 0.5 * std::numbers::pi * static_cast<double>(i);
        const glm::dvec3 direction =
            std::cos(angle) * along +
            std::sin(angle) * (std::cos(turn) * side + std::sin(turn) * other);
        all[i] = glm::vec4(glm::dvec4(push * direction, 0.0));
    }
    return all;
}

void StepNodes::set_common(ComputeNodeBuilder& node, glm::vec2 part) const {
    node.read("clock_words", request_.clock.words);
    node.set("count", request_.groom.count);
    node.set("step", step_);
    node.set("part", part);
}

void StepNodes::set_all(ComputeNodeBuilder& node, std::uint32_t substeps, glm::vec2 part) const {
    set_common(node, part);
    node.set("substeps", substeps);
    node.set("fall", motion_.gravity * h_ * h_);
    const auto numbers = group_numbers();
    node.set("groups", std::span<const glm::vec4>(numbers));
    node.set("fades", std::uint32_t(motion_.fades));
    node.set("local_iterations", motion_.local_iterations);
    node.set("length_iterations", iterations_);
    node.set("compliance", soft());
    node.set("bend_compliance", h_ > 0.0f ? motion_.bend_compliance / (h_ * h_) : 0.0f);
    node.set("correction", motion_.correction);
    node.set("stretched", motion_.stretched);
    const auto blowing = winds();
    node.set("winds", std::span<const glm::vec4>(blowing));
    node.set("by_length", std::uint32_t(motion_.wind_by_length));
    node.set("margin", motion_.margin);
    node.set("friction", motion_.friction);
    node.set("seconds", h_);
    node.set("dt", request_.dt);
    bind_colliders(graph_, node, request_.colliders);
}

void StepNodes::strands(std::string_view name, std::uint32_t phases, std::uint32_t substeps,
                        glm::vec2 part, std::optional<LengthSolver> solver) {
    const HairGroom& groom = request_.groom;
    const bool twist = has_rods() && !solver && (phases & (kIntegrate | kGiveLengths)) != 0;
    ComputeNodeBuilder node = graph_.compute("hair/step", {{"TWIST", twist ? 1u : 0u}}, name);
    // What vertices do for themselves is shared by as many lanes as help: on a CPU those of
    // strands.
    const bool on_cpu = graph_.target().type == DeviceType::cpu;
    const std::uint32_t each = strands_of_group(groom.vertices, on_cpu);
    std::uint32_t lanes = on_cpu ? each : kStepLanes;
    if (motion_.lanes > 0) lanes = each * motion_.lanes;
    node.specialize("local_size_x", lanes);
    node.specialize("kLanes", lanes);
    node.specialize("kStrands", each);
    node.specialize("kVertices", groom.vertices);
    node.specialize("kPhases", phases);
    const LengthSolver chosen = solver.value_or(motion_.solver);
    node.specialize("kSolver", static_cast<std::uint32_t>(chosen));
    node.specialize("kNumbers", twist ? 0u : numbers_of(chosen));
    node.specialize("kWindFirst", std::uint32_t(motion_.order == WindOrder::wind_first));
    node.specialize("kClosing", std::uint32_t(motion_.closing && phases != kGiveLengths));
    set_all(node, substeps, part);
    node.read("goals", groom.goals);
    node.read("local", groom.local);
    node.read("frames", groom.frames);
    node.read("groups", groom.groups);
    node.read("positions", state_.hair.positions);
    node.read_optional("roots", request_.roots.places);
    const Buffer tangents = (phases & kTangents) != 0 || !state_.tangents
                                ? vectors(graph_, "tangents", groom.vertex_count())
                                : state_.tangents;
    state_.hair.positions = node.write("moved", vectors(graph_, "moved", groom.vertex_count()));
    state_.hair.previous = node.write("former", state_.hair.previous);
    state_.tangents = node.write("tangents", tangents);
    state_.status = node.write("status", state_.status);
    state_.probe = node.write("probe", state_.probe);
    if (twist) {
        state_.hair.turns = node.write("turns", state_.hair.turns);
        if (!state_.pulls)
            state_.pulls =
                graph_.fill(vectors(graph_, "pulls", 2 * groom.vertex_count()), 0, "no_pulls");
        state_.pulls = node.write("pulls", state_.pulls);
    }
    fold_groups(std::max(div_round_up(groom.count, each), 1u)).dispatch(node);
}

void StepNodes::integrate(glm::vec2 part) {
    // Rods have frames that follow the head: the kernel of whole strands knows them.
    if (has_rods()) return strands("integrate", kIntegrate, 1, part);
    const HairGroom& groom = request_.groom;
    ComputeNodeBuilder node = graph_.compute("hair/integrate");
    set_common(node, part);
    node.set("vertices", groom.vertices);
    node.set("fall", motion_.gravity * h_ * h_);
    const auto numbers = group_numbers();
    node.set("groups", std::span<const glm::vec4>(numbers));
    node.set("fades", std::uint32_t(motion_.fades));
    node.read("rest", groom.rest);
    node.read("groups", groom.groups);
    node.read("positions", state_.hair.positions);
    node.read("previous", state_.hair.previous);
    node.read_optional("roots", request_.roots.places);
    state_.hair.positions = node.write("moved", vectors(graph_, "moved", groom.vertex_count()));
    state_.hair.previous = node.write("former", vectors(graph_, "former", groom.vertex_count()));
    state_.status = node.write("status", state_.status);
    dispatch_vertices(node);
}

void StepNodes::give_lengths(glm::vec2 part) {
    const bool wind_first = motion_.order == WindOrder::wind_first;
    const bool adaptive = motion_.solver == LengthSolver::adaptive;
    const auto node_of_batches = [&](std::string_view name, std::uint32_t iterations, bool first) {
        const HairGroom& groom = request_.groom;
        ComputeNodeBuilder node = graph_.compute("hair/lengths", name);
        node.read("clock_words", request_.clock.words);
        node.set("count", groom.count);
        node.set("step", step_);
        node.set("vertices", groom.vertices);
        node.set("iterations", iterations);
        node.set("wind_first", std::uint32_t(first));
        node.set("by_length", std::uint32_t(motion_.wind_by_length));
        const auto blowing = winds();
        node.set("winds", std::span<const glm::vec4>(blowing));
        node.set("compliance", motion_.solver == LengthSolver::soft ? soft() : 0.0f);
        node.set("measures", std::uint32_t(adaptive));
        node.set("only_stretched", std::uint32_t(adaptive));
        node.set("stretched", motion_.stretched);
        node.read("rest", groom.rest);
        node.read("groups", groom.groups);
        state_.hair.positions = node.write("positions", state_.hair.positions);
        state_.probe = node.write("probe", state_.probe);
        dispatch_vertices(node);
    };
    const std::uint32_t iterations = motion_.length_iterations;
    if (by_batches() && !(adaptive && !wind_first)) {
        node_of_batches("lengths", iterations, wind_first);
        if (adaptive) follow_where_asked(part);
        return;
    }
    if (wind_first) node_of_batches("wind", 0, true);
    strands("lengths", adaptive ? kGiveLengths | kMeasure : kGiveLengths, 1, part);
    if (!wind_first) node_of_batches("wind", 0, false);
}

void StepNodes::collide(glm::vec2 part) {
    const HairGroom& groom = request_.groom;
    ComputeNodeBuilder node = graph_.compute("hair/collide");
    set_common(node, part);
    node.set("vertices", groom.vertices);
    node.set("margin", motion_.margin);
    node.set("friction", motion_.friction);
    node.set("seconds", h_);
    node.set("dt", request_.dt);
    bind_colliders(graph_, node, request_.colliders);
    node.read("groups", groom.groups);
    state_.hair.positions = node.write("positions", state_.hair.positions);
    state_.hair.previous = node.write("previous", state_.hair.previous);
    state_.status = node.write("status", state_.status);
    state_.tangents = node.write("tangents", vectors(graph_, "tangents", groom.vertex_count()));
    dispatch_vertices(node);
}

void StepNodes::crowd() {
    const CrowdParameters& crowd = *request_.crowd;
    const HairGroom& groom = request_.groom;
    const auto side = static_cast<std::int32_t>(crowd.cells);
    const auto set = [&](ComputeNodeBuilder& node) {
        node.set("count", static_cast<std::uint32_t>(groom.vertex_count()));
        node.set("low", crowd.low);
        node.set("cell", crowd.size / static_cast<float>(crowd.cells));
        node.set("cells", glm::ivec3(side));
        node.read("positions", state_.hair.positions);
        node.read("previous", state_.hair.previous);
    };
    const std::uint64_t words = std::uint64_t{4} * crowd.cells * crowd.cells * crowd.cells;
    Buffer cells = graph_.fill(array(graph_, "cells", words), 0, "no_crowd");
    ComputeNodeBuilder add = graph_.compute("hair/crowd_add");
    set(add);
    cells = add.write("cells", cells);
    add.dispatch_each(static_cast<std::uint32_t>(groom.vertex_count()));
    ComputeNodeBuilder move = graph_.compute("hair/crowd_move");
    set(move);
    move.set("vertices", groom.vertices);
    move.set("friction", crowd.friction);
    move.set("pressure", crowd.pressure);
    move.set("most", crowd.most);
    move.set("step", step_);
    move.read("clock_words", request_.clock.words);
    move.read("groups", groom.groups);
    move.read("cells", cells);
    state_.hair.positions = move.write("moved", vectors(graph_, "crowded", groom.vertex_count()));
    state_.hair.previous = move.write("former", vectors(graph_, "before", groom.vertex_count()));
    move.dispatch_each(static_cast<std::uint32_t>(groom.vertex_count()));
}

} // namespace

bool is_valid(Graph& graph, const StepRequest& request) {
    const HairMotion& motion = *request.motion;
    return is_valid(graph, request.groom) &&
           (!request.roots || is_valid(graph, request.roots, request.groom)) &&
           has_numbers(graph, "damping", motion.damping) &&
           has_numbers(graph, "local_stiffness", motion.local_stiffness) &&
           has_numbers(graph, "global_stiffness", motion.global_stiffness) &&
           has_numbers(graph, "global_range", motion.global_range);
}

HairState at_rest(Graph& graph, const StepRequest& request, const HairState& before) {
    const HairGroom& groom = request.groom;
    const auto transported = [&](std::string_view name, Buffer kept) {
        ComputeNodeBuilder node = graph.compute("hair/transport", name);
        node.read("clock_words", request.clock.words);
        node.read("rest", groom.rest);
        node.read_optional("roots", request.roots.places);
        node.read_optional("before", kept);
        node.specialize("kFirst", std::uint32_t(!kept && !before.positions));
        node.set("count", static_cast<std::uint32_t>(groom.vertex_count()));
        node.set("vertices", groom.vertices);
        const Buffer result = node.write("result", vectors(graph, name, groom.vertex_count()));
        node.dispatch_each(static_cast<std::uint32_t>(groom.vertex_count()));
        return result;
    };
    HairState state{.positions = transported("positions", before.positions),
                    .previous = transported("previous", before.previous)};
    if (request.motion->solver != LengthSolver::rod) return state;
    ComputeNodeBuilder node = graph.compute("hair/frames");
    node.read("clock_words", request.clock.words);
    node.read("local", groom.local);
    node.read("frames", groom.frames);
    node.read_optional("roots", request.roots.places);
    node.read_optional("before", before.turns);
    node.specialize("kFirst", std::uint32_t(!before.turns));
    node.set("count", groom.count);
    node.set("vertices", groom.vertices);
    state.turns = node.write("turns", vectors(graph, "turns", groom.vertex_count()));
    node.dispatch_each(groom.count);
    return state;
}

StepState begun(Graph& graph, const StepRequest& request, const HairState& hair) {
    StepState state{.hair = hair};
    state.status = graph.fill(array(graph, "status", sizeof(HairStatus) / 4), 0, "no_status");
    state.probe =
        graph.fill(array(graph, "probe", std::uint64_t{request.clock.most} + 1), 0, "no_probe");
    return state;
}

StepState stepped(Graph& graph, const StepRequest& request, StepState before, std::uint32_t step) {
    StepNodes nodes(graph, request, std::move(before), step);
    if (request.crowd != nullptr && request.crowd->cells > 0) nodes.crowd();
    return request.motion->pipeline == HairPipeline::fused ? nodes.fused() : nodes.split();
}

} // namespace tuff::passes
