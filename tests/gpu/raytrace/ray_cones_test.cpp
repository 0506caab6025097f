// Levels of textures: those that ray cones ask for, against closed forms and a supersampled
// picture.

#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::PathTrace;
using passes::TextureLevels;
using passes::TraceWhitted;

constexpr std::uint32_t kTextureSide = 4096; // levels 0 to 12
constexpr double kGrayStep = 16.0;           // of a byte, from a level to the next

class RayConesTest : public RaytraceTest {
  protected:
    /// A texture that shows its own level, `side` texels wide and one high: black the finest, each
    /// coarser one lighter by kGrayStep. Its coordinates count `side` times less up than across.
    static std::int32_t add_level_texture(SceneBuilder& scene) {
        const std::vector<std::array<std::uint8_t, 4>> texels(std::size_t{kTextureSide} * 16,
                                                              {0, 0, 0, 255});
        return scene.texture(kTextureSide, 16, texels);
    }
    /// With what `add_level_texture` promises put in.
    static SceneAsset pack(SceneBuilder scene) {
        SceneData data = std::move(scene).finish();
        for (SceneTexture& texture : data.textures) {
            texture.sampler = {};
            texture.sampler.address_u = texture.sampler.address_v = AddressMode::repeat;
        }
        SceneAsset asset = pack_scene(std::move(data));
        for (std::size_t i = 0; i < asset.images.size(); ++i) {
            std::vector<std::byte> bytes;
            const Extent extent = asset.data->images[i].extent;
            for (std::uint32_t level = 0; level < full_mip_count(extent); ++level) {
                const Extent at = mip_extent(extent, level);
                const auto gray = static_cast<std::byte>(kGrayStep * level);
                for (std::uint32_t t = 0; t < at.width * at.height; ++t)
                    for (const std::byte channel : {gray, gray, gray, std::byte{255}})
                        bytes.push_back(channel);
            }
            asset.images[i] = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        }
        return asset;
    }
    static SceneMaterial showing(std::int32_t texture) {
        SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
        material.base_color_texture.texture = texture;
        return material;
    }
    /// The level that a pixel shows where `share` of the light arrives.
    static double level_in(const HostImage& picture, std::uint32_t x, std::uint32_t y,
                           double share = 1.0) {
        return at(picture, x, y).x / share * 255.0 / kGrayStep;
    }
    /// Texels along a side of the square of as many: 4096 x 16 are as fine as 256 x 256.
    static double texels() { return std::sqrt(double{kTextureSide} * 16.0); }
    static constexpr double kTolerance = 0.04; // eight bits of a level, of a width and of a gray

    template <typename Pass>
    HostImage trace_asset(const SceneAsset& asset, Pass pass, unsigned times = 1) {
        testing_gpu::Running running = run(traced(asset, std::move(pass)), times);
        return running ? running.image("color") : HostImage{};
    }
    static Camera looking_down(float from) {
        Camera camera;
        camera.position = {0, 0, from};
        camera.target = {0, 0, 0};
        camera.up = {0, 1, 0};
        camera.vertical_fov = 40.0f;
        camera.far_plane = 1e5f;
        return camera;
    }
    /// Width of a pixel at depth 1.
    static double pixel_of(const Camera& camera, std::uint32_t side) {
        return 2.0 * std::tan(glm::radians(double{camera.vertical_fov}) / 2.0) / side;
    }
};

