#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <random>
#include <vector>

/// Rays that meet the boxes of thousands of parts. llvmpipe ends the loops of an invocation after
/// 65,536 rounds, counted over all of them, and rays that are not done then leave holes.
namespace tuff {
namespace {

class RoundsTest : public DisplacementTest {
  public:
    /// Hits on the mesh of all cells, by a hierarchy.
    std::vector<HitRecord> hits_on_mesh(const Scene& scene, const std::vector<RayRecord>& rays) {
        Graph g = graph();
        const passes::TriangleMesh mesh =
            g.add(passes::TessellateDisplaced{.surface = add_surface(g, scene)}).mesh;
        const passes::Bvh bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        g.output("hits",
                 g.add(passes::CastRays{.bvh = bvh, .rays = add_records(g, "rays", rays)}).hits);
        return run(std::move(g)).buffer<HitRecord>("hits");
    }
};

/// Sheets one above the other, crumpled within their own planes, which are tilted: the boxes of
/// their parts reach far beyond them.
std::vector<PatchRecord> tilted_sheets(std::uint32_t count) {
    std::vector<PatchRecord> sheets(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        PatchRecord& p = sheets[i];
        const auto up = 0.08f * static_cast<float>(i);
        p.a = {-1.0f, up - 0.5f, 1.0f};
        p.b = {1.0f, up - 0.5f, 1.0f};
        p.c = {1.0f, up + 0.5f, -1.0f};
        p.d = {-1.0f, up + 0.5f, -1.0f};
        p.normal_a = p.normal_b = p.normal_c = p.normal_d =
            glm::normalize(glm::vec3(0.0f, 1.0f, 0.5f));
        p.u_b = p.u_c = p.v_c = p.v_d = 1.0f;
    }
    return sheets;
}

HostMap crumpled(std::uint32_t side, float size) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> number(-size, size);
    HostMap map{side, side, {}};
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const float along = number(random);
        map.texels.emplace_back(number(random), -0.5f * along, along, 0.0f);
    }
    return map;
}

/// Between two sheets and nearly along them, through the upper ones or out.
std::vector<RayRecord> grazing_rays(std::size_t count, std::uint32_t sheets) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::vector<RayRecord> rays(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto layer = static_cast<float>(i % sheets);
        const glm::vec3 from(0.9f * number(random), 0.08f * layer + 0.03f - 0.55f, 1.1f);
        const glm::vec3 to(0.9f * number(random), from.y + 1.1f + 0.05f * number(random), -1.1f);
        rays[i] = {.origin = from, .t_max = 1e30f, .direction = glm::normalize(to - from)};
    }
    return rays;
}

constexpr std::uint32_t kSheets = 6;

void expect_hits_on_mesh(const std::vector<HitRecord>& got, const std::vector<HitRecord>& expected,
                         std::uint32_t level) {
    ASSERT_EQ(got.size(), expected.size());
    const std::uint32_t of_patch = 2u << 2 * level;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_hit = expected[i].triangle != ~0u;
        hits += is_hit;
        ASSERT_EQ(got[i].triangle, is_hit ? expected[i].triangle / of_patch : ~0u) << i;
        if (is_hit) {
            ASSERT_EQ(got[i].t, expected[i].t) << i;
        }
    }
    EXPECT_GT(hits, got.size() / 16);
    EXPECT_LT(hits, got.size());
}

TEST_F(RoundsTest, RaysThatMeetThousandsOfBoxesFindTheirHits) {
    const Scene scene{.patches = tilted_sheets(kSheets), .map = crumpled(129, 0.12f), .level = 7};
    const auto rays = grazing_rays(64, kSheets);
    expect_hits_on_mesh(cast(scene, rays, {.method = PatchMethod::descent}),
                        hits_on_mesh(scene, rays), scene.level);
}

// An invocation walks for many rays, one after the other, and a group builds many trees. Devices
// that do not end loops try a few rays.
TEST_F(RoundsTest, RaysThatShareTreesFindTheirHits) {
    Scene scene{.patches = tilted_sheets(2), .map = crumpled(129, 0.3f), .level = 7};
    const auto rays = grazing_rays(device().caps().unbounded_loops ? 192 : 2048, 2);
    const auto expected = hits_on_mesh(scene, rays);
    CastDisplaced few = deferred();
    few.groups = 3;
    expect_hits_on_mesh(cast(scene, rays, few), expected, scene.level);
    scene.trees = 1;
    expect_hits_on_mesh(cast(scene, rays, deferred()), expected, scene.level);
}

} // namespace
} // namespace tuff
