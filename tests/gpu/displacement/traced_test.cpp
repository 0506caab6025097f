#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/scene_patches.hpp"
#include "passes/displacement/shapes.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/raytrace/light.hpp"
#include "passes/raytrace/path_trace.hpp"
#include "passes/raytrace/whitted.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/ext/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

/// Displaced patches in pictures of raytrace/whitted and raytrace/path_trace, against the same
/// scene with their triangles.
namespace tuff {
namespace {

using passes::PathTrace;
using passes::TraceWhitted;

constexpr std::uint32_t kPictureSide = 64;
constexpr std::uint32_t kPatchMaterial = 2;

/// A floor, a mirror behind it, and materials for patches.
SceneData room(const SceneMaterial& of_patches) {
    SceneBuilder scene;
    const std::uint32_t floor = scene.material(SceneBuilder::plain({0.7f, 0.6f, 0.5f, 1.0f}));
    const std::uint32_t mirror =
        scene.material(SceneBuilder::plain({0.9f, 0.9f, 0.9f, 1.0f}, 1.0f, 0.0f));
    EXPECT_EQ(scene.material(of_patches), kPatchMaterial);
    const glm::mat4 one(1.0f);
    scene.quad(floor, glm::rotate(glm::translate(one, {0.0f, -1.0f, 0.0f}), glm::radians(-90.0f),
                                  glm::vec3(1.0f, 0.0f, 0.0f)) *
                          glm::scale(one, glm::vec3(4.0f)));
    scene.quad(mirror, glm::translate(one, {0.0f, 0.0f, -2.0f}) * glm::scale(one, glm::vec3(2.5f)));
    Camera camera;
    camera.position = {1.5f, 1.5f, 5.0f};
    camera.target = {0.0f, -0.2f, 0.0f};
    scene.camera(camera);
    return std::move(scene).finish();
}

/// The triangles of patches, with the normals that displacement/shapes gives their points, as one
/// more draw.
SceneData with_triangles(SceneData scene, const std::vector<PatchRecord>& patches,
                         const std::vector<float>& positions, std::uint32_t level,
                         const std::vector<glm::mat4>& places = {glm::mat4(1.0f)}) {
    const std::uint32_t side = 1u << level;
    const std::uint32_t row = side + 1;
    SceneDraw draw{.first_index = static_cast<std::uint32_t>(scene.indices.size()),
                   .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                   .material = kPatchMaterial,
                   .transform = static_cast<std::uint32_t>(scene.transforms.size()),
                   .mesh = static_cast<std::uint32_t>(scene.draws.size())};
    for (std::uint32_t n = 0; n < patches.size(); ++n) {
        const PatchRecord& p = patches[n];
        const auto place = [&](std::uint32_t x, std::uint32_t y) {
            const std::size_t at = 3 * (std::size_t{n} * row * row + y * row + x);
            return glm::vec3(positions[at], positions[at + 1], positions[at + 2]);
        };
        for (std::uint32_t y = 0; y < row; ++y)
            for (std::uint32_t x = 0; x < row; ++x) {
                const glm::vec3 along =
                    place(std::min(x + 1, side), y) - place(x - std::min(x, 1u), y);
                const glm::vec3 across =
                    place(x, std::min(y + 1, side)) - place(x, y - std::min(y, 1u));
                const glm::vec2 at = glm::vec2(x, y) / static_cast<float>(side);
                Vertex vertex;
                vertex.position = place(x, y);
                vertex.normal = glm::normalize(glm::cross(along, across));
                vertex.uv0 = vertex.uv1 = glm::mix(
                    glm::mix(glm::vec2(p.u_a, p.v_a), glm::vec2(p.u_b, p.v_b), at.x),
                    glm::mix(glm::vec2(p.u_d, p.v_d), glm::vec2(p.u_c, p.v_c), at.x), at.y);
                scene.vertices.push_back(vertex);
            }
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const std::uint32_t a = n * row * row + y * row + x;
                const std::uint32_t c = a + row + 1;
                scene.indices.insert(scene.indices.end(), {a, a + 1, c, a, c, c - 1});
            }
    }
    draw.index_count = static_cast<std::uint32_t>(scene.indices.size()) - draw.first_index;
    draw.vertex_count = static_cast<std::uint32_t>(scene.vertices.size()) -
                        static_cast<std::uint32_t>(draw.vertex_offset);
    scene.bounds.grow(glm::vec3(-5.0f));
    scene.bounds.grow(glm::vec3(5.0f));
    for (const glm::mat4& place : places) {
        draw.transform = static_cast<std::uint32_t>(scene.transforms.size());
        draw.flags = glm::determinant(place) < 0.0f ? draw_mirrored : 0u;
        scene.draws.push_back(draw);
        scene.transforms.push_back({.world = place, .normal = glm::transpose(glm::inverse(place))});
        scene.draw_bounds.push_back(scene.bounds);
    }
    return scene;
}

class TracedDisplacementTest : public DisplacementTest {
  protected:
    /// Patches in all directions that cross each other, with texture coordinates once around.
    static Scene bumpy(unsigned seed) {
        Scene scene{
            .patches = random_patches(7, seed), .map = random_map(9, 9, seed, 0.15f), .level = 3};
        for (PatchRecord& p : scene.patches) {
            p.u_a = p.u_d = p.v_a = p.v_b = 0.0f;
            p.u_b = p.u_c = p.v_c = p.v_d = 1.0f;
        }
        return scene;
    }

