#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/links.hpp"
#include "passes/displacement/map.hpp"
#include "passes/displacement/patches.hpp"
#include "passes/displacement/scene_patches.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <tuff/graph_runner.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <vector>

/// displacement/cast against the triangles of displacement/tessellate, which rays try one by one,
/// and against points computed in double precision.
namespace tuff {
namespace {

glm::dvec3 expected_point(const PatchRecord& p, const HostMap& map, glm::dvec2 at, double scale,
                          DisplacementKind kind) {
    const auto between = [&](glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, glm::dvec3 d) {
        return (a * (1.0 - at.x) + b * at.x) * (1.0 - at.y) + (d * (1.0 - at.x) + c * at.x) * at.y;
    };
    const glm::dvec3 uv =
        between({p.u_a, p.v_a, 0}, {p.u_b, p.v_b, 0}, {p.u_c, p.v_c, 0}, {p.u_d, p.v_d, 0});
    const auto texel = [&](double x, double y) {
        const auto i = static_cast<std::uint32_t>(std::clamp(x, 0.0, map.width - 1.0));
        const auto j = static_cast<std::uint32_t>(std::clamp(y, 0.0, map.height - 1.0));
        const glm::dvec3 value(map.texels[j * map.width + i]);
        if (kind == DisplacementKind::scalar)
            return std::isfinite(value.x) ? glm::dvec3(value.x, 0.0, 0.0) : glm::dvec3(0.0);
        return std::isfinite(value.x + value.y + value.z) ? value : glm::dvec3(0.0);
    };
    const double x = std::clamp(uv.x, 0.0, 1.0) * (map.width - 1.0);
    const double y = std::clamp(uv.y, 0.0, 1.0) * (map.height - 1.0);
    const double fx = x - std::floor(x);
    const double fy = y - std::floor(y);
    const double i = std::floor(x);
    const double j = std::floor(y);
    glm::dvec3 moved = (texel(i, j) * (1.0 - fx) + texel(i + 1, j) * fx) * (1.0 - fy) +
                       (texel(i, j + 1) * (1.0 - fx) + texel(i + 1, j + 1) * fx) * fy;
    if (kind == DisplacementKind::scalar) {
        const glm::dvec3 normal = between(p.normal_a, p.normal_b, p.normal_c, p.normal_d);
        moved = glm::length(normal) > 0.0 ? glm::normalize(normal) * moved.x : glm::dvec3(0.0);
    }
    return between(p.a, p.b, p.c, p.d) + moved * scale;
}

template <typename Record>
std::vector<Record> records_of(const std::vector<std::byte>& bytes) {
    std::vector<Record> records(bytes.size() / sizeof(Record));
    std::memcpy(records.data(), bytes.data(), records.size() * sizeof(Record));
    return records;
}

TEST(QuadTreeLinks, OfHitsVisitEveryNodeOnceAndOfMissesTheRootAlone) {
    for (std::uint32_t finest = 0; finest <= 7; ++finest) {
        const auto links = passes::quad_tree_links(finest);
        ASSERT_EQ(links.size(), passes::quad_tree_nodes(finest));
        // A ray's level may be coarser than the tree.
        for (std::uint32_t level = 0; level <= finest; ++level) {
            const std::uint32_t leaves = level == 0 ? 0 : passes::quad_tree_nodes(level - 1);
            std::vector<std::uint32_t> visits(links.size());
            std::uint32_t node = 0;
            std::uint32_t steps = 0;
            std::uint32_t parent = 0;
            while (node != passes::kNoLink) {
                ASSERT_LT(node, links.size());
                ASSERT_LE(++steps, links.size());
                ++visits[node];
                if (node < leaves) parent = node;
                node = node < leaves ? links[node] & 0xffff : links[node] >> 16;
            }
            EXPECT_LE(parent, links.size());
            for (std::size_t i = 0; i < links.size(); ++i)
                ASSERT_EQ(visits[i], i < passes::quad_tree_nodes(level) ? 1u : 0u);
        }
        EXPECT_EQ(links[0] >> 16, passes::kNoLink);
    }
}

// Children lie where the quarters of their parent's cell are.
TEST(QuadTreeLinks, LeadToTheQuartersOfACell) {
    const auto links = passes::quad_tree_links(4);
    for (std::uint32_t level = 0; level < 4; ++level) {
        const std::uint32_t first = level == 0 ? 0 : passes::quad_tree_nodes(level - 1);
        const std::uint32_t below = passes::quad_tree_nodes(level);
        const std::uint32_t side = 1u << level;
        for (std::uint32_t k = 0; k < side * side; ++k) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> quarters;
            std::uint32_t child = links[first + k] & 0xffff;
            for (int i = 0; i < 4; ++i, child = links[child] >> 16)
                quarters.emplace((child - below) % (2 * side) / 2,
                                 (child - below) / (2 * side) / 2);
            EXPECT_EQ(quarters, (std::set{std::pair(k % side, k / side)}));
            EXPECT_EQ(child, links[first + k] >> 16);
        }
    }
}

TEST_F(DisplacementTest, PointsAreThoseInDoublePrecision) {
    for (const auto& [width, height, kind] : {std::tuple(17u, 9u, DisplacementKind::vector),
                                              std::tuple(1u, 1u, DisplacementKind::vector),
                                              std::tuple(32u, 32u, DisplacementKind::scalar),
                                              std::tuple(1u, 5u, DisplacementKind::scalar)}) {
        Scene scene{.patches = random_patches(37, width),
                    .map = random_map(width, height, 3, 0.5f),
                    .level = 3,
                    .scale = -0.7f,
                    .kind = kind};
        // Normals that cancel halfway displace nothing there.
        PatchRecord& opposite = scene.patches[4];
        opposite.normal_b = opposite.normal_a;
        opposite.normal_c = opposite.normal_d = -opposite.normal_a;
        // Infinities and NaN in each channel, in a corner and within.
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        constexpr std::array<std::pair<int, float>, 6> kBad{
            {{0, kInfinity}, {0, kNan}, {1, kNan}, {2, kNan}, {1, -kInfinity}, {2, kInfinity}}};
        const std::size_t count = scene.map.texels.size();
        for (std::size_t i = 0; i < kBad.size(); ++i)
            scene.map.texels[count - 1 - i * count / kBad.size()][kBad[i].first] = kBad[i].second;
        const auto bad_texels = std::ranges::count_if(scene.map.texels, [&](glm::vec4 texel) {
            return !std::isfinite(texel.x) || (kind == DisplacementKind::vector &&
                                               !(std::isfinite(texel.y) && std::isfinite(texel.z)));
        });
        ASSERT_GT(bad_texels, 0);
        Graph g = graph();
        const passes::DisplacedSurface surface = add_surface(g, scene);
        g.output("positions",
                 g.add(passes::TessellateDisplaced{.surface = surface}).mesh.positions);
        g.output("bounds", surface.bounds);
        Running running = run(std::move(g));
        const auto warnings = running->warnings();
        ASSERT_TRUE(warnings);
        ASSERT_EQ(warnings->size(), 1u);
        EXPECT_EQ(warnings->front().code, "displacement/not-finite");
        EXPECT_THAT(warnings->front().message,
                    testing::HasSubstr(": " + std::to_string(bad_texels) + " texels"));
        const std::vector<float> positions = running.buffer<float>("positions");
        ASSERT_EQ(positions.size(), 37u * 81u * 3u);
        for (std::uint32_t i = 0; i < 37 * 81; ++i) {
            const glm::dvec2 at(i % 81 % 9 / 8.0, i % 81 / 9 / 8.0);
            const glm::dvec3 expected = expected_point(scene.patches[i / 81], scene.map, at,
                                                       static_cast<double>(scene.scale), kind);
            for (int axis = 0; axis < 3; ++axis)
                // Coordinates are below 4; a few roundings, and weights that differ by one.
                ASSERT_NEAR(positions[3 * i + static_cast<std::uint32_t>(axis)], expected[axis],
                            4e-6)
                    << "point " << i;
        }
    }
}

// Check: the same triangles as brute force, in every way, over levels and maps, in scenes where
// boxes of many patches overlap.
TEST_F(DisplacementTest, EveryWayHitsWhatBruteForceHits) {
    // The size of a map is a constant of kernels: the dearer device compiles them for one map.
    const bool dearer = test::leaves_to("lavapipe");
    unsigned seed = 0;
    for (const std::uint32_t level : {0u, 1u, 3u, 4u}) {
        ++seed;
        if (dearer && level != 3) continue;
        Scene scene{.patches = random_patches(level == 4 ? 9 : 41, seed),
                    .map = random_map(level == 0 ? 1 : 23, level == 1 ? 1 : 19, seed, 0.2f),
                    .level = level};
        if (level == 3) scene.kind = DisplacementKind::scalar;
        // One without extent, and one that is not finite.
        PatchRecord& point = scene.patches[3];
        point.b = point.c = point.d = point.a;
        if (level == 0) scene.map.texels[0] = glm::vec4(0.0f);
        scene.patches[5].c.y = std::numeric_limits<float>::quiet_NaN();
        const auto rays = random_rays(1500, seed);
        const auto expected = brute_force(scene, rays);
        CastDisplaced small = deferred(TreeStore::scratch, NearestKept::words, NodeBits::bits8);
        small.batch = 64;
        small.groups = 3;
        const std::vector<std::string_view> names{"descent", "words", "scratch", "8 bits",
                                                  "three groups, batches of 64"};
        const std::vector<CastDisplaced> ways{
            {.method = PatchMethod::descent},
            deferred(TreeStore::shared, NearestKept::words),
            deferred(TreeStore::scratch, NearestKept::words),
            deferred(TreeStore::shared, NearestKept::words, NodeBits::bits8),
            small};
        const auto hits = cast_by(scene, rays, ways);
        for (std::size_t way = 0; way < ways.size(); ++way)
            expect_equal(hits[way], expected, names[way]);
        scene.bounds = PatchBounds::loose;
        const auto loose = cast_by(scene, rays, {{.method = PatchMethod::descent}, deferred()});
        expect_equal(loose[0], expected, "loose");
        expect_equal(loose[1], expected, "loose and deferred");
    }
}

/// Quads that are a part of the map each: all of it, a quarter, and so on, in all eight ways round.
std::vector<PatchRecord> parts_of_map(std::size_t count, unsigned seed) {
    std::vector<PatchRecord> patches = random_patches(count, seed);
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        const float size = std::ldexp(1.0f, -static_cast<int>(i / 8 % 4));
        const auto place = [&] {
            return size * std::floor(std::uniform_real_distribution(0.0f, 1.0f / size)(random));
        };
        const glm::vec2 low(place(), place());
        const auto turned = [&](float x, float y) {
            if (i % 2 == 1) std::swap(x, y);
            if (i / 2 % 2 == 1) x = 1.0f - x;
            if (i / 4 % 2 == 1) y = 1.0f - y;
            return low + size * glm::vec2(x, y);
        };
        PatchRecord& p = patches[i];
        const glm::vec2 corners[] = {turned(0, 0), turned(1, 0), turned(1, 1), turned(0, 1)};
        p.u_a = corners[0].x, p.v_a = corners[0].y, p.u_b = corners[1].x, p.v_b = corners[1].y;
        p.u_c = corners[2].x, p.v_c = corners[2].y, p.u_d = corners[3].x, p.v_d = corners[3].y;
    }
    return patches;
}

