#include "passes/scene/environment.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/scene/environment_reference.hpp"

#include <tuff/image.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

/// scene/environment against sums over the sphere in double precision, and against what must hold
/// exactly.
namespace tuff {
namespace {

using passes::Environment;
using passes::EnvironmentMap;
using reference::Patch;
using reference::Vector;
using testing::Each;
using testing::FloatNear;
using testing_gpu::bytes_of;
using testing_gpu::Running;
using Vec4 = std::array<float, 4>;

constexpr double kHalfFloatStep = 1.0 / 1024.0; // between neighbouring halves, relative, at most

/// A bright zenith, a dim ground, and a sun about 3 degrees wide 30 degrees above the horizon,
/// which gives a third of all light.
Vector sun_and_gradient(const Vector& d) {
    const Vector sun = reference::normalized({0.8, 0.55, -0.4});
    const double disc = 300.0 * std::exp(400.0 * (reference::dot(d, sun) - 1.0));
    const double height = 0.5 + 0.5 * d[1];
    return {0.1 + 0.5 * height + disc, 0.1 + 0.8 * height + 0.9 * disc,
            0.1 + 1.2 * height * height + 0.7 * disc};
}

/// No sun: degree 2 in the direction, which spherical harmonics up to 2 hold exactly.
Vector smooth(const Vector& d) {
    return {1.0 + 0.5 * d[0] + 0.25 * d[1] * d[2], 1.0 - 0.4 * d[1] + 0.3 * d[0] * d[0],
            1.0 + 0.3 * d[2] - 0.2 * d[0] * d[2]};
}

const std::vector<Vector> kNormals{{1, 0, 0},
                                   {-1, 0, 0},
                                   {0, 1, 0},
                                   {0, -1, 0},
                                   {0, 0, 1},
                                   {0, 0, -1},
                                   reference::normalized({1, 2, 3}),
                                   reference::normalized({-3, 1, -2}),
                                   reference::normalized({2, -3, -1}),
                                   reference::normalized({0.8, 0.55, -0.4})};

class EnvironmentTest : public testing_gpu::GpuTest {
  protected:
    static HostImage even(Vec4 radiance, Extent extent = {16, 8, 1}) {
        HostImage image = make_image(Format::rgba32_sfloat, extent);
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                image.set_texel(radiance, x, y);
        return image;
    }
    static Image constant(Graph& g, const HostImage& image) {
        return g.constant_image("panorama", {.format = image.format, .extent = image.extent},
                                std::make_shared<const std::vector<std::byte>>(image.texels));
    }
    /// The maps of a panorama, as outputs "specular", "irradiance" and "dfg".
    Running light(const HostImage& panorama, std::uint32_t size, std::uint32_t samples = 64) {
        Graph g = graph();
        const EnvironmentMap map =
            g.add(Environment{.panorama = constant(g, panorama), .size = size, .samples = samples})
                .environment;
        g.output("specular", map.specular);
        g.output("irradiance", map.irradiance);
        g.output("dfg", map.dfg);
        return run(std::move(g));
    }
    struct Look {
        Vec4 diffuse;
        Vec4 specular;
        Vec4 background;
    };
    /// What surfaces of these normals and one roughness show.
    std::vector<Look> looks(const HostImage& panorama, const std::vector<Vector>& normals,
                            float roughness, float rotation, std::uint32_t size = 32) {
        std::vector<Vec4> values;
        for (const Vector& n : normals)
            values.push_back({static_cast<float>(n[0]), static_cast<float>(n[1]),
                              static_cast<float>(n[2]), roughness});
        const std::uint64_t bytes = values.size() * sizeof(Vec4);
        Graph g = graph();
        const EnvironmentMap map =
            g.add(
                 Environment{.panorama = constant(g, panorama), .size = size, .rotation = rotation})
                .environment;
        auto node = g.compute("test/environment_lookup");
        node.set("rotation", map.rotation);
        node.read("specular", map.specular);
        node.read("panorama", map.panorama, {.address_u = AddressMode::repeat});
        node.read("irradiance", map.irradiance);
        node.read("normals", g.constant_buffer("normals", {.size = bytes}, bytes_of(values)));
        node.dispatch_over({static_cast<std::uint32_t>(values.size())});
        g.output("looks", node.write("looks", g.buffer("looks", {.size = 3 * bytes})));
        return run(std::move(g)).buffer<Look>("looks");
    }
    static std::uint32_t levels_of(std::uint32_t size) { return full_mip_count({size, size}) - 2; }