    std::vector<float> positions_of(const Scene& scene) {
        Graph g = graph();
        g.output(
            "positions",
            g.add(passes::TessellateDisplaced{.surface = add_surface(g, scene)}).mesh.positions);
        return run(std::move(g)).buffer<float>("positions");
    }

    template <typename Pass>
    HostImage trace(const SceneData& data, Pass pass, unsigned executions,
                    const std::function<passes::RayShapes(Graph&)>& shapes = {}) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(SceneData(data)));
        pass.bvh =
            g.add(passes::LbvhBuild{.mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh})
                .bvh;
        if (shapes) pass.shapes = shapes(g);
        g.output("color", g.add(std::move(pass)).color);
        Running running = run(std::move(g), executions);
        return running ? running.image("color") : HostImage{};
    }

    template <typename Pass>
    static Pass picture() {
        Pass pass;
        pass.width = pass.height = kPictureSide;
        pass.camera.mode = passes::CameraMode::file;
        pass.sun.intensity = 2.0f;
        pass.sun.elevation = 50.0f;
        pass.ambient = glm::vec3(0.4f, 0.5f, 0.6f);
        return pass;
    }

    /// At most so many of a thousand pixels differ, and the picture is one.
    static void expect_same_picture(const HostImage& got, const HostImage& expected,
                                    std::string_view what) {
        ASSERT_FALSE(got.empty());
        ASSERT_FALSE(expected.empty());
        std::size_t different = 0;
        float least = 1e9f;
        float most = 0.0f;
        for (std::uint32_t y = 0; y < kPictureSide; ++y)
            for (std::uint32_t x = 0; x < kPictureSide; ++x) {
                const auto a = got.texel(x, y);
                const auto b = expected.texel(x, y);
                bool same = true;
                for (std::size_t c = 0; c < 3; ++c) {
                    same = same && std::abs(a[c] - b[c]) <= 2e-3f * std::max(std::abs(b[c]), 0.1f);
                    least = std::min(least, b[c]);
                    most = std::max(most, b[c]);
                }
                different += !same;
            }
        EXPECT_LE(different, kPictureSide * kPictureSide / 200) << what; // 0.5 %
        EXPECT_GT(most, least + 0.3f) << what;
    }

    std::function<passes::RayShapes(Graph&)> shapes_of(const Scene& scene,
                                                       passes::DisplacedShapes how) {
        return [this, scene, how](Graph& g) {
            passes::DisplacedShapes pass = how;
            pass.surface = add_surface(g, scene);
            return g.add(pass).shapes;
        };
    }
};

