#pragma once

#include "passes/particles/particles.hpp"

namespace tuff::passes {

/// Where particles are born, and how, as a parameter group.
struct EmitterParameters {
    std::uint32_t capacity = 0;
    float rate = 1000.0f;
    glm::vec3 place{0.0f, 0.5f, 0.0f};
    glm::vec3 direction{0.0f, 1.0f, 0.0f};
    float radius = 0.02f;
    float speed = 2.0f;
    float speed_spread = 0.1f;
    float angle = 10.0f;
    float life = 2.0f;
    float life_spread = 0.2f;
    float mass = 1.0f;
    float spin = 0.0f;
    std::uint32_t seed = 1;

    static void describe_fields(auto&& field) {
        using E = EmitterParameters;
        field("capacity", &E::capacity, "room for particles; 0: as many as there are at first")
            .range(0, kMaxParticles)
            .structural();
        field("rate", &E::rate, "rate of births").range(0.0, 1e9).unit("1 / second");
        field("place", &E::place, "center of the nozzle, a disc")
            .range(-kFarthest, kFarthest)
            .unit("world units");
        field("direction", &E::direction, "direction of the jet; any length but 0")
            .range(-kFarthest, kFarthest);
        field("radius", &E::radius, "radius of the nozzle")
            .range(0.0, kFarthest)
            .unit("world units");
        field("speed", &E::speed, "speed at birth")
            .range(0.0, kFarthest)
            .unit("world units a "
                  "second");
        field("speed_spread", &E::speed_spread, "relative spread of speeds").range(0.0, 1.0);
        field("angle", &E::angle, "angle between the jet and its outermost velocities")
            .range(0.0, 180.0)
            .unit("degrees");
        field("life", &E::life, "time from birth to death").range(0.0, 1e6).unit("seconds");
        field("life_spread", &E::life_spread, "relative spread of lives").range(0.0, 1.0);
        field("mass", &E::mass, "mass of bodies").range(1e-6, 1e6);
        field("spin", &E::spin, "greatest spin of bodies about each axis")
            .range(0.0, 1e6)
            .unit("radians a second");
        field("seed", &E::seed, "seed of the random numbers");
    }
};

/// Particles die and are born. See `describe`.
struct EmitParticles {
    static constexpr std::string_view kName = "particles/emit";

    Particles source;
    EmitterParameters emitter;
    float dt = 1.0f / 120.0f;
    Particles particles;

    static void describe(PassInfo<EmitParticles>& info);
    void build(Graph& graph);
};

/// The same of particles that have a tally and lives. It reports no status.
Particles emitted(Graph& graph, const Particles& source, const EmitterParameters& emitter,
                  float dt);

/// Reports pass/out-of-range, and returns false, where the jet has no direction.
[[nodiscard]] bool is_valid(Graph& graph, const EmitterParameters& emitter);

} // namespace tuff::passes
