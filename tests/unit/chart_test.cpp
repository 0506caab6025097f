#include "passes/image/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tuff::passes {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const ChartAxis& axis, std::size_t most) {
    std::vector<std::string> all;
    for (const Tick& tick : ticks_of(axis, most))
        all.push_back(tick.text);
    return all;
}

TEST(ChartAxis, NumbersAreRound) {
    EXPECT_THAT(texts({.low = 0.0, .high = 1.0}, 5),
                ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(texts({.low = -30.0, .high = 45.0}, 4), ElementsAre("-20", "0", "20", "40"));
    EXPECT_THAT(texts({.low = 0.0, .high = 12.0}, 3), ElementsAre("0", "5", "10"));
    EXPECT_THAT(texts({.low = 0.0, .high = 3e9}, 3), ElementsAre("0", "1e+09", "2e+09", "3e+09"));
    EXPECT_THAT(texts({.low = 0.0, .high = 2e-6}, 2), ElementsAre("0", "1e-06", "2e-06"));
}

TEST(ChartAxis, LogarithmicNumbersArePowersOfTen) {
    EXPECT_THAT(texts({.low = 1e-3, .high = 100.0, .logarithmic = true}, 9),
                ElementsAre("10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²"));
    // As floats the ends are not quite round.
    EXPECT_THAT(texts({.low = 1e-7f, .high = 1e-5f, .logarithmic = true}, 9),
                ElementsAre("10⁻⁷", "10⁻⁶", "10⁻⁵"));
    // Lines stay where numbers have no room.
    EXPECT_THAT(texts({.low = 1e-3, .high = 100.0, .logarithmic = true}, 3),
                ElementsAre("10⁻³", "", "10⁻¹", "", "10", ""));
    EXPECT_THAT(texts({.low = 2.0, .high = 8.0, .logarithmic = true}, 3),
                ElementsAre("2", "4", "6", "8"));
}

TEST(ChartAxis, PlacesAreBetweenItsEnds) {
    EXPECT_DOUBLE_EQ(place_on({.low = -1.0, .high = 3.0}, 0.0), 0.25);
    EXPECT_DOUBLE_EQ(place_on({.low = 1e-2, .high = 1e2, .logarithmic = true}, 1.0), 0.5);
}

/// Rows of the canvas in which something is drawn.
std::vector<std::uint32_t> drawn_rows(const Canvas& canvas) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t y = 0; y < canvas.height; ++y) {
        const auto row = canvas.texels.begin() + static_cast<std::ptrdiff_t>(y) * canvas.width;
        if (std::any_of(row, row + canvas.width, [](auto texel) { return texel.x < 128; }))
            rows.push_back(y);
    }
    return rows;
}

TEST(ChartText, CapitalsStandOnTheBaseLine) {
    Canvas canvas(200, 60, glm::vec4(1.0f));
    draw_text(canvas, "HEH", 40.0f, {10.0f, 50.0f}, glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
    const std::vector<std::uint32_t> rows = drawn_rows(canvas);
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.back(), 49u);
    EXPECT_NEAR(50.0 - rows.front(), capital_height(40.0f), 1.0);
}

TEST(ChartText, UpwardsIsAQuarterTurn) {
    const glm::vec4 black(0.0f, 0.0f, 0.0f, 1.0f);
    Canvas along(120, 40, glm::vec4(1.0f));
    draw_text(along, "Fp 7", 20.0f, {20.0f, 30.0f}, black);
    Canvas upwards(40, 120, glm::vec4(1.0f));
    draw_text(upwards, "Fp 7", 20.0f, {30.0f, 100.0f}, black, TextAnchor::left, true);
    int differences = 0;
    for (std::uint32_t y = 0; y < 40; ++y)
        for (std::uint32_t x = 0; x < 120; ++x) {
            const int a = along.texels[y * 120 + x].x;
            const int b = upwards.texels[(119 - x) * 40 + y].x;
            differences += std::abs(a - b) > 8 ? 1 : 0;
        }
    EXPECT_EQ(differences, 0);
    EXPECT_FALSE(drawn_rows(along).empty());
}

TEST(ChartText, WidthsAddUpAndTextsAreShortened) {
    EXPECT_NEAR(text_width("HH", 20.0f), 2.0f * text_width("H", 20.0f), 1e-3f);
    EXPECT_EQ(shortened("short", 12.0f, 1000.0f), "short");
    const std::string cut = shortened("grüße aus dem Süden", 12.0f, 60.0f);
    EXPECT_TRUE(cut.ends_with("...")) << cut;
    EXPECT_LE(text_width(cut, 12.0f), 60.0f);
    EXPECT_GT(text_width(cut, 12.0f), 40.0f);
}

TEST(ChartText, BytesThatAreNoLettersAreDrawnAsUnknown) {
    const float unknown = text_width("\uFFFD", 12.0f);
    for (const std::string_view bad : {"\xff", "\x80", "\xc1", "\xc3"})
        EXPECT_FLOAT_EQ(text_width(bad, 12.0f), unknown);
    EXPECT_FLOAT_EQ(text_width("\xc3\x28", 12.0f), unknown + text_width("(", 12.0f));
}

TEST(ChartPictureTest, WhatHasNoRoomIsLeftOut) {
    for (const std::uint32_t side : {1u, 2u, 17u, 40u, 64u, 90u, 200u}) {
        const ChartPicture picture =
            draw_chart({.width = side,
                        .height = side,
                        .title = "A title that is too long for most",
                        .y = {.low = 1e-30, .high = 1e30, .logarithmic = true},
                        .names = {"one", "two with a name", ""}});
        EXPECT_GE(picture.low.x, 0);
        EXPECT_LE(picture.high.y, static_cast<int>(side));
        EXPECT_LT(picture.low.x, picture.high.x);
        EXPECT_LT(picture.low.y, picture.high.y);
    }
}

TEST(ChartPictureTest, EqualCanvasesShareTheirBytes) {
    const Canvas a(3, 2, glm::vec4(0.5f));
    Canvas b = a;
    const auto first = shared_texels(a);
    EXPECT_EQ(first, shared_texels(b));
    b.mix(1, 1, glm::vec4(1.0f), 1.0f);
    EXPECT_NE(first, shared_texels(b));
}

} // namespace
} // namespace tuff::passes
