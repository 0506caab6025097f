#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <string_view>
#include <vector>

namespace tuff::passes {

/// Light from all around, ready for image-based lighting. shaders/include/scene/environment.glsl
/// has the lookups, and says how directions map to panoramas and cubes.
struct EnvironmentMap {
    static constexpr std::string_view kPortType = "Environment";

    /// The source: equirectangular, scene-linear radiance, as it was given. Texels may be negative
    /// or NaN, which `environment_background` shows as black.
    Image panorama;
    /// A cube, rgba16_sfloat, alpha 1. Level k holds the radiance filtered by the GGX lobe of
    /// perceptual roughness k / (mips - 1), seen along the normal; level 0 is the mirror, the last
    /// level has 4x4 texels a face. Sample it linearly.
    Image specular;
    /// 9 vec4 (144 bytes): the outgoing radiance of a white Lambertian surface as a polynomial in
    /// its normal; `environment_diffuse` evaluates it. The fourth components are 0.
    Buffer irradiance;
    /// rg16_sfloat: scale x and bias y of the split sum, by N.V along u and perceptual roughness
    /// along v.
    Image dfg;
    /// Degrees by which the map is turned about +y, counter-clockwise as seen from above, when it
    /// is looked up. The members above are not turned.
    float rotation = 0.0f;
    /// What users multiply the radiance by. The members above do not contain it.
    float intensity = 1.0f;

    explicit operator bool() const { return bool(specular); }
    std::vector<PortMember> members() const {
        return {{"panorama", panorama},
                {"specular", specular},
                {"irradiance", irradiance, BufferElements::of<glm::vec4>()},
                {"dfg", dfg}};
    }
};

/// Sets what the lookups of cubes in shaders/include/scene/environment.glsl have to know of the
/// device. For every node whose shaders call `environment_specular` or `cube_radiance`.
inline void specialize_cube_lookups(const Graph& graph, KernelNode& node) {
    node.specialize("kSeamlessCubes", std::uint32_t(graph.target().seamless_cubes));
}

} // namespace tuff::passes
