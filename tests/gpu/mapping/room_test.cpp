#include "passes/mapping/frame.hpp"
#include "passes/mapping/pose.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <limits>

/// mapping/room, mapping/frame and mapping/pose: what frames and poses are made of.
namespace tuff {
namespace {

using passes::MappingFrame;
using passes::MappingPose;
using passes::MappingRoom;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class RoomTest : public testing_gpu::MappingTest {
  protected:
    Running made(const MappingRoom& room) {
        Graph g = graph();
        const MappingRoom added = g.add(room);
        lens = added.result.intrinsics;
        g.output("depth", added.result.depth);
        g.output("color", added.result.color);
        g.output("pose", added.pose);
        return run(std::move(g));
    }
    glm::vec4 lens{0.0f};
};

TEST_F(RoomTest, DepthsEndWhereTheRoomBegins) {
    for (const float frame : {0.0f, 37.5f, 200.0f}) {
        const MappingRoom room{
            .width = 67, .height = 45, .frame = frame, .noise = 0.0f, .dropout = 0.0f};
        Running running = made(room);
        ASSERT_TRUE(running);
        const HostImage depth = running.image("depth");
        const glm::dvec4 ball(room.ball_now());
        const glm::dmat4 camera = room.camera();
        const auto error =
            testing_gpu::error_of(testing_gpu::pose_of(running.buffer<glm::vec4>("pose")), camera);
        EXPECT_LT(error.distance, 1e-6);
        EXPECT_LT(error.angle, 1e-4);
        for (std::uint32_t y = 0; y < 45; ++y)
            for (std::uint32_t x = 0; x < 67; ++x) {
                const double z = double{depth.texel(x, y)[0]};
                const glm::dvec3 ray = glm::dmat3(camera) * testing_gpu::ray_of(lens, x, y);
                const glm::dvec3 eye(camera[3]);
                // Marching stops within 1e-5, or, along a surface, after 256 steps.
                ASSERT_LT(std::abs(testing_gpu::room_distance(eye + z * ray, ball)), 2e-3)
                    << x << ", " << y;
                for (int i = 0; i < 50; ++i)
                    ASSERT_GT(testing_gpu::room_distance(eye + z * i / 51.0 * ray, ball), 0.0)
                        << x << ", " << y;
            }
    }
}

TEST_F(RoomTest, NoiseIsNormalAndThatOfTheModel) {
    MappingRoom room{.width = 160, .height = 120, .noise = 0.0f, .dropout = 0.0f};
    Running clean = made(room);
    room.noise = 2.0f;
    room.relative = 0.01f;
    Running noisy = made(room);
    ASSERT_TRUE(clean && noisy);
    const HostImage a = clean.image("depth");
    const HostImage b = noisy.image("depth");
    double sum = 0.0;
    double squares = 0.0;
    int beyond = 0;
    constexpr double kCount = 160.0 * 120.0;
    for (std::uint32_t y = 0; y < 120; ++y)
        for (std::uint32_t x = 0; x < 160; ++x) {
            const double z = double{a.texel(x, y)[0]};
            const double sigma =
                std::hypot(2.0 * (0.0012 + 0.0019 * (z - 0.4) * (z - 0.4)), 0.01 * z);
            const double off = (double{b.texel(x, y)[0]} - z) / sigma;
            sum += off;
            squares += off * off;
            beyond += std::abs(off) > 1.96 ? 1 : 0;
        }
    // Four standard errors of a mean, a variance and a share.
    EXPECT_NEAR(sum / kCount, 0.0, 4.0 / std::sqrt(kCount));
    EXPECT_NEAR(squares / kCount, 1.0, 4.0 * std::sqrt(2.0 / kCount));
    EXPECT_NEAR(beyond / kCount, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / kCount));
}

TEST_F(RoomTest, PixelsDropOutAndFramesDiffer) {
    MappingRoom room{.width = 64, .height = 48, .dropout = 0.2f};
    Running first = made(room);
    Running again = made(room);
    room.frame = 1.0f / 64.0f;
    Running later = made(room);
    ASSERT_TRUE(first && again && later);
    EXPECT_EQ(first.image("depth").texels, again.image("depth").texels);
    EXPECT_NE(first.image("depth").texels, later.image("depth").texels);
    const HostImage depth = first.image("depth");
    int none = 0;
    for (std::uint32_t i = 0; i < 64 * 48; ++i)
        none += depth.texel(i % 64, i / 64)[0] == 0.0f ? 1 : 0;
    // At random, and what is seen at a grazing angle.
    EXPECT_GT(none, 0.2 * 64 * 48 - 4 * std::sqrt(0.16 * 64 * 48));
    EXPECT_LT(none, 0.3 * 64 * 48);
}

TEST_F(RoomTest, TheBallIsGoneAfterItsFrame) {
    MappingRoom room{.width = 64, .height = 48, .frame = 119.0f, .noise = 0.0f, .dropout = 0.0f};
    Running with = made(room);
    room.ball = 119.0f;
    Running without = made(room);
    ASSERT_TRUE(with && without);
    EXPECT_GT(MappingRoom{.frame = 119.0f}.ball_now().w, 0.0f);
    EXPECT_EQ(room.ball_now().w, 0.0f);
    const HostImage a = with.image("depth");
    const HostImage b = without.image("depth");
    int nearer = 0;
    for (std::uint32_t i = 0; i < 64 * 48; ++i)
        nearer += a.texel(i % 64, i / 64)[0] < b.texel(i % 64, i / 64)[0] - 0.05f ? 1 : 0;
    EXPECT_GT(nearer, 20);
}

TEST_F(RoomTest, RecordedDepthsBecomeMetres) {
    const std::vector<std::uint16_t> stored = {0, 1, 1000, 2345, 65534, 65535, 5000, 300};
    std::vector<std::uint16_t> depths;
    for (int i = 0; i < 9 * 8; ++i)
        depths.push_back(stored[static_cast<std::size_t>(i) % stored.size()]);
    const Extent extent{9, 8, 1};
    const Extent wide{18, 16, 1};
    std::vector<std::uint32_t> colors(18 * 16);
    for (std::uint32_t i = 0; i < colors.size(); ++i)
        colors[i] = (i % 18 / 2) * 10u | (i / 18 / 2) * 20u << 8 | 0xff000000u;
    Graph g = graph();
    const Image source = g.constant_image("depths", {.format = Format::r16_unorm, .extent = extent},
                                          bytes_of(depths));
    const auto millimetres =
        g.add(MappingFrame{.depth = source, .color = color_image(g, wide, colors)}, "mm").result;
    const auto tum =
        g.add(MappingFrame{.depth = source, .scale = 13.107f, .invalid = -1.0f}, "tum");
    g.output("depth", millimetres.depth);
    g.output("color", millimetres.color);
    g.output("tum", tum.result.depth);
    g.output("white", tum.result.color);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage depth = running.image("depth");
    const HostImage color = running.image("color");
    const HostImage fifths = running.image("tum");
    for (std::uint32_t i = 0; i < 72; ++i) {
        const std::uint32_t x = i % 9;
        const std::uint32_t y = i / 9;
        const double expected = depths[i] == 65535 ? 0.0 : depths[i] / 1000.0;
        ASSERT_NEAR(depth.texel(x, y)[0], expected, 1e-6 * (1.0 + expected));
        ASSERT_NEAR(fifths.texel(x, y)[0], depths[i] / 5000.0, 1e-5);
        // Four texels of one color lie under each texel of the depth.
        ASSERT_NEAR(255.0f * color.texel(x, y)[0], 10.0f * static_cast<float>(x), 1.0f);
        ASSERT_NEAR(255.0f * color.texel(x, y)[1], 20.0f * static_cast<float>(y), 1.0f);
        ASSERT_EQ(running.image("white").texel(x, y)[2], 1.0f);
    }
}

TEST_F(RoomTest, DepthsThatMeanNothingAreNone) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<float> depths(64, 2.0f);
    depths[3] = nan;
    depths[4] = inf;
    depths[5] = -inf;
    depths[6] = -1.0f;
    depths[7] = 7.0f;
    Graph g = graph();
    g.output("depth",
             g.add(MappingFrame{
                       .depth = depth_image(g, {8, 8, 1}, depths), .scale = 1.0f, .invalid = 7.0f})
                 .result.depth);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage depth = running.image("depth");
    for (std::uint32_t i = 0; i < 64; ++i)
        ASSERT_EQ(depth.texel(i % 8, i / 8)[0], i >= 3 && i <= 7 ? 0.0f : 2.0f) << i;
}