passes::DisplacedShapes shapes_by(PatchMethod method) {
    return {.surface = {},
            .materials = {},
            .material = kPatchMaterial,
            .method = method,
            .most_pairs = method == PatchMethod::deferred ? 200'000u : 0u};
}

// Seen directly, in a mirror, and mirrors themselves; with shadows of the sun and of a light at a
// place, also with textures.
TEST_F(TracedDisplacementTest, WhittedDrawsWhatItDrawsOfTheirTriangles) {
    SceneMaterial textured = SceneBuilder::plain({1.0f, 0.8f, 0.6f, 1.0f}, 0.0f, 0.6f);
    const SceneMaterial shiny = SceneBuilder::plain({0.9f, 0.8f, 0.5f, 1.0f}, 1.0f, 0.1f);
    for (const bool mirrors : {false, true}) {
        const Scene scene = bumpy(mirrors ? 3 : 2);
        SceneData data = room(mirrors ? shiny : textured);
        if (!mirrors) {
            SceneBuilder builder;
            SceneMaterial with = textured;
            with.base_color_texture.texture = builder.texture(
                2, 2,
                {{255, 255, 255, 255}, {60, 200, 90, 255}, {200, 40, 80, 255}, {20, 90, 255, 255}});
            // Tangents of the mesh are not those of the patches: no normal map.
            data.images = builder.peek().images;
            data.textures = builder.peek().textures;
            data.materials[kPatchMaterial] = with;
        }
        TraceWhitted pass = picture<TraceWhitted>();
        pass.bounces = 2;
        const auto with_light = [&](const SceneData& of, const auto& shapes) {
            Graph g = graph();
            TraceWhitted lit = pass;
            lit.scene = add_scene(g, "scene", pack_scene(SceneData(of)));
            lit.bvh =
                g.add(passes::LbvhBuild{.mesh = g.add(passes::Triangles{.scene = lit.scene}).mesh})
                    .bvh;
            lit.lights = {
                g.add(passes::MakeRayLight{.position = {1.0f, 2.5f, 2.0f}, .intensity = 6.0f})
                    .light};
            if (shapes) lit.shapes = shapes(g);
            g.output("color", g.add(lit).color);
            Running running = run(std::move(g));
            return running ? running.image("color") : HostImage{};
        };
        const std::function<passes::RayShapes(Graph&)> none;
        const HostImage expected =
            with_light(with_triangles(data, scene.patches, positions_of(scene), scene.level), none);
        // All slots in one of them, in place of a queue.
        if (mirrors) pass.scheduling = passes::PathScheduling::all;
        const PatchMethod method = mirrors ? PatchMethod::deferred : PatchMethod::descent;
        expect_same_picture(with_light(data, shapes_of(scene, shapes_by(method))), expected,
                            mirrors ? "mirrors" : "textured");
    }
}

// With the same random numbers, over samples and executions.
TEST_F(TracedDisplacementTest, PathsAreThoseAmongTheirTriangles) {
    const Scene scene = bumpy(4);
    const SceneData data = room(SceneBuilder::plain({0.8f, 0.5f, 0.4f, 1.0f}, 0.0f, 0.4f));
    PathTrace pass = picture<PathTrace>();
    pass.bounces = 2;
    pass.samples = 2;
    const HostImage expected =
        trace(with_triangles(data, scene.patches, positions_of(scene), scene.level), pass, 2);
    for (const PatchMethod method : {PatchMethod::descent, PatchMethod::deferred})
        expect_same_picture(trace(data, pass, 2, shapes_of(scene, shapes_by(method))), expected,
                            method == PatchMethod::descent ? "descent" : "deferred");
}

passes::MeshInstance instance_at(const glm::mat4& place) {
    passes::MeshInstance instance;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            instance.transform[static_cast<std::size_t>(4 * row + column)] = place[column][row];
    return instance;
}

std::vector<glm::mat4> three_places() {
    const glm::mat4 one(1.0f);
    const glm::mat4 half = glm::scale(one, glm::vec3(0.5f));
    return {glm::translate(one, {-1.2f, 0.2f, 0.3f}) * half,
            glm::rotate(glm::translate(one, {0.9f, 0.4f, 0.0f}), 0.9f,
                        glm::normalize(glm::vec3(1.0f, 2.0f, 0.5f))) *
                half,
            // Mirrored and stretched.
            glm::translate(one, {0.2f, -0.5f, 1.2f}) *
                glm::scale(one, glm::vec3(-0.4f, 0.3f, 0.5f))};
}

// Check: instances are where copies of their triangles are, by both methods and with kept trees.
TEST_F(TracedDisplacementTest, InstancesAreCopies) {
    TUFF_ONLY_ON(lavapipe);
    Scene scene = bumpy(8);
    const SceneData data = room(SceneBuilder::plain({0.9f, 0.6f, 0.4f, 1.0f}));
    const TraceWhitted pass = picture<TraceWhitted>();
    const HostImage expected =
        trace(with_triangles(data, scene.patches, positions_of(scene), scene.level, three_places()),
              pass, 1);
    for (const glm::mat4& place : three_places())
        scene.instances.push_back(instance_at(place));
    for (const std::uint32_t trees : {0u, 4u}) {
        scene.trees = trees;
        const PatchMethod method = trees == 0 ? PatchMethod::descent : PatchMethod::deferred;
        expect_same_picture(trace(data, pass, 1, shapes_of(scene, shapes_by(method))), expected,
                            trees == 0 ? "descent" : "deferred with kept trees");
    }
}

// All methods number patches of instances in the same way, and find the same hits.
TEST_F(TracedDisplacementTest, AllMethodsFindTheSameInstances) {
    TUFF_ONLY_ON(lavapipe);
    Scene scene = bumpy(9);
    for (const glm::mat4& place : three_places())
        scene.instances.push_back(instance_at(place));
    // One that stands still, one without extent and one that is nowhere.
    scene.instances.push_back(instance_at(glm::mat4(1.0f)));
    scene.instances.push_back(instance_at(glm::scale(glm::mat4(1.0f), glm::vec3(0.0f))));
    scene.instances.push_back(instance_at(glm::mat4(std::numeric_limits<float>::quiet_NaN())));
    const auto rays = random_rays(1500, 9);
    const auto expected = cast(scene, rays, {.method = PatchMethod::descent});
    expect_equal(cast(scene, rays, deferred()), expected, "deferred");
    CastDisplaced scratch = deferred(TreeStore::scratch);
    scratch.batch = 64;
    expect_equal(cast(scene, rays, scratch), expected, "scratch");
    std::vector<std::size_t> hits(6);
    for (const HitRecord& hit : expected)
        if (hit.triangle != ~0u) {
            ASSERT_LT(hit.triangle / 7, hits.size());
            ++hits[hit.triangle / 7];
        }
    for (int i = 0; i < 4; ++i)
        EXPECT_GT(hits[static_cast<std::size_t>(i)], 10u) << i;
    EXPECT_EQ(hits[4] + hits[5], 0u);
    // The one that stands still is hit where patches without instances are, unless another is
    // nearer.
    scene.instances.clear();
    const auto alone = cast(scene, rays, {.method = PatchMethod::descent});
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (expected[i].triangle == ~0u || expected[i].triangle / 7 != 3) continue;
        ASSERT_EQ(expected[i].triangle % 7, alone[i].triangle);
        ASSERT_EQ(expected[i].t, alone[i].t);
    }
}

