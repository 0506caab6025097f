#include "passes/registry.hpp"
#include "tests/common/animated_model.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// scene/mesh_raster's "motion" of meshes whose vertices move.
namespace tuff {
namespace {

using test::AnimatedModel;

constexpr std::uint32_t kWide = 96, kHigh = 64;
constexpr int kCells = 16; ///< a side of the sheet

/// A square sheet in [-1, 1]^2 that faces +z, whose right part follows a joint that turns about
/// `axis` by `degrees` in a second. The share of the joint grows from `from` to 1 along x.
AnimatedModel sheet(glm::vec3 axis, float degrees, float from) {
    AnimatedModel model;
    model.nodes = {{.parent = -1}, {.parent = 0}, {.parent = -1, .mesh = 0, .skin = 0}};
    model.skins = {{.joints = {0, 1}, .inverse_bind = {}}};
    AnimatedModel::Mesh& mesh = model.meshes.emplace_back();
    mesh.sets = 1;
    for (int y = 0; y <= kCells; ++y)
        for (int x = 0; x <= kCells; ++x) {
            const glm::vec2 uv = glm::vec2(x, y) / static_cast<float>(kCells);
            const float share = from + (1.0f - from) * uv.x;
            mesh.positions.emplace_back(2.0f * uv - 1.0f, 0.0f);
            mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
            mesh.colors.emplace_back(0.1f + 0.8f * uv.x, 0.1f + 0.8f * uv.y, 0.5f);
            mesh.joints.push_back({0, 1, 0, 0, 0, 0, 0, 0});
            mesh.weights.push_back({1.0f - share, share, 0, 0, 0, 0, 0, 0});
            if (x == kCells || y == kCells) continue;
            const auto corner = [&](int dx, int dy) {
                return static_cast<std::uint32_t>((y + dy) * (kCells + 1) + x + dx);
            };
            for (const std::uint32_t i : {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 0),
                                          corner(1, 1), corner(0, 1)})
                mesh.indices.push_back(i);
        }
    const float half = glm::radians(0.5f * degrees);
    const glm::vec3 v = std::sin(half) * axis;
    model.clips = {{.name = "turn",
                    .channels = {{.node = 1,
                                  .path = "rotation",
                                  .interpolation = "LINEAR",
                                  .times = {0.0f, 1.0f},
                                  .values = {0, 0, 0, 1, v.x, v.y, v.z, std::cos(half)}}}}};
    return model;
}

/// How the points of the sheet move in its plane: they grow from the middle, turn and shift.
struct PlaneMotion {
    double turn = 0.0;  ///< degrees in a second
    double grow = 0.0;  ///< share in a second
    double shift = 0.0; ///< along x, in a second

    glm::dvec2 at(glm::dvec2 own, double time) const {
        const double angle = glm::radians(turn * time);
        const glm::dvec2 p = (1.0 + grow * time) * own;
        return {std::cos(angle) * p.x - std::sin(angle) * p.y + shift * time,
                std::sin(angle) * p.x + std::cos(angle) * p.y};
    }
    glm::dvec2 own(glm::dvec2 at, double time) const {
        const double angle = glm::radians(turn * time);
        at.x -= shift * time;
        return glm::dvec2(std::cos(angle) * at.x + std::sin(angle) * at.y,
                          std::cos(angle) * at.y - std::sin(angle) * at.x) /
               (1.0 + grow * time);
    }
};

/// The sheet without a joint: its node turns and shifts, and a morph target makes it grow.
AnimatedModel sheet_of_node(const PlaneMotion& motion) {
    AnimatedModel model = sheet({0, 0, 1}, 0.0f, 1.0f);
    model.nodes = {{.mesh = 0}};
    model.skins.clear();
    model.clips = {{.name = "move", .channels = {}}};
    AnimatedModel::Mesh& mesh = model.meshes.front();
    mesh.sets = 0;
    mesh.joints.clear();
    mesh.weights.clear();
    const auto channel = [&](const char* path, std::vector<float> values) {
        model.clips.front().channels.push_back({.node = 0,
                                                .path = path,
                                                .interpolation = "LINEAR",
                                                .times = {0.0f, 1.0f},
                                                .values = std::move(values)});
    };
    if (motion.turn != 0.0) {
        const auto half = static_cast<float>(glm::radians(0.5 * motion.turn));
        channel("rotation", {0, 0, 0, 1, 0, 0, std::sin(half), std::cos(half)});
    }
    if (motion.shift != 0.0)
        channel("translation", {0, 0, 0, static_cast<float>(motion.shift), 0, 0});
    if (motion.grow != 0.0) {
        mesh.targets.push_back({.positions = mesh.positions, .normals = {}, .tangents = {}});
        mesh.target_weights = {0.0f};
        channel("weights", {0.0f, static_cast<float>(motion.grow)});
    }
    return model;
}

/// A camera that moves aside and up.
constexpr std::string_view kTurning = R"json({"tuff": 1, "size": [96, 64],
    "assets": {"sheet": {"gltf": "model.gltf"}},
    "nodes": {
        "play": {"pass": "scene/animate", "in": {"source": "sheet"}, "params": {"time": "$time"}},
        "view": {"pass": "scene/mesh_raster", "in": {"scene": "play.scene"}, "params": {
            "width": "$width", "height": "$height", "samples": 1, "keep_places": true,
            "sun": {"shadows": false},
            "camera": {"mode": "free", "position": ["=0.2*$time", "=0.3*$time", 4],
                       "target": ["=0.2*$time", "=0.3*$time", 0], "vertical_fov": 45,
                       "near_plane": 0.5, "far_plane": 10}}}},
    "outputs": {"motion": "view.motion", "albedo": "view.albedo", "normal": "view.normal"}})json";

