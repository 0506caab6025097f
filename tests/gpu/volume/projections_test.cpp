#include "passes/volume/projection.hpp"
#include "tests/gpu/volume/view_test.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <limits>

/// The greatest, the least and the mean number of rays.
namespace tuff {
namespace {

using passes::VolumeCombine;
using passes::VolumeProjection;
using passes::VolumeRays;
using testing_gpu::codes_of;
using testing_gpu::Pictures;
using testing_gpu::test_camera;
using testing_gpu::test_ray;
using testing_gpu::test_stride;
using testing_gpu::TestRay;
using testing_gpu::TestVolume;

constexpr std::uint32_t kWide = 41;
constexpr std::uint32_t kHigh = 27;

class Projections : public testing_gpu::VolumeViewTest {
  public:
    VolumeProjection projection(Image source, const TestVolume& volume) const {
        return {.source = source,
                .spacing = volume.spacing,
                .width = kWide,
                .height = kHigh,
                .camera = test_camera()};
    }
};

double number(const HostImage& image, std::uint32_t x, std::uint32_t y) {
    return static_cast<double>(image.texel(x, y)[0]);
}

/// What the pass is to find, sample by sample.
double expected(const TestVolume& volume, VolumeCombine combine, const TestRay& ray, double step) {
    const double way = ray.end - ray.begin;
    const double steps = std::max(std::ceil(way / test_stride(volume, step) - 1e-5), 1.0);
    const bool mean = combine == VolumeCombine::mean;
    double sum = 0.0;
    double most = -1e30;
    double least = 1e30;
    for (int i = 0; i < static_cast<int>(steps) + (mean ? 0 : 1); ++i) {
        const double at = ray.begin + (i + (mean ? 0.5 : 0.0)) * way / steps;
        const double here = volume.between(ray.at(at));
        sum += here;
        most = std::max(most, here);
        least = std::min(least, here);
    }
    return mean ? sum / steps : combine == VolumeCombine::maximum ? most : least;
}

TEST_F(Projections, AreThoseOfTheReferenceFromAnyCamera) {
    TestVolume volume = TestVolume::noise({19, 23, 14}, 3);
    volume.spacing = {1.0, 0.8, 1.7};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int i = 0; i < 6; ++i) {
            VolumeProjection pass = projection(source, volume);
            pass.combine = static_cast<VolumeCombine>(i % 3);
            pass.rays = static_cast<VolumeRays>(i / 3);
            g.output(std::to_string(i), g.add(pass).values);
        }
    });
    for (int i = 0; i < 6; ++i) {
        VolumeProjection pass = projection({}, volume);
        pass.rays = static_cast<VolumeRays>(i / 3);
        const HostImage image = running.image(std::to_string(i));
        ASSERT_FALSE(image.empty());
        int hits = 0;
        for (std::uint32_t y = 0; y < kHigh; ++y)
            for (std::uint32_t x = 0; x < kWide; ++x) {
                const TestRay ray = test_ray(volume, passes::view_parameters(pass), x, y);
                if (ray.end - ray.begin < 1e-3) continue; // of the edges, either
                ++hits;
                const double step = static_cast<double>(pass.step);
                const double want = expected(volume, static_cast<VolumeCombine>(i % 3), ray, step);
                ASSERT_NEAR(number(image, x, y), want, 2e-3) << i << ": " << x << ", " << y;
            }
        EXPECT_GT(hits, 200);
    }
}

TEST_F(Projections, OfARampFindItsEndsExactly) {
    // From 0 at the first texel's middle on; seen along z, so that each ray meets all of it.
    const TestVolume volume =
        TestVolume::of({4, 4, 33}, [](glm::ivec3 texel) { return texel.z / 32.0; });
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (const float step : {0.3f, 1.0f, 4.0f})
            for (const VolumeCombine combine : {VolumeCombine::maximum, VolumeCombine::minimum}) {
                VolumeProjection pass = projection(source, volume);
                pass.combine = combine;
                pass.step = step;
                pass.rays = VolumeRays::orthographic;
                pass.camera.position = {0.0f, 0.0f, 3.0f};
                pass.camera.target = glm::vec3(0.0f);
                pass.camera.vertical_fov = 2.0f; // within the box
                g.output(std::to_string(step) + (combine == VolumeCombine::maximum ? "+" : "-"),
                         g.add(pass).values);
            }
    });
    for (const float step : {0.3f, 1.0f, 4.0f})
        for (const char* end : {"+", "-"}) {
            const HostImage image = running.image(std::to_string(step) + end);
            ASSERT_FALSE(image.empty());
            for (std::uint32_t x = 0; x < kWide; ++x)
                ASSERT_NEAR(number(image, x, 13), *end == '+' ? 1.0 : 0.0, 1e-6) << step << end;
        }
}