// Descents read the map's bounds part by part there. Also where cells are smaller than texels, and
// maps are not square.
TEST_F(DisplacementTest, DescentsHitPatchesThatArePartsOfTheMap) {
    unsigned seed = 80;
    for (const auto& [width, height, scale] :
         {std::tuple(17u, 17u, 1.0f), std::tuple(33u, 6u, -0.8f), std::tuple(3u, 24u, 1.2f)}) {
        const Scene scene{.patches = parts_of_map(41, ++seed),
                          .map = random_map(width, height, seed, 0.2f),
                          .level = 4,
                          .scale = scale};
        const auto rays = random_rays(1500, seed);
        expect_equal(cast(scene, rays, {.method = PatchMethod::descent}), brute_force(scene, rays),
                     "descent");
    }
}

TEST_F(DisplacementTest, AtomicsOf64BitsKeepTheSameHits) {
    if (!device().caps().int64_buffer_atomics) GTEST_SKIP() << "the device has none";
    const Scene scene{.patches = random_patches(60, 8), .map = random_map(23, 19, 8, 0.2f)};
    const auto rays = random_rays(2000, 8);
    const auto expected = brute_force(scene, rays);
    for (const auto& hits : cast_by(scene, rays,
                                    {deferred(TreeStore::shared, NearestKept::wide),
                                     deferred(TreeStore::scratch, NearestKept::wide)}))
        expect_equal(hits, expected, "wide");
}

