#include "passes/image/reinhard.hpp"
#include "tests/reference/reinhard_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tuff {
namespace {

using passes::LuminanceMeasure;
using passes::OutputEncoding;
using passes::OutputFormat;
using passes::Reinhard;
using testing_gpu::Running;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Four decades of brightness.
HostImage bright_picture(std::uint32_t width, std::uint32_t height) {
    HostImage picture = make_image(Format::rgba32_sfloat, {width, height, 1});
    std::mt19937 random(11);
    const auto number = [&] {
        return std::pow(10.0f, static_cast<float>(random() >> 8) * 0x1p-24f * 4.0f - 2.0f);
    };
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const float red = number();
            const float green = number();
            picture.set_texel({red, green, number(), 0.5f}, x, y);
        }
    return picture;
}

class ReinhardTest : public testing_gpu::GpuTest {
  protected:
    Image constant(Graph& g, const HostImage& picture) {
        return g.constant_image("source", {.format = picture.format, .extent = picture.extent},
                                std::make_shared<const std::vector<std::byte>>(picture.texels));
    }
    /// A picture in numbers, not encoded.
    Reinhard measured(Graph& g, const HostImage& picture) {
        return {.source = constant(g, picture),
                .encoding = OutputEncoding::linear,
                .format = OutputFormat::rgba32_sfloat};
    }
};

TEST_F(ReinhardTest, IsThatOfTheReferenceForEverySizeAndMeasure) {
    struct Size {
        std::uint32_t width, height;
    };
    for (const Size size : {Size{1, 1}, Size{127, 3}, Size{65, 33}, Size{130, 70}}) {
        SCOPED_TRACE(fmt::format("{}x{}", size.width, size.height));
        const HostImage picture = bright_picture(size.width, size.height);
        Graph g = graph();
        for (const auto& [name, measure] : {std::pair{"reduce", LuminanceMeasure::reduce},
                                            {"pyramid", LuminanceMeasure::pyramid}}) {
            Reinhard pass = measured(g, picture);
            pass.measure = measure;
            for (const float white : {0.0f, 2.5f}) {
                pass.white = white;
                const std::string tag = fmt::format("{} {}", name, white);
                const Reinhard added = g.add(pass, tag);
                g.output(tag, added.result);
                if (white > 0.0f) continue;
                g.output(fmt::format("{} average", name), added.log_average);
                g.output(fmt::format("{} maximum", name), added.maximum);
            }
        }
        Running running = run(std::move(g));
        const reference::Luminances expected = reference::luminances(picture);
        for (const std::string name : {"reduce", "pyramid"}) {
            const auto average = running.buffer<float>(name + " average");
            const auto maximum = running.buffer<float>(name + " maximum");
            ASSERT_EQ(average.size(), 1u);
            EXPECT_NEAR(average[0], expected.log_average, 1e-4);
            ASSERT_EQ(maximum.size(), 1u);
            EXPECT_NEAR(maximum[0], expected.maximum, 1e-6 * expected.maximum);
            for (const float white : {0.0f, 2.5f})
                reference::expect_reinhard(running.image(fmt::format("{} {}", name, white)),
                                           picture, 0.18, static_cast<double>(white), 1e-4);
        }
    }
}

TEST_F(ReinhardTest, TheBrightestTexelBecomesOne) {
    HostImage picture = bright_picture(40, 30);
    picture.set_texel({500.0f, 500.0f, 500.0f, 1.0f}, 7, 9);
    Graph g = graph();
    g.output("result", g.add(measured(g, picture)).result);
    const HostImage result = run(std::move(g)).image("result");
    ASSERT_FALSE(result.empty());
    for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(result.texel(7, 9)[c], 1.0f, 1e-5f);
}

TEST_F(ReinhardTest, BlackStaysBlackAndBadTexelsHarmNobody) {
    HostImage black = make_image(Format::rgba32_sfloat, {20, 10, 1});
    HostImage bad = bright_picture(20, 10);
    bad.set_texel({kNaN, 1.0f, -4.0f, 1.0f}, 3, 3);
    bad.set_texel({-kInfinity, -1.0f, -4.0f, kNaN}, 4, 3);
    HostImage mended = bad;
    mended.set_texel({0.0f, 1.0f, 0.0f, 1.0f}, 3, 3);
    mended.set_texel({0.0f, 0.0f, 0.0f, 0.0f}, 4, 3);
    Graph g = graph();
    g.output("black", g.add(measured(g, black), "black").result);
    g.output("bad", g.add(measured(g, bad), "bad").result);
    Running running = run(std::move(g));
    for (std::uint32_t x = 0; x < 20; ++x)
        ASSERT_EQ(running.image("black").texel(x, 5)[1], 0.0f);
    reference::expect_reinhard(running.image("bad"), mended, 0.18, 0.0, 1e-4);
}

TEST_F(ReinhardTest, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [&](auto change, std::string_view code) {
        Graph g = graph();
        Reinhard pass = measured(g, bright_picture(4, 4));
        change(g, pass);
        const Image result = g.add(pass).result;
        if (result) g.output("result", g.copy(result, g.image("copy", g.desc(result))));
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        ASSERT_EQ(plan.error().size(), 1u) << to_string(plan.error());
        EXPECT_EQ(plan.error()[0].code, code);
    };
    expect_one([](Graph&, Reinhard& p) { p.key = 0.0f; }, "pass/out-of-range");
    expect_one([](Graph&, Reinhard& p) { p.white = -1.0f; }, "pass/out-of-range");
    expect_one([](Graph&, Reinhard& p) { p.key = kNaN; }, "pass/out-of-range");
    expect_one([](Graph&, Reinhard& p) { p.source = {}; }, "graph/unconnected");
}

} // namespace
} // namespace tuff