glm::dmat4 seen_at(double time) {
    Camera camera;
    camera.near_plane = 0.5f;
    camera.far_plane = 10.0f;
    camera.vertical_fov = 45.0f;
    camera.position = {static_cast<float>(0.2 * time), static_cast<float>(0.3 * time), 4.0f};
    camera.target = {camera.position.x, camera.position.y, 0.0f};
    return glm::dmat4(camera.projection(static_cast<float>(kWide) / kHigh)) *
           glm::dmat4(camera.view());
}

struct Seen {
    HostImage motion;
    HostImage albedo;
    HostImage normal;
};

class MeshRasterMotion : public MeshRasterTest {
  protected:
    void SetUp() override {
        MeshRasterTest::SetUp();
        folder_ = test::empty_folder();
    }

    /// The frames at these times, one after the other.
    std::vector<Seen> play(const AnimatedModel& model, const std::vector<double>& times) {
        (void)model.write(folder_);
        const PassRegistry registry = passes::make_registry();
        AssetCache assets;
        const auto config = Config::parse(kTurning, folder_ / "test.json", registry);
        EXPECT_TRUE(config) << to_string(config.error());
        GraphRunner runner(device(), {});
        std::vector<Seen> frames;
        for (std::size_t i = 0; i < times.size(); ++i) {
            auto built = config->build(shaders(), assets,
                                       {.frame = static_cast<std::int64_t>(i), .time = times[i]},
                                       device().caps());
            EXPECT_TRUE(built) << to_string(built.error());
            if (!built || !runner.take(std::move(built->graph), shaders()) ||
                !runner.executor()->execute())
                return frames;
            const auto image = [&](const char* name) {
                auto read = runner.executor()->read_image(name);
                EXPECT_TRUE(read);
                return read ? std::move(*read) : HostImage{};
            };
            frames.push_back({image("motion"), image("albedo"), image("normal")});
        }
        EXPECT_EQ(runner.compilations(), 1u);
        return frames;
    }

    /// The motion of each texel is that of its point of the sheet, and of the camera.
    void expect_motion(const AnimatedModel& model, const PlaneMotion& motion) {
        const std::vector<double> times{0.0, 0.05, 0.2, 0.3};
        const std::vector<Seen> frames = play(model, times);
        ASSERT_EQ(frames.size(), times.size());
        check(frames, times, motion);
    }

  private:
    static void check(const std::vector<Seen>& frames, const std::vector<double>& times,
                      const PlaneMotion& motion);

    std::filesystem::path folder_;
};