TEST_F(RoomTest, PosesComeFromParametersAndLists) {
    const glm::dmat4 a = passes::looking_at({1, 2, 3}, {0, 1, -2});
    const glm::dmat4 b = passes::looking_at({-1, 0.5, 0}, {4, 1, 1});
    std::vector<glm::vec4> rows = testing_gpu::rows_of(a);
    for (const glm::vec4 row : testing_gpu::rows_of(b))
        rows.push_back(row);
    for (const glm::vec4 row : testing_gpu::rows_of(b))
        rows.push_back(row);
    rows[9].y = std::numeric_limits<float>::quiet_NaN();
    Graph g = graph();
    const Buffer list = pose_buffer(g, "list", rows);
    for (std::uint32_t i = 0; i < 4; ++i)
        g.output("pose" + std::to_string(i), g.add(MappingPose{.list = list, .index = i}).pose);
    g.output("looking", g.add(MappingPose{.position = {1, 2, 3}, .target = {0, 1, -2}}).pose);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto rows_at = [&](const std::string& name) { return running.buffer<glm::vec4>(name); };
    EXPECT_LT(testing_gpu::error_of(testing_gpu::pose_of(rows_at("pose0")), a).distance, 1e-6);
    EXPECT_LT(testing_gpu::error_of(testing_gpu::pose_of(rows_at("pose1")), b).angle, 1e-4);
    EXPECT_LT(testing_gpu::error_of(testing_gpu::pose_of(rows_at("looking")), a).angle, 1e-4);
    EXPECT_EQ(rows_at("pose1")[3], glm::vec4(0, 0, 0, 1));
    EXPECT_EQ(rows_at("pose2")[3], glm::vec4(0.0f)) << "not a number";
    EXPECT_EQ(rows_at("pose3")[3], glm::vec4(0.0f)) << "beyond the list";
    // x to the right, y down, z forward.
    const glm::dmat4 ahead = passes::looking_at({0, 0, 0}, {0, 0, -1});
    EXPECT_NEAR(ahead[0].x, 1.0, 1e-12);
    EXPECT_NEAR(ahead[1].y, -1.0, 1e-12);
    EXPECT_NEAR(ahead[2].z, -1.0, 1e-12);
}

