#include "passes/occlusion/cone_walks.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

/// Half as wide as far, of neighbours that hardly overlap. Of six a little less than the sides of a
/// cube, which are 1: rays beside the axis matter less than their number.
float spread_of(OcclusionCones cones) {
    switch (cones) {
    case OcclusionCones::faces: return 0.9f;
    case OcclusionCones::faces_corners: return 0.5f;
    case OcclusionCones::all: return 0.35f;
    }
    return 0.5f;
}

std::vector<glm::vec3> directions_of(OcclusionCones cones) {
    std::vector<glm::vec3> directions;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const int axes = x * x + y * y + z * z;
                const bool taken = axes == 1 || (axes == 3 && cones != OcclusionCones::faces) ||
                                   (axes == 2 && cones == OcclusionCones::all);
                if (taken) directions.push_back(glm::normalize(glm::vec3(x, y, z)));
            }
    return directions;
}

/// From where the voxel in the middle ends. A step is as long as the edge of the cells that it is
/// looked up in, whose level is the nearest to the width of the cone where it begins.
std::vector<glm::vec4> walk_along(glm::vec3 direction, float spread, const ConeLimits& limits) {
    const glm::vec3 along = glm::abs(direction);
    float begin = 0.5f / std::max({along.x, along.y, along.z});
    std::vector<glm::vec4> steps;
    while (begin < std::min(limits.reach, limits.longest) && steps.size() < kMaxConeSteps) {
        const float width = std::max(2.0f * spread * begin, 1.0f);
        const float level =
            std::min(std::round(std::log2(width)), static_cast<float>(limits.levels));
        const float edge = std::exp2(level);
        const float length = std::min(edge, limits.reach - begin);
        steps.emplace_back(begin + 0.5f * length, 1.0f / edge, length / edge, level);
        begin += length;
    }
    return steps;
}

} // namespace

ConeWalks cone_walks(OcclusionCones cones, const ConeLimits& limits) {
    ConeWalks made;
    const float spread = spread_of(cones);
    const float cosine = 1.0f / std::sqrt(1.0f + spread * spread);
    std::array<glm::uvec4, 4> known{}; // of directions along one, two and three axes
    for (const glm::vec3 direction : directions_of(cones)) {
        const auto axes = static_cast<std::size_t>((direction.x != 0.0f) + (direction.y != 0.0f) +
                                                   (direction.z != 0.0f));
        if (known[axes].z == 0) {
            const auto walk = walk_along(direction, spread, limits);
            known[axes] = {static_cast<std::uint32_t>(made.steps.size()),
                           static_cast<std::uint32_t>(walk.size()), 1, 0};
            made.steps.insert(made.steps.end(), walk.begin(), walk.end());
        }
        made.directions.emplace_back(direction, cosine);
        made.walks.push_back(known[axes]);
    }
    return made;
}

} // namespace tuff::passes
