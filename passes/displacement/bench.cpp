#include "apps/bench/checks.hpp"
#include "passes/bvh/cast.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/cast.hpp"
#include "passes/displacement/tessellate.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

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

using Corners = std::array<glm::dvec3, 3>;

/// Triangle 0 or 1 of a cell, at its corner at (1, 0) or at (0, 1).
Corners cell_triangle(std::uint32_t patch, std::uint32_t x, std::uint32_t y, std::uint32_t which) {
    const glm::dvec3 a = ground_point(patch, x, y);
    const glm::dvec3 c = ground_point(patch, x + 1, y + 1);
    if (which == 0) return {a, ground_point(patch, x + 1, y), c};
    return {a, c, ground_point(patch, x, y + 1)};
}

/// All triangles of the ground, by the squares of a grid over it that they lie above.
class HostGround {
  public:
    HostGround() : squares_(kSquares * kSquares) {
        for (std::uint32_t patch = 0; patch < kPatchesOfSide * kPatchesOfSide; ++patch)
            for (std::uint32_t k = 0; k < 2 * kCells * kCells; ++k) {
                const Corners at = cell_triangle(patch, k / 2 % kCells, k / 2 / kCells, k % 2);
                const glm::dvec3 low = glm::min(at[0], glm::min(at[1], at[2])) - kSlack;
                const glm::dvec3 high = glm::max(at[0], glm::max(at[1], at[2])) + kSlack;
                for (int z = square(-high.z); z <= square(-low.z); ++z)
                    for (int x = square(low.x); x <= square(high.x); ++x)
                        squares_[static_cast<std::size_t>(z) * kSquares +
                                 static_cast<std::size_t>(x)]
                            .push_back(static_cast<std::uint32_t>(triangles_.size()));
                triangles_.push_back(at);
            }
    }
    /// The least t of hits that miss triangles by little, and of those well within them.
    std::array<double, 2> nearest(const passes::RayRecord& ray) const {
        constexpr double kHigh = 0.41; // than all bumps
        std::array<double, 2> t;
        t.fill(std::numeric_limits<double>::infinity());
        const glm::dvec3 from(ray.origin);
        const glm::dvec3 along(ray.direction);
        const glm::dvec3 first = from + (kHigh - from.y) / along.y * along;
        const glm::dvec3 last = from + (-0.01 - from.y) / along.y * along;
        // Rows of squares that it passes over, and in each the squares.
        const int z0 = square(-std::max(first.z, last.z));
        const int z1 = square(-std::min(first.z, last.z));
        for (int z = z0; z <= z1; ++z) {
            const auto x_at = [&](double row) {
                const double share = (-row * kSquare - first.z) / (last.z - first.z);
                return first.x + std::clamp(share, 0.0, 1.0) * (last.x - first.x);
            };
            const double a = last.z == first.z ? first.x : x_at(z);
            const double b = last.z == first.z ? last.x : x_at(z + 1);
            // Rows at the sides hold what lies beyond.
            const bool side = z == 0 || z + 1 == static_cast<int>(kSquares);
            const double low = side ? std::min(first.x, last.x) : std::min(a, b);
            const double high = side ? std::max(first.x, last.x) : std::max(a, b);
            for (int x = square(low - kSlack); x <= square(high + kSlack); ++x)
                for (const std::uint32_t k :
                     squares_[static_cast<std::size_t>(z) * kSquares + static_cast<std::size_t>(x)])
                    for (std::size_t i = 0; i < 2; ++i) {
                        const auto& [p, q, r] = triangles_[k];
                        t[i] = std::min(t[i], triangle_hit(ray, p, q, r, i == 0 ? 1e-3 : -1e-3));
                    }
        }
        return t;
    }

  private:
    static constexpr std::uint32_t kSquares = 256;
    static constexpr double kSquare = kPatchesOfSide / double{kSquares};
    static constexpr double kSlack = 1e-3;

    static int square(double at) {
        return std::clamp(static_cast<int>(std::floor(at / kSquare)), 0,
                          static_cast<int>(kSquares) - 1);
    }

    std::vector<Corners> triangles_;
    std::vector<std::vector<std::uint32_t>> squares_;
};

enum class Traced : std::uint8_t { patches, kept_trees, mesh };

/// Where a hit says that it is.
glm::dvec3 place_of(const passes::HitRecord& hit, Traced what) {
    glm::dvec2 weights(hit.barycentric);
    std::uint32_t patch = hit.triangle;
    std::uint32_t k = 0;
    if (what == Traced::mesh) {
        k = hit.triangle % (2 * kCells * kCells);
        patch = hit.triangle / (2 * kCells * kCells);
    } else {
        const glm::dvec2 at = weights * double{kCells};
        const glm::dvec2 cell =
            glm::clamp(glm::floor(at), glm::dvec2(0.0), glm::dvec2(kCells - 1.0));
        const glm::dvec2 within = at - cell;
        const bool second = within.y > within.x;
        weights = second ? glm::dvec2(within.x, within.y - within.x)
                         : glm::dvec2(within.x - within.y, within.y);
        k = 2 * (static_cast<std::uint32_t>(cell.y) * kCells + static_cast<std::uint32_t>(cell.x)) +
            std::uint32_t(second);
    }
    const Corners at = cell_triangle(patch, k / 2 % kCells, k / 2 / kCells, k % 2);
    return at[0] + weights.x * (at[1] - at[0]) + weights.y * (at[2] - at[0]);
}

/// All rays hit something, where they say that it is; of many, t is that of the nearest of all
/// triangles.
Verdict agrees(std::span<const passes::RayRecord> rays, std::span<const passes::HitRecord> hits,
               Traced what) {
    constexpr std::size_t kMaxTried = 1u << 16;
    const std::uint32_t numbers =
        kPatchesOfSide * kPatchesOfSide * (what == Traced::mesh ? 2 * kCells * kCells : 1);
    if (hits.size() < rays.size()) return std::unexpected("too few hits");
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (hits[i].triangle >= numbers)
            return std::unexpected(fmt::format("ray {} hits nothing", i));
        const glm::dvec3 at = glm::dvec3(rays[i].origin) +
                              static_cast<double>(hits[i].t) * glm::dvec3(rays[i].direction);
        if (!(glm::distance(at, place_of(hits[i], what)) < 2e-4))
            return std::unexpected(fmt::format("ray {} is not at the place of its hit", i));
    }
    const HostGround ground;
    const std::size_t tried = std::min(rays.size(), kMaxTried);
    for (std::size_t k = 0; k < tried; ++k) {
        const std::size_t i =
            tried == rays.size() ? k : hash32(static_cast<std::uint32_t>(k)) % rays.size();
        const auto [widest, closest] = ground.nearest(rays[i]);
        // Near an edge rounding decides; rays that graze a triangle are off by up to 2e-4.
        const double t = static_cast<double>(hits[i].t);
        if (t < widest - 1e-3 || t > closest + 1e-3)
            return std::unexpected(
                fmt::format("ray {} hits at {}, not at {} to {}", i, t, widest, closest));
    }
    return {};
}

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
                               [rays, what](std::span<const passes::HitRecord> got) -> Verdict {
                                   return agrees(rays.values(), got, what);
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
