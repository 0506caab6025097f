#include <tuff/diagnostic.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

using testing::HasSubstr;
using testing::Not;

Diagnostic example() {
    return {.code = "config/unknown-pass",
            .message = "there is no pass \"blr\"",
            .where = {.file = "a.json",
                      .line = 12,
                      .column = 7,
                      .length = 5,
                      .line_text = R"("pass": "blr")"},
            .hint = "did you mean \"blur\"?"};
}

TEST(Diagnostic, IsShownWithItsLineUnderlined) {
    Diagnostic d = example();
    d.where.column = 9;
    EXPECT_EQ(to_string(d), "error[config/unknown-pass]: there is no pass \"blr\"\n"
                            "  --> a.json:12:9\n"
                            "   |\n"
                            "12 | \"pass\": \"blr\"\n"
                            "   |         ^^^^^\n"
                            "   = hint: did you mean \"blur\"?\n");
}

TEST(Diagnostic, WithoutAPlaceIsOneLine) {
    EXPECT_EQ(to_string(Diagnostic{.code = "a/b", .severity = Severity::warning, .message = "m"}),
              "warning[a/b]: m\n");
}

TEST(Diagnostic, OfAWholeFileShowsItsName) {
    EXPECT_EQ(to_string(Diagnostic{.code = "a/b", .message = "m", .where = {.file = "f"}}),
              "error[a/b]: m\n  --> f\n");
}

TEST(Diagnostic, TabsAndWideCharactersKeepTheUnderlineInPlace) {
    Diagnostic d = example();
    d.where.line_text = "\t\xE6\xBC\xA2\xC3\xA4x"; // tab, one wide, one accented, x
    d.where.column = 4;
    d.where.length = 1;
    EXPECT_THAT(to_string(d), HasSubstr("12 |     \xE6\xBC\xA2\xC3\xA4x\n"));
    EXPECT_THAT(to_string(d), HasSubstr("   |        ^\n"));
}

TEST(Diagnostic, ControlAndMalformedBytesDoNotReachTheTerminal) {
    Diagnostic d = example();
    d.where.line_text = "a\x1b[31m\xff\x07";
    EXPECT_THAT(to_string(d), Not(HasSubstr("\x1b")));
    EXPECT_THAT(to_string(d), Not(HasSubstr("\xff")));
}

TEST(Diagnostic, APlacePastTheEndOfTheLineIsMarkedBehindIt) {
    Diagnostic d = example();
    d.where.line_text = "abc";
    d.where.column = 40;
    EXPECT_THAT(to_string(d), HasSubstr("   |    ^\n"));
}

TEST(Diagnostic, LongLinesAreCutAroundTheMark) {
    Diagnostic d = example();
    d.where.line_text = std::string(5000, 'x');
    d.where.line_text[3000] = 'Y';
    d.where.column = 3001;
    EXPECT_LT(to_string(d).size(), 600u);
    EXPECT_THAT(to_string(d), HasSubstr("Y"));
}

TEST(Diagnostic, ColourOnlyAddsEscapes) {
    std::string text = to_string(example(), true);
    EXPECT_THAT(text, HasSubstr("\x1b[1;31m"));
    for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
        text.erase(at, text.find('m', at) - at + 1);
    EXPECT_EQ(text, to_string(example()));
}

TEST(Diagnostic, OnlyErrorsAreErrors) {
    Diagnostics all = {{.code = "a/b", .severity = Severity::warning, .message = "m"}};
    EXPECT_FALSE(has_errors(all));
    all.push_back(example());
    EXPECT_TRUE(has_errors(all));
}

TEST(NearestName, FindsSlipsOfThePen) {
    const std::vector<std::string> known = {"image/blur", "image/tonemap", "sigma", "radius", "x"};
    EXPECT_EQ(nearest_name("image/blurr", known), "image/blur");
    EXPECT_EQ(nearest_name("image/tnoemap", known), "image/tonemap");
    EXPECT_EQ(nearest_name("Sigma", known), "sigma");
    // People leave out the domain.
    EXPECT_EQ(nearest_name("tonemap", known), "image/tonemap");
    EXPECT_EQ(nearest_name("tonmap", known), "image/tonemap");
    EXPECT_EQ(nearest_name("other/tonemap", known), "");
    EXPECT_EQ(nearest_name("raduis", known), "radius");
}

TEST(NearestName, IsSilentWhereNothingIsNear) {
    const std::vector<std::string> known = {"image/blur", "sigma", "x"};
    EXPECT_EQ(nearest_name("completely", known), "");
    EXPECT_EQ(nearest_name("y", known), "");
    EXPECT_EQ(nearest_name("", known), "");
    EXPECT_EQ(nearest_name(std::string(100'000, 'x'), known), "");
    EXPECT_EQ(nearest_name("sigma", {}), "");
}

} // namespace
} // namespace tuff
