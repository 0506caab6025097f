#include "tests/gpu/voxel/voxel_test.hpp"

#include <string>

/// Solids: the voxels whose middles are inside.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::VoxelGridParameters;
using passes::VoxelSolid;
using testing_gpu::box_soup;
using testing_gpu::HostVoxels;
using testing_gpu::random_soup;
using testing_gpu::solid_reference;
using testing_gpu::sphere_soup;
using testing_gpu::torus_knot_soup;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kSolidDims{33, 20, 70};

class VoxelSolidTest : public testing_gpu::VoxelTest {
  protected:
    void expect_reference(const TriangleSoup& soup, const VoxelGridParameters& parameters) {
        const HostVoxels got = voxelize(soup, VoxelSolid{.parameters = parameters});
        const Voxels wanted = solid_reference(soup, got.frame, parameters.dims);
        EXPECT_EQ(difference(got.voxels, wanted), "");
        EXPECT_EQ(got.status.voxels, wanted.count());
        EXPECT_GT(wanted.count(), 0u) << "nothing has been tried";
    }
};

TEST_F(VoxelSolidTest, OfAKnotIsThatOfTheParity) {
    const TriangleSoup knot = torus_knot_soup(50, 6, glm::vec3(0.3f, -2.0f, 1.0f), 1.7f);
    expect_reference(knot, {.dims = kSolidDims});
    EXPECT_EQ(voxelize(knot, VoxelSolid{.parameters = {.dims = kSolidDims}}).status.open_columns,
              0u);
}

TEST_F(VoxelSolidTest, OfRandomTrianglesIsThatOfTheParity) {
    const glm::vec3 low(-3.0f);
    const glm::vec3 high = glm::vec3(kSolidDims) + 3.0f;
    expect_reference(random_soup(600, low, high, 6.0f, 1e-3f, 1), unit_voxels(kSolidDims));
    expect_reference(random_soup(600, low, high, 6.0f, 0.5f, 2), unit_voxels(kSolidDims));
    expect_reference(random_soup(20, low, high, 400.0f, 1e-2f, 3), unit_voxels(kSolidDims));
    expect_reference(random_soup(20, low, high, 16000.0f, 0.5f, 4), unit_voxels(kSolidDims));
}

TEST_F(VoxelSolidTest, HoldsWhateverTheHeightOfTheGrid) {
    for (const std::uint32_t height : {1u, 2u, 15u, 17u, 64u, 600u, 1100u}) {
        SCOPED_TRACE(height);
        const glm::uvec3 dims(5, height, 40);
        const glm::vec3 low(-1.0f);
        expect_reference(random_soup(200, low, glm::vec3(dims) + 1.0f, 9.0f, 1e-3f, height),
                         unit_voxels(dims));
    }
}

TEST_F(VoxelSolidTest, HoldsWhateverTheShapeOfTheGrid) {
    for (const glm::uvec3 dims : {glm::uvec3(70, 3, 32), glm::uvec3(9, 81, 33), {4, 11, 129}}) {
        SCOPED_TRACE(dims.z);
        const glm::vec3 low(-3.0f);
        const glm::vec3 high = glm::vec3(dims) + 3.0f;
        TriangleSoup soup = random_soup(150, low, high, 6.0f, 1e-3f, dims.x);
        soup.append(random_soup(100, low, high, 6.0f, 0.5f, dims.y));
        soup.append(random_soup(10, low, high, 200.0f, 1e-2f, dims.z));
        expect_reference(soup, unit_voxels(dims));
    }
}

TEST_F(VoxelSolidTest, OfABoxHasItsVolume) {
    const glm::uvec3 dims(16, 16, 16);
    const VoxelSolid pass{.parameters = unit_voxels(dims)};
    EXPECT_EQ(voxelize(box_soup(glm::vec3(3.0f), glm::vec3(10.0f)), pass).status.voxels, 343u);
    // Every edge goes through middles of voxels: each belongs to one side.
    EXPECT_EQ(voxelize(box_soup(glm::vec3(2.5f), glm::vec3(9.5f)), pass).status.voxels, 343u);
}

TEST_F(VoxelSolidTest, OfABallHasTheVolumeOfTheMesh) {
    const TriangleSoup ball = sphere_soup(glm::vec3(52.0f), 50.0f, 40);
    const HostVoxels got = voxelize(ball, VoxelSolid{.parameters = unit_voxels(glm::uvec3(104))});
    const double wanted = testing_gpu::volume(ball);
    EXPECT_NEAR(static_cast<double>(got.status.voxels), wanted, 0.005 * wanted);
    EXPECT_EQ(got.status.voxels, got.voxels.count());
    EXPECT_EQ(got.status.open_columns, 0u);
}

TEST_F(VoxelSolidTest, OfLargeTrianglesIsSharedAmongGroups) {
    const glm::uvec3 dims(300, 4, 300);
    const TriangleSoup soup = box_soup({-3.0f, 1.0f, 10.0f}, {290.25f, 3.0f, 333.0f});
    for (const std::uint32_t parts : {0u, 1u, 100u}) {
        const HostVoxels got =
            voxelize(soup, VoxelSolid{.parameters = unit_voxels(dims), .parts = parts});
        EXPECT_EQ(got.status.voxels, 290u * 2u * 290u) << parts;
        EXPECT_EQ(got.status.large, 4u) << parts; // those above and below
        EXPECT_EQ(got.status.overflow > 0, parts < 4) << parts;
    }
}

