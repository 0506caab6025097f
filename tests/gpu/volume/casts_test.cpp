#include "tests/gpu/volume/view_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <limits>

/// Volumes under transfer functions, and their surfaces.
namespace tuff {
namespace {

using passes::TransferLookup;
using passes::VolumeCast;
using passes::VolumeCastMode;
using passes::VolumeFilter;
using passes::VolumeRays;
using testing_gpu::codes_of;
using testing_gpu::each_ray;
using testing_gpu::greatest;
using testing_gpu::kCastHeight;
using testing_gpu::kCastWidth;
using testing_gpu::Pictures;
using testing_gpu::pixel;
using testing_gpu::test_cast;
using testing_gpu::test_stride;
using testing_gpu::TestRay;
using testing_gpu::TestVolume;

/// Points at thirds, which the table of 1024 entries has.
const std::vector<float> kThirds = {0.0f,        0.9f, 0.1f, 0.2f, 0.0f, //
                                    1.0f / 3.0f, 0.1f, 0.8f, 0.3f, 0.05f,
                                    2.0f / 3.0f, 0.2f, 0.3f, 1.5f, 0.0f, //
                                    1.0f,        1.0f, 1.0f, 0.6f, 0.4f};

class Casts : public testing_gpu::CastTest {};

TEST_F(Casts, OfAnEvenMediumAreAsDenseAsItsLengthWhateverTheStep) {
    TestVolume volume = TestVolume::of({9, 7, 12}, [](glm::ivec3) { return 0.5; });
    volume.spacing = {1.0, 1.5, 0.75};
    const std::vector<float> transfer = {0.0f, 0.8f, 0.4f, 0.2f, 0.1f};
    const float steps[] = {0.3f, 0.5f, 1.0f, 2.7f, 4.0f};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int i = 0; i < 10; ++i) {
            VolumeCast pass = cast(source, volume);
            pass.transfer = transfer;
            pass.step = steps[i / 2];
            pass.lookup = static_cast<TransferLookup>(i % 2);
            pass.jitter = i % 4 < 2 ? 1.0f : 0.0f;
            pass.unit = 2.0f;
            g.output(std::to_string(i), g.add(pass).result);
        }
    });
    const VolumeCast pass = cast({}, volume);
    // An opacity of 0.1 for two of the finest texels.
    const double extinction = -std::log(0.9) / (2.0 * test_stride(volume, 1.0));
    for (int i = 0; i < 10; ++i) {
        const HostImage image = running.image(std::to_string(i));
        ASSERT_FALSE(image.empty());
        each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
            const double opacity = 1.0 - std::exp(-extinction * (ray.end - ray.begin));
            const glm::dvec3 light =
                opacity * glm::dvec3(0.8, 0.4, 0.2) + (1.0 - opacity) * glm::dvec3(0.1, 0.2, 0.3);
            const glm::dvec4 difference = pixel(image, x, y) - glm::dvec4(light, opacity);
            ASSERT_LT(greatest(difference), 2e-5) << i << ": " << x << ", " << y;
        });
    }
}

TEST_F(Casts, AreThoseOfTheReference) {
    for (const glm::ivec3 dims : {glm::ivec3(12, 15, 9), glm::ivec3(33, 1, 18)}) {
        TestVolume volume = TestVolume::noise(dims, 12);
        volume.spacing = {1.0, 0.8, 1.4};
        Pictures running = seen(volume, [&](Graph& g, Image source) {
            for (int i = 0; i < 4; ++i) {
                VolumeCast pass = cast(source, volume);
                pass.transfer = kThirds;
                pass.shaded = i % 2 == 1;
                pass.light.least_change = i == 3 ? 0.4f : 0.0f;
                pass.rays = static_cast<VolumeRays>(i / 2);
                g.output(std::to_string(i), g.add(pass).result);
            }
        });
        for (int i = 0; i < 4; ++i) {
            VolumeCast pass = cast({}, volume);
            pass.transfer = kThirds;
            pass.shaded = i % 2 == 1;
            pass.light.least_change = i == 3 ? 0.4f : 0.0f;
            pass.rays = static_cast<VolumeRays>(i / 2);
            const HostImage image = running.image(std::to_string(i));
            ASSERT_FALSE(image.empty());
            each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
                // Places are rounded to 1e-5 texels, and noise changes by 1 from one to the next.
                ASSERT_LT(greatest(pixel(image, x, y) - test_cast(volume, pass, ray)), 1e-3)
                    << i << ": " << x << ", " << y;
            });
        }
    }
}