    /// How far a level of the prefiltered cube is from the reference, over every `step`th texel
    /// along each axis.
    struct LevelError {
        double largest = 0.0; ///< as a share of the brightest texel
        double typical = 0.0; ///< root mean square of the errors relative to their texels
    };
    static LevelError specular_error(Running& running, const std::vector<Patch>& patches,
                                     std::uint32_t size, std::uint32_t level, int step) {
        const int side = static_cast<int>(size >> level);
        const double roughness = static_cast<double>(level) / (levels_of(size) - 1);
        LevelError error;
        double brightest = 0.0;
        int count = 0;
        for (int face = 0; face < 6; ++face) {
            const HostImage image =
                running.image("specular", level, static_cast<std::uint32_t>(face));
            for (int y = 0; y < side; y += step)
                for (int x = 0; x < side; x += step, ++count) {
                    const double wanted = reference::prefiltered(
                        patches, reference::cube_texel_direction(face, x, y, side), roughness)[1];
                    const double got = image.texel(static_cast<std::uint32_t>(x),
                                                   static_cast<std::uint32_t>(y))[1];
                    brightest = std::max(brightest, wanted);
                    error.largest = std::max(error.largest, std::abs(got - wanted));
                    error.typical += std::pow(got / wanted - 1.0, 2.0);
                }
        }
        error.largest /= brightest;
        error.typical = std::sqrt(error.typical / count);
        return error;
    }
};

TEST_F(EnvironmentTest, EvenLightStaysWhatItIs) {
    const Vec4 radiance{0.7f, 3.0f, 1e-3f, 1.0f};
    // Devices may round stores towards zero: one step for the projection, one for each halving
    // down to the level that the roughest lobe reads, one for the result.
    constexpr double kStores = 6.0;
    Running running = light(even(radiance), 32);
    for (std::uint32_t level = 0; level < levels_of(32); ++level)
        for (std::uint32_t face = 0; face < 6; ++face) {
            const HostImage image = running.image("specular", level, face);
            for (std::uint32_t y = 0; y < image.extent.height; ++y)
                for (std::uint32_t x = 0; x < image.extent.width; ++x)
                    for (std::size_t c = 0; c < 4; ++c)
                        ASSERT_NEAR(image.texel(x, y)[c], radiance[c],
                                    radiance[c] * kHalfFloatStep * kStores)
                            << "level " << level << " face " << face;
        }
    const auto sh = running.buffer<Vec4>("irradiance");
    ASSERT_EQ(sh.size(), 9u);
    // Vulkan lets sines be wrong by 2^-11.
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(sh[0][c], radiance[c], 5e-4 * radiance[c]);
        for (std::size_t i = 1; i < 9; ++i)
            EXPECT_NEAR(sh[i][c], 0.0, 5e-4 * radiance[c]) << i;
    }
    EXPECT_EQ(running.image("dfg").extent, (Extent{64, 64, 1}));
}

// Devices that do not know a face's neighbours filter with texels that nobody writes: with weight
// 0, of which numbers that are none make no less.
TEST_F(EnvironmentTest, NothingOfWhatLayInItsMemoryShows) {
    for (const std::uint32_t size : {16u, 32u}) {
        Graph g = graph();
        const HostImage white = even({1.0f, 1.0f, 1.0f, 1.0f});
        g.output("specular",
                 g.add(Environment{.panorama = constant(g, white), .size = size, .samples = 16})
                     .environment.specular);
        Running running = start(compile_graph(std::move(g), {.poison = true}));
        ASSERT_TRUE(running);
        running.execute(1);
        for (std::uint32_t level = 0; level < levels_of(size); ++level)
            for (std::uint32_t face = 0; face < 6; ++face) {
                const HostImage image = running.image("specular", level, face);
                for (std::uint32_t y = 0; y < image.extent.height; ++y)
                    for (std::uint32_t x = 0; x < image.extent.width; ++x)
                        ASSERT_THAT(image.texel(x, y), Each(FloatNear(1.0f, 0.01f)))
                            << "size " << size << " level " << level << " face " << face;
            }
    }
}

TEST_F(EnvironmentTest, SpecularLevelsComeNearSumsOverTheSphereAndNearerWithMoreSamples) {
    TUFF_ONLY_ON(lavapipe);
    // A hard case: a sun narrower than the footprint of most samples gives a third of all light.
    // Each sample reads a blurred sky, which widens the sun's reflection by a part of the spacing
    // of the samples, the inverse root of their number: four times as many halve the error, down
    // to the widening by the cube's own texels. The bounds are some
    // 1.5 times what was measured.
    struct Bound {
        std::uint32_t samples;
        double largest;
        double typical;
    };
    constexpr std::uint32_t kSize = 64;
    const std::vector<Patch> patches = reference::patches_of(sun_and_gradient, 300);
    const HostImage panorama = reference::panorama_of(sun_and_gradient, 256, 128);
    for (const Bound& bound : {Bound{64, 0.085, 0.06}, Bound{256, 0.045, 0.03}}) {
        Running running = light(panorama, kSize, bound.samples);
        for (std::uint32_t level = 1; level < levels_of(kSize); ++level) {
            const LevelError error =
                specular_error(running, patches, kSize, level, std::max(1, 8 >> level));
            EXPECT_LT(error.largest, bound.largest) << bound.samples << ", level " << level;
            EXPECT_LT(error.typical, bound.typical) << bound.samples << ", level " << level;
        }
    }
}

TEST_F(EnvironmentTest, SpecularLevelsOfASmoothSkyAreRightToOnePercent) {
    // Nothing is narrower than the footprints: what is left are the roundings to halves and the
    // sums' own coarseness at 96 texels and 90 degrees of lobe.
    constexpr std::uint32_t kSize = 32;
    const std::vector<Patch> patches = reference::patches_of(smooth, 180);
    Running running = light(reference::panorama_of(smooth, 128, 64), kSize);
    for (std::uint32_t level = 1; level < levels_of(kSize); ++level)
        EXPECT_LT(specular_error(running, patches, kSize, level, std::max(1, 4 >> level)).largest,
                  0.01)
            << "level " << level;
}

TEST_F(EnvironmentTest, DiffuseLightOfDegreeTwoIsExact) {
    // The panorama's texels are 3 degrees wide and even: that blurs degree 2 by 1e-3.
    const std::vector<Patch> patches = reference::patches_of(smooth, 180);
    const std::vector<Look> got = looks(reference::panorama_of(smooth, 128, 64), kNormals, 1.0f, 0);
    ASSERT_EQ(got.size(), kNormals.size());
    for (std::size_t i = 0; i < kNormals.size(); ++i) {
        const Vector wanted = reference::diffuse(patches, kNormals[i]);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(got[i].diffuse[c], wanted[c], 1e-3) << i << " channel " << c;
    }
}

TEST_F(EnvironmentTest, DiffuseLightOfASunIsRightToWhatDegreeTwoHolds) {
    // Cut off at degree 2, the cosine lobe is wrong by 0.0625 of its peak at most (straight ahead,
    // 1.0625 - 1, and at the edge of the shadow); the sun's share is its integral over pi, 1.5.
    const std::vector<Patch> patches = reference::patches_of(sun_and_gradient, 360);
    const std::vector<Look> got =
        looks(reference::panorama_of(sun_and_gradient, 256, 128), kNormals, 1.0f, 0);
    ASSERT_EQ(got.size(), kNormals.size());
    for (std::size_t i = 0; i < kNormals.size(); ++i) {
        const Vector wanted = reference::diffuse(patches, kNormals[i]);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(got[i].diffuse[c], wanted[c], 0.0625 * 1.5 * 1.05) << i << " channel " << c;
    }
}

TEST_F(EnvironmentTest, TableMatchesTheIntegral) {
    Running running = light(even({1, 1, 1, 1}), 16);
    const HostImage table = running.image("dfg");
    for (const std::uint32_t y : {0u, 7u, 20u, 40u, 63u})
        for (const std::uint32_t x : {0u, 3u, 16u, 40u, 63u}) {
            const auto wanted = reference::split_sum((x + 0.5) / 64.0, (y + 0.5) / 64.0);
            // 256 samples of a weight within [0, 1] on a lattice.
            EXPECT_NEAR(table.texel(x, y)[0], wanted[0], 4e-3) << x << ", " << y;
            EXPECT_NEAR(table.texel(x, y)[1], wanted[1], 4e-3) << x << ", " << y;
        }
}

TEST_F(EnvironmentTest, WhiteSurfacesReflectAllOfEvenLight) {
    Graph g = graph();
    const EnvironmentMap map =
        g.add(Environment{.panorama = constant(g, even({1, 1, 1, 1})), .size = 16}).environment;
    auto node = g.compute("test/environment_furnace");
    node.read("dfg", map.dfg);
    node.dispatch_over({33, 33});
    g.output("reflected",
             node.write("reflected", g.image("reflected", {.format = Format::rgba32_sfloat,
                                                           .extent = {33, 33, 1}})));
    const HostImage image = run(std::move(g)).image("reflected");
    double darkest = 1.0; // of single scattering alone
    for (std::uint32_t y = 0; y < 33; ++y)
        for (std::uint32_t x = 0; x < 33; ++x) {
            const auto texel = image.texel(x, y);
            ASSERT_NEAR(texel[0], 1.0, 0.01) << "metal, " << x << ", " << y;
            ASSERT_NEAR(texel[1], 1.0, 0.01) << "dielectric, " << x << ", " << y;
            darkest = std::min<double>(darkest, texel[2] + texel[3]);
        }
    EXPECT_LT(darkest, 0.6); // there was something to compensate
}

TEST_F(EnvironmentTest, RotationTurnsWhatIsSeenCounterClockwiseFromAbove) {
    const HostImage panorama = reference::panorama_of(sun_and_gradient, 64, 32);
    std::vector<Vector> turned; // by 90 degrees about +y: -z becomes -x
    for (const Vector& n : kNormals)
        turned.push_back({n[2], n[1], -n[0]});
    const std::vector<Look> still = looks(panorama, kNormals, 0.5f, 0.0f);
    const std::vector<Look> rotated = looks(panorama, turned, 0.5f, 90.0f);
    ASSERT_EQ(still.size(), rotated.size());
    for (std::size_t i = 0; i < still.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(rotated[i].diffuse[c], still[i].diffuse[c], 1e-5 * still[i].diffuse[c]);
            // Filtering has 8 bits of weight between texels.
            EXPECT_NEAR(rotated[i].specular[c], still[i].specular[c], 0.01 * still[i].specular[c]);
        }
}

TEST_F(EnvironmentTest, CentreOfThePanoramaLooksAlongMinusZAndTheRightHalfLiesAtPlusX) {
    HostImage image = even({0, 0, 0, 1}, {16, 8, 1});
    for (std::uint32_t y = 3; y < 5; ++y) {
        image.set_texel({4, 0, 0, 1}, 7, y); // about u = 0.5
        image.set_texel({4, 0, 0, 1}, 8, y);
        image.set_texel({0, 4, 0, 1}, 11, y); // about u = 0.75
        image.set_texel({0, 4, 0, 1}, 12, y);
    }
    for (std::uint32_t x = 0; x < 16; ++x)
        image.set_texel({0, 0, 4, 1}, x, 0);
    const std::vector<Look> got = looks(image, {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}}, 0.0f, 0.0f, 64);
    ASSERT_EQ(got.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(got[i].background[c], i == c ? 4.0 : 0.0, 0.01) << i;
            EXPECT_NEAR(got[i].specular[c], i == c ? 4.0 : 0.0, 0.01) << i;
            if (i != c) {
                EXPECT_GT(got[i].diffuse[i], got[i].diffuse[c]) << i;
            }
        }
}

