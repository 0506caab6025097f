#pragma once

#include "passes/scene/environment_map.hpp"
#include "passes/scene/sun_direction.hpp"

#include <tuff/graph.hpp>

#include <glm/vec3.hpp>

namespace tuff::passes {

/// The sun of a tracer, as a parameter group: that of scene/mesh_raster, and how large it is.
struct SunLight {
    float azimuth = 60.0f;
    float elevation = 50.0f;
    glm::vec3 color{1.0f};
    float intensity = 2.0f;
    float size = 0.0f;

    static void describe_fields(auto&& field) {
        using S = SunLight;
        describe_sun<S>(field);
        field("size", &S::size,
              "angular diameter, for soft shadows of paths; 0.53 for the sun seen from the earth")
            .range(0.0, 90.0)
            .unit("degrees");
    }
};

/// Light from all around, as kernels of tracers take it.
struct EnvironmentLight {
    EnvironmentMap map;
    glm::vec3 scale{1.0f}; ///< of its radiance
    bool even = false;     ///< the same from everywhere: no map was connected
};

/// Those of a map, or even ones of radiance `ambient` where it is not connected.
EnvironmentLight surroundings(Graph& graph, const EnvironmentMap& map, glm::vec3 ambient);

/// Sets the sun's direction and irradiance and the scale and rotation of the surroundings, and
/// binds their panorama.
void bind_lights(ComputeNodeBuilder& node, const SunLight& sun, const EnvironmentLight& around);

/// Sums of the weights by which bright directions are chosen: see
/// shaders/raytrace/shade_path.comp.
Buffer environment_sums(Graph& graph, Image panorama);

} // namespace tuff::passes
