#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/primitives/map.hpp"
#include "tests/gpu/subdivision/subdivided.hpp"

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <set>

/// Cages of scenes and of arrays, what is refused, and who takes what was subdivided.
namespace tuff {
namespace {

using passes::MakeCage;
using passes::SplitCriterion;
using passes::Subdivide;
using testing_gpu::bytes_of;
using testing_gpu::LoopMesh;
using testing_gpu::Running;
using testing_gpu::SubdividedMesh;

using SubdivisionCage = testing_gpu::SubdivisionTest;

bool is_closed(const std::vector<glm::uvec3>& triangles) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const glm::uvec3& t : triangles)
        for (int k = 0; k < 3; ++k)
            if (!edges.emplace(t[k], t[(k + 1) % 3]).second) return false;
    return std::ranges::all_of(edges, [&](const auto& edge) {
        return edges.contains({edge.second, edge.first});
    });
}

TEST_F(SubdivisionCage, VerticesOfASceneAreOneWhereTheyAreAtOnePlace) {
    // Flat normals part every vertex.
    const auto scene = load_mesh(std::string(TUFF_TEST_SOURCE_DIR) + "/apps/graphs/fox.obj",
                                 {.normals = MissingNormals::flat});
    ASSERT_TRUE(scene.has_value());
    const auto triangles = static_cast<std::size_t>(scene->triangle_count());
    const std::size_t parted = scene->vertices.size();
    const SceneAsset asset = pack_scene(*scene);
    Graph g = graph();
    const Scene fox = add_scene(g, "fox", asset);
    const passes::Cage cage = g.add(MakeCage{.scene = fox}).cage;
    EXPECT_LT(cage.topology->vertex_count, parted / 3);
    EXPECT_EQ(cage.topology->boundary_edges, 0u);
    output(g, "fox", {.cage = cage, .criterion = SplitCriterion::depth, .levels = 1});
    const Buffer positions = g.add(passes::Triangles{.scene = fox}).mesh.positions;
    output(g, "moved",
           {.cage = g.add(MakeCage{.scene = fox, .positions = positions}, "again").cage,
            .criterion = SplitCriterion::depth,
            .levels = 1});
    // Tables are made once for all graphs over a scene.
    EXPECT_EQ(g.add(MakeCage{.scene = fox}, "same").cage.topology, cage.topology);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh mesh = read(running, "fox");
    EXPECT_EQ(mesh.triangles.size(), 4 * triangles);
    EXPECT_TRUE(is_closed(mesh.triangles));
    const SubdividedMesh moved = read(running, "moved");
    EXPECT_EQ(moved.positions, mesh.positions);
    EXPECT_EQ(moved.triangles, mesh.triangles);
}

TEST_F(SubdivisionCage, FromWithinAClosedSurfaceNoSampleSeesThrough) {
    constexpr std::uint32_t kSide = 160;
    constexpr Extent kExtent{kSide, kSide, 1};
    Graph g = graph();
    Subdivide pass{.cage = this->cage(g, testing_gpu::random_blob(6)),
                   .width = kSide,
                   .height = kSide,
                   .criterion = SplitCriterion::edges,
                   .levels = 4,
                   .least_level = 0,
                   .pixels = 25.0f};
    pass.camera.mode = passes::CameraMode::free;
    pass.camera.position = {0.1f, 0.0f, 0.2f};
    pass.camera.target = {1.0f, 0.3f, 0.2f};
    pass.camera.vertical_fov = 120.0f;
    pass.camera.near_plane = 0.001f;
    pass.camera.far_plane = 10.0f;
    SceneData about;
    about.bounds = pass.cage.bounds;
    const Camera eye = *passes::resolve_camera(pass.camera, about, 1.0f);
    const glm::mat4 clip_from_mesh = eye.projection(1.0f) * eye.view();
    for (const std::string name : {"fans", "slivers"}) {
        pass.join = name == "fans" ? passes::LevelJoin::fans : passes::LevelJoin::slivers;
        const Subdivide split = g.add(pass, name);
        g.output(name + " status", split.status);
        // By kernels, ...
        passes::ComputeRaster raster{.mesh = split.mesh, .width = kSide, .height = kSide};
        raster.clip_from_mesh = clip_from_mesh;
        g.output(name + " keys", g.add(raster, name + " raster").visibility.keys);
        // ... by the device with as many indices as the device says and four samples a pixel, ...
        RasterNodeBuilder node = g.raster("test/mesh_cover");
        (void)node.color(g.image(name + " samples",
                                 {.format = Format::rgba8_unorm, .extent = kExtent, .samples = 4}),
                         cleared(0.0f));
        const Image seen = node.resolve(
            g.image(name + " seen", {.format = Format::rgba8_unorm, .extent = kExtent}));
        node.set("clip_from_mesh", clip_from_mesh);
        node.read("positions", split.mesh.positions);
        node.index_buffer(split.mesh.indices, IndexType::uint32);
        node.draw_indirect(split.draw, 0, 1);
        g.output(name + " seen", seen);
        // ... and as a hierarchy.
        g.output(name + " tree",
                 g.add(passes::LbvhBuild{.mesh = split.mesh}, name + " hierarchy").bvh.status);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (const std::string name : {"fans", "slivers"}) {
        SCOPED_TRACE(name);
        for (const glm::uvec2 key : running.buffer<glm::uvec2>(name + " keys"))
            ASSERT_NE(key.x, ~0u);
        const HostImage seen = running.image(name + " seen");
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x)
                ASSERT_EQ(seen.texel(x, y)[0], 1.0f) << x << ", " << y;
        const auto status =
            passes::SubdivisionStatus::read(running.buffer<std::uint32_t>(name + " status"));
        EXPECT_GT(status.triangles, 128u);
        EXPECT_EQ(running.buffer<std::uint32_t>(name + " tree")[1], status.triangles);
    }
}

