// Numbers of the device in pictures, and how far pictures are apart.

#include "passes/common/text.hpp"
#include "passes/image/compare.hpp"
#include "passes/image/numbers.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::Compare;
using passes::Numbers;

constexpr std::uint32_t kPictureWidth = 300;
constexpr std::uint32_t kPictureHeight = 60;
constexpr float kLineHeight = 14.0f;

class NumbersTest : public testing_gpu::GpuTest {
  protected:
    static Image plain(Graph& g, Extent size = {kPictureWidth, kPictureHeight, 1}) {
        const std::vector<std::uint32_t> texels(std::size_t{size.width} * size.height, 0xff804020u);
        return g.constant_image("plain", {.format = Format::rgba8_unorm, .extent = size},
                                testing_gpu::bytes_of(texels));
    }
    static Buffer words(Graph& g, const std::vector<std::uint32_t>& values) {
        return g.constant_buffer("words", {.size = 4 * values.size(), .stride = 4},
                                 testing_gpu::bytes_of(values));
    }
    HostImage written(const std::string& text, const std::vector<std::uint32_t>& values,
                      glm::ivec2 position = {5, 7}) {
        Graph g = graph();
        g.output("o", g.add(Numbers{.source = plain(g),
                                    .values = {words(g, values)},
                                    .text = text,
                                    .position = position,
                                    .size = kLineHeight})
                          .result);
        return run(std::move(g)).image("o");
    }
    /// `text` as the pass would write it had it no numbers, letter by letter.
    HostImage expected(const std::string& letters, glm::ivec2 position = {5, 7}) {
        HostImage picture = make_image(Format::rgba8_unorm, {kPictureWidth, kPictureHeight, 1});
        for (std::size_t i = 0; i < picture.texels.size(); i += 4) {
            const std::array<int, 4> plain_texel{0x20, 0x40, 0x80, 0xff};
            for (std::size_t c = 0; c < 4; ++c)
                picture.texels[i + c] = static_cast<std::byte>(plain_texel[c]);
        }
        const Numbers defaults;
        const int width = static_cast<int>(std::ceil(passes::text_width("0", kLineHeight)));
        const int height = static_cast<int>(std::ceil(1.5f * kLineHeight));
        const int margin = static_cast<int>(std::ceil(0.3f * kLineHeight));
        passes::Canvas box(static_cast<std::uint32_t>(2 * margin) +
                               static_cast<std::uint32_t>(width) *
                                   static_cast<std::uint32_t>(letters.size()),
                           static_cast<std::uint32_t>(height), defaults.background);
        const float base =
            0.5f * (static_cast<float>(height) + passes::capital_height(kLineHeight));
        for (std::size_t i = 0; i < letters.size(); ++i) {
            passes::Canvas cell(static_cast<std::uint32_t>(width), box.height, defaults.background);
            passes::draw_text(cell, letters.substr(i, 1), kLineHeight,
                              {0.5f * static_cast<float>(width), base}, defaults.color,
                              passes::TextAnchor::middle);
            for (std::uint32_t y = 0; y < cell.height; ++y)
                for (std::uint32_t x = 0; x < cell.width; ++x)
                    box.texels[y * box.width + static_cast<std::uint32_t>(margin) +
                               static_cast<std::uint32_t>(i) * cell.width + x] =
                        cell.texels[y * cell.width + x];
        }
        for (std::uint32_t y = 0; y < box.height; ++y)
            for (std::uint32_t x = 0; x < box.width; ++x) {
                const auto to_x = x + static_cast<std::uint32_t>(position.x);
                const auto to_y = y + static_cast<std::uint32_t>(position.y);
                if (to_x >= kPictureWidth || to_y >= kPictureHeight) continue;
                const glm::u8vec4 texel = box.texels[y * box.width + x];
                for (glm::length_t c = 0; c < 4; ++c)
                    picture.texels[(std::size_t{to_y} * kPictureWidth + to_x) * 4 +
                                   static_cast<std::size_t>(c)] = static_cast<std::byte>(texel[c]);
            }
        return picture;
    }
};

TEST_F(NumbersTest, WholeNumbersStandAtTheRight) {
    for (const std::uint32_t value : {0u, 7u, 10u, 907u, 123456u, 4294967295u})
        EXPECT_EQ(written("{0:12d}", {value}).texels, expected(fmt::format("{:12}", value)).texels)
            << value;
}

TEST_F(NumbersTest, FloatsAreRoundedToTheirDecimals) {
    for (const float value : {0.0f, 0.004f, 0.0051f, 1.0f, 41.239f, -3.14159f, -0.001f, 99999.5f}) {
        // Halves away from 0, as the pass does; none of these numbers is one.
        const double rounded = std::round(static_cast<double>(value) * 100.0) / 100.0;
        EXPECT_EQ(written("{0:11.2f}", {std::bit_cast<std::uint32_t>(value)}).texels,
                  expected(fmt::format("{:11.2f}", rounded == 0.0 ? 0.0 : rounded)).texels)
            << value;
    }
    EXPECT_EQ(written("{0:5.0f}", {std::bit_cast<std::uint32_t>(12.7f)}).texels,
              expected("   13").texels);
}

