#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// Defines a source of fluid. See `describe`.
struct FluidEmitter {
    static constexpr std::string_view kName = "fluid/emitter";

    glm::vec3 position{0.0f};
    float radius = 8.0f;
    glm::vec3 velocity{0.0f};
    float rate = 10.0f;
    glm::vec4 dye{1.0f, 1.0f, 1.0f, 0.0f};
    EmitterShape emitter;

    static void describe(PassInfo<FluidEmitter>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
