#pragma once

#include "passes/occlusion/cones.hpp"

#include <glm/vec4.hpp>

#include <vector>

/// The steps of cones. They are the same for every voxel, so they are computed once on the CPU.
namespace tuff::passes {

/// As in shaders/occlusion/cones.comp.
inline constexpr std::uint32_t kMaxConeSteps = 40; ///< steps of a cone

struct ConeWalks {
    std::vector<glm::vec4> directions; ///< unit direction, and the cosine of half a cone's angle
    std::vector<glm::uvec4> walks;     ///< range in `steps`: the first step, and the number of
                                       ///< steps
    /// Distance of a step's center, voxels; cells in a voxel's edge; length of the step, in edges
    /// of cells; level.
    std::vector<glm::vec4> steps;
};

struct ConeLimits {
    float reach = 0.0f;   ///< length of cones, voxels
    float longest = 0.0f; ///< largest distance at which a step may begin, voxels
    std::uint32_t levels = 1;
};
ConeWalks cone_walks(OcclusionCones cones, const ConeLimits& limits);

} // namespace tuff::passes
