#include "apps/bench/checks.hpp"
#include "apps/bench/ring_mesh.hpp"
#include "passes/bvh/cast.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/bvh/restructure_treelets.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

namespace tuff::bench {
namespace {

using passes::Bvh;
using passes::BvhStatus;
using passes::TriangleMesh;

/// Small triangles without any order in a cube.
TriangleMesh soup(CaseBuilder& c) {
    const auto size = static_cast<float>(0.5 / std::cbrt(static_cast<double>(c.size())));
    TriangleMesh mesh;
    mesh.positions =
        c.input<glm::vec3>("soup.positions", 3 * c.size(), [&](std::uint64_t i) {
             const auto in_cube = [](std::uint64_t at) {
                 return glm::vec3(hash_unit(3 * at), hash_unit(3 * at + 1), hash_unit(3 * at + 2));
             };
             return in_cube(i / 3) + size * in_cube(i + (std::uint64_t{1} << 30));
         }).buffer;
    mesh.indices = c.input<std::uint32_t>("soup.indices", 3 * c.size(), [](std::uint64_t i) {
                        return static_cast<std::uint32_t>(i);
                    }).buffer;
    mesh.vertex_count = static_cast<std::uint32_t>(3 * c.size());
    mesh.triangle_count = static_cast<std::uint32_t>(c.size());
    return mesh;
}

glm::vec3 corner(const glm::uvec4& quad) {
    return {std::bit_cast<float>(quad.x), std::bit_cast<float>(quad.y),
            std::bit_cast<float>(quad.z)};
}

/// Walks a binary hierarchy: each leaf is reached once, and boxes lie within those above. (That
/// boxes are those of the children to the bit, tests show.)
Verdict is_hierarchy(const BvhStatus& status, std::span<const glm::uvec4> nodes,
                     std::span<const glm::uvec4> leaves, std::uint64_t triangles) {
    if (status.leaves != triangles)
        return std::unexpected(fmt::format("{} of {} triangles", status.leaves, triangles));
    struct Item {
        std::uint32_t node;
        glm::vec3 low;
        glm::vec3 high;
    };
    const glm::vec3 low(status.low[0], status.low[1], status.low[2]);
    const glm::vec3 high(status.high[0], status.high[1], status.high[2]);
    std::vector<Item> stack{{status.root, low, high}};
    std::vector<bool> seen(triangles, false);
    std::uint64_t reached = 0;
    const auto within = [](glm::vec3 point, const Item& box) {
        return glm::all(glm::greaterThanEqual(point, box.low)) &&
               glm::all(glm::lessThanEqual(point, box.high));
    };
    while (!stack.empty()) {
        const Item item = stack.back();
        stack.pop_back();
        if ((item.node & BvhStatus::kLeafBit) != 0) {
            const std::size_t leaf = 3 * std::size_t{item.node & ~BvhStatus::kLeafBit};
            if (leaf + 2 >= leaves.size()) return std::unexpected("a leaf that there is not");
            const std::uint32_t triangle = leaves[leaf].w;
            if (triangle >= triangles || seen[triangle])
                return std::unexpected(fmt::format("triangle {} is there twice", triangle));
            seen[triangle] = true;
            ++reached;
            for (std::size_t i = 0; i < 3; ++i)
                if (!within(corner(leaves[leaf + i]), item))
                    return std::unexpected(fmt::format("triangle {} is not in its box", triangle));
            continue;
        }
        const std::size_t at = 4 * std::size_t{item.node};
        if (at + 3 >= nodes.size() || stack.size() > triangles)
            return std::unexpected("a node that there is not");
        for (std::size_t side = 0; side < 4; side += 2) {
            const Item child{nodes[at + side].w, corner(nodes[at + side]),
                             corner(nodes[at + side + 1])};
            if (!within(child.low, item) || !within(child.high, item))
                return std::unexpected(fmt::format("a child of node {} is not in it", item.node));
            stack.push_back(child);
        }
    }
    if (reached != triangles) return std::unexpected(fmt::format("{} leaves", reached));
    return {};
}

void check_binary(CaseBuilder& c, const Bvh& bvh) {
    c.output("nodes", bvh.nodes);
    c.output("leaves", bvh.leaves);
    c.output("status", bvh.status);
    c.check([triangles = c.size()](CaseResults& results) -> Verdict {
        const auto status = results.read<BvhStatus>("status");
        if (status.empty()) return std::unexpected("no status");
        const auto nodes = results.read<glm::uvec4>("nodes");
        return is_hierarchy(status[0], nodes, results.read<glm::uvec4>("leaves"), triangles);
    });
}

template <typename Build>
auto building(Build pass, TriangleMesh (*mesh)(CaseBuilder&)) {
    return [pass, mesh](CaseBuilder& c) {
        Build build = pass;
        build.mesh = mesh(c);
        check_binary(c, c.add(build).bvh);
    };
}

TriangleMesh ring(CaseBuilder& c) {
    return RingMesh(c.size()).mesh(c);
}

/// The boxes of a heap's leaves hold all triangles; the root's is theirs.
void build_heap(CaseBuilder& c) {
    const Bvh bvh = c.add(passes::ImplicitBuild{.mesh = ring(c)}).bvh;
    c.output("nodes", bvh.nodes);
    c.output("status", bvh.status);
    c.check([triangles = c.size(), levels = bvh.levels](CaseResults& results) -> Verdict {
        const auto status = results.read<BvhStatus>("status");
        const auto nodes = results.read<glm::uvec4>("nodes");
        if (status.empty() || nodes.size() < std::size_t{2} << levels)
            return std::unexpected("no nodes");
        std::uint64_t in_leaves = 0;
        for (std::size_t node = 1; node < std::size_t{1} << levels; ++node) {
            const std::uint32_t kind = nodes[2 * node].w;
            if (kind != 0x80000001u && (kind & 4u) != 0) in_leaves += kind >> 3;
        }
        if (status[0].leaves != triangles || in_leaves != triangles)
            return std::unexpected(fmt::format("{} triangles in leaves", in_leaves));
        return {};
    });
}

/// The device's own fast build of the lower level, beside ours of the same mesh.
void hardware_build(CaseBuilder& c, TriangleMesh (*mesh_of)(CaseBuilder&)) {
    if (!c.caps().acceleration_structures)
        return c.skip("the device builds no acceleration structures");
    const passes::HardwareBuild built =
        c.add(passes::HardwareBuild{.mesh = mesh_of(c), .checked = false}, "driver");
    c.time_only("driver/acceleration_bottom");
    c.check<std::uint32_t>("top", built.top, [](std::span<const std::uint32_t> got) -> Verdict {
        if (std::ranges::any_of(got, [](std::uint32_t word) { return word != 0; })) return {};
        return std::unexpected("nothing has been built");
    });
}

void refit(CaseBuilder& c) {
    // The hierarchy is built in the case too; what a refit takes is the difference.
    const Bvh built = c.add(passes::LbvhBuild{.mesh = RingMesh(c.size()).mesh(c)}).bvh;
    check_binary(
        c, c.add(passes::Refit{.source = built, .mesh = RingMesh(c.size(), 0.02f).mesh(c, "moved")})
               .bvh);
}

struct HostRay {
    glm::vec3 origin;
    float t_max;
    glm::vec3 direction;
    std::uint32_t leaves;
};
/// What kernels write of a hit.
struct HostHit {
    float t;
    std::uint32_t triangle;
    glm::vec2 weights; ///< of the second and third vertex
};

/// A primary ray of a square picture of the ring, or one from anywhere to anywhere.
HostRay ray_at_ring(std::uint64_t i, std::uint32_t side, bool coherent) {
    if (coherent) {
        const glm::vec3 to_pixel(
            (static_cast<float>(i % side) + 0.5f) / static_cast<float>(side) - 0.5f,
            (static_cast<float>(i / side) + 0.5f) / static_cast<float>(side) - 0.5f, 1.0f);
        return {{0.0f, 0.0f, -3.5f}, 1e30f, to_pixel, ~0u};
    }
    const glm::vec3 anywhere(hash_unit(3 * i), hash_unit(3 * i + 1), hash_unit(3 * i + 2));
    const glm::vec3 along(hash_unit(~(3 * i)), hash_unit(~(3 * i + 1)), hash_unit(~(3 * i + 2)));
    return {3.0f * anywhere - 1.5f, 1e30f, 2.0f * along - 1.0f, ~0u};
}

/// The nearest of the triangles that a ray hits, in double precision, tried one by one.
class Reference {
  public:
    explicit Reference(const HostRay& ray) : origin_(ray.origin), direction_(ray.direction) {}
    void meet(std::uint32_t triangle, const std::array<glm::vec3, 3>& corners) {
        const glm::dvec3 a(corners[0]);
        const glm::dvec3 ab = glm::dvec3(corners[1]) - a;
        const glm::dvec3 ac = glm::dvec3(corners[2]) - a;
        const glm::dvec3 p = glm::cross(direction_, ac);
        const double determinant = glm::dot(ab, p);
        if (determinant == 0.0) return;
        const glm::dvec3 q = glm::cross(origin_ - a, ab);
        const double b = glm::dot(origin_ - a, p) / determinant;
        const double c = glm::dot(direction_, q) / determinant;
        const double t = glm::dot(ac, q) / determinant;
        const double inside = std::min({1.0 - b - c, b, c});
        if (t < 0.0 || inside < -kEdge || t >= t_) return;
        // Where a nearer triangle is hit or missed by a rounding, either may be found.
        in_doubt_ = inside < kEdge;
        t_ = t;
        triangle_ = triangle;
    }
    /// What is wrong with the hit of this ray.
    Verdict judge(const HostHit& got) const {
        if (in_doubt_ || got.triangle == triangle_) {
            if (triangle_ == kNone || in_doubt_ ||
                std::abs(static_cast<double>(got.t) - t_) <= 1e-4 * (1.0 + t_))
                return {};
        }
        return std::unexpected(fmt::format("triangle {} at {} instead of {} at {}", got.triangle,
                                           got.t, triangle_, t_));
    }
    bool in_doubt() const { return in_doubt_; }