/// Six quads of a cube of side 2 that bulge outwards, with texture coordinates once over each.
std::vector<PatchRecord> cube() {
    std::vector<PatchRecord> patches;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            const auto corner = [&](float x, float y) {
                glm::vec3 at;
                at[axis] = side;
                at[(axis + 1) % 3] = x * side;
                at[(axis + 2) % 3] = y;
                return at;
            };
            PatchRecord p;
            p.a = corner(-1, -1), p.b = corner(1, -1), p.c = corner(1, 1), p.d = corner(-1, 1);
            p.normal_a = p.normal_b = p.normal_c = p.normal_d = glm::cross(p.b - p.a, p.d - p.a);
            p.u_b = p.u_c = p.v_c = p.v_d = 1.0f;
            patches.push_back(p);
        }
    return patches;
}

// Check: a closed surface that reflects all light is as bright as what is around it: no path loses
// light, enters it through a gap, or hits what it begins on. Its sides are displaced in all
// directions, but for their edges, into pits that paths bounce in.
TEST_F(TracedDisplacementTest, AClosedWhiteSurfaceIsAFurnace) {
    Scene scene{.patches = cube(), .map = random_map(9, 9, 12, 0.2f), .level = 4};
    for (std::uint32_t y = 0; y < 9; ++y)
        for (std::uint32_t x = 0; x < 9; ++x)
            if (x % 8 == 0 || y % 8 == 0) scene.map.texels[9 * y + x] = glm::vec4(0.0f);
    SceneData data = room(SceneBuilder::plain());
    data.draws.clear();
    data.draw_bounds.clear();
    data.indices.clear();
    data.cameras.front().camera.position = {2.0f, 1.7f, 4.0f};
    data.cameras.front().camera.target = glm::vec3(0.0f);
    data.cameras.front().camera.vertical_fov = 30.0f;
    PathTrace pass = picture<PathTrace>();
    pass.sun.intensity = 0.0f;
    pass.ambient = glm::vec3(1.0f);
    pass.background = glm::vec3(0.5f);
    pass.show_environment = false; // else all would be white
    pass.specular = 0.0f;
    pass.bounces = 24;
    pass.roulette_from = 64;
    pass.jitter = false;
    passes::DisplacedShapes how = shapes_by(PatchMethod::descent);
    how.normals = passes::PatchNormals::flat; // interpolated ones send light below the triangle
    const HostImage got = trace(data, pass, 1, shapes_of(scene, how));
    ASSERT_FALSE(got.empty());
    std::size_t white = 0;
    std::size_t lost = 0;
    for (std::uint32_t y = 0; y < kPictureSide; ++y)
        for (std::uint32_t x = 0; x < kPictureSide; ++x) {
            const float light = got.texel(x, y)[0];
            if (light == 0.5f) continue;
            ++white;
            ASSERT_LE(light, 1.0f + 1e-4f);
            if (light < 1.0f - 1e-4f) ++lost;
        }
    EXPECT_GT(white, kPictureSide * kPictureSide / 5);
    // Paths that are still in a pit after 24 bounces; one that is inside never comes out.
    EXPECT_LE(lost, white / 500);
}

