// raytrace/primary: rays of cameras, and that they see what the raster pass draws.

#include "passes/bvh/cast.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/raytrace/primary.hpp"
#include "passes/scene/mesh_raster.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <string>

namespace tuff {
namespace {

struct RayWords {
    glm::vec3 origin;
    float t_max;
    glm::vec3 direction;
    std::uint32_t leaves;
};
static_assert(sizeof(RayWords) == passes::kRayBytes);

struct HitWords {
    float t;
    std::uint32_t triangle;
    glm::vec2 weights;
};

class PrimaryRaysTest : public RaytraceTest {
  protected:
    static Camera camera(Projection kind) {
        Camera camera;
        camera.kind = kind;
        camera.position = {1, 2, 6};
        camera.target = {0.2f, 0.1f, 0};
        camera.orthographic_height = 3.0f;
        camera.near_plane = 2.0f;
        camera.far_plane = 12.0f;
        return camera;
    }
    std::vector<RayWords> rays(const SceneData& scene, std::uint32_t width, std::uint32_t height) {
        Graph g = graph();
        passes::PrimaryRays pass{
            .scene = add_scene(g, "scene", pack_scene(scene)), .width = width, .height = height};
        pass.camera.mode = passes::CameraMode::file;
        g.output("rays", g.add(pass).rays);
        testing_gpu::Running running = run(std::move(g));
        return running ? running.buffer<RayWords>("rays") : std::vector<RayWords>{};
    }
};

TEST_F(PrimaryRaysTest, GoThroughTheMiddlesOfTheirPixels) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic})
        for (const auto& [width, height] : {std::pair{24u, 16u}, {13u, 7u}, {1u, 1u}, {8u, 33u}}) {
            SceneBuilder scene;
            scene.camera(camera(kind));
            const auto all = rays(scene.peek(), width, height);
            const passes::TiledSize size{width, height};
            ASSERT_EQ(all.size(), size.slots());
            const float aspect = static_cast<float>(width) / static_cast<float>(height);
            const glm::dmat4 clip_of =
                glm::dmat4(camera(kind).projection(aspect)) * glm::dmat4(camera(kind).view());
            std::size_t alive = 0;
            for (const RayWords& ray : all)
                alive += ray.t_max > 0.0f;
            EXPECT_EQ(alive, width * height);
            for (std::uint32_t y = 0; y < height; ++y)
                for (std::uint32_t x = 0; x < width; ++x) {
                    const RayWords& ray = all[size.slot_of(x, y)];
                    ASSERT_GT(ray.t_max, 1e20f);
                    ASSERT_EQ(ray.leaves, ~0u);
                    ASSERT_NEAR(glm::length(ray.direction), 1.0f, 1e-6f);
                    for (const double t : {1.0, 7.0}) {
                        const glm::dvec4 clip =
                            clip_of *
                            glm::dvec4(glm::dvec3(ray.origin) + t * glm::dvec3(ray.direction), 1);
                        ASSERT_NEAR((clip.x / clip.w + 1.0) * 0.5 * width, x + 0.5, 1e-3);
                        ASSERT_NEAR((clip.y / clip.w + 1.0) * 0.5 * height, y + 0.5, 1e-3);
                    }
                }
        }
}

/// Makes what rays go through.
using HierarchyOver = std::function<passes::Bvh(Graph&, const passes::TriangleMesh&)>;

class Visibility : public PrimaryRaysTest {
  protected:
    /// Adds rays through the pixels, and what they hit first.
    static void trace(Graph& g, const std::string& name, const Scene& scene, std::uint32_t side,
                      const passes::CameraParameters& camera_parameters,
                      const HierarchyOver& hierarchy) {
        const auto mesh = g.add(passes::Triangles{.scene = scene}).mesh;
        passes::PrimaryRays pass{.scene = scene, .width = side, .height = side};
        pass.camera = camera_parameters;
        const Buffer all = g.add(pass).rays;
        g.output(name + " hits",
                 g.add(passes::CastRays{.bvh = hierarchy(g, mesh), .rays = all}).hits);
        g.output(name + " owners", mesh.draws);
    }
    /// The draw that the ray through each pixel hits first; -1: none.
    static std::vector<int> traced_draws(testing_gpu::Running& running, const std::string& name,
                                         std::uint32_t side) {
        const auto hits = running.buffer<HitWords>(name + " hits");
        const auto owners = running.buffer<std::uint32_t>(name + " owners");
        std::vector<int> draws(side * side, -1);
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const HitWords& hit = hits[passes::TiledSize{side, side}.slot_of(x, y)];
                if (hit.triangle != ~0u)
                    draws[y * side + x] = static_cast<int>(owners[hit.triangle]);
            }
        return draws;
    }
    /// Adds what scene/mesh_raster draws.
    static void draw(Graph& g, const std::string& name, const Scene& scene, std::uint32_t side,
                     const passes::CameraParameters& camera_parameters) {
        passes::MeshRaster pass;
        pass.width = pass.height = side;
        pass.samples = 1;
        pass.camera = camera_parameters;
        pass.sun.shadows = false;
        pass.scene = scene;
        g.output(name + " color", g.add(pass).color);
    }
    /// As `traced_draws`: draw i has shown red i + 1 of 255, unlit.
    static std::vector<int> drawn_draws(testing_gpu::Running& running, const std::string& name,
                                        std::uint32_t side) {
        const HostImage picture = running.image(name + " color");
        std::vector<int> draws;
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x)
                draws.push_back(static_cast<int>(std::lround(picture.texel(x, y)[0] * 255.0f)) - 1);
        return draws;
    }
    /// That both see the same but for edges, of which a thousandth of the picture consists at most.
    static void expect_same(const std::vector<int>& traced, const std::vector<int>& drawn) {
        std::size_t different = 0;
        std::size_t covered = 0;
        for (std::size_t i = 0; i < traced.size(); ++i) {
            different += traced[i] != drawn[i];
            covered += drawn[i] >= 0;
        }
        EXPECT_GT(covered, traced.size() / 8);
        EXPECT_LT(different, traced.size() / 1000) << "edge pixels";
    }
};

