#include "passes/mapping/align.hpp"
#include "passes/mapping/pose.hpp"
#include "passes/mapping/trajectory.hpp"
#include "passes/mapping/tsdf.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

/// mapping/tsdf, mapping/view and mapping/field: the dense map.
namespace tuff {
namespace {

using passes::MappingField;
using passes::MappingLocalise;
using passes::MappingRoom;
using passes::MappingTrajectory;
using passes::MappingTsdf;
using passes::MappingView;
using passes::TrackingStatus;
using passes::TrajectoryStatus;
using passes::TsdfGrid;
using passes::TsdfVolume;
using testing_gpu::bytes_of;
using testing_gpu::Running;

struct HostVoxel {
    double distance = 0.0; ///< truncations
    double weight = 0.0;
    std::array<double, 3> color{};
    double colors = 0.0;
};

HostVoxel unpacked(glm::uvec2 words) {
    const glm::vec2 halves = glm::unpackHalf2x16(words.x);
    HostVoxel voxel{.distance = double{halves.x}, .weight = double{halves.y}};
    for (std::uint32_t c = 0; c < 3; ++c)
        voxel.color[c] = (words.y >> (8 * c) & 255u) / 255.0;
    voxel.colors = words.y >> 24;
    return voxel;
}

class TsdfTest : public testing_gpu::MappingTest {
  protected:
    static Buffer copied(Graph& g, const TsdfVolume& volume) {
        return g.copy(volume.voxels, g.buffer("voxels_out", g.desc(volume.voxels)));
    }
    /// The room with a map of it in each frame.
    struct Mapped {
        MappingRoom room;
        MappingTsdf tsdf;
    };
    Graph mapping(const Mapped& mapped, bool with_poses) {
        Graph g = graph();
        const MappingRoom room = g.add(mapped.room);
        MappingTsdf tsdf = mapped.tsdf;
        tsdf.frame = room.result;
        (with_poses ? tsdf.pose_given : tsdf.first) = room.pose;
        tsdf = g.add(tsdf);
        const auto path =
            g.add(MappingTrajectory{.pose = tsdf.pose, .truth = room.pose, .room = 256});
        g.output("pose", g.copy(tsdf.pose, g.buffer("pose_out", passes::kPoseDesc)));
        g.output("trajectory", path.status);
        if (!with_poses) g.output("status", tsdf.status);
        g.output("voxels", copied(g, tsdf.volume));
        return g;
    }
};

/// The distance that a frame says, by doubles. Nothing: the voxel stays.
std::optional<double> observed_distance(const HostImage& depth, glm::dvec4 k, glm::dvec2 range,
                                        double truncation, double edge, glm::dvec3 point) {
    if (point.z <= 0.0) return {};
    const double u = k.x * point.x / point.z + k.z;
    const double v = k.y * point.y / point.z + k.w;
    const double width = depth.extent.width;
    const double height = depth.extent.height;
    if (u < -0.5 || v < -0.5 || u >= width - 0.5 || v >= height - 0.5) return {};
    const auto at = [&](double x, double y) {
        const double z =
            double{depth.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[0]};
        return z >= range.x ? z : 0.0;
    };
    double z = at(std::floor(u + 0.5), std::floor(v + 0.5));
    if (z == 0.0) return {};
    const double x = std::floor(u);
    const double y = std::floor(v);
    if (x >= 0 && y >= 0 && x + 1 < width && y + 1 < height) {
        const std::array<double, 4> four{at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)};
        const auto [least, most] = std::ranges::minmax(four);
        if (least > 0.0 && most - least <= edge + 3.0 * least / k.x)
            z = 1.0 / std::lerp(std::lerp(1.0 / four[0], 1.0 / four[1], u - x),
                                std::lerp(1.0 / four[2], 1.0 / four[3], u - x), v - y);
    }
    if (z > range.y && point.z > range.y) return {};
    const double away = (z - point.z) * glm::length(testing_gpu::ray_of(k, u, v));
    if (1.0 + away / truncation < 0.02) return {};
    return std::min(away / truncation, 1.0);
}

TEST_F(TsdfTest, VoxelsHoldTheMeanOfWhatFramesSay) {
    constexpr glm::uvec3 kDims{45, 37, 41};
    const Mapped mapped{.room = {.width = 80, .height = 60, .range = {0.3f, 2.6f}},
                        .tsdf = {.grid = {.dims = kDims,
                                          .corner = {-2.2f, -0.1f, -2.1f},
                                          .side = 0.1f,
                                          .truncation = 0.25f,
                                          .max_weight = 3.0f}}};
    std::vector<HostVoxel> expected(std::size_t{kDims.x} * kDims.y * kDims.z);
    std::size_t unsure = 0;
    std::vector<bool> is_unsure(expected.size());
    Running running = play(
        [&](int frame) {
            Mapped now = mapped;
            now.room.frame = 10.0f * static_cast<float>(frame);
            Graph g = mapping(now, true);
            return g;
        },
        0, 5,
        [&](Running& at, int frame) {
            MappingRoom room = mapped.room;
            room.frame = 10.0f * static_cast<float>(frame);
            // The same frame again, to compare with: its noise depends on frame and seed alone.
            Graph g = graph();
            const MappingRoom alone = g.add(room);
            g.output("depth", alone.result.depth);
            const glm::dvec4 k(alone.result.intrinsics);
            Running frame_run = run(std::move(g));
            const HostImage depth = frame_run.image("depth");
            const glm::dmat4 to_camera = glm::inverse(room.camera());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const glm::dvec3 voxel(i % kDims.x, i / kDims.x % kDims.y, i / kDims.x / kDims.y);
                const glm::dvec3 world = glm::dvec3(mapped.tsdf.grid.corner) + (voxel + 0.5) * 0.1;
                const auto saw = [&](glm::dvec3 p) {
                    return observed_distance(depth, k, {0.3, 2.6}, 0.25, 0.05,
                                             glm::dvec3(to_camera * glm::dvec4(p, 1.0)));
                };
                const auto distance = saw(world);
                // Where a hair's breadth decides between pixels, floats and doubles may differ.
                for (const double step : {-1e-5, 1e-5})
                    for (int axis = 0; axis < 3; ++axis) {
                        glm::dvec3 beside = world;
                        beside[axis] += step;
                        const auto other = saw(beside);
                        if (other.has_value() != distance.has_value() ||
                            (other && std::abs(*other - *distance) > 1e-3))
                            is_unsure[i] = true;
                    }
                if (!distance) continue;
                HostVoxel& one = expected[i];
                const double counts = 1.0 + std::min(*distance, 0.0);
                const double before = std::min(one.weight, 3.0 - counts);
                one.distance = (one.distance * before + *distance * counts) / (before + counts);
                one.weight = before + counts;
            }
            if (frame != 4) return;
            const auto voxels = at.buffer<glm::uvec2>("voxels");
            ASSERT_EQ(voxels.size(), expected.size());
            std::size_t seen = 0;
            std::size_t near = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                unsure += is_unsure[i] ? 1u : 0u;
                if (is_unsure[i]) continue;
                const HostVoxel got = unpacked(voxels[i]);
                // Halves are rounded to 2^-11 of what they are, five times at most.
                ASSERT_NEAR(got.weight, expected[i].weight, 3e-3 * expected[i].weight) << i;
                ASSERT_NEAR(got.distance, expected[i].distance, 3e-3) << i;
                seen += got.weight > 0.0 ? 1u : 0u;
                near += got.weight > 0.0 && std::abs(got.distance) < 0.9 ? 1u : 0u;
                ASSERT_EQ(got.colors > 0.0 && got.weight == 0.0, false);
            }
            EXPECT_GT(seen, expected.size() / 10);
            EXPECT_GT(near, 500u);
        });
    ASSERT_TRUE(running);
    EXPECT_LT(unsure, expected.size() / 20);
}

