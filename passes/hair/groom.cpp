#include "passes/hair/groom.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {
namespace {

constexpr float kLeastScale = 1e-4f;

bool is_direction(Graph& graph, std::string_view name, glm::vec3 v) {
    const float length = glm::length(v);
    if (length > 0.0f && std::isfinite(length)) return true;
    graph.error("pass/out-of-range",
                fmt::format("parameter \"{}\" is ({}, {}, {}), which has no direction", name, v.x,
                            v.y, v.z));
    return false;
}

} // namespace

void GroomHair::describe(PassInfo<GroomHair>& info) {
    info.summary("Grows hair on a part of a sphere: straight, wavy, curled or tied together")
        .details(
            "Roots are spread evenly over the part of the sphere between two angles from an "
            "axis. A strand leaves along the normal, bends towards \"fall\", and goes around "
            "the sphere if the sphere is in its way. With a tie, the strand goes to the tie "
            "first.\n\n"
            "Neighbours in a cell of side \"clump_size\" wave together. The same seed gives the "
            "same hair.\n\n"
            "Errors: hair/too-large.")
        .source("Jarzynski and Olano, \"Hash Functions for GPU Rendering\", JCGT 9(3), 2020")
        .complexity("O(vertices)")
        .cost([](const GroomHair& pass, const Graph&) {
            const double n = static_cast<double>(pass.count) * pass.vertices;
            return Cost{.bytes = 64.0 * n, .operations = 150.0 * n};
        });
    const auto length_of = [&](std::string_view name, float GroomHair::*field, std::string_view doc,
                               double least = 0.0) {
        info.parameter(name, field, doc).range(least, 1e6).unit("world units");
    };
    info.parameter("count", &GroomHair::count, "strands").range(0, kMaxStrands).structural();
    info.parameter("vertices", &GroomHair::vertices,
                   "vertices of a strand; the two at the "
                   "root do not move")
        .range(2, kMaxStrandVertices)
        .structural();
    info.parameter("seed", &GroomHair::seed, "seed of the random numbers");
    info.parameter("center", &GroomHair::center, "center of the sphere")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    length_of("scalp", &GroomHair::scalp, "radius of the sphere", 1e-4);
    info.parameter("axis", &GroomHair::axis, "axis from the center to where the hair grows");
    info.parameter("inner_angle", &GroomHair::inner_angle, "angle from the axis to the first roots")
        .range(0.0, 180.0)
        .unit("degrees");
    info.parameter("outer_angle", &GroomHair::outer_angle, "angle from the axis to the last roots")
        .range(0.0, 180.0)
        .unit("degrees");
    length_of("length", &GroomHair::length, "length of strands", 1e-4);
    info.parameter("length_spread", &GroomHair::length_spread, "relative variation of the length")
        .range(0.0, 0.9);
    info.parameter("fall", &GroomHair::fall, "direction that the strands bend to");
    length_of("bend", &GroomHair::bend, "distance over which strands bend to \"fall\"");
    length_of("cover", &GroomHair::cover, "height of the outermost strands above the sphere");
    info.parameter("shape", &GroomHair::shape, "shape of strands");
    length_of("amplitude", &GroomHair::amplitude, "amplitude of waves and curls");
    length_of("pitch", &GroomHair::pitch, "length of one wave or one turn", 1e-4);
    info.parameter("disorder", &GroomHair::disorder,
                   "random deviation of the strands' "
                   "directions")
        .range(0.0, 2.0);
    info.parameter("clump", &GroomHair::clump,
                   "how far tips are drawn together in a clump: 0 "
                   "not at all, 1 completely")
        .range(0.0, 1.0);
    info.parameter("clump_size", &GroomHair::clump_size, "side of a clump, in scalp radii")
        .range(1e-3, 10.0);
    info.parameter("tie", &GroomHair::tie, "the point where strands are tied together")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    length_of("tie_radius", &GroomHair::tie_radius, "radius of the tie; 0: no tie");
    info.output("groom", &GroomHair::groom, "the hair, one group");
}

