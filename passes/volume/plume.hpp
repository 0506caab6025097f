#pragma once

#include "passes/volume/media.hpp"

namespace tuff::passes {

/// Balls of smoke that rise from a place. See `describe`.
struct Plume {
    static constexpr std::string_view kName = "volume/plume";

    std::uint32_t count = 1024;
    std::uint32_t seed = 1;
    float time = 0.0f;     ///< seconds
    float lifetime = 6.0f; ///< seconds
    glm::vec3 source{0.0f};
    float source_radius = 0.15f;
    float rise = 0.5f; ///< world units a second
    glm::vec3 wind{0.1f, 0.0f, 0.0f};
    float spread = 0.35f;
    float turbulence = 0.12f;
    float first_radius = 0.08f;
    float last_radius = 0.35f;
    float density = 6.0f;
    glm::vec3 albedo{0.85f};
    glm::vec3 first_albedo{0.6f};
    glm::vec3 glow{0.0f};
    float glow_until = 0.25f;
    std::uint32_t puffs = 0;
    MediaSpheres spheres;

    static void describe(PassInfo<Plume>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
