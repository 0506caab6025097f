#include "passes/registry.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <tuff/config.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

/// Maps outside of 0 to 1: against larger maps that have what is there, to the bit.
namespace tuff {
namespace {

using Corner = float PatchRecord::*;
constexpr std::array<Corner, 4> kPatchU{&PatchRecord::u_a, &PatchRecord::u_b, &PatchRecord::u_c,
                                        &PatchRecord::u_d};
constexpr std::array<Corner, 4> kPatchV{&PatchRecord::v_a, &PatchRecord::v_b, &PatchRecord::v_c,
                                        &PatchRecord::v_d};

/// The same patches with other texture coordinates: `factor` * uv + `offset`.
std::vector<PatchRecord> moved_on_map(std::vector<PatchRecord> patches, float factor,
                                      float offset) {
    for (PatchRecord& p : patches)
        for (const auto& corners : {kPatchU, kPatchV})
            for (const Corner corner : corners)
                p.*corner = factor * p.*corner + offset;
    return patches;
}

/// Where a texel of a map that goes on comes from, along a side whose last texel is `last`.
int texel_source(int at, int last, AddressMode wrap) {
    if (last == 0) return 0;
    if (wrap == AddressMode::clamp) return std::clamp(at, 0, last);
    const int period = wrap == AddressMode::repeat ? last : 2 * last;
    const int within = (at % period + period) % period;
    return std::min(within, 2 * last - within);
}

/// A map over -2 to 2, of four maps along each side.
HostMap laid_out(const HostMap& map, AddressMode wrap) {
    const int last_x = static_cast<int>(map.width) - 1;
    const int last_y = static_cast<int>(map.height) - 1;
    HostMap large{4 * map.width - 3, 4 * map.height - 3, {}};
    for (int y = 0; y <= 4 * last_y; ++y)
        for (int x = 0; x <= 4 * last_x; ++x) {
            const int from_x = texel_source(x - 2 * last_x, last_x, wrap);
            const int from_y = texel_source(y - 2 * last_y, last_y, wrap);
            large.texels.push_back(map.texels[static_cast<std::size_t>(from_y) * map.width +
                                              static_cast<std::size_t>(from_x)]);
        }
    return large;
}

/// Coordinates of -2 to 2, in few bits: no sum of them rounds. Some are parts of the map, or
/// several maps, straight and in all ways round; others lie across seams at any angle.
std::vector<PatchRecord> patches_across_seams(std::size_t count, unsigned seed) {
    std::vector<PatchRecord> patches = random_patches(count, seed);
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        PatchRecord& p = patches[i];
        if (i % 2 == 0) {
            for (const auto& corners : {kPatchU, kPatchV})
                for (const Corner corner : corners)
                    p.*corner = std::round(64.0f * (4.0f * p.*corner - 2.0f)) / 64.0f;
            continue;
        }
        const float size = std::ldexp(2.0f, -static_cast<int>(i / 16 % 5));
        const auto place = [&] {
            return size *
                   static_cast<float>(std::uniform_int_distribution(
                       static_cast<int>(-2.0f / size), static_cast<int>(2.0f / size) - 1)(random));
        };
        const glm::vec2 low(place(), place());
        constexpr std::array<glm::vec2, 4> kRound{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
        for (std::size_t corner = 0; corner < 4; ++corner) {
            glm::vec2 at = kRound[corner];
            if (i / 2 % 2 == 1) std::swap(at.x, at.y);
            if (i / 4 % 2 == 1) at.x = 1.0f - at.x;
            if (i / 8 % 2 == 1) at.y = 1.0f - at.y;
            p.*kPatchU[corner] = low.x + size * at.x;
            p.*kPatchV[corner] = low.y + size * at.y;
        }
    }
    return patches;
}

class MapWrapTest : public DisplacementTest {
  public:
    struct Found {
        std::vector<float> positions;
        std::vector<glm::vec4> boxes;
        std::vector<HitRecord> hits;
        std::vector<HitRecord> of_levels; ///< where patches have many levels
    };
    Found all_of(const Scene& scene, const std::vector<RayRecord>& rays) {
        Graph g = graph();
        CastDisplaced how{.surface = add_surface(g, scene),
                          .rays = add_records(g, "rays", rays),
                          .before = {},
                          .method = PatchMethod::descent};
        g.output("positions",
                 g.add(passes::TessellateDisplaced{.surface = how.surface}).mesh.positions);
        g.output("boxes", how.surface.boxes);
        g.output("hits", g.add(how, "one_level").hits);
        how.spread = 0.15f;
        g.output("of_levels", g.add(how, "levels").hits);
        Running running = run(std::move(g));
        return {running.buffer<float>("positions"), running.buffer<glm::vec4>("boxes"),
                running.buffer<HitRecord>("hits"), running.buffer<HitRecord>("of_levels")};
    }