  private:
    static constexpr std::uint32_t kNone = ~0u;
    static constexpr double kEdge = 1e-3; // of a triangle's weights

    glm::dvec3 origin_;
    glm::dvec3 direction_;
    double t_ = 1e30;
    std::uint32_t triangle_ = kNone;
    bool in_doubt_ = false;
};

/// Rays spread over all, each against every triangle: about a second's work.
Verdict agrees_with_all_triangles(const RingMesh& ring, std::span<const HostRay> rays,
                                  std::span<const HostHit> hits, std::uint64_t triangles) {
    const std::uint64_t samples = std::min<std::uint64_t>(
        rays.size(), std::clamp<std::uint64_t>((1u << 27) / triangles, 16, 512));
    std::vector<std::uint64_t> chosen;
    std::vector<Reference> references;
    for (std::uint64_t i = 0; i < samples; ++i) {
        chosen.push_back((i * rays.size() + rays.size() / 2) / samples);
        references.emplace_back(rays[chosen.back()]);
    }
    std::vector<glm::vec3> positions;
    for (std::uint64_t i = 0; i < ring.vertices(); ++i)
        positions.push_back(ring.position(i));
    for (std::uint32_t i = 0; i < triangles; ++i) {
        const glm::uvec3 of = ring.triangle(i);
        for (Reference& reference : references)
            reference.meet(i, {positions[of.x], positions[of.y], positions[of.z]});
    }
    std::uint64_t in_doubt = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
        if (auto verdict = references[i].judge(hits[chosen[i]]); !verdict)
            return std::unexpected(fmt::format("ray {}: {}", chosen[i], verdict.error()));
        in_doubt += references[i].in_doubt();
    }
    if (10 * in_doubt > samples)
        return std::unexpected(fmt::format("{} of {} rays pass edges", in_doubt, samples));
    return {};
}

/// That what each ray is said to hit is where it is said to be.
Verdict meets_what_it_hits(const RingMesh& ring, std::span<const HostRay> rays,
                           std::span<const HostHit> hits, std::uint64_t triangles) {
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const HostHit& hit = hits[i];
        if (hit.triangle == ~0u) {
            if (hit.t != rays[i].t_max)
                return std::unexpected(fmt::format("ray {} ends at {} in nothing", i, hit.t));
            continue;
        }
        if (hit.triangle >= triangles) return std::unexpected("a triangle that there is not");
        const float weight_a = 1.0f - hit.weights.x - hit.weights.y;
        if (std::min({weight_a, hit.weights.x, hit.weights.y}) < -1e-5f)
            return std::unexpected(fmt::format("ray {} hits beside its triangle", i));
        const glm::uvec3 of = ring.triangle(hit.triangle);
        const glm::vec3 on_triangle = weight_a * ring.position(of.x) +
                                      hit.weights.x * ring.position(of.y) +
                                      hit.weights.y * ring.position(of.z);
        const glm::vec3 on_ray = rays[i].origin + hit.t * rays[i].direction;
        if (glm::distance(on_triangle, on_ray) > 1e-3f)
            return std::unexpected(fmt::format("ray {} does not meet what it hits", i));
    }
    return {};
}

