#include "passes/mapping/pose.hpp"
#include "passes/mapping/tsdf.hpp"
#include "tests/common/grey_png.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <passes/registry.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

/// Recordings in the layouts of TUM and 7-Scenes, written of the synthetic room and read again.
namespace tuff {
namespace {

using passes::MappingRoom;
using passes::MappingTsdf;
using passes::TrackingStatus;
using testing_gpu::Running;

constexpr int kRecordedFrames = 9;
constexpr int kHole = 4;   ///< a frame that was not recorded
constexpr int kNoPose = 6; ///< whose pose is NaN
constexpr std::uint32_t kWidth = 80;
constexpr std::uint32_t kHeight = 60;

MappingRoom room_at(int frame) {
    // Nothing comes back in the hole.
    return {.width = int(kWidth),
            .height = int(kHeight),
            .frame = static_cast<float>(frame),
            .dropout = frame == kHole ? 1.0f : 0.01f};
}

passes::TsdfGrid grid() {
    return {.dims = {84, 53, 84}, .corner = {-2.1f, -0.1f, -2.1f}, .side = 0.05f};
}

/// What is seen directly: pictures, and poses that were found.
struct Direct {
    std::vector<HostImage> depths;
    std::vector<HostImage> colors;
    std::vector<glm::dmat4> found;
    glm::vec4 intrinsics{0.0f};
};

void write(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

/// `unit`: of a metre.
std::string depth_png(const HostImage& depth, double unit, std::uint16_t invalid) {
    std::vector<std::uint16_t> grey;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const double z = double{depth.texel(x, y)[0]};
            grey.push_back(z > 0.0 ? static_cast<std::uint16_t>(std::lround(z * unit)) : invalid);
        }
    return test::grey_png(kWidth, kHeight, grey);
}

/// Colors 11 ms after their depths, those of the hole 50 ms; poses at the times of the depths, and
/// others of elsewhere 8 ms beside them.
void write_tum(const std::filesystem::path& folder, const Direct& seen) {
    std::string depths = "# depth maps\n# timestamp filename\n";
    std::string colors = "# color images\n";
    std::string poses = "# ground truth trajectory\n";
    for (int i = 0; i < kRecordedFrames; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double time = 1305031102.160407 + i / 10.0;
        const std::string own = fmt::format("{:.6f}", time);
        write(folder / "depth" / (own + ".png"), depth_png(seen.depths[at], 5000.0, 0));
        depths += own + " depth/" + own + ".png\n";
        const std::string later = fmt::format("{:.6f}", time + (i == kHole ? 0.05 : 0.011));
        std::filesystem::create_directories(folder / "rgb");
        ASSERT_TRUE(save_image(folder / "rgb" / (later + ".png"), seen.colors[at]));
        colors += later + " rgb/" + later + ".png\n";
        const glm::dmat4 pose = room_at(i).camera();
        const glm::dquat q = glm::quat_cast(glm::dmat3(pose));
        const glm::dvec3 p(pose[3]);
        poses += fmt::format("{:.4f} 9 9 9 0 0 0 1\n", time - 0.008);
        if (i == kNoPose)
            poses += fmt::format("{:.6f} nan nan nan nan nan nan nan\n", time);
        else
            poses += fmt::format("{:.6f} {} {} {} {} {} {} {}\n", time, p.x, p.y, p.z, q.x, q.y,
                                 q.z, q.w);
        poses += fmt::format("{:.4f} 9 9 9 0 0 0 1\n", time + 0.008);
    }
    write(folder / "depth.txt", depths);
    write(folder / "rgb.txt", colors);
    write(folder / "groundtruth.txt", poses);
}

void write_7_scenes(const std::filesystem::path& folder, const Direct& seen) {
    for (int i = 0; i < kRecordedFrames; ++i) {
        if (i == kHole) continue;
        const auto at = static_cast<std::size_t>(i);
        const std::string stem = (folder / fmt::format("frame-{:06}", i + 100)).string();
        write(stem + ".depth.png", depth_png(seen.depths[at], 1000.0, 65535));
        ASSERT_TRUE(save_image(stem + ".color.png", seen.colors[at]));
        std::string text;
        for (const glm::vec4& row : testing_gpu::rows_of(room_at(i).camera(), 1.0f))
            text += fmt::format("{} {} {} {} \r\n", row.x, row.y, row.z,
                                i == kNoPose ? "-1.#IND" : fmt::format("{}", row.w));
        write(stem + ".pose.txt", text);
    }
}

class RecordingTest : public testing_gpu::MappingTest {
  protected:
    Direct directly() {
        Direct seen;
        Running running = play(
            [&](int frame) {
                Graph g = graph();
                const MappingRoom room = g.add(room_at(frame));
                seen.intrinsics = room.result.intrinsics;
                const auto map =
                    g.add(MappingTsdf{.frame = room.result, .first = room.pose, .grid = grid()});
                g.output("depth", room.result.depth);
                g.output("color", room.result.color);
                g.output("pose", g.copy(map.pose, g.buffer("out", passes::kPoseDesc)));
                return g;
            },
            0, kRecordedFrames,
            [&](Running& at, int) {
                seen.depths.push_back(at.image("depth"));
                seen.colors.push_back(at.image("color"));
                seen.found.push_back(testing_gpu::pose_of(at.buffer<glm::vec4>("pose")));
            });
        return seen;
    }

