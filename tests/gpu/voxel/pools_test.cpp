#include "tests/gpu/voxel/voxel_test.hpp"

#include <tuff/graph_runner.hpp>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Lists of parts that are too short grow when their graph is built again.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::VoxelPartsStatus;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::box_soup;
using testing_gpu::HostVoxels;
using testing_gpu::solid_reference;
using testing_gpu::surface_reference;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kPoolDims{150, 60, 70};

class VoxelPools : public testing_gpu::VoxelTest {
  protected:
    struct Frame {
        HostVoxels grid;
        Diagnostics warnings;
        std::vector<std::string> grown; ///< messages, before the frame
    };

    /// Frames of one pass, each waited for.
    template <typename Pass>
    std::vector<Frame> frames_of(const TriangleSoup& soup, Pass pass, int count) {
        std::vector<Frame> frames;
        GraphRunner runner(device());
        for (int i = 0; i < count; ++i) {
            Frame& frame = frames.emplace_back();
            auto grown = runner.grow_pools();
            EXPECT_TRUE(grown);
            for (const Diagnostic& one : *grown) {
                EXPECT_EQ(one.code, "graph/pool-grown");
                frame.grown.push_back(one.message);
            }
            Graph g = graph();
            g.set_pools(runner.pools());
            pass.mesh = mesh(g, soup);
            output(g, "grid", g.add(pass, "voxels").grid);
            const auto taken = runner.take(std::move(g).finish(), shaders());
            EXPECT_TRUE(taken) << to_string(taken.error());
            if (!taken) return {};
            EXPECT_TRUE(runner.executor()->execute());
            frame.warnings = *runner.executor()->warnings();
            frame.grid.voxels = Voxels(kPoolDims, words(runner, "grid.words"));
            frame.grid.status = passes::VoxelStatus::read(words(runner, "grid.status"));
            const auto rows = runner.executor()->read_buffer("grid.frame");
            std::memcpy(frame.grid.frame.data(), rows->data(), sizeof(frame.grid.frame));
        }
        return frames;
    }

    /// The first frame lacks room and says so, the others do not; all have the right voxels.
    static void expect_growth(const std::vector<Frame>& frames, const Voxels& wanted,
                              std::size_t lists) {
        ASSERT_EQ(frames.size(), 3u);
        EXPECT_GT(wanted.count(), 1000u);
        EXPECT_GT(frames[0].grid.status.overflow, 0u);
        EXPECT_EQ(frames[0].warnings.size(), lists);
        for (const Diagnostic& one : frames[0].warnings)
            EXPECT_EQ(one.code, "voxel/few-parts");
        EXPECT_EQ(frames[1].grown.size(), lists);
        for (const Frame& frame : frames)
            EXPECT_EQ(difference(frame.grid.voxels, wanted), "");
        for (std::size_t i = 1; i < frames.size(); ++i) {
            EXPECT_EQ(frames[i].grid.status.overflow, 0u);
            EXPECT_TRUE(frames[i].warnings.empty());
            EXPECT_EQ(frames[i].grid.status.large, frames[0].grid.status.large);
        }
        EXPECT_TRUE(frames[2].grown.empty()) << frames[2].grown.front();
    }

  private:
    static std::vector<std::uint32_t> words(GraphRunner& runner, const char* name) {
        const auto bytes = runner.executor()->read_buffer(name);
        EXPECT_TRUE(bytes);
        std::vector<std::uint32_t> result(bytes->size() / 4);
        std::memcpy(result.data(), bytes->data(), bytes->size());
        return result;
    }
};

/// Of its triangles, those across z have many rows and those across y many columns.
TriangleSoup large_box() {
    return box_soup({-3.0f, 1.25f, 4.0f}, {141.5f, 57.0f, 66.5f});
}

TEST_F(VoxelPools, OfSurfacesGrowToWhatLargeTrianglesNeed) {
    for (const SurfaceMethod method : {SurfaceMethod::rows, SurfaceMethod::columns}) {
        SCOPED_TRACE(static_cast<int>(method));
        const std::vector<Frame> frames = frames_of(
            large_box(),
            VoxelSurface{.parameters = unit_voxels(kPoolDims), .method = method, .parts = 1}, 3);
        ASSERT_FALSE(frames.empty());
        expect_growth(frames, surface_reference(large_box(), frames[0].grid.frame, kPoolDims), 1);
        ASSERT_EQ(frames[1].grown.size(), 1u);
        EXPECT_TRUE(frames[1].grown[0].starts_with("voxels/parts: ")) << frames[1].grown[0];
    }
}

