#include "passes/terrain/bisection_pool.hpp"
#include "passes/terrain/planet.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/terrain/bisection_reference.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Trees in pools against those in sorted lists, which other tests compare with the definition.
namespace tuff {
namespace {

using passes::BisectionStatus;
using passes::BisectPool;
using passes::BisectWide;
using passes::MakeSurface;
using passes::Surface;
using passes::SurfaceKind;

class BisectionPoolTest : public testing_gpu::GpuTest {
  protected:
    using MadeSurface = std::function<Surface(Graph&)>;
    struct Leaves {
        std::vector<std::uint64_t> all; ///< in order
        std::vector<std::uint64_t> seen;
        BisectionStatus status;
    };
    struct Both {
        Leaves pool;
        Leaves list;
    };

    void TearDown() override {
        runner_.reset();
        GpuTest::TearDown();
    }

    Both frame(const MadeSurface& made, BisectPool pool) {
        Both both;
        Graph g = graph();
        pool.surface = made(g);
        BisectWide list{.surface = pool.surface,
                        .camera = pool.camera,
                        .height = pool.height,
                        .edge = pool.edge,
                        .max_level = pool.max_level,
                        .iterations = pool.iterations,
                        .capacity = pool.capacity,
                        .reset = pool.reset,
                        .cull = pool.cull};
        output(g, "pool", g.add(pool));
        output(g, "list", g.add(list));
        if (!runner_) runner_.emplace(device());
        if (auto taken = runner_->take(std::move(g).finish(), shaders()); !taken) {
            ADD_FAILURE() << taken.error().front().message;
            return both;
        }
        if (auto done = runner_->executor()->execute(); !done) {
            ADD_FAILURE() << done.error().front().message;
            return both;
        }
        return {read("pool"), read("list")};
    }

  private:
    template <typename Pass>
    static void output(Graph& g, const std::string& name, const Pass& pass) {
        g.output(name + "_all", pass.tree.keys);
        g.output(name + "_status", pass.tree.status);
        g.output(name + "_seen", pass.seen.keys);
        g.output(name + "_seen_status", pass.seen.status);
    }
    template <typename Word>
    std::vector<Word> words(const std::string& name) {
        const auto bytes = runner_->executor()->read_buffer(name);
        EXPECT_TRUE(bytes);
        if (!bytes) return std::vector<Word>(BisectionStatus::kWords);
        std::vector<Word> result(bytes->size() / sizeof(Word));
        std::memcpy(result.data(), bytes->data(), bytes->size());
        return result;
    }
    std::vector<std::uint64_t> sorted(const std::string& name, std::size_t count) {
        std::vector<std::uint64_t> nodes = words<std::uint64_t>(name);
        nodes.resize(std::min(nodes.size(), count));
        std::ranges::sort(nodes);
        return nodes;
    }
    Leaves read(const std::string& name) {
        const auto status = BisectionStatus::read(words<std::uint32_t>(name + "_status"));
        const std::uint32_t seen = words<std::uint32_t>(name + "_seen_status").at(0);
        return {sorted(name + "_all", status.listed), sorted(name + "_seen", seen), status};
    }

