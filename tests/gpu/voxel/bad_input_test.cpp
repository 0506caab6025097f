#include "tests/gpu/voxel/voxel_test.hpp"

#include <limits>

/// Meshes that are none, and grids that cannot be.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::VoxelGridParameters;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::HostVoxels;
using testing_gpu::TriangleSoup;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr glm::uvec3 kDims{16, 16, 40};

class VoxelBadInput : public testing_gpu::VoxelTest {
  protected:
    /// What `soup` brings in must be what `good` brings in, by every method.
    void expect_only(const TriangleSoup& soup, const TriangleSoup& good,
                     const VoxelGridParameters& parameters, const passes::VoxelStatus& wanted) {
        std::vector<std::pair<TriangleSoup, VoxelSurface>> surfaces;
        for (const SurfaceMethod method : {SurfaceMethod::rows, SurfaceMethod::columns,
                                           SurfaceMethod::dilated, SurfaceMethod::raster_three}) {
            const VoxelSurface pass{.parameters = parameters, .method = method};
            surfaces.insert(surfaces.end(), {{soup, pass}, {good, pass}});
        }
        expect_same(voxelize(surfaces), wanted);
        std::vector<std::pair<TriangleSoup, VoxelSolid>> solids;
        for (const SolidMethod method : {SolidMethod::parity, SolidMethod::majority,
                                         SolidMethod::winding, SolidMethod::raster}) {
            const VoxelSolid pass{.parameters = parameters, .method = method};
            solids.insert(solids.end(), {{soup, pass}, {good, pass}});
        }
        expect_same(voxelize(solids), wanted);
    }
    /// Pairs: what came in, and what of it is good.
    static void expect_same(const std::vector<HostVoxels>& pairs,
                            const passes::VoxelStatus& wanted) {
        for (std::size_t i = 0; i < pairs.size(); i += 2) {
            const HostVoxels& got = pairs[i];
            const HostVoxels& good = pairs[i + 1];
            EXPECT_EQ(difference(got.voxels, good.voxels), "") << i;
            EXPECT_GT(good.voxels.count(), 0u);
            EXPECT_EQ(got.status.non_finite, wanted.non_finite);
            EXPECT_EQ(got.status.bad_index, wanted.bad_index);
            EXPECT_EQ(got.status.too_far, wanted.too_far);
            EXPECT_EQ(got.status.voxels, good.voxels.count());
        }
    }
};

TEST_F(VoxelBadInput, LeavesOutTrianglesThatAreNoneAndCountsThem) {
    TUFF_ONLY_ON(lavapipe);
    const TriangleSoup good = testing_gpu::box_soup(glm::vec3(3.1f), glm::vec3(9.3f));
    TriangleSoup soup = good;
    soup.add({kNaN, 1.0f, 1.0f}, {9.0f, 1.0f, 1.0f}, {1.0f, 9.0f, 1.0f});
    soup.add({1.0f, 1.0f, 1.0f}, {9.0f, kInfinity, 1.0f}, {1.0f, 9.0f, 1.0f});
    soup.add({1.0f, 1.0f, 1.0f}, {9.0f, 1.0f, 1.0f}, {1.0f, 9.0f, -kInfinity});
    soup.add({1.0f, 1.0f, 1.0f}, {3e38f, 1.0f, 1.0f}, {1.0f, 9.0f, 1.0f});
    soup.add({1.0f, -2e9f, 1.0f}, {9.0f, 1.0f, 1.0f}, {1.0f, 9.0f, 1.0f});
    const auto beyond = static_cast<std::uint32_t>(soup.positions.size());
    soup.indices.insert(soup.indices.end(), {0, 1, beyond, 0xffffffffu, 1, 2, 0, 0x80000000u, 1});
    const passes::VoxelStatus wanted{.non_finite = 3, .bad_index = 3, .too_far = 2};
    expect_only(soup, good, unit_voxels(kDims), wanted);
}

TEST_F(VoxelBadInput, BoundsAreThoseOfFiniteVertices) {
    TUFF_ONLY_ON(lavapipe);
    const TriangleSoup good = testing_gpu::box_soup(glm::vec3(-3.0f, 2.0f, 7.0f), glm::vec3(9.0f));
    TriangleSoup soup = good;
    soup.add({kNaN, 1.0f, 1.0f}, {-3.0f, kInfinity, 8.0f}, {9.0f, -kInfinity, 9.0f});
    const passes::VoxelStatus wanted{.non_finite = 1};
    expect_only(soup, good, {.dims = kDims}, wanted);
}

TEST_F(VoxelBadInput, WithoutTrianglesNothingIsSet) {
    TUFF_ONLY_ON(lavapipe);
    TriangleSoup points;
    points.positions = {glm::vec3(1.0f), glm::vec3(2.0f)};
    for (const TriangleSoup& soup : {TriangleSoup{}, points}) {
        const HostVoxels surface = voxelize(soup, VoxelSurface{.parameters = {.dims = kDims}});
        EXPECT_EQ(surface.voxels.count(), 0u);
        EXPECT_EQ(surface.status.voxels, 0u);
        EXPECT_TRUE(surface.status.warnings().empty());
        const HostVoxels drawn = voxelize(
            soup, VoxelSurface{.parameters = {.dims = kDims}, .method = SurfaceMethod::raster});
        EXPECT_EQ(drawn.voxels.count(), 0u);
        const HostVoxels solid = voxelize(soup, VoxelSolid{.parameters = {.dims = kDims}});
        EXPECT_EQ(solid.voxels.count(), 0u);
        EXPECT_EQ(solid.status.open_columns, 0u);
    }
}