TEST_F(EnvironmentTest, FacesMeetWithoutSeams) {
    // Texels on either side of an edge are 2 / side radians apart at most. Between texels inside
    // the faces that are as far apart the levels change by as much; an edge may not stand out.
    const std::uint32_t size = 64;
    Running running = light(reference::panorama_of(sun_and_gradient, 256, 128), size);
    for (std::uint32_t level = 0; level < levels_of(size); ++level) {
        const std::uint32_t side = size >> level;
        std::array<HostImage, 6> faces;
        for (std::uint32_t face = 0; face < 6; ++face)
            faces[face] = running.image("specular", level, face);
        double inside = 0.0;
        for (const HostImage& face : faces)
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x + 1 < side; ++x)
                    inside = std::max<double>(
                        inside, std::abs(std::log(face.texel(x, y)[0] / face.texel(x + 1, y)[0])));
        // The right edge of +z, -x, -z and +x is the left edge of the next.
        constexpr std::array<std::size_t, 5> kAround{4, 0, 5, 1, 4};
        for (std::size_t i = 0; i < 4; ++i)
            for (std::uint32_t y = 0; y < side; ++y) {
                const double a = faces[kAround[i]].texel(side - 1, y)[0];
                const double b = faces[kAround[i + 1]].texel(0, y)[0];
                EXPECT_LE(std::abs(std::log(a / b)), inside + 2.0 * kHalfFloatStep)
                    << "level " << level << " face " << kAround[i] << " row " << y;
            }
    }
}