TEST_F(Casts, ByTheDevicesOwnFilterAreNearThoseOfTheExactOne) {
    const TestVolume volume = TestVolume::noise({12, 15, 9}, 13);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (const VolumeFilter filter : {VolumeFilter::linear, VolumeFilter::device}) {
            VolumeCast pass = cast(source, volume);
            pass.filter = filter;
            g.output(filter == VolumeFilter::linear ? "linear" : "device", g.add(pass).result);
        }
    });
    const HostImage exact = running.image("linear");
    const HostImage fast = running.image("device");
    for (std::uint32_t y = 0; y < kCastHeight; ++y)
        for (std::uint32_t x = 0; x < kCastWidth; ++x)
            ASSERT_LT(greatest(pixel(exact, x, y) - pixel(fast, x, y)), 1.0 / 128.0)
                << x << ", " << y;
}

/// Spots in what is empty, over several bricks.
TestVolume spots(std::uint32_t seed) {
    TestVolume volume = TestVolume::noise({27, 22, 34}, seed);
    for (float& number : volume.numbers)
        number = number > 0.999f ? number : 0.1f * number;
    return volume;
}

TEST_F(Casts, AreTheSameToTheBitWithAndWithoutSkipping) {
    const TestVolume volume = spots(14);
    // Nothing below 0.3; a jump, too.
    const std::vector<float> transfer = {0.3f, 1.0f, 0.2f, 0.1f, 0.0f, 0.3f, 1.0f, 0.9f,
                                         0.1f, 0.4f, 1.0f, 0.2f, 0.9f, 1.0f, 0.9f};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int i = 0; i < 16; ++i) {
            VolumeCast pass = cast(source, volume);
            pass.transfer = transfer;
            pass.skip = i % 2 == 1;
            pass.step = i / 2 % 2 ? 0.35f : 4.0f;
            pass.jitter = i / 4 % 2 ? 1.0f : 0.0f;
            pass.lookup = i / 8 ? TransferLookup::pair : TransferLookup::number;
            g.output(std::to_string(i), g.add(pass).result);
            if (i >= 4) continue;
            pass.mode = VolumeCastMode::surface;
            pass.shaded = true;
            VolumeCast surface = g.add(pass);
            g.output("surface" + std::to_string(i), surface.result);
            g.output("depth" + std::to_string(i), surface.depth);
        }
    });
    for (int i = 0; i < 16; i += 2) {
        const HostImage all = running.image(std::to_string(i));
        double most = 0.0;
        for (std::uint32_t x = 0; x < kCastWidth; ++x)
            for (std::uint32_t y = 0; y < kCastHeight; ++y)
                most = std::max(most, pixel(all, x, y).a);
        EXPECT_GT(most, 0.1) << i << ": there is something to see";
        EXPECT_EQ(all.texels, running.image(std::to_string(i + 1)).texels) << i;
        if (i >= 4) continue;
        for (const char* what : {"surface", "depth"})
            EXPECT_EQ(running.image(what + std::to_string(i)).texels,
                      running.image(what + std::to_string(i + 1)).texels)
                << what << i;
    }
}

TEST_F(Casts, ThatEndEarlyDifferByLessThanWhatStillShinesThrough) {
    const TestVolume volume = TestVolume::noise({20, 20, 20}, 15);
    const float ends[] = {0.0f, 0.01f, 0.1f};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int i = 0; i < 3; ++i) {
            VolumeCast pass = cast(source, volume);
            pass.opaque = ends[i];
            pass.unit = 0.2f; // so dense that rays end
            pass.background = glm::vec4(0.0f);
            g.output(std::to_string(i), g.add(pass).result);
        }
    });
    const HostImage whole = running.image("0");
    for (int i = 1; i < 3; ++i) {
        double most = 0.0;
        for (std::uint32_t y = 0; y < kCastHeight; ++y)
            for (std::uint32_t x = 0; x < kCastWidth; ++x)
                most = std::max(most, greatest(pixel(whole, x, y) -
                                               pixel(running.image(std::to_string(i)), x, y)));
        EXPECT_LT(most, static_cast<double>(ends[i])) << "colours are at most 1";
        EXPECT_GT(most, 0.0) << "some rays do end early";
    }
}

