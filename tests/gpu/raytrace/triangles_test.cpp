// geometry/triangles: a scene as one mesh.

#include "tests/gpu/raytrace/raytrace_fixture.hpp"

namespace tuff {
namespace {

class TrianglesTest : public RaytraceTest {
  protected:
    struct Mesh {
        std::vector<float> positions;
        std::vector<std::uint32_t> indices;
        std::vector<std::uint32_t> draws;
        std::uint32_t vertex_count = 0;
        std::uint32_t triangle_count = 0;
    };
    Mesh flatten(const SceneData& scene) {
        Graph g = graph();
        const auto mesh =
            g.add(passes::Triangles{.scene = add_scene(g, "scene", pack_scene(scene))}).mesh;
        g.output("positions", mesh.positions);
        g.output("indices", mesh.indices);
        g.output("draws", mesh.draws);
        testing_gpu::Running running = run(std::move(g));
        return {running.buffer<float>("positions"), running.buffer<std::uint32_t>("indices"),
                running.buffer<std::uint32_t>("draws"), mesh.vertex_count, mesh.triangle_count};
    }
};

/// What the kernel should do, draw by draw.
void expect_flattened(const SceneData& scene, const auto& mesh) {
    std::uint32_t vertex = 0;
    std::uint32_t triangle = 0;
    for (std::uint32_t d = 0; d < scene.draws.size(); ++d) {
        const SceneDraw& draw = scene.draws[d];
        const glm::dmat4 world(scene.transforms[draw.transform].world);
        for (std::uint32_t i = 0; i < draw.vertex_count; ++i) {
            const auto& local =
                scene.vertices[static_cast<std::size_t>(draw.vertex_offset) + i].position;
            const glm::dvec3 expected(world * glm::dvec4(glm::dvec3(local), 1.0));
            for (std::uint32_t c = 0; c < 3; ++c)
                ASSERT_NEAR(mesh.positions[3 * (vertex + i) + c], expected[static_cast<int>(c)],
                            1e-5)
                    << "vertex " << i << " of draw " << d;
        }
        for (std::uint32_t i = 0; i < draw.index_count; ++i)
            ASSERT_EQ(mesh.indices[3 * triangle + i], vertex + scene.indices[draw.first_index + i]);
        for (std::uint32_t i = 0; i < draw.index_count / 3; ++i)
            ASSERT_EQ(mesh.draws[triangle + i], d);
        vertex += draw.vertex_count;
        triangle += draw.index_count / 3;
    }
    EXPECT_EQ(mesh.vertex_count, vertex);
    EXPECT_EQ(mesh.triangle_count, triangle);
}

TEST_F(TrianglesTest, DrawsFollowOneAnotherInWorldSpace) {
    SceneBuilder builder;
    const auto white = builder.material(SceneBuilder::plain());
    for (std::uint32_t i = 0; i < 40; ++i) {
        const float f = static_cast<float>(i);
        builder.quad(white, moved(f, 0, 1) * turned(9.0f * f, {1, 2, 3}));
        if (i % 7 == 0) builder.sphere(white, moved(0, f, 0) * scaled(0.5f), 4 + i % 3);
    }
    const SceneData scene = std::move(builder).finish();
    expect_flattened(scene, flatten(scene));
}

TEST_F(TrianglesTest, MeshesThatNodesShareAreThereSeveralTimes) {
    SceneBuilder builder;
    builder.sphere(builder.material(SceneBuilder::plain()), glm::mat4(1.0f), 5);
    SceneData scene = std::move(builder).finish();
    for (int i = 1; i < 5; ++i) {
        SceneDraw copy = scene.draws.front();
        copy.transform = static_cast<std::uint32_t>(scene.transforms.size());
        scene.draws.push_back(copy);
        scene.draw_bounds.push_back(scene.draw_bounds.front());
        scene.transforms.push_back({moved(3.0f * static_cast<float>(i), 0, 0), glm::mat4(1.0f)});
    }
    SceneDraw nothing = scene.draws.front(); // starts where the next one does
    nothing.index_count = 0;
    nothing.vertex_count = 0;
    scene.draws.insert(scene.draws.begin() + 2, nothing);
    scene.draws.insert(scene.draws.begin(), nothing);
    scene.draw_bounds.resize(scene.draws.size());
    expect_flattened(scene, flatten(scene));
}

TEST_F(TrianglesTest, AnEmptySceneGivesAnEmptyMesh) {
    const auto mesh = flatten(SceneData{});
    EXPECT_EQ(mesh.vertex_count, 0u);
    EXPECT_EQ(mesh.triangle_count, 0u);
}

TEST_F(TrianglesTest, ASceneIsNeeded) {
    Graph g = graph();
    g.output("positions", g.add(passes::Triangles{}).mesh.positions);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/unconnected");
}

} // namespace
} // namespace tuff