// Triangles of one material of a scene become patches, and rays no longer hit them themselves.
TEST_F(TracedDisplacementTest, TrianglesOfAMaterialBecomePatches) {
    SceneBuilder builder;
    const std::uint32_t red = builder.material(SceneBuilder::unlit({0.8f, 0.1f, 0.1f, 1.0f}));
    const std::uint32_t blue = builder.material(SceneBuilder::unlit({0.1f, 0.2f, 0.9f, 1.0f}));
    const glm::mat4 one(1.0f);
    builder.quad(blue, glm::translate(one, {0.0f, 0.0f, -1.5f}) * glm::scale(one, glm::vec3(1.5f)));
    builder.sphere(red, glm::translate(one, {-0.5f, 0.0f, 0.0f}), 8);
    builder.sphere(blue, glm::translate(one, {0.8f, 0.3f, 0.0f}) * glm::scale(one, glm::vec3(0.5f)),
                   8);
    builder.camera(2.0f);
    const SceneData data = std::move(builder).finish();
    TraceWhitted pass = picture<TraceWhitted>();
    pass.background = glm::vec3(0.0f);
    pass.show_environment = false;
    const HostImage expected = trace(data, pass, 1);
    const auto displaced = [&](float high, std::int32_t material) {
        Graph g = graph();
        TraceWhitted with = pass;
        with.scene = add_scene(g, "scene", pack_scene(SceneData(data)));
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = with.scene}).mesh;
        const auto cut =
            g.add(passes::ScenePatches{.scene = with.scene, .mesh = mesh, .material = material});
        with.bvh = g.add(passes::LbvhBuild{.mesh = cut.rest}).bvh;
        const HostMap map{.texels = {glm::vec4(high)}};
        with.shapes =
            g.add(passes::DisplacedShapes{
                      .surface = g.add(passes::DisplaceSurface{.patches = cut.patches,
                                                               .map = add_map(g, map),
                                                               .level = 1,
                                                               .kind = DisplacementKind::scalar})
                                     .surface,
                      .materials = cut.materials})
                .shapes;
        g.output("color", g.add(with).color);
        Running running = run(std::move(g));
        return running ? running.image("color") : HostImage{};
    };
    expect_same_picture(displaced(0.0f, 0), expected, "red ones");
    expect_same_picture(displaced(0.0f, 1), expected, "blue ones");
    expect_same_picture(displaced(0.0f, -1), expected, "all");
    // Smaller: what was there before would be seen around it.
    const auto area = [](const HostImage& image) {
        std::size_t pixels = 0;
        for (std::uint32_t y = 0; y < kPictureSide; ++y)
            for (std::uint32_t x = 0; x < kPictureSide; ++x)
                pixels += image.texel(x, y)[0] > 0.5f;
        return static_cast<double>(pixels);
    };
    // The blue sphere, in front, covers a part of both.
    EXPECT_NEAR(area(displaced(-0.5f, 0)) / area(expected), 0.25, 0.04);
}