TEST_F(RayConesTest, LevelsOnAFlatPlaneAreThoseOfItsDistanceAndTilt) {
    constexpr std::uint32_t kSide = 21;
    for (const float distance : {0.05f, 3.0f, 700.0f})
        for (const float tilt : {0.0f, 50.0f, 80.0f}) {
            SceneBuilder scene;
            const Camera camera = looking_down(distance);
            scene.camera(camera);
            // 200 repetitions on 200 x 400 units.
            const float half = 100.0f;
            SceneBuilder::Quad quad;
            quad.uv = {glm::vec2(0, 200), glm::vec2(200, 0)};
            SceneMaterial material = showing(add_level_texture(scene));
            material.base_color_texture.matrix = {0.5f, 0, 0, 2.0f}; // of the same area
            scene.quad(scene.material(material),
                       turned(tilt, {1, 0, 0}) *
                           glm::scale(glm::mat4(1.0f), {half, 2.0f * half, 1.0f}),
                       quad);
            const SceneAsset asset = pack(std::move(scene));
            const HostImage picture = trace_asset(asset, dark<TraceWhitted>(kSide));
            ASSERT_FALSE(picture.empty());
            if (distance == 3.0f) {
                PathTrace paths = dark<PathTrace>(kSide);
                paths.jitter = false;
                EXPECT_EQ(trace_asset(asset, paths).texels, picture.texels);
            }
            const glm::dvec3 normal = glm::dvec3(turned(tilt, {1, 0, 0}) * glm::vec4(0, 0, 1, 0));
            const double pixel = pixel_of(camera, kSide);
            int seen = 0;
            for (std::uint32_t y = 0; y < kSide; ++y)
                for (std::uint32_t x = 0; x < kSide; ++x) {
                    const glm::dvec3 along((x + 0.5 - kSide / 2.0) * pixel,
                                           -(y + 0.5 - kSide / 2.0) * pixel, -1.0);
                    const double depth =
                        -glm::dot(normal, glm::dvec3(camera.position)) / glm::dot(normal, along);
                    const glm::dvec3 place = glm::dvec3(camera.position) + depth * along;
                    if (depth <= 0.0 || std::abs(place.x) > 0.99 * half ||
                        glm::length(glm::dvec2(place.y, place.z)) > 1.98 * half)
                        continue;
                    const double cosine = std::abs(glm::dot(normal, glm::normalize(along)));
                    // An area of 1 has 200 * 200 / (200 * 400) repetitions.
                    const double level =
                        std::log2(texels() * std::sqrt(0.5) * depth * pixel / cosine);
                    ASSERT_NEAR(level_in(picture, x, y), std::clamp(level, 0.0, 12.0), kTolerance)
                        << distance << ", " << tilt << " degrees, pixel " << x << ", " << y;
                    ++seen;
                }
            EXPECT_GT(seen, 20);
        }
}

TEST_F(RayConesTest, ParallelRaysAreAsWideEverywhere) {
    SceneBuilder scene;
    scene.camera(2.0f);
    const std::uint32_t material = scene.material(showing(add_level_texture(scene)));
    scene.quad(material, moved(-1, 0, 5) * scaled(0.8f));
    scene.quad(material, moved(1, 0, -5) * scaled(0.4f));
    const HostImage picture = trace_asset(pack(std::move(scene)), dark<TraceWhitted>(16));
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(level_in(picture, 4, 8), std::log2(texels() * (4.0 / 16.0) / 1.6), kTolerance);
    EXPECT_NEAR(level_in(picture, 11, 8), std::log2(texels() * (4.0 / 16.0) / 0.8), kTolerance);
}

TEST_F(RayConesTest, TheFinestLevelIsThatOfAll) {
    SceneBuilder scene;
    scene.camera(looking_down(500));
    scene.quad(scene.material(showing(add_level_texture(scene))), scaled(300.0f));
    const SceneAsset asset = pack(std::move(scene));
    TraceWhitted pass = dark<TraceWhitted>(8);
    EXPECT_GT(mean(trace_asset(asset, pass)).x, 0.0);
    pass.texture_levels = TextureLevels::finest;
    EXPECT_EQ(mean(trace_asset(asset, pass)), glm::dvec3(0.0));
    PathTrace paths = dark<PathTrace>(8);
    paths.texture_levels = TextureLevels::finest;
    EXPECT_EQ(mean(trace_asset(asset, paths)), glm::dvec3(0.0));
}

/// A mirror about the origin that a camera at z = 5 looks at, and behind the camera, at z = 9,
/// something that shows its level.
class RayConesInMirrors : public RayConesTest {
  protected:
    static constexpr std::uint32_t kSide = 33; // the ray of the middle goes straight back
    static constexpr std::uint32_t kMiddle = kSide / 2;

    enum class Mirror : std::uint8_t { flat, ball, hollow };
    static SceneAsset mirrored(Mirror mirror, SceneMaterial material) {
        SceneBuilder scene;
        scene.camera(looking_down(5));
        // Vertices of the mesh lie at its poles: the middle must not hit one.
        const std::uint32_t metal = scene.material(material);
        if (mirror == Mirror::flat) scene.quad(metal, turned(0.2f, {1, 2, 0}) * scaled(1.0f));
        if (mirror == Mirror::ball)
            scene.sphere(metal, moved(0, 0, -2) * turned(11, {1, 0.3f, 0}) * scaled(2.0f), 48);
        if (mirror == Mirror::hollow)
            scene.sphere(metal, moved(0, 0, 40) * turned(11, {1, 0.3f, 0}) * scaled(40.0f), 48);
        scene.quad(scene.material(showing(add_level_texture(scene))),
                   moved(0, 0, 9) * turned(180, {0, 1, 0}) * scaled(10.0f));
        return pack(std::move(scene));
    }
    static SceneMaterial metal(float roughness = 0.0f) {
        return SceneBuilder::plain(glm::vec4(1.0f), 1.0f, roughness);
    }
    static TraceWhitted looking(TextureLevels levels) {
        TraceWhitted pass = dark<TraceWhitted>(kSide);
        pass.bounces = 1;
        pass.texture_levels = levels;
        return pass;
    }
    /// For a cone of this width when it meets what shows its level, 20 units long.
    static double level_of(double width) { return std::log2(texels() * width / 20.0); }
    double pixel() const { return pixel_of(looking_down(5), kSide); }
};

