#include "passes/hair/colliders.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/constant_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::size_t kCapsuleNumbers = 8;
constexpr std::size_t kCapsuleBytes = 2 * sizeof(glm::vec4);

/// Kinds of bodies that kernels know as solids.
constexpr std::array kSolidKinds{ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,
                                 ShapeKind::hull, ShapeKind::plane};

bool has_solids_alone(Graph& graph, const Bodies& bodies) {
    if (!is_valid(graph, bodies)) return false;
    std::uint32_t others = bodies.kinds;
    for (const ShapeKind kind : kSolidKinds)
        others &= ~(1u << static_cast<std::uint32_t>(kind));
    if (others == 0 && bodies.count <= kMaxHairSolids) return true;
    graph.error("hair/bad-bodies",
                fmt::format("\"bodies\" has {} bodies{}; hair cannot collide with them",
                            bodies.count,
                            others != 0 ? ", some of them height fields or distance fields" : ""),
                fmt::format("connect at most {} spheres, capsules, boxes, hulls and "
                            "half-spaces; connect a distance field to \"field\"",
                            kMaxHairSolids));
    return false;
}

bool has_whole_capsules(Graph& graph, const CollideHair& pass) {
    const std::size_t count = pass.capsules.size() / kCapsuleNumbers;
    bool good = pass.capsules.size() % kCapsuleNumbers == 0 && count <= kMaxHairCapsules;
    for (std::size_t i = 0; i < pass.capsules.size(); ++i)
        good = good && std::isfinite(pass.capsules[i]) && (i % 4 != 3 || pass.capsules[i] >= 0.0f);
    if (good && !(pass.moving && count > 0)) return true;
    graph.error("hair/bad-capsules",
                fmt::format("\"capsules\" has {} numbers: it must have eight finite numbers "
                            "for each of at most {} capsules, and must be empty if \"moving\" "
                            "is connected",
                            pass.capsules.size(), kMaxHairCapsules),
                "give x, y, z and a radius of 0 or more for each of the two ends");
    return false;
}

} // namespace

void CollideHair::describe(PassInfo<CollideHair>& info) {
    info.summary("Defines what hair collides with: capsules, a distance field, rigid bodies")
        .details(
            "A capsule is given by one end and the radius there, then the other end and "
            "its radius. A sphere is a capsule whose ends are equal. \"moving\" takes "
            "capsules that the device computes.\n\n"
            "The field is a volume of signed distances, as distance/signed makes it. It "
            "fills a box, which \"field_turn\" rotates and \"field_position\" moves: in the "
            "world or, if the field moves with the head, from the groom's origin. Vertices "
            "inside its surface move out along the slope of the distances, which are "
            "interpolated between the centers of texels. Outside of the box hair does not "
            "collide with the field. Where distances are infinite or NaN hair passes through, "
            "and a warning counts how often (hair/bad-distances). The field of "
            "distance/signed is up to 1.3 texels off the surface that its seed was made of.\n\n"
            "\"bodies\" takes the bodies of bodies/simulate. Hair stays outside of their "
            "spheres, capsules, boxes, hulls and half-spaces, and friction drags it along "
            "with them. During an execution, their positions are extrapolated back from "
            "its end by their velocities.\n\n"
            "Errors: hair/bad-capsules, hair/bad-field, hair/bad-bodies.")
        .complexity("O(1)");
    info.optional_input("field", &CollideHair::field,
                        "volume of distances to a surface, negative inside");
    info.optional_input("moving", &CollideHair::moving,
                        "at most 16 capsules, two vec4 each: for either end its position and "
                        "radius")
        .elements<glm::vec4>();
    info.optional_input("bodies", &CollideHair::bodies, "at most 16 rigid bodies");
    info.parameter("capsules", &CollideHair::capsules,
                   "eight numbers a capsule: x, y, z and radius of both ends");
    info.parameter("attached", &CollideHair::attached, "whether capsules move with the head")
        .structural();
    info.parameter("low", &CollideHair::low, "lower corner of the box that the field fills")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    info.parameter("high", &CollideHair::high, "upper corner of the box that the field fills")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    info.parameter("scale", &CollideHair::scale,
                   "world units in one unit of the field's "
                   "distances")
        .range(1e-6, 1e6);
    info.parameter("field_position", &CollideHair::field_position,
                   "position of the origin of the field's box")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    info.parameter("field_turn", &CollideHair::field_turn,
                   "rotation of the field's box about that origin: the direction is the axis, the "
                   "length is the angle")
        .range(-1e5, 1e5)
        .unit("degrees");
    info.parameter("field_attached", &CollideHair::field_attached,
                   "whether the field moves with the head")
        .structural();
    info.output("colliders", &CollideHair::colliders,
                "colliders, for hair/step and "
                "hair/simulate");
}