// Rays that share a patch and patches that share an edge: ties go to the lowest patch.
TEST_F(DisplacementTest, EqualPatchesGiveTheLowest) {
    Scene scene{.patches = random_patches(1, 4), .map = random_map(23, 19, 4, 0.1f)};
    for (int i = 0; i < 5; ++i)
        scene.patches.push_back(scene.patches.front());
    const auto rays = random_rays(600, 4);
    for (const CastDisplaced& how : {CastDisplaced{.method = PatchMethod::descent}, deferred()}) {
        std::size_t hits = 0;
        for (const HitRecord& hit : cast(scene, rays, how)) {
            ASSERT_TRUE(hit.triangle == 0 || hit.triangle == ~0u) << hit.triangle;
            hits += hit.triangle == 0;
        }
        EXPECT_GT(hits, 5u);
    }
}

// A flat quad: t is that of the plane.
TEST_F(DisplacementTest, AFlatPatchIsItsPlane) {
    PatchRecord flat;
    flat.a = {-1, 0.25f, 1};
    flat.b = {1, 0.25f, 1};
    flat.c = {1, 0.25f, -1};
    flat.d = {-1, 0.25f, -1};
    flat.u_b = flat.u_c = flat.v_c = flat.v_d = 1.0f;
    // A map of the size of others here, so that devices have compiled these kernels.
    const Scene scene{.patches = {flat},
                      .map = {23, 19, std::vector<glm::vec4>(23 * 19, glm::vec4(0.0f))},
                      .level = 5};
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-0.99f, 0.99f);
    std::vector<RayRecord> rays(1000);
    std::vector<float> expected;
    std::vector<glm::vec2> places;
    for (RayRecord& ray : rays) {
        const glm::vec3 place(number(random), 0.25f, number(random));
        ray.origin = {number(random) * 3.0f, 2.0f, number(random) * 3.0f};
        ray.direction = glm::normalize(place - ray.origin);
        ray.t_max = std::numeric_limits<float>::infinity();
        expected.push_back(glm::distance(place, ray.origin));
        places.emplace_back(0.5f + 0.5f * place.x, 0.5f - 0.5f * place.z);
    }
    CastDisplaced descent_of_boxes{.method = PatchMethod::descent, .leaf = PatchLeaf::boxes};
    CastDisplaced deferred_of_boxes = deferred();
    deferred_of_boxes.leaf = PatchLeaf::boxes;
    const auto all = cast_by(
        scene, rays,
        {{.method = PatchMethod::descent}, descent_of_boxes, deferred(), deferred_of_boxes});
    for (const std::size_t way : {0u, 2u}) {
        const auto& hits = all[way];
        const auto& of_boxes = all[way + 1];
        for (std::size_t i = 0; i < hits.size(); ++i) {
            ASSERT_EQ(hits[i].triangle, 0u) << i;
            EXPECT_NEAR(hits[i].t, expected[i], 2e-6f * expected[i]);
            EXPECT_NEAR(hits[i].barycentric.x, places[i].x, 4e-6f);
            EXPECT_NEAR(hits[i].barycentric.y, places[i].y, 4e-6f);
            ASSERT_EQ(of_boxes[i].triangle, 0u) << i;
            EXPECT_NEAR(of_boxes[i].t, expected[i], 1e-5f * expected[i]);
            EXPECT_NEAR(of_boxes[i].barycentric.x, places[i].x, 0.5f / 32.0f + 1e-5f);
        }
    }
}