TEST_F(Projections, AreTheSameToTheBitWithAndWithoutSkipping) {
    // A few bright and dark spots in grey, over several bricks.
    const TestVolume spots = TestVolume::noise({45, 38, 51}, 4);
    TestVolume volume = spots;
    for (float& value : volume.numbers)
        value = value > 0.999f ? 1.0f : value < 0.001f ? 0.0f : 0.4f + 0.01f * value;
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (const VolumeCombine combine : {VolumeCombine::maximum, VolumeCombine::minimum})
            for (const bool skip : {false, true})
                for (const float step : {0.35f, 3.0f}) {
                    VolumeProjection pass = projection(source, volume);
                    pass.combine = combine;
                    pass.skip = skip;
                    pass.step = step;
                    g.output(std::to_string(static_cast<int>(combine)) + (skip ? "skip" : "all") +
                                 std::to_string(step),
                             g.add(pass).values);
                }
    });
    for (const char* combine : {"1", "2"})
        for (const float step : {0.35f, 3.0f}) {
            const HostImage all =
                running.image(combine + std::string("all") + std::to_string(step));
            const HostImage some =
                running.image(combine + std::string("skip") + std::to_string(step));
            ASSERT_FALSE(all.empty());
            EXPECT_EQ(all.texels, some.texels) << combine << ", " << step;
        }
}

TEST_F(Projections, LeaveOutWhatIsNoNumberAndShowTheWindow) {
    TestVolume volume = TestVolume::of({3, 3, 3}, [](glm::ivec3) { return 30.0; });
    volume.numbers.assign(27, std::numeric_limits<float>::quiet_NaN());
    volume.numbers[13] = 30.0f;
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeProjection pass = projection(source, volume);
        pass.filter = passes::VolumeFilter::nearest;
        pass.camera.vertical_fov = 75.0f;
        pass.low = 20.0f;
        pass.high = 40.0f;
        pass.background = glm::vec4(0.75f);
        for (int i = 0; i < 3; ++i) {
            pass.combine = static_cast<VolumeCombine>(i);
            g.output(std::to_string(i), g.add(pass).result);
        }
    });
    for (int i = 0; i < 3; ++i) {
        const HostImage image = running.image(std::to_string(i));
        EXPECT_EQ(number(image, 0, 0), 0.75) << "beside the volume";
        EXPECT_NEAR(number(image, 20, 13), 0.5, 1e-6) << "the one number there is";
        int black = 0;
        for (std::uint32_t x = 0; x < kWide; ++x)
            black += number(image, x, 13) == 0.0;
        EXPECT_GT(black, 5) << "rays without a number";
    }
}

TEST_F(Projections, TellWhatIsWrong) {
    const TestVolume volume = TestVolume::noise({3, 3, 3}, 1);
    const auto code = [&](const std::function<void(VolumeProjection&)>& change) {
        Graph g = graph();
        VolumeProjection pass = projection(volume.image(g), volume);
        change(pass);
        g.add(pass);
        return codes_of(g);
    };
    EXPECT_EQ(code([](VolumeProjection& p) { p.high = -1.0f; }), "volume/empty-window ");
    EXPECT_EQ(code([](VolumeProjection& p) {
                  p.clip_planes = {1.0f, 0.0f, 0.0f};
              }),
              "volume/bad-planes ");
    EXPECT_EQ(code([](VolumeProjection& p) {
                  p.clip_planes = {0.0f, 0.0f, 0.0f, 1.0f};
              }),
              "volume/bad-planes ");
    EXPECT_EQ(code([](VolumeProjection& p) {
                  p.space = passes::VolumeSpace::world;
                  p.axes = {1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};
              }),
              "volume/bad-axes ");
    EXPECT_EQ(code([](VolumeProjection& p) { p.camera.target = p.camera.position; }),
              "scene/bad-camera ");
    EXPECT_EQ(code([](VolumeProjection& p) { p.step = 0.0f; }), "pass/out-of-range ");
}

} // namespace
} // namespace tuff
