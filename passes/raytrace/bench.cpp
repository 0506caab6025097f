#include "apps/bench/checks.hpp"
#include "apps/bench/embree.hpp"
#include "passes/bvh/cast.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/raytrace/primary.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

namespace tuff::bench {
namespace {

using passes::Bvh;
using passes::CastRays;
using passes::TriangleMesh;

constexpr std::uint64_t kCheckedTracedRays = 48;
constexpr std::uint32_t kMaxTracedTriangles = 1u << 20;

/// As `HostRay` has it.
struct RayWords {
    glm::vec3 origin;
    float t_max = 1e30f;
    glm::vec3 direction;
    std::uint32_t leaves = ~0u;
};
static_assert(sizeof(RayWords) == sizeof(HostRay));
struct HitWords {
    float t;
    std::uint32_t triangle;
    float weights[2];
};
static_assert(sizeof(RayWords) == 4 * CastRays::kRayWords);
static_assert(sizeof(HitWords) == 4 * CastRays::kHitWords);

/// The t of the nearest hit in double precision; infinite where there is none.
double nearest(const RayWords& ray, std::span<const float> positions,
               std::span<const std::uint32_t> indices) {
    const auto corner = [&](std::size_t i) {
        const float* p = &positions[std::size_t{3} * indices[i]];
        return glm::dvec3(p[0], p[1], p[2]);
    };
    const glm::dvec3 origin(ray.origin);
    const glm::dvec3 direction(ray.direction);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const glm::dvec3 a = corner(i);
        const glm::dvec3 ab = corner(i + 1) - a;
        const glm::dvec3 ac = corner(i + 2) - a;
        const glm::dvec3 p = glm::cross(direction, ac);
        const double determinant = glm::dot(ab, p);
        if (determinant == 0.0) continue;
        const double u = glm::dot(origin - a, p) / determinant;
        const glm::dvec3 q = glm::cross(origin - a, ab);
        const double v = glm::dot(direction, q) / determinant;
        const double t = glm::dot(ac, q) / determinant;
        if (u >= 0 && v >= 0 && u + v <= 1 && t >= 0) best = std::min(best, t);
    }
    return best;
}

/// A share of the hits against all triangles. At edges and silhouettes one in this many may differ.
Verdict hits_are_nearest(std::span<const HitWords> hits, std::span<const RayWords> rays,
                         std::span<const float> positions, std::span<const std::uint32_t> indices) {
    if (hits.size() != rays.size()) return std::unexpected("there are too few hits");
    std::uint64_t off = 0;
    std::uint64_t found = 0;
    for (std::uint64_t k = 0; k < kCheckedTracedRays; ++k) {
        const std::size_t i = (2 * k + 1) * rays.size() / (2 * kCheckedTracedRays);
        if (rays[i].t_max < 0.0f) continue;
        const double wanted = nearest(rays[i], positions, indices);
        const bool hit = hits[i].triangle != ~0u;
        found += hit;
        if (hit != std::isfinite(wanted) ||
            (hit && !near(static_cast<double>(hits[i].t), wanted, {.relative = 1e-4})))
            ++off;
    }
    if (found == 0) return std::unexpected("no ray hits anything");
    if (off > 1)
        return std::unexpected(fmt::format("{} of {} rays are wrong", off, kCheckedTracedRays));
    return {};
}

/// All hits against those of Embree, where there is one, and how long that takes. Of rays through
/// edges one in this many may differ.
Verdict compare_with_embree(CaseResults& results, std::span<const HitWords> hits,
                            std::span<const float> positions,
                            std::span<const std::uint32_t> indices) {
    const auto rays = results.read<HostRay>("rays");
    const auto traced = trace_by_embree(rays, positions, indices);
    if (!traced) return {};
    results.add_peer({.name = traced->name, .milliseconds = traced->milliseconds});
    std::size_t off = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const bool hit = hits[i].triangle != ~0u;
        const bool theirs = std::isfinite(traced->t[i]);
        off +=
            hit != theirs || (hit && !near(static_cast<double>(hits[i].t),
                                           static_cast<double>(traced->t[i]), {.relative = 1e-4}));
    }
    if (off <= hits.size() / 1000 + 1) return {};
    return std::unexpected(fmt::format("{} of {} hits are not Embree's", off, hits.size()));
}

