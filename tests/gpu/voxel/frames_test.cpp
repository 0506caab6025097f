#include "tests/gpu/voxel/voxel_test.hpp"

#include <glm/gtc/quaternion.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Frames of one executor between which the mesh turns: nothing of a frame is left in the next.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::HostVoxels;
using testing_gpu::Running;
using testing_gpu::solid_reference;
using testing_gpu::surface_reference;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kTurningDims{37, 29, 45};

class VoxelFrames : public testing_gpu::VoxelTest {
  protected:
    static TriangleSoup turned(TriangleSoup soup, float degrees) {
        const glm::quat turn =
            glm::angleAxis(glm::radians(degrees), glm::normalize(glm::vec3(1.0f, 2.0f, 3.0f)));
        for (glm::vec3& p : soup.positions)
            p = turn * p;
        return soup;
    }

    /// The positions come from the host in every execution.
    Graph describe(const TriangleSoup& soup) {
        Graph g = graph();
        if (!indices_) indices_ = testing_gpu::bytes_of(soup.indices);
        const std::uint64_t size = soup.positions.size() * sizeof(glm::vec3);
        const passes::TriangleMesh moving{
            .positions = g.upload(g.buffer("positions", {.size = size, .stride = 4}),
                                  testing_gpu::bytes_of(soup.positions)),
            .indices =
                g.constant_buffer("indices", {.size = indices_->size(), .stride = 4}, indices_),
            .draws = {},
            .vertex_count = static_cast<std::uint32_t>(soup.positions.size()),
            .triangle_count = soup.triangles()};
        const passes::VoxelGridParameters parameters{.dims = kTurningDims};
        for (const auto& [name, method] : kSurfaces)
            output(g, name,
                   g.add(VoxelSurface{.mesh = moving, .parameters = parameters, .method = method},
                         name)
                       .grid);
        for (const auto& [name, method] : kSolids)
            output(
                g, name,
                g.add(VoxelSolid{.mesh = moving, .parameters = parameters, .method = method}, name)
                    .grid);
        return g;
    }

    static void expect_frame(Running& running, const TriangleSoup& soup) {
        const auto frame = read(running, kSurfaces.front().first, kTurningDims).frame;
        const Voxels surface = surface_reference(soup, frame, kTurningDims);
        const Voxels solid = solid_reference(soup, frame, kTurningDims);
        EXPECT_GT(solid.count(), 500u);
        for (const auto& [name, method] : kSurfaces)
            expect_same(read(running, name, kTurningDims), surface, name);
        for (const auto& [name, method] : kSolids)
            expect_same(read(running, name, kTurningDims), solid, name);
    }

    static inline const std::vector<std::pair<std::string, SurfaceMethod>> kSurfaces = {
        {"rows", SurfaceMethod::rows},
        {"columns", SurfaceMethod::columns},
        {"dilated", SurfaceMethod::dilated}};
    /// Of a closed mesh that does not cut itself both are the same.
    static inline const std::vector<std::pair<std::string, SolidMethod>> kSolids = {
        {"parity", SolidMethod::parity}, {"winding", SolidMethod::winding}};

  private:
    std::shared_ptr<const std::vector<std::byte>> indices_; ///< the same in all frames

    static void expect_same(const HostVoxels& got, const Voxels& wanted, const std::string& name) {
        EXPECT_EQ(difference(got.voxels, wanted), "") << name;
        EXPECT_EQ(got.status.voxels, wanted.count()) << name;
    }
};

TEST_F(VoxelFrames, OfAMeshThatTurnsAreThoseOfEachFrame) {
    const TriangleSoup knot = testing_gpu::torus_knot_soup(50, 6, glm::vec3(0.0f), 2.0f);
    Running running = start(describe(knot));
    ASSERT_TRUE(running);
    std::vector<Voxels> seen;
    for (const float degrees : {0.0f, 50.0f, 170.0f, 0.0f}) {
        SCOPED_TRACE(degrees);
        const TriangleSoup now = turned(knot, degrees);
        const GraphDesc desc = describe(now).finish();
        ASSERT_TRUE(same_structure(running->plan().graph, desc));
        running->set_uploads(desc);
        running.execute(2);
        expect_frame(running, now);
        seen.push_back(read(running, "parity", kTurningDims).voxels);
    }
    EXPECT_NE(seen[0], seen[1]);
    EXPECT_EQ(difference(seen[3], seen[0]), "");
}

} // namespace
} // namespace tuff
