#pragma once

#include "passes/fluid/field.hpp"
#include "passes/particles/particles.hpp"

namespace tuff::passes {

/// Moves particles with a flow. See `describe`.
struct FluidParticles {
    static constexpr std::string_view kName = "fluid/particles";

    FluidField field;
    std::uint32_t count = 1u << 16;
    std::uint32_t seed = 1;
    glm::vec3 low{0.0f};
    glm::vec3 high{1.0f};
    float lifetime = 100.0f;
    bool reset = false;
    float spacing = 1.0f;
    glm::vec3 origin{0.0f};
    float radius = 0.25f;
    Particles particles;

    static void describe(PassInfo<FluidParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
