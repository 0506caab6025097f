#include "passes/bvh/cast.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/registry.hpp"
#include "passes/scene/animate.hpp"
#include "tests/common/animated_model.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/animation_reference.hpp"

#include <tuff/assets.hpp>
#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/scene_motion.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <random>

/// Animations of glTF files against a computation of the same on the CPU.
namespace tuff {
namespace {

using passes::Animate;
using passes::ClipLoop;
using test::AnimatedModel;
using test::ClipMoment;
using test::PlacedMesh;
using testing_gpu::Running;

/// What a pass made of a scene, read back.
struct Posed {
    std::shared_ptr<const SceneData> data;
    std::vector<Vertex> vertices;
    std::vector<SceneTransform> transforms;

    glm::dvec3 place(std::size_t draw, std::size_t vertex) const {
        const glm::dmat4 world(transforms[data->draws[draw].transform].world);
        return glm::dvec3(world * glm::dvec4(of(draw, vertex).position, 1.0f));
    }
    glm::dvec3 normal(std::size_t draw, std::size_t vertex) const {
        const glm::dmat3 m(transforms[data->draws[draw].transform].normal);
        return glm::normalize(m * glm::dvec3(of(draw, vertex).normal));
    }
    glm::dvec4 tangent(std::size_t draw, std::size_t vertex) const {
        const glm::dmat3 m(transforms[data->draws[draw].transform].world);
        const glm::dvec4 own(of(draw, vertex).tangent);
        return {glm::normalize(m * glm::dvec3(own)), own.w};
    }

  private:
    const Vertex& of(std::size_t draw, std::size_t vertex) const {
        return vertices[static_cast<std::size_t>(data->draws[draw].vertex_offset) + vertex];
    }
};

class AnimateTest : public testing_gpu::GpuTest {
  protected:
    void SetUp() override {
        testing_gpu::GpuTest::SetUp();
        folder_ = test::empty_folder();
    }
    const std::filesystem::path& folder() const { return folder_; }

    SceneData load(const AnimatedModel& model) {
        auto scene = load_gltf(model.write(folder_));
        EXPECT_TRUE(scene) << to_string(scene.error());
        if (!scene) return {};
        EXPECT_TRUE(scene->warnings.empty()) << to_string(scene->warnings);
        return std::move(*scene);
    }

    /// The scene as each of `plays` shows it; one graph of the same structure for all.
    std::vector<Posed> pose(SceneData scene, const std::vector<Animate>& plays) {
        const SceneAsset asset = pack_scene(std::move(scene));
        GraphRunner runner(device(), {});
        std::vector<Posed> all;
        for (const Animate& play : plays) {
            Graph g = graph();
            Animate pass = play;
            pass.source = add_scene(g, "scene", asset);
            const Scene moved = g.add(std::move(pass)).scene;
            g.output("vertices", moved.vertices);
            g.output("transforms", moved.transforms);
            const auto taken = runner.take(std::move(g).finish(), shaders());
            EXPECT_TRUE(taken) << to_string(taken.error());
            if (!taken || !runner.executor()->execute()) return all;
            Posed posed{.data = moved.data};
            read("vertices", runner, posed.vertices);
            read("transforms", runner, posed.transforms);
            all.push_back(std::move(posed));
        }
        EXPECT_EQ(runner.compilations(), 1u);
        return all;
    }

    static void expect_posed(const Posed& posed, const std::vector<PlacedMesh>& expected,
                             const std::string& what, double bound = 4e-6) {
        ASSERT_EQ(posed.data->draws.size(), expected.size()) << what;
        for (std::size_t draw = 0; draw < expected.size(); ++draw) {
            const PlacedMesh& mesh = expected[draw];
            ASSERT_EQ(posed.data->draws[draw].vertex_count, mesh.positions.size());
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                const std::string at = fmt::format("{}: draw {}, vertex {}", what, draw, v);
                const double size = 1.0 + glm::length(mesh.positions[v]);
                ASSERT_LT(glm::distance(posed.place(draw, v), mesh.positions[v]), bound * size)
                    << at;
                // Where little is left of a normal or tangent, what is left turns quickly.
                ASSERT_LT(glm::distance(posed.normal(draw, v), mesh.normals[v]), 250.0 * bound)
                    << at;
                ASSERT_LT(glm::distance(posed.tangent(draw, v), mesh.tangents[v]), 250.0 * bound)
                    << at;
            }
        }
    }

