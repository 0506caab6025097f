#include "passes/hair/skin.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxScalpTriangles = 1u << 24; // numbers that a float holds

} // namespace

SkinStatus SkinStatus::read(std::span<const std::uint32_t> words) {
    return status_from<SkinStatus>(words);
}

Diagnostics SkinStatus::warnings() const {
    if (degenerate == 0) return {};
    return {warning("hair/flat-scalp",
                    fmt::format("{} strands are on triangles without area, and do not rotate "
                                "with them",
                                degenerate),
                    "fix the mesh")};
}

void SkinHair::describe(PassInfo<SkinHair>& info) {
    info.summary("Moves the roots of hair with a deforming mesh")
        .details("Each strand is bound to the point of the rest mesh that is nearest to its root. "
                 "The strand moves and rotates with the triangle there. The search tries all "
                 "triangles for each strand; it runs only once if the rest mesh does not change. "
                 "Errors: hair/not-alike, hair/no-scalp.")
        .complexity("O(strands * triangles) once, then O(strands)")
        .cost([](const SkinHair& pass, const Graph&) {
            return Cost{.bytes = 120.0 * pass.groom.count, .operations = 150.0 * pass.groom.count};
        });
    info.input("groom", &SkinHair::groom, "hair at rest");
    info.input("rest", &SkinHair::rest, "the mesh at rest, on which the hair grows");
    info.input("now", &SkinHair::now, "the same mesh, deformed");
    info.output("roots", &SkinHair::roots,
                "motion of the roots, for hair/step and "
                "hair/simulate");
    info.output("status", &SkinHair::status, "counts: SkinStatus").elements<SkinStatus>();
}

void SkinHair::build(Graph& graph) {
    if (!is_valid(graph, groom) || !is_valid(graph, rest) || !is_valid(graph, now)) return;
    if (rest.triangle_count != now.triangle_count || rest.vertex_count != now.vertex_count) {
        graph.error("hair/not-alike",
                    fmt::format("\"rest\" has {} triangles and {} vertices, but \"now\" has {} "
                                "and {}",
                                rest.triangle_count, rest.vertex_count, now.triangle_count,
                                now.vertex_count),
                    "connect the same mesh to both, at rest and deformed");
        return;
    }
    if (rest.triangle_count == 0 || rest.triangle_count > kMaxScalpTriangles) {
        graph.error("hair/no-scalp", fmt::format("the mesh has {} triangles", rest.triangle_count),
                    fmt::format("connect a mesh of 1 to {} triangles", kMaxScalpTriangles));
        return;
    }
    ComputeNodeBuilder bind = graph.compute("hair/bind");
    bind.set("count", groom.count);
    bind.set("vertices", groom.vertices);
    bind.set("triangles", rest.triangle_count);
    bind.read("rest", groom.rest);
    bind.read("corners", rest.positions);
    bind.read("indices", rest.indices);
    const Buffer bound = bind.write("bound", vectors(graph, "bound", groom.count));
    bind.dispatch_each(groom.count);

    const Buffer zero = graph.fill(array(graph, "status", 1), 0, "no_status");
    ComputeNodeBuilder node = graph.compute("hair/skin");
    node.set("count", groom.count);
    node.read("bound", bound);
    node.read("indices", rest.indices);
    node.read("rest", rest.positions);
    node.read("now", now.positions);
    roots.count = groom.count;
    roots.places = node.write("roots", vectors(graph, "roots", std::uint64_t{2} * groom.count));
    status = node.write("status", zero);
    node.dispatch_each(groom.count);
    graph.status<SkinStatus>(status);
}

void FollowHair::describe(PassInfo<FollowHair>& info) {
    info.summary("Adds hairs around each simulated hair")
        .details("Followers run beside their guide. Each root has a random place in a disc "
                 "around the guide's root, and the distance to the guide changes towards the "
                 "tip. They may end before their guide does. Lists have a number for each group; "
                 "groups beyond the list use the last number. Errors: hair/few-numbers, "
                 "hair/too-large.")
        .source("AMD, TressFX 3, 2015")
        .complexity("O(vertices)")
        .cost([](const FollowHair& pass, const Graph&) {
            return Cost{.bytes = 36.0 * static_cast<double>(pass.shape.vertex_count()),
                        .operations = 60.0 * static_cast<double>(pass.shape.vertex_count())};
        });
    info.input("guides", &FollowHair::guides, "the simulated hair");
    info.parameter("each", &FollowHair::each, "hairs for each guide, including the guide")
        .range(1, 256)
        .structural();
    info.parameter("radius", &FollowHair::radius, "radius of the disc around a guide's root")
        .range(0.0, 1e6)
        .unit("world units");
    info.parameter("spread", &FollowHair::spread,
                   "relative growth of the distance to the guide, at the tip")
        .range(-1.0, 100.0);
    info.parameter("radii", &FollowHair::radii, "factor of \"radius\", for each group")
        .range(0.0, 1e6);
    info.parameter("spreads", &FollowHair::spreads, "factor of \"spread\", for each group")
        .range(-100.0, 100.0);
    info.parameter("lengths", &FollowHair::lengths,
                   "length of followers as a share of their guide's, for each group")
        .range(0.0, 1.0);
    info.parameter("length_spread", &FollowHair::length_spread,
                   "share of this length that a follower may be shorter by, at random")
        .range(0.0, 1.0);
    info.parameter("seed", &FollowHair::seed, "seed of the random numbers");
    info.output("shape", &FollowHair::shape, "guides and followers");
}

void FollowHair::build(Graph& graph) {
    if (!is_valid(graph, guides) || !has_numbers(graph, "radii", radii) ||
        !has_numbers(graph, "spreads", spreads) || !has_numbers(graph, "lengths", lengths) ||
        !has_room(graph, std::uint64_t{guides.count} * each, guides.vertices))
        return;
    shape = {.count = guides.count * each, .vertices = guides.vertices};
    const auto count = static_cast<std::uint32_t>(shape.vertex_count());
    ComputeNodeBuilder node = graph.compute("hair/follow");
    node.set("count", count);
    node.set("vertices", guides.vertices);
    node.set("each", each);
    std::array<glm::vec4, kMaxHairGroups> numbers;
    for (std::uint32_t group = 0; group < kMaxHairGroups; ++group)
        numbers[group] = {radius * number_of(radii, group), spread * number_of(spreads, group),
                          number_of(lengths, group), 0.0f};
    node.set("groups", std::span<const glm::vec4>(numbers));
    node.set("length_spread", length_spread);
    node.set("seed", seed);
    node.read("positions", guides.positions);
    node.read("tangents", guides.tangents);
    node.read("groups", guides.groups);
    shape.positions = node.write("followers", vectors(graph, "positions", count));
    shape.tangents = node.write("directions", vectors(graph, "tangents", count));
    shape.groups = node.write("kinds", array(graph, "groups", shape.count));
    node.dispatch_each(count);
}

TUFF_PASS(SkinHair)
TUFF_PASS(FollowHair)

} // namespace tuff::passes