/// By which hierarchy and traversal rays are cast.
enum class By : std::uint8_t { ours, device };

/// The hits of the device's traversal against ours: one in this many may be another triangle's, as
/// of Embree's.
constexpr std::size_t kRaysATie = 1000;

Verdict differ_by_ties(std::span<const HitWords> hits, std::span<const HitWords> ours) {
    std::size_t ties = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (hits[i].triangle != ours[i].triangle)
            ++ties;
        else if (std::memcmp(&hits[i], &ours[i], sizeof(HitWords)) != 0)
            return std::unexpected(fmt::format("hit {} is not ours to the bit", i));
    }
    if (ties <= hits.size() / kRaysATie + 1) return {};
    return std::unexpected(fmt::format("{} of {} hits are not ours", ties, hits.size()));
}

bool skips(CaseBuilder& c, By by) {
    if (by == By::ours || c.caps().ray_query || c.caps().ray_tracing_pipelines) return false;
    c.skip("the device sends no rays of its own");
    return true;
}

void cast(CaseBuilder& c, const TriangleMesh& mesh, Buffer rays, By by) {
    const Bvh ours = c.graph().add(passes::LbvhBuild{.mesh = mesh}).bvh;
    const Bvh bvh =
        by == By::ours ? ours : c.graph().add(passes::HardwareBuild{.mesh = mesh, .bvh = {}}).bvh;
    const CastRays traced = c.graph().add(CastRays{.bvh = bvh, .rays = rays}, "trace");
    if (by == By::device)
        c.output("ours", c.graph().add(CastRays{.bvh = ours, .rays = rays}, "ours").hits);
    c.time_only("trace/");
    const auto rays_cast = static_cast<double>(c.size());
    c.set_cost({.bytes = 48.0 * rays_cast, .operations = 600.0 * rays_cast});
    c.output("hits", traced.hits);
    // Copies: inputs of a case are constants, which are no execution's output.
    const auto keep = [&](std::string_view name, Buffer buffer) {
        Graph& g = c.graph();
        c.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    };
    keep("rays", rays);
    keep("positions", mesh.positions);
    keep("indices", mesh.indices);
    c.check([by](CaseResults& results) -> Verdict {
        const auto hits = results.read<HitWords>("hits");
        const auto cast_rays = results.read<RayWords>("rays");
        const auto positions = results.read<float>("positions");
        const auto indices = results.read<std::uint32_t>("indices");
        if (auto wrong = hits_are_nearest(hits, cast_rays, positions, indices); !wrong)
            return wrong;
        if (by == By::device)
            if (auto wrong = differ_by_ties(hits, results.read<HitWords>("ours")); !wrong)
                return wrong;
        return compare_with_embree(results, hits, positions, indices);
    });
}

void bunny(CaseBuilder& c, By by) {
    if (skips(c, by)) return;
    const auto file = find_asset("glmark2/models/bunny.obj");
    if (!file) return c.skip("the bunny of glmark2-data is not installed");
    auto loaded = load_scene(*file);
    if (!loaded) return c.skip("the bunny cannot be read");
    const Scene scene = add_scene(c.graph(), "bunny", pack_scene(std::move(*loaded)));
    passes::PrimaryRays rays{.scene = scene, .width = c.side(), .height = c.side()};
    const Buffer all = c.graph().add(rays).rays;
    cast(c, c.graph().add(passes::Triangles{.scene = scene}).mesh, all, by);
}

