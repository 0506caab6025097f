#include "tests/gpu/voxel/voxel_test.hpp"

#include <string>
#include <utility>
#include <vector>

/// Grids that are voxelized slab by slab are those that are voxelized as a whole.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::VoxelSolid;
using passes::VoxelStatus;
using passes::VoxelSurface;
using testing_gpu::HostVoxels;
using testing_gpu::TriangleSoup;

class VoxelSlabs : public testing_gpu::VoxelTest {
  protected:
    /// A closed mesh that reaches beyond the grid above and below, one far away, and bad triangles.
    static TriangleSoup soup(glm::uvec3 dims) {
        TriangleSoup all = testing_gpu::torus_knot_soup(40, 5, 0.5f * glm::vec3(dims),
                                                        0.6f * static_cast<float>(dims.y));
        all.append(
            testing_gpu::random_soup(60, glm::vec3(-3.0f), glm::vec3(dims) + 3.0f, 9.0f, 0.5f, 41));
        all.append(
            testing_gpu::random_soup(4, glm::vec3(0.0f), glm::vec3(dims), 60000.0f, 1.0f, 42));
        all.indices.insert(all.indices.end(), {0u, 1u, 1'000'000u});
        return all;
    }

    template <typename Pass>
    void expect_same(const Pass& pass, glm::uvec3 dims, std::vector<std::uint32_t> sizes) {
        std::vector<std::pair<TriangleSoup, Pass>> all;
        sizes.insert(sizes.begin(), 0u);
        for (const std::uint32_t bytes : sizes) {
            Pass one = pass;
            one.parameters = unit_voxels(dims);
            one.parameters.slab_bytes = bytes;
            all.push_back({soup(dims), one});
        }
        const std::vector<HostVoxels> got = voxelize(all);
        const VoxelStatus& whole = got[0].status;
        EXPECT_GT(got[0].voxels.count(), 500u);
        EXPECT_EQ(whole.bad_index, 1u);
        for (std::size_t i = 1; i < got.size(); ++i) {
            SCOPED_TRACE(sizes[i]);
            EXPECT_EQ(difference(got[i].voxels, got[0].voxels), "");
            EXPECT_EQ(got[i].status.voxels, whole.voxels);
            EXPECT_EQ(got[i].status.degenerate, whole.degenerate);
            EXPECT_EQ(got[i].status.bad_index, whole.bad_index);
            EXPECT_EQ(got[i].status.open_columns, whole.open_columns);
        }
    }
};

TEST_F(VoxelSlabs, OfSurfacesAreThoseOfTheWhole) {
    for (const SurfaceMethod method : {SurfaceMethod::strips, SurfaceMethod::columns}) {
        SCOPED_TRACE(static_cast<int>(method));
        expect_same(VoxelSurface{.method = method}, {32, 21, 50}, {256u, 6000u});
    }
    expect_same(VoxelSurface{}, {20, 37, 40}, {1600u}); // eight slices begin where a slab may
}

TEST_F(VoxelSlabs, OfSolidsAreThoseOfTheWhole) {
    expect_same(VoxelSolid{}, {32, 21, 50}, {256u, 1300u});
    expect_same(VoxelSolid{.method = SolidMethod::majority}, {32, 21, 50}, {1300u});
    expect_same(VoxelSolid{.method = SolidMethod::winding}, {32, 21, 50}, {60'000u});
}

} // namespace
} // namespace tuff