double sphere_hit(glm::dvec3 origin, glm::dvec3 direction, glm::dvec3 middle, double radius) {
    const glm::dvec3 from = origin - middle;
    const double b = glm::dot(from, direction);
    const double inside = b * b - glm::dot(from, from) + radius * radius;
    if (inside < 0.0) return -1.0;
    return -b - std::sqrt(inside);
}

// A quad bent into a sphere, which hangs over far below its equator, seen from above, from the side
// and from below: hits are those of the sphere, within what cells leave of it; boxes are hit no
// later than triangles, and by a cell's diagonal at most.
TEST_F(DisplacementTest, AQuadBentIntoASphereIsHitWhereTheSphereIs) {
    TUFF_ONLY_ON(lavapipe);
    // Radians from edge to edge, so 2.2 to an edge and 3.1 to a corner.
    constexpr float kBend = 4.4f;
    constexpr double kRadius = 1.0 / static_cast<double>(kBend);
    std::vector<RayRecord> rays;
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    for (int i = 0; i < 2500; ++i) {
        const glm::vec3 middle(0.0f, -static_cast<float>(kRadius), 0.0f);
        RayRecord ray;
        ray.origin = middle + 2.0f * glm::normalize(
                                         glm::vec3(number(random), number(random), number(random)));
        const glm::vec3 target =
            middle +
            static_cast<float>(kRadius) * glm::vec3(number(random), number(random), number(random));
        ray.direction = glm::normalize(target - ray.origin);
        ray.t_max = 100.0f;
        rays.push_back(ray);
    }
    for (const std::uint32_t level : {4u, 6u}) {
        std::vector<HitRecord> by_method[3];
        for (int way = 0; way < 3; ++way) {
            Graph g = graph();
            const Image map = g.add(passes::MakeDisplacement{.shape = DisplacementShape::sphere,
                                                             .width = 129,
                                                             .height = 129,
                                                             .bend = kBend})
                                  .result;
            const Buffer patches =
                g.add(passes::MakePatches{.columns = 1, .rows = 1, .size = {1.0f, 1.0f}}).patches;
            CastDisplaced how{.method = way == 1 ? PatchMethod::deferred : PatchMethod::descent,
                              .leaf = way == 2 ? PatchLeaf::boxes : PatchLeaf::triangles};
            how.surface =
                g.add(passes::DisplaceSurface{.patches = patches, .map = map, .level = level})
                    .surface;
            how.rays = add_records(g, "rays", rays);
            g.output("hits", g.add(how).hits);
            by_method[way] = run(std::move(g)).buffer<HitRecord>("hits");
        }
        expect_equal(by_method[1], by_method[0], "deferred");
        const double cell = 1.45 / std::pow(2.0, level); // diagonal, as stretched as it gets
        std::size_t hits = 0;
        std::size_t from_below = 0; // where the surface hangs over
        for (std::size_t i = 0; i < rays.size(); ++i) {
            const double t = sphere_hit(glm::dvec3(rays[i].origin), glm::dvec3(rays[i].direction),
                                        {0.0, -kRadius, 0.0}, kRadius);
            const glm::dvec3 place = glm::dvec3(rays[i].origin) + t * glm::dvec3(rays[i].direction);
            const glm::dvec3 normal = (place + glm::dvec3(0.0, kRadius, 0.0)) / kRadius;
            // The part that the quad covers all around, and not at a grazing angle.
            if (t < 0.0 || normal.y < std::cos(2.1) ||
                -glm::dot(normal, glm::dvec3(rays[i].direction)) < 0.4)
                continue;
            ++hits;
            from_below += normal.y < -0.1 && rays[i].direction.y > 0.0f;
            ASSERT_EQ(by_method[0][i].triangle, 0u) << i;
            // Cells lie below the sphere by less than the square of their size over its diameter,
            // and what the map leaves between its texels.
            const double below = 0.5 * cell * cell / kRadius / 0.4 + 2e-4;
            EXPECT_NEAR(by_method[0][i].t, t, below) << "level " << level << ", ray " << i;
            EXPECT_LE(by_method[2][i].t, by_method[0][i].t + 1e-5f);
            EXPECT_GE(by_method[2][i].t, t - cell - below);
        }
        EXPECT_GT(hits, 600u);
        EXPECT_GT(from_below, 100u);
    }
}

