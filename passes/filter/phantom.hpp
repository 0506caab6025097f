#pragma once

#include "passes/filter/tensor.hpp"

#include <glm/vec4.hpp>

#include <span>
#include <string_view>

namespace tuff::passes {

enum class PhantomShape : std::uint8_t {
    thorax, ///< ellipsoids, those of the heart beating
    helix,  ///< a wire, which turns
};

/// An ellipsoid of the phantom, as the kernel has it. Places are -1 to 1 over the array.
struct PhantomEllipsoid {
    glm::vec4 center_angle; ///< and radians about z
    glm::vec4 radii_value;
    glm::vec4 beat; ///< share of the radii that a heartbeat takes, and when, in turns
};
/// Those of the thorax; later ones lie over earlier ones.
std::span<const PhantomEllipsoid> phantom_thorax();

/// A volume over time whose noiseless numbers are known. See `describe`.
struct FilterPhantom {
    static constexpr std::string_view kName = "filter/phantom";

    PhantomShape shape = PhantomShape::thorax;
    glm::uvec4 size{128, 128, 64, 16};
    float noise = 0.1f;
    std::uint32_t seed = 1;
    float turns = 3.0f;
    float radius = 0.55f;
    float width = 0.08f;
    Buffer result;
    Buffer reference;

    static void describe(PassInfo<FilterPhantom>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PhantomShape> {
    static constexpr std::array<std::string_view, 2> names{"thorax", "helix"};
};