TEST_F(RayConesInMirrors, AFlatMirrorMakesTheWayLonger) {
    const SceneAsset asset = mirrored(Mirror::flat, metal());
    for (const TextureLevels levels : {TextureLevels::cones, TextureLevels::mirror_cones})
        EXPECT_NEAR(level_in(trace_asset(asset, looking(levels)), kMiddle, kMiddle),
                    level_of((5.0 + 9.0) * pixel()), kTolerance);
    PathTrace paths = dark<PathTrace>(kSide);
    paths.bounces = 1;
    paths.jitter = false;
    EXPECT_NEAR(level_in(trace_asset(asset, paths), kMiddle, kMiddle),
                level_of((5.0 + 9.0) * pixel()), kTolerance);
}

// The normal turns by width / radius, and what is mirrored by twice that.
TEST_F(RayConesInMirrors, ABallSpreadsTheCone) {
    const double width = 5.0 * pixel();
    const double spread = pixel() + 2.0 * width / 2.0;
    EXPECT_NEAR(
        level_in(trace_asset(mirrored(Mirror::ball, metal()), looking(TextureLevels::cones)),
                 kMiddle, kMiddle),
        level_of(width + 9.0 * spread), 0.05);
}

// A hollow mirror of radius 40 gathers it: 5 units wide, less 2 * 5 / 40 over 9 units.
TEST_F(RayConesInMirrors, AHollowMirrorGathersTheCone) {
    const double width = 5.0 * pixel();
    const double spread = pixel() - 2.0 * width / 40.0;
    EXPECT_NEAR(
        level_in(trace_asset(mirrored(Mirror::hollow, metal()), looking(TextureLevels::cones)),
                 kMiddle, kMiddle),
        level_of(width + 9.0 * spread), 0.05);
}

// GGX falls to half of its greatest where tan^2 = (sqrt(2) - 1) alpha^2.
TEST_F(RayConesInMirrors, RoughnessBlursWhatIsMirrored) {
    for (const float roughness : {0.1f, 0.3f, 0.6f}) {
        const SceneAsset asset = mirrored(Mirror::flat, metal(roughness));
        const double share = 1.0 - static_cast<double>(roughness);
        const double alpha = static_cast<double>(roughness) * static_cast<double>(roughness);
        const double lobe = std::min(4.0 * std::sqrt(std::numbers::sqrt2 - 1.0) * alpha, 1.0);
        const double spread = std::hypot(pixel(), lobe);
        EXPECT_NEAR(
            level_in(trace_asset(asset, looking(TextureLevels::cones)), kMiddle, kMiddle, share),
            level_of(5.0 * pixel() + 9.0 * spread), 0.05)
            << roughness;
        EXPECT_NEAR(level_in(trace_asset(asset, looking(TextureLevels::mirror_cones)), kMiddle,
                             kMiddle, share),
                    level_of(14.0 * pixel()), 0.05)
            << roughness;
    }
}

TEST_F(RayConesInMirrors, APaneLeavesTheConeAsItIs) {
    SceneBuilder scene;
    scene.camera(looking_down(5));
    SceneMaterial pane = SceneBuilder::unlit({0, 0, 0, 0.25f}, AlphaMode::blend);
    scene.quad(scene.material(pane), moved(0, 0, 2) * scaled(3.0f));
    scene.quad(scene.material(showing(add_level_texture(scene))), moved(0, 0, -9) * scaled(10.0f));
    const SceneAsset asset = pack(std::move(scene));
    EXPECT_NEAR(level_in(trace_asset(asset, looking(TextureLevels::cones)), kMiddle, kMiddle, 0.75),
                level_of(14.0 * pixel()), 0.05);
}

// --- a plane to the horizon ----------------------------------------------------------------------

class RayConesToTheHorizon : public RayConesTest {
  protected:
    static constexpr std::uint32_t kSide = 48;
    static constexpr double kLength = 400.0; // of the plane, from the camera on

