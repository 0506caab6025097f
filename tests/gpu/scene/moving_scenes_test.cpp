#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/hair/skin.hpp"
#include "passes/hair/step.hpp"
#include "passes/lights/of_scene.hpp"
#include "passes/raytrace/path_trace.hpp"
#include "passes/raytrace/whitted.hpp"
#include "passes/scene/animate.hpp"
#include "passes/voxel/surface.hpp"
#include "tests/common/animated_model.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/animation_reference.hpp"

#include <tuff/graph_runner.hpp>
#include <tuff/scene_motion.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

/// Scenes that move, as other passes see them: cameras, lights and bounds against the CPU, pictures
/// and voxels against those of the scene that is loaded in the same pose.
namespace tuff {
namespace {

using passes::Animate;
using passes::ClipLoop;
using test::AnimatedModel;
using testing_gpu::bytes_of;
using testing_gpu::Running;

/// The moving model with cameras and lights on nodes that move, and one of each that stands still.
AnimatedModel with_carried(AnimatedModel model) {
    model.cameras = {{.far_plane = 30.0f}, {}};
    model.lights = {{"point", 3.0f}, {"spot", 5.0f}, {"directional", 2.0f}};
    for (const int parent : {4, 9, -1})
        model.nodes.push_back({.parent = parent,
                               .translation = {0.3f, 0.2f, 4.0f},
                               .rotation = glm::normalize(glm::vec4(0.1f, 0.3f, -0.2f, 1.0f)),
                               .camera = parent == 9 ? 1 : 0});
    for (const int light : {0, 1, 2, 1})
        model.nodes.push_back({.parent = light == 2 ? 7 : 3,
                               .translation = {0.1f, -0.4f, 0.2f},
                               .rotation = glm::normalize(glm::vec4(0.4f, 0.1f, 0.3f, 0.8f)),
                               .light = light});
    return model;
}

class MovingScenes : public testing_gpu::GpuTest {
  protected:
    void SetUp() override {
        testing_gpu::GpuTest::SetUp();
        folder_ = test::empty_folder();
    }
    SceneData load(const AnimatedModel& model) {
        auto scene = load_gltf(model.write(folder_));
        EXPECT_TRUE(scene) << to_string(scene.error());
        return scene ? std::move(*scene) : SceneData{};
    }
    /// The model as a file that stands still in this pose.
    SceneData load_baked(const AnimatedModel& model, const test::ClipMoment& moment) {
        AnimatedModel baked;
        for (const test::PlacedMesh& placed : test::pose_model(model, moment)) {
            const auto mesh = model.nodes[static_cast<std::size_t>(placed.node)].mesh;
            AnimatedModel::Mesh& own = baked.meshes.emplace_back();
            own.positions.assign(placed.positions.begin(), placed.positions.end());
            own.normals.assign(placed.normals.begin(), placed.normals.end());
            own.tangents.assign(placed.tangents.begin(), placed.tangents.end());
            own.indices = model.meshes[static_cast<std::size_t>(mesh)].indices;
            baked.nodes.push_back({.mesh = static_cast<int>(baked.meshes.size()) - 1});
        }
        return load(baked);
    }
    /// The scene at a moment of a clip.
    static Scene play(Graph& g, const SceneAsset& asset, const test::ClipMoment& moment) {
        return g
            .add(Animate{.source = add_scene(g, "scene", asset),
                         .time = static_cast<float>(moment.time),
                         .clip = moment.clip,
                         .loop = ClipLoop::hold})
            .scene;
    }
    static passes::TriangleMesh triangles(Graph& g, const Scene& scene) {
        return g.add(passes::Triangles{.scene = scene}).mesh;
    }
    static void output_copy(Graph& g, const std::string& name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    }
    static passes::CameraParameters eye() {
        return {.mode = passes::CameraMode::free,
                .position = {5.0f, 3.0f, 7.0f},
                .near_plane = 0.5f,
                .far_plane = 40.0f};
    }
    /// The share of texels that are others.
    static double share_of_others(const HostImage& a, const HostImage& b) {
        double others = 0.0;
        for (std::uint32_t y = 0; y < a.extent.height; ++y)
            for (std::uint32_t x = 0; x < a.extent.width; ++x) {
                const auto p = a.texel(x, y);
                const auto q = b.texel(x, y);
                bool same = true;
                for (std::size_t c = 0; c < 3; ++c)
                    same = same && std::abs(p[c] - q[c]) <= 0.01f * (1.0f + std::abs(q[c]));
                others += same ? 0.0 : 1.0;
            }
        return others / (static_cast<double>(a.extent.width) * a.extent.height);
    }