// Where patches change, a picture that gets better begins again.
TEST_F(TracedDisplacementTest, AChangeOfScaleBeginsThePictureAgain) {
    Scene scene = bumpy(6);
    const SceneData data = room(SceneBuilder::plain());
    std::vector<passes::RayShapes> all;
    Graph g = graph();
    for (const float scale : {1.0f, 0.5f}) {
        scene.scale = scale;
        all.push_back(shapes_of(scene, shapes_by(PatchMethod::descent))(g));
    }
    EXPECT_NE(all[0].settings, all[1].settings);
    EXPECT_EQ(all[0].buffers.size(), 2u); // patches and the map
}

TEST_F(TracedDisplacementTest, RefusesMaterialsThatTheSceneLacks) {
    const Scene scene = bumpy(6);
    const auto code = [&](passes::DisplacedShapes how, std::size_t materials) {
        Graph g = graph();
        how.surface = add_surface(g, scene);
        if (materials > 0)
            how.materials = add_records(g, "materials", std::vector<std::uint32_t>(materials));
        TraceWhitted pass = picture<TraceWhitted>();
        pass.scene = add_scene(g, "scene", pack_scene(room(SceneBuilder::plain())));
        pass.shapes = g.add(how).shapes;
        static_cast<void>(g.add(pass));
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics.front().code;
    };
    passes::DisplacedShapes how = shapes_by(PatchMethod::descent);
    EXPECT_EQ(code(how, 0), "");
    EXPECT_EQ(code(how, 7), "");
    EXPECT_EQ(code(how, 6), "displacement/short-materials");
    how.material = 3;
    EXPECT_EQ(code(how, 0), "raytrace/no-material");
}

} // namespace
} // namespace tuff
