#pragma once

#include "passes/terrain/patch.hpp"
#include "passes/terrain/tree.hpp"
#include "passes/terrain/view.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Cells along a side of the grid of a leaf.
enum class PatchSide : std::uint8_t { side2, side4, side8, side16, side32 };

/// Draws the leaves of a tree as grids over a surface. See `describe`.
struct DrawTerrain {
    static constexpr std::string_view kName = "terrain/draw";

    Surface surface;
    QuadTree tree;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    PatchSide side = PatchSide::side8;
    Stitching stitching = Stitching::snap;
    float morph_from = 0.6f;
    float morph_to = 0.88f;
    float natural = 1.0f;
    float low = 0.0f;
    float high = 0.0f;
    float tint = 0.0f;
    float wire = 0.0f;
    float light = 1.0f;
    float haze = 0.0f;
    float sun_azimuth = 60.0f;
    float sun_elevation = 35.0f;
    glm::vec3 color{0.5f};
    glm::vec3 background{0.35f, 0.5f, 0.75f};
    Image result;
    Image depth;

    static void describe(PassInfo<DrawTerrain>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Stitching> {
    static constexpr std::array<std::string_view, 4> names{"snap", "indices", "morph", "none"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PatchSide> {
    static constexpr std::array<std::string_view, 5> names{"2", "4", "8", "16", "32"};
};
