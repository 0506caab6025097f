#pragma once

#include "passes/particles/particles.hpp"

namespace tuff::passes {

/// Moves particles by one step of time, within a box and around a ball. See `describe`.
struct IntegrateParticles {
    static constexpr std::string_view kName = "particles/integrate";

    Particles source;
    Buffer forces; ///< optional
    float dt = 1.0f / 120.0f;
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};
    float damping = 0.1f;
    BoxParameters box;
    SphereParameters sphere;
    float restitution = 0.5f;
    float friction = 0.05f;
    float max_step = 0.0f; ///< 0: none
    Particles particles;

    static void describe(PassInfo<IntegrateParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