TEST_F(NumbersTest, WhatDoesNotFitIsMarked) {
    EXPECT_EQ(written("{0:3d}", {1000}).texels, expected("###").texels);
    EXPECT_EQ(written("{0:3d}", {999}).texels, expected("999").texels);
    EXPECT_EQ(written("{0:3.1f}", {std::bit_cast<std::uint32_t>(-1.5f)}).texels,
              expected("###").texels);
    EXPECT_EQ(written("{0:14.2f}", {std::bit_cast<std::uint32_t>(1e20f)}).texels,
              expected("##############").texels);
}

TEST_F(NumbersTest, WhatIsNoFiniteNumberIsNamed) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(written("{0:6.1f}", {std::bit_cast<std::uint32_t>(kInfinity)}).texels,
              expected("   inf").texels);
    EXPECT_EQ(written("{0:6.1f}", {std::bit_cast<std::uint32_t>(-kInfinity)}).texels,
              expected("  -inf").texels);
    EXPECT_EQ(written("{0:6.1f}", {0x7fc00000u}).texels, expected("   nan").texels);
}

TEST_F(NumbersTest, AnyWordOfABufferAndAnyPlace) {
    EXPECT_EQ(written("{0.2:4d}", {1, 2, 345}, {0, 0}).texels, expected(" 345", {0, 0}).texels);
    // Beyond the edges nothing is written.
    EXPECT_EQ(written("{0:9d}", {123456789}, {270, 50}).texels,
              expected("123456789", {270, 50}).texels);
}

TEST_F(NumbersTest, SeveralNumbersOfSeveralBuffersStandBetweenLetters) {
    Graph g = graph();
    const Buffer first = words(g, {12});
    const Buffer second = words(g, {std::bit_cast<std::uint32_t>(3.5f)});
    g.output("both", g.add(Numbers{.source = plain(g),
                                   .values = {first, second},
                                   .text = "{0:2d}{1:4.1f}",
                                   .position = {5, 7},
                                   .size = kLineHeight})
                         .result);
    EXPECT_EQ(run(std::move(g)).image("both").texels, expected("12 3.5").texels);
}

TEST_F(NumbersTest, TextsThatCannotBeReadAreReported) {
    for (const char* text : {"{", "{a}", "{0:}", "{0:5x}", "{0:0d}", "{0:5.7f}", "{1}", "{0.9}",
                             "{0:5d", "{0}{0}{0}{0}{0}{0}{0}{0}{0}"}) {
        Graph g = graph();
        const Image result =
            g.add(Numbers{.source = plain(g), .values = {words(g, {1})}, .text = text}).result;
        EXPECT_FALSE(result) << text;
        ASSERT_EQ(g.peek().diagnostics.size(), 1u) << text;
        EXPECT_EQ(g.peek().diagnostics[0].code, "image/bad-text") << text;
    }
}

class CompareTest : public testing_gpu::GpuTest {};

TEST_F(CompareTest, IsTheMeanSquareOfAllDifferences) {
    for (const Extent size : {Extent{1, 1, 1}, {17, 5, 1}, {300, 70, 1}, {1023, 3, 1}}) {
        std::mt19937 random(3);
        std::vector<std::uint32_t> a, b;
        double sum = 0.0;
        for (std::uint32_t i = 0; i < size.width * size.height; ++i) {
            a.push_back(static_cast<std::uint32_t>(random()));
            b.push_back(a.back() ^ (static_cast<std::uint32_t>(random()) & 0x0f1f070fu));
            for (std::uint32_t c = 0; c < 3; ++c) {
                const double difference =
                    (double(a.back() >> 8 * c & 255u) - double(b.back() >> 8 * c & 255u)) / 255.0;
                sum += difference * difference;
            }
        }
        const double mean = sum / (3.0 * size.width * size.height);
        Graph g = graph();
        const ImageDesc desc{.format = Format::rgba8_unorm, .extent = size};
        const Image first = g.constant_image("a", desc, testing_gpu::bytes_of(a));
        const Image second = g.constant_image("b", desc, testing_gpu::bytes_of(b));
        g.output("far", g.add(Compare{.a = first, .b = second}).result);
        g.output("same", g.add(Compare{.a = first, .b = first}).result);
        testing_gpu::Running running = run(std::move(g));
        const std::vector<float> far = running.buffer<float>("far");
        ASSERT_EQ(far.size(), 2u);
        EXPECT_NEAR(far[0], mean, 1e-5 * mean);
        EXPECT_NEAR(far[1], -10.0 * std::log10(mean), 1e-3);
        const std::vector<float> same = running.buffer<float>("same");
        EXPECT_EQ(same[0], 0.0f);
        EXPECT_TRUE(std::isinf(same[1]));
    }
}

TEST_F(CompareTest, SizesMustBeEqual) {
    Graph g = graph();
    const Image a = g.image("a", {.format = Format::rgba8_unorm, .extent = {4, 4, 1}});
    const Image b = g.image("b", {.format = Format::rgba8_unorm, .extent = {4, 5, 1}});
    EXPECT_FALSE(g.add(Compare{.a = a, .b = b}).result);
    ASSERT_FALSE(g.peek().diagnostics.empty());
    EXPECT_EQ(g.peek().diagnostics[0].code, "image/size-mismatch");
}

} // namespace
} // namespace tuff
