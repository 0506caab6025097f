#pragma once

#include "passes/common/picture.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Where moments are summed up.
enum class MomentSums : std::uint8_t {
    automatic, ///< by blending where the device blends 32-bit floats
    blending,  ///< in pictures that are blended onto; needs DeviceCaps::float32_blending
    lists,     ///< by a kernel that goes through captured fragments
};

/// How many powers of the depths are summed up.
enum class MomentPowers : std::uint8_t { four, six, eight };

/// Transparent surfaces by moments of their depths. See `describe`.
struct MomentTransparency {
    static constexpr std::string_view kName = "oit/moments";

    Scene scene;
    SceneView view;
    float overestimation = 0.25f;
    glm::vec2 depths{0.0f, 1.0f};
    MomentPowers powers = MomentPowers::four;
    MomentSums sums = MomentSums::automatic;
    float layers = 8.0f;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image color;

    static void describe(PassInfo<MomentTransparency>& info);
    void build(Graph& graph);
};

/// How depths of clip space become places from -1 to 1: what moment_depth of
/// shaders/oit/moments.glsl is told. Logarithmic in the distance from the eye where there is one,
/// linear where the projection is parallel. `depths` are those that come to lie at -1 and 1.
glm::vec4 moment_warp(const glm::mat4& view_projection, glm::vec2 depths);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MomentSums> {
    static constexpr std::array<std::string_view, 3> names{"automatic", "blending", "lists"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::MomentPowers> {
    static constexpr std::array<std::string_view, 3> names{"four", "six", "eight"};
};