void CollideHair::build(Graph& graph) {
    if (!has_whole_capsules(graph, *this)) return;
    if (field && (graph.desc(field).shape != ImageShape::d3 ||
                  tuff::info(graph.desc(field).format).kind != NumericKind::sfloat ||
                  !(low.x < high.x && low.y < high.y && low.z < high.z))) {
        graph.error("hair/bad-field", "\"field\" is not a volume of floats, or its box is empty",
                    "connect a volume from distance/signed, and make \"low\" less than "
                    "\"high\" on each axis");
        return;
    }
    if (bodies && !has_solids_alone(graph, bodies)) return;
    colliders = {.attached = attached,
                 .field = field,
                 .low = low,
                 .high = high,
                 .scale = scale,
                 .field_place = {.position = field_position, .turn = field_turn},
                 .field_attached = field_attached,
                 .solids = bodies};
    if (moving) {
        colliders.capsules = moving;
        colliders.count = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(graph.desc(moving).size / kCapsuleBytes, kMaxHairCapsules));
        return;
    }
    std::vector<glm::vec4> ends;
    for (std::size_t i = 0; i + 3 < capsules.size(); i += 4)
        ends.emplace_back(capsules[i], capsules[i + 1], capsules[i + 2], capsules[i + 3]);
    colliders.count = static_cast<std::uint32_t>(ends.size() / 2);
    // Always as large, so that moved capsules are the same graph.
    ends.resize(std::size_t{2} * kMaxHairCapsules);
    auto bytes = std::make_shared<std::vector<std::byte>>(ends.size() * sizeof(glm::vec4));
    std::memcpy(bytes->data(), ends.data(), bytes->size());
    colliders.capsules = graph.upload(
        vectors(graph, "capsules", std::uint64_t{2} * kMaxHairCapsules), bytes, "place_capsules");
}

void bind_colliders(Graph& graph, ComputeNodeBuilder& node, const HairColliders& colliders) {
    const bool none = !colliders.capsules;
    const Buffer nothing = none ? graph.constant_buffer("no_capsules", {.size = 32, .stride = 16},
                                                        constant_bytes<32, 0>())
                                : Buffer{};
    node.read("capsules", none ? nothing : colliders.capsules);
    node.read_optional("field", ImageView(colliders.field), Sampler::nearest());
    node.set("capsule_count", none ? 0u : colliders.count);
    const Bodies& solids = colliders.solids;
    node.read_optional("solid_places", solids.places, "has_solids");
    node.read_optional("solid_turns", solids.turns, "has_solids");
    node.read_optional("solid_motions", solids.motions, "has_solids");
    node.read_optional("solid_shapes", solids.shapes, "has_solids");
    // Without hulls there may be none.
    node.read_optional("solid_geometry", solids.geometry ? solids.geometry : solids.places,
                       "has_solids");
    node.set("solid_count", solids ? solids.count : 0u);
    node.set("attached", std::uint32_t(colliders.attached) | std::uint32_t(colliders.field_attached)
                                                                 << 1u);
    node.set("field_low", colliders.low);
    node.set("field_high", colliders.high);
    node.set("field_scale", colliders.scale);
    node.set("field_turn", colliders.field_place.quaternion());
    node.set("field_shift", colliders.field_place.position);
}

TUFF_PASS(CollideHair)

} // namespace tuff::passes
