#pragma once

#include "passes/hair/hair.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

/// Fewer strands from afar, as a parameter group.
struct DetailParameters {
    bool thins = false;
    float distance = 1.0f;
    float least = 0.1f;
    glm::vec3 center{0.0f};

    static void describe_fields(auto&& field) {
        using D = DetailParameters;
        field("thins", &D::thins, "whether fewer and wider strands are drawn from afar")
            .structural();
        field("distance", &D::distance,
              "distance of the camera up to which all strands are drawn; at k times this distance "
              "one of k is")
            .range(0.0, kFarthestHair)
            .unit("world units");
        field("least", &D::least, "least share of the strands that is drawn").range(1e-4, 1.0);
        field("center", &D::center, "place that the distance is measured to")
            .range(-kFarthestHair, kFarthestHair)
            .unit("world units");
    }
};

/// The strands that are drawn: the first `drawn` of shaders/hair/thinned.glsl.
struct ThinnedHair {
    std::uint32_t drawn = 0;
    std::uint32_t stride = 1;
    float widening = 1.0f; ///< factor of their width
};
ThinnedHair thinned_hair(const DetailParameters& detail, std::uint32_t count, glm::vec3 eye);

} // namespace tuff::passes