void GroomHair::build(Graph& graph) {
    if (!is_direction(graph, "axis", axis) || !is_direction(graph, "fall", fall) ||
        !in_range(graph, "inner_angle", static_cast<double>(inner_angle), 0.0,
                  static_cast<double>(outer_angle)) ||
        !has_room(graph, count, vertices))
        return;
    ComputeNodeBuilder node = graph.compute("hair/groom");
    node.set("count", count);
    node.set("vertices", vertices);
    node.set("seed", seed);
    node.set("group", 0u);
    node.set("center", center);
    node.set("radius", scalp);
    node.set("axis", glm::normalize(axis));
    node.set("cosines",
             glm::vec2(std::cos(glm::radians(inner_angle)), std::cos(glm::radians(outer_angle))));
    node.set("strand_length", length);
    node.set("length_spread", length_spread);
    node.set("fall", glm::normalize(fall));
    node.set("bend", bend);
    node.set("cover", cover);
    node.set("shape", static_cast<std::uint32_t>(shape));
    node.set("amplitude", amplitude);
    node.set("pitch", std::max(pitch, kLeastScale));
    node.set("disorder", disorder);
    node.set("clump", clump);
    node.set("clump_size", clump_size);
    node.set("tie", glm::vec4(tie, tie_radius));
    const Buffer points =
        node.write("points", vectors(graph, "points", std::uint64_t{count} * vertices));
    const Buffer groups = node.write("groups", array(graph, "groups", count));
    node.dispatch_each(count);
    groom = prepared(graph, points, groups, count, vertices, 1);
}

void MergeHair::describe(PassInfo<MergeHair>& info) {
    info.summary("Merges several grooms into one; each becomes a group with parameters of its "
                 "own")
        .details("Strands keep their order. All grooms must have the same number of vertices a "
                 "strand, and one group each. Errors: hair/not-alike.")
        .complexity("O(vertices)")
        .cost([](const MergeHair& pass, const Graph&) {
            return Cost{.bytes = 64.0 * static_cast<double>(pass.groom.vertex_count())};
        });
    info.input_list("grooms", &MergeHair::grooms, "the grooms, in the order of their groups")
        .wires(1, kMaxHairGroups);
    info.output("groom", &MergeHair::groom, "the merged groom");
}

void MergeHair::build(Graph& graph) {
    std::uint64_t strands = 0;
    for (const HairGroom& one : grooms) {
        if (!is_valid(graph, one)) return;
        strands += one.count;
        if (one.vertices == grooms[0].vertices && one.group_count == 1) continue;
        graph.error("hair/not-alike",
                    fmt::format("grooms cannot be merged: one has {} vertices a strand and {} "
                                "groups, another has {} vertices a strand",
                                one.vertices, one.group_count, grooms[0].vertices),
                    "give all grooms the same number of vertices and one group each; merge all "
                    "of them in one pass");
        return;
    }
    if (!has_room(graph, strands, grooms[0].vertices)) return;
    HairGroom all{.count = static_cast<std::uint32_t>(strands),
                  .vertices = grooms[0].vertices,
                  .group_count = static_cast<std::uint32_t>(grooms.size())};
    all.rest = vectors(graph, "rest", all.vertex_count());
    all.local = vectors(graph, "local", woven_count(all.count, all.vertices));
    all.goals = vectors(graph, "goals", woven_count(all.count, all.vertices));
    all.frames = vectors(graph, "frames", strands);
    all.groups = array(graph, "groups", strands);
    std::uint32_t first = 0;
    for (std::uint32_t group = 0; group < grooms.size(); ++group) {
        const HairGroom& one = grooms[group];
        if (one.count == 0) continue;
        ComputeNodeBuilder node = graph.compute("hair/merge", fmt::format("groom_{}", group));
        node.set("count", one.count);
        node.set("vertices", one.vertices);
        node.set("first", first);
        node.set("group", group);
        node.read("rest", one.rest);
        node.read("local", one.local);
        node.read("goals", one.goals);
        node.read("frames", one.frames);
        node.read("groups", one.groups);
        all.rest = node.write("all_rest", all.rest);
        all.local = node.write("all_local", all.local);
        all.goals = node.write("all_goals", all.goals);
        all.frames = node.write("all_frames", all.frames);
        all.groups = node.write("all_groups", all.groups);
        node.dispatch_each(one.count * one.vertices);
        first += one.count;
    }
    if (first == 0) {
        all.rest = graph.fill(all.rest, 0, "no_rest");
        all.local = graph.fill(all.local, 0, "no_local");
        all.goals = graph.fill(all.goals, 0, "no_goals");
        all.frames = graph.fill(all.frames, 0, "no_frames");
        all.groups = graph.fill(all.groups, 0, "no_groups");
    }
    groom = all;
}

TUFF_PASS(GroomHair)
TUFF_PASS(MergeHair)

} // namespace tuff::passes