TEST_F(EnvironmentTest, ASunOfOneTexelLosesNoLight) {
    // 16x16 faces: a texel of the cube covers some 500 of the panorama.
    HostImage image = even({0, 0, 0, 1}, {512, 256, 1});
    for (const std::uint32_t row : {128u, 40u, 3u}) {
        image.set_texel({1e4f, 0, 0, 1}, 100, row);
        Running running = light(image, 16);
        const double from_top = (row + 0.5) * std::numbers::pi / 256.0;
        const double wanted =
            1e4 * std::sin(from_top) * (std::numbers::pi / 256.0) * (std::numbers::pi / 256.0);
        double sum = 0.0;
        for (std::uint32_t face = 0; face < 6; ++face) {
            const HostImage mirror = running.image("specular", 0, face);
            for (std::uint32_t y = 0; y < 16; ++y)
                for (std::uint32_t x = 0; x < 16; ++x) {
                    const double s = (2.0 * x + 1.0) / 16.0 - 1.0;
                    const double t = (2.0 * y + 1.0) / 16.0 - 1.0;
                    sum += mirror.texel(x, y)[0] / 64.0 * std::pow(1.0 + s * s + t * t, -1.5);
                }
        }
        // Points up to one texel apart weigh a bilinear bump unevenly.
        EXPECT_NEAR(sum / wanted, 1.0, 0.25) << "row " << row;
        const auto sh = running.buffer<Vec4>("irradiance");
        EXPECT_NEAR(sh[0][0] * 4.0 * std::numbers::pi / wanted, 1.0, 5e-3) << "row " << row;
        image.set_texel({0, 0, 0, 1}, 100, row);
    }
}

