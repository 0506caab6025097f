#include "passes/volume/shadow.hpp"
#include "tests/gpu/volume/mesh_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

/// Many media, lights and reflecting surfaces on a ray, against sums in double precision.
namespace tuff {
namespace {

using passes::EyeInside;
using passes::MediaLights;
using passes::OutputFormat;
using passes::VolumeFragments;
using passes::VolumeShadow;
using testing_gpu::is_near_an_edge;
using testing_gpu::kBehind;
using testing_gpu::kEyeModes;
using testing_gpu::kNoOpaque;
using testing_gpu::Light;
using testing_gpu::look_through;
using testing_gpu::Looked;
using testing_gpu::Stay;
using testing_gpu::stay_of;
using testing_gpu::TestBox;
using testing_gpu::TestView;

const MediaLights kEightLights{.even = {0.05f, 0.1f, 0.15f},
                               .sun = {0.9f, 0.7f, 0.5f},
                               .second = {0.1f, 0.3f, 0.8f},
                               .third = {0.6f, 0.1f, 0.2f},
                               .fourth = {0.2f, 0.5f, 0.1f},
                               .fifth = {0.3f, 0.2f, 0.4f},
                               .sixth = {0.15f, 0.6f, 0.25f},
                               .seventh = {0.7f, 0.05f, 0.35f},
                               .eighth = {0.45f, 0.4f, 0.1f}};

class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint32_t seed) : random_(seed) {}
    float between(float a, float b) {
        return a + (b - a) * static_cast<float>(random_() >> 8) * 0x1p-24f;
    }
    glm::vec3 color(float most) {
        const float red = between(0.0f, most);
        const float green = between(0.0f, most);
        return {red, green, between(0.0f, most)};
    }

  private:
    std::mt19937 random_;
};

/// Media wider than any view, so that few rays pass an edge; every eighth is a small box.
std::vector<TestBox> layers(std::uint32_t count, float optics) {
    RandomNumbers random(count);
    std::vector<TestBox> all;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float z = random.between(-2.0f, 1.5f);
        TestBox layer{.low = {-30.0f, -30.0f, z},
                      .high = {30.0f, 30.0f, z + random.between(0.3f, 2.0f)},
                      .extinction = random.color(optics),
                      .emission = random.color(0.3f * optics),
                      .scatter = random.color(optics)};
        if (i % 8 == 7) {
            layer.low.x = random.between(-1.0f, 0.0f);
            layer.high.x = layer.low.x + random.between(0.4f, 1.0f);
            layer.low.y = random.between(-1.0f, 0.0f);
            layer.high.y = layer.low.y + random.between(0.4f, 1.0f);
        }
        all.push_back(layer);
    }
    return all;
}

/// Of each light two shadows that overlap.
std::vector<TestBox> shadows(std::uint32_t lights) {
    RandomNumbers random(lights);
    std::vector<TestBox> all;
    for (std::uint32_t i = 0; i < 2 * lights; ++i) {
        const float z = random.between(-1.5f, 0.5f);
        all.push_back({.low = {-29.0f, -29.0f, z},
                       .high = {29.0f, 29.0f, z + random.between(0.8f, 1.8f)},
                       .shadow_of = i / 2 + 1});
    }
    return all;
}

bool contains(const TestBox& box, glm::vec3 at) {
    return glm::all(glm::lessThan(box.low, at)) && glm::all(glm::lessThan(at, box.high));
}

struct Compared {
    double worst = 0.0;
    double share = 0.0; ///< of the texels
};

/// The greatest part of its tolerance that a texel is off. `expected` gives colour and tolerance.
template <typename Expected>
Compared compare(const Looked& got, const std::vector<TestBox>& boxes, const TestView& view,
                 const Expected& expected) {
    Compared compared;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            if (is_near_an_edge(boxes, view, x, y)) continue;
            std::vector<Stay> stays;
            for (const TestBox& box : boxes)
                stays.push_back(stay_of(box, view, x, y));
            const std::pair<glm::dvec3, double> wanted = expected(stays, view.ray(x, y));
            const auto texel = got.result.texel(x, y);
            for (int c = 0; c < 3; ++c) {
                const double off =
                    std::abs(static_cast<double>(texel[std::size_t(c)]) - wanted.first[c]);
                // Not a number is as wrong as can be.
                compared.worst = std::max(compared.worst, off >= 0.0 ? off / wanted.second : 1e30);
            }
            compared.share += 1.0 / (view.width * view.height);
        }
    return compared;
}

