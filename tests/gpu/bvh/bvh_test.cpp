#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace tuff::testing_gpu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Random {
  public:
    explicit Random(std::uint32_t seed) : bits_(seed) {}
    std::uint32_t below(std::size_t end) {
        return static_cast<std::uint32_t>((std::uint64_t{bits_()} * end) >> 32);
    }
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(bits_() >> 8) * 0x1p-24f;
    }
    glm::vec3 in_cube(float half) {
        const float x = between(-half, half);
        const float y = between(-half, half);
        return {x, y, between(-half, half)};
    }

  private:
    std::mt19937 bits_;
};

void add_random(Soup& soup, Random& random, glm::vec3 middle, float size) {
    const glm::vec3 a = middle + random.in_cube(size);
    const glm::vec3 b = middle + random.in_cube(size);
    soup.add(a, b, middle + random.in_cube(size));
}

bool is_finite(glm::vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

struct Box {
    glm::vec3 low;
    glm::vec3 high;
};
bool same(const Box& a, const Box& b) {
    return a.low == b.low && a.high == b.high;
}
Box joined(const Box& a, const Box& b) {
    return {glm::min(a.low, b.low), glm::max(a.high, b.high)};
}

/// Walks through a hierarchy and stops at the first fault.
class Walk {
  public:
    Walk(const HostBvh& bvh, const Soup& soup)
        : bvh_(bvh), soup_(soup), seen_(soup.triangles.size(), false) {}

    std::string run() {
        using passes::BvhStatus;
        const BvhStatus& status = bvh_.status;
        const std::size_t proper = count_of(soup_, Kind::proper);
        if (status.leaves != proper)
            return fmt::format("{} leaves for {} triangles", status.leaves, proper);
        if (status.degenerate != count_of(soup_, Kind::degenerate) ||
            status.not_finite != count_of(soup_, Kind::not_finite) ||
            status.bad_index != count_of(soup_, Kind::bad_index))
            return fmt::format("{}, {} and {} triangles left out", status.degenerate,
                               status.not_finite, status.bad_index);
        if (proper == 0) return status.root == BvhStatus::kNoNode ? "" : "a root of nothing";
        if (status.nodes != proper - 1) return fmt::format("{} nodes", status.nodes);
        const Part all = visit(status.root, BvhStatus::kNoNode);
        if (!fault_.empty()) return fault_;
        if (all.leaves != proper) return fmt::format("{} leaves are reached", all.leaves);
        const Box root{glm::vec3(status.low[0], status.low[1], status.low[2]),
                       glm::vec3(status.high[0], status.high[1], status.high[2])};
        if (!same(root, all.box)) return "the box of all is not that of the root";
        return "";
    }

  private:
    struct Part {
        Box box;
        std::size_t leaves = 0;
    };
    Part fail(std::string fault) {
        if (fault_.empty()) fault_ = std::move(fault);
        return {};
    }
    Part visit(std::uint32_t reference, std::uint32_t parent) {
        if (!fault_.empty()) return {};
        if ((reference & passes::BvhStatus::kLeafBit) != 0)
            return visit_leaf(reference & ~passes::BvhStatus::kLeafBit, parent);
        if (std::size_t{reference} * 4 + 4 > bvh_.nodes.size() || ++visits_ > bvh_.status.nodes)
            return fail(fmt::format("reference {} of node {}", reference, parent));
        const glm::uvec4* node = &bvh_.nodes[std::size_t{reference} * 4];
        if (node[1].w != parent)
            return fail(
                fmt::format("node {} has parent {} instead of {}", reference, node[1].w, parent));
        const Part left = visit(node[0].w, reference);
        const Part right = visit(node[2].w, reference);
        if (!fault_.empty()) return {};
        if (!same(left.box, {floats(node[0]), floats(node[1])}) ||
            !same(right.box, {floats(node[2]), floats(node[3])}))
            return fail(fmt::format("a box in node {} is not that of the child", reference));
        const Part both{joined(left.box, right.box), left.leaves + right.leaves};
        if (node[3].w != both.leaves)
            return fail(fmt::format("{} leaves below node {} instead of {}", node[3].w, reference,
                                    both.leaves));
        return both;
    }
    Part visit_leaf(std::uint32_t leaf, std::uint32_t parent) {
        if (std::size_t{leaf} * 3 + 3 > bvh_.leaves.size())
            return fail(fmt::format("leaf {} of node {}", leaf, parent));
        const glm::uvec4* at = &bvh_.leaves[std::size_t{leaf} * 3];
        const std::uint32_t triangle = at[0].w;
        if (triangle >= seen_.size() || kind_of(soup_, triangle) != Kind::proper)
            return fail(fmt::format("leaf {} has triangle {}", leaf, triangle));
        if (seen_[triangle]) return fail(fmt::format("triangle {} is in two leaves", triangle));
        seen_[triangle] = true;
        if (at[1].w != parent)
            return fail(fmt::format("leaf {} has parent {} instead of {}", leaf, at[1].w, parent));
        const auto corners = soup_.corners(triangle);
        for (std::size_t i = 0; i < 3; ++i)
            if (floats(at[i]) != corners[i])
                return fail(
                    fmt::format("leaf {} has other vertices than triangle {}", leaf, triangle));
        return {{glm::min(glm::min(corners[0], corners[1]), corners[2]),
                 glm::max(glm::max(corners[0], corners[1]), corners[2])},
                1};
    }

    const HostBvh& bvh_;
    const Soup& soup_;
    std::vector<bool> seen_;
    std::size_t visits_ = 0;
    std::string fault_;
};

} // namespace