TEST_F(TsdfTest, FramesOfALostCameraAreNotMapped) {
    const Extent extent{40, 30, 1};
    const glm::dmat4 pose = passes::looking_at({0, 0, -1}, {0, 0, 0});
    auto nan_pose = testing_gpu::rows_of(pose);
    nan_pose[1].w = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<glm::vec4>> poses = {testing_gpu::rows_of(pose), nan_pose,
                                                       testing_gpu::rows_of(pose, 0.0f)};
    std::vector<glm::vec4> list;
    for (const auto& rows : poses)
        list.insert(list.end(), rows.begin(), rows.end());
    std::vector<std::vector<glm::uvec2>> maps;
    const auto build = [&](int frame) {
        Graph g = graph();
        const auto seen = frame_of(g, extent, std::vector<float>(40 * 30, 1.2f));
        const auto given = g.add(passes::MappingPose{.list = pose_buffer(g, "list", list),
                                                     .index = static_cast<std::uint32_t>(frame)});
        const auto tsdf = g.add(MappingTsdf{.frame = seen,
                                            .pose_given = given.pose,
                                            .grid = {.dims = glm::uvec3(24),
                                                     .corner = glm::vec3(-0.6f),
                                                     .side = 0.05f,
                                                     .truncation = 0.2f}});
        g.output("voxels", copied(g, tsdf.volume));
        return g;
    };
    Running running = play(
        build, 0, 3, [&](Running& at, int) { maps.push_back(at.buffer<glm::uvec2>("voxels")); });
    ASSERT_TRUE(running);
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_GT(std::ranges::count_if(maps[0], [](glm::uvec2 v) { return v.x != 0; }), 1000);
    EXPECT_TRUE(maps[1] == maps[0]);
    EXPECT_TRUE(maps[2] == maps[0]);
    // In the middle of the picture nothing is slanted: the voxels' distances are z's.
    const std::size_t middle = 12 + 24 * 12;
    for (std::size_t z = 0; z < 24; ++z) {
        const HostVoxel voxel = unpacked(maps[0][middle + 24 * 24 * z]);
        const double away = 1.2 - (0.4 + 0.05 * (double(z) + 0.5));
        if (away < -0.98 * 0.2)
            EXPECT_EQ(voxel.weight, 0.0) << z;
        else
            EXPECT_NEAR(voxel.distance, std::min(away / 0.2, 1.0), 2e-3) << z;
    }
}

