#pragma once

#include "passes/bodies/clock.hpp"
#include "passes/bodies/islands.hpp"
#include "passes/bodies/solve.hpp"

namespace tuff::passes {

class LastingBodies;

/// Simulates rigid bodies from execution to execution. See `describe`.
struct SimulateBodies {
    static constexpr std::string_view kName = "bodies/simulate";

    Bodies initial;
    StepClock clock = StepClock::steps;
    std::uint32_t steps = 1;
    float frame_time = 1.0f / 60.0f;
    float dt = 1.0f / 60.0f;
    bool reset = false;
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};
    float damping = 0.0f;
    float margin = 0.01f;
    float reach = 0.0f;
    PairMethod pairs = PairMethod::grid;
    std::uint32_t room = 0;
    glm::uvec3 split{64, 1, 64};
    BatchMethod batching = BatchMethod::automatic;
    SolverParameters solver;
    SleepParameters sleep;
    bool with_residuals = false;
    Bodies bodies;
    Bodies shown;
    BodyContacts contacts;
    BodyBatches batches;
    ContactCache cache;
    Buffer status;
    Buffer residuals;
    PairTree tree; ///< for the method "tree"

    static void describe(PassInfo<SimulateBodies>& info);
    void build(Graph& graph);

  private:
    void step(Graph& graph);
    /// Forces, pairs, contacts and batches of a step.
    BodyForces find(Graph& graph, Buffer counts, PairMethod method);
    void take_time(Graph& graph, LastingBodies& lasting);
    /// What one step hands to the next.
    std::vector<Buffer> state() const;
    void set_state(std::span<const Buffer> parts);
};

} // namespace tuff::passes
