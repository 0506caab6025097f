#include "config/read/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace tuff {
namespace {

/// The value of `text` with $a = 3, $b = -0.5, $on = true, $mode = 'hard', ${with-hyphen} = 7.
std::expected<ExpressionValue, ExpressionFault> computed(std::string_view text) {
    auto expression = Expression::parse(text);
    if (!expression) return std::unexpected(expression.error());
    std::vector<ExpressionValue> values;
    for (const Expression::Name& name : expression->names()) {
        if (name.text == "on")
            values.emplace_back(true);
        else if (name.text == "mode")
            values.emplace_back(std::string("hard"));
        else
            values.emplace_back(name.text == "a" ? 3.0 : name.text == "b" ? -0.5 : 7.0);
    }
    return expression->evaluate(values);
}

double number(std::string_view text) {
    const auto value = computed(text);
    if (!value) {
        ADD_FAILURE() << text << ": " << value.error().message;
        return std::nan("");
    }
    return std::get<double>(*value);
}

bool truth(std::string_view text) {
    const auto value = computed(text);
    if (!value) {
        ADD_FAILURE() << text << ": " << value.error().message;
        return false;
    }
    return std::get<bool>(*value);
}

ExpressionFault fault(std::string_view text) {
    const auto value = computed(text);
    if (!value) return value.error();
    ADD_FAILURE() << text << " has a value";
    return {};
}

/// What of `text` is marked.
std::string marked(std::string_view text) {
    const ExpressionFault found = fault(text);
    return std::string(text.substr(found.begin, found.end - found.begin));
}

TEST(Expression, OperatorsBindAsInTheTable) {
    EXPECT_EQ(number("1 + 2 * 3"), 7.0);
    EXPECT_EQ(number("(1 + 2) * 3"), 9.0);
    EXPECT_EQ(number("10 - 4 - 3"), 3.0) << "from the left";
    EXPECT_EQ(number("16 / 4 / 2"), 2.0);
    EXPECT_EQ(number("2 * 7 % 4"), 2.0);
    EXPECT_EQ(number("-2 * -3"), 6.0);
    EXPECT_EQ(number("- - 2"), 2.0);
    EXPECT_EQ(number("+2 - +3"), -1.0);
    EXPECT_TRUE(truth("1 + 1 == 2"));
    EXPECT_TRUE(truth("1 < 2 == true"));
    EXPECT_TRUE(truth("1 < 2 && 2 < 3"));
    EXPECT_TRUE(truth("true || false && false")) << "&& binds more tightly";
    EXPECT_FALSE(truth("(true || false) && false"));
    EXPECT_TRUE(truth("!false && true"));
    EXPECT_FALSE(truth("!(false || true)"));
    EXPECT_TRUE(truth("!$on || $on"));
    EXPECT_TRUE(truth("-1 < 0"));
}

TEST(Expression, ComparisonsAndTextsGiveTruths) {
    for (const auto& [x, y] : {std::pair{1.0, 2.0}, {2.0, 2.0}, {3.0, 2.0}}) {
        EXPECT_EQ(truth(fmt::format("{} < {}", x, y)), x < y);
        EXPECT_EQ(truth(fmt::format("{} <= {}", x, y)), x <= y);
        EXPECT_EQ(truth(fmt::format("{} > {}", x, y)), x > y);
        EXPECT_EQ(truth(fmt::format("{} >= {}", x, y)), x >= y);
        EXPECT_EQ(truth(fmt::format("{} == {}", x, y)), x == y);
        EXPECT_EQ(truth(fmt::format("{} != {}", x, y)), x != y);
    }
    EXPECT_TRUE(truth("$mode == 'hard'"));
    EXPECT_TRUE(truth("$mode != 'soft'"));
    EXPECT_EQ(std::get<std::string>(*computed("select($on, 'yes', 'no')")), "yes");
}

TEST(Expression, FunctionsGiveWhatTheStandardLibraryGives) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-20.0, 20.0);
    for (int i = 0; i < 200; ++i) {
        const double x = any(random), y = any(random), z = any(random);
        const auto call = [&](std::string_view name, auto... arguments) {
            std::string list;
            ((list += fmt::format("{}{}", list.empty() ? "" : ", ", arguments)), ...);
            return number(fmt::format("{}({})", name, list));
        };
        EXPECT_EQ(call("abs", x), std::abs(x));
        EXPECT_EQ(call("ceil", x), std::ceil(x));
        EXPECT_EQ(call("floor", x), std::floor(x));
        EXPECT_EQ(call("round", x), std::round(x));
        EXPECT_EQ(call("cos", x), std::cos(x));
        EXPECT_EQ(call("sin", x), std::sin(x));
        EXPECT_EQ(call("exp", x), std::exp(x));
        EXPECT_EQ(call("log", std::abs(x) + 0.1), std::log(std::abs(x) + 0.1));
        EXPECT_EQ(call("sqrt", std::abs(x)), std::sqrt(std::abs(x)));
        EXPECT_EQ(call("pow", std::abs(x), y / 4), std::pow(std::abs(x), y / 4));
        EXPECT_EQ(call("min", x, y, z), std::min({x, y, z}));
        EXPECT_EQ(call("max", x, y, z), std::max({x, y, z}));
        EXPECT_EQ(call("clamp", x, -5.0, 5.0), std::clamp(x, -5.0, 5.0));
        EXPECT_EQ(call("mix", x, y, 0.25), std::lerp(x, y, 0.25));
        EXPECT_EQ(number(fmt::format("{} % {}", x, 3.0)), x - 3.0 * std::floor(x / 3.0));
    }
    EXPECT_EQ(number("select(1 < 2, 5, 6)"), 5.0);
    EXPECT_EQ(number("select(1 > 2, 5, 6)"), 6.0);
    EXPECT_EQ(number("pi"), std::numbers::pi);
    EXPECT_EQ(number("round(-2.5)"), -3.0) << "halves away from zero";
    EXPECT_EQ(number("-1 % 4"), 3.0) << "the sign of the divisor";
    EXPECT_EQ(number("1e3 + .5 + 2.5e-1"), 1000.75);
}

