#include "passes/mapping/trajectory.hpp"
#include "passes/mapping/tsdf.hpp"
#include "tests/common/environment.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/vec2.hpp>

#include <cstdint>
#include <cstdio>

/// mapping/tsdf over many frames: how far the tracked camera is from the true one.
namespace tuff {
namespace {

using passes::MappingRoom;
using passes::MappingTrajectory;
using passes::MappingTsdf;
using passes::TrajectoryStatus;
using testing_gpu::Running;

class PathTest : public testing_gpu::MappingTest {
  protected:
    /// How well a camera of this size is tracked against `map` from the first frame on.
    TrajectoryStatus follow(glm::ivec2 size, const MappingTsdf& map, int frames) {
        const auto build = [&](int frame) {
            Graph g = graph();
            const MappingRoom room = g.add(
                MappingRoom{.width = size.x, .height = size.y, .frame = static_cast<float>(frame)});
            MappingTsdf tsdf = map;
            tsdf.frame = room.result;
            tsdf.first = room.pose;
            tsdf = g.add(tsdf);
            const MappingTrajectory path =
                g.add(MappingTrajectory{.pose = tsdf.pose, .truth = room.pose, .room = 256});
            g.output("trajectory", path.status);
            return g;
        };
        TrajectoryStatus path;
        Running running = play(build, 0, frames, [&](Running& at, int frame) {
            if (frame + 1 < frames) return;
            path = TrajectoryStatus::read(at.buffer<std::uint32_t>("trajectory"));
        });
        EXPECT_TRUE(running);
        EXPECT_EQ(path.frames, static_cast<std::uint32_t>(frames));
        EXPECT_EQ(path.lost, 0u);
        std::printf("rms %.2f mm, %.3f degrees; most %.2f mm, %.3f degrees\n",
                    1e3 * double{path.rms_distance}, double{path.rms_angle},
                    1e3 * double{path.most_distance}, double{path.most_angle});
        return path;
    }
};

TEST_F(PathTest, TheCameraIsFollowedThroughTheRoom) {
    TUFF_ONLY_ON(lavapipe);
    const TrajectoryStatus path = follow(
        {80, 60},
        {.grid = {.dims = {106, 66, 106}, .corner = {-2.12f, -0.08f, -2.12f}, .side = 0.04f}}, 48);
    EXPECT_LT(path.rms_distance, 0.01f);
    EXPECT_LT(path.rms_angle, 0.5f);
    EXPECT_LT(path.most_distance, 0.02f);
    EXPECT_LT(path.most_angle, 1.0f);
}

TEST_F(PathTest, AFinerMapHoldsTheCameraToACentimetreAndHalfADegree) {
    TUFF_ONLY_ON(lavapipe);
    // 240 are the whole orbit, in which errors add up until the camera sees the first walls again.
    const auto frames = static_cast<int>(test::number_from("TUFF_TEST_FRAMES", 50));
    const TrajectoryStatus path = follow({160, 120},
                                         {.grid = {.dims = {212, 133, 212},
                                                   .corner = {-2.12f, -0.08f, -2.12f},
                                                   .side = 0.02f,
                                                   .storage = passes::TsdfStorage::bricks}},
                                         frames);
    EXPECT_LT(path.most_distance, 0.01f);
    EXPECT_LT(path.most_angle, 0.5f);
}

} // namespace
} // namespace tuff