    /// Three pictures by the tracer: the moving scene with a fresh hierarchy and with that of the
    /// scene at rest, refitted, and the baked one. The first two are the same; so is the third but
    /// for the share `others` of its texels, at edges, where rounding decides.
    template <typename Pass>
    void expect_traced(Pass pass, double others) {
        const AnimatedModel model = test::random_model(11);
        const SceneAsset asset = pack_scene(load(model));
        const test::ClipMoment moment{"one", static_cast<double>(1.1f)};
        const SceneAsset baked = pack_scene(load_baked(model, moment));
        pass.width = pass.height = 64;
        pass.camera = eye();
        Graph g = graph();
        const Scene rest = add_scene(g, "rest", asset);
        const Scene now = play(g, asset, moment);
        const Scene still = add_scene(g, "still", baked);
        const auto trace = [&](const std::string& name, const Scene& scene,
                               const passes::Bvh& bvh) {
            Pass one = pass;
            one.scene = scene;
            one.bvh = bvh;
            g.output(name, g.add(std::move(one), name).color);
        };
        const auto fresh = [&](const Scene& scene) {
            return g.add(passes::LbvhBuild{.mesh = triangles(g, scene)}).bvh;
        };
        trace("fresh", now, fresh(now));
        trace("refitted", now,
              g.add(passes::Refit{.source = fresh(rest), .mesh = triangles(g, now)}).bvh);
        trace("baked", still, fresh(still));
        trace("rest", rest, fresh(rest));
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const HostImage baked_picture = running.image("baked");
        EXPECT_EQ(share_of_others(running.image("fresh"), running.image("refitted")), 0.0);
        EXPECT_LT(share_of_others(running.image("fresh"), baked_picture), others);
        EXPECT_GT(share_of_others(running.image("rest"), baked_picture), 0.1) << "nothing moved";
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(MovingScenes, CamerasAndLightsFollowTheirNodes) {
    const AnimatedModel model = with_carried(test::random_model(3));
    const SceneAsset asset = pack_scene(load(model));
    ASSERT_EQ(asset.data->cameras.size(), 3u);
    ASSERT_EQ(asset.data->lights.size(), 4u);
    EXPECT_EQ(asset.data->motion->cameras.size(), 2u) << "the third stands still";
    std::vector<std::size_t> cameras, lights; // nodes, in the order of a walk from the roots
    const std::function<void(int)> walk = [&](int node) {
        const AnimatedModel::Node& n = model.nodes[static_cast<std::size_t>(node)];
        if (n.camera >= 0) cameras.push_back(static_cast<std::size_t>(node));
        if (n.light >= 0) lights.push_back(static_cast<std::size_t>(node));
        for (std::size_t i = 0; i < model.nodes.size(); ++i)
            if (model.nodes[i].parent == node) walk(static_cast<int>(i));
    };
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
        if (model.nodes[i].parent < 0) walk(static_cast<int>(i));
    GraphRunner runner(device(), {});
    for (const auto& [time, blend] :
         {std::pair{0.0f, 0.0f}, {0.45f, 0.0f}, {1.2f, 0.3f}, {0.9f, 1.0f}, {9.0f, 0.0f}}) {
        Graph g = graph();
        const Scene moved = g.add(Animate{.source = add_scene(g, "scene", asset),
                                          .time = time,
                                          .clip = "one",
                                          .loop = ClipLoop::hold,
                                          .second = {.clip = "two", .loop = ClipLoop::hold},
                                          .blend = blend})
                                .scene;
        const auto seconds = static_cast<double>(time);
        const auto worlds =
            test::pose_nodes(model, {"one", seconds}, {"two", seconds}, static_cast<double>(blend));
        for (std::size_t i = 0; i < cameras.size(); ++i) {
            const glm::dmat4& world = worlds[cameras[i]];
            const Camera& camera = moved.data->cameras[i].camera;
            const glm::dvec3 place(world[3]);
            EXPECT_LT(glm::distance(glm::dvec3(camera.position), place), 1e-5) << time;
            EXPECT_LT(glm::distance(glm::dvec3(camera.target), place - glm::dvec3(world[2])), 1e-5)
                << time;
            EXPECT_LT(glm::distance(glm::dvec3(camera.up), glm::dvec3(world[1])), 1e-5) << time;
        }
        const passes::SceneLights of = g.add(passes::SceneLights{.scene = moved});
        g.output("spheres", of.lights.spheres);
        g.output("shades", of.lights.shades);
        const auto taken = runner.take(std::move(g).finish(), shaders());
        ASSERT_TRUE(taken) << to_string(taken.error());
        ASSERT_TRUE(runner.executor()->execute());
        const auto spheres = runner.executor()->read_buffer("spheres");
        const auto shades = runner.executor()->read_buffer("shades");
        ASSERT_TRUE(spheres && shades);
        for (std::size_t i = 0; i < lights.size(); ++i) {
            const glm::dmat4& world = worlds[lights[i]];
            const glm::dvec3 along = -glm::normalize(glm::dvec3(world[2]));
            glm::vec4 sphere;
            passes::LightShade shade;
            std::memcpy(&sphere, spheres->data() + i * sizeof(sphere), sizeof(sphere));
            std::memcpy(&shade, shades->data() + i * sizeof(shade), sizeof(shade));
            const SceneLightKind kind = moved.data->lights[i].kind;
            if (kind == SceneLightKind::directional) {
                const glm::dvec3 from(glm::vec3(sphere) - moved.data->bounds.center());
                EXPECT_LT(glm::distance(-glm::normalize(from), along), 1e-5) << time;
                continue;
            }
            EXPECT_LT(glm::distance(glm::dvec3(glm::vec3(sphere)), glm::dvec3(world[3])), 1e-5)
                << time << ", light " << i;
            if (kind == SceneLightKind::spot) {
                EXPECT_LT(glm::distance(glm::dvec3(shade.direction), along), 1e-5) << time;
            }
        }
    }
    EXPECT_EQ(runner.compilations(), 1u) << "another time is no other structure";
}

TEST_F(MovingScenes, CamerasOfPlacedPartsFollowTheirNodesThere) {
    const AnimatedModel model = with_carried(test::random_model(5));
    const auto part = std::make_shared<const SceneData>(load(model));
    const glm::mat4 placement = glm::scale(
        glm::rotate(glm::translate(glm::mat4(1.0f), {3.0f, -1.0f, 2.0f}), 0.7f, {0.6f, 0.8f, 0.0f}),
        glm::vec3(1.5f));
    const std::vector<ScenePart> parts{
        {.scene = part, .placement = glm::mat4(1.0f), .material = {}},
        {.scene = part, .placement = placement, .material = {}}};
    auto merged = merge_scenes(parts);
    ASSERT_TRUE(merged) << to_string(merged.error());
    Graph g = graph();
    const SceneAsset asset = pack_scene(std::move(*merged));
    const Scene moved = play(g, asset, {"two", 0.6});
    const std::size_t own = part->cameras.size();
    ASSERT_EQ(moved.data->cameras.size(), 2 * own);
    for (std::size_t i = 0; i < own; ++i) {
        const Camera& a = moved.data->cameras[i].camera;
        const Camera& b = moved.data->cameras[own + i].camera;
        EXPECT_LT(glm::distance(glm::vec3(placement * glm::vec4(a.position, 1.0f)), b.position),
                  1e-5f);
        EXPECT_LT(glm::distance(glm::vec3(placement * glm::vec4(a.target, 1.0f)), b.target), 1e-5f);
        EXPECT_LT(glm::distance(glm::mat3(placement) * a.up, b.up), 1e-5f);
    }
    for (std::size_t i = 0; i < part->lights.size(); ++i) {
        const SceneLight& a = moved.data->lights[i];
        const SceneLight& b = moved.data->lights[part->lights.size() + i];
        EXPECT_LT(glm::distance(glm::vec3(placement * glm::vec4(a.position, 1.0f)), b.position),
                  1e-5f);
        EXPECT_LT(glm::distance(glm::normalize(glm::mat3(placement) * a.direction), b.direction),
                  1e-5f);
    }
}

TEST_F(MovingScenes, BoundsHoldWhatIsDrawnAndLittleMore) {
    double loosest = 0.0;
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        const AnimatedModel model = with_carried(test::random_model(seed));
        const SceneAsset asset = pack_scene(load(model));
        for (const char* clip : {"one", "two"})
            for (float time = 0.0f; time < 3.0f; time += 0.07f)
                for (const float blend : {0.0f, 0.4f}) {
                    Graph g = graph();
                    const std::shared_ptr<const SceneData> shared =
                        g.add(Animate{.source = add_scene(g, "scene", asset),
                                      .time = time,
                                      .clip = clip,
                                      .loop = ClipLoop::hold,
                                      .second = {.clip = "one", .loop = ClipLoop::hold},
                                      .blend = blend})
                            .scene.data;
                    const SceneData& data = *shared;
                    const auto seconds = static_cast<double>(time);
                    const auto meshes = test::pose_model(model, {clip, seconds}, {"one", seconds},
                                                         static_cast<double>(blend));
                    ASSERT_EQ(data.draw_bounds.size(), meshes.size());
                    for (std::size_t draw = 0; draw < meshes.size(); ++draw) {
                        const Bounds& box = data.draw_bounds[draw];
                        glm::dvec3 low(1e30);
                        glm::dvec3 high(-1e30);
                        for (const glm::dvec3& p : meshes[draw].positions) {
                            low = glm::min(low, p);
                            high = glm::max(high, p);
                        }
                        // What kernels make of a vertex that moves is within 4e-6 of this.
                        const bool moves =
                            std::ranges::find(asset.data->motion->boxes,
                                              static_cast<std::uint32_t>(draw),
                                              &MotionBox::draw) != asset.data->motion->boxes.end();
                        const double room = moves ? 4e-6 : -1e-6;
                        for (int axis = 0; axis < 3; ++axis) {
                            ASSERT_LE(box.min[axis], low[axis] - room) << draw << " " << time;
                            ASSERT_GE(box.max[axis], high[axis] + room) << draw << " " << time;
                            ASSERT_LE(data.bounds.min[axis], box.min[axis]);
                            ASSERT_GE(data.bounds.max[axis], box.max[axis]);
                        }
                        loosest = std::max(loosest, glm::length(glm::dvec3(box.max - box.min)) /
                                                        glm::length(high - low));
                    }
                    // The camera without a far plane sees all of it.
                    for (const std::uint32_t open : data.motion->open_cameras) {
                        const Camera& camera = data.cameras[open].camera;
                        EXPECT_GT(camera.far_plane,
                                  glm::distance(camera.position, data.bounds.center()));
                    }
                }
    }
    RecordProperty("loosest", std::to_string(loosest));
    // Boxes about boxes that are turned, sqrt(3) at most, and about the joints of a skin: vertices
    // are means of points in all of them.
    EXPECT_LT(loosest, 6.0);
}

TEST_F(MovingScenes, CamerasInOrbitStandStill) {
    const SceneAsset asset = pack_scene(load(test::random_model(2)));
    Bounds first;
    for (float time = 0.0f; time < 2.0f; time += 0.1f) {
        Graph g = graph();
        const Bounds now = play(g, asset, {"one", static_cast<double>(time)}).data->bounds;
        if (first.empty()) first = now;
        // The reach of a clip is that of 65 moments.
        const float size = glm::distance(first.min, first.max);
        EXPECT_LT(glm::distance(now.min, first.min), 0.03f * size) << time;
        EXPECT_LT(glm::distance(now.max, first.max), 0.03f * size) << time;
    }
}

TEST_F(MovingScenes, WhittedTracesThemAsTheyAre) {
    expect_traced(passes::TraceWhitted{}, 0.01);
}

TEST_F(MovingScenes, PathsAreTracedThroughThemAsTheyAre) {
    passes::PathTrace pass;
    pass.bounces = 2;
    expect_traced(pass, 0.03); // a path has three chances to pass an edge on its other side
}

TEST_F(MovingScenes, TheirVoxelsAndPixelsAreThoseOfTheBakedScene) {
    const AnimatedModel model = test::random_model(12);
    const SceneAsset asset = pack_scene(load(model));
    const test::ClipMoment moment{"two", static_cast<double>(0.8f)};
    const SceneAsset baked = pack_scene(load_baked(model, moment));
    Graph g = graph();
    const std::pair<std::string, Scene> scenes[] = {{"now", play(g, asset, moment)},
                                                    {"baked", add_scene(g, "baked", baked)},
                                                    {"rest", add_scene(g, "rest", asset)}};
    for (const auto& [name, scene] : scenes) {
        const passes::TriangleMesh mesh = triangles(g, scene);
        passes::VoxelSurface voxels{.mesh = mesh};
        voxels.parameters.dims = glm::uvec3(48);
        const passes::VoxelGrid grid = g.add(voxels).grid;
        g.output(name + ".words", grid.words);
        g.output(name + ".frame", grid.frame);
        g.output(
            name + ".keys",
            g.add(passes::ComputeRaster{.mesh = mesh, .width = 160, .height = 120, .camera = eye()})
                .visibility.keys);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto frame = running.buffer<glm::vec4>("now.frame");
    const auto expected_frame = running.buffer<glm::vec4>("baked.frame");
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(glm::distance(frame[i], expected_frame[i]), 1e-4f * glm::length(frame[i])) << i;
    const auto voxels_apart = [&](const std::string& name) {
        const auto a = running.buffer<std::uint32_t>(name + ".words");
        const auto b = running.buffer<std::uint32_t>("baked.words");
        int apart = 0;
        int all = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            apart += std::popcount(a[i] ^ b[i]);
            all += std::popcount(b[i]);
        }
        EXPECT_GT(all, 2000);
        return static_cast<double>(apart) / all;
    };
    // Vertices are rounded to 1/256 voxel, here and there to another one.
    EXPECT_LT(voxels_apart("now"), 0.005);
    EXPECT_GT(voxels_apart("rest"), 0.3) << "nothing moved";
    const auto pixels_apart = [&](const std::string& name) {
        const auto a = running.buffer<glm::uvec2>(name + ".keys");
        const auto b = running.buffer<glm::uvec2>("baked.keys");
        std::size_t apart = 0;
        std::size_t all = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            apart += a[i].x != b[i].x;
            all += b[i].x != ~0u;
        }
        EXPECT_GT(all, 2000u);
        return static_cast<double>(apart) / static_cast<double>(all);
    };
    EXPECT_LT(pixels_apart("now"), 0.01);
    EXPECT_GT(pixels_apart("rest"), 0.3) << "nothing moved";
}

TEST_F(MovingScenes, HairStandsOnASkinThatMoves) {
    const AnimatedModel model = test::random_model(13);
    const SceneAsset asset = pack_scene(load(model));
    const test::ClipMoment begins{"one", static_cast<double>(0.2f)};
    const test::ClipMoment moment{"one", static_cast<double>(1.0f)};
    // A strand along the normal of each triangle of the two skinned meshes, from its middle.
    struct Stub {
        glm::dvec3 root, normal;
        double area = 0.0;
    };
    const auto stubs = [&](const test::ClipMoment& when) {
        const auto meshes = test::pose_model(model, when);
        std::vector<Stub> all;
        for (const test::PlacedMesh& mesh : meshes) {
            const AnimatedModel::Node& node = model.nodes[static_cast<std::size_t>(mesh.node)];
            if (node.skin < 0) continue;
            for (std::size_t v = 0; v + 2 < mesh.positions.size(); v += 3) {
                const glm::dvec3 a = mesh.positions[v];
                const glm::dvec3 b = mesh.positions[v + 1];
                const glm::dvec3 c = mesh.positions[v + 2];
                const glm::dvec3 across = glm::cross(b - a, c - a);
                all.push_back(
                    {(a + b + c) / 3.0, glm::normalize(across), 0.5 * glm::length(across)});
            }
        }
        return all;
    };
    const std::vector<Stub> before = stubs(begins);
    const std::vector<Stub> after = stubs(moment);
    ASSERT_GE(before.size(), 40u);
    constexpr std::uint32_t kVertices = 4;
    constexpr double kEdge = 0.05;
    std::vector<glm::vec4> points;
    for (const Stub& stub : before)
        for (std::uint32_t v = 0; v < kVertices; ++v)
            points.emplace_back(glm::vec3(stub.root + kEdge * v * stub.normal), 1.0f);
    Graph g = graph();
    const auto constant = [&](const std::string& name, const auto& bytes, std::uint32_t stride) {
        return g.constant_buffer(name, {.size = bytes->size(), .stride = stride}, bytes);
    };
    const auto count = static_cast<std::uint32_t>(before.size());
    const passes::HairGroom groom = passes::prepared(
        g, constant("points", bytes_of(points), 16),
        constant("groups", bytes_of(std::vector<std::uint32_t>(count)), 4), count, kVertices, 1);
    passes::StepHair pass{.groom = groom};
    pass.roots = g.add(passes::SkinHair{.groom = groom,
                                        .rest = triangles(g, play(g, asset, begins)),
                                        .now = triangles(g, play(g, asset, moment))})
                     .roots;
    pass.motion.mode = passes::HairMode::rigid;
    g.output("positions", g.add(pass).after.positions);
    Running running = run(std::move(g));
    const auto got = running.buffer<glm::vec4>("positions");
    ASSERT_EQ(got.size(), points.size());
    double moved = 0.0;
    for (std::size_t s = 0; s < count; ++s) {
        moved = std::max(moved, glm::distance(before[s].root, after[s].root));
        // Slivers' normals turn quickly with the rounding of their corners.
        if (std::min(before[s].area, after[s].area) < 0.02) continue;
        for (std::uint32_t v = 0; v < kVertices; ++v)
            EXPECT_LT(glm::distance(glm::dvec3(got[s * kVertices + v]),
                                    after[s].root + kEdge * v * after[s].normal),
                      1e-4)
                << s << ", " << v;
    }
    EXPECT_GT(moved, 0.3) << "nothing moved";
}

} // namespace
} // namespace tuff
