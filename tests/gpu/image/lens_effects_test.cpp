#include "passes/image/box_filter.hpp"
#include "passes/image/depth_of_field.hpp"
#include "passes/image/translucency.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/image_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

/// What the lecture makes of summed-area tables: depth of field and translucency.
namespace tuff {
namespace {

using passes::BoxFilter;
using passes::DepthOfField;
using passes::Translucency;
using passes::TranslucentMaterial;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kSide = 64;
constexpr double kTolerance = 2.0 / 255.0; // as the lecture's pictures are stored

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
    DepthOfField lens(Graph& g, float left, float right) {
        return {.source = source(g),
                .depth = depth(g, "depth", left, right),
                .near_plane = 1.0f,
                .far_plane = 100.0f,
                .focus = 10.0f,
                .aperture = 1.0f,
                .focal_length = 0.5f,
                .sensor_height = 0.24f};
    }
    /// Half the circle of confusion at depth z, in texels.
    static double radius_of(double z) {
        return 0.5 * 1.0 * 0.5 / (10.0 - 0.5) * std::abs(z - 10.0) / z / 0.24 * kSide;
    }
    /// The mean over the box around a texel, whose outermost texels count in part.
    std::array<double, 4> box_mean(double x, double y, double radius) const {
        std::array<double, 4> sum{};
        double area = 0.0;
        const double low_x = std::max(x - radius, 0.0);
        const double high_x = std::min(x + 1 + radius, double{kSide});
        const double low_y = std::max(y - radius, 0.0);
        const double high_y = std::min(y + 1 + radius, double{kSide});
        for (std::uint32_t j = 0; j < kSide; ++j)
            for (std::uint32_t i = 0; i < kSide; ++i) {
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
    void expect_box(const HostImage& result, std::uint32_t x, std::uint32_t y, double radius) {
        const auto expected = box_mean(x, y, radius);
        for (std::size_t c = 0; c < 3; ++c)
            ASSERT_NEAR(result.texel(x, y)[c], expected[c], kTolerance) << x << ", " << y;
    }
};

TEST_F(LensEffects, WhatIsInFocusStaysToTheBit) {
    Graph g = graph();
    DepthOfField pass = lens(g, 10.0f, 10.0f);
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
        DepthOfField pass = lens(g, 10.0f, 10.0f);
        const ImageDesc desc{.format = Format::r32_sfloat, .extent = {kSide, kSide}};
        pass.depth = g.copy(
            g.constant_image("clip", desc, bytes_of(std::vector<float>(kSide * kSide, clip))),
            g.image("clip", desc));
        g.output("result", g.add(pass).result);
        EXPECT_EQ(run(std::move(g)).image("result").texels, picture_.texels) << step;
    }
}

TEST_F(LensEffects, WhatIsOutOfFocusIsTheMeanOverItsCircleOfConfusion) {
    for (const float z : {3.0f, 30.0f, 100.0f}) {
        Graph g = graph();
        g.output("result", g.add(lens(g, z, z)).result);
        const HostImage result = run(std::move(g)).image("result");
        ASSERT_FALSE(result.empty());
        ASSERT_GT(radius_of(z), 3.0);
        for (std::uint32_t y = 0; y < kSide; y += 7)
            for (std::uint32_t x = 0; x < kSide; x += 5)
                expect_box(result, x, y, radius_of(z));
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