// Fine rays see the finest level; rays whose pixels are as large as the patch see one cell; and
// batches do not change what a ray sees.
TEST_F(DisplacementTest, RaysTakeTheLevelOfTheirPixels) {
    TUFF_ONLY_ON(lavapipe);
    const Scene scene{
        .patches = random_patches(30, 12), .map = random_map(23, 19, 12, 0.1f), .level = 5};
    auto rays = random_rays(1200, 12);
    const auto levels_of = [&](CastDisplaced how, std::vector<HitRecord>& hits) {
        Graph g = graph();
        how.with_levels = true;
        how.surface = add_surface(g, scene);
        how.rays = add_records(g, "rays", rays);
        how = g.add(how);
        g.output("hits", how.hits);
        g.output("levels", how.levels);
        Running running = run(std::move(g));
        hits = running.buffer<HitRecord>("hits");
        return running.buffer<std::uint32_t>("levels");
    };
    for (const float spread : {0.0f, 0.005f, 0.05f, 2.0f}) {
        CastDisplaced how{.spread = spread, .method = PatchMethod::descent};
        std::vector<HitRecord> expected;
        const auto levels = levels_of(how, expected);
        how = deferred();
        how.spread = spread;
        std::vector<HitRecord> got;
        EXPECT_EQ(levels_of(how, got), levels);
        expect_equal(got, expected, "deferred");
        how.batch = 64;
        how.store = TreeStore::scratch;
        EXPECT_EQ(levels_of(how, got), levels);
        expect_equal(got, expected, "batches of 64");
        for (std::size_t i = 0; i < levels.size(); ++i) {
            if (expected[i].triangle == ~0u) {
                ASSERT_EQ(levels[i], ~0u);
                continue;
            }
            ASSERT_GE(levels[i], spread == 0.0f ? 5u : 0u);
            ASSERT_LE(levels[i], 5u);
        }
        if (spread == 0.05f) {
            const std::set<std::uint32_t> seen(levels.begin(), levels.end());
            EXPECT_GE(seen.size(), 4u);
        }
    }
}

