#include "passes/image/depth_of_field.hpp"
#include "passes/image/translucency.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/image_reference.hpp"

#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

/// What the lecture makes of summed-area tables: depth of field and translucency.
namespace tuff {
namespace {

using passes::Confusion;
using passes::DepthOfField;
using passes::Translucency;
using passes::TranslucentMaterial;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kSide = 64;
constexpr double kTolerance = 2.0 / 255.0; // as the lecture's pictures are stored
/// What sums of 64 x 64 texels less their mean leave, and radii that are rounded to 32 bits.
constexpr double kExact = 2e-5;
constexpr std::array kConfusions{Confusion::thin_lens, Confusion::linear};

class LensEffects : public testing_gpu::GpuTest {
  protected:
    HostImage picture_ = reference::noise(Format::rgba32_sfloat, kSide, kSide, 5, 0.0, 1.0);

    Image source(Graph& g) {
        const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = {kSide, kSide}};
        const Image constant = g.constant_image(
            "noise", desc, std::make_shared<const std::vector<std::byte>>(picture_.texels));
        return g.copy(constant, g.image("source", desc)); // an output may be the source itself
    }
    /// Of a scene whose left half is `left` away and the other `right`, near 1 and far 100.
    Image depth(Graph& g, std::string_view name, float left, float right) {
        const auto clip = [](float z) { return 100.0f * (z - 1.0f) / (z * 99.0f); };
        std::vector<float> texels;
        for (std::uint32_t i = 0; i < kSide * kSide; ++i)
            texels.push_back(clip(i % kSide < kSide / 2 ? left : right));
        const ImageDesc desc{.format = Format::r32_sfloat, .extent = {kSide, kSide}};
        return g.copy(g.constant_image(name, desc, bytes_of(texels)), g.image(name, desc));
    }
    DepthOfField lens(Graph& g, float left, float right,
                      Confusion confusion = Confusion::thin_lens) {
        return {.source = source(g),
                .depth = depth(g, "depth", left, right),
                .confusion = confusion,
                .near_plane = 1.0f,
                .far_plane = 100.0f,
                .focus = 10.0f,
                .aperture = 1.0f,
                .focal_length = 0.5f,
                .slope = 0.0035f,
                .sensor_height = 0.24f,
                .max_radius = 20.0f};
    }
    /// Half the circle of confusion at depth z, in texels.
    static double radius_of(double z, Confusion confusion = Confusion::thin_lens) {
        const double diameter = confusion == Confusion::linear
                                    ? 0.0035 * std::abs(z - 10.0)
                                    : 1.0 * 0.5 / (10.0 - 0.5) * std::abs(z - 10.0) / z;
        return std::min(0.5 * diameter / 0.24 * kSide, 20.0);
    }
    /// The mean over the box around a texel, whose outermost texels count in part.
    std::array<double, 4> box_mean(double x, double y, double radius) const {
        std::array<double, 4> sum{};
        double area = 0.0;
        const double low_x = std::max(x - radius, 0.0);
        const double high_x = std::min(x + 1 + radius, double{kSide});
        const double low_y = std::max(y - radius, 0.0);
        const double high_y = std::min(y + 1 + radius, double{kSide});
        for (auto j = static_cast<std::uint32_t>(low_y); j < high_y; ++j)
            for (auto i = static_cast<std::uint32_t>(low_x); i < high_x; ++i) {
                const double share =
                    std::max(std::min(high_x, i + 1.0) - std::max(low_x, 1.0 * i), 0.0) *
                    std::max(std::min(high_y, j + 1.0) - std::max(low_y, 1.0 * j), 0.0);
                const auto texel = picture_.texel(i, j);
                for (std::size_t c = 0; c < 4; ++c)
                    sum[c] += share * texel[c];
                area += share;
            }
        for (double& s : sum)
            s /= area;
        return sum;
    }
    void expect_box(const HostImage& result, std::uint32_t x, std::uint32_t y, double radius,
                    double tolerance = kTolerance) {
        const auto expected = box_mean(x, y, radius);
        for (std::size_t c = 0; c < 3; ++c)
            ASSERT_NEAR(result.texel(x, y)[c], expected[c], tolerance) << x << ", " << y;
    }
    static std::string_view name_of(Confusion confusion) {
        return ChoiceNames<Confusion>::names[static_cast<std::size_t>(confusion)];
    }
};

TEST_F(LensEffects, WhatIsInFocusStaysToTheBit) {
    Graph g = graph();
    DepthOfField pass = lens(g, 10.0f, 10.0f, Confusion::linear);
    pass.slope = 0.0f;
    g.output("flat", g.add(pass, "flat").result);
    pass = lens(g, 10.0f, 10.0f);
    pass.aperture = 0.0f;
    g.output("closed", g.add(pass, "closed").result);
    // All depths are the same number, so the focus can be set to it exactly.
    const float clip = 100.0f * (10.0f - 1.0f) / (10.0f * 99.0f);
    pass.aperture = 1.0f;
    pass.focus = 100.0f / (100.0f - clip * 99.0f);
    pass.max_radius = 0.0f;
    g.output("limited", g.add(pass, "limited").result);
    Running running = run(std::move(g));
    EXPECT_EQ(running.image("closed").texels, picture_.texels);
    EXPECT_EQ(running.image("flat").texels, picture_.texels);
    EXPECT_EQ(running.image("limited").texels, picture_.texels);
}

/// Depths that are the focus but for rounding, a step or two on either side, in a picture whose
/// sums have no room for its darkest texels.
TEST_F(LensEffects, WhatIsAStepOfDepthOutOfFocusStaysToTheBit) {
    picture_ = reference::noise(Format::rgba32_sfloat, kSide, kSide, 6, 0.0, 1.0);
    for (std::uint32_t i = 0; i < kSide * kSide; i += 3)
        picture_.set_texel({60000.0f, 20000.0f, 45000.0f, 1.0f}, i % kSide, i / kSide);
    float clip = 100.0f * (10.0f - 1.0f) / (10.0f * 99.0f);
    for (int step = 0; step < 2; ++step)
        clip = std::nextafter(clip, 0.0f);
    for (int step = -2; step <= 2; ++step, clip = std::nextafter(clip, 1.0f)) {
        Graph g = graph();
        const ImageDesc desc{.format = Format::r32_sfloat, .extent = {kSide, kSide}};
        const Image in_focus = g.copy(
            g.constant_image("clip", desc, bytes_of(std::vector<float>(kSide * kSide, clip))),
            g.image("clip", desc));
        for (const Confusion confusion : kConfusions) {
            DepthOfField pass = lens(g, 10.0f, 10.0f, confusion);
            pass.depth = in_focus;
            g.output(name_of(confusion), g.add(pass).result);
        }
        Running running = run(std::move(g));
        for (const Confusion confusion : kConfusions)
            EXPECT_EQ(running.image(name_of(confusion)).texels, picture_.texels)
                << name_of(confusion) << step;
    }
}

TEST_F(LensEffects, WhatIsOutOfFocusIsTheMeanOverItsCircleOfConfusion) {
    for (const Confusion confusion : kConfusions)
        for (const float z : {2.0f, 30.0f, 100.0f}) { // the last is the far plane
            Graph g = graph();
            g.output("result", g.add(lens(g, z, z, confusion)).result);
            const HostImage result = run(std::move(g)).image("result");
            ASSERT_FALSE(result.empty());
            const double radius = radius_of(z, confusion);
            ASSERT_GT(radius, 3.0);
            for (std::uint32_t y = 0; y < kSide; y += 7)
                for (std::uint32_t x = 0; x < kSide; x += 5)
                    expect_box(result, x, y, radius, kExact);
        }
}

/// Half as far out of focus on both sides: the same blur, where a lens blurs the nearer one more.
TEST_F(LensEffects, ALinearCircleIsTheSameOnBothSidesOfTheFocus) {
    Graph g = graph();
    g.output("before", g.add(lens(g, 4.0f, 4.0f, Confusion::linear)).result);
    g.output("behind", g.add(lens(g, 16.0f, 16.0f, Confusion::linear)).result);
    Running running = run(std::move(g));
    const HostImage before = running.image("before");
    const HostImage behind = running.image("behind");
    ASSERT_FALSE(before.empty() || behind.empty());
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_NEAR(before.texel(x, y)[c], behind.texel(x, y)[c], kExact);
    expect_box(before, 20, 20, 0.5 * 0.0035 * 6.0 / 0.24 * kSide, kExact);
}

TEST_F(LensEffects, AnEvenPictureStaysEvenHoweverBlurred) {
    for (std::uint32_t i = 0; i < kSide * kSide; ++i)
        picture_.set_texel({0.7f, 0.3f, 12.5f, 1.0f}, i % kSide, i / kSide);
    for (const Confusion confusion : kConfusions) {
        Graph g = graph();
        g.output("result", g.add(lens(g, 3.0f, 40.0f, confusion)).result);
        const HostImage result = run(std::move(g)).image("result");
        ASSERT_FALSE(result.empty());
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x)
                for (std::size_t c = 0; c < 4; ++c)
                    ASSERT_NEAR(result.texel(x, y)[c], picture_.texel(x, y)[c],
                                1e-6f * picture_.texel(x, y)[c])
                        << x << ", " << y;
    }
}

