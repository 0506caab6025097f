#pragma once

#include "passes/bodies/jacobi.hpp"

namespace tuff::passes {

/// Data of augmented vertex block descent.
struct DescentInput {
    std::uint32_t stride = 1;
    std::uint32_t bodies = 0;
    float dt = 0.0f;
    float correction = 0.2f;
    Buffer masses;
    Buffer heads;
    Buffer rows;
    BodyPairs pairs;
    BodyBatches batches;
    Buffer status;
};

/// Adds the nodes of one step of it.
class Descent {
  public:
    Descent(Graph& graph, DescentInput input) : graph_(graph), in_(std::move(input)) {}

    /// Computes the velocities after the step from those before and the initial impulses.
    Buffer run(Buffer motions, Buffer impulses, std::uint32_t iterations);
    /// What contacts took.
    Buffer impulses() const { return impulses_; }
    /// With the bodies that no colour was left for.
    Buffer status() const { return in_.status; }

  private:
    float inverse_dt() const { return in_.dt > 0.0f ? 1.0f / in_.dt : 0.0f; }
    void begin(Buffer motions);
    void color();
    ComputeNodeBuilder primal(std::uint32_t color, std::uint32_t rest);
    void descend(std::uint32_t color);
    void descend_rest();
    void settle();
    Buffer end(Buffer motions);

    Graph& graph_;
    DescentInput in_;
    SplitMasses graph_of_bodies_;
    Buffer impulses_;
    Buffer forces_;
    Buffer stiffnesses_;
    Buffer aims_;
    Buffer shifts_;
    Buffer colors_;
};

} // namespace tuff::passes
