#pragma once

#include "passes/particles/particles.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <array>

namespace tuff::passes {

enum class ParticleColor : std::uint8_t {
    speed,
    contacts,
    age, ///< of particles that have lives
};

/// Draws particles as balls on a floor. See `describe`.
struct DrawParticles {
    static constexpr std::string_view kName = "particles/draw";

    Particles source;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    bool smooth = true;
    CameraParameters camera;
    BoxParameters box;
    SphereParameters sphere;
    ParticleColor color = ParticleColor::speed;
    float brightest = 3.0f;
    Image result;

    static void describe(PassInfo<DrawParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ParticleColor> {
    static constexpr std::array<std::string_view, 3> names{"speed", "contacts", "age"};
};
