#pragma once

#include "passes/particles/grid.hpp"

#include <array>

namespace tuff::passes {

enum class CollisionMethod : std::uint8_t {
    grid, ///< each with those of the cells around
    all,  ///< each with each
    none,
};

/// What particles that touch do to each other, as a parameter group.
struct ContactParameters {
    float stiffness = 0.15f;
    float exchange = 0.1f;
    float friction = 0.02f;

    static void describe_fields(auto&& field) {
        using C = ContactParameters;
        field("stiffness", &C::stiffness,
              "share of an overlap that each of two particles is pushed away in a step")
            .range(0.0, 1.0);
        field("exchange", &C::exchange,
              "share of the speed towards each other that two particles exchange in a step: 1/2 "
              "stops them, 1 reverses it")
            .range(0.0, 1.0);
        field("friction", &C::friction,
              "share of the speed along each other that two particles exchange in a step; 1/2 "
              "stops it")
            .range(0.0, 0.5);
    }
};

/// Lets particles that touch push each other. See `describe`.
struct CollideParticles {
    static constexpr std::string_view kName = "particles/collide";

    Particles source;
    ParticleGrid grid; ///< of `source`; made where it is not connected
    CollisionMethod method = CollisionMethod::grid;
    ContactParameters contact;
    BoxParameters box;                  ///< of the grid that is made
    GridShape shape = GridShape::cubes; ///< of the grid that is made
    float dt = 1.0f / 120.0f;
    Particles particles;

    static void describe(PassInfo<CollideParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CollisionMethod> {
    static constexpr std::array<std::string_view, 3> names{"grid", "all", "none"};
};