TEST_F(TsdfTest, TheViewShowsWhatWasMapped) {
    Graph g = graph();
    const MappingRoom room =
        g.add(MappingRoom{.width = 96, .height = 72, .noise = 0.0f, .dropout = 0.0f, .ball = 0.0f});
    const auto tsdf = g.add(MappingTsdf{
        .frame = room.result,
        .pose_given = room.pose,
        .grid = {.dims = {108, 68, 108}, .corner = {-2.16f, -0.1f, -2.16f}, .side = 0.04f}});
    const auto view = g.add(MappingView{
        .volume = tsdf.volume, .pose = room.pose, .width = 96, .height = 72, .light = 0.0f});
    g.output("depth", room.result.depth);
    g.output("color", room.result.color);
    g.output("seen", view.maps.geometry[0]);
    g.output("coarse", view.maps.geometry[2]);
    g.output("picture", view.result);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage depth = running.image("depth");
    const HostImage seen = running.image("seen");
    const HostImage color = running.image("color");
    const HostImage picture = running.image("picture");
    const HostImage coarse = running.image("coarse");
    int good = 0;
    int found = 0;
    int alike = 0;
    for (std::uint32_t y = 0; y < 72; ++y)
        for (std::uint32_t x = 0; x < 96; ++x) {
            const auto texel = seen.texel(x, y);
            if (texel[3] <= 0.0f) continue;
            ++found;
            good += std::abs(texel[3] - depth.texel(x, y)[0]) < 0.02f ? 1 : 0;
            const float length = std::hypot(texel[0], texel[1], texel[2]);
            ASSERT_TRUE(length == 0.0f || std::abs(length - 1.0f) < 1e-3f);
            const auto a = color.texel(x, y);
            const auto b = picture.texel(x, y);
            alike += std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) < 0.15f
                         ? 1
                         : 0;
        }
    // One frame leaves holes at silhouettes, and rounds edges; half a voxel is what a surface may
    // be off elsewhere.
    EXPECT_GT(found, 0.9 * 96 * 72);
    EXPECT_GT(good, 0.93 * found);
    EXPECT_GT(alike, 0.93 * found);
    int coarse_good = 0;
    int coarse_found = 0;
    for (std::uint32_t y = 0; y < 18; ++y)
        for (std::uint32_t x = 0; x < 24; ++x) {
            const float z = coarse.texel(x, y)[3];
            if (z <= 0.0f) continue;
            ++coarse_found;
            const float four =
                0.25f *
                (depth.texel(4 * x + 1, 4 * y + 1)[0] + depth.texel(4 * x + 2, 4 * y + 1)[0] +
                 depth.texel(4 * x + 1, 4 * y + 2)[0] + depth.texel(4 * x + 2, 4 * y + 2)[0]);
            coarse_good += std::abs(z - four) < 0.05f ? 1 : 0;
        }
    EXPECT_GT(coarse_found, 0.85 * 24 * 18);
    EXPECT_GT(coarse_good, 0.9 * coarse_found);
}

