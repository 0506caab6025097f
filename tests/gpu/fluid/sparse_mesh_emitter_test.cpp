#include "passes/geometry/triangles.hpp"
#include "passes/voxel/solid.hpp"
#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

/// fluid/sparse with an emitter that is a mesh of a file, through voxel/solid.
namespace tuff {
namespace {

using passes::SmokeShape;
using passes::SparseEmitter;
using passes::SparseFluid;
using passes::VoxelSolid;
using testing_gpu::Running;

using SparseMeshEmitters = testing_gpu::SparseFluids;
using Corners = std::array<glm::dvec3, 3>;

std::vector<Corners> triangles_of(const SceneData& scene) {
    std::vector<Corners> triangles;
    for (const SceneDraw& draw : scene.draws)
        for (std::uint32_t i = 0; i < draw.index_count; i += 3) {
            Corners& corners = triangles.emplace_back();
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t index = scene.indices[draw.first_index + i + k];
                corners[k] = glm::dvec3(
                    scene.vertices[static_cast<std::size_t>(draw.vertex_offset) + index].position);
            }
        }
    return triangles;
}

/// Whether an odd number of triangles is above a place, along y.
bool is_inside(const std::vector<Corners>& triangles, glm::dvec3 place) {
    bool inside = false;
    for (const Corners& t : triangles) {
        const auto side = [&](const glm::dvec3& a, const glm::dvec3& b) {
            return (b.x - a.x) * (place.z - a.z) - (b.z - a.z) * (place.x - a.x);
        };
        const double u = side(t[1], t[2]);
        const double v = side(t[2], t[0]);
        const double w = side(t[0], t[1]);
        const bool around = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
        if (!around) continue;
        const double y = (u * t[0].y + v * t[1].y + w * t[2].y) / (u + v + w);
        inside = inside != (y > place.y);
    }
    return inside;
}

TEST_F(SparseMeshEmitters, AFoxOfAFileEmitsWhereItIs) {
    TUFF_ONLY_ON(lavapipe);
    const glm::uvec3 dims(88, 56, 56);
    const glm::ivec3 low(9, 6, 10);      // of the fox in the domain, cells
    const glm::uvec3 voxels(72, 44, 40); // two words a row
    const auto scene = load_mesh(std::string(TUFF_TEST_SOURCE_DIR) + "/apps/graphs/fox.obj");
    ASSERT_TRUE(scene.has_value());
    const std::vector<Corners> triangles = triangles_of(*scene);
    ASSERT_EQ(triangles.size(), 428u);

    const SceneAsset asset = pack_scene(*scene);
    Graph g = graph();
    const passes::TriangleMesh mesh =
        g.add(passes::Triangles{.scene = add_scene(g, "fox", asset)}).mesh;
    const passes::VoxelGrid grid =
        g.add(VoxelSolid{.mesh = mesh, .parameters = {.dims = voxels}}).grid;
    SparseFluid pass{.dims = dims, .iterations = 1};
    const glm::vec3 half = 0.5f * glm::vec3(voxels);
    pass.emitters = {g.add(SparseEmitter{.shape = SmokeShape::voxels,
                                         .position = glm::vec3(low) + half,
                                         .size = half,
                                         .force = glm::vec3(0.0f),
                                         .dye = {1.0f, 0.5f, 0.25f, 0.0f},
                                         .voxels = grid})
                         .emitter};
    outputs(g, g.add(pass, "smoke"), "");
    output(g, "frame", grid.frame);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const Result result = read(running, "", passes::FluidPrecision::full);
    const auto frame = running.buffer<glm::vec4>("frame"); // corner, scale, side of a voxel
    ASSERT_EQ(frame.size(), 3u);

    std::size_t expected = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < result.dye.size(); ++i) {
        const glm::dvec3 voxel = glm::dvec3(place_of(i, dims) - low) + 0.5;
        const glm::dvec3 place = glm::dvec3(frame[0]) + voxel * glm::dvec3(frame[2]);
        const bool inside = is_inside(triangles, place);
        const glm::vec4& dye = result.dye[i];
        expected += inside ? 1u : 0u;
        wrong += (dye.x > 0.5f) != inside ? 1u : 0u;
        ASSERT_TRUE(dye == glm::vec4(0.0f) || dye == glm::vec4(1.0f, 0.5f, 0.25f, 0.0f)) << i;
    }
    EXPECT_GT(expected, 1000u);
    // Vertices are rounded to 1/256 of a voxel.
    EXPECT_LE(wrong, expected / 200);
    // By the divergence theorem; eyes and nose are partly in the head.
    double volume = 0.0;
    for (const Corners& t : triangles)
        volume += glm::dot(t[0], glm::cross(t[1], t[2])) / 6.0;
    volume *= double{frame[1].x} * double{frame[1].y} * double{frame[1].z};
    EXPECT_NEAR(result.status.total_mass() / (1.75 / 3.0), volume, 0.05 * volume);
}

} // namespace
} // namespace tuff