/// A bumpy ball, seen from inside: every ray hits something, and neighbours go apart.
class Cave {
  public:
    explicit Cave(std::uint32_t triangles)
        : rings_(std::max(
              2u, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 4.0)))) {}

    std::uint32_t rings() const { return rings_; }
    std::uint32_t segments() const { return 2 * rings_; }
    std::uint32_t vertex_count() const { return (rings_ + 1) * (segments() + 1); }
    std::uint32_t triangle_count() const { return 2 * rings_ * segments(); }

    glm::vec3 point(double u, double v) const {
        const double down = v * std::numbers::pi;
        const double around = 2.0 * u * std::numbers::pi;
        const double radius =
            1.0 + 0.08 * std::sin(9.0 * around) * std::sin(7.0 * down) * std::sin(down);
        return glm::vec3(radius * glm::dvec3(std::sin(down) * std::sin(around), std::cos(down),
                                             std::sin(down) * std::cos(around)));
    }
    float coordinate(std::uint64_t i) const {
        const auto vertex = static_cast<std::uint32_t>(i / 3);
        return point(static_cast<double>(vertex % (segments() + 1)) / segments(),
                     static_cast<double>(vertex / (segments() + 1)) /
                         rings_)[static_cast<int>(i % 3)];
    }
    std::uint32_t index(std::uint64_t i) const {
        const auto cell = static_cast<std::uint32_t>(i / 6);
        const std::uint32_t first = cell / segments() * (segments() + 1) + cell % segments();
        const std::uint32_t below = first + segments() + 1;
        const std::uint32_t corners[6] = {first, below, below + 1, first, below + 1, first + 1};
        return corners[i % 6];
    }
    /// The ray that light takes which has come to pixel (x, y) of a picture of the cave.
    RayWords bounced(std::uint64_t i, std::uint32_t side) const {
        const double u = (0.15 + 0.7 * static_cast<double>(i % side) / side);
        const double v = (0.15 + 0.7 * static_cast<double>(i / side) / side);
        const glm::vec3 place = point(u, v);
        const glm::vec3 normal =
            glm::normalize(glm::cross(point(u, v + 1e-3) - place, point(u + 1e-3, v) - place));
        const float inwards = glm::dot(normal, place) > 0.0f ? -1.0f : 1.0f;
        // Cosine-weighted: a point of the unit ball's surface added to the normal.
        const float z = 2.0f * hash_unit(2 * i) - 1.0f;
        const float angle = 2.0f * std::numbers::pi_v<float> * hash_unit(2 * i + 1);
        const float across = std::sqrt(std::max(1.0f - z * z, 0.0f));
        const glm::vec3 ball(across * std::cos(angle), across * std::sin(angle), z);
        RayWords ray;
        ray.origin = place + inwards * 2e-3f * normal;
        ray.direction = glm::normalize(inwards * normal + 0.999f * ball);
        return ray;
    }

  private:
    std::uint32_t rings_;
};

void cave(CaseBuilder& c, By by) {
    if (skips(c, by)) return;
    const Cave made(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(c.size(), kMaxTracedTriangles)));
    const auto positions = c.input<float>("positions", std::uint64_t{3} * made.vertex_count(),
                                          [&](std::uint64_t i) { return made.coordinate(i); });
    const auto indices = c.input<std::uint32_t>("indices", std::uint64_t{3} * made.triangle_count(),
                                                [&](std::uint64_t i) { return made.index(i); });
    const std::uint32_t side = c.side();
    const auto rays = c.input<RayWords>("rays", std::uint64_t{side} * side,
                                        [&](std::uint64_t i) { return made.bounced(i, side); });
    cast(c,
         {.positions = positions.buffer,
          .indices = indices.buffer,
          .draws = {},
          .vertex_count = made.vertex_count(),
          .triangle_count = made.triangle_count()},
         rays.buffer, by);
}

} // namespace

void add_raytrace_cases(CaseList& cases) {
    const auto add = [&](std::string name, void (*build)(CaseBuilder&, By), By by) {
        cases.add({.pass = std::string(CastRays::kName),
                   .name = std::move(name),
                   .build = [build, by](CaseBuilder& c) { build(c, by); },
                   .most = std::uint64_t{1} << 24,
                   .most_on_software = std::uint64_t{1} << 14});
    };
    add("primary rays of the bunny", bunny, By::ours);
    add("primary rays of the bunny by the device", bunny, By::device);
    add("diffuse bounces in 1 M triangles", cave, By::ours);
    add("diffuse bounces in 1 M triangles by the device", cave, By::device);
}

} // namespace tuff::bench
