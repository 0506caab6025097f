#include "passes/filter/color_wheel.hpp"
#include "passes/filter/glyphs.hpp"
#include "passes/filter/phantom.hpp"
#include "passes/filter/slices.hpp"
#include "tests/gpu/filter/structure_fixture.hpp"
#include "tests/gpu/filter/waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// The phantom against its formula, and what pictures of arrays and tensors show.
namespace tuff {
namespace {

using passes::FilterColorWheel;
using passes::FilterGlyphs;
using passes::FilterPhantom;
using passes::FilterSlices;
using passes::GlyphShape;
using passes::PhantomEllipsoid;
using passes::PhantomShape;
using testing::ElementsAre;
using testing_gpu::kWavePi;
using testing_gpu::Running;

class FilterPictures : public testing_gpu::StructureTest {};

/// (value - 1) / |slope| is how far the surface is, in voxels, to first order.
double coverage_of(const PhantomEllipsoid& one, const glm::dvec3& place, const glm::dvec3& voxel,
                   double time) {
    const auto quotient = [&](const glm::dvec3& at) {
        const double beat =
            static_cast<double>(one.beat.x) *
            (0.5 - 0.5 * std::cos(2.0 * kWavePi * (time + static_cast<double>(one.beat.y))));
        const glm::dvec3 radii = glm::dvec3(one.radii_value) * (1.0 - beat);
        const double angle = static_cast<double>(one.center_angle.w);
        const glm::dvec3 from = at - glm::dvec3(one.center_angle);
        const glm::dvec3 turned(std::cos(angle) * from.x + std::sin(angle) * from.y,
                                -std::sin(angle) * from.x + std::cos(angle) * from.y, from.z);
        return glm::length(turned / radii);
    };
    if (quotient(place) < 1e-3) return 1.0;
    glm::dvec3 slope;
    for (int a = 0; a < 3; ++a) {
        glm::dvec3 step(0.0);
        step[a] = 1e-5 * voxel[a];
        slope[a] = (quotient(place + step) - quotient(place - step)) / 2e-5;
    }
    return std::clamp(0.5 - (quotient(place) - 1.0) / glm::length(slope), 0.0, 1.0);
}

TEST_F(FilterPictures, OfTheThoraxAreItsEllipsoids) {
    const glm::uvec4 size(33, 31, 18, 5);
    Graph g = graph();
    const auto pass = g.add(FilterPhantom{.size = size, .noise = 0.25f, .seed = 5});
    g.output("noisy", pass.result);
    g.output("reference", pass.reference);
    g.output("other", g.add(FilterPhantom{.size = size, .noise = 0.25f, .seed = 6}).result);
    Running running = run(std::move(g));
    const auto clean = running.buffer<float>("reference");
    const auto noisy = running.buffer<float>("noisy");
    ASSERT_EQ(clean.size(), 33u * 31 * 18 * 5);
    const glm::dvec3 voxel = 2.0 / glm::dvec3(size);
    for (std::size_t i = 0; i < clean.size(); i += 7) {
        const glm::dvec3 at(i % 33, i / 33 % 31, i / (33 * 31) % 18);
        const double time = static_cast<double>(i / (33 * 31 * 18)) / 5.0;
        double value = 0.0;
        for (const PhantomEllipsoid& one : passes::phantom_thorax()) {
            const double share = coverage_of(one, (at + 0.5) * voxel - 1.0, voxel, time);
            value += share * (static_cast<double>(one.radii_value.w) - value);
        }
        // Devices' sines and cosines are good to 2^-11.
        ASSERT_NEAR(static_cast<double>(clean[i]), value, 2e-3) << i;
    }
    // White, of the standard deviation, and another one for another seed.
    const auto other = running.buffer<float>("other");
    double mean = 0.0, variance = 0.0, neighbours = 0.0, seeds = 0.0;
    const double count = static_cast<double>(clean.size());
    for (std::size_t i = 0; i + 1 < clean.size(); ++i) {
        const auto noise = static_cast<double>(noisy[i] - clean[i]);
        mean += noise / count;
        variance += noise * noise / count;
        neighbours += noise * static_cast<double>(noisy[i + 1] - clean[i + 1]) / count;
        seeds += noise * static_cast<double>(other[i] - clean[i]) / count;
    }
    EXPECT_NEAR(mean, 0.0, 4.0 * 0.25 / std::sqrt(count));
    EXPECT_NEAR(variance, 0.0625, 4.0 * 0.0625 * std::sqrt(2.0 / count));
    EXPECT_NEAR(neighbours, 0.0, 4.0 * 0.0625 / std::sqrt(count));
    EXPECT_NEAR(seeds, 0.0, 4.0 * 0.0625 / std::sqrt(count));
}

/// The distance to the wire, by trying its points.
TEST_F(FilterPictures, OfTheHelixFallOffAroundTheWire) {
    const glm::uvec4 size(24, 25, 26, 3);
    Graph g = graph();
    g.output("helix", g.add(FilterPhantom{.shape = PhantomShape::helix,
                                          .size = size,
                                          .turns = 2.5f,
                                          .radius = 0.6f,
                                          .width = 0.1f})
                          .reference);
    Running running = run(std::move(g));
    const auto helix = running.buffer<float>("helix");
    ASSERT_EQ(helix.size(), 24u * 25 * 26 * 3);
    for (std::size_t i = 0; i < helix.size(); i += 37) {
        const glm::dvec3 at =
            (glm::dvec3(i % 24, i / 24 % 25, i / 600 % 26) + 0.5) * 2.0 / glm::dvec3(size) - 1.0;
        const double time = static_cast<double>(i / (600 * 26)) / 3.0;
        double nearest = 1e9;
        // Beyond both ends, as the formula has it.
        for (int step = -4000; step <= 24000; ++step) {
            const double way = step / 20000.0; // from end to end
            const double angle = 2.0 * kWavePi * (2.5 * way + time);
            nearest = std::min(
                nearest, glm::distance(at, glm::dvec3(0.6 * std::cos(angle), 0.6 * std::sin(angle),
                                                      2.0 * way - 1.0)));
        }
        ASSERT_NEAR(static_cast<double>(helix[i]), std::exp(-0.5 * nearest * nearest / 0.01), 2e-3)
            << i;
    }
}

TEST_F(FilterPictures, OfOrientationsAreColouredByTwiceTheAngle) {
    // Along x, along y, a diagonal, nothing, no direction, twice as bright as white.
    const std::vector<float> xx{1.0f, 0.0f, 0.25f, 0.0f, 0.5f, 4.0f};
    const std::vector<float> xy{0.0f, 0.0f, 0.25f, 0.0f, 0.0f, 0.0f};
    const std::vector<float> yy{0.0f, 1.0f, 0.25f, 0.0f, 0.5f, 0.0f};
    std::vector<float> tensor = xx;
    tensor.insert(tensor.end(), xy.begin(), xy.end());
    tensor.insert(tensor.end(), yy.begin(), yy.end());
    Graph g = graph();
    const Buffer source = numbers(g, "tensor", tensor);
    g.output("wheel", g.add(FilterColorWheel{.tensor = source, .size = {6, 1}}).result);
    g.output("legend",
             g.add(FilterColorWheel{.tensor = numbers(g, "zero", std::vector<float>(3 * 64 * 64)),
                                    .size = {64, 64},
                                    .legend = 20.0f})
                 .result);
    Running running = run(std::move(g));
    const HostImage wheel = running.image("wheel");
    ASSERT_FALSE(wheel.empty());
    const auto expect = [](const HostImage& image, std::uint32_t x, std::uint32_t y, float r,
                           float green, float b) {
        EXPECT_NEAR(image.texel(x, y)[0], r, 0.06f) << x;
        EXPECT_NEAR(image.texel(x, y)[1], green, 0.06f) << x;
        EXPECT_NEAR(image.texel(x, y)[2], b, 0.06f) << x;
    };
    expect(wheel, 0, 0, 1.0f, 0.0f, 0.0f);  // red
    expect(wheel, 1, 0, 0.0f, 1.0f, 1.0f);  // cyan, half a turn of the hue
    expect(wheel, 2, 0, 0.25f, 0.5f, 0.0f); // a quarter: between yellow and green, half as bright
    expect(wheel, 3, 0, 0.0f, 0.0f, 0.0f);
    expect(wheel, 4, 0, 0.5f, 0.5f, 0.5f);
    expect(wheel, 5, 0, 1.0f, 0.0f, 0.0f);
    const HostImage legend = running.image("legend"); // its middle is at 39
    expect(legend, 39 + 19, 39, 0.95f, 0.0f, 0.02f);
    expect(legend, 39 - 20, 39, 0.95f, 0.0f, 0.0f);
    expect(legend, 39, 39 + 19, 0.0f, 0.95f, 0.95f);
    expect(legend, 5, 5, 0.0f, 0.0f, 0.0f);
}

TEST_F(FilterPictures, OfSlicesHaveThemInTheirOrder) {
    const glm::uvec4 size(5, 3, 4, 3);
    std::vector<float> values;
    for (std::uint32_t i = 0; i < 180; ++i)
        values.push_back(static_cast<float>(i));
    Graph g = graph();
    const Buffer source = numbers(g, "source", values);
    g.output("slices", g.add(FilterSlices{.source = source,
                                          .size = size,
                                          .slices = {3, 0.5f},
                                          .times = {2, 0, 1},
                                          .low = 20.0f,
                                          .high = 160.0f,
                                          .gap = 2})
                           .result);
    g.output("middle", g.add(FilterSlices{.source = source, .size = size, .high = 255.0f}).result);
    Running running = run(std::move(g));
    const HostImage picture = running.image("slices");
    ASSERT_FALSE(picture.empty());
    ASSERT_EQ(picture.extent.width, 12u);
    ASSERT_EQ(picture.extent.height, 13u);
    for (std::uint32_t y = 0; y < 13; ++y)
        for (std::uint32_t x = 0; x < 12; ++x) {
            float expected = 0.0f;
            if (x % 7 < 5 && y % 5 < 3) {
                const std::uint32_t z = x < 7 ? 3 : 0;
                const std::uint32_t w = y < 5 ? 2 : y < 10 ? 0 : 1;
                const auto value = static_cast<float>(((w * 4 + z) * 3 + y % 5) * 5 + x % 7);
                expected = std::clamp((value - 20.0f) / 140.0f, 0.0f, 1.0f);
            }
            ASSERT_NEAR(picture.texel(x, y)[1], expected, 0.003f) << x << ", " << y;
            ASSERT_EQ(picture.texel(x, y)[3], 1.0f);
        }
    EXPECT_NEAR(running.image("middle").texel(0, 0)[0], 30.0f / 255.0f, 0.003f);
}

/// A tensor of equal places, as components.
std::vector<float> even_tensor(std::size_t places, const std::vector<float>& components) {
    std::vector<float> all;
    for (const float component : components)
        all.insert(all.end(), places, component);
    return all;
}

double linear(float encoded) {
    const auto c = static_cast<double>(encoded);
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

TEST_F(FilterPictures, OfTensorsInThePlaneAreEllipses) {
    const std::vector<float> picture(32 * 16, 0.5f);
    Graph g = graph();
    // Varies along x: lines along y. Two cells of 16, 8 texels a place.
    FilterGlyphs pass{.tensor = numbers(g, "tensor", even_tensor(512, {1.0f, 0.0f, 0.5f})),
                      .source = numbers(g, "picture", picture),
                      .size = {32, 16, 1, 1},
                      .step = 16,
                      .width = 256,
                      .height = 128,
                      .shape = GlyphShape::variation,
                      .brightness = 0.5f};
    g.output("variation", g.add(pass).result);
    pass.shape = GlyphShape::structure;
    g.output("structure", g.add(pass).result);
    pass.least = 1.0f; // the eigenvalue is not above it
    g.output("none", g.add(pass).result);
    Running running = run(std::move(g));
    const HostImage variation = running.image("variation");
    const HostImage structure = running.image("structure");
    ASSERT_FALSE(variation.empty());
    EXPECT_NEAR(linear(running.image("none").texel(64, 64)[0]), 0.25, 0.02);
    // Half axes of 0.48 * 16 places, and of half, or 0.12, of that.
    const auto inside = [](double x, double y, double across, double down) {
        return std::hypot(x / across, y / down);
    };
    for (std::uint32_t y = 0; y < 128; ++y)
        for (std::uint32_t x = 0; x < 256; ++x) {
            const double from_x = (x % 128 + 0.5 - 64.0) / 8.0;
            const double from_y = (y + 0.5 - 64.0) / 8.0;
            const double flat = inside(from_x, from_y, 7.68, 3.84);
            // Away from the edge, which is a texel wide.
            if (flat < 0.9) {
                ASSERT_NEAR(linear(variation.texel(x, y)[0]), 1.0, 0.02) << x << ", " << y;
            }
            if (flat > 1.1) {
                ASSERT_NEAR(linear(variation.texel(x, y)[0]), 0.25, 0.02) << x << ", " << y;
            }
            // 1 - 1 becomes 0.12 of the longest, which is 1 - 0.5.
            const double tall = inside(from_x, from_y, 7.68 * 0.24, 7.68);
            if (tall < 0.8) {
                ASSERT_NEAR(linear(structure.texel(x, y)[1]), 1.0, 0.02) << x << ", " << y;
            }
            if (tall > 1.2) {
                ASSERT_NEAR(linear(structure.texel(x, y)[1]), 0.25, 0.02) << x << ", " << y;
            }
        }
}

/// From any side a sphere covers pi r^2, and an ellipsoid what its shadow does.
TEST_F(FilterPictures, OfTensorsInSpaceAreEllipsoids) {
    struct View {
        float yaw;
        float pitch;
    };
    const std::vector<View> views{{0, 0}, {90, 0}, {0, 90}, {37, -21}, {200, 65}};
    Graph g = graph();
    for (std::size_t i = 0; i < views.size(); ++i) {
        FilterGlyphs pass{.tensor = numbers(g, "t", even_tensor(512, {1, 0, 0, 1, 0, 1})),
                          .dimensions = 3,
                          .size = {8, 8, 8, 1},
                          .step = 8,
                          .width = 160,
                          .height = 128,
                          .shape = GlyphShape::variation,
                          .yaw = views[i].yaw,
                          .pitch = views[i].pitch};
        g.output(fmt::format("sphere {}", i), g.add(pass).result);
        pass.tensor = numbers(g, "t", even_tensor(512, {1, 0, 0, 0.5f, 0, 0.25f}));
        g.output(fmt::format("ellipsoid {}", i), g.add(pass).result);
    }
    // Without glyphs, the brightest number along the ray, in the cube's shadow alone.
    std::vector<float> bright(512, 0.2f);
    bright[3 * 64 + 3 * 8 + 3] = 0.8f;
    g.output("behind", g.add(FilterGlyphs{.tensor = numbers(g, "t", std::vector<float>(3072)),
                                          .source = numbers(g, "bright", bright),
                                          .dimensions = 3,
                                          .size = {8, 8, 8, 1},
                                          .width = 128,
                                          .height = 128,
                                          .brightness = 1.0f,
                                          .yaw = 0.0f,
                                          .pitch = 0.0f})
                           .result);
    Running running = run(std::move(g));
    // The diagonal of the volume is as long as the picture is high.
    const double places = std::sqrt(3.0) * 8.0 / 128.0; // of a texel
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto area_of = [&](const std::string& name) {
            const HostImage image = running.image(name);
            double texels = 0.0;
            for (std::uint32_t y = 0; y < 128; ++y)
                for (std::uint32_t x = 0; x < 160; ++x)
                    texels += image.texel(x, y)[0] > 0.0f ? 1.0 : 0.0;
            return texels * places * places;
        };
        const double r = 0.48 * 8.0;
        EXPECT_NEAR(area_of(fmt::format("sphere {}", i)), kWavePi * r * r, 0.02 * kWavePi * r * r)
            << i;
        const double yaw = static_cast<double>(views[i].yaw) * kWavePi / 180.0;
        const double pitch = static_cast<double>(views[i].pitch) * kWavePi / 180.0;
        const glm::dvec3 into(std::sin(yaw) * std::cos(pitch), std::sin(pitch),
                              std::cos(yaw) * std::cos(pitch));
        // The shadow of half axes a, b, c along the direction n: pi |(n_x b c, n_y a c, n_z a b)|.
        const glm::dvec3 half(r, 0.5 * r, 0.25 * r);
        const double shadow =
            kWavePi * glm::length(glm::dvec3(into.x * half.y * half.z, into.y * half.x * half.z,
                                             into.z * half.x * half.y));
        EXPECT_NEAR(area_of(fmt::format("ellipsoid {}", i)), shadow, 0.03 * shadow + 0.2) << i;
    }
    const HostImage behind = running.image("behind");
    const auto texel = [&](double x, double y) {
        return linear(behind.texel(static_cast<std::uint32_t>(64.0 + (x - 4.0) / places),
                                   static_cast<std::uint32_t>(64.0 + (y - 4.0) / places))[0]);
    };
    EXPECT_NEAR(texel(3.5, 3.5), 0.8, 0.02);
    EXPECT_NEAR(texel(4.5, 3.5), 0.2, 0.02);
    EXPECT_NEAR(texel(0.3, 7.7), 0.2, 0.02);
    EXPECT_NEAR(texel(-0.4, 4.0), 0.0, 0.01);
}

TEST_F(FilterPictures, ThatCannotBeMadeAreRefused) {
    const auto refused = [&](auto pass, auto set) {
        Graph g = graph();
        set(g, pass);
        g.output("picture", g.add(pass).result);
        return codes(std::move(g));
    };
    const auto slices = [&](FilterSlices pass) {
        return refused(pass, [](Graph& g, FilterSlices& one) {
            one.source = numbers(g, "source", std::vector<float>(24));
        });
    };
    EXPECT_TRUE(slices({.size = {2, 3, 4, 1}}).empty());
    EXPECT_THAT(slices({.size = {2, 3, 5, 1}}), ElementsAre("filter/too-short"));
    EXPECT_THAT(slices({.size = {2, 3, 4, 1}, .slices = {4}}), ElementsAre("filter/no-slice"));
    EXPECT_THAT(slices({.size = {2, 3, 4, 1}, .times = {-1}}), ElementsAre("filter/no-slice"));
    EXPECT_THAT(slices({.size = {2, 3, 4, 1}, .low = 1.0f}), ElementsAre("pass/out-of-range"));
    EXPECT_THAT(slices({.size = {24, 1, 1, 1}, .times = std::vector<float>(9000)}),
                ElementsAre("filter/too-large"));
    const auto glyphs = [&](FilterGlyphs pass) {
        return refused(pass, [](Graph& g, FilterGlyphs& one) {
            one.tensor = numbers(g, "tensor", std::vector<float>(6 * 64));
        });
    };
    EXPECT_TRUE(glyphs({.dimensions = 3, .size = {4, 4, 4, 1}}).empty());
    EXPECT_THAT(glyphs({.dimensions = 2, .size = {4, 4, 4, 1}}), ElementsAre("filter/axes"));
    EXPECT_THAT(glyphs({.dimensions = 3, .size = {4, 4, 2, 2}}), ElementsAre("filter/axes"));
    EXPECT_THAT(glyphs({.dimensions = 3, .size = {4, 4, 5, 1}}), ElementsAre("filter/too-short"));
    EXPECT_THAT(refused(FilterColorWheel{.size = {3, 3}},
                        [](Graph& g, FilterColorWheel& one) {
                            one.tensor = numbers(g, "tensor", std::vector<float>(26));
                        }),
                ElementsAre("filter/too-short"));
    Graph g = graph();
    g.output("phantom", g.add(FilterPhantom{.size = {0, 1, 1, 1}}).result);
    EXPECT_THAT(codes(std::move(g)), ElementsAre("filter/empty"));
}

} // namespace
} // namespace tuff