  private:
    template <typename T>
    static void read(const std::string& name, GraphRunner& runner, std::vector<T>& values) {
        const auto bytes = runner.executor()->read_buffer(name);
        ASSERT_TRUE(bytes) << to_string(bytes.error());
        values.resize(bytes->size() / sizeof(T));
        std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
    }

    std::filesystem::path folder_;
};

float end_of(const AnimatedModel::Clip& clip) {
    float end = 0.0f;
    for (const AnimatedModel::Channel& channel : clip.channels)
        end = std::max(end, channel.times.back());
    return end;
}

/// Before the first key, at every key, between them and after the last.
std::vector<float> moments_of(const AnimatedModel::Clip& clip) {
    std::vector<float> times{-1.0f, 0.0f, end_of(clip), end_of(clip) + 1.0f};
    for (const AnimatedModel::Channel& channel : clip.channels)
        for (std::size_t key = 0; key < channel.times.size(); ++key) {
            times.push_back(channel.times[key]);
            if (key > 0) times.push_back(0.3f * channel.times[key - 1] + 0.7f * channel.times[key]);
        }
    return times;
}

TEST_F(AnimateTest, EveryVertexIsWhereTheSpecificationPutsIt) {
    for (const std::uint32_t seed : {1u, 2u}) {
        const AnimatedModel model = test::random_model(seed);
        std::vector<Animate> plays;
        std::vector<ClipMoment> moments;
        for (const AnimatedModel::Clip& clip : model.clips)
            for (const float time : moments_of(clip)) {
                plays.push_back({.time = time, .clip = clip.name, .loop = ClipLoop::hold});
                moments.push_back({clip.name, std::clamp(static_cast<double>(time), 0.0,
                                                         static_cast<double>(end_of(clip)))});
            }
        const std::vector<Posed> posed = pose(load(model), plays);
        ASSERT_EQ(posed.size(), plays.size());
        ASSERT_GT(posed.size(), 100u);
        for (std::size_t i = 0; i < posed.size(); ++i)
            expect_posed(posed[i], test::pose_model(model, moments[i]),
                         fmt::format("seed {}, {} at {}", seed, moments[i].clip, moments[i].time));
    }
}

TEST_F(AnimateTest, TwoClipsBlendByTheWeight) {
    const AnimatedModel model = test::random_model(4);
    std::vector<Animate> plays;
    for (const float blend : {0.0f, 0.25f, 0.5f, 0.9f, 1.0f})
        plays.push_back({.time = 0.8f,
                         .clip = "one",
                         .loop = ClipLoop::hold,
                         .second = {.clip = "two", .loop = ClipLoop::hold, .start = 0.3f},
                         .blend = blend});
    const std::vector<Posed> posed = pose(load(model), plays);
    ASSERT_EQ(posed.size(), plays.size());
    for (std::size_t i = 0; i < posed.size(); ++i)
        expect_posed(
            posed[i],
            test::pose_model(model, {"one", static_cast<double>(0.8f)},
                             {"two", static_cast<double>(0.8f) + static_cast<double>(0.3f)},
                             static_cast<double>(plays[i].blend)),
            fmt::format("blend {}", plays[i].blend));
}

TEST_F(AnimateTest, LoopsSpeedAndStartSayWhichSecondIsShown) {
    const passes::ClipParameters repeat{.loop = ClipLoop::repeat, .speed = 2.0f, .start = 0.5f};
    EXPECT_DOUBLE_EQ(passes::clip_time(repeat, 0.0, 4.0), 0.5);
    EXPECT_DOUBLE_EQ(passes::clip_time(repeat, 1.0, 4.0), 2.5);
    EXPECT_DOUBLE_EQ(passes::clip_time(repeat, 2.0, 4.0), 0.5);
    EXPECT_DOUBLE_EQ(passes::clip_time(repeat, -1.0, 4.0), 2.5);
    const passes::ClipParameters hold{.loop = ClipLoop::hold};
    EXPECT_DOUBLE_EQ(passes::clip_time(hold, -3.0, 4.0), 0.0);
    EXPECT_DOUBLE_EQ(passes::clip_time(hold, 3.0, 4.0), 3.0);
    EXPECT_DOUBLE_EQ(passes::clip_time(hold, 9.0, 4.0), 4.0);
    const passes::ClipParameters back{.loop = ClipLoop::ping_pong};
    for (const auto& [time, expected] : {std::pair{0.0, 0.0},
                                         {3.0, 3.0},
                                         {4.0, 4.0},
                                         {5.0, 3.0},
                                         {8.0, 0.0},
                                         {9.0, 1.0},
                                         {-1.0, 1.0},
                                         {-5.0, 3.0}})
        EXPECT_DOUBLE_EQ(passes::clip_time(back, time, 4.0), expected) << time;
    const passes::ClipParameters reversed{.loop = ClipLoop::repeat, .speed = -1.0f};
    EXPECT_DOUBLE_EQ(passes::clip_time(reversed, 1.0, 4.0), 3.0);
    for (const ClipLoop loop : {ClipLoop::repeat, ClipLoop::hold, ClipLoop::ping_pong})
        EXPECT_EQ(passes::clip_time({.loop = loop, .start = 3.0f}, 2.0, 0.0), 0.0)
            << "a clip without length";
    // An hour later the second is as exact.
    EXPECT_NEAR(passes::clip_time({}, 3600.25, 1.0), 0.25, 1e-9);
}

TEST_F(AnimateTest, TheSampleSkinBendsAsItsFileSays) {
    const auto path = find_asset("assimp/models/glTF2/simple_skin/simple_skin.gltf");
    if (!path) GTEST_SKIP() << to_string(path.error());
    auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    // The upper joint, at height 1, turns about z through these angles every half second. Pairs of
    // vertices at heights 0, 0.5, ... follow it with these weights.
    const double half = 2.0 * std::atan2(0.383, 0.924); // about an eighth of a turn
    const double full = 0.5 * std::numbers::pi;
    const double angles[] = {0, half, full, full, half, 0, 0, -half, -full, -full, -half, 0};
    const double weights[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    std::vector<Animate> plays;
    for (float time = 0.0f; time <= 5.5f; time += 0.125f)
        plays.push_back({.time = time, .loop = ClipLoop::hold});
    const std::vector<Posed> posed = pose(std::move(*scene), plays);
    ASSERT_EQ(posed.size(), plays.size());
    for (std::size_t i = 0; i < posed.size(); ++i) {
        const double key = 2.0 * static_cast<double>(plays[i].time);
        const auto before = static_cast<std::size_t>(std::min(key, 10.0));
        const double share = key - static_cast<double>(before);
        const double angle = angles[before] + share * (angles[before + 1] - angles[before]);
        std::vector<glm::dvec3> places;
        for (std::size_t row = 0; row < 5; ++row)
            for (const double x : {0.0, 1.0}) {
                const glm::dvec2 rest(x - 0.5, 0.5 * static_cast<double>(row) - 1.0);
                const glm::dvec2 turned(std::cos(angle) * rest.x - std::sin(angle) * rest.y,
                                        std::sin(angle) * rest.x + std::cos(angle) * rest.y);
                const glm::dvec2 blended = glm::mix(rest, turned, weights[row]);
                places.emplace_back(blended, 0.0);
            }
        // The file has no normals, so vertices are split: corners of its triangles.
        const std::size_t corners[] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4,
                                       4, 5, 7, 4, 7, 6, 6, 7, 9, 6, 9, 8};
        for (std::size_t v = 0; v < std::size(corners); ++v) {
            // Bind matrices put the middle of the strip at x 0.5; both joints stand at height 1.
            const glm::dvec3 expected = places[corners[v]] + glm::dvec3(0.0, 1.0, 0.0);
            EXPECT_LT(glm::distance(posed[i].place(0, v), expected), 1e-5)
                << plays[i].time << ", corner " << v;
        }
    }
}

TEST_F(AnimateTest, TheSampleMorphCubeGrowsByItsWeights) {
    const auto path = find_asset(
        "assimp/models/glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf");
    if (!path) GTEST_SKIP() << to_string(path.error());
    auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    const std::vector<Vertex> rest = scene->vertices;
    // Where the file has its arrays.
    std::ifstream file(path->parent_path() / "AnimatedMorphCube.bin", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_GE(bytes.size(), 4284u);
    const auto number = [&](std::size_t offset, std::size_t index) {
        float value = 0.0f;
        std::memcpy(&value, bytes.data() + offset + 4 * index, 4);
        return static_cast<double>(value);
    };
    constexpr std::size_t kPlaces[] = {1248, 2112}, kTimes = 2760, kWeights = 3268;
    std::vector<Animate> plays;
    for (float time = 0.0f; time < 4.3f; time += 0.31f)
        plays.push_back({.time = time, .loop = ClipLoop::hold});
    const std::vector<Posed> posed = pose(std::move(*scene), plays);
    ASSERT_EQ(posed.size(), plays.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < posed.size(); ++i) {
        const double time = static_cast<double>(plays[i].time);
        std::size_t key = 0;
        while (key < 125 && number(kTimes, key + 1) <= time)
            ++key;
        const double share = std::min(1.0, (time - number(kTimes, key)) /
                                               (number(kTimes, key + 1) - number(kTimes, key)));
        for (std::size_t v = 0; v < rest.size(); ++v) {
            glm::dvec3 expected(rest[v].position);
            for (std::size_t t = 0; t < 2; ++t) {
                const double weight = (1.0 - share) * number(kWeights, 2 * key + t) +
                                      share * number(kWeights, 2 * key + 2 + t);
                for (std::size_t c = 0; c < 3; ++c)
                    expected[static_cast<int>(c)] += weight * number(kPlaces[t], 3 * v + c);
            }
            largest = std::max(largest, glm::distance(expected, glm::dvec3(rest[v].position)));
            EXPECT_LT(glm::distance(glm::dvec3(posed[i].vertices[v].position), expected), 1e-8)
                << time << ", vertex " << v;
        }
    }
    EXPECT_GT(largest, 0.015) << "nothing has grown";
}

TEST_F(AnimateTest, PartsOfASceneMoveWhereTheyArePlaced) {
    const AnimatedModel model = test::random_model(5);
    const auto part = std::make_shared<const SceneData>(load(model));
    glm::mat4 placement = glm::translate(glm::mat4(1.0f), {3.0f, -1.0f, 2.0f});
    placement = glm::rotate(placement, 0.7f, glm::normalize(glm::vec3(1.0f, 2.0f, 3.0f)));
    placement = glm::scale(placement, glm::vec3(1.5f));
    const std::vector<ScenePart> parts{
        {.scene = std::make_shared<const SceneData>(make_plane({2.0f, 2.0f})),
         .placement = glm::mat4(1.0f),
         .material = {}},
        {.scene = part, .placement = placement, .material = {}},
        {.scene = part, .placement = glm::mat4(1.0f), .material = {}}};
    auto merged = merge_scenes(parts);
    ASSERT_TRUE(merged) << to_string(merged.error());
    ASSERT_EQ(merged->motion->clips.size(), 2u) << "clips of one name are one";
    const std::vector<Posed> posed =
        pose(std::move(*merged), {{.time = 0.9f, .clip = "two", .loop = ClipLoop::hold}});
    ASSERT_EQ(posed.size(), 1u);
    const auto expected = test::pose_model(model, {"two", static_cast<double>(0.9f)});
    ASSERT_EQ(posed[0].data->draws.size(), 1 + 2 * expected.size());
    EXPECT_EQ(posed[0].place(0, 3), glm::dvec3(1.0, 0.0, 1.0)) << "the plane stays";
    for (std::size_t mesh = 0; mesh < expected.size(); ++mesh)
        for (std::size_t v = 0; v < expected[mesh].positions.size(); ++v) {
            const glm::dvec3 own = expected[mesh].positions[v];
            const glm::dvec3 placed(glm::dmat4(placement) * glm::dvec4(own, 1.0));
            ASSERT_LT(glm::distance(posed[0].place(1 + mesh, v), placed), 2e-4) << mesh;
            ASSERT_LT(glm::distance(posed[0].place(1 + expected.size() + mesh, v), own), 1e-4)
                << mesh;
        }
}

TEST_F(AnimateTest, AStillSceneGoesThroughWithOneWarning) {
    Graph g = graph();
    const Scene source = add_scene(g, "scene", pack_scene(make_plane({1.0f, 1.0f})));
    const Scene moved = g.add(Animate{.source = source}).scene;
    EXPECT_EQ(moved.vertices, source.vertices);
    EXPECT_FALSE(moved.vertices_move);
    g.output("vertices", moved.vertices);
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 1u);
    EXPECT_EQ(desc.diagnostics.front().code, "scene/no-animation");
}

TEST_F(AnimateTest, AClipThatIsNotThereIsAnErrorThatNamesThoseThatAre) {
    const SceneAsset asset = pack_scene(load(test::random_model(1)));
    const auto errors = [&](Animate pass) {
        Graph g = graph();
        pass.source = add_scene(g, "scene", asset);
        (void)g.add(std::move(pass));
        return std::move(g).finish().diagnostics;
    };
    EXPECT_TRUE(errors({.clip = "two"}).empty());
    EXPECT_TRUE(errors({.clip = "1"}).empty()) << "by its number";
    for (const Diagnostics& found :
         {errors({.clip = "three"}), errors({.second = {.clip = "7"}})}) {
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found.front().code, "scene/no-such-clip");
        EXPECT_THAT(found.front().hint, testing::HasSubstr("\"one\", \"two\""));
    }
}

