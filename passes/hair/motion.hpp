#pragma once

#include "passes/hair/clock.hpp"
#include "passes/hair/colliders.hpp"
#include "passes/hair/hair.hpp"

#include <array>
#include <vector>

namespace tuff::passes {

/// How edges get their length back.
enum class LengthSolver : std::uint8_t {
    batches,  ///< alternates between even edges and odd edges for a number of iterations
    follow,   ///< from the root to the tip, each edge once and exactly: the ad-hoc correction
    adaptive, ///< `batches`, but `follow` if the previous step stretched the first edges too much
    direct,   ///< all edges of a strand at once: a tridiagonal system
    soft,     ///< batches of constraints with a compliance (XPBD)
    rod,      ///< a Cosserat rod: edges with frames, and constraints for stretch, bend and twist
};
enum class HairPipeline : std::uint8_t {
    fused, ///< all sub-steps of a step in one kernel
    split, ///< the chapter's kernels one after the other
};
enum class WindOrder : std::uint8_t {
    wind_first, ///< before the length constraints
    chapter,    ///< after the length constraints, as in the chapter; this leaves edges stretched
};
enum class HairMode : std::uint8_t {
    simulate,
    rigid, ///< hair only moves with the head
};

/// Hair-hair interaction by a grid of density and velocity, as a parameter group.
struct CrowdParameters {
    std::uint32_t cells = 0;
    glm::vec3 low{-0.3f};
    float size = 0.6f;
    float friction = 0.1f;
    float pressure = 0.1f;
    float most = 400.0f;

    static void describe_fields(auto&& field) {
        using C = CrowdParameters;
        field("cells", &C::cells,
              "cells along each axis of the grid; 0: strands do not "
              "interact")
            .range(0, 256)
            .structural();
        field("low", &C::low, "lower corner of the grid")
            .range(-kFarthestHair, kFarthestHair)
            .unit("world units");
        field("size", &C::size, "side of the grid").range(1e-4, kFarthestHair).unit("world units");
        field("friction", &C::friction,
              "share of the velocity relative to the surrounding hair that is lost in a step")
            .range(0.0, 1.0);
        field("pressure", &C::pressure,
              "how far a step pushes hair out of cells with twice \"most\" vertices")
            .range(0.0, 10.0)
            .unit("cells");
        field("most", &C::most, "vertices of a cell beyond which the cell pushes hair out")
            .range(1e-3, 1e9);
    }
};

/// Parameters of the motion, as a parameter group. Lists have a number for each group of strands;
/// groups beyond the list use the last number.
struct HairMotion {
    HairMode mode = HairMode::simulate;
    HairPipeline pipeline = HairPipeline::fused;
    std::uint32_t substeps = 1;
    std::uint32_t lanes = 0;
    glm::vec3 gravity{0.0f, -9.82f, 0.0f};
    std::vector<float> damping{0.04f};
    std::vector<float> local_stiffness{0.6f};
    std::vector<float> global_stiffness{0.1f};
    std::vector<float> global_range{0.3f};
    bool fades = false;
    std::uint32_t local_iterations = 1;
    LengthSolver solver = LengthSolver::batches;
    std::uint32_t length_iterations = 2;
    float compliance = 0.0f;
    float bend_compliance = 0.0f;
    float correction = 0.0f;
    float stretched = 1.05f;
    bool closing = false;
    glm::vec3 wind{0.0f};
    float drag = 2.0f;
    float wind_cone = 40.0f;
    bool wind_by_length = false;
    float time = 0.0f;
    WindOrder order = WindOrder::wind_first;
    float margin = 0.0f;
    float friction = 0.3f;