TEST_F(VoxelSolidTest, IsTheSameWhateverTheOrderOfTrianglesAndCorners) {
    const TriangleSoup knot = torus_knot_soup(60, 7, glm::vec3(16.0f), 15.0f);
    const VoxelSolid pass{.parameters = unit_voxels(glm::uvec3(32))};
    const Voxels first = voxelize(knot, pass).voxels;
    EXPECT_GT(first.count(), 1000u);
    EXPECT_EQ(difference(voxelize(testing_gpu::shuffled(knot, 3), pass).voxels, first), "");
    TriangleSoup twice = knot;
    twice.append(testing_gpu::flipped(knot));
    EXPECT_EQ(voxelize(twice, pass).voxels.count(), 0u);
}

TEST_F(VoxelSolidTest, OfAnObjectAcrossAFaceOfTheGridIsThePartInside) {
    const TriangleSoup knot = torus_knot_soup(40, 5, glm::vec3(16.0f), 15.0f);
    const VoxelSolid pass{.parameters = unit_voxels(glm::uvec3(32))};
    const glm::vec3 moves[] = {{0, 0, 0},   {16, 0, 0}, {-16, 0, 0}, {0, 16, 0},
                               {0, -16, 0}, {0, 0, 16}, {0, 0, -16}};
    std::vector<std::pair<TriangleSoup, VoxelSolid>> all;
    for (const glm::vec3 by : moves)
        all.push_back({testing_gpu::moved(knot, by), pass});
    const std::vector<HostVoxels> parts = voxelize(all);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Voxels wanted = testing_gpu::moved(parts[0].voxels, glm::ivec3(moves[i]));
        EXPECT_GT(wanted.count(), 0u);
        EXPECT_EQ(difference(parts[i].voxels, wanted), "") << i;
        EXPECT_EQ(parts[i].status.open_columns, 0u) << i;
    }
}

TEST_F(VoxelSolidTest, OfAnOpenMeshCountsItsColumns) {
    TriangleSoup quad;
    quad.add({2.0f, 9.0f, 3.0f}, {12.0f, 9.0f, 3.0f}, {12.0f, 9.0f, 8.0f});
    quad.add({2.0f, 9.0f, 3.0f}, {12.0f, 9.0f, 8.0f}, {2.0f, 9.0f, 8.0f});
    const VoxelSolid pass{.parameters = unit_voxels(glm::uvec3(16))};
    const HostVoxels got = voxelize(quad, pass);
    EXPECT_EQ(got.status.open_columns, 50u);
    ASSERT_EQ(got.status.warnings().size(), 1u);
    EXPECT_EQ(got.status.warnings()[0].code, "voxel/open-mesh");
    // Also one that lies below the grid.
    EXPECT_EQ(voxelize(testing_gpu::moved(quad, {0.0f, -20.0f, 0.0f}), pass).status.open_columns,
              50u);
}

TEST_F(VoxelSolidTest, ByMajorityIsThatOfTwoDirections) {
    TUFF_ONLY_ON(lavapipe);
    TriangleSoup holed = torus_knot_soup(50, 6, glm::vec3(16.5f, 10.0f, 35.0f), 14.0f);
    holed.indices.resize(holed.indices.size() - 9); // a small hole
    const glm::uvec3 dims = kSolidDims;
    const HostVoxels got = voxelize(
        holed, VoxelSolid{.parameters = unit_voxels(dims), .method = SolidMethod::majority});
    const Voxels along[3] = {solid_reference(holed, got.frame, dims, 0),
                             solid_reference(holed, got.frame, dims, 1),
                             solid_reference(holed, got.frame, dims, 2)};
    Voxels wanted(dims);
    for (std::size_t i = 0; i < wanted.words.size(); ++i) {
        const std::uint32_t x = along[0].words[i];
        const std::uint32_t y = along[1].words[i];
        const std::uint32_t z = along[2].words[i];
        wanted.words[i] = (x & y) | (y & z) | (z & x);
    }
    EXPECT_NE(along[1], wanted) << "the hole does not show";
    EXPECT_EQ(difference(got.voxels, wanted), "");
    EXPECT_EQ(got.status.voxels, wanted.count());
    EXPECT_GT(got.status.open_columns, 0u);
}

TEST_F(VoxelSolidTest, ByWindingJoinsWhatOverlaps) {
    const glm::uvec3 dims(20, 24, 40);
    TriangleSoup two = box_soup(glm::vec3(2.0f), glm::vec3(10.0f));
    two.append(box_soup(glm::vec3(6.0f), glm::vec3(14.0f)));
    const VoxelSolid pass{.parameters = unit_voxels(dims), .method = SolidMethod::winding};
    const HostVoxels got = voxelize(two, pass);
    EXPECT_EQ(got.voxels.count(), 512u + 512u - 64u);
    EXPECT_EQ(got.status.voxels, 512u + 512u - 64u);
    EXPECT_EQ(got.status.open_columns, 0u);
    VoxelSolid parity = pass;
    parity.method = SolidMethod::parity;
    EXPECT_EQ(voxelize(two, parity).status.voxels, 512u + 512u - 128u);
    // Of a single closed mesh both are the same, across the lower face as well.
    const TriangleSoup knot = torus_knot_soup(50, 6, glm::vec3(10.0f, 4.0f, 20.0f), 9.0f);
    EXPECT_EQ(difference(voxelize(knot, pass).voxels, voxelize(knot, parity).voxels), "");
    EXPECT_EQ(difference(voxelize(testing_gpu::flipped(knot), pass).voxels,
                         voxelize(knot, parity).voxels),
              "");
}

} // namespace
} // namespace tuff