TEST_F(AnimateTest, ARefittedHierarchyHitsWhatAFreshOneHits) {
    AnimatedModel model = test::random_model(6);
    const SceneAsset asset = pack_scene(load(model));
    Graph g = graph();
    const Scene rest = add_scene(g, "scene", asset);
    const Scene moved = g.add(Animate{.source = rest, .time = 1.1f}).scene;
    const passes::TriangleMesh before = g.add(passes::Triangles{.scene = rest}).mesh;
    const passes::TriangleMesh now = g.add(passes::Triangles{.scene = moved}).mesh;
    std::mt19937 random(5);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f; };
    std::vector<passes::RayRecord> rays(3000);
    for (passes::RayRecord& ray : rays) {
        ray.origin = 6.0f * glm::normalize(glm::vec3(number(), number(), number()));
        ray.direction = 2.0f * glm::vec3(number(), number(), number()) - ray.origin;
        ray.t_max = 1e9f;
    }
    const Buffer queries =
        g.constant_buffer("rays", {.size = rays.size() * sizeof(passes::RayRecord), .stride = 16},
                          testing_gpu::bytes_of(rays));
    const passes::Bvh tree = g.add(passes::LbvhBuild{.mesh = before}).bvh;
    const passes::Bvh refitted = g.add(passes::Refit{.source = tree, .mesh = now}).bvh;
    const passes::Bvh fresh = g.add(passes::LbvhBuild{.mesh = now}).bvh;
    const auto hits = [&](const std::string& name, const passes::Bvh& bvh) {
        g.output(name, g.add(passes::CastRays{.bvh = bvh, .rays = queries}).hits);
    };
    hits("before", tree);
    hits("refitted", refitted);
    hits("fresh", fresh);
    Running running = run(std::move(g));
    const auto expected = running.buffer<glm::uvec4>("fresh");
    const auto found = running.buffer<glm::uvec4>("refitted");
    const auto stale = running.buffer<glm::uvec4>("before");
    ASSERT_EQ(expected.size(), rays.size());
    std::size_t hit = 0, other = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(found[i], expected[i]) << i;
        hit += expected[i].y != ~0u;
        other += expected[i] != stale[i];
    }
    EXPECT_GT(hit, 500u);
    EXPECT_GT(other, 500u) << "nothing has moved";
}