TEST_F(LensEffects, WhatIsSharpDoesNotSpread) {
    Graph g = graph();
    g.output("result", g.add(lens(g, 10.0f, 100.0f)).result);
    const HostImage result = run(std::move(g)).image("result");
    ASSERT_FALSE(result.empty());
    const double radius = radius_of(100.0);
    ASSERT_GT(radius, 6.0);
    // Three texels from the sharp half the box ends two texels away; farther away it is whole.
    expect_box(result, kSide / 2 + 2, 30, 2.0);
    expect_box(result, kSide - 8, 30, radius);
}

TEST_F(LensEffects, GlassBlursWhatIsBehindItOnly) {
    Graph g = graph();
    const Image behind = depth(g, "depth", 20.0f, 20.0f);
    // The layer lies in front of the left half and behind the right one.
    const Image layer = depth(g, "layer", 5.0f, 50.0f);
    const Translucency added = g.add(Translucency{.source = source(g),
                                                  .depth = behind,
                                                  .layer_depth = layer,
                                                  .tint = {1.0f, 0.5f, 0.25f},
                                                  .radius = 6.0f});
    g.output("result", added.result);
    g.output("depth", added.result_depth);
    g.output("before", behind);
    g.output("layer", layer);
    Running running = run(std::move(g));
    const HostImage result = running.image("result");
    const HostImage depths = running.image("depth");
    ASSERT_FALSE(result.empty());
    const HostImage before = running.image("before");
    const HostImage in_front = running.image("layer");
    ASSERT_FALSE(before.empty());
    for (std::uint32_t y = 0; y < kSide; y += 9)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const bool covered = x < kSide / 2;
            ASSERT_EQ(depths.texel(x, y)[0], (covered ? in_front : before).texel(x, y)[0]);
            if (covered) {
                const auto expected = box_mean(x, y, 6.0);
                const auto texel = result.texel(x, y);
                ASSERT_NEAR(texel[0], expected[0], kTolerance);
                ASSERT_NEAR(texel[1], 0.5 * expected[1], kTolerance);
                ASSERT_NEAR(texel[2], 0.25 * expected[2], kTolerance);
            } else {
                ASSERT_EQ(result.texel(x, y), picture_.texel(x, y));
            }
        }
}