class ManyMedia : public testing_gpu::MeshTest {
  protected:
    Looked look_at(const std::vector<TestBox>& boxes, const TestView& view, EyeInside mode,
                   const MediaLights& lights) {
        Graph g = graph();
        VolumeFragments looking{.camera = view.camera,
                                .lights = lights,
                                .fragments_per_pixel = 512,
                                .eye_inside = mode,
                                .reflected = kReflected,
                                .least_transmittance = 0.0f,
                                .format = OutputFormat::rgba32_sfloat};
        for (const TestBox& box : boxes)
            looking.meshes.push_back(medium_of(g, box));
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        return look(std::move(g), looking);
    }
    void expect_closed_form(const std::vector<TestBox>& boxes, const TestView& view,
                            const MediaLights& lights, double least_share) {
        const auto inside = std::ranges::count_if(
            boxes, [&](const TestBox& box) { return contains(box, view.camera.position); });
        for (const EyeInside mode : kEyeModes) {
            const std::string which =
                fmt::format("{} meshes, {}x{}, eye in {}, mode {}", boxes.size(), view.width,
                            view.height, inside, int(mode));
            const Looked got = look_at(boxes, view, mode, lights);
            ASSERT_FALSE(got.result.empty()) << which;
            EXPECT_EQ(got.status.pixels_without_room, 0u) << which;
            EXPECT_EQ(got.status.odd_pixels, 0u) << which;
            EXPECT_EQ(got.status.fewest_inside, inside) << which;
            EXPECT_EQ(got.status.most_inside, inside) << which;
            const Compared compared =
                compare(got, boxes, view, [&](const std::vector<Stay>& stays, glm::dvec3) {
                    return std::pair(look_through(stays, 1e30, lights).over(kBehind),
                                     rounding_of(stays.size()));
                });
            EXPECT_LE(compared.worst, 1.0) << which;
            EXPECT_GE(compared.share, least_share) << which;
        }
    }
    /// At each face the sums of what is around are rounded, and so are the light and what comes
    /// through; an exponential may be off by three units in the last place besides ("Precision and
    /// Operation of SPIR-V Instructions" of the Vulkan specification). On a GPU all these errors
    /// may have one sign: a unit in the last place of 1 for each face. A medium of many that was
    /// left out would be a hundred times that.
    static double rounding_of(std::size_t media) {
        return std::max(1e-5, 2.0 * static_cast<double>(media) * 0x1p-23);
    }

    static constexpr glm::vec3 kReflected{0.37f, 0.81f, 1.9f};
};

TestView view_from(glm::vec3 eye, std::uint32_t width, std::uint32_t height) {
    TestView view{.width = width, .height = height};
    view.camera.position = eye;
    view.camera.target = eye + glm::vec3(0.1f, -0.05f, -1.0f);
    return view;
}

TEST_F(ManyMedia, OverlapInTheShadowsOfEightLights) {
    // Where the eye is in some, rays leave one of them while they are in another.
    const glm::vec3 amid(0.1f, 0.2f, 0.31f);
    for (const std::uint32_t lights : {4u, 8u}) {
        std::vector<TestBox> boxes = layers(40, 0.15f);
        std::ranges::copy(shadows(lights), std::back_inserter(boxes));
        expect_closed_form(boxes, view_from(amid, 32, 24), kEightLights, 0.3);
        if (lights == 8) {
            expect_closed_form(boxes, view_from({0.1f, 0.2f, 4.5f}, 37, 19), kEightLights, 0.3);
            expect_closed_form(boxes, view_from(amid, 9, 41), kEightLights, 0.3);
        }
    }
}

TEST_F(ManyMedia, AreAsManyAsFitIntoThePass) {
    std::vector<TestBox> boxes = layers(256, 0.02f);
    for (TestBox& layer : boxes) { // wide ones alone
        layer.low.x = layer.low.y = -30.0f;
        layer.high.x = layer.high.y = 30.0f;
    }
    boxes.back().shadow_of = 8;
    boxes[17].shadow_of = 3;
    expect_closed_form(boxes, view_from({0.1f, 0.2f, 4.5f}, 9, 7), kEightLights, 0.9);
    expect_closed_form(boxes, view_from({0.1f, 0.2f, 0.31f}, 9, 7), kEightLights, 0.9);
}