    static Camera above_ground() {
        Camera camera;
        camera.position = {0, 1, 0};
        camera.target = {0.3f, 0.8f, -1};
        camera.vertical_fov = 60.0f;
        camera.far_plane = 1e4f;
        return camera;
    }
    /// Squares of black and white, 0.5 units a side.
    static SceneData chequered() {
        SceneBuilder scene;
        scene.camera(above_ground());
        std::vector<std::array<std::uint8_t, 4>> texels;
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) {
                const std::uint8_t gray = (x / 8 + y / 8) % 2 == 0 ? 255 : 0;
                texels.push_back({gray, gray, gray, 255});
            }
        SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
        material.base_color_texture.texture = scene.texture(32, 32, texels);
        SceneBuilder::Quad quad;
        const auto repeats = static_cast<float>(kLength);
        quad.uv = {glm::vec2(-0.5f * repeats, 0.5f * repeats),
                   glm::vec2(0.5f * repeats, -0.5f * repeats)};
        scene.quad(scene.material(material),
                   turned(-90, {1, 0, 0}) * scaled(static_cast<float>(kLength)), quad);
        SceneData data = std::move(scene).finish();
        Sampler& sampler = data.textures[0].sampler;
        sampler = {.mag_filter = Filter::nearest};
        sampler.address_u = sampler.address_v = AddressMode::repeat;
        return data;
    }
    static double ground_at(glm::dvec3 direction) {
        if (direction.y >= 0.0) return 0.0;
        const glm::dvec3 place = glm::dvec3(above_ground().position) - direction / direction.y;
        if (std::max(std::abs(place.x), std::abs(place.z)) > kLength) return 0.0;
        const auto square = [](double v) { return static_cast<long long>(std::floor(2.0 * v)); };
        return (square(place.x) + square(place.z)) % 2 == 0 ? 1.0 : 0.0;
    }
    /// The mean of many rays, in double precision.
    static std::vector<double> supersampled() {
        const Camera camera = above_ground();
        const glm::dmat4 back =
            glm::inverse(glm::dmat4(camera.projection(1.0f)) * glm::dmat4(camera.view()));
        constexpr int kRays = 24;
        std::vector<double> picture;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                double sum = 0.0;
                for (int i = 0; i < kRays * kRays; ++i) {
                    const glm::dvec2 in((i % kRays + 0.5) / kRays, (i / kRays + 0.5) / kRays);
                    const glm::dvec4 far =
                        back * glm::dvec4(2.0 * (x + in.x) / kSide - 1.0,
                                          2.0 * (y + in.y) / kSide - 1.0, 1.0, 1.0);
                    sum += ground_at(
                        glm::normalize(glm::dvec3(far) / far.w - glm::dvec3(camera.position)));
                }
                picture.push_back(sum / (kRays * kRays));
            }
        return picture;
    }
    static double apart(const HostImage& picture, const std::vector<double>& reference) {
        double squares = 0.0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x)
                squares += std::pow(at(picture, x, y).x - reference[y * kSide + x], 2.0);
        return std::sqrt(squares / (kSide * kSide));
    }
    template <typename Pass>
    double apart(Pass pass, TextureLevels levels, const std::vector<double>& reference) {
        pass.texture_levels = levels;
        const HostImage picture = trace(chequered(), pass);
        return picture.empty() ? 1e9 : apart(picture, reference);
    }
};

TEST_F(RayConesToTheHorizon, OneRayIsNearerToTheSupersampledPicture) {
    const std::vector<double> reference = supersampled();
    const TraceWhitted whitted = dark<TraceWhitted>(kSide);
    const double fine = apart(whitted, TextureLevels::finest, reference);
    const double coned = apart(whitted, TextureLevels::cones, reference);
    RecordProperty("finest", std::to_string(fine));
    RecordProperty("cones", std::to_string(coned));
    EXPECT_GT(fine, 0.2);
    EXPECT_LT(coned, 0.5 * fine);
    PathTrace paths = dark<PathTrace>(kSide);
    EXPECT_LT(apart(paths, TextureLevels::cones, reference),
              0.6 * apart(paths, TextureLevels::finest, reference));
}

// The cones get narrower from sample to sample, so that in the end nothing is blurred.
TEST_F(RayConesToTheHorizon, ManyRaysBlurNothing) {
    const std::vector<double> reference = supersampled();
    PathTrace paths = dark<PathTrace>(kSide);
    paths.samples = 64;
    const double coned = apart(paths, TextureLevels::cones, reference);
    const double fine = apart(paths, TextureLevels::finest, reference);
    RecordProperty("finest", std::to_string(fine));
    RecordProperty("cones", std::to_string(coned));
    EXPECT_LT(fine, 0.06);
    EXPECT_LT(coned, 1.2 * fine);
}

} // namespace
} // namespace tuff
