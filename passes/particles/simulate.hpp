#pragma once

#include "passes/particles/collide.hpp"
#include "passes/particles/emit.hpp"

namespace tuff::passes {

/// Particles that fall and collide, from execution to execution. See `describe`.
struct SimulateParticles {
    static constexpr std::string_view kName = "particles/simulate";

    Particles initial;
    std::uint32_t steps = 8;
    float dt = 1.0f / 480.0f;
    bool reset = false;
    CollisionMethod method = CollisionMethod::grid;
    ContactParameters contact;
    EmitterParameters emitter;
    BoxParameters box;
    GridShape shape = GridShape::cubes;
    SphereParameters sphere;
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};
    float damping = 0.1f;
    float restitution = 0.3f;
    float friction = 0.02f;
    Particles particles;

    static void describe(PassInfo<SimulateParticles>& info);
    void build(Graph& graph);

  private:
    Particles stepped(Graph& graph, const Particles& before) const;
};

} // namespace tuff::passes
