#include "apps/bench/checks.hpp"
#include "passes/bvh/cast.hpp"
#include "passes/bvh/driver_build.hpp"
#include "passes/bvh/heap_build.hpp"
#include "passes/bvh/improve.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

namespace tuff::bench {
namespace {

using passes::Bvh;
using passes::BvhStatus;
using passes::TriangleMesh;

/// `size()` triangles of a closed, wavy ring, two a vertex, as scans have them: neighbours in
/// memory are neighbours on the surface.
class Ring {
  public:
    explicit Ring(std::uint64_t triangles, float wave = 0.1f) : triangles_(triangles), wave_(wave) {
        while (2 * side_ * side_ < triangles)
            ++side_;
    }
    std::uint64_t vertices() const { return side_ * side_; }

    TriangleMesh mesh(CaseBuilder& c, std::string_view name = "ring") const {
        TriangleMesh mesh;
        const std::string prefix(name);
        mesh.positions =
            c.input<glm::vec3>(prefix + ".positions", vertices(), [&](std::uint64_t i) {
                 return position(i);
             }).buffer;
        mesh.indices = c.input<glm::uvec3>(prefix + ".indices", triangles_, [&](std::uint64_t i) {
                            return triangle(i);
                        }).buffer;
        mesh.vertex_count = static_cast<std::uint32_t>(vertices());
        mesh.triangle_count = static_cast<std::uint32_t>(triangles_);
        return mesh;
    }
    glm::vec3 position(std::uint64_t vertex) const {
        const auto turn = static_cast<float>(2.0 * std::numbers::pi / static_cast<double>(side_));
        const float u = static_cast<float>(vertex % side_) * turn;
        const float v = static_cast<float>(vertex / side_) * turn;
        const float tube = 0.4f + wave_ * std::sin(9.0f * u) * std::cos(7.0f * v);
        const float around = 1.0f + tube * std::cos(u);
        return {around * std::cos(v), tube * std::sin(u), around * std::sin(v)};
    }
    glm::uvec3 triangle(std::uint64_t i) const {
        const std::uint64_t x = i / 2 % side_;
        const std::uint64_t y = i / 2 / side_;
        const auto at = [&](std::uint64_t dx, std::uint64_t dy) {
            return static_cast<std::uint32_t>((x + dx) % side_ + (y + dy) % side_ * side_);
        };
        return i % 2 == 0 ? glm::uvec3(at(0, 0), at(1, 0), at(0, 1))
                          : glm::uvec3(at(1, 0), at(1, 1), at(0, 1));
    }

  private:
    std::uint64_t triangles_;
    float wave_;
    std::uint64_t side_ = 1;
};

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
    return Ring(c.size()).mesh(c);
}

/// The boxes of a heap's leaves hold all triangles; the root's is theirs.
void build_heap(CaseBuilder& c) {
    const Bvh bvh = c.add(passes::HeapBuild{.mesh = ring(c)}).bvh;
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
void driver_build(CaseBuilder& c, TriangleMesh (*mesh_of)(CaseBuilder&)) {
    if (!c.caps().acceleration_structures)
        return c.skip("the device builds no acceleration structures");
    const passes::DriverBuild built =
        c.add(passes::DriverBuild{.mesh = mesh_of(c), .checked = false}, "driver");
    c.time_only("driver/acceleration_bottom");
    c.check<std::uint32_t>("top", built.top, [](std::span<const std::uint32_t> got) -> Verdict {
        if (std::ranges::any_of(got, [](std::uint32_t word) { return word != 0; })) return {};
        return std::unexpected("nothing has been built");
    });
}

void refit(CaseBuilder& c) {
    // The hierarchy is built in the case too; what a refit takes is the difference.
    const Bvh built = c.add(passes::LbvhBuild{.mesh = Ring(c.size()).mesh(c)}).bvh;
    check_binary(
        c,
        c.add(passes::Refit{.source = built, .mesh = Ring(c.size(), 0.02f).mesh(c, "moved")}).bvh);
}

/// As many rays as triangles, from around the ring. The hierarchy is built in the case, too.
void cast(CaseBuilder& c, bool coherent, passes::Traversal traversal) {
    const TriangleMesh mesh = ring(c);
    const Bvh bvh = c.add(passes::QualityBuild{.mesh = mesh}).bvh;
    const std::uint32_t side = c.side();
    struct HostRay {
        glm::vec3 origin;
        float t_max;
        glm::vec3 direction;
        std::uint32_t leaves;
    };
    const auto rays = c.input<HostRay>("rays", c.size(), [&](std::uint64_t i) {
        const glm::vec3 to_pixel(
            (static_cast<float>(i % side) + 0.5f) / static_cast<float>(side) - 0.5f,
            (static_cast<float>(i / side) + 0.5f) / static_cast<float>(side) - 0.5f, 1.0f);
        const glm::vec3 anywhere(hash_unit(3 * i), hash_unit(3 * i + 1), hash_unit(3 * i + 2));
        return coherent ? HostRay{{0.0f, 0.0f, -3.5f}, 1e30f, to_pixel, ~0u}
                        : HostRay{3.0f * anywhere - 1.5f, 1e30f,
                                  2.0f * glm::vec3(hash_unit(~(3 * i)), hash_unit(~(3 * i + 1)),
                                                   hash_unit(~(3 * i + 2))) -
                                      1.0f,
                                  ~0u};
    });
    const Buffer hits =
        c.add(passes::CastRays{.bvh = bvh, .rays = rays.buffer, .traversal = traversal}).hits;
    const auto bytes = rays;
    c.check<glm::uvec4>(
        "hits", hits,
        [bytes, ring = Ring(c.size()),
         triangles = c.size()](std::span<const glm::uvec4> got) -> Verdict {
            std::uint64_t hit_rays = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (got[i].y == ~0u) continue;
                ++hit_rays;
                if (got[i].y >= triangles) return std::unexpected("a triangle that there is not");
                // The weights tell a point on the triangle; t one on the ray.
                const glm::uvec3 of = ring.triangle(got[i].y);
                const float weight_b = std::bit_cast<float>(got[i].z);
                const float weight_c = std::bit_cast<float>(got[i].w);
                const glm::vec3 on_triangle = (1.0f - weight_b - weight_c) * ring.position(of.x) +
                                              weight_b * ring.position(of.y) +
                                              weight_c * ring.position(of.z);
                const HostRay& ray = bytes.values()[i];
                const glm::vec3 on_ray =
                    ray.origin + std::bit_cast<float>(got[i].x) * ray.direction;
                if (glm::distance(on_triangle, on_ray) > 1e-3f)
                    return std::unexpected(fmt::format("ray {} does not meet what it hits", i));
            }
            if (hit_rays < got.size() / 20) return std::unexpected("hardly any ray hits anything");
            return {};
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
    add(passes::DriverBuild::kName, "ring", [](CaseBuilder& c) { driver_build(c, ring); });
    add(passes::DriverBuild::kName, "soup", [](CaseBuilder& c) { driver_build(c, soup); });
    add(passes::QualityBuild::kName, "ring", building(passes::QualityBuild{}, ring));
    add(passes::HeapBuild::kName, "ring", build_heap);
    add(passes::Refit::kName, "ring after a build", refit);
    for (const bool coherent : {true, false})
        for (const Traversal traversal : {Traversal::stack, Traversal::trail})
            add(passes::CastRays::kName,
                fmt::format("{} rays by {} after a build", coherent ? "primary" : "random",
                            traversal == Traversal::stack ? "stack" : "trail"),
                [coherent, traversal](CaseBuilder& c) { cast(c, coherent, traversal); });
}

} // namespace tuff::bench