TEST_F(TsdfTest, TheFieldsSurfaceIsTheRooms) {
    const Mapped mapped{
        .room = {.width = 96, .height = 72, .relative = 0.01f, .ball = 0.0f},
        .tsdf = {.grid = {.dims = {90, 60, 90}, .corner = {-2.25f, -0.2f, -2.25f}, .side = 0.05f}}};
    Running running = play(
        [&](int frame) {
            Graph g = graph();
            MappingRoom room = mapped.room;
            room.frame = 15.0f * static_cast<float>(frame);
            room = g.add(room);
            MappingTsdf tsdf = mapped.tsdf;
            tsdf.frame = room.result;
            tsdf.pose_given = room.pose;
            const auto field =
                g.add(MappingField{.volume = g.add(tsdf).volume, .least_weight = 2.0f});
            g.output("field", field.field);
            g.output("known", field.known);
            return g;
        },
        0, 16);
    ASSERT_TRUE(running);
    const HostImage field = running.image("field");
    const HostImage known = running.image("known");
    const auto* values = reinterpret_cast<const float*>(field.texels.data());
    const auto* cells = reinterpret_cast<const std::uint32_t*>(known.texels.data());
    std::size_t crossings = 0;
    std::size_t off = 0;
    std::vector<bool> has(std::size_t{90} * 60 * 90);
    for (std::uint32_t z = 0; z < 89; ++z)
        for (std::uint32_t y = 0; y < 59; ++y)
            for (std::uint32_t x = 0; x < 89; ++x) {
                if (cells[(z * 59 + y) * 89 + x] == 0) continue;
                for (int axis = 0; axis < 3; ++axis) {
                    const glm::uvec3 next =
                        glm::uvec3(x, y, z) + glm::uvec3(axis == 0, axis == 1, axis == 2);
                    const double a = double{values[(z * 60 + y) * 90 + x]};
                    const double b = double{values[(next.z * 60 + next.y) * 90 + next.x]};
                    if ((a < 0.0) == (b < 0.0)) continue;
                    glm::dvec3 at = glm::dvec3(x, y, z) + 0.5;
                    at[axis] += a / (a - b);
                    const glm::dvec3 world = glm::dvec3(-2.25, -0.2, -2.25) + 0.05 * at;
                    const double away = std::abs(testing_gpu::room_distance(world, glm::dvec4(0)));
                    // Half a voxel's diagonal, and three standard deviations of the mean of what at
                    // least two frames measured, of 2.5 m.
                    ++crossings;
                    off += away > 0.87 * 0.05 + 3.0 * 0.028 / std::sqrt(2.0) ? 1u : 0u;
                    has[(std::size_t{z} * 60 + y) * 90 + x] = true;
                }
            }
    EXPECT_GT(crossings, 4000u);
    // Three standard deviations leave out 0.3 % of what is normally distributed.
    EXPECT_LT(static_cast<double>(off), 0.003 * static_cast<double>(crossings));

    // The globe on the table was seen from all sides: its upper half is there.
    std::size_t found = 0;
    std::size_t tried = 0;
    for (int i = 0; i < 400; ++i) {
        const double height = 0.1 + 0.85 * (i + 0.5) / 400.0;
        const double angle = 2.39996 * i;
        const double ring = std::sqrt(1.0 - height * height);
        const glm::dvec3 on =
            glm::dvec3(0.15, 0.96, 0.05) +
            0.22 * glm::dvec3(ring * std::cos(angle), height, ring * std::sin(angle));
        const glm::dvec3 voxel = (on - glm::dvec3(-2.25, -0.2, -2.25)) / 0.05 - 0.5;
        ++tried;
        bool near = false;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const glm::ivec3 at = glm::ivec3(glm::floor(voxel)) + glm::ivec3(dx, dy, dz);
                    near = near || has[static_cast<std::size_t>((at.z * 60 + at.y) * 90 + at.x)];
                }
        found += near ? 1u : 0u;
    }
    EXPECT_GE(static_cast<double>(found), 0.99 * static_cast<double>(tried));
}

/// Of the tests of whole trajectories.
MappingTsdf small_map() {
    return {.grid = {.dims = {106, 66, 106}, .corner = {-2.12f, -0.08f, -2.12f}, .side = 0.04f}};
}