TEST(Expression, NamesStandForTheirValues) {
    EXPECT_EQ(number("2*$a+1"), 7.0);
    EXPECT_EQ(number("$a-$a"), 0.0) << "a hyphen takes away";
    EXPECT_EQ(number("${with-hyphen}-${a}"), 4.0);
    const auto expression = Expression::parse("$a * $b + $a");
    ASSERT_TRUE(expression);
    ASSERT_EQ(expression->names().size(), 2u) << "each once";
    EXPECT_EQ(expression->names()[1].begin, 5u);
    EXPECT_EQ(expression->names()[1].end, 7u);
}

TEST(Expression, WhatIsNotTakenIsNotComputed) {
    EXPECT_EQ(number("select($a != 3, 1/($a-3), 9)"), 9.0);
    EXPECT_FALSE(truth("false && 1/0 > 1"));
    EXPECT_TRUE(truth("true || 1/0 > 1"));
    EXPECT_EQ(number("select($on, select(false, 1/0, 2), 1/0) + 1"), 3.0);
}

TEST(Expression, FaultsOfSyntaxMarkTheirPlace) {
    EXPECT_EQ(marked("1 + * 2"), "*");
    EXPECT_EQ(marked("(1 + 2"), "(");
    EXPECT_EQ(marked("1 + 2)"), ")");
    EXPECT_EQ(marked("1 2"), "2");
    EXPECT_EQ(marked("$a ^ 2"), "^");
    EXPECT_EQ(marked("sine($a)"), "sine");
    EXPECT_EQ(marked("1 + min(2)"), "min(2)");
    EXPECT_EQ(marked("select(true, 1)"), "select(true, 1)");
    EXPECT_EQ(marked("2 + sin"), "sin");
    EXPECT_EQ(marked("2 + 3x"), "3");
    EXPECT_EQ(marked("'open"), "'open");
    EXPECT_EQ(marked("1 + $"), "$");
    EXPECT_EQ(marked("1 +"), "+");
    EXPECT_EQ(marked("max(1, 2 3)"), "3");
    EXPECT_EQ(marked("1 + \u00b5"), "\u00b5") << "a whole character";
    EXPECT_EQ(fault("sqr(2)").hint, "did you mean \"sqrt\"?");
    EXPECT_EQ(fault("").message, "the expression is empty");
    EXPECT_EQ(fault("1e999").code, "config/not-a-number");
    for (const char* wrong :
         {"", "1 +", "()", "sin()", "1..2", "0x10", "$1", "${a", "a", ",", "&&"})
        EXPECT_EQ(fault(wrong).code, "config/bad-expression") << wrong;
}

