#pragma once

#include "passes/hair/motion.hpp"

namespace tuff::passes {

/// Simulates hair for one step. See `describe`.
struct StepHair {
    static constexpr std::string_view kName = "hair/step";

    HairGroom groom;
    HairState state;
    HairRoots roots;
    HairColliders colliders;
    float dt = 1.0f / 60.0f;
    HeadParameters head;
    HeadParameters head_before;
    HairMotion motion;
    CrowdParameters crowd;
    HairState after;
    HairShape shape;
    Buffer status;

    static void describe(PassInfo<StepHair>& info);
    void build(Graph& graph);
};

/// Simulates hair from execution to execution. See `describe`.
struct SimulateHair {
    static constexpr std::string_view kName = "hair/simulate";

    HairGroom groom;
    HairRoots roots;
    HairColliders colliders;
    std::uint32_t most_steps = 2;
    float frame_time = 1.0f / 60.0f;
    float dt = 1.0f / 60.0f;
    bool reset = false;
    float teleport = 0.5f;
    HeadParameters head;
    HairMotion motion;
    CrowdParameters crowd;
    HairShape shape;
    HairState state;
    Buffer status;

    static void describe(PassInfo<SimulateHair>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
