#include "tests/gpu/voxel/voxel_test.hpp"

#include <string>
#include <vector>

/// Surfaces whose voxels the rasterizer finds: all that triangles meet, or by bits of attachments.
namespace tuff {
namespace {

using passes::SurfaceMethod;
using passes::VoxelGridParameters;
using passes::VoxelSurface;
using testing_gpu::HostVoxels;
using testing_gpu::random_soup;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kDrawnDims{33, 20, 70};

class VoxelDrawnSurface : public testing_gpu::VoxelTest {
  protected:
    /// Triangles without area may be left out by devices that rasterize conservatively.
    static TriangleSoup with_area(const TriangleSoup& soup) {
        TriangleSoup result;
        for (std::size_t i = 0; i < soup.triangles(); ++i) {
            const auto corner = [&](std::size_t k) {
                return soup.positions[soup.indices[3 * i + k]];
            };
            const glm::vec3 area = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
            if (glm::length(area) > 0.05f) result.add(corner(0), corner(1), corner(2));
        }
        return result;
    }

    void expect_whole(SurfaceMethod method, bool degenerate) {
        const glm::vec3 low(-3.0f);
        const glm::vec3 high = glm::vec3(kDrawnDims) + 3.0f;
        std::vector<TriangleSoup> soups = {random_soup(300, low, high, 5.0f, 1e-3f, 31),
                                           random_soup(200, low, high, 7.0f, 1.0f, 32),
                                           random_soup(200, low, high, 7.0f, 0.5f, 33),
                                           random_soup(24, low, high, 90.0f, 1e-2f, 34),
                                           random_soup(60, low, high, 400.0f, 1e-2f, 35)};
        soups.push_back(testing_gpu::torus_knot_soup(50, 6, glm::vec3(16.0f, 9.0f, 35.0f), 9.0f));
        std::vector<std::pair<TriangleSoup, VoxelSurface>> all;
        for (const TriangleSoup& soup : soups)
            for (const auto separation :
                 {passes::SurfaceSeparation::conservative, passes::SurfaceSeparation::thin})
                all.push_back({degenerate ? soup : with_area(soup),
                               {.parameters = unit_voxels(kDrawnDims),
                                .method = method,
                                .separation = separation}});
        const std::vector<HostVoxels> results = voxelize(all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto reference =
                i % 2 == 0
                    ? testing_gpu::surface_reference(all[i].first, results[i].frame, kDrawnDims)
                    : testing_gpu::thin_reference(all[i].first, results[i].frame, kDrawnDims);
            EXPECT_GT(reference.count(), 100u) << i;
            EXPECT_EQ(difference(results[i].voxels, reference), "") << i;
            EXPECT_EQ(results[i].status.voxels, reference.count());
        }
    }

    std::string code_without_abilities(SurfaceMethod method) {
        Graph g = graph();
        g.set_target({});
        VoxelSurface pass{.mesh = mesh(g, testing_gpu::box_soup(glm::vec3(0.0f), glm::vec3(1.0f))),
                          .method = method};
        (void)g.add(pass);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.size() == 1 ? desc.diagnostics.front().code : std::string();
    }
};

TEST_F(VoxelDrawnSurface, OfLargerTrianglesIsThatOfTheSeparatingAxes) {
    expect_whole(SurfaceMethod::dilated, true);
}

TEST_F(VoxelDrawnSurface, OfConservativeRasterizationIsThatOfTheSeparatingAxes) {
    EXPECT_EQ(code_without_abilities(SurfaceMethod::conservative), "voxel/no-such-method");
    if (!device().caps().conservative_raster) GTEST_SKIP() << "the device does not do it";
    expect_whole(SurfaceMethod::conservative, false);
}

TEST_F(VoxelDrawnSurface, OfBitsOfAttachmentsIsThatOfAtomics) {
    EXPECT_EQ(code_without_abilities(SurfaceMethod::slice_map), "voxel/no-such-method");
    if (!device().caps().logic_op) GTEST_SKIP() << "the device has no logic operations";
    // Deeper than the attachments of one drawing.
    for (const glm::uvec3 dims : {glm::uvec3(21, 18, 70), glm::uvec3(10, 7, 1100)}) {
        const TriangleSoup soup = random_soup(400, glm::vec3(-3.0f), glm::vec3(dims) + 3.0f,
                                              0.2f * static_cast<float>(dims.z), 1e-3f, 36);
        const std::vector<HostVoxels> both =
            voxelize(std::vector<std::pair<TriangleSoup, VoxelSurface>>{
                {soup, {.parameters = unit_voxels(dims), .method = SurfaceMethod::raster}},
                {soup, {.parameters = unit_voxels(dims), .method = SurfaceMethod::slice_map}}});
        EXPECT_GT(both[0].voxels.count(), 500u);
        EXPECT_EQ(difference(both[1].voxels, both[0].voxels), "");
        EXPECT_EQ(both[1].status.degenerate, both[0].status.degenerate);
        EXPECT_EQ(both[1].status.voxels, both[0].status.voxels);
    }
}

} // namespace
} // namespace tuff