TEST_F(RoomTest, QuaternionsTurnAsTheySay) {
    // 90 degrees about z, of length 2; a third of a turn about (1, 1, 1); none at all.
    const float half = std::sqrt(0.5f);
    const std::vector<float> numbers = {1, 2, 3, 0,    0,    2 * half, 2 * half, //
                                        4, 5, 6, 0.5f, 0.5f, 0.5f,     0.5f,     //
                                        7, 8, 9, 0,    0,    0,        0};
    Graph g = graph();
    const Buffer list =
        g.constant_buffer("list", {.size = 4 * numbers.size(), .stride = 4}, bytes_of(numbers));
    for (std::uint32_t i = 0; i < 4; ++i)
        g.output(
            "pose" + std::to_string(i),
            g.add(MappingPose{.list = list, .layout = passes::PoseLayout::quaternions, .index = i})
                .pose);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto pose = [&](int i) {
        return testing_gpu::pose_of(running.buffer<glm::vec4>("pose" + std::to_string(i)));
    };
    const auto is_near = [](glm::dvec4 a, glm::dvec4 b) { return glm::distance(a, b) < 1e-6; };
    EXPECT_TRUE(is_near(pose(0) * glm::dvec4(1, 0, 0, 1), {1, 3, 3, 1})) << "x turns to y";
    EXPECT_TRUE(is_near(pose(0) * glm::dvec4(0, 1, 0, 1), {0, 2, 3, 1}));
    EXPECT_TRUE(is_near(pose(1) * glm::dvec4(1, 0, 0, 1), {4, 6, 6, 1})) << "x turns to y";
    EXPECT_TRUE(is_near(pose(1) * glm::dvec4(0, 0, 1, 1), {5, 5, 6, 1})) << "z turns to x";
    EXPECT_EQ(running.buffer<glm::vec4>("pose1")[3].w, 1.0f);
    EXPECT_EQ(running.buffer<glm::vec4>("pose2")[3].w, 0.0f) << "no rotation";
    EXPECT_EQ(running.buffer<glm::vec4>("pose3")[3].w, 0.0f) << "beyond the list";
}

TEST_F(RoomTest, FramesThatMakeNoSenseAreRefused) {
    const auto code_of = [&](const MappingFrame& frame) {
        Graph g = graph();
        MappingFrame pass = frame;
        pass.depth = depth_image(g, {8, 8, 1}, std::vector<float>(64, 1.0f));
        g.output("depth", g.add(pass).result.depth);
        const auto plan = compile(std::move(g).finish(), device().caps(), {});
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_of({}), "");
    EXPECT_EQ(code_of({.intrinsics = {0.0f, 1.0f, 0.0f, 0.0f}}), "mapping/bad-frame");
    EXPECT_EQ(code_of({.range = {2.0f, 1.0f}}), "mapping/bad-frame");
    Graph g = graph();
    g.output("pose",
             g.add(passes::MappingRoom{.width = 8, .height = 8, .range = {3.0f, 1.0f}}).pose);
    const auto plan = compile(std::move(g).finish(), device().caps(), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "mapping/bad-frame");
}

} // namespace
} // namespace tuff