TEST_F(AnimateTest, AConfigPlaysByTheTimeOfTheFrame) {
    const AnimatedModel model = test::random_model(7);
    (void)model.write(folder());
    const PassRegistry registry = passes::make_registry();
    AssetCache assets;
    const auto config = Config::parse(
        R"json({"tuff": 1, "assets": {"figure": {"gltf": "model.gltf"}},
        "nodes": {"play": {"pass": "scene/animate", "in": {"source": "figure"},
                           "params": {"time": "$time", "clip": "one", "loop": "ping-pong"}}},
        "outputs": {"vertices": "play.scene.vertices"}})json",
        folder() / "test.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    GraphRunner runner(device(), {});
    const SceneData loaded = load(model);
    const double end = static_cast<double>(end_of(model.clips[0]));
    for (int frame = 0; frame < 5; ++frame) {
        auto built = config->build(shaders(), assets, {.frame = frame, .time = 0.7 * frame},
                                   device().caps());
        ASSERT_TRUE(built) << to_string(built.error());
        ASSERT_TRUE(runner.take(std::move(built->graph), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto bytes = runner.executor()->read_buffer("vertices");
        ASSERT_TRUE(bytes);
        std::vector<Vertex> vertices(bytes->size() / sizeof(Vertex));
        std::memcpy(vertices.data(), bytes->data(), bytes->size());
        const double late = std::fmod(0.7 * frame, 2.0 * end);
        const auto expected =
            test::pose_model(model, {"one", late < end ? late : 2.0 * end - late});
        for (std::size_t draw = 0; draw < expected.size(); ++draw) {
            if (model.nodes[static_cast<std::size_t>(expected[draw].node)].skin < 0) continue;
            const auto first = static_cast<std::size_t>(loaded.draws[draw].vertex_offset);
            for (std::size_t v = 0; v < expected[draw].positions.size(); ++v)
                ASSERT_LT(glm::distance(glm::dvec3(vertices[first + v].position),
                                        expected[draw].positions[v]),
                          2e-4)
                    << frame << ": draw " << draw << ", vertex " << v;
        }
    }
    EXPECT_EQ(runner.compilations(), 1u);
}

} // namespace
} // namespace tuff
