#pragma once

#include "passes/occlusion/cones.hpp"

#include <glm/vec4.hpp>

#include <vector>

/// How cones are walked: the same from every place, so it is made once on the CPU.
namespace tuff::passes {

/// As in shaders/occlusion/cones.comp.
inline constexpr std::uint32_t kMostConeSteps = 40; ///< of a cone

struct ConeWalks {
    std::vector<glm::vec4> directions; ///< of unit length, and the cosine of half a cone's angle
    std::vector<glm::uvec4> walks;     ///< of `steps`: the first one, and how many
    /// Distance of the middle of a step, voxels; edge of a cell, voxels; length of the step, in
    /// edges; level.
    std::vector<glm::vec4> steps;
};

/// Cones that end after `reach` voxels, in a volume that has `levels` above it.
ConeWalks cone_walks(OcclusionCones cones, float reach, std::uint32_t levels);

} // namespace tuff::passes
