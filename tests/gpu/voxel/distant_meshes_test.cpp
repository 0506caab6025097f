#include "tests/gpu/voxel/voxel_test.hpp"

#include <cmath>
#include <random>

/// Meshes that reach far beyond the grid, where corners have to be cut off.
namespace tuff {
namespace {

using passes::SurfaceMethod;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::HostVoxels;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kDistantDims{36, 30, 44};

class VoxelsOfFarMeshes : public testing_gpu::VoxelTest {};

TEST_F(VoxelsOfFarMeshes, HaveTheGroundWhereItIs) {
    std::vector<std::pair<TriangleSoup, VoxelSurface>> surfaces;
    std::vector<std::pair<TriangleSoup, VoxelSolid>> solids;
    for (const float far : {2e4f, 1e6f, 5e8f})
        for (const std::uint32_t parts : {0u, 10u, passes::kDefaultVoxelParts}) {
            const TriangleSoup ground =
                testing_gpu::box_soup({-far, -far, -far}, {far, 13.25f, far});
            surfaces.push_back({ground, {.parameters = unit_voxels(kDistantDims), .parts = parts}});
            solids.push_back({ground, {.parameters = unit_voxels(kDistantDims), .parts = parts}});
        }
    Voxels slice(kDistantDims);
    Voxels below(kDistantDims);
    for (std::uint32_t x = 0; x < kDistantDims.x; ++x)
        for (std::uint32_t z = 0; z < kDistantDims.z; ++z) {
            slice.set(x, 13, z);
            for (std::uint32_t y = 0; y < 13; ++y)
                below.set(x, y, z);
        }
    for (const HostVoxels& surface : voxelize(surfaces)) {
        EXPECT_EQ(difference(surface.voxels, slice), "");
        EXPECT_EQ(surface.status.too_far, 0u);
    }
    const std::vector<HostVoxels> filled = voxelize(solids);
    for (std::size_t i = 0; i < filled.size(); ++i) {
        EXPECT_EQ(difference(filled[i].voxels, below), "");
        EXPECT_EQ(filled[i].status.open_columns, 0u);
        EXPECT_EQ(filled[i].status.overflow > 0, solids[i].second.parts < 12 * 21);
    }
}

TEST_F(VoxelsOfFarMeshes, StayClosed) {
    // The tube is as wide as many grids; the grid lies across its skin.
    const TriangleSoup knot = testing_gpu::torus_knot_soup(16, 6, glm::vec3(0.0f), 1.5e5f);
    // The middle of an edge is in the middle of the grid.
    const TriangleSoup moved = testing_gpu::moved(
        knot, glm::vec3(18.0f, 15.0f, 22.0f) - 0.5f * (knot.positions[27] + knot.positions[32]));
    const VoxelSolid pass{.parameters = unit_voxels(kDistantDims)};
    const HostVoxels solid = voxelize(moved, pass);
    EXPECT_EQ(solid.status.open_columns, 0u);
    EXPECT_EQ(solid.status.too_far, 0u);
    const std::uint64_t all = std::uint64_t{kDistantDims.x} * kDistantDims.y * kDistantDims.z;
    EXPECT_GT(solid.voxels.count(), all / 50);
    EXPECT_LT(solid.voxels.count(), all - all / 50);
    const HostVoxels surface =
        voxelize(moved, VoxelSurface{.parameters = unit_voxels(kDistantDims)});
    for (std::uint32_t x = 0; x + 1 < kDistantDims.x; ++x)
        for (std::uint32_t y = 0; y + 1 < kDistantDims.y; ++y)
            for (std::uint32_t z = 0; z + 1 < kDistantDims.z; ++z)
                for (const glm::uvec3 step :
                     {glm::uvec3(1, 0, 0), glm::uvec3(0, 1, 0), glm::uvec3(0, 0, 1)}) {
                    const glm::uvec3 next = glm::uvec3(x, y, z) + step;
                    ASSERT_TRUE(
                        solid.voxels.at(x, y, z) == solid.voxels.at(next.x, next.y, next.z) ||
                        surface.voxels.at(x, y, z) || surface.voxels.at(next.x, next.y, next.z));
                }
}

TEST_F(VoxelsOfFarMeshes, AreWhereExactOnesAre) {
    // They pass a place in the grid, and end about where they are cut off, or far beyond.
    std::mt19937 random(9);
    const auto between = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() >> 8) * 0x1p-24f;
    };
    const auto direction = [&] {
        return glm::vec3(between(-1.0f, 1.0f), between(-1.0f, 1.0f), between(-1.0f, 1.0f));
    };
    TriangleSoup soup;
    for (int i = 0; i < 24; ++i) {
        const glm::vec3 middle =
            glm::vec3(kDistantDims) * glm::vec3(between(0.0f, 1.0f), between(0.0f, 1.0f), 0.5f);
        const glm::vec3 a = (i < 12 ? 2.5e4f : 2e6f) * direction();
        const glm::vec3 b = 2.5e4f * direction();
        soup.add(middle + a, middle + b, middle - 0.5f * (a + b));
    }
    const HostVoxels surface =
        voxelize(soup, VoxelSurface{.parameters = unit_voxels(kDistantDims)});
    const HostVoxels solid = voxelize(soup, VoxelSolid{.parameters = unit_voxels(kDistantDims)});
    const Voxels wanted =
        testing_gpu::surface_reference(soup, surface.frame, kDistantDims, 2.56e11f);
    const Voxels inside =
        testing_gpu::solid_reference(soup, solid.frame, kDistantDims, 1, 2.56e11f);
    std::uint64_t different = 0;
    std::uint64_t solid_different = 0;
    for (std::uint32_t x = 0; x < kDistantDims.x; ++x)
        for (std::uint32_t y = 0; y < kDistantDims.y; ++y)
            for (std::uint32_t z = 0; z < kDistantDims.z; ++z) {
                different += surface.voxels.at(x, y, z) != wanted.at(x, y, z);
                solid_different += solid.voxels.at(x, y, z) != inside.at(x, y, z);
            }
    // Cuts are rounded to 1/256 voxel: a few voxels that are hardly met, and middles close by.
    EXPECT_GT(wanted.count(), 1000u);
    EXPECT_LE(different, wanted.count() / 100);
    EXPECT_LE(solid_different,
              std::uint64_t{kDistantDims.x} * kDistantDims.y * kDistantDims.z / 100);
    EXPECT_GT(surface.status.large, 10u);
}

} // namespace
} // namespace tuff
