#include "apps/bench/checks.hpp"
#include "passes/bvh/cast.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/cast.hpp"
#include "passes/displacement/tessellate.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <cmath>
#include <limits>

/// As many rays as the case has elements, from an eye above 256 patches with bumps that hang over.
namespace tuff::bench {
namespace {

constexpr std::uint32_t kPatchesOfSide = 16;
constexpr std::uint32_t kFinest = 5;
constexpr std::uint32_t kCells = 1u << kFinest;
constexpr std::uint32_t kMapSide = 129; // four texels a cell, and one more
const glm::dvec3 kEye(5.0, 6.0, 14.0);

/// Bumps of height 0.4 whose upper parts are wider.
glm::vec4 bump_at(std::uint64_t i) {
    const double u = static_cast<double>(i % kMapSide) / (kMapSide - 1) - 0.5;
    const double v = static_cast<double>(i / kMapSide) / (kMapSide - 1) - 0.5;
    const double up = std::max(0.0, 1.0 - 6.0 * (u * u + v * v));
    const double wide = 0.9 * up * up;
    return {u * wide, 0.4 * up * up, -v * wide, 0.0};
}

glm::dvec3 ground_point(std::uint32_t patch, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t step = (kMapSide - 1) / kCells;
    const glm::dvec3 moved(bump_at(std::uint64_t{y} * step * kMapSide + x * step));
    return glm::dvec3(patch % kPatchesOfSide + x / double{kCells}, 0.0,
                      -double(patch / kPatchesOfSide) - y / double{kCells}) +
           moved;
}

passes::PatchRecord ground_patch(std::uint64_t i) {
    const auto x = static_cast<float>(i % kPatchesOfSide);
    const auto z = -static_cast<float>(i / kPatchesOfSide);
    passes::PatchRecord p;
    p.a = {x, 0.0f, z};
    p.b = {x + 1.0f, 0.0f, z};
    p.c = {x + 1.0f, 0.0f, z - 1.0f};
    p.d = {x, 0.0f, z - 1.0f};
    p.normal_a = p.normal_b = p.normal_c = p.normal_d = {0.0f, 1.0f, 0.0f};
    p.u_b = p.u_c = p.v_c = p.v_d = 1.0f;
    return p;
}

/// Through tiles of 8 x 8 of a square, as a picture's.
passes::RayRecord ray_to_ground(std::uint64_t i, std::uint32_t side) {
    const std::uint64_t tiles = std::max(side / 8, 1u);
    const auto x = static_cast<double>(i / 64 % tiles * 8 + i % 8);
    const auto y = static_cast<double>(i / 64 / tiles * 8 + i / 8 % 8);
    const double scale = 15.8 / static_cast<double>(tiles * 8);
    const glm::dvec3 to(0.1 + (x + 0.37) * scale, 0.0, -0.1 - std::fmod((y + 0.41) * scale, 15.8));
    return {.origin = glm::vec3(kEye),
            .t_max = 1e30f,
            .direction = glm::vec3(glm::normalize(to - kEye))};
}

/// t of the ray's hit on a triangle, infinite where it misses, also by little.
double triangle_hit(const passes::RayRecord& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c,
                    double slack) {
    const glm::dvec3 d(ray.direction);
    const glm::dvec3 p = glm::cross(d, c - a);
    const double determinant = glm::dot(b - a, p);
    const double none = std::numeric_limits<double>::infinity();
    if (determinant == 0.0) return none;
    const glm::dvec3 from = glm::dvec3(ray.origin) - a;
    const glm::dvec3 q = glm::cross(from, b - a);
    const double u = glm::dot(from, p) / determinant;
    const double v = glm::dot(d, q) / determinant;
    if (u < -slack || v < -slack || u + v > 1.0 + slack) return none;
    return glm::dot(c - a, q) / determinant;
}

double patch_hit(const passes::RayRecord& ray, std::uint32_t patch, double slack) {
    double t = std::numeric_limits<double>::infinity();
    for (std::uint32_t y = 0; y < kCells; ++y)
        for (std::uint32_t x = 0; x < kCells; ++x) {
            const glm::dvec3 a = ground_point(patch, x, y);
            const glm::dvec3 c = ground_point(patch, x + 1, y + 1);
            t = std::min({t, triangle_hit(ray, a, ground_point(patch, x + 1, y), c, slack),
                          triangle_hit(ray, a, c, ground_point(patch, x, y + 1), slack)});
        }
    return t;
}

/// All rays hit something; of some, t is compared with all triangles.
Verdict agrees(std::span<const passes::RayRecord> rays, std::span<const passes::HitRecord> hits) {
    if (hits.size() < rays.size()) return std::unexpected("too few hits");
    for (std::size_t i = 0; i < rays.size(); ++i)
        if (hits[i].triangle == ~0u) return std::unexpected(fmt::format("ray {} hits nothing", i));
    const std::size_t tried = std::min<std::size_t>(rays.size(), 12);
    for (std::size_t k = 0; k < tried; ++k) {
        const std::size_t i = hash32(static_cast<std::uint32_t>(k)) % rays.size();
        double widest = std::numeric_limits<double>::infinity();
        double closest = std::numeric_limits<double>::infinity();
        for (std::uint32_t patch = 0; patch < kPatchesOfSide * kPatchesOfSide; ++patch) {
            widest = std::min(widest, patch_hit(rays[i], patch, 1e-3));
            closest = std::min(closest, patch_hit(rays[i], patch, -1e-3));
        }
        // Near an edge rounding decides.
        const double t = static_cast<double>(hits[i].t);
        if (t < widest - 1e-4 || t > closest + 1e-4)
            return std::unexpected(
                fmt::format("ray {} hits at {}, not at {} to {}", i, t, widest, closest));
    }
    return {};
}

/// What a case traces.
enum class Traced : std::uint8_t { patches, kept_trees, mesh };

constexpr std::uint32_t kTreesMib = 64; // more than the trees of 256 patches take

void trace(CaseBuilder& c, Traced what, const passes::CastDisplaced& how) {
    const std::uint64_t count = kPatchesOfSide * kPatchesOfSide;
    const auto patches = c.input<passes::PatchRecord>("patches", count, ground_patch);
    const auto map =
        c.image<glm::vec4>("map", Format::rgba32_sfloat, {kMapSide, kMapSide, 1}, bump_at);
    const auto rays = c.input<passes::RayRecord>(
        "rays", c.size(), [side = c.side()](std::uint64_t i) { return ray_to_ground(i, side); });
    const passes::DisplacedSurface surface =
        c.graph()
            .add(passes::DisplaceSurface{.patches = patches.buffer,
                                         .map = map.image,
                                         .level = kFinest,
                                         .trees = what == Traced::kept_trees ? kTreesMib : 0})
            .surface;
    Buffer hits;
    if (what == Traced::mesh) {
        const passes::TriangleMesh mesh =
            c.graph().add(passes::TessellateDisplaced{.surface = surface}).mesh;
        const passes::Bvh bvh = c.graph().add(passes::LbvhBuild{.mesh = mesh}).bvh;
        hits = c.add(passes::CastRays{.bvh = bvh, .rays = rays.buffer}, "cast").hits;
    } else {
        passes::CastDisplaced pass = how;
        pass.surface = surface;
        pass.rays = rays.buffer;
        hits = c.add(pass, "cast").hits;
    }
    c.time_only("cast/");
    c.check<passes::HitRecord>("hits", hits,
                               [rays](std::span<const passes::HitRecord> got) -> Verdict {
                                   return agrees(rays.values(), got);
                               });
}

} // namespace

void add_displacement_cases(CaseList& cases) {
    const auto add = [&](std::string name, Traced what, const passes::CastDisplaced& how) {
        cases.add({.pass = std::string(passes::CastDisplaced::kName),
                   .name = std::move(name),
                   .build = [what, how](CaseBuilder& c) { trace(c, what, how); },
                   .least = 64,
                   .most = std::uint64_t{1} << 24,
                   .most_on_software = std::uint64_t{1} << 14});
    };
    using passes::PatchMethod;
    const auto by = [](PatchMethod method, passes::TreeStore store, passes::PatchLeaf leaf) {
        return passes::CastDisplaced{.surface = {},
                                     .rays = {},
                                     .before = {},
                                     .method = method,
                                     .leaf = leaf,
                                     .store = store};
    };
    using passes::PatchLeaf;
    using passes::TreeStore;
    add("descent", Traced::patches,
        by(PatchMethod::descent, TreeStore::automatic, PatchLeaf::triangles));
    add("deferred with trees in shared memory", Traced::patches,
        by(PatchMethod::deferred, TreeStore::shared, PatchLeaf::triangles));
    add("deferred with trees in a buffer", Traced::patches,
        by(PatchMethod::deferred, TreeStore::scratch, PatchLeaf::triangles));
    add("descent of kept trees", Traced::kept_trees,
        by(PatchMethod::descent, TreeStore::automatic, PatchLeaf::triangles));
    add("deferred with kept trees", Traced::kept_trees,
        by(PatchMethod::deferred, TreeStore::automatic, PatchLeaf::triangles));
    add("the same as a mesh", Traced::mesh,
        by(PatchMethod::descent, TreeStore::automatic, PatchLeaf::triangles));
}

} // namespace tuff::bench
