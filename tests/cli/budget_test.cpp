// `--memory-budget` and `--tradeoff` of `tuff explain`.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Budget : public testing::Test {
  protected:
    Budget() { folder.write("graph.json", kGoodConfig); }

    CommandResult explain(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"explain", "graph.json"});
        return run_tuff(arguments, folder.path());
    }

    WorkFolder folder;
};

TEST_F(Budget, tradeoff_prints_the_curve_instead_of_the_plan) {
    const CommandResult result = explain({"--tradeoff"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("levels"), HasSubstr("batches"),
                                     HasSubstr("live at once"), Not(HasSubstr("level 0"))));
    EXPECT_GE(std::ranges::count(result.output, '\n'), 2); // the heading, and one point at least
}

TEST_F(Budget, a_size_with_a_unit_is_a_budget) {
    const CommandResult result = explain({"--memory-budget", "64MiB"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("level 0"));
}

TEST_F(Budget, anything_else_is_refused_with_the_flag_named) {
    const CommandResult result = explain({"--memory-budget", "plenty"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.errors, HasSubstr("--memory-budget"));
}

} // namespace
} // namespace tuff::test