TEST_F(VoxelBadInput, FlatMeshesAndPointsHaveASurfaceAndNoInside) {
    TriangleSoup flat; // bounds without height, and then without any size
    flat.add({1.0f, 2.0f, 3.0f}, {5.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 9.0f});
    TriangleSoup point;
    point.add(glm::vec3(4.0f), glm::vec3(4.0f), glm::vec3(4.0f));
    const HostVoxels plane = voxelize(flat, VoxelSurface{.parameters = {.dims = kDims}});
    EXPECT_GT(plane.voxels.count(), 50u);
    EXPECT_EQ(plane.status.degenerate, 0u);
    const HostVoxels dot = voxelize(point, VoxelSurface{.parameters = {.dims = kDims}});
    EXPECT_EQ(dot.voxels.count(), 1u);
    EXPECT_EQ(dot.status.degenerate, 1u);
    const HostVoxels inside = voxelize(point, VoxelSolid{.parameters = {.dims = kDims}});
    EXPECT_EQ(inside.voxels.count(), 0u);
    EXPECT_EQ(inside.status.open_columns, 0u);
}

TEST_F(VoxelBadInput, ManyTrianglesInOnePlaceAreOne) {
    TUFF_ONLY_ON(lavapipe);
    TriangleSoup one;
    one.add({6.1f, 7.2f, 8.3f}, {11.4f, 8.5f, 9.6f}, {7.7f, 9.8f, 13.9f});
    TriangleSoup many = one;
    constexpr std::uint32_t kMany = 250'001; // odd: the parity is that of one
    many.indices.clear();
    for (std::uint32_t i = 0; i < kMany; ++i)
        many.indices.insert(many.indices.end(), {0, 1, 2});
    const VoxelSurface surface{.parameters = unit_voxels(kDims)};
    const auto surfaces = voxelize(
        std::vector<std::pair<TriangleSoup, VoxelSurface>>{{many, surface}, {one, surface}});
    EXPECT_EQ(difference(surfaces[0].voxels, surfaces[1].voxels), "");
    EXPECT_GT(surfaces[0].voxels.count(), 5u);
    const VoxelSolid solid{.parameters = unit_voxels(kDims)};
    const auto solids =
        voxelize(std::vector<std::pair<TriangleSoup, VoxelSolid>>{{many, solid}, {one, solid}});
    EXPECT_EQ(difference(solids[0].voxels, solids[1].voxels), "");
}

TEST_F(VoxelBadInput, RefusesWhatCannotBe) {
    const auto code_of = [&](VoxelSolid pass) {
        Graph g = graph();
        g.set_target({}); // what every device has
        if (!pass.mesh.vertex_count)
            pass.mesh = mesh(g, testing_gpu::box_soup(glm::vec3(0.0f), glm::vec3(1.0f)));
        (void)g.add(pass);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics.front().code;
    };
    EXPECT_EQ(code_of({}), "");
    EXPECT_EQ(code_of({.parameters = {.dims = glm::uvec3(1024)}}), "");
    EXPECT_EQ(code_of({.parameters = {.dims = {1024, 1025, 1024}}, .method = SolidMethod::raster}),
              "voxel/grid-too-large");
    EXPECT_EQ(code_of({.parameters = {.dims = {1024, 16, 1024}, .slab_bytes = 1024}}),
              "voxel/grid-too-large");
    EXPECT_EQ(code_of({.parameters = {.dims = {2048, 2048, 1}}}), "");
    EXPECT_EQ(code_of({.parameters = {.dims = {2049, 1, 1}}}), "pass/out-of-range");
    EXPECT_EQ(code_of({.parameters = {.dims = {0, 1, 1}}}), "pass/out-of-range");
    EXPECT_EQ(code_of({.parameters = {.dims = {1024, 16, 1024}, .slab_bytes = 200'000},
                       .method = SolidMethod::winding}),
              "voxel/grid-too-large");
    EXPECT_EQ(code_of({.parameters = {.bounds = passes::VoxelBounds::given,
                                      .low = glm::vec3(1.0f),
                                      .high = glm::vec3(1.0f, 2.0f, 2.0f)}}),
              "pass/out-of-range");
    EXPECT_EQ(
        code_of({.parameters = {.bounds = passes::VoxelBounds::given, .low = glm::vec3(kNaN)}}),
        "pass/out-of-range");
    EXPECT_EQ(code_of({.parts = passes::kMaxVoxelParts + 1}), "pass/out-of-range");
    EXPECT_EQ(code_of({.mesh = {.vertex_count = 3, .triangle_count = 1}}), "graph/unconnected");
    Graph g = graph();
    VoxelSolid pass{.mesh = mesh(g, testing_gpu::box_soup(glm::vec3(0.0f), glm::vec3(1.0f)))};
    pass.mesh.triangle_count = 13;
    (void)g.add(pass);
    const GraphDesc desc = std::move(g).finish();
    ASSERT_FALSE(desc.diagnostics.empty());
    EXPECT_EQ(desc.diagnostics.front().code, "primitives/too-short");
}

} // namespace
} // namespace tuff
