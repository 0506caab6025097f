#include "scene/mesh/made_scene.hpp"
#include "scene/mesh/portable_random.hpp"

#include <tuff/closed_meshes.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace tuff {
namespace {

constexpr double kTreeTurn = 2.0 * std::numbers::pi;
constexpr std::uint32_t kRing = 6; // vertices of a ring
constexpr int kTreeLevels = 10;    // of branches, the trunk among them
constexpr int kBranchRings = 2;
constexpr double kTrunkLength = 0.36;
constexpr double kTrunkRadius = 0.036;
constexpr double kTreeHeight = 2.0;

/// A closed line of vertices, counterclockwise about the direction of growth.
using Ring = std::array<std::uint32_t, kRing>;

/// Where and which way a branch grows: `side` is across `along`, and looks from the middle of the
/// branch's rings to their first vertex.
struct Growth {
    glm::dvec3 middle{0.0};
    glm::dvec3 along{0.0, 1.0, 0.0};
    glm::dvec3 side{1.0, 0.0, 0.0};
    double radius = kTrunkRadius;
    double length = kTrunkLength;
    int level = 0;

    glm::dvec3 towards(double angle) const {
        return std::cos(angle) * side + std::sin(angle) * glm::cross(along, side);
    }
    /// Changes the direction, and `side` as little as that allows.
    void turn(glm::dvec3 direction) {
        along = glm::normalize(direction);
        side = glm::normalize(side - glm::dot(side, along) * along);
    }
};

/// One closed surface. Where a branch forks, a line across its last ring makes two rings of it, so
/// that each edge belongs to two triangles there as elsewhere.
class TreeBuilder {
  public:
    explicit TreeBuilder(std::uint32_t seed) : random_(seed) {}

    Geometry build() && {
        const Growth trunk;
        const Ring foot = add_ring(trunk);
        const std::uint32_t below = add_vertex(trunk.middle);
        for (std::uint32_t i = 0; i < kRing; ++i)
            add_triangle(below, foot[(i + 1) % kRing], foot[i]);
        grow(trunk, foot);
        return std::move(geometry_);
    }

  private:
    std::uint32_t add_vertex(glm::dvec3 position) {
        Vertex vertex;
        vertex.position = glm::vec3(position);
        geometry_.vertices.push_back(vertex);
        return static_cast<std::uint32_t>(geometry_.vertices.size() - 1);
    }
    void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        geometry_.indices.insert(geometry_.indices.end(), {a, b, c});
    }
    Ring add_ring(const Growth& at) {
        Ring ring{};
        for (std::uint32_t i = 0; i < kRing; ++i)
            ring[i] = add_vertex(at.middle + at.radius * at.towards(kTreeTurn * i / kRing));
        return ring;
    }
    void add_tube(const Ring& from, const Ring& to) {
        for (std::uint32_t i = 0; i < kRing; ++i) {
            const std::uint32_t next = (i + 1) % kRing;
            add_triangle(from[i], from[next], to[next]);
            add_triangle(from[i], to[next], to[i]);
        }
    }
    glm::dvec3 wind(double strength) {
        return {random_.around(0.0, strength), random_.around(0.0, strength),
                random_.around(0.0, strength)};
    }

    /// A branch from `ring` on, and all that grows from it.
    void grow(Growth at, Ring ring) {
        const double thinner = std::pow(0.8, 1.0 / kBranchRings);
        for (int i = 0; i < kBranchRings; ++i) {
            at.turn(at.along + wind(0.12) + glm::dvec3(0.0, 0.05, 0.0));
            at.middle += at.length / kBranchRings * at.along;
            at.radius *= thinner;
            const Ring next = add_ring(at);
            add_tube(ring, next);
            ring = next;
        }
        if (at.level + 1 < kTreeLevels)
            fork(at, ring);
        else
            end(at, ring);
    }

    void end(const Growth& at, const Ring& ring) {
        const std::uint32_t tip = add_vertex(at.middle + 0.5 * at.length * at.along);
        for (std::uint32_t i = 0; i < kRing; ++i)
            add_triangle(ring[i], ring[(i + 1) % kRing], tip);
    }

    void fork(const Growth& at, const Ring& ring) {
        const auto first = static_cast<std::uint32_t>(random_() * kRing);
        const auto corner = [&](std::uint32_t i) { return ring[(first + i) % kRing]; };
        const double angle = kTreeTurn * first / kRing;
        // The line from corner 3 to corner 0 rises in its middle.
        const glm::dvec3 rise = 0.4 * at.radius * at.along;
        const glm::dvec3 third = at.radius / 3.0 * at.towards(angle);
        const std::uint32_t c = add_vertex(at.middle - third + rise);
        const std::uint32_t d = add_vertex(at.middle + third + rise);
        grow(child(at, angle), {corner(0), corner(1), corner(2), corner(3), c, d});
        grow(child(at, angle + 0.5 * kTreeTurn),
             {corner(3), corner(4), corner(5), corner(0), d, c});
    }

    /// A branch on the half of the parent's ring that begins at `angle`.
    Growth child(const Growth& at, double angle) {
        const glm::dvec3 out = at.towards(angle + 0.25 * kTreeTurn);
        Growth branch = at;
        branch.level = at.level + 1;
        branch.middle = at.middle + 0.5 * at.radius * out;
        branch.side = at.towards(angle);
        const double tilt = random_.around(0.5, 0.25); // radians
        branch.turn(std::cos(tilt) * at.along + std::sin(tilt) * out);
        branch.radius = at.radius * random_.around(0.82, 0.06);
        branch.length = at.length * random_.around(0.82, 0.1);
        return branch;
    }

    PortableRandom random_;
    Geometry geometry_;
};

} // namespace

SceneData make_tree(std::uint32_t seed) {
    Geometry geometry = TreeBuilder(seed).build();
    float top = 0.0f;
    for (const Vertex& vertex : geometry.vertices)
        top = std::max(top, vertex.position.y);
    for (Vertex& vertex : geometry.vertices)
        vertex.position *= static_cast<float>(kTreeHeight) / top;
    return made_smooth_scene(std::move(geometry), "tree");
}

} // namespace tuff
