#include "apps/bench/checks.hpp"
#include "apps/bench/ring_mesh.hpp"
#include "passes/collision/box.hpp"
#include "passes/collision/box_pairs.hpp"
#include "passes/collision/box_tree.hpp"
#include "passes/collision/pairs.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

/// Rings of as many triangles as the case has elements.
namespace tuff::bench {
namespace {

using passes::BoxTree;
using passes::CollisionPairs;
using passes::CollisionSearch;
using passes::OrientedBox;

BoxTree ring_tree(CaseBuilder& c, const RingMesh& ring, std::string_view name) {
    return c.add(passes::BuildBoxTree{.mesh = ring.mesh(c, name)}, name).tree;
}

std::array<glm::dvec3, 3> corners_of(const RingMesh& ring, std::uint64_t i) {
    const std::array<glm::vec3, 3> corners = ring.corners(i);
    return {glm::dvec3(corners[0]), glm::dvec3(corners[1]), glm::dvec3(corners[2])};
}

constexpr glm::vec3 kApart{0.9f, 0.15f, 0.0f};
constexpr glm::vec4 kTurn{0.5f, 0.1f, -0.2f, 0.8f};

using Corners = std::array<glm::dvec3, 3>;

/// How far apart triangles are along the best of all axes; negative where they meet on all.
double gap_of(const Corners& p, const Corners& q) {
    std::array<glm::dvec3, 11> axes{glm::cross(p[1] - p[0], p[2] - p[0]),
                                    glm::cross(q[1] - q[0], q[2] - q[0])};
    for (std::size_t i = 0; i < 9; ++i)
        axes[i + 2] = glm::cross(p[(i / 3 + 1) % 3] - p[i / 3], q[(i % 3 + 1) % 3] - q[i % 3]);
    double gap = -1e300;
    for (const glm::dvec3& axis : axes) {
        const double size = glm::length(axis);
        if (!(size > 1e-14)) continue;
        glm::dvec2 of_p(1e300, -1e300);
        glm::dvec2 of_q(1e300, -1e300);
        for (std::size_t i = 0; i < 3; ++i) {
            const double at_p = glm::dot(axis, p[i]) / size;
            const double at_q = glm::dot(axis, q[i]) / size;
            of_p = {std::min(of_p.x, at_p), std::max(of_p.y, at_p)};
            of_q = {std::min(of_q.x, at_q), std::max(of_q.y, at_q)};
        }
        gap = std::max({gap, of_q.x - of_p.y, of_p.x - of_q.y});
    }
    return gap;
}

bool bounds_meet(const Corners& p, const Corners& q) {
    const glm::dvec3 low_p = glm::min(glm::min(p[0], p[1]), p[2]);
    const glm::dvec3 high_p = glm::max(glm::max(p[0], p[1]), p[2]);
    const glm::dvec3 low_q = glm::min(glm::min(q[0], q[1]), q[2]);
    const glm::dvec3 high_q = glm::max(glm::max(q[0], q[1]), q[2]);
    return glm::all(glm::lessThanEqual(low_p, high_q)) &&
           glm::all(glm::lessThanEqual(low_q, high_p));
}

/// All pairs that are told meet, and of some triangles all that meet are told; but for what
/// rounding decides.
Verdict are_pairs(const RingMesh& ring, std::span<const glm::uvec2> pairs) {
    constexpr double kDoubtful = 4e-6;
    constexpr std::uint32_t kTried = 40;
    const glm::dquat turn = glm::normalize(glm::dquat(kTurn.w, kTurn.x, kTurn.y, kTurn.z));
    const auto placed = [&](std::uint64_t i) {
        Corners corners = corners_of(ring, i);
        for (glm::dvec3& corner : corners)
            corner = turn * corner + glm::dvec3(kApart);
        return corners;
    };
    if (pairs.empty()) return std::unexpected("no pair is told");
    for (const glm::uvec2 pair : pairs)
        if (gap_of(corners_of(ring, pair.x), placed(pair.y)) > kDoubtful)
            return std::unexpected(fmt::format("triangles {} and {} do not meet", pair.x, pair.y));
    for (std::uint32_t k = 0; k < kTried; ++k) {
        const std::uint32_t a = pairs[hash32(k) % pairs.size()].x;
        const Corners corners = corners_of(ring, a);
        const auto [first, last] = std::ranges::equal_range(pairs, a, {}, &glm::uvec2::x);
        for (std::uint32_t b = 0; b < ring.size(); ++b) {
            const Corners other = placed(b);
            if (!bounds_meet(corners, other) || gap_of(corners, other) > -kDoubtful) continue;
            if (std::ranges::find(first, last, b, &glm::uvec2::y) == last)
                return std::unexpected(fmt::format("triangles {} and {} are missing", a, b));
        }
    }
    return {};
}

void two_rings(CaseBuilder& c, CollisionSearch search) {
    const RingMesh ring(c.size());
    const BoxTree a = ring_tree(c, ring, "a");
    const CollisionPairs found = c.add(
        CollisionPairs{.a = a, .b = a, .position_b = kApart, .rotation_b = kTurn, .search = search},
        "find");
    c.time_only("find/");
    c.set_cost(cost_of(found, c.graph()));
    c.output("count", found.count);
    c.output("pairs", found.pairs);
    c.check([ring](CaseResults& results) -> Verdict {
        std::vector<glm::uvec2> pairs = results.read<glm::uvec2>("pairs");
        const std::vector<std::uint32_t> count = results.read<std::uint32_t>("count");
        if (count.empty() || count[0] > pairs.size()) return std::unexpected("no count");
        pairs.resize(count[0]);
        results.set_remark(fmt::format("{} pairs", pairs.size()));
        return are_pairs(ring, pairs);
    });
}

void build_tree(CaseBuilder& c) {
    const RingMesh ring(c.size());
    const BoxTree tree = ring_tree(c, ring, "tree");
    c.check<OrientedBox>(
        "boxes", tree.boxes, [ring](std::span<const OrientedBox> boxes) -> Verdict {
            // The box of all has the corners of all: each triangle is in some box as large as that.
            float largest = 0.0f;
            for (const OrientedBox& box : boxes.first(ring.size() - 1)) {
                const glm::dvec3 x(box.x[0], box.x[1], box.x[2]);
                const glm::dvec3 y(box.y[0], box.y[1], box.y[2]);
                if (std::abs(glm::length(x) - 1.0) > 1e-4 ||
                    std::abs(glm::length(y) - 1.0) > 1e-4 || std::abs(glm::dot(x, y)) > 1e-4)
                    return std::unexpected("axes that are not at right angles");
                largest = std::max({largest, box.half_size[0], box.half_size[1], box.half_size[2]});
            }
            return near(largest, 1.5, {.absolute = 0.08});
        });
}

void pairs_of_boxes(CaseBuilder& c) {
    const auto boxes = [&](std::string_view name, std::uint32_t seed) {
        return c.input<OrientedBox>(name, c.size(), [seed](std::uint64_t i) {
            const auto unit = [&](std::uint64_t k) { return hash_unit(16 * i + k + seed); };
            const float turn = 6.2831853f * unit(6);
            OrientedBox box;
            box.middle = {unit(0), unit(1), unit(2), 0.0f};
            box.half_size = {0.3f * unit(3), 0.3f * unit(4), 0.3f * unit(5), 0.0f};
            box.x = {std::cos(turn), std::sin(turn), 0.0f, 0.0f};
            box.y = {-std::sin(turn), std::cos(turn), 0.0f, 0.0f};
            return box;
        });
    };
    const auto a = boxes("a", 0);
    const auto b = boxes("b", 1u << 20);
    const passes::BoxPairs found = c.add(passes::BoxPairs{.a = a.buffer, .b = b.buffer});
    c.output("kept", found.kept);
    c.check<std::uint32_t>(
        "meet", found.meet, [a, b](std::span<const std::uint32_t> got) -> Verdict {
            // All are turned about z alone: what is known of their heights and circles must agree.
            for (std::size_t i = 0; i < got.size(); ++i) {
                const OrientedBox& p = a.values()[i];
                const OrientedBox& q = b.values()[i];
                const auto size = [](const OrientedBox& box) {
                    return std::hypot(box.half_size[0], box.half_size[1]);
                };
                const float across =
                    std::hypot(p.middle[0] - q.middle[0], p.middle[1] - q.middle[1]);
                const float up = std::abs(p.middle[2] - q.middle[2]);
                const float reach = p.half_size[2] + q.half_size[2];
                const bool apart = across > size(p) + size(q) + 1e-3f || up > reach + 1e-3f;
                const float inner = std::min(p.half_size[0], p.half_size[1]) +
                                    std::min(q.half_size[0], q.half_size[1]);
                const bool meet = across < inner && up < reach;
                if ((apart && got[i] != 0) || (meet && got[i] == 0))
                    return std::unexpected(fmt::format("pair {} is told wrongly", i));
            }
            return {};
        });
}

} // namespace

void add_collision_cases(CaseList& cases) {
    const std::string pairs(CollisionPairs::kName);
    const auto add = [&](std::string pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::move(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 10,
                   .most = 1u << 22});
    };
    add(std::string(passes::BuildBoxTree::kName), "ring", build_tree);
    add(pairs, "two rings", [](CaseBuilder& c) { two_rings(c, CollisionSearch::each); });
    add(pairs, "two rings by levels",
        [](CaseBuilder& c) { two_rings(c, CollisionSearch::levels); });
    add(pairs, "two rings by filtered levels",
        [](CaseBuilder& c) { two_rings(c, CollisionSearch::filtered); });
    add(std::string(passes::BoxPairs::kName), "at random", pairs_of_boxes);
}

} // namespace tuff::bench
