#pragma once

#include "passes/particles/particles.hpp"

namespace tuff::passes {

/// Puts particles into a part of a box. See `describe`.
struct SeedParticles {
    static constexpr std::string_view kName = "particles/seed";

    std::uint32_t count = 65536;
    float radius = 0.0f; ///< 0: by `fill`
    float fill = 0.3f;
    BoxParameters box;
    glm::vec3 region_low{0.0f, 0.4f, 0.0f}; ///< as shares of the box
    glm::vec3 region_high{1.0f};
    float jitter = 0.1f; ///< as a share of the distance between neighbours
    glm::vec3 velocity{0.0f};
    std::uint32_t seed = 1;
    Particles particles;

    static void describe(PassInfo<SeedParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
