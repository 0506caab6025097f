#include "passes/bodies/scene_parts.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxScene = 1u << 21; // bodies

} // namespace

void MakeBodies::describe(PassInfo<MakeBodies>& info) {
    info.summary("Makes the initial rigid bodies of a simulation: a preset and listed bodies")
        .details(
            "The same parameters give the same bodies. The presets are:\n\n"
            "\"stack\": a tower of boxes. \"pyramid\" and \"wall\": rows of boxes, the first "
            "with \"count\". \"pegs\": spheres and boxes above a board of pegs and a box. "
            "\"cards\": a house of cards with \"count\" storeys. \"cradle\": Newton's cradle "
            "with the first sphere lifted. \"grid\": a block of spheres, boxes, capsules and "
            "hulls. \"terrain\" and \"bowl\": the same block above a height field or a "
            "distance field. \"chain\": links with ball joints. \"terrace\": square storeys of "
            "boxes, each box on four others; every sixteenth copy has one storey more. "
            "\"ring\": a round tower of bricks.\n\n"
            "Lists give for each body its position, mass and velocity (seven numbers), then "
            "its size. Spheres add the radius; boxes the half sides; capsules the radius and "
            "the half length of the axis, which is y. \"hulls\" has the number of points "
            "before these seven numbers, and after them the points relative to the position. A "
            "body whose mass is not positive never moves.\n\n"
            "Bodies have indices in this order: the floor is 0 if there is one, then come those "
            "of the preset, spheres, boxes, capsules, hulls, \"heights\" and \"field\". "
            "\"joints\" has a text for each joint: its kind (ball, hinge, slider), the indices "
            "of two bodies before those of \"heights\", and in any order \"at\" and a point in "
            "the world, else the center of the second body; \"axis\" and a direction in the "
            "world, else z; \"limits\" and the least and largest angle or way of the second "
            "body, in radians or metres; \"motor\" and its speed and strength, in radians per "
            "second and newton metres, or in metres per second and newtons. For example: \"hinge "
            "0 1 at 0 2 0 axis 0 0 1 limits -0.5 1 motor 2 100\". Ball joints have only a point. "
            "The bodies of a joint do not collide.\n\n"
            "\"heights\" and \"field\" are ground that does not move. Texels of a picture are "
            "heights at the points of a lattice, with two triangles between four of them; those "
            "of a volume are signed distances, negative inside. Texels that are not finite are "
            "counted, and the device warns of them.\n\n"
            "Errors: bodies/list-length, bodies/bad-hull, bodies/joint-list, "
            "bodies/bad-ground.")
        .complexity("O(bodies)");
    info.optional_input("heights", &MakeBodies::heights, "a picture of heights: static ground");
    info.optional_input("field", &MakeBodies::field,
                        "a volume of signed distances, negative inside: a static solid");
    info.parameter("preset", &MakeBodies::preset, "the arrangement of bodies").structural();
    info.parameter("count", &MakeBodies::count, "number of bodies, rows or storeys")
        .range(0, kMaxScene)
        .structural();
    info.parameter("rows", &MakeBodies::rows, "rows of a wall, terrace or ring; 0: \"count\"")
        .range(0, 4096)
        .structural();
    info.parameter("copies", &MakeBodies::copies,
                   "copies of a stack, pyramid, wall, terrace or ring, side by side")
        .range(1, 1 << 16)
        .structural();
    info.parameter("size", &MakeBodies::size, "approximate size of a body")
        .range(1e-3, 1e3)
        .unit("metres")
        .structural();
    info.parameter("gap", &MakeBodies::gap, "gap between bodies; negative: they overlap")
        .range(-10.0, 10.0)
        .unit("metres")
        .structural();
    info.parameter("mass", &MakeBodies::mass, "mass of a body")
        .range(0.0, 1e9)
        .unit("kg")
        .structural();
    info.parameter("friction", &MakeBodies::friction, "friction coefficient of all bodies")
        .range(0.0, 100.0)
        .structural();
    info.parameter("restitution", &MakeBodies::restitution,
                   "coefficient of restitution: share of the speed after an "
                   "impact")
        .range(0.0, 1.0)
        .structural();
    info.parameter("speed", &MakeBodies::speed, "blocks: largest random speed along each axis")
        .range(0.0, 1e3)
        .unit("m/s")
        .structural();
    info.parameter("seed", &MakeBodies::seed, "seed of the random numbers").structural();
    info.parameter("floor", &MakeBodies::floor, "whether to add the half-space below y = 0")
        .structural();
    info.parameter("spheres", &MakeBodies::spheres, "eight numbers for each sphere").structural();
    info.parameter("boxes", &MakeBodies::boxes, "ten numbers for each box").structural();
    info.parameter("capsules", &MakeBodies::capsules, "nine numbers for each capsule").structural();
    info.parameter("hulls", &MakeBodies::hulls,
                   "eight numbers for each hull, and three for "
                   "each of its points")
        .structural();
    info.parameter("joints", &MakeBodies::joints, "one text for each joint").structural();
    info.group("heights", &MakeBodies::heights_ground);
    info.group("field", &MakeBodies::field_ground);
    info.output("bodies", &MakeBodies::bodies, "the bodies");
}

std::optional<BodyList> make_bodies(Graph& graph, const MakeBodies& scene) {
    BodyList list;
    add_preset(scene, list);
    if (!add_listed(graph, scene, list)) return std::nullopt;
    return list;
}

void MakeBodies::build(Graph& graph) {
    std::optional<BodyList> list = make_bodies(graph, *this);
    if (!list) return;
    const std::optional<GroundBodies> ground = add_ground(graph, *this, *list);
    if (!ground) return;
    if (list->size() > kMaxBodies) {
        graph.error("pass/out-of-range",
                    fmt::format("there are {} bodies, more than {}", list->size(), kMaxBodies));
        return;
    }
    if (list->mended > 0)
        graph.report(warning("bodies/bad-mass",
                             fmt::format("{} masses or moments of inertia are not positive: "
                                         "these bodies never move, or rotate like spheres",
                                         list->mended),
                             "fix the lists"));
    bodies = list->upload(graph);
    if (ground->quads > 0)
        bodies.geometry = ground_geometry(graph, *this, *ground, bodies.geometry);
}

TUFF_PASS(MakeBodies)

} // namespace tuff::passes