    static void describe_fields(auto&& field);
};

/// The inputs that the nodes of steps share.
struct StepRequest {
    HairGroom groom;
    HairRoots roots;         ///< optional
    HairColliders colliders; ///< optional
    HairClock clock;
    const HairMotion* motion = nullptr;
    const CrowdParameters* crowd = nullptr;
    float dt = 1.0f / 60.0f;
};

/// What one step hands to the next.
struct StepState {
    HairState hair;
    Buffer tangents;
    Buffer status; ///< a `HairStatus`
    Buffer probe;  ///< steps + 1 floats: how far the step before stretched hair
    Buffer pulls;  ///< of rods: what edges that give way pull within a sub-step
};

/// Returns false, and reports pass/out-of-range or hair/few-numbers, if a request cannot be met.
[[nodiscard]] bool is_valid(Graph& graph, const StepRequest& request);

/// The groom at the head's position: before the first step, or when hair begins again.
HairState at_rest(Graph& graph, const StepRequest& request, const HairState& before);
/// An empty status and probe.
StepState begun(Graph& graph, const StepRequest& request, const HairState& hair);
/// The state after step `step` of the clock; the unchanged state if the clock has no such step.
StepState stepped(Graph& graph, const StepRequest& request, StepState before, std::uint32_t step);

void HairMotion::describe_fields(auto&& field) {
    using M = HairMotion;
    field("mode", &M::mode, "\"simulate\", or \"rigid\": hair only moves with the head")
        .structural();
    field("pipeline", &M::pipeline,
          "\"fused\": one kernel a step; \"split\": the chapter's "
          "five kernels")
        .structural();
    field("substeps", &M::substeps, "sub-steps of a step").range(1, 64).structural();
    field("lanes", &M::lanes, "lanes that share a strand in \"fused\"; 0: chosen for the device")
        .range(0, 8)
        .structural();
    field("gravity", &M::gravity, "acceleration of all hair")
        .range(-1e6, 1e6)
        .unit("world units a second squared");
    field("damping", &M::damping, "share of the motion that is lost in 1/60 s, for each group")
        .range(0.0, 1.0);
    field("local_stiffness", &M::local_stiffness,
          "how strongly curls keep their shape, for "
          "each group")
        .range(0.0, 0.95);
    field("global_stiffness", &M::global_stiffness,
          "how strongly hair is pulled to its position in the groom, for each group")
        .range(0.0, 1.0);
    field("global_range", &M::global_range,
          "share of the strand, from the root, that is "
          "pulled to the groom, for each group")
        .range(0.0, 1.0);
    field("fades", &M::fades, "whether that pull fades from the root to the end of its range");
    field("local_iterations", &M::local_iterations, "iterations of the local shape constraint")
        .range(0, 64)
        .structural();
    field("solver", &M::solver, "how edges get their length back").structural();
    field("length_iterations", &M::length_iterations, "iterations of the length constraint")
        .range(0, 200)
        .structural();
    field("compliance", &M::compliance,
          "compliance of edges, for soft, rod and direct: 0 is "
          "inextensible")
        .range(0.0, 1e6);
    field("bend_compliance", &M::bend_compliance, "compliance of a rod's bends and twists")
        .range(0.0, 1e6);
    field("correction", &M::correction,
          "follow: share of an edge's correction that is subtracted from the velocity of the "
          "vertex before it")
        .range(0.0, 1.0);
    field("stretched", &M::stretched,
          "adaptive: length of a first edge, in rest lengths, beyond which the next step uses "
          "\"follow\"")
        .range(1.0, 1e6);
    field("closing", &M::closing,
          "whether edges get their length back again after collisions, "
          "by \"follow\"")
        .structural();
    field("wind", &M::wind, "velocity of the air").range(-1e6, 1e6).unit("world units a second");
    field("drag", &M::drag, "acceleration of hair across the wind per unit of velocity")
        .range(0.0, 1e6)
        .unit("1 / second");
    field("wind_cone", &M::wind_cone,
          "angle from the wind to the four directions that it "
          "varies between")
        .range(0.0, 90.0)
        .unit("degrees");
    field("wind_by_length", &M::wind_by_length,
          "whether the wind pushes by the square of an edge's length, as in the chapter");
    field("time", &M::time, "time of the wind, which varies").range(-1e6, 1e6).unit("seconds");
    field("order", &M::order, "whether wind or length constraints come first").structural();
    field("margin", &M::margin, "distance that hair keeps from bodies")
        .range(0.0, kFarthestHair)
        .unit("world units");
    field("friction", &M::friction,
          "share of the tangential velocity that a contact with a "
          "body removes")
        .range(0.0, 1.0);
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::LengthSolver> {
    static constexpr std::array<std::string_view, 6> names{"batches", "follow", "adaptive",
                                                           "direct",  "soft",   "rod"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HairPipeline> {
    static constexpr std::array<std::string_view, 2> names{"fused", "split"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::WindOrder> {
    static constexpr std::array<std::string_view, 2> names{"wind_first", "chapter"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HairMode> {
    static constexpr std::array<std::string_view, 2> names{"simulate", "rigid"};
};
