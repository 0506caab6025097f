#pragma once

#include "passes/bodies/body_list.hpp"

#include <optional>
#include <string>

namespace tuff::passes {

enum class ScenePreset : std::uint8_t {
    listed,  ///< only listed bodies
    stack,   ///< a tower of `count` boxes
    pyramid, ///< rows of boxes, each row one shorter
    wall,    ///< bricks, `count` in a row
    pegs,    ///< `count` bodies above a board of pegs
    cards,   ///< a house of cards of `count` storeys
    cradle,  ///< Newton's cradle of `count` spheres
    grid,    ///< a block of bodies of all shapes
    chain,   ///< `count` links with joints
    terrain, ///< bodies above hills
    bowl,    ///< bodies in a bowl given by a distance field
    terrace, ///< square storeys of boxes, `count` along a side, each storey one smaller
    ring,    ///< a round tower of bricks, `count` in a row
};

/// How the picture "heights" lies in the world, as a parameter group.
struct GroundHeights {
    glm::vec3 position{0.0f};
    glm::vec2 size{10.0f};
    float scale = 1.0f;
    float highest = 10.0f;

    static void describe_fields(auto&& field) {
        using P = GroundHeights;
        field("position", &P::position, "\"heights\": its middle, at height 0")
            .range(-1e6, 1e6)
            .unit("metres")
            .structural();
        field("size", &P::size,
              "\"heights\": from the first to the last texel of a row, along x, and of a column, "
              "along z")
            .range(1e-3, 1e6)
            .unit("metres")
            .structural();
        field("scale", &P::scale, "\"heights\": metres in one unit of the picture's first channel")
            .range(-1e6, 1e6);
        field("highest", &P::highest,
              "\"heights\": the largest height above and below its position; others are cut")
            .range(1e-3, 1e6)
            .unit("metres")
            .structural();
    }
};

/// How the volume "field" lies in the world, as a parameter group.
struct GroundField {
    glm::vec3 position{0.0f};
    float spacing = 0.1f;
    float scale = 0.0f;

    static void describe_fields(auto&& field) {
        using P = GroundField;
        field("position", &P::position, "\"field\": its middle")
            .range(-1e6, 1e6)
            .unit("metres")
            .structural();
        field("spacing", &P::spacing, "\"field\": from texel to texel")
            .range(1e-4, 1e4)
            .unit("metres")
            .structural();
        field("scale", &P::scale,
              "\"field\": metres in one unit of distance; 0: the spacing, for distances in texels")
            .range(0.0, 1e6);
    }
};

/// Makes initial bodies. See `describe`.
struct MakeBodies {
    static constexpr std::string_view kName = "bodies/scene";

    ScenePreset preset = ScenePreset::stack;
    std::uint32_t count = 10;
    std::uint32_t rows = 0;
    std::uint32_t copies = 1;
    float size = 1.0f;
    float gap = 0.0f;
    float mass = 1.0f;
    float friction = 0.5f;
    float restitution = 0.0f;
    float speed = 0.0f;
    std::uint32_t seed = 1;
    bool floor = true;
    std::vector<float> spheres;
    std::vector<float> boxes;
    std::vector<float> capsules;
    std::vector<float> hulls;
    std::vector<std::string> joints;
    Image heights; ///< optional
    Image field;   ///< optional
    GroundHeights heights_ground;
    GroundField field_ground;
    Bodies bodies;

    static void describe(PassInfo<MakeBodies>& info);
    void build(Graph& graph);
};

/// The same on the host, without "heights" and "field". Returns nothing, and reports, if the lists
/// are wrong.
std::optional<BodyList> make_bodies(Graph& graph, const MakeBodies& scene);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ScenePreset> {
    static constexpr std::array<std::string_view, 13> names{
        "listed", "stack", "pyramid", "wall", "pegs",    "cards", "cradle",
        "grid",   "chain", "terrain", "bowl", "terrace", "ring"};
};
