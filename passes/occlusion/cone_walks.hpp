#pragma once

#include "passes/occlusion/cones.hpp"

#include <glm/vec4.hpp>

#include <vector>

/// How cones are walked: the same from every place, so it is made once on the CPU.
namespace tuff::passes {

/// As in shaders/occlusion/cones.comp.
inline constexpr std::uint32_t kMaxConeSteps = 40; ///< of a cone

struct ConeWalks {
    std::vector<glm::vec4> directions; ///< of unit length, and the cosine of half a cone's angle
    std::vector<glm::uvec4> walks;     ///< of `steps`: the first one, and how many
    /// Distance of the middle of a step, voxels; edge of a cell, voxels; length of the step, in
    /// edges; level.
    std::vector<glm::vec4> steps;
};

struct ConeLimits {
    float reach = 0.0f;   ///< voxels, where cones end
    float longest = 0.0f; ///< voxels, the farthest that a step may begin
    std::uint32_t levels = 1;
};
ConeWalks cone_walks(OcclusionCones cones, const ConeLimits& limits);

} // namespace tuff::passes
