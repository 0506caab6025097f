#include "examples/first_pass/vignette.cpp" // a module has no header
#include "tests/gpu/gpu_fixture.hpp"

#include <gtest/gtest.h>

/// The pass that docs/writing_a_pass.md shows, on the device.
namespace tuff {
namespace {

using testing_gpu::bytes_of;

constexpr Extent kExtent{33, 17};
constexpr std::array<float, 4> kColor{0.5f, 1.0f, 2.0f, 0.25f};

class FirstPass : public testing_gpu::GpuTest {
  protected:
    HostImage darkened(float strength) {
        std::vector<float> texels;
        for (std::uint32_t i = 0; i < kExtent.width * kExtent.height; ++i)
            texels.insert(texels.end(), kColor.begin(), kColor.end());
        Graph g = graph();
        const Image source = g.constant_image(
            "source", {.format = Format::rgba32_sfloat, .extent = kExtent}, bytes_of(texels));
        g.output("result", g.add(Vignette{.source = source, .strength = strength}).result);
        return run(std::move(g)).image("result");
    }
};

TEST_F(FirstPass, EveryTexelLosesTheShareThatItsPlaceTells) {
    const HostImage result = darkened(0.8f);
    ASSERT_FALSE(result.empty());
    const auto from_centre = [](std::uint32_t at, std::uint32_t size) {
        return (at + 0.5) / size * 2.0 - 1.0;
    };
    for (std::uint32_t y = 0; y < kExtent.height; ++y)
        for (std::uint32_t x = 0; x < kExtent.width; ++x) {
            const double u = from_centre(x, kExtent.width);
            const double v = from_centre(y, kExtent.height);
            const double light = 1.0 - 0.8 * 0.5 * (u * u + v * v);
            const std::array<float, 4> texel = result.texel(x, y);
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_NEAR(texel[c], light * static_cast<double>(kColor[c]), 1e-5)
                    << x << ", " << y << ", channel " << c;
            ASSERT_EQ(texel[3], kColor[3]);
        }
}

TEST_F(FirstPass, NoStrengthLeavesThePictureAsItIs) {
    const HostImage result = darkened(0.0f);
    ASSERT_FALSE(result.empty());
    EXPECT_EQ(result.texel(0, 0), kColor);
    EXPECT_EQ(result.texel(16, 8), kColor);
}

TEST_F(FirstPass, ForgettingTheInputIsOneDiagnostic) {
    Graph g = graph();
    g.output("result", g.add(Vignette{}).result);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().size(), 1u) << to_string(plan.error());
}

} // namespace
} // namespace tuff