TEST_F(LensEffects, ClearGlassChangesNothing) {
    Graph g = graph();
    const Image behind = depth(g, "depth", 20.0f, 20.0f);
    const Image layer = depth(g, "layer", 5.0f, 5.0f);
    for (const auto& [name, material] : {std::pair{"frosted", TranslucentMaterial::frosted},
                                         {"uneven", TranslucentMaterial::uneven},
                                         {"foil", TranslucentMaterial::foil}})
        g.output(name, g.add(Translucency{.source = source(g),
                                          .depth = behind,
                                          .layer_depth = layer,
                                          .material = material,
                                          .radius = 0.0f},
                             name)
                           .result);
    Running running = run(std::move(g));
    for (const std::string_view name : {"frosted", "uneven", "foil"})
        EXPECT_EQ(running.image(name).texels, picture_.texels) << name;
}

/// Uneven plastic again, in double precision: bumps by smooth noise between random heights, of
/// which the height makes the box and the slope moves it.
class Plastic {
  public:
    explicit Plastic(double cell) : cell_(cell) {}

    /// The height at a texel in z, its slopes along x and y.
    glm::dvec3 at(std::uint32_t x, std::uint32_t y) const {
        const glm::dvec2 place = glm::dvec2(x, y) / cell_;
        const glm::ivec2 corner(glm::floor(place));
        const glm::dvec2 f = place - glm::dvec2(corner);
        glm::dvec3 sum(0.0);
        for (int i = 0; i < 4; ++i) {
            const glm::ivec2 far(i & 1, i >> 1);
            glm::dvec2 weight;
            glm::dvec2 growth; // of the weight, along each axis
            for (int axis = 0; axis < 2; ++axis) {
                const double t = f[axis];
                const double up = t * t * (3.0 - 2.0 * t);
                weight[axis] = far[axis] != 0 ? up : 1.0 - up;
                growth[axis] = (far[axis] != 0 ? 6.0 : -6.0) * t * (1.0 - t);
            }
            const double height = random(glm::uvec2(corner + far));
            sum +=
                height * glm::dvec3(growth.x * weight.y, weight.x * growth.y, weight.x * weight.y);
        }
        return sum;
    }

  private:
    /// pcg3d of Jarzynski and Olano, the upper 24 bits of its first word.
    static double random(glm::uvec2 corner) {
        glm::uvec3 v = glm::uvec3(corner, 0u) * 1664525u + 1013904223u;
        for (int round = 0; round < 2; ++round) {
            v.x += v.y * v.z;
            v.y += v.z * v.x;
            v.z += v.x * v.y;
            if (round == 0) v ^= v >> 16u;
        }
        return (v.x >> 8u) * 0x1p-24;
    }

    double cell_;
};

