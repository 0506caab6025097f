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

    /// A pass, and bytes of slabs that are tried.
    template <typename Pass>
    struct Cut {
        Pass pass;
        glm::uvec3 dims;
        std::vector<std::uint32_t> sizes;
    };

    template <typename Pass>
    void expect_same(const std::vector<Cut<Pass>>& cuts) {
        std::vector<std::pair<TriangleSoup, Pass>> all;
        for (const Cut<Pass>& cut : cuts) {
            Pass pass = cut.pass;
            pass.parameters = unit_voxels(cut.dims);
            all.push_back({soup(cut.dims), pass});
            for (const std::uint32_t bytes : cut.sizes) {
                pass.parameters.slab_bytes = bytes;
                all.push_back({soup(cut.dims), pass});
            }
        }
        const std::vector<HostVoxels> got = voxelize(all);
        std::size_t next = 0;
        for (const Cut<Pass>& cut : cuts) {
            const HostVoxels& whole = got[next++];
            SCOPED_TRACE(static_cast<int>(cut.pass.method));
            EXPECT_GT(whole.voxels.count(), 500u);
            EXPECT_EQ(whole.status.bad_index, 1u);
            for (const std::uint32_t bytes : cut.sizes) {
                SCOPED_TRACE(bytes);
                const HostVoxels& slabs = got[next++];
                EXPECT_EQ(difference(slabs.voxels, whole.voxels), "");
                EXPECT_EQ(slabs.status.voxels, whole.status.voxels);
                EXPECT_EQ(slabs.status.degenerate, whole.status.degenerate);
                EXPECT_EQ(slabs.status.bad_index, whole.status.bad_index);
                EXPECT_EQ(slabs.status.open_columns, whole.status.open_columns);
            }
        }
    }
};

TEST_F(VoxelSlabs, OfSurfacesAreThoseOfTheWhole) {
    expect_same<VoxelSurface>({
        {{.method = SurfaceMethod::rows}, {32, 21, 50}, {256u, 6000u}},
        {{.method = SurfaceMethod::columns}, {32, 21, 50}, {6000u}},
        {{}, {20, 37, 40}, {1600u}}, // eight slices begin where a slab may
    });
}

TEST_F(VoxelSlabs, OfSolidsAreThoseOfTheWhole) {
    expect_same<VoxelSolid>({
        {{}, {32, 21, 50}, {1300u}},
        {{.method = SolidMethod::majority}, {32, 21, 50}, {1300u}},
        {{.method = SolidMethod::winding}, {32, 21, 50}, {60'000u}},
    });
}

} // namespace
} // namespace tuff
