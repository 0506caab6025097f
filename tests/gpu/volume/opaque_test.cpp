#include "passes/volume/opaque.hpp"
#include "tests/gpu/volume/volume_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// What media are seen in front of, against distances that depths are made of and not the other
/// way round.
namespace tuff {
namespace {

using passes::VolumeOpaque;
using testing_gpu::Running;
using testing_gpu::TestView;

constexpr float kNothing = 3e38f; // or farther

class VolumeOpaqueTest : public testing_gpu::VolumeTest {
  protected:
    /// Wide, so that depth and distance differ by up to 2.3, and turned in all directions.
    static TestView view() {
        TestView view{.width = 29, .height = 17};
        view.camera.position = {1.0f, -2.0f, 0.5f};
        view.camera.target = {-0.4f, 0.7f, -1.9f};
        view.camera.vertical_fov = 95.0f;
        view.camera.near_plane = 0.5f;
        view.camera.far_plane = 40.0f;
        return view;
    }
    static Image picture(Graph& g, const TestView& view, const std::vector<glm::vec4>& texels) {
        return g.constant_image(
            "color", {.format = Format::rgba32_sfloat, .extent = {view.width, view.height, 1}},
            testing_gpu::bytes_of(texels));
    }
    static Image depths(Graph& g, const TestView& view, const std::vector<float>& texels) {
        return g.constant_image(
            "depth", {.format = Format::r32_sfloat, .extent = {view.width, view.height, 1}},
            testing_gpu::bytes_of(texels));
    }
    HostImage made(Graph g, const VolumeOpaque& pass) {
        g.output("result", g.add(pass).result);
        Running running = run(std::move(g));
        return running ? running.image("result") : HostImage{};
    }
};

/// The depth in clip space of a point, of which only its depth along the view matters.
float depth_of(glm::dvec3 point, const TestView& view) {
    const glm::dvec3 forward = glm::normalize(glm::dvec3(view.camera.target) - view.eye());
    const double near = static_cast<double>(view.camera.near_plane);
    const double far = static_cast<double>(view.camera.far_plane);
    const double along = glm::dot(point - view.eye(), forward);
    // A hyperbola through 0 at the near plane and 1 at the far one.
    return static_cast<float>((1.0 / near - 1.0 / along) / (1.0 / near - 1.0 / far));
}

TEST_F(VolumeOpaqueTest, IsTheDistanceAlongTheRayAndTheColor) {
    const TestView from = view();
    // Points of a sphere around the eye's surroundings, and of the inside of its near half.
    std::vector<double> distances;
    std::vector<float> depth;
    std::vector<glm::vec4> colors;
    for (std::uint32_t y = 0; y < from.height; ++y)
        for (std::uint32_t x = 0; x < from.width; ++x) {
            const std::uint32_t number = y * from.width + x;
            const double distance = 1.4 + 0.04 * (number * 37 % 211);
            distances.push_back(distance);
            depth.push_back(depth_of(from.eye() + distance * from.ray(x, y), from));
            EXPECT_GT(depth.back(), 0.0f);
            EXPECT_LT(depth.back(), 1.0f);
            const auto share = static_cast<float>(number);
            colors.emplace_back(share, 0.25f * share, 1000.0f - share, 0.5f);
        }
    Graph g = graph();
    VolumeOpaque pass{.camera = from.camera};
    pass.color = picture(g, from, colors);
    pass.depth = depths(g, from, depth);
    const HostImage got = made(std::move(g), pass);
    ASSERT_EQ(got.extent.width, from.width);
    ASSERT_EQ(got.extent.height, from.height);
    for (std::uint32_t y = 0; y < from.height; ++y)
        for (std::uint32_t x = 0; x < from.width; ++x) {
            const std::uint32_t number = y * from.width + x;
            const auto texel = got.texel(x, y);
            // A step of a depth near 1 is 6e-8, and along = near / (1 - depth), nearly.
            EXPECT_NEAR(texel[3], distances[number], 3e-5) << x << ", " << y;
            for (int c = 0; c < 3; ++c)
                EXPECT_EQ(texel[static_cast<std::size_t>(c)], colors[number][c]) << x << ", " << y;
        }
}

TEST_F(VolumeOpaqueTest, IsNothingWhereThereIsNoDepth) {
    const TestView from{.width = 8, .height = 1};
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    const float nan = std::nanf("");
    const std::vector<float> depth{0.0f, 1.0f, 1.5f, -0.25f, nan, kInfinite, -kInfinite, 0.5f};
    Graph g = graph();
    VolumeOpaque pass{.camera = from.camera, .background = {0.25f, 0.5f, 4.0f}};
    pass.color = picture(g, from, std::vector<glm::vec4>(8, glm::vec4(1.0f)));
    pass.depth = depths(g, from, depth);
    const HostImage got = made(std::move(g), pass);
    ASSERT_EQ(got.extent.width, 8u);
    for (std::uint32_t x = 0; x < 8; ++x) {
        const auto texel = got.texel(x, 0);
        EXPECT_EQ(texel[0], 1.0f);
        if (depth[x] >= 0.0f && depth[x] < 1.0f) {
            EXPECT_LT(texel[3], 1.0f) << depth[x]; // before and just behind the near plane
            EXPECT_GE(texel[3], from.camera.near_plane) << depth[x];
        } else {
            EXPECT_GE(texel[3], kNothing) << depth[x];
        }
    }
}

TEST_F(VolumeOpaqueTest, IsTheBackgroundWherePicturesAreNotConnected) {
    TestView from = view();
    for (const bool with_depth : {false, true}) {
        Graph g = graph();
        VolumeOpaque pass{.width = from.width,
                          .height = from.height,
                          .camera = from.camera,
                          .background = {0.25f, 0.5f, 4.0f}};
        const double away = 7.0;
        if (with_depth) {
            std::vector<float> depth;
            for (std::uint32_t y = 0; y < from.height; ++y)
                for (std::uint32_t x = 0; x < from.width; ++x)
                    depth.push_back(depth_of(from.eye() + away * from.ray(x, y), from));
            pass.depth = depths(g, from, depth);
        }
        const HostImage got = made(std::move(g), pass);
        ASSERT_EQ(got.extent.width, from.width);
        ASSERT_EQ(got.extent.height, from.height);
        for (std::uint32_t y = 0; y < from.height; ++y)
            for (std::uint32_t x = 0; x < from.width; ++x) {
                const auto texel = got.texel(x, y);
                EXPECT_EQ(glm::vec3(texel[0], texel[1], texel[2]), pass.background);
                if (with_depth)
                    EXPECT_NEAR(texel[3], away, 3e-5);
                else
                    EXPECT_GE(texel[3], kNothing);
            }
    }
}

} // namespace
} // namespace tuff