TEST_F(EnvironmentTest, AnySizeAndAspectOfPanoramaGivesEvenLight) {
    for (const Extent extent : {Extent{1, 1}, Extent{2, 1}, Extent{1, 7}, Extent{17, 5},
                                Extent{131, 33}, Extent{301, 203}}) {
        Running running = light(even({2, 2, 2, 1}, extent), 16, 17);
        for (std::uint32_t level = 0; level < levels_of(16); ++level)
            for (std::uint32_t face = 0; face < 6; ++face)
                EXPECT_NEAR(running.image("specular", level, face).texel(1, 2)[0], 2.0, 0.002);
        const auto sh = running.buffer<Vec4>("irradiance");
        EXPECT_NEAR(sh[0][0], 2.0, 1e-3) << extent.width << "x" << extent.height;
        for (std::size_t i = 1; i < 9; ++i)
            EXPECT_NEAR(sh[i][0], 0.0, 1e-3) << extent.width << "x" << extent.height;
    }
}

TEST_F(EnvironmentTest, BadTexelsCountAsBlackAndInfiniteOnesAsTheBrightestHalf) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    HostImage bad = even({1, 1, 1, 1}, {32, 16, 1});
    HostImage good = bad;
    bad.set_texel({nan, -5.0f, -infinity, 1}, 3, 4);
    good.set_texel({0, 0, 0, 1}, 3, 4);
    bad.set_texel({infinity, 1e30f, 2.0f, nan}, 20, 9);
    good.set_texel({65504.0f, 16777216.0f, 2.0f, 1}, 20, 9);
    Running from_bad = light(bad, 16);
    Running from_good = light(good, 16);
    for (std::uint32_t level = 0; level < levels_of(16); ++level)
        for (std::uint32_t face = 0; face < 6; ++face)
            EXPECT_EQ(from_bad.image("specular", level, face).texels,
                      from_good.image("specular", level, face).texels);
    const auto sh = from_bad.buffer<Vec4>("irradiance");
    EXPECT_EQ(sh, from_good.buffer<Vec4>("irradiance"));
    for (const Vec4& coefficient : sh)
        for (const float value : coefficient)
            EXPECT_TRUE(std::isfinite(value));
}

TEST_F(EnvironmentTest, BlackStaysBlack) {
    Running running = light(even({0, 0, 0, 1}), 16);
    for (std::uint32_t level = 0; level < levels_of(16); ++level)
        EXPECT_THAT(running.image("specular", level, 3).texel(0, 0),
                    testing::ElementsAre(0.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_THAT(running.buffer<Vec4>("irradiance"), Each(Vec4{}));
}

TEST_F(EnvironmentTest, EightBitPanoramasAreRead) {
    HostImage image = make_image(Format::rgba8_unorm, {8, 4, 1});
    for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 8; ++x)
            image.set_texel({1.0f, 0.0f, 1.0f, 1.0f}, x, y);
    Running running = light(image, 16);
    EXPECT_THAT(running.image("specular", 2, 5).texel(3, 0)[0], FloatNear(1.0f, 1e-3f));
    EXPECT_EQ(running.image("specular", 2, 5).texel(3, 0)[1], 0.0f);
}

} // namespace
} // namespace tuff
