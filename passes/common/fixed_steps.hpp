#pragma once

#include <tuff/graph.hpp>

/// Steps of fixed length in frames of any length, which the device counts.
namespace tuff::passes {

/// What a clock's kernel takes: shaders/include/fixed_steps.glsl.
struct FixedStepsRequest {
    std::uint32_t most = 1;          ///< steps of an execution
    float frame_time = 1.0f / 60.0f; ///< seconds that an execution takes
    float dt = 1.0f / 60.0f;         ///< seconds of a step; 0: nothing moves
    bool reset = false;              ///< the state begins at the picture's time
};

/// Sets the parameters "most", "frame_time", "dt" and "reset" of a clock's kernel.
inline void set_fixed_steps(ComputeNodeBuilder& node, const FixedStepsRequest& request) {
    node.set("most", request.most);
    node.set("frame_time", request.frame_time);
    node.set("dt", request.dt);
    node.set("reset", std::uint32_t(request.reset));
}

} // namespace tuff::passes