TEST_F(SubdivisionCage, MistakesAreOneDiagnosticEachWithTheirPlace) {
    const auto first = [&](auto&& build) {
        Graph g = graph();
        build(g);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.size() == 1 ? desc.diagnostics[0] : Diagnostic{};
    };
    const auto of_mesh = [&](const LoopMesh& mesh) {
        return first([&](Graph& g) { g.add(this->cage_of(g, mesh)); });
    };
    LoopMesh three = testing_gpu::octahedron();
    three.positions.emplace_back(3.0, 2.5, 1.0);
    three.triangles.emplace_back(0, 2, 6); // a third triangle at an edge
    const Diagnostic third = of_mesh(three);
    EXPECT_EQ(third.code, "subdivision/non-manifold");
    EXPECT_NE(third.message.find("vertex 0 at (0.1, 1.2, 0)"), std::string::npos) << third.message;
    EXPECT_NE(third.message.find("8"), std::string::npos) << third.message;

    LoopMesh turned = testing_gpu::octahedron();
    std::swap(turned.triangles[2].x, turned.triangles[2].y);
    EXPECT_EQ(of_mesh(turned).code, "subdivision/non-manifold");

    const LoopMesh sheets{.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}},
                          .triangles = {{0, 1, 2}, {0, 3, 4}}};
    const Diagnostic meet = of_mesh(sheets);
    EXPECT_EQ(meet.code, "subdivision/non-manifold");
    EXPECT_NE(meet.message.find("vertex 0 at (0, 0, 0)"), std::string::npos) << meet.message;

    const LoopMesh pillow{.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                          .triangles = {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_EQ(of_mesh(pillow).code, "subdivision/valence");
    EXPECT_EQ(of_mesh(testing_gpu::bipyramid(32)).code, "");
    EXPECT_EQ(of_mesh(testing_gpu::bipyramid(33)).code, "subdivision/valence");

    LoopMesh beyond = testing_gpu::octahedron();
    beyond.triangles[5].z = 77;
    EXPECT_EQ(of_mesh(beyond).code, "subdivision/bad-index");
    LoopMesh crease = testing_gpu::octahedron();
    crease.sharpness[{0, 1}] = 2.0;
    EXPECT_EQ(of_mesh(crease).code, "subdivision/no-edge");

    EXPECT_EQ(first([&](Graph& g) {
                  MakeCage pass = cage_of(g, testing_gpu::octahedron());
                  pass.creases = {0.0f, 2.0f};
                  g.add(pass);
              }).code,
              "subdivision/no-edge");
    EXPECT_EQ(first([&](Graph& g) { g.add(MakeCage{}); }).code, "subdivision/no-cage");
    EXPECT_EQ(first([&](Graph& g) {
                  MakeCage pass = cage_of(g, testing_gpu::octahedron());
                  pass.indices = g.add(passes::Map{.source = pass.indices}).result;
                  g.add(pass);
              }).code,
              "subdivision/not-constant");
    EXPECT_EQ(first([&](Graph& g) {
                  MakeCage pass = cage_of(g, testing_gpu::octahedron());
                  pass.positions = g.add(passes::Map{.source = pass.positions}).result;
                  pass.crease_angle = 30.0f;
                  g.add(pass);
              }).code,
              "subdivision/not-constant");
    EXPECT_EQ(first([&](Graph& g) {
                  Subdivide pass{.cage = this->cage(g, testing_gpu::octahedron())};
                  pass.camera.mode = passes::CameraMode::file;
                  g.add(pass);
              }).code,
              "scene/no-such-camera");
    EXPECT_EQ(first([&](Graph& g) { g.add(Subdivide{}); }).code, "graph/unconnected");
}

} // namespace
} // namespace tuff