TEST_F(VoxelPools, OfSolidsGrowToWhatLargeTrianglesNeed) {
    const std::vector<Frame> frames =
        frames_of(large_box(), VoxelSolid{.parameters = unit_voxels(kPoolDims), .parts = 1}, 3);
    ASSERT_FALSE(frames.empty());
    expect_growth(frames, solid_reference(large_box(), frames[0].grid.frame, kPoolDims), 1);
}

TEST_F(VoxelPools, OfEachSlabGrowAlone) {
    VoxelSurface pass{.parameters = unit_voxels(kPoolDims), .parts = 0};
    pass.parameters.slab_bytes = 32 * kPoolDims.x * 3 * 4; // two slabs; a row has three words
    const std::vector<Frame> frames = frames_of(large_box(), pass, 3);
    ASSERT_FALSE(frames.empty());
    expect_growth(frames, surface_reference(large_box(), frames[0].grid.frame, kPoolDims), 2);
}

TEST_F(VoxelPools, HaveExactlyTheRoomThatTheHintNames) {
    // 64 triangles of many columns each, of which some are farther away than numbers reach.
    TriangleSoup soup =
        testing_gpu::random_soup(60, glm::vec3(0.0f), glm::vec3(kPoolDims), 200.0f, 1e-2f, 21);
    soup.append(
        testing_gpu::random_soup(4, glm::vec3(0.0f), glm::vec3(kPoolDims), 60000.0f, 1.0f, 22));
    const auto overflow = [&](std::uint32_t parts) {
        const VoxelSurface pass{.parameters = unit_voxels(kPoolDims), .parts = parts};
        return frames_of(soup, pass, 1).front();
    };
    const Frame few = overflow(1);
    ASSERT_EQ(few.warnings.size(), 1u);
    const std::string& hint = few.warnings[0].hint;
    const auto needed =
        static_cast<std::uint32_t>(std::stoul(hint.substr(hint.find_first_of("123456789"))));
    EXPECT_GT(needed, 100u);
    const Frame enough = overflow(needed);
    EXPECT_TRUE(enough.warnings.empty());
    EXPECT_EQ(enough.grid.status.overflow, 0u);
    EXPECT_EQ(overflow(needed - 1).grid.status.overflow, 1u);
}

TEST_F(VoxelPools, HoldMoreThanThereAreGroups) {
    // Far away beside the grid: they have parts as all that has to be cut off, and set nothing.
    const auto crowd = [](int count) {
        TriangleSoup soup;
        for (int i = 0; i < count; ++i)
            soup.add({60000, 10, 10}, {60500, 10, 10}, {60000, 50, 10});
        soup.append(large_box()); // the last ones
        return soup;
    };
    const auto expect = [&]<typename Pass>(const Pass& pass, const TriangleSoup& soup) {
        const std::vector<Frame> frames = frames_of(soup, pass, 1);
        ASSERT_FALSE(frames.empty());
        const HostVoxels& got = frames[0].grid;
        Voxels wanted;
        if constexpr (std::is_same_v<Pass, VoxelSolid>)
            wanted = solid_reference(large_box(), got.frame, kPoolDims);
        else
            wanted = surface_reference(large_box(), got.frame, kPoolDims);
        EXPECT_EQ(difference(got.voxels, wanted), "");
        EXPECT_GE(got.status.large, soup.triangles() - large_box().triangles());
        EXPECT_EQ(got.status.overflow, 0u);
    };
    constexpr std::uint32_t kManyParts = 1u << 15;
    const VoxelSurface surface{.parameters = unit_voxels(kPoolDims), .parts = kManyParts};
    const VoxelSolid solid{.parameters = unit_voxels(kPoolDims), .parts = kManyParts};
    expect(surface, crowd(240)); // of 35 parts each, for 8192 groups
    expect(solid, crowd(135));   // of 63
}

TEST(VoxelParts, CountBeyond32Bits) {
    const std::uint32_t words[8] = {8192, 1, 1, 7, 3, 5, 2, 0};
    const VoxelPartsStatus status = VoxelPartsStatus::read(words);
    EXPECT_EQ(status.whole, 3u);
    EXPECT_EQ(status.needed, 0x2'0000'0005u);
    ASSERT_EQ(status.pool_needs().size(), 1u);
    EXPECT_EQ(status.pool_needs()[0].pool, "parts");
    EXPECT_EQ(status.pool_needs()[0].elements, 0x2'0000'0005u);
    EXPECT_TRUE(VoxelPartsStatus{}.pool_needs().empty());
    EXPECT_TRUE(VoxelPartsStatus{}.warnings().empty());
}

} // namespace
} // namespace tuff