void Soup::add(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), {a, b, c});
    triangles.emplace_back(first, first + 1, first + 2);
}

std::array<glm::vec3, 3> Soup::corners(std::size_t triangle) const {
    const glm::uvec3 of = triangles[triangle];
    return {positions[of.x], positions[of.y], positions[of.z]};
}

Soup random_soup(std::size_t triangles, std::uint32_t seed, float size) {
    Soup soup{.name = "random", .positions = {}, .triangles = {}};
    Random random(seed);
    for (std::size_t i = 0; i < triangles; ++i)
        add_random(soup, random, random.in_cube(1.0f), size);
    return soup;
}

Soup clustered_soup(std::size_t triangles, std::uint32_t seed) {
    Soup soup{.name = "clustered", .positions = {}, .triangles = {}};
    Random random(seed);
    glm::vec3 heap(0.0f);
    for (std::size_t i = 0; i < triangles; ++i) {
        if (i % 61 == 0) heap = random.in_cube(1.0f);
        const float spread = std::exp2(-static_cast<float>(random.below(18)));
        add_random(soup, random, heap + random.in_cube(spread * 0.1f), spread * 0.3f);
    }
    return soup;
}

Soup duplicate_soup(std::size_t triangles, std::uint32_t seed) {
    Soup soup{.name = "duplicate", .positions = {}, .triangles = {}};
    const Soup few = random_soup(3, seed, 0.8f);
    Random random(seed);
    for (std::size_t i = 0; i < triangles; ++i) {
        const auto corners = few.corners(random.below(3));
        soup.add(corners[0], corners[1], corners[2]);
    }
    return soup;
}

Soup broken_soup(std::size_t triangles, std::uint32_t seed) {
    Soup soup = random_soup(triangles, seed, 0.5f);
    soup.name = "broken";
    Random random(seed);
    for (std::size_t i = 0; i < triangles; ++i) {
        glm::uvec3& of = soup.triangles[i];
        glm::vec3& corner = soup.positions[of.y];
        switch (random.below(18)) {
        case 0: of.z = of.x; break;
        case 1: corner = soup.positions[of.x]; break;
        case 2: // on one line
            corner = soup.positions[of.x] + glm::vec3(0.5f, 0.0f, 0.0f);
            soup.positions[of.z] = soup.positions[of.x] + glm::vec3(0.25f, 0.0f, 0.0f);
            break;
        case 3: corner.y = kNaN; break;
        case 4: corner.z = kInfinity; break;
        case 5: of.x = static_cast<std::uint32_t>(soup.positions.size()) + random.below(7); break;
        case 6: of.y = ~0u; break;
        default: break;
        }
    }
    return soup;
}