TEST_F(TsdfTest, AJumpLosesTheCameraAndKeepsTheMap) {
    const std::vector<float> frames = {0, 1, 2, 3, 33, 34, 4, 5};
    Mapped mapped{.room = {.width = 80, .height = 60, .ball = 0.0f}, .tsdf = small_map()};
    std::vector<glm::uvec2> before;
    glm::dmat4 last(1.0);
    Running running = play(
        [&](int i) {
            mapped.room.frame = frames[static_cast<std::size_t>(i)];
            return mapping(mapped, false);
        },
        0, static_cast<int>(frames.size()),
        [&](Running& at, int i) {
            const auto status = TrackingStatus::read(at.buffer<std::uint32_t>("status"));
            const auto rows = at.buffer<glm::vec4>("pose");
            const auto voxels = at.buffer<glm::uvec2>("voxels");
            const auto warnings = at->warnings();
            ASSERT_TRUE(warnings);
            const bool jumped = i == 4 || i == 5;
            EXPECT_EQ(status.lost, jumped ? 1u : 0u)
                << i << ": " << status.pairs << " pairs, " << status.rms_distance << " m, moved "
                << status.moved << " m, " << status.turned << ", brightness "
                << status.rms_brightness;
            EXPECT_EQ(rows.at(3).w, jumped ? 0.0f : 1.0f) << i;
            EXPECT_EQ(std::ranges::count(*warnings, "mapping/tracking-lost", &Diagnostic::code),
                      jumped ? 1 : 0)
                << i;
            if (jumped) {
                EXPECT_TRUE(voxels == before) << "the map is kept";
                EXPECT_TRUE(testing_gpu::pose_of(rows) == last) << "the pose is that of before";
            } else {
                EXPECT_FALSE(voxels == before);
                mapped.room.frame = frames[static_cast<std::size_t>(i)];
                const auto error =
                    testing_gpu::error_of(testing_gpu::pose_of(rows), mapped.room.camera());
                EXPECT_LT(error.distance, 0.02) << i;
                EXPECT_LT(error.angle, 0.6) << i;
            }
            before = voxels;
            last = testing_gpu::pose_of(rows);
        });
    ASSERT_TRUE(running);
}

TEST_F(TsdfTest, ACameraIsFollowedFromFrameToFrame) {
    for (const glm::vec2 weights :
         {glm::vec2(1.0f, 0.0f), glm::vec2(1.0f, 0.1f), glm::vec2(0.0f, 1.0f)}) {
        TrajectoryStatus path;
        Running running = play(
            [&](int frame) {
                Graph g = graph();
                // The camera vanishes for a frame and comes back.
                const bool blind = frame == 6;
                const MappingRoom room =
                    g.add(MappingRoom{.width = 96,
                                      .height = 72,
                                      .frame = 0.5f * static_cast<float>(frame),
                                      .noise = 0.5f,
                                      .dropout = blind ? 1.0f : 0.01f,
                                      .ball = 0.0f});
                const auto found = g.add(MappingLocalise{
                    .frame = room.result,
                    .first = room.pose,
                    .tracking = {.geometric = weights.x, .photometric = weights.y}});
                g.output("trajectory",
                         g.add(MappingTrajectory{.pose = found.pose, .truth = room.pose}).status);
                return g;
            },
            0, 16,
            [&](Running& at, int) {
                path = TrajectoryStatus::read(at.buffer<std::uint32_t>("trajectory"));
            });
        ASSERT_TRUE(running);
        EXPECT_EQ(path.frames, 16u);
        EXPECT_EQ(path.lost, 1u);
        // Errors add up: fifteen steps of a centimetre and a half, with the noise of single frames;
        // of brightness alone, by a fifth of a pixel of 2.5 cm each.
        EXPECT_LT(path.most_distance, weights.x > 0.0f ? 0.03f : 0.075f) << weights.y;
        EXPECT_LT(path.most_angle, weights.x > 0.0f ? 1.0f : 2.0f) << weights.y;
    }
}

TEST_F(TsdfTest, GridsThatAreTooLargeAreRefused) {
    Graph g = graph();
    const auto seen = frame_of(g, {8, 8, 1}, std::vector<float>(64, 1.0f));
    const auto tsdf = g.add(MappingTsdf{.frame = seen, .grid = {.dims = glm::uvec3(2048)}});
    g.output("pose", tsdf.pose);
    const auto plan = compile(std::move(g).finish(), device().caps(), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "mapping/too-large");
}

} // namespace
} // namespace tuff
