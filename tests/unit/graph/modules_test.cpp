// Modules that a program is linked with: what is known, what is looked up when, and passes that are
// not where their names say. Files of modules are tested with the built program (tests/cli).

#include <tuff/modules.hpp>
#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

int asked_first = 0; // how often the first module's passes were asked for

PassDescriptor pass_called(std::string_view name) {
    PassDescriptor pass;
    pass.name = name;
    return pass;
}
std::span<const EmbeddedShader> no_shaders() {
    return {};
}
std::span<const Module* const> no_modules() {
    return {};
}

constexpr Module kFirst{.name = "first",
                        .add_passes =
                            [](PassRegistry& registry) {
                                ++asked_first;
                                registry.add(pass_called("first/one"));
                                registry.add(pass_called("first/two"));
                            },
                        .shaders = no_shaders,
                        .dependencies = no_modules};

std::span<const Module* const> the_first() {
    static constexpr std::array<const Module*, 1> kNeeded = {&kFirst};
    return kNeeded;
}

/// Needs the first module, and has a pass that is called as if it were of that.
constexpr Module kSecond{.name = "second",
                         .add_passes =
                             [](PassRegistry& registry) {
                                 registry.add(pass_called("second/own"));
                                 registry.add(pass_called("first/stranger"));
                             },
                         .shaders = no_shaders,
                         .dependencies = the_first};

std::shared_ptr<Modules> linked_with(const Module& module) {
    const Module* const all[] = {&module};
    return std::make_shared<Modules>(all);
}

TEST(LinkedModules, BringThoseTheyDependOn) {
    EXPECT_THAT(linked_with(kFirst)->names(), ElementsAre("first"));
    EXPECT_THAT(linked_with(kSecond)->names(), ElementsAre("first", "second"));
    const auto found = linked_with(kSecond)->find("first");
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, &kFirst);
    const auto none = linked_with(kSecond)->find("third");
    ASSERT_TRUE(none);
    EXPECT_EQ(*none, nullptr);
}

TEST(LinkedModules, AreAskedForTheirPassesOnceAndWhenOneIsNamed) {
    asked_first = 0;
    const PassRegistry registry(linked_with(kFirst));
    EXPECT_EQ(registry.find("other/pass"), nullptr);
    EXPECT_EQ(asked_first, 0);
    EXPECT_NE(registry.find("first/two"), nullptr);
    EXPECT_EQ(registry.find("first/three"), nullptr);
    EXPECT_THAT(registry.names(), ElementsAre("first/one", "first/two"));
    EXPECT_EQ(asked_first, 1);
    EXPECT_THAT(registry.why_missing("first/three"), IsEmpty());
}

TEST(LinkedModules, PassesOfOtherModulesNamesAreLeftOutAndNamed) {
    const PassRegistry registry(linked_with(kSecond));
    EXPECT_NE(registry.find("second/own"), nullptr);
    EXPECT_EQ(registry.find("first/stranger"), nullptr);
    EXPECT_THAT(registry.names(), ElementsAre("first/one", "first/two", "second/own"));
    const Diagnostics why = registry.why_missing("second/more");
    ASSERT_EQ(why.size(), 1u);
    EXPECT_EQ(why.front().code, "module/foreign-pass");
    EXPECT_THAT(why.front().message, HasSubstr("\"first/stranger\""));
}

TEST(LinkedModules, APassThatIsThereAlreadyStaysAndTheOtherIsNamed) {
    PassRegistry registry(linked_with(kFirst));
    PassDescriptor own = pass_called("first/one");
    own.summary = "the program's own";
    registry.add(std::move(own));
    ASSERT_NE(registry.find("first/one"), nullptr);
    EXPECT_EQ(registry.find("first/one")->summary, "the program's own");
    ASSERT_EQ(registry.why_missing("first/three").size(), 1u);
    EXPECT_EQ(registry.why_missing("first/three").front().code, "module/foreign-pass");
}

} // namespace
} // namespace tuff