TEST(Expression, FaultsOfValuesMarkTheirPlace) {
    EXPECT_EQ(marked("1 + 6 / ($a - 3)"), "/ ($a - 3)");
    EXPECT_EQ(fault("6 / ($a - 3)").message, "6 is divided by zero");
    EXPECT_EQ(fault("6 % 0").code, "config/not-a-number");
    EXPECT_EQ(marked("2 * sqrt($b) + 1"), "sqrt($b)");
    EXPECT_EQ(fault("sqrt($b)").message, "sqrt(-0.5) is not a finite number");
    EXPECT_EQ(fault("log(0)").code, "config/not-a-number");
    EXPECT_EQ(fault("pow($b, 0.5)").code, "config/not-a-number");
    EXPECT_EQ(fault("exp(1000)").code, "config/not-a-number");
    EXPECT_EQ(fault("1e300 * 1e300").code, "config/not-a-number");
    EXPECT_EQ(fault("clamp(1, 3, 2)").code, "config/not-a-number");
    EXPECT_EQ(marked("1 + $on"), "1 + $on");
    for (const char* wrong :
         {"1 + $on", "$mode * 2", "-$on", "!1", "1 && true", "true || 1 || 1", "false || 1",
          "select(1, 2, 3)", "1 == true", "1 < 2 < 3", "sin('x')", "$mode < 'x'"})
        if (const auto value = computed(wrong); std::string_view(wrong) != "true || 1 || 1") {
            ASSERT_FALSE(value) << wrong;
            EXPECT_EQ(value.error().code, "config/wrong-type") << wrong;
        }
}

TEST(Expression, HostileTextsEndWithAFault) {
    for (const char* piece : {"(", "-", "!", "sin(", "select(true,", "max(1,"}) {
        std::string deep;
        for (int i = 0; i < 10'000; ++i)
            deep += piece;
        const ExpressionFault found = fault(deep);
        EXPECT_TRUE(found.code == "config/too-deep" || found.code == "config/too-large")
            << piece << found.message;
    }
    EXPECT_EQ(fault(std::string(10'000, '(')).code, "config/too-deep");
    EXPECT_EQ(fault(std::string(1 << 20, '1')).code, "config/too-large");
    EXPECT_EQ(fault(std::string(1 << 20, '+')).code, "config/too-large");
    std::string sum = "1";
    for (int i = 1; i < 30'000; ++i)
        sum += "+1";
    EXPECT_EQ(number(sum), 30'000.0) << "long and flat is sound";
}

TEST(Expression, NoTextEndsTheProcess) {
    std::mt19937 random(3);
    constexpr std::string_view kPieces[] = {
        "1", "$a", "$on", "(", ")",    "+",       "-",    "*",   "/", "%",    "<", "==",
        "!", "&&", "||",  ",", "max(", "select(", "sin(", "'x'", " ", "true", "}", "${"};
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (auto n = random() % 12; n > 0; --n)
            text += kPieces[random() % std::size(kPieces)];
        if (const auto value = computed(text); !value) {
            EXPECT_FALSE(value.error().message.empty()) << text;
            EXPECT_LE(value.error().begin, text.size()) << text;
        }
    }
}

} // namespace
} // namespace tuff