    std::optional<GraphRunner> runner_;
};

passes::CameraParameters pool_camera(glm::vec3 eye, glm::vec3 towards) {
    return {.mode = passes::CameraMode::free,
            .position = eye,
            .target = eye + towards,
            .vertical_fov = 60.0f,
            .near_plane = 1e-4f,
            .far_plane = 10.0f};
}

// Triangles are cut and merged at the same time, across borders that close and the edges of a cube,
// and slots are used again: each frame has the leaves of the list, however many steps it takes.
TEST_F(BisectionPoolTest, LeavesAreThoseOfASortedListStepByStep) {
    struct Case {
        std::string name;
        MadeSurface surface;
        std::vector<glm::vec3> eyes;
        float edge = 30.0f;
    };
    const auto kind = [](SurfaceKind k) {
        return [k](Graph& g) {
            return g.add(MakeSurface{.kind = k, .height = 0.1f, .radius = 0.8f}).surface;
        };
    };
    const glm::dvec3 above(1.2, 1.1, 1.15);
    const std::vector<glm::vec3> around{
        {1.07f, 0.211f, 0.173f}, {-1.31f, 0.42f, 0.771f}, {0.9f, 0.3f, -0.02f}};
    const std::vector<Case> cases{
        {"ground",
         kind(SurfaceKind::fbm),
         {{0.1137f, 0.2431f, 0.2171f}, {-0.3371f, 0.1613f, -0.1923f}, {-0.3f, 0.15f, -0.2f}}},
        {"sphere", kind(SurfaceKind::sphere), around},
        {"torus", kind(SurfaceKind::torus), around, 40.0f},
        {"planet",
         [&](Graph& g) { return g.add(passes::MakePlanet{.eye = above, .octaves = 4}).surface; },
         {{}, {}}}};
    std::uint32_t reset = 0;
    for (const Case& one : cases) {
        ++reset;
        std::vector<std::uint64_t> before;
        std::uint32_t merged = 0; // frames that have a leaf which was cut in the one before
        std::size_t most = 0;
        for (const glm::vec3 eye : one.eyes)
            for (const std::uint32_t iterations : {1u, 1u, 3u, 12u}) {
                const glm::vec3 towards =
                    one.name == "planet" ? glm::vec3(-above) : glm::vec3(-0.3f, -0.5f, -0.4f);
                const Both both = frame(one.surface, {.camera = pool_camera(eye, towards),
                                                      .height = 144,
                                                      .edge = one.edge,
                                                      .max_level = 14,
                                                      .iterations = iterations,
                                                      .capacity = 1u << 13,
                                                      .reset = reset});
                const std::string what = fmt::format("{}, {} steps", one.name, iterations);
                ASSERT_EQ(both.pool.status.refused, 0u) << what;
                ASSERT_EQ(both.pool.all, both.list.all) << what;
                EXPECT_EQ(both.pool.seen, both.list.seen) << what;
                EXPECT_EQ(both.pool.status.leaves, both.list.status.leaves) << what;
                EXPECT_EQ(both.pool.status.changed, both.list.status.changed) << what;
                merged += std::ranges::any_of(both.pool.all, [&](std::uint64_t node) {
                    return std::ranges::binary_search(before, 2 * node);
                });
                before = both.pool.all;
                most = std::max(most, both.pool.all.size());
            }
        EXPECT_GT(most, 100u) << one.name;
        if (one.name == "planet") continue; // whose eye stays
        EXPECT_GT(merged, 0u) << one.name;
    }
}

TEST_F(BisectionPoolTest, NodesReachCentimetresOnAPlanet) {
    const auto planet = [](Graph& g) {
        return g
            .add(passes::MakePlanet{.eye = glm::normalize(glm::dvec3(0.3, 0.8, -0.52)) * 6371000.5,
                                    .above_ground = true,
                                    .radius = 6371000.0,
                                    .height = 6000.0,
                                    .octaves = 20})
            .surface;
    };
    const BisectPool pass{.camera = pool_camera(glm::vec3(0.0f), glm::vec3(-0.3f, -0.8f, 0.52f)),
                          .height = 144,
                          .edge = 60.0f,
                          .max_level = 50,
                          .iterations = 30,
                          .capacity = 1u << 15};
    Both both;
    for (int i = 0; i < 3; ++i)
        both = frame(planet, pass);
    EXPECT_EQ(both.pool.status.refused, 0u);
    ASSERT_EQ(both.pool.all, both.list.all);
    ASSERT_FALSE(both.pool.all.empty());
    EXPECT_GE(static_cast<int>(std::bit_width(both.pool.all.back())) - 1, 45);
    const EdgeCounts counts = edge_counts(SurfaceKind::planet, both.pool.all, 3);
    EXPECT_EQ(counts.once, 0u);
    EXPECT_EQ(counts.more, 0u);
}

// A tree that has no room stays as it is, and goes on where it has some.
TEST_F(BisectionPoolTest, WithoutSlotsTheTreeStaysAsItIs) {
    const auto surface = [](Graph& g) { return g.add(MakeSurface{.height = 0.0f}).surface; };
    BisectPool pass{.camera = pool_camera({0.1f, 0.05f, 0.2f}, {0.0f, -0.2f, -1.0f}),
                    .height = 144,
                    .edge = 4.0f,
                    .max_level = 18,
                    .iterations = 20,
                    .capacity = 500};
    const Both full = frame(surface, pass);
    EXPECT_GT(full.pool.status.refused, 0u);
    ASSERT_EQ(full.pool.status.warnings().size(), 1u);
    EXPECT_EQ(full.pool.status.warnings()[0].code, "terrain/full-bisection");
    EXPECT_LE(full.pool.all.size(), 500u);
    EXPECT_GT(full.pool.all.size(), 100u);
    EXPECT_EQ(edge_counts(SurfaceKind::fbm, full.pool.all, 0).more, 0u);
    EXPECT_EQ(frame(surface, pass).pool.all, full.pool.all);
    pass.edge = 4000.0f; // all is merged again
    const Both coarse = frame(surface, pass);
    EXPECT_EQ(coarse.pool.all.size(), 4u);
    EXPECT_EQ(coarse.pool.status.refused, 0u);
    pass.edge = 4.0f;
    pass.reset = 1;
    EXPECT_EQ(frame(surface, pass).pool.all, full.pool.all);
}

} // namespace
} // namespace tuff