Soup flat_soup(std::size_t side) {
    Soup soup{.name = "flat", .positions = {}, .triangles = {}};
    const auto corner = [&](std::size_t x, std::size_t y) {
        const float scale = 2.0f / static_cast<float>(side);
        return glm::vec3(static_cast<float>(x) * scale - 1.0f, static_cast<float>(y) * scale - 1.0f,
                         0.25f);
    };
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) {
            soup.add(corner(x, y), corner(x + 1, y), corner(x, y + 1));
            soup.add(corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1));
        }
    return soup;
}

Soup line_soup(std::size_t triangles) {
    Soup soup{.name = "line", .positions = {}, .triangles = {}};
    for (std::size_t i = 0; i < triangles; ++i) {
        const float x = static_cast<float>(i) / static_cast<float>(triangles) * 2.0f - 1.0f;
        soup.add({x, -0.5f, -0.5f}, {x, 0.5f, -0.5f}, {x, 0.0f, 0.5f});
    }
    return soup;
}

Soup sphere(std::uint32_t levels, float radius) {
    Soup soup{.name = "sphere", .positions = {}, .triangles = {}};
    soup.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const std::uint32_t x : {0u, 1u})
        for (const std::uint32_t y : {2u, 3u})
            for (const std::uint32_t z : {4u, 5u})
                soup.triangles.emplace_back(x, y, z);
    for (std::uint32_t level = 0; level < levels; ++level) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> centroids;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, added] = centroids.try_emplace(
                std::minmax(a, b), static_cast<std::uint32_t>(soup.positions.size()));
            if (added) soup.positions.push_back(soup.positions[a] + soup.positions[b]);
            return at->second;
        };
        std::vector<glm::uvec3> cut;
        for (const glm::uvec3 t : soup.triangles) {
            const std::uint32_t xy = middle(t.x, t.y);
            const std::uint32_t yz = middle(t.y, t.z);
            const std::uint32_t zx = middle(t.z, t.x);
            cut.insert(cut.end(),
                       {{t.x, xy, zx}, {xy, t.y, yz}, {zx, yz, t.z}, glm::uvec3(xy, yz, zx)});
        }
        soup.triangles = std::move(cut);
        for (glm::vec3& p : soup.positions)
            p = glm::normalize(p);
    }
    for (glm::vec3& p : soup.positions)
        p *= radius;
    return soup;
}

Kind kind_of(const Soup& soup, std::size_t triangle) {
    const glm::uvec3 of = soup.triangles[triangle];
    for (glm::length_t i = 0; i < 3; ++i)
        if (of[i] >= soup.positions.size()) return Kind::bad_index;
    const auto [a, b, c] = soup.corners(triangle);
    if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return Kind::not_finite;
    return glm::cross(b - a, c - a) == glm::vec3(0.0f) ? Kind::degenerate : Kind::proper;
}

std::size_t count_of(const Soup& soup, Kind kind) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < soup.triangles.size(); ++i)
        if (kind_of(soup, i) == kind) ++count;
    return count;
}

std::vector<HostRay> random_rays(std::size_t count, std::uint32_t seed) {
    std::vector<HostRay> rays(count);
    Random random(seed);
    for (HostRay& ray : rays) {
        ray.origin = random.in_cube(2.0f);
        ray.direction = random.in_cube(1.0f) - ray.origin;
    }
    return rays;
}

