#include "passes/geometry/mesh_file.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/isosurface/metaballs.hpp"
#include "passes/isosurface/scene.hpp"
#include "tests/gpu/isosurface/surface_test.hpp"

#include <tuff/mesh.hpp>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

/// isosurface/metaballs, and what becomes of meshes: scenes and files.
namespace tuff {
namespace {

using passes::MarchingCubes;
using passes::Metaballs;
using testing_gpu::bytes_of;
using testing_gpu::HostSurface;
using testing_gpu::HostTriangle;
using testing_gpu::Running;
using testing_gpu::triangle_set;

class MetaballsTest : public testing_gpu::SurfaceTest {
  protected:
    static Metaballs sum_of(Graph& g, const std::vector<glm::vec4>& balls, glm::uvec3 dims) {
        return g.add(
            Metaballs{.balls = g.constant_buffer("balls", {.size = 16 * balls.size(), .stride = 16},
                                                 bytes_of(balls)),
                      .dims = dims,
                      .spacing = {0.1f, 0.12f, 0.09f},
                      .origin = {-1.0f, -0.9f, -1.1f},
                      .weight = 1.5f});
    }
};

std::vector<glm::vec4> random_balls(std::size_t count) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> place(-1.2f, 1.2f);
    std::uniform_real_distribution<float> reach(0.05f, 0.6f);
    std::vector<glm::vec4> balls(count);
    for (glm::vec4& ball : balls)
        ball = {place(random), place(random), place(random), reach(random)};
    return balls;
}

TEST_F(MetaballsTest, TheSumIsThatOfAllBalls) {
    const glm::uvec3 dims(19, 17, 9);
    std::vector<glm::vec4> balls = random_balls(600); // more than two groups' worth
    balls[5].w = 0.0f;
    balls[300].w = -1.0f;
    balls[301].w = std::numeric_limits<float>::quiet_NaN();
    Graph g = graph();
    g.output("field", sum_of(g, balls, dims).field);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage field = running.image("field");
    double greatest = 0.0;
    for (std::uint32_t z = 0; z < dims.z; ++z)
        for (std::uint32_t y = 0; y < dims.y; ++y)
            for (std::uint32_t x = 0; x < dims.x; ++x) {
                const glm::dvec3 at = glm::dvec3(-1.0, -0.9, -1.1) +
                                      glm::dvec3(0.1, 0.12, 0.09) * glm::dvec3(x, y, z);
                double sum = 0.0;
                for (const glm::vec4 ball : balls) {
                    if (!(ball.w > 0.0f)) continue;
                    const double away = glm::length(at - glm::dvec3(ball)) / double{ball.w};
                    sum += std::pow(std::max(1.0 - away * away, 0.0), 3.0);
                }
                greatest = std::max(greatest, sum);
                ASSERT_NEAR(field.texel(x, y, z)[0], 1.5 * sum, 1e-4 * (1.0 + sum));
            }
    EXPECT_GT(greatest, 3.0);
}

TEST_F(MetaballsTest, SurfacesGoIntoScenesAndFilesWithoutAReadback) {
    Graph g = graph();
    const Metaballs sum = sum_of(g, random_balls(5), {21, 20, 22});
    const MarchingCubes found = output(g, "surface",
                                       MarchingCubes{.field = sum.field,
                                                     .iso = 0.4f,
                                                     .closed = true,
                                                     .spacing = {0.1f, 0.12f, 0.09f},
                                                     .origin = {-1.0f, -0.9f, -1.1f}});
    const passes::IsosurfaceScene scene = g.add(passes::IsosurfaceScene{.mesh = found.mesh,
                                                                        .normals = found.normals,
                                                                        .color = {0.2f, 0.4f, 0.6f},
                                                                        .roughness = 0.3f,
                                                                        .low = glm::vec3(-2.0f),
                                                                        .high = glm::vec3(2.0f)});
    g.output("vertices", scene.scene.vertices);
    g.output("materials", scene.scene.materials);
    const passes::Triangles triangles = g.add(passes::Triangles{.scene = scene.scene});
    g.output("scene positions", triangles.mesh.positions);
    g.output("scene indices", triangles.mesh.indices);
    const auto packed = [&](const std::string& name, bool normals, bool counts) {
        g.output(name, g.add(passes::MeshFile{.mesh = found.mesh,
                                              .normals = normals ? found.normals : Buffer(),
                                              .counts = counts ? found.status : Buffer()},
                             name)
                           .file);
    };
    packed("file", true, true);
    packed("bare file", false, true);
    packed("whole file", false, false);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostSurface got = surface(running, "surface");
    ASSERT_GT(got.triangles.size(), 200u);
    EXPECT_TRUE(open_edges(got).empty());

    const std::vector<Vertex> vertices = running.buffer<Vertex>("vertices");
    for (std::size_t i = 0; i < got.positions.size(); ++i) {
        ASSERT_EQ(vertices[i].position, got.positions[i]);
        ASSERT_EQ(vertices[i].normal, got.normals[i]);
        ASSERT_NEAR(glm::dot(glm::vec3(vertices[i].tangent), got.normals[i]), 0.0f, 1e-5f);
        ASSERT_NEAR(glm::length(glm::vec3(vertices[i].tangent)), 1.0f, 1e-5f);
    }
    const SceneMaterial material = running.buffer<SceneMaterial>("materials")[0];
    EXPECT_EQ(material.base_color, glm::vec4(0.2f, 0.4f, 0.6f, 1.0f));
    EXPECT_EQ(material.roughness, 0.3f);
    EXPECT_EQ(material.base_color_texture.texture, -1);
    HostSurface of_scene{.positions = running.buffer<glm::vec3>("scene positions"),
                         .normals = {},
                         .triangles = running.buffer<HostTriangle>("scene indices"),
                         .behind = {},
                         .draw = {},
                         .status = {}};
    std::erase_if(of_scene.triangles, [](const HostTriangle& t) { return t[0] == t[1]; });
    EXPECT_EQ(triangle_set(of_scene), triangle_set(got));

    for (const std::string name : {"file", "bare file", "whole file"}) {
        SCOPED_TRACE(name);
        const std::vector<std::uint32_t> words = running.buffer<std::uint32_t>(name);
        const auto mesh = unpack_mesh(std::as_bytes(std::span(words)));
        ASSERT_TRUE(mesh);
        if (name == "whole file") {
            EXPECT_EQ(mesh->triangles.size(), got.triangles.size() + got.behind.size());
            EXPECT_TRUE(
                std::equal(got.triangles.begin(), got.triangles.end(), mesh->triangles.begin()));
            continue;
        }
        EXPECT_EQ(mesh->positions, got.positions);
        EXPECT_EQ(mesh->triangles, got.triangles);
        EXPECT_EQ(mesh->normals, name == "file" ? got.normals : std::vector<glm::vec3>{});
    }
}

TEST_F(MetaballsTest, ScenesAndFilesOfOtherMeshesAreRefused) {
    Graph g = graph();
    const Metaballs sum = sum_of(g, random_balls(5), {8, 8, 8});
    const MarchingCubes found = g.add(MarchingCubes{.field = sum.field});
    g.add(passes::IsosurfaceScene{.mesh = found.mesh, .normals = found.draw});
    g.add(passes::IsosurfaceScene{
        .mesh = found.mesh, .normals = found.normals, .low = glm::vec3(1.0f)});
    g.add(passes::MeshFile{.mesh = found.mesh, .normals = found.draw});
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 3u);
    EXPECT_EQ(desc.diagnostics[0].code, "primitives/too-short");
    EXPECT_EQ(desc.diagnostics[1].code, "pass/out-of-range");
    EXPECT_EQ(desc.diagnostics[2].code, "primitives/too-short");
}

} // namespace
} // namespace tuff
