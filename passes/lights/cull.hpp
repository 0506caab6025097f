#pragma once

#include "passes/lights/lights.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// How a tile is tested against the sphere of a light. The kernel has the same values.
enum class CullTest : std::uint8_t { planes, box, both, exact, pixels };
/// How the lists of a tile are split by distance. The kernel has the same values.
enum class DepthSplit : std::uint8_t { none, half, modified_half, mask };
/// How minimum and maximum depth are computed. The kernel has the same values.
enum class BoundsMethod : std::uint8_t { atomics, tree, subgroups };
/// The side of a tile. The values are the logarithms less 3.
enum class LightTile : std::uint8_t { side8, side16, side32 };
/// Whether blocks of 4 x 4 tiles select lights first.
enum class MacroTiles : std::uint8_t { automatic, off, on };
/// The memory layout of the spheres that culling reads.
enum class LightLayout : std::uint8_t { separate, combined };
/// What is made from the masks.
enum class LightLists : std::uint8_t { masks, capped };

/// Finds the lights that may reach what each tile shows. See `describe`.
struct CullLights {
    static constexpr std::string_view kName = "lights/cull";

    Lights lights;
    Image depth;
    Scene scene;
    CameraParameters camera;
    LightTile side = LightTile::side16;
    CullTest test = CullTest::both;
    DepthSplit split = DepthSplit::modified_half;
    BoundsMethod bounds = BoundsMethod::subgroups;
    MacroTiles macro = MacroTiles::automatic;
    LightLayout layout = LightLayout::separate;
    LightLists form = LightLists::masks;
    std::uint32_t room = 256;
    LightGrid grid;

    static void describe(PassInfo<CullLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CullTest> {
    static constexpr std::array<std::string_view, 5> names{"planes", "box", "both", "exact",
                                                           "pixels"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::DepthSplit> {
    static constexpr std::array<std::string_view, 4> names{"none", "half", "modified_half", "mask"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::BoundsMethod> {
    static constexpr std::array<std::string_view, 3> names{"atomics", "tree", "subgroups"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LightTile> {
    static constexpr std::array<std::string_view, 3> names{"8", "16", "32"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::MacroTiles> {
    static constexpr std::array<std::string_view, 3> names{"automatic", "off", "on"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LightLayout> {
    static constexpr std::array<std::string_view, 2> names{"separate", "combined"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LightLists> {
    static constexpr std::array<std::string_view, 2> names{"masks", "capped"};
};