std::vector<HostRay> awkward_rays(const Soup& soup, std::size_t count, std::uint32_t seed) {
    std::vector<HostRay> rays = random_rays(count, seed);
    Random random(seed + 1);
    std::vector<std::uint32_t> proper;
    for (std::uint32_t i = 0; i < soup.triangles.size(); ++i)
        if (kind_of(soup, i) == Kind::proper) proper.push_back(i);
    for (std::size_t i = 0; i < count; ++i) {
        HostRay& ray = rays[i];
        std::array<glm::vec3, 3> corners{glm::vec3(0, 0, 0), glm::vec3(1, 0, 0),
                                         glm::vec3(0, 1, 0)};
        std::uint32_t id = ~0u;
        if (!proper.empty()) {
            id = proper[random.below(proper.size())];
            corners = soup.corners(id);
        }
        const auto [a, b, c] = corners;
        switch (i % 16) {
        case 0: ray.direction = a - ray.origin; break;                    // through a corner
        case 1: ray.direction = 0.5f * (a + b) - ray.origin; break;       // through an edge
        case 2: ray = {.origin = a - (b - a), .direction = b - a}; break; // along an edge
        case 3: // from a point on a triangle, which it leaves
            ray.origin = (a + b + c) / 3.0f;
            ray.leaves = id;
            break;
        case 4: ray.direction = {0.0f, ray.direction.y, 0.0f}; break;
        case 5: ray.direction = {-0.0f, ray.direction.y, ray.direction.z}; break;
        case 6: // parallel to an axis, exactly through a corner
            ray.origin = {a.x, a.y, 3.0f};
            ray.direction = {0.0f, -0.0f, -1.0f};
            break;
        case 7: // in the plane of a box's face
            ray.origin = {-2.0f, a.y, b.z};
            ray.direction = {1.0f, 0.0f, 0.0f};
            break;
        case 8: ray.t_max = random.between(0.0f, 1.0f); break;
        case 9: ray.direction *= 1e-12f; break;
        case 10: ray.direction *= 1e12f; break;
        case 11: ray.origin = a; break;
        case 12: ray.origin = a - ray.direction * 1000.0f; break; // from far away
        case 13: ray.direction.y *= 1e-30f; break;
        case 14: // middle of the triangle, from one side and with a length that is exact
            ray.direction = (a + b + c) / 3.0f - ray.origin;
            ray.t_max = 1.0f;
            break;
        default: // nothing is hit
            switch ((i / 16 + seed) % 8) {
            case 0: ray.direction = glm::vec3(0.0f); break;
            case 1: ray.direction = glm::vec3(kNaN, 0.0f, 1.0f); break;
            case 2: ray.direction = glm::vec3(0.0f, kInfinity, 0.0f); break;
            case 3: ray.origin.y = kNaN; break;
            case 4: ray.origin.x = kInfinity; break;
            case 5:
                ray = {.origin = {a.x, a.y, kInfinity}, .direction = {0.0f, 0.0f, -1.0f}};
                break;
            case 6: ray.origin = glm::vec3(-kInfinity); break;
            default: ray.t_max = -1.0f; break;
            }
            break;
        }
    }
    return rays;
}

passes::TriangleMesh BvhTest::mesh(Graph& g, const Soup& soup) {
    std::vector<glm::vec3> positions = soup.positions;
    std::vector<glm::uvec3> triangles = soup.triangles;
    if (positions.empty()) positions.emplace_back(kNaN);
    if (triangles.empty()) triangles.emplace_back(7u);
    const auto p = bytes_of(positions);
    const auto t = bytes_of(triangles);
    passes::TriangleMesh mesh;
    mesh.positions = g.constant_buffer("positions", {.size = p->size(), .stride = 4}, p);
    mesh.indices = g.constant_buffer("indices", {.size = t->size(), .stride = 4}, t);
    mesh.vertex_count = static_cast<std::uint32_t>(soup.positions.size());
    mesh.triangle_count = static_cast<std::uint32_t>(soup.triangles.size());
    return mesh;
}

Buffer BvhTest::rays(Graph& g, const std::vector<HostRay>& rays) {
    const auto bytes = bytes_of(rays);
    return g.constant_buffer("rays", {.size = bytes->size(), .stride = 16}, bytes);
}

void output_bvh(Graph& g, const std::string& name, const passes::Bvh& bvh) {
    g.output(name + ".nodes", bvh.nodes);
    g.output(name + ".leaves", bvh.leaves);
    g.output(name + ".status", bvh.status);
}

HostBvh read_bvh(Running& running, const std::string& name) {
    HostBvh bvh{.status = {},
                .nodes = running.buffer<glm::uvec4>(name + ".nodes"),
                .leaves = running.buffer<glm::uvec4>(name + ".leaves")};
    const auto status = running.buffer<passes::BvhStatus>(name + ".status");
    if (status.empty())
        ADD_FAILURE() << "no status";
    else
        bvh.status = status[0];
    return bvh;
}

std::string fault_in(const HostBvh& bvh, const Soup& soup) {
    return Walk(bvh, soup).run();
}

} // namespace tuff::testing_gpu