TEST_F(ManyMedia, LieInShadowsOfTwoLightsWhereverTheEyeIs) {
    const TestBox medium{.low = {-1.3f, -1.0f, -0.5f},
                         .high = {1.2f, 0.6f, 0.7f},
                         .extinction = {0.4f, 0.8f, 0.2f},
                         .emission = {0.05f, 0.0f, 0.0f},
                         .scatter = {0.4f, 0.7f, 0.1f}};
    const TestBox above{.low = {-0.6f, 0.7f, -0.3f}, .high = {0.2f, 0.9f, 1.6f}};
    const TestBox right{.low = {1.4f, -0.5f, -0.9f}, .high = {1.6f, 0.2f, 1.3f}};
    constexpr float kReach = 6.0f;
    TestBox below = above;
    below.low.y = above.high.y - kReach;
    below.shadow_of = 1;
    TestBox left = right;
    left.low.x = right.high.x - kReach;
    left.shadow_of = 2;
    const std::vector<TestBox> boxes{medium, below, left};
    const std::pair<glm::vec3, std::uint32_t> eyes[] = {{{0.2f, 0.3f, 4.0f}, 0},
                                                        {{-0.1f, 0.4f, 1.3f}, 1},
                                                        {{0.5f, 0.0f, 1.1f}, 1},
                                                        {{0.0f, 0.0f, 1.0f}, 2},
                                                        {{0.1f, -0.1f, 0.3f}, 3}};
    for (const auto& [eye, inside] : eyes) {
        TestView view = view_from(eye, 37, 29);
        for (const EyeInside mode : kEyeModes) {
            const std::string which = fmt::format("eye in {}, mode {}", inside, int(mode));
            Graph g = graph();
            VolumeFragments looking{.camera = view.camera,
                                    .lights = kEightLights,
                                    .fragments_per_pixel = 16,
                                    .eye_inside = mode,
                                    .least_transmittance = 0.0f,
                                    .format = OutputFormat::rgba32_sfloat};
            looking.meshes = {medium_of(g, medium),
                              g.add(VolumeShadow{.mesh = box(g, above.low, above.high).mesh,
                                                 .azimuth = 0.0f,
                                                 .elevation = 90.0f,
                                                 .length = kReach},
                                    "from_above")
                                  .shadow,
                              g.add(VolumeShadow{.mesh = box(g, right.low, right.high).mesh,
                                                 .azimuth = 90.0f,
                                                 .elevation = 0.0f,
                                                 .length = kReach,
                                                 .light = 1},
                                    "from_the_right")
                                  .shadow};
            looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
            const Looked got = look(std::move(g), looking);
            ASSERT_FALSE(got.result.empty()) << which;
            EXPECT_EQ(got.status.fewest_inside, inside) << which;
            EXPECT_EQ(got.status.most_inside, inside) << which;
            const Compared compared =
                compare(got, boxes, view, [&](const std::vector<Stay>& stays, glm::dvec3) {
                    return std::pair(look_through(stays, 1e30, kEightLights).over(kBehind), 1e-5);
                });
            EXPECT_LE(compared.worst, 1.0) << which;
            EXPECT_GE(compared.share, 0.5) << which;
        }
    }
}

/// What the side of a box reflects, that a ray meets at `distance`: Schlick's approximation.
double reflected_share(const TestBox& box, const TestView& view, glm::dvec3 ray, double distance) {
    const glm::dvec3 at = view.eye() + distance * ray;
    int side = 0;
    double nearest = 1e30;
    for (int axis = 0; axis < 3; ++axis)
        for (const glm::vec3& corner : {box.low, box.high}) {
            const double off = std::abs(at[axis] - static_cast<double>(corner[axis]));
            if (off >= nearest) continue;
            nearest = off;
            side = axis;
        }
    const double facing = static_cast<double>(box.reflectance);
    return facing + (1.0 - facing) * std::pow(1.0 - std::abs(ray[side]), 5.0);
}

TEST_F(ManyMedia, ReflectThroughOneAnother) {
    const std::vector<TestBox> boxes{{.low = {-1.0f, -0.8f, -1.1f},
                                      .high = {1.1f, 0.9f, 1.0f},
                                      .extinction = {0.3f, 0.9f, 0.1f},
                                      .emission = {0.2f, 0.0f, 0.1f},
                                      .reflectance = 0.3f},
                                     {.low = {-0.5f, -1.2f, -0.6f},
                                      .high = {0.6f, 0.4f, 1.4f},
                                      .extinction = {1.2f, 0.2f, 0.8f},
                                      .scatter = {0.3f, 0.1f, 0.4f},
                                      .reflectance = 0.04f},
                                     {.low = {-0.7f, -0.6f, -1.9f},
                                      .high = {0.9f, 0.7f, -1.4f},
                                      .extinction = glm::vec3(0.0f),
                                      .reflectance = 0.85f}};
    const std::pair<std::uint32_t, std::uint32_t> sizes[] = {{37, 29}, {64, 24}};
    for (const auto& [width, height] : sizes)
        for (const glm::vec3 eye : {glm::vec3(0.7f, 0.5f, 3.6f), glm::vec3(0.1f, -0.2f, 0.3f)})
            for (const EyeInside mode : kEyeModes) {
                const TestView view = view_from(eye, width, height);
                const Looked got = look_at(boxes, view, mode, kEightLights);
                ASSERT_FALSE(got.result.empty());
                const double most = static_cast<double>(kReflected.b);
                const auto expected = [&](const std::vector<Stay>& stays, glm::dvec3 ray) {
                    glm::dvec3 color = look_through(stays, 1e30, kEightLights).over(kBehind);
                    double tolerance = 1e-5;
                    for (std::size_t i = 0; i < stays.size(); ++i) {
                        if (!(stays[i].leaves > stays[i].enters)) continue;
                        for (const double at : {stays[i].enters, stays[i].leaves}) {
                            if (!(at > 0.0)) continue;
                            const double share = reflected_share(boxes[i], view, ray, at);
                            const Light before = look_through(stays, at, kEightLights);
                            color += before.through * share * glm::dvec3(kReflected);
                            // Half a unit of nine bits, of the greatest of the three.
                            tolerance += share * most * 0x1p-9;
                        }
                    }
                    return std::pair(color, tolerance);
                };
                const Compared compared = compare(got, boxes, view, expected);
                const std::string which =
                    fmt::format("{}x{}, eye at {}, mode {}", width, height, eye.z, int(mode));
                EXPECT_LE(compared.worst, 1.0) << which;
                EXPECT_GE(compared.share, 0.5) << which;
            }
}

} // namespace
} // namespace tuff