    static void expect_same(const Found& found, const Found& expected, const std::string& what) {
        EXPECT_TRUE(found.positions == expected.positions) << what;
        EXPECT_TRUE(found.boxes == expected.boxes) << what;
        expect_equal(found.hits, expected.hits, what);
        expect_equal(found.of_levels, expected.of_levels, what + ", levels");
    }

    void expect_laid_out(Scene scene, const std::vector<RayRecord>& rays) {
        Scene large = scene;
        large.map = laid_out(scene.map, scene.wrap);
        large.patches = moved_on_map(scene.patches, 0.25f, 0.5f);
        large.wrap = AddressMode::clamp;
        const Found expected = all_of(large, rays);
        expect_same(all_of(scene, rays), expected, "near");
        if (scene.wrap == AddressMode::mirror) return;
        scene.patches = moved_on_map(scene.patches, 1.0f, -510.0f);
        expect_same(all_of(scene, rays), expected, "far");
    }
};

// To the bit: the same points, boxes and hits as with a map laid out over -2 to 2, and the same
// again far out.
TEST_F(MapWrapTest, IsALargerMap) {
    TUFF_ONLY_ON(lavapipe);
    for (const AddressMode wrap : {AddressMode::repeat, AddressMode::mirror}) {
        const unsigned seed = 500 + static_cast<unsigned>(wrap);
        expect_laid_out({.patches = patches_across_seams(48, seed),
                         .map = random_map(14, 12, seed, 0.2f),
                         .level = 3,
                         .wrap = wrap},
                        random_rays(400, seed));
    }
}

TEST_F(MapWrapTest, HeightsAreThoseOfALargerMap) {
    TUFF_ONLY_ON(lavapipe);
    expect_laid_out({.patches = patches_across_seams(48, 510),
                     .map = random_map(14, 33, 510, 0.2f),
                     .level = 3,
                     .kind = DisplacementKind::scalar,
                     .wrap = AddressMode::mirror},
                    random_rays(400, 510));
}

// Trees are built of the same points; deferred rays build them.
TEST_F(MapWrapTest, EveryWayHitsTheSame) {
    TUFF_ONLY_ON(lavapipe);
    const Scene scene{.patches = patches_across_seams(64, 530),
                      .map = random_map(14, 12, 530, 0.2f),
                      .level = 3,
                      .trees = 16,
                      .wrap = AddressMode::repeat};
    const auto rays = random_rays(600, 530);
    const auto expected = brute_force(scene, rays);
    const auto hits =
        cast_by(scene, rays, {{.method = PatchMethod::descent}, deferred(TreeStore::shared)});
    expect_equal(hits[0], expected, "kept trees");
    expect_equal(hits[1], expected, "deferred");
}

// A map with the values at its sides around it. Between equal texels a weighted sum rounds.
TEST_F(MapWrapTest, ClampedPointsAreThoseOfAPaddedMap) {
    const auto points = [&](const Scene& scene) {
        Graph g = graph();
        g.output(
            "positions",
            g.add(passes::TessellateDisplaced{.surface = add_surface(g, scene)}).mesh.positions);
        return run(std::move(g)).buffer<float>("positions");
    };
    Scene scene{
        .patches = patches_across_seams(64, 520), .map = random_map(14, 12, 520, 0.2f), .level = 3};
    const std::vector<float> found = points(scene);
    scene.map = laid_out(scene.map, AddressMode::clamp);
    scene.patches = moved_on_map(scene.patches, 0.25f, 0.5f);
    const std::vector<float> expected = points(scene);
    ASSERT_EQ(found.size(), expected.size());
    // Three roundings of values up to 0.2 and one of a sum up to 8.
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 3 * 0.2 * 0x1p-24 + 8 * 0x1p-24) << i;
}

// Coordinates that round: what descents go down holds all that cells have.
TEST_F(MapWrapTest, DescentsMissNoCells) {
    unsigned seed = 540;
    for (const AddressMode wrap : {AddressMode::repeat, AddressMode::mirror}) {
        Scene scene{.patches = random_patches(64, ++seed),
                    .map = random_map(14, 12, seed, 0.2f),
                    .level = 3,
                    .wrap = wrap};
        scene.patches = moved_on_map(scene.patches, 3.7f, -301.3f);
        // Nearly at the end of a part, and far more than the map.
        scene.patches[0] = moved_on_map({scene.patches[0]}, 0.0f, std::nextafter(2.0f, 0.0f))[0];
        scene.patches[1] = moved_on_map({scene.patches[1]}, 1e4f, 3e6f)[0];
        const auto rays = random_rays(400, seed);
        expect_equal(cast(scene, rays, {.method = PatchMethod::descent}), brute_force(scene, rays),
                     "descent");
    }
}

TEST(MapWrapConfig, ABadValueIsReportedAtItsPlace) {
    const PassRegistry registry = passes::make_registry();
    const auto config = Config::parse(
        R"json({"tuff": 1, "nodes": {
  "map": {"pass": "displacement/map"},
  "quads": {"pass": "displacement/patches"},
  "ground": {"pass": "displacement/surface", "in": {"patches": "quads.patches", "map": "map.result"},
             "params": {"wrap": "mirrored"}}},
  "outputs": {"boxes": "ground.surface.boxes"}})json",
        "test.json", registry);
    ASSERT_FALSE(config);
    ASSERT_EQ(config.error().size(), 1u) << to_string(config.error());
    const Diagnostic& error = config.error().front();
    EXPECT_EQ(error.code, "pass/unknown-choice");
    EXPECT_EQ(error.where.line, 5);
    EXPECT_EQ(error.where.column, 33);
    EXPECT_THAT(error.hint, testing::HasSubstr("mirror"));
}
// A texel that is not finite counts once, and not at all where another one takes its place.
TEST_F(MapWrapTest, CountsTexelsThatAreNotFiniteOnce) {
    Scene scene{.patches = random_patches(64, 3),
                .map = random_map(14, 12, 3, 0.2f),
                .level = 3,
                .wrap = AddressMode::repeat};
    scene.map.texels[0].x = std::numeric_limits<float>::quiet_NaN();
    scene.map.texels[13].x = std::numeric_limits<float>::quiet_NaN();
    Graph g = graph();
    g.output("hits", g.add(CastDisplaced{.surface = add_surface(g, scene),
                                         .rays = add_records(g, "rays", random_rays(600, 3)),
                                         .before = {},
                                         .method = PatchMethod::descent})
                         .hits);
    Running running = run(std::move(g));
    const auto warnings = running->warnings();
    ASSERT_TRUE(warnings);
    ASSERT_EQ(warnings->size(), 1u);
    EXPECT_THAT(warnings->front().message, testing::HasSubstr(": 1 texels"));
}

} // namespace
} // namespace tuff