    std::string config(const Direct& seen, std::string_view scale, std::string_view invalid) {
        const glm::vec4 k = seen.intrinsics;
        const std::string grid = R"("grid": {"dims": [84, 53, 84], "corner": [-2.1, -0.1, -2.1], )"
                                 R"("side": 0.05)";
        return fmt::format(
            R"json({{"tuff": 1,
    "assets": {{
        "depth": {{"recording": "room", "part": "depth"}},
        "color": {{"recording": "room", "part": "color"}},
        "poses": {{"recording": "room", "part": "poses"}}
    }},
    "nodes": {{
        "frame": {{"pass": "mapping/frame", "in": {{"depth": "depth", "color": "color"}},
            "params": {{"scale": {}, "invalid": {}, "intrinsics": [{}, {}, {}, {}]}}}},
        "truth": {{"pass": "mapping/pose", "in": {{"list": "poses"}}, "params": {{"index": "$frame"}}}},
        "map": {{"pass": "mapping/tsdf", "in": {{"frame": "frame.result", "first": "truth.pose"}},
            "params": {{{}}}}}}},
        "known": {{"pass": "mapping/tsdf", "in": {{"frame": "frame.result", "pose": "truth.pose"}},
            "params": {{{}}}}}}},
        "found": {{"pass": "mapping/field", "in": {{"volume": "map.volume"}}}},
        "given": {{"pass": "mapping/field", "in": {{"volume": "known.volume"}}}}
    }},
    "outputs": {{"pose": "map.pose", "status": "map.status", "truth": "truth.pose",
        "found": "found.field", "given": "given.field"}}}})json",
            scale, invalid, k.x, k.y, k.z, k.w, grid, grid);
    }

    template <typename T>
    static std::vector<T> read(GraphRunner& runner, std::string_view output) {
        const auto bytes = runner.executor()->read_buffer(output);
        EXPECT_TRUE(bytes);
        std::vector<T> values(bytes ? bytes->size() / sizeof(T) : 0);
        if (bytes) std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
        return values;
    }

    /// Tracks the recording in "room" as the frames were tracked directly.
    void expect_tracked(const Direct& seen, const std::string& text) {
        static const PassRegistry registry = passes::make_registry();
        AssetCache assets;
        const auto config = Config::parse(text, folder_ / "test.json", registry);
        ASSERT_TRUE(config) << to_string(config.error());
        GraphRunner runner(device(), {});
        std::vector<std::byte> found_map;
        std::vector<std::byte> given_map;
        for (int i = 0; i < kRecordedFrames; ++i) {
            SCOPED_TRACE(fmt::format("frame {}", i));
            auto built = config->build(shaders(), assets, {.frame = i}, device().caps());
            ASSERT_TRUE(built) << to_string(built.error());
            const auto missing = std::ranges::count(built->graph.diagnostics,
                                                    "sequence/missing-picture", &Diagnostic::code);
            EXPECT_EQ(missing > 0, i == kHole);
            ASSERT_TRUE(runner.take(std::move(built->graph), shaders()));
            ASSERT_TRUE(runner.executor()->execute());
            const auto status = TrackingStatus::read(read<std::uint32_t>(runner, "status"));
            EXPECT_EQ(status.lost, i == kHole ? 1u : 0u);
            EXPECT_EQ(status.lost_frames, i < kHole ? 0u : 1u);
            const auto truth = read<glm::vec4>(runner, "truth");
            // 7-Scenes has no pose of a frame that it has not.
            if (i != kHole) {
                EXPECT_EQ(truth.at(3).w, i == kNoPose ? 0.0f : 1.0f);
            }
            const glm::dmat4 camera = room_at(i).camera();
            if (i != kHole && i != kNoPose) {
                const auto error = testing_gpu::error_of(testing_gpu::pose_of(truth), camera);
                EXPECT_LT(error.distance, 1e-5);
                EXPECT_LT(error.angle, 1e-3);
            }
            // Depths are rounded to half a millimetre at most, below their noise of 1 to 9 mm.
            const glm::dmat4 found = testing_gpu::pose_of(read<glm::vec4>(runner, "pose"));
            const auto error =
                testing_gpu::error_of(found, seen.found[static_cast<std::size_t>(i)]);
            EXPECT_LT(error.distance, 1e-3);
            EXPECT_LT(error.angle, 0.05);
            auto found_now = runner.executor()->read_image("found");
            auto given_now = runner.executor()->read_image("given");
            ASSERT_TRUE(found_now && given_now);
            EXPECT_EQ(found_now->texels == found_map, i == kHole) << "it stays without pictures";
            EXPECT_EQ(given_now->texels == given_map, i == kHole || i == kNoPose);
            found_map = std::move(found_now->texels);
            given_map = std::move(given_now->texels);
        }
        EXPECT_EQ(runner.compilations(), 1u);
    }

    const std::filesystem::path folder_ = test::empty_folder();
};

TEST_F(RecordingTest, TumsIsTrackedAsTheCameraItself) {
    const Direct seen = directly();
    ASSERT_EQ(seen.depths.size(), std::size_t{kRecordedFrames});
    write_tum(folder_ / "room", seen);
    expect_tracked(seen, config(seen, "13.107", "0"));
}

TEST_F(RecordingTest, SevenScenesIsTrackedAsTheCameraItself) {
    const Direct seen = directly();
    ASSERT_EQ(seen.depths.size(), std::size_t{kRecordedFrames});
    write_7_scenes(folder_ / "room", seen);
    expect_tracked(seen, config(seen, "65.535", "1"));
}

} // namespace
} // namespace tuff