TEST_F(Casts, ByPairsMissNoColorBetweenTwoSamples) {
    // A ramp over 8 texels, of which a narrow range shows: a step of 4 jumps over it.
    TestVolume volume = TestVolume::of(
        {8, 8, 16}, [](glm::ivec3 texel) { return std::clamp((texel.z - 4) / 8.0, 0.0, 1.0); });
    const std::vector<float> transfer = {0.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.48f, 1.0f,  1.0f, 1.0f,
                                         0.0f, 0.5f, 1.0f, 1.0f, 1.0f, 0.9f,  0.52f, 1.0f, 1.0f,
                                         1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f,  0.0f};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.transfer = transfer;
        pass.camera.position = {0.1f, 0.1f, 4.0f};
        pass.step = 0.05f;
        g.output("fine", g.add(pass).result);
        pass.step = 4.0f;
        g.output("number", g.add(pass).result);
        pass.lookup = TransferLookup::pair;
        g.output("pair", g.add(pass).result);
    });
    const auto worst = [&](const char* name) {
        double most = 0.0;
        for (std::uint32_t y = 11; y < 18; ++y)
            for (std::uint32_t x = 17; x < 24; ++x)
                most = std::max(most, std::abs(pixel(running.image(name), x, y).a -
                                               pixel(running.image("fine"), x, y).a));
        return most;
    };
    EXPECT_GT(pixel(running.image("fine"), 20, 14).a, 0.1);
    EXPECT_LT(worst("pair"), 0.03);
    EXPECT_GT(worst("number"), 0.1);
}

TEST_F(Casts, FilterBeforeOrWhileTheyLook) {
    const TestVolume volume = TestVolume::noise({9, 8, 7}, 17);
    const std::vector<float> weights(27, 1.0f / 27.0f);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (const bool live : {false, true}) {
            VolumeCast pass = cast(source, volume);
            pass.weights = weights;
            pass.step = 1.0f;
            pass.filtering = live ? passes::VolumeFiltering::live : passes::VolumeFiltering::before;
            g.output(live ? "live" : "before", g.add(pass).result);
        }
    });
    const TestVolume soft = filtered(volume, weights);
    VolumeCast pass = cast({}, volume);
    pass.step = 1.0f;
    each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
        for (const char* name : {"before", "live"})
            ASSERT_LT(greatest(pixel(running.image(name), x, y) - test_cast(soft, pass, ray)), 1e-3)
                << name << ": " << x << ", " << y;
    });
}

TEST_F(Casts, TakeNumbersThatAreNone) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const glm::ivec3 dims(8, 8, 8);
    const auto layers = [&](float first, float second) {
        TestVolume volume = TestVolume::of(dims, [](glm::ivec3) { return 0.0; });
        for (std::size_t i = 0; i < volume.numbers.size(); ++i)
            volume.numbers[i] = i / 64 < 4 ? first : second;
        return volume;
    };
    // Gathered along z from behind, nearest texels: half a box is dense, or nothing is.
    const auto opacity = [&](float first, float second, TransferLookup lookup) {
        const TestVolume volume = layers(first, second);
        Pictures running = seen(volume, [&](Graph& g, Image source) {
            VolumeCast pass = cast(source, volume);
            pass.filter = VolumeFilter::nearest;
            pass.rays = VolumeRays::orthographic;
            pass.camera.position = {0.0f, 0.0f, 4.0f};
            pass.camera.target = glm::vec3(0.0f);
            pass.lookup = lookup;
            pass.shaded = true;
            g.output("result", g.add(pass).result);
        });
        const glm::dvec4 middle = pixel(running.image("result"), 20, 14);
        EXPECT_TRUE(std::isfinite(middle.x + middle.y + middle.z)) << first << ", " << second;
        return middle.a;
    };
    const double dense = 1.0 - std::pow(0.9, 4.0);
    for (const TransferLookup lookup : {TransferLookup::number, TransferLookup::pair}) {
        const double bound = lookup == TransferLookup::number ? 1e-5 : 0.06;
        EXPECT_NEAR(opacity(nan, 1.0f, lookup), dense, bound);
        EXPECT_NEAR(opacity(infinity, 0.0f, lookup), dense, bound);
        EXPECT_NEAR(opacity(-infinity, 1.0f, lookup), dense, bound);
        EXPECT_EQ(opacity(nan, nan, lookup), 0.0);
    }
}