TEST_F(LensEffects, UnevenPlasticMovesAndSizesItsBoxesByItsBumps) {
    for (const auto& [cell, radius] : {std::pair{24.0f, 8.0f}, {7.5f, 3.0f}, {1.0f, 2.0f}}) {
        SCOPED_TRACE(cell);
        Graph g = graph();
        const Image behind = depth(g, "depth", 20.0f, 20.0f);
        const Image layer = depth(g, "layer", 5.0f, 5.0f);
        const auto plastic = [&](float scale) {
            return Translucency{.source = source(g),
                                .depth = behind,
                                .layer_depth = layer,
                                .material = TranslucentMaterial::uneven,
                                .tint = {1.0f, 0.5f, 0.25f},
                                .radius = radius,
                                .cell = scale};
        };
        g.output("result", g.add(plastic(cell)).result);
        const HostImage result = run(std::move(g)).image("result");
        ASSERT_FALSE(result.empty());
        const Plastic bumps(cell);
        std::array<int, 4> moved{}; // to the left, right, up and down
        int unsure = 0;
        double least = 1.0;
        double most = 0.0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const glm::dvec3 bump = bumps.at(x, y);
                const glm::dvec2 offset = double{radius} * glm::dvec2(bump);
                const glm::dvec2 half = glm::abs(glm::fract(offset) - 0.5);
                if (std::min(half.x, half.y) < 1e-3) { // may be rounded up or down
                    ++unsure;
                    continue;
                }
                const glm::dvec2 whole = glm::round(offset);
                moved[0] += whole.x < 0;
                moved[1] += whole.x > 0;
                moved[2] += whole.y < 0;
                moved[3] += whole.y > 0;
                least = std::min(least, bump.z);
                most = std::max(most, bump.z);
                const glm::dvec2 center =
                    glm::clamp(glm::dvec2(x, y) + whole, 0.0, double{kSide - 1});
                const auto expected = box_mean(center.x, center.y, radius * bump.z);
                const auto texel = result.texel(x, y);
                for (std::size_t c = 0; c < 3; ++c)
                    ASSERT_NEAR(texel[c] * (1u << c), expected[c], 1e-4) << x << ", " << y;
            }
        EXPECT_LT(unsure, 100);
        EXPECT_GT(most - least, 0.5);
        for (const int count : moved)
            EXPECT_GT(count, cell > 1.0f ? 100 : -1); // texels are corners, where there is no slope
    }
}

TEST_F(LensEffects, MaterialsDiffer) {
    Graph g = graph();
    const Image behind = depth(g, "depth", 20.0f, 20.0f);
    const Image layer = depth(g, "layer", 5.0f, 5.0f);
    for (const auto& [name, material] :
         {std::pair{"uneven", TranslucentMaterial::uneven}, {"foil", TranslucentMaterial::foil}})
        g.output(name, g.add(Translucency{.source = source(g),
                                          .depth = behind,
                                          .layer_depth = layer,
                                          .material = material,
                                          .radius = 8.0f},
                             name)
                           .result);
    Running running = run(std::move(g));
    const HostImage foil = running.image("foil");
    ASSERT_FALSE(foil.empty());
    expect_box(foil, 20, 20, 2.0);
    EXPECT_NE(running.image("uneven").texels, foil.texels);
}

TEST_F(LensEffects, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [&](auto make, std::string_view code) {
        Graph g = graph();
        g.output("result", g.add(make(g)).result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        ASSERT_EQ(plan.error().size(), 1u) << to_string(plan.error());
        EXPECT_EQ(plan.error()[0].code, code);
    };
    const auto with = [&](auto change) {
        return [this, change](Graph& g) {
            DepthOfField pass = lens(g, 5.0f, 5.0f);
            change(g, pass);
            return pass;
        };
    };
    expect_one(with([](Graph&, DepthOfField& p) { p.focus = p.focal_length; }),
               "pass/out-of-range");
    expect_one(with([](Graph&, DepthOfField& p) { p.far_plane = 0.5f; }), "pass/out-of-range");
    expect_one(with([](Graph&, DepthOfField& p) { p.slope = -1.0f; }), "pass/out-of-range");
    expect_one(with([](Graph&, DepthOfField& p) { p.aperture = -1.0f; }), "pass/out-of-range");
    expect_one(with([](Graph& g, DepthOfField& p) {
                   p.depth = g.image("small", {.format = Format::r32_sfloat, .extent = {8, 8}});
               }),
               "image/size-mismatch");
    expect_one(
        [&](Graph& g) {
            return Translucency{.source = source(g),
                                .depth = depth(g, "depth", 5, 5),
                                .layer_depth = depth(g, "layer", 5, 5),
                                .radius = std::numeric_limits<float>::infinity()};
        },
        "pass/out-of-range");
}

} // namespace
} // namespace tuff