/// As many rays as triangles, from around the ring. The hierarchy is built in the case, too.
void cast(CaseBuilder& c, bool coherent, passes::Traversal traversal) {
    const TriangleMesh mesh = ring(c);
    const Bvh bvh = c.add(passes::QualityBuild{.mesh = mesh}).bvh;
    const auto rays = c.input<HostRay>("rays", c.size(), [&, side = c.side()](std::uint64_t i) {
        return ray_at_ring(i, side, coherent);
    });
    const Buffer hits =
        c.add(passes::CastRays{.bvh = bvh, .rays = rays.buffer, .traversal = traversal}).hits;
    c.check<HostHit>("hits", hits,
                     [rays, ring = RingMesh(c.size()),
                      triangles = c.size()](std::span<const HostHit> got) -> Verdict {
                         if (got.size() < triangles) return std::unexpected("too few hits");
                         const auto verdict = meets_what_it_hits(ring, rays.values(),
                                                                 got.first(triangles), triangles);
                         if (!verdict) return verdict;
                         return agrees_with_all_triangles(ring, rays.values(), got, triangles);
                     });
}

} // namespace

void add_bvh_cases(CaseList& cases) {
    const std::uint64_t most = std::uint64_t{1} << 24;
    const std::uint64_t most_on_software = std::uint64_t{1} << 16;
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = most,
                   .most_on_software = most_on_software});
    };
    using passes::CodeBits;
    using passes::LbvhBuild;
    using passes::Traversal;
    LbvhBuild wide;
    wide.bits = CodeBits::bits60;
    add(LbvhBuild::kName, "ring 30 bits", building(LbvhBuild{}, ring));
    add(LbvhBuild::kName, "ring 60 bits", building(wide, ring));
    add(LbvhBuild::kName, "soup 30 bits", building(LbvhBuild{}, soup));
    add(passes::HardwareBuild::kName, "ring", [](CaseBuilder& c) { hardware_build(c, ring); });
    add(passes::HardwareBuild::kName, "soup", [](CaseBuilder& c) { hardware_build(c, soup); });
    add(passes::QualityBuild::kName, "ring", building(passes::QualityBuild{}, ring));
    add(passes::ImplicitBuild::kName, "ring", build_heap);
    add(passes::Refit::kName, "ring after a build", refit);
    for (const bool coherent : {true, false})
        for (const Traversal traversal : {Traversal::stack, Traversal::bit_trail})
            add(passes::CastRays::kName,
                fmt::format("{} rays by {} after a build", coherent ? "primary" : "random",
                            traversal == Traversal::stack ? "stack" : "bit_trail"),
                [coherent, traversal](CaseBuilder& c) { cast(c, coherent, traversal); });
}

} // namespace tuff::bench
