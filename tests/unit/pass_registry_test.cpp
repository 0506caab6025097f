#include "config_toys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tuff {
namespace {

class PassParameters : public testing::Test {
  protected:
    /// The code of the error that setting a parameter of a blur gives, or "ok".
    std::string set(std::string_view name, const ParameterValue& value) {
        const PassDescriptor& pass = *registry_.find("toy/blur");
        const auto result = pass.make()->set_parameter(*pass.find_parameter(name), value);
        if (result) return "ok";
        message_ = result.error()[0].message + " / " + result.error()[0].hint;
        return result.error()[0].code;
    }

    PassRegistry registry_ = toys::make_registry();
    std::string message_;
};

TEST_F(PassParameters, NumbersAreCheckedAgainstTheirRange) {
    EXPECT_EQ(set("sigma", 64.0), "ok");
    EXPECT_EQ(set("sigma", std::int64_t{0}), "ok");
    EXPECT_EQ(set("sigma", 64.5), "pass/out-of-range");
    EXPECT_THAT(message_, testing::HasSubstr("64.5 texels"));
    EXPECT_THAT(message_, testing::HasSubstr("0 to 64 texels"));
}

TEST_F(PassParameters, NumbersThatAreNoneAreRefused) {
    EXPECT_EQ(set("sigma", std::nan("")), "pass/out-of-range");
    EXPECT_EQ(set("camera.angle", std::numeric_limits<double>::infinity()), "pass/out-of-range");
    EXPECT_EQ(set("camera.position", std::vector{1.0, std::nan(""), 0.0}), "pass/out-of-range");
    EXPECT_EQ(set("camera.position", std::vector{1.0, 1e300, 0.0}), "pass/out-of-range");
    EXPECT_EQ(set("radius", 1e300), "pass/out-of-range");
}

TEST_F(PassParameters, EveryKindRefusesTheOthers) {
    EXPECT_EQ(set("sigma", std::string("1")), "pass/wrong-type");
    EXPECT_EQ(set("radius", 0.5), "pass/wrong-type");
    EXPECT_EQ(set("wrap", std::int64_t{1}), "pass/wrong-type");
    EXPECT_EQ(set("label", 1.0), "pass/wrong-type");
    EXPECT_EQ(set("mode", true), "pass/wrong-type");
    EXPECT_EQ(set("weights", 1.0), "pass/wrong-type");
    EXPECT_EQ(set("weights", std::vector<std::string>{"a"}), "pass/wrong-type");
    EXPECT_EQ(set("names", std::string("a")), "pass/wrong-type");
    EXPECT_EQ(set("names", std::vector{1.0}), "pass/wrong-type");
    EXPECT_EQ(set("names", std::vector<std::string>{"a", "b"}), "ok");
    EXPECT_EQ(set("names", std::vector<double>()), "ok"); // "[]" in a config
    EXPECT_EQ(set("camera.position", std::vector{1.0, 2.0}), "pass/wrong-type");
}

TEST_F(PassParameters, AnUnknownChoiceListsTheChoices) {
    EXPECT_EQ(set("mode", std::string("hart")), "pass/unknown-choice");
    EXPECT_THAT(message_, testing::HasSubstr("did you mean \"hard\""));
    EXPECT_THAT(message_, testing::HasSubstr("soft, hard"));
}

TEST_F(PassParameters, PortsRefuseOtherTypes) {
    const auto result =
        registry_.find("toy/blur")->make()->set_input(0, PortValue::of(toys::Grid{}));
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error()[0].code, "pass/wrong-port-type");
    EXPECT_EQ(result.error()[0].message, "input \"source\" takes an Image, not a Grid");
}

TEST(PassRegistry, FindsPassesAndKeepsThemSorted) {
    const PassRegistry registry = toys::make_registry();
    EXPECT_EQ(registry.find("toy/none"), nullptr);
    EXPECT_EQ(registry.find("toy/mix")->name, "toy/mix");
    EXPECT_TRUE(std::ranges::is_sorted(registry.names()));
    EXPECT_EQ(registry.find("toy/blur")->find_output("result"), 0u);
    EXPECT_EQ(registry.find("toy/blur")->find_output("source"), std::nullopt);
}

} // namespace
} // namespace tuff