passes::CameraParameters camera_of_file() {
    passes::CameraParameters parameters;
    parameters.mode = passes::CameraMode::file;
    return parameters;
}

/// Spheres and squares among each other, each of a red of its own, before a camera.
SceneData many_parts(const Camera& camera) {
    SceneBuilder builder;
    builder.camera(camera);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(-1.2f, 1.2f);
    for (int i = 0; i < 24; ++i) {
        SceneMaterial material = SceneBuilder::unlit({static_cast<float>(i + 1) / 255.0f, 0, 0, 1});
        material.flags |= material_double_sided;
        const glm::mat4 place =
            moved(number(random), number(random), number(random)) *
            turned(100.0f * number(random), {number(random), number(random), 0.1f}) * scaled(0.35f);
        if (i % 3 == 0)
            builder.sphere(builder.material(material), place, 3);
        else
            builder.quad(builder.material(material), place);
    }
    return std::move(builder).finish();
}

TEST_F(Visibility, RaysSeeWhatIsDrawn) {
    constexpr std::uint32_t kSide = 192;
    const auto bare = [](Graph&, const passes::TriangleMesh& mesh) {
        return passes::without_hierarchy(mesh);
    };
    Graph g = graph();
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        const std::string name = kind == Projection::perspective ? "perspective" : "orthographic";
        const Scene scene = add_scene(g, name, pack_scene(many_parts(camera(kind))));
        trace(g, name, scene, kSide, camera_of_file(), bare);
        draw(g, name, scene, kSide, camera_of_file());
    }
    testing_gpu::Running running = run(std::move(g));
    for (const std::string name : {"perspective", "orthographic"})
        expect_same(traced_draws(running, name, kSide), drawn_draws(running, name, kSide));
}

// Each part of the engine in a colour of its own: the map of meshes.
TEST_F(Visibility, RaysThroughHierarchiesSeeTheEngineAsItIsDrawn) {
    TUFF_ONLY_ON(lavapipe);
    const auto path =
        find_asset("assimp/models/glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    if (!path) GTEST_SKIP() << to_string(path.error());
    auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    ASSERT_LT(scene->draws.size(), 255u);
    scene->materials.clear();
    scene->material_names.clear();
    for (SceneDraw& draw : scene->draws) {
        draw.material = static_cast<std::uint32_t>(scene->materials.size());
        const float red = static_cast<float>(draw.material + 1) / 255.0f;
        scene->materials.push_back(SceneBuilder::unlit({red, 0, 0, 1}));
        scene->materials.back().flags |= material_double_sided;
        scene->material_names.push_back(std::to_string(draw.material));
    }
    for (Vertex& vertex : scene->vertices)
        vertex.color_rg = vertex.color_ba = 0xffffffffu;
    constexpr std::uint32_t kSide = 256;
    const passes::CameraParameters around;
    Graph g = graph();
    const Scene engine = add_scene(g, "engine", pack_scene(std::move(*scene)));
    draw(g, "drawn", engine, kSide, around);
    trace(g, "lbvh", engine, kSide, around, [](Graph& in, const passes::TriangleMesh& mesh) {
        return in.add(passes::LbvhBuild{.mesh = mesh}).bvh;
    });
    trace(g, "heap", engine, kSide, around, [](Graph& in, const passes::TriangleMesh& mesh) {
        return in.add(passes::ImplicitBuild{.mesh = mesh}).bvh;
    });
    testing_gpu::Running running = run(std::move(g));
    const auto drawn = drawn_draws(running, "drawn", kSide);
    const std::set<int> seen(drawn.begin(), drawn.end());
    EXPECT_GT(seen.size(), 10u) << "parts of the engine";
    expect_same(traced_draws(running, "lbvh", kSide), drawn);
    expect_same(traced_draws(running, "heap", kSide), drawn);
}

TEST_F(Visibility, APlaneIsAsFarAsItIs) {
    SceneBuilder builder;
    Camera camera;
    camera.position = {0, 0, 3};
    builder.camera(camera);
    builder.quad(builder.material(SceneBuilder::plain()), moved(0, 0, -2) * scaled(40.0f));
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(std::move(builder).finish()));
    const auto mesh = g.add(passes::Triangles{.scene = scene}).mesh;
    passes::PrimaryRays pass{.scene = scene, .width = 40, .height = 40};
    pass.camera.mode = passes::CameraMode::file;
    const Buffer all = g.add(pass).rays;
    g.output("rays", all);
    g.output("hits",
             g.add(passes::CastRays{.bvh = passes::without_hierarchy(mesh), .rays = all}).hits);
    testing_gpu::Running running = run(std::move(g));
    const auto rays = running.buffer<RayWords>("rays");
    const auto hits = running.buffer<HitWords>("hits");
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const double expected = -5.0 / static_cast<double>(rays[i].direction.z);
        ASSERT_NEAR(hits[i].t, expected, 1e-6 * expected);
    }
}

} // namespace
} // namespace tuff