void MeshRasterMotion::check(const std::vector<Seen>& frames, const std::vector<double>& times,
                             const PlaneMotion& motion) {
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        const glm::dmat4 now = seen_at(times[frame]);
        const glm::dmat4 then = seen_at(times[frame == 0 ? 0 : frame - 1]);
        int covered = 0;
        for (std::uint32_t y = 0; y < kHigh; ++y)
            for (std::uint32_t x = 0; x < kWide; ++x) {
                // The point of the plane z = 0 that this texel shows.
                const glm::dvec4 middle = now * glm::dvec4(0, 0, 0, 1);
                const double u = (x + 0.5) / 48.0 - 1.0;
                const double v = (y + 0.5) / 32.0 - 1.0;
                const double px = (u * middle.w - middle.x) / now[0][0];
                const double py = (v * middle.w - middle.y) / now[1][1];
                const glm::dvec2 own = motion.own({px, py}, times[frame]);
                const double off = std::max(std::abs(own.x), std::abs(own.y)) - 1.0;
                if (std::abs(off) < 0.06) continue; // at an edge
                const auto texel = frames[frame].motion.texel(x, y);
                if (off > 0.0 || frame == 0) {
                    ASSERT_EQ(texel[0], 0.0f) << frame << ": " << x << ", " << y;
                    ASSERT_EQ(texel[1], 0.0f) << frame << ": " << x << ", " << y;
                    continue;
                }
                ++covered;
                const glm::dvec4 before =
                    then * glm::dvec4(motion.at(own, times[frame - 1]), 0.0, 1.0);
                // Corners lie on a lattice of 1/256 texel or coarser, which small triangles feel.
                ASSERT_NEAR(texel[0], 48.0 * (u - before.x / before.w), 2e-2) << x << ", " << y;
                ASSERT_NEAR(texel[1], 32.0 * (v - before.y / before.w), 2e-2) << x << ", " << y;
            }
        EXPECT_TRUE(frame == 0 || covered > 500) << covered;
    }
}

TEST_F(MeshRasterMotion, OfATurningSheetIsThatOfEachOfItsPoints) {
    expect_motion(sheet({0, 0, 1}, 90.0f, 1.0f), {.turn = 90.0});
}

TEST_F(MeshRasterMotion, OfANodeIsThatOfItsTurnAndItsWay) {
    const PlaneMotion motion{.turn = 90.0, .grow = 0.0, .shift = 0.8};
    expect_motion(sheet_of_node(motion), motion);
}

TEST_F(MeshRasterMotion, OfAMorphTargetIsThatOfItsWeight) {
    const PlaneMotion motion{.turn = 0.0, .grow = -0.7, .shift = 0.0};
    expect_motion(sheet_of_node(motion), motion);
}

TEST_F(MeshRasterMotion, OfAMorphTargetOnANodeIsThatOfBoth) {
    const PlaneMotion motion{.turn = 90.0, .grow = 0.3, .shift = -0.8};
    expect_motion(sheet_of_node(motion), motion);
}

TEST_F(MeshRasterMotion, LeadsBackToTheSameColorOfABendingSheet) {
    const std::vector<Seen> frames = play(sheet({0, 1, 0}, 50.0f, 0.0f), {0.3, 0.5});
    ASSERT_EQ(frames.size(), 2u);
    const HostImage& before = frames[0].albedo;
    int compared = 0;
    double without = 0.0;
    for (std::uint32_t y = 0; y < kHigh; ++y)
        for (std::uint32_t x = 0; x < kWide; ++x) {
            const auto color = frames[1].albedo.texel(x, y);
            if (color[3] == 0.0f) continue;
            const auto motion = frames[1].motion.texel(x, y);
            const float at_x = static_cast<float>(x) - motion[0];
            const float at_y = static_cast<float>(y) - motion[1];
            if (at_x < 0 || at_y < 0 || at_x >= kWide - 1 || at_y >= kHigh - 1) continue;
            const auto left = static_cast<std::uint32_t>(at_x);
            const auto top = static_cast<std::uint32_t>(at_y);
            glm::vec4 mean(0.0f);
            for (std::uint32_t corner = 0; corner < 4; ++corner) {
                const auto t = before.texel(left + (corner & 1), top + (corner >> 1));
                const float wx = at_x - static_cast<float>(left);
                const float wy = at_y - static_cast<float>(top);
                mean += (corner & 1 ? wx : 1 - wx) * (corner >> 1 ? wy : 1 - wy) *
                        glm::vec4(t[0], t[1], t[2], t[3]);
            }
            if (mean.a < 1.0f) continue; // at an edge, in the frame before
            ++compared;
            ASSERT_NEAR(mean.r, color[0], 6e-3) << x << ", " << y;
            ASSERT_NEAR(mean.g, color[1], 6e-3) << x << ", " << y;
            without =
                std::max(without, std::abs(static_cast<double>(before.texel(x, y)[0] - color[0])));
        }
    EXPECT_GT(compared, 500);
    EXPECT_GT(without, 0.1) << "nothing has moved";
}

} // namespace
} // namespace tuff