TEST_F(Casts, CountTheNumbersOfTheTexels) {
    TestVolume volume = TestVolume::noise({37, 21, 35}, 18);
    volume.numbers[5] = -1.0f;
    volume.numbers[6] = 3.0f;
    volume.numbers[7] = std::numeric_limits<float>::quiet_NaN();
    volume.numbers[8] = std::numeric_limits<float>::quiet_NaN();
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        const VolumeCast added = g.add(cast(source, volume));
        g.output("range", added.range);
        g.output("histogram", added.histogram);
    });
    const auto range = running.buffer<float>("range");
    const auto counts = running.buffer<std::uint32_t>("histogram");
    ASSERT_EQ(range.size(), 2u);
    ASSERT_EQ(counts.size(), 256u);
    EXPECT_EQ(range[0], -1.0f);
    EXPECT_EQ(range[1], 3.0f);
    std::vector<std::uint32_t> expected(256, 0);
    for (const float number : volume.numbers)
        if (std::isfinite(number)) {
            const float place = (number - range[0]) * (256.0f / (range[1] - range[0]));
            ++expected[static_cast<std::size_t>(std::clamp(place, 0.0f, 255.0f))];
        }
    std::uint32_t moved = 0;
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < 256; ++i) {
        moved += counts[i] > expected[i] ? counts[i] - expected[i] : 0;
        all += counts[i];
    }
    EXPECT_EQ(all, volume.numbers.size() - 2);
    EXPECT_LE(moved, 4u) << "at the ends of a part, by rounding";
}

TEST_F(Casts, TellWhatIsWrong) {
    const TestVolume volume = TestVolume::noise({3, 3, 3}, 1);
    const auto code = [&](const std::function<void(Graph&, VolumeCast&)>& change) {
        Graph g = graph();
        VolumeCast pass = cast(volume.image(g), volume);
        change(g, pass);
        g.add(pass);
        return codes_of(g);
    };
    const auto transfer = [&](std::vector<float> points) {
        return code([&](Graph&, VolumeCast& p) { p.transfer = points; });
    };
    EXPECT_EQ(transfer({}), "volume/bad-transfer ");
    EXPECT_EQ(transfer({0.0f, 1.0f, 1.0f, 1.0f}), "volume/bad-transfer ");
    EXPECT_EQ(transfer({0.0f, 1.0f, 1.0f, 1.0f, 1.5f}), "volume/bad-transfer ");
    EXPECT_EQ(transfer({0.0f, -1.0f, 1.0f, 1.0f, 1.0f}), "volume/bad-transfer ");
    EXPECT_EQ(transfer({1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f}),
              "volume/bad-transfer ");
    EXPECT_EQ(transfer(std::vector<float>(5 * 65, 0.0f)), "volume/bad-transfer ");
    EXPECT_EQ(transfer(std::vector<float>(5 * 64, 0.0f)), "");
    EXPECT_EQ(code([](Graph&, VolumeCast& p) { p.light.towards = glm::vec3(0.0f); }),
              "pass/out-of-range ");
    EXPECT_EQ(code([](Graph& g, VolumeCast& p) {
                  p.behind = g.image("b", {.format = Format::rgba16_sfloat, .extent = {4, 4}});
              }),
              "graph/unconnected ");
    EXPECT_EQ(code([](Graph& g, VolumeCast& p) {
                  p.behind = g.image("b", {.format = Format::rgba16_sfloat, .extent = {4, 4}});
                  p.behind_depth = g.image("d", {.format = Format::r32_sfloat, .extent = {4, 4}});
              }),
              "image/size-mismatch image/size-mismatch ");
}

} // namespace
} // namespace tuff