// The order of rays is not seen.
TEST_F(DisplacementTest, TheOrderOfRaysDoesNotMatter) {
    const Scene scene{.patches = random_patches(40, 21), .map = random_map(23, 19, 21, 0.2f)};
    auto rays = random_rays(3000, 21);
    CastDisplaced how = deferred();
    how.batch = 64;
    const auto hits = cast(scene, rays, how);
    std::vector<std::size_t> order(rays.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::shuffle(order, std::mt19937(2));
    std::vector<RayRecord> shuffled;
    std::vector<HitRecord> expected;
    for (const std::size_t i : order) {
        shuffled.push_back(rays[i]);
        expected.push_back(hits[i]);
    }
    expect_equal(cast(scene, shuffled, how), expected, "shuffled");
}

// More pairs than there is room for are counted, and the pool grows over the frames of a run: then
// all hits are found.
TEST_F(DisplacementTest, PairsWithoutRoomAreToldAndTheRoomGrows) {
    const Scene scene{.patches = random_patches(50, 31), .map = random_map(23, 19, 31, 0.2f)};
    const auto rays = random_rays(1000, 31);
    const auto expected = brute_force(scene, rays);
    GraphRunner runner(device());
    std::vector<std::size_t> lost;
    std::vector<std::size_t> grown;
    for (int frame = 0; frame < 3; ++frame) {
        const auto pools = runner.grow_pools();
        ASSERT_TRUE(pools);
        grown.push_back(pools->size());
        Graph g = graph();
        g.set_pools(runner.pools());
        CastDisplaced how = deferred();
        how.most_pairs = 100;
        how.surface = add_surface(g, scene);
        how.rays = add_records(g, "rays", rays);
        how = g.add(how, "cast");
        g.output("hits", how.hits);
        g.output("status", how.status);
        const auto taken = runner.take(std::move(g).finish(), shaders());
        ASSERT_TRUE(taken) << to_string(taken.error());
        ASSERT_TRUE(runner.executor()->execute());
        const auto warnings = runner.executor()->warnings();
        ASSERT_TRUE(warnings);
        lost.push_back(static_cast<std::size_t>(
            std::ranges::count(*warnings, "displacement/lost-pairs", &Diagnostic::code)));
        const auto status = passes::DisplacedCastStatus::read(
            records_of<std::uint32_t>(*runner.executor()->read_buffer("status")));
        EXPECT_GT(status.pairs, 1000u);
        EXPECT_EQ(status.room == 100u, frame == 0);
        EXPECT_EQ(status.pairs > status.room, frame == 0);
        const auto hits = records_of<HitRecord>(*runner.executor()->read_buffer("hits"));
        if (frame > 0) expect_equal(hits, expected, "with room");
        EXPECT_EQ(status.hits, std::ranges::count_if(
                                   hits, [](const HitRecord& hit) { return hit.triangle != ~0u; }));
    }
    EXPECT_EQ(lost, (std::vector<std::size_t>{1, 0, 0}));
    EXPECT_EQ(grown, (std::vector<std::size_t>{0, 1, 0}));
}

// Every pair is in one patch's load.
TEST_F(DisplacementTest, LoadsOfPatchesAreAllPairs) {
    TUFF_ONLY_ON(lavapipe);
    const Scene scene{
        .patches = random_patches(300, 71), .map = random_map(23, 19, 71, 0.1f), .level = 1};
    const auto rays = random_rays(70'000, 71); // more than a row of groups
    Graph g = graph();
    CastDisplaced how = deferred();
    how.most_pairs = 4'000'000;
    how.surface = add_surface(g, scene);
    how.rays = add_records(g, "rays", rays);
    how = g.add(how);
    g.output("hits", how.hits);
    g.output("loads", how.loads);
    g.output("status", how.status);
    Running running = run(std::move(g));
    std::uint64_t sum = 0;
    for (const std::uint32_t load : running.buffer<std::uint32_t>("loads"))
        sum += load;
    const auto status = running.buffer<std::uint32_t>("status");
    EXPECT_EQ(sum, status[0]);
    EXPECT_GT(status[0], 100'000u);
    expect_equal(running.buffer<HitRecord>("hits"),
                 cast(scene, rays, {.method = PatchMethod::descent}), "many rays");
}

// Triangles that rays hit before win where they are nearer, or as near.
TEST_F(DisplacementTest, TrianglesAndPatchesAreOneScene) {
    const Scene scene{.patches = random_patches(30, 41), .map = random_map(23, 19, 41, 0.2f)};
    const auto rays = random_rays(1000, 41);
    const auto alone = cast(scene, rays, {.method = PatchMethod::descent});
    std::vector<HitRecord> before(rays.size());
    std::mt19937 random(1);
    std::uniform_real_distribution<float> t(0.5f, 9.0f);
    for (std::size_t i = 0; i < before.size(); ++i) {
        before[i].t = i % 3 == 0 ? alone[i].t : t(random);
        before[i].triangle = i % 4 == 0 ? ~0u : static_cast<std::uint32_t>(i);
        if (before[i].triangle == ~0u) before[i].t = rays[i].t_max;
    }
    for (const CastDisplaced& how : {CastDisplaced{.method = PatchMethod::descent}, deferred()}) {
        Graph g = graph();
        CastDisplaced both = how;
        both.surface = add_surface(g, scene);
        both.rays = add_records(g, "rays", rays);
        both.before = add_records(g, "before", before);
        g.output("hits", g.add(both).hits);
        const auto got = run(std::move(g)).buffer<HitRecord>("hits");
        std::size_t patches = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const bool nearer =
                alone[i].triangle != ~0u && (before[i].triangle == ~0u || alone[i].t < before[i].t);
            ASSERT_EQ(got[i].triangle,
                      nearer ? alone[i].triangle | 0x80000000u : before[i].triangle)
                << i;
            ASSERT_EQ(got[i].t, nearer ? alone[i].t : before[i].t);
            patches += nearer;
        }
        EXPECT_GT(patches, 50u);
    }
}

// Any hit, for shadows: whether there is one is the same.
TEST_F(DisplacementTest, AnyHitIsThereWhereTheNearestIs) {
    const Scene scene{.patches = random_patches(50, 51), .map = random_map(23, 19, 51, 0.2f)};
    const auto rays = random_rays(2000, 51);
    const auto nearest = cast(scene, rays, {.method = PatchMethod::descent});
    const auto any = cast(scene, rays, {.method = PatchMethod::descent, .any = true});
    for (std::size_t i = 0; i < rays.size(); ++i)
        ASSERT_EQ(any[i].triangle == ~0u, nearest[i].triangle == ~0u) << i;
}

// Patches side by side share the points of their edge, to the bit: a ground has no cracks, and a
// trunk closes.
TEST_F(DisplacementTest, NeighboursShareTheirEdges) {
    constexpr std::uint32_t kRows = 6;
    std::vector<glm::vec3> one_map_a_row;
    for (const auto& [layout, repeats_up] : {std::pair(passes::PatchLayout::ground, 0u),
                                             {passes::PatchLayout::trunk, 0u},
                                             {passes::PatchLayout::trunk, 3u}}) {
        const bool trunk = layout == passes::PatchLayout::trunk;
        Graph g = graph();
        const Image map =
            g.add(passes::MakeDisplacement{.shape = trunk ? DisplacementShape::bark
                                                          : DisplacementShape::mushroom,
                                           .width = 65,
                                           .height = 65})
                .result;
        const Buffer patches = g.add(passes::MakePatches{.layout = layout,
                                                         .columns = 6,
                                                         .rows = kRows,
                                                         .size = {2.0f, 3.0f},
                                                         .hills = trunk ? 0.0f : 0.2f,
                                                         .repeats = 2,
                                                         .repeats_up = repeats_up})
                                   .patches;
        const passes::DisplacedSurface surface =
            g.add(passes::DisplaceSurface{.patches = patches,
                                          .map = map,
                                          .scale = 0.3f,
                                          .level = 4,
                                          .kind = trunk ? DisplacementKind::scalar
                                                        : DisplacementKind::vector})
                .surface;
        g.output("positions",
                 g.add(passes::TessellateDisplaced{.surface = surface}).mesh.positions);
        const auto positions = run(std::move(g)).buffer<glm::vec3>("positions");
        const auto point = [&](std::uint32_t column, std::uint32_t row, std::uint32_t x,
                               std::uint32_t y) {
            return positions[(row * 6 + column) * 17 * 17 + y * 17 + x];
        };
        for (std::uint32_t row = 0; row < kRows; ++row)
            for (std::uint32_t column = 0; column < 6; ++column)
                for (std::uint32_t k = 0; k <= 16; ++k) {
                    if (column + 1 < 6 || trunk) {
                        ASSERT_EQ(point(column, row, 16, k), point((column + 1) % 6, row, 0, k))
                            << column << ' ' << row << ' ' << k;
                    }
                    if (row + 1 < kRows) {
                        ASSERT_EQ(point(column, row, k, 16), point(column, row + 1, k, 0));
                    }
                }
        if (repeats_up == 0) {
            one_map_a_row = positions;
            continue;
        }
        // Two rows a map: twice as far up the patch is as far up the map.
        const auto radius = [](glm::vec3 at) { return glm::length(glm::vec2(at.x, at.z)); };
        for (std::uint32_t row = 0; row < kRows; ++row)
            for (std::uint32_t x = 0; x <= 16; ++x)
                for (std::uint32_t y = 0; y <= 16; y += 2)
                    ASSERT_NEAR(radius(point(0, row, x, y)),
                                radius(one_map_a_row[(8 * (row % 2) + y / 2) * 17 + x]), 1e-5)
                        << row << ' ' << x << ' ' << y;
    }
}

// A ball of triangles whose points are moved along their normals is a larger ball, without a gap:
// also one that a transform mirrors.
TEST_F(DisplacementTest, ABallOfASceneGrows) {
    constexpr float kHigh = 0.25f;
    for (const float mirror : {1.0f, -1.0f}) {
        SceneBuilder built;
        built.sphere(built.material(SceneBuilder::plain()),
                     glm::scale(glm::mat4(1.0f), glm::vec3(mirror, 1.0f, 1.0f)));
        std::mt19937 random(3);
        std::normal_distribution<float> number;
        std::vector<RayRecord> rays(3000);
        for (RayRecord& ray : rays) {
            ray.origin =
                3.0f * glm::normalize(glm::vec3(number(random), number(random), number(random)));
            ray.direction = -ray.origin / 3.0f;
            ray.t_max = 3.0f; // to the middle
        }
        Graph g = graph();
        const tuff::Scene scene = add_scene(g, "ball", pack_scene(SceneData(built.peek())));
        const HostMap map{.texels = {glm::vec4(kHigh)}};
        const passes::DisplacedSurface surface =
            g.add(passes::DisplaceSurface{.patches =
                                              g.add(passes::ScenePatches{.scene = scene}).patches,
                                          .map = add_map(g, map),
                                          .level = 2,
                                          .kind = DisplacementKind::scalar})
                .surface;
        const Buffer all_rays = add_records(g, "rays", rays);
        for (const auto& [name, way] :
             {std::pair{"descent", CastDisplaced{.method = PatchMethod::descent}},
              {"deferred", deferred()}}) {
            CastDisplaced how = way;
            how.surface = surface;
            how.rays = all_rays;
            g.output(name, g.add(how, std::string("by ") + name).hits);
        }
        Running running = run(std::move(g));
        for (const char* name : {"descent", "deferred"}) {
            const auto hits = running.buffer<HitRecord>(name);
            for (std::size_t i = 0; i < hits.size(); ++i) {
                ASSERT_NE(hits[i].triangle, ~0u) << i;
                // Edges of the ball's triangles span 7.5 degrees: their middles lie lower by
                // 0.0022.
                EXPECT_NEAR(hits[i].t, 3.0f - 1.0f - kHigh, 0.006f) << i;
                EXPECT_GT(hits[i].t, 3.0f - 1.0f - kHigh - 1e-5f) << i;
            }
        }
    }
}

TEST_F(DisplacementTest, RefusesWhatItCannotTrace) {
    const Scene scene{
        .patches = random_patches(3, 61), .map = random_map(4, 4, 61, 0.2f), .level = 6};
    const auto rays = random_rays(64, 61);
    const auto code = [&](auto&& change) {
        Graph g = graph();
        CastDisplaced how = deferred();
        how.surface = add_surface(g, scene);
        how.rays = add_records(g, "rays", rays);
        change(g, how);
        static_cast<void>(g.add(how));
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics.front().code;
    };
    EXPECT_EQ(code([](Graph&, CastDisplaced& how) { how.store = TreeStore::shared; }),
              "displacement/shared-level");
    EXPECT_EQ(code([&](Graph& g, CastDisplaced& how) {
                  how.before = add_records(g, "before", std::vector<HitRecord>(63));
              }),
              "displacement/short-hits");
    EXPECT_EQ(code([](Graph&, CastDisplaced&) {}), "");
}

} // namespace
} // namespace tuff
