#include "core/format_module.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/drawing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace tuff {
namespace {

std::span<const std::byte> bytes_of_text(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string code_of_drawing(const Result<HostImage>& drawn) {
    return drawn ? std::string() : drawn.error().front().code;
}

/// Of all that is covered, in texels.
double area_of(const HostImage& picture) {
    double sum = 0.0;
    for (std::uint32_t y = 0; y < picture.extent.height; ++y)
        for (std::uint32_t x = 0; x < picture.extent.width; ++x)
            sum += static_cast<double>(picture.texel(x, y)[0]);
    return sum;
}

/// The columns, or rows, from the first to the last that has something.
std::pair<std::uint32_t, std::uint32_t> drawn_columns(const HostImage& picture) {
    std::uint32_t first = picture.extent.width;
    std::uint32_t last = 0;
    for (std::uint32_t x = 0; x < picture.extent.width; ++x)
        for (std::uint32_t y = 0; y < picture.extent.height; ++y)
            if (picture.texel(x, y)[0] > 0.0f) {
                first = std::min(first, x);
                last = std::max(last, x);
            }
    return {first, last};
}

TEST(DrawnText, IsCoverageAsLargeAsItsLettersNeed) {
    const auto drawn = draw_text({.text = "Tuff", .size = 40.0f});
    ASSERT_TRUE(drawn) << to_string(drawn.error());
    EXPECT_EQ(drawn->format, Format::r8_unorm);
    EXPECT_GT(drawn->extent.width, 60u);
    EXPECT_LT(drawn->extent.width, 110u);
    EXPECT_GE(drawn->extent.height, 40u);
    EXPECT_LT(drawn->extent.height, 60u);
    const double area = area_of(*drawn);
    const double all = static_cast<double>(drawn->extent.width) * drawn->extent.height;
    EXPECT_GT(area, 0.05 * all);
    EXPECT_LT(area, 0.5 * all);
    std::size_t grey = 0;
    for (const std::byte texel : drawn->texels)
        grey += texel != std::byte{0} && texel != std::byte{255};
    EXPECT_GT(grey, 50u); // edges are antialiased
}

TEST(DrawnText, TwiceTheSizeCoversFourTimesTheArea) {
    const auto small = draw_text({.text = "Shape", .size = 48.0f});
    const auto large = draw_text({.text = "Shape", .size = 96.0f});
    ASSERT_TRUE(small && large);
    // Edges are rounded to 255ths, of which the small one has more.
    EXPECT_NEAR(area_of(*large) / area_of(*small), 4.0, 0.1);
}

TEST(DrawnText, PaddingAndBoxesKeepItInTheMiddle) {
    const auto plain = draw_text({.text = "H", .size = 50.0f});
    const auto padded = draw_text({.text = "H", .size = 50.0f, .padding = 7.0f});
    const auto boxed = draw_text({.text = "H", .size = 50.0f, .box = {{201, 101}}});
    ASSERT_TRUE(plain && padded && boxed);
    EXPECT_EQ(padded->extent.width, plain->extent.width + 14);
    EXPECT_EQ(padded->extent.height, plain->extent.height + 14);
    EXPECT_EQ(boxed->extent, (Extent{201, 101, 1}));
    const auto [first, last] = drawn_columns(*boxed);
    EXPECT_NEAR(0.5 * (first + last), 100.0, 1.0);
    EXPECT_NEAR(area_of(*boxed), area_of(*plain), 3.0);
}

TEST(DrawnText, LinesStandBelowEachOtherAndAreAligned) {
    const auto one = draw_text({.text = "iiii", .size = 30.0f});
    ASSERT_TRUE(one);
    for (const TextAlign align : {TextAlign::left, TextAlign::middle, TextAlign::right}) {
        const auto two = draw_text({.text = "WWWWWW\niiii", .size = 30.0f, .align = align});
        ASSERT_TRUE(two);
        EXPECT_NEAR(two->extent.height, 2.0 * one->extent.height, 1.0);
        HostImage second =
            make_image(Format::r8_unorm, {two->extent.width, two->extent.height / 2, 1});
        std::memcpy(second.texels.data(),
                    two->texels.data() + two->texels.size() - second.texels.size(),
                    second.texels.size());
        const auto [first, last] = drawn_columns(second);
        const double spare = two->extent.width - (last - first + 1.0);
        const double share = static_cast<double>(first) / spare;
        EXPECT_NEAR(share,
                    align == TextAlign::left     ? 0.0
                    : align == TextAlign::middle ? 0.5
                                                 : 1.0,
                    0.06);
    }
}

TEST(DrawnText, LettersOfManyBytesHaveShapesOfTheirOwn) {
    const auto u = draw_text({.text = "u", .size = 40.0f});
    const auto umlaut = draw_text({.text = "\xc3\xbc", .size = 40.0f});
    const auto broken = draw_text({.text = "\xc3", .size = 40.0f});
    const auto unknown = draw_text({.text = "\xef\xbf\xbd", .size = 40.0f}); // U+FFFD
    const auto lily = draw_text({.text = "\xe2\x9a\x9c", .size = 40.0f});
    ASSERT_TRUE(u && umlaut && broken && unknown && lily);
    EXPECT_GT(area_of(*umlaut), area_of(*u) + 5.0);
    EXPECT_EQ(broken->texels, unknown->texels);
    EXPECT_NE(lily->texels, unknown->texels);
}

TEST(DrawnText, WhatCannotBeDrawnIsRefused) {
    EXPECT_EQ(code_of_drawing(draw_text({.text = ""})), "text/empty");
    EXPECT_EQ(code_of_drawing(draw_text({.text = " \n "})), "text/empty");
    EXPECT_EQ(code_of_drawing(draw_text({.text = "Tuff", .size = 40.0f, .box = {{50, 60}}})),
              "text/does-not-fit");
    EXPECT_EQ(code_of_drawing(draw_text({.text = "Tuff", .size = 40.0f, .box = {{200, 30}}})),
              "text/does-not-fit");
    EXPECT_EQ(code_of_drawing(draw_text({.text = std::string(3000, 'W'), .size = 64.0f})),
              "text/too-large");
    EXPECT_EQ(code_of_drawing(draw_text({.text = std::string(70000, 'W'), .size = 1.0f})),
              "text/too-large");
}

TEST(DrawnText, FontsOfFilesAreUsedAndDamagedOnesRefused) {
    const std::filesystem::path font =
        std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "tests/fuzz/seeds/font/letters.ttf";
    const TextDrawing drawing{.text = "AV", .size = 40.0f};
    const auto mono = draw_text(drawing, font);
    ASSERT_TRUE(mono) << to_string(mono.error());
    // Its letters are 0.6 of the em wide, and A and V 0.08 nearer to each other.
    EXPECT_EQ(mono->extent.width, 45u);                                 // 2 * 24 - 3.2, rounded up
    EXPECT_NEAR(area_of(*mono), 2.0 * 0.5 * 0.5 * 0.75 * 1600.0, 10.0); // two triangles

    std::ifstream stream(font, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(code_of_drawing(draw_text(drawing, bytes_of_text("no font"), "x")), "text/bad-font");
    EXPECT_EQ(code_of_drawing(draw_text(drawing, {}, "x")), "text/bad-font");
    // Whatever comes of it: an answer, and this process goes on.
    for (std::size_t length = 12; length < whole.size(); length += 37) {
        const auto cut = draw_text(drawing, bytes_of_text(whole.substr(0, length)), "cut.ttf");
        // Without the end of its tables a font may also ask for letters of any width.
        const std::string code = code_of_drawing(cut);
        EXPECT_TRUE(code.empty() || code == "text/bad-font" || code == "text/too-large") << code;
    }
}

class DrawnSvg : public testing::Test {
  protected:
    void SetUp() override {
        if (format_module("svg.so").empty()) GTEST_SKIP() << "built without librsvg";
    }
    static Result<HostImage> draw(std::string_view text, const DrawingOptions& options = {}) {
        return decode_drawing(bytes_of_text(text), "test.svg", options);
    }
    static std::string svg(std::string_view attributes, std::string_view content) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + std::string(attributes) + ">" +
               std::string(content) + "</svg>";
    }
};

TEST_F(DrawnSvg, HasTheSizeAndTheColoursOfTheFile) {
    const auto drawn = draw(svg("width=\"20\" height=\"10\"",
                                "<rect x=\"5\" width=\"10\" height=\"10\" fill=\"#4080c0\" "
                                "fill-opacity=\"0.5\"/>"));
    ASSERT_TRUE(drawn) << to_string(drawn.error());
    ASSERT_EQ(drawn->extent, (Extent{20, 10, 1}));
    ASSERT_EQ(drawn->format, Format::rgba8_unorm);
    EXPECT_EQ(drawn->texel(2, 5)[3], 0.0f);
    const auto texel = drawn->texel(10, 5);
    EXPECT_NEAR(texel[0], 0x40 / 255.0f, 0.01f);
    EXPECT_NEAR(texel[1], 0x80 / 255.0f, 0.01f);
    EXPECT_NEAR(texel[2], 0xc0 / 255.0f, 0.01f);
    EXPECT_NEAR(texel[3], 0.5f, 0.01f);
}

TEST_F(DrawnSvg, CoverageIsTheAreaOfTheShapes) {
    const std::string disc =
        svg("viewBox=\"0 0 2 2\"", "<circle cx=\"1\" cy=\"1\" r=\"0.8\" fill=\"black\"/>");
    for (const std::uint32_t side : {31u, 100u}) {
        const auto drawn = draw(disc, {.size = {{side, side}}, .coverage = true});
        ASSERT_TRUE(drawn) << to_string(drawn.error());
        ASSERT_EQ(drawn->format, Format::r8_unorm);
        const double radius = 0.4 * side;
        // Cairo's arcs and its coverage are good to about a hundredth.
        EXPECT_NEAR(area_of(*drawn), 3.14159265 * radius * radius, 0.04 * radius * radius);
    }
}

TEST_F(DrawnSvg, IsAsLargeAsFitsInTheMiddle) {
    const auto drawn = draw(svg("viewBox=\"0 0 10 10\"", "<rect width=\"10\" height=\"10\"/>"),
                            {.size = {{60, 20}}, .coverage = true});
    ASSERT_TRUE(drawn);
    const auto [first, last] = drawn_columns(*drawn);
    EXPECT_EQ(first, 20u);
    EXPECT_EQ(last, 39u);
}

TEST_F(DrawnSvg, AnEmptyOneIsAnEmptyPicture) {
    const auto drawn = draw(svg("width=\"9\" height=\"7\"", ""), {.size = {}, .coverage = true});
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->extent, (Extent{9, 7, 1}));
    EXPECT_EQ(area_of(*drawn), 0.0);
}

TEST_F(DrawnSvg, IsReadAsAPictureToo) {
    const std::string text = svg("width=\"8\" height=\"4\"", "<rect width=\"8\" height=\"4\"/>");
    for (const Format ldr : {Format::rgba8_unorm, Format::rgba8_srgb}) {
        const auto read = decode_image(bytes_of_text(text), "x.svg", {.ldr = ldr});
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(read->format, ldr);
        EXPECT_EQ(read->extent, (Extent{8, 4, 1}));
        EXPECT_EQ(read->texel(3, 2)[3], 1.0f);
    }
}

TEST_F(DrawnSvg, DamagedHugeAndEndlessOnesAreRefused) {
    EXPECT_EQ(code_of_drawing(draw("<svg")), "image/corrupt");
    EXPECT_EQ(code_of_drawing(draw("<svg xmlns=\"http://www.w3.org/2000/svg\"><g>")),
              "image/corrupt");
    EXPECT_EQ(code_of_drawing(draw("")), "image/unknown-format");
    EXPECT_EQ(code_of_drawing(draw("no svg at all")), "image/unknown-format");
    EXPECT_EQ(code_of_drawing(draw(svg("width=\"100%\"", ""))), "image/no-size");
    EXPECT_EQ(code_of_drawing(draw(svg("width=\"17000\" height=\"10\"", ""))), "image/too-large");
    EXPECT_EQ(code_of_drawing(draw(svg("", ""), {.size = {{20000, 2}}})), "image/too-large");
    EXPECT_EQ(code_of_drawing(draw(svg("width=\"1e300\" height=\"1\"", ""))), "image/no-size");
    // Each level draws the one before ten times: ten thousand million rectangles.
    std::string bomb = "<defs><rect id=\"a0\" width=\"1\" height=\"1\"/>";
    for (int i = 1; i <= 10; ++i) {
        bomb += "<g id=\"a" + std::to_string(i) + "\">";
        for (int copy = 0; copy < 10; ++copy)
            bomb += "<use href=\"#a" + std::to_string(i - 1) + "\"/>";
        bomb += "</g>";
    }
    const std::string all = svg("width=\"9\" height=\"9\"", bomb + "</defs><use href=\"#a10\"/>");
    const auto refused = draw(all);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().size(), 1u);
}

TEST_F(DrawnSvg, NoOtherFileIsRead) {
    const std::filesystem::path folder = test::empty_folder();
    ASSERT_TRUE(save_image(folder / "red.png", [] {
        HostImage red = make_image(Format::rgba8_unorm, {4, 4, 1});
        for (std::uint32_t i = 0; i < 16; ++i)
            red.set_texel({1, 0, 0, 1}, i % 4, i / 4);
        return red;
    }()));
    const std::string name = (folder / "red.png").string();
    for (const std::string& href : {name, "file://" + name, std::string("red.png")}) {
        const auto drawn = draw(svg("width=\"4\" height=\"4\"",
                                    "<image width=\"4\" height=\"4\" href=\"" + href + "\"/>"),
                                {.size = {}, .coverage = true});
        ASSERT_TRUE(drawn) << to_string(drawn.error());
        EXPECT_EQ(area_of(*drawn), 0.0) << href;
    }
}

} // namespace
} // namespace tuff
