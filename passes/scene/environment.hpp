#pragma once

#include "passes/scene/environment_map.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// From a panorama to what image-based lighting looks up. See `describe`.
struct Environment {
    static constexpr std::string_view kName = "scene/environment";

    Image panorama;
    std::uint32_t size = 128;   ///< texels a side of the mirror's cube faces
    std::uint32_t samples = 64; ///< of the lobe, for the first level after the mirror
    float rotation = 0.0f;      ///< degrees
    float intensity = 1.0f;
    EnvironmentMap environment;

    static void describe(PassInfo<Environment>& info);
    void build(Graph& graph);
};

/// EnvironmentLight of radiance 1 in every direction.
EnvironmentMap even_environment(Graph& graph);

} // namespace tuff::passes
