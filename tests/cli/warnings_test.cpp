// What passes find wrong while they run is told on standard error, once each, and is no failure.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tuff::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Solves for "length" numbers in at most "cycles" cycles.
std::string solve(const std::string& expression, const std::string& cycles) {
    return R"json({
    "tuff": 1, "size": [32, 32],
    "nodes": {
        "charge": {"pass": "primitives/map",
                   "params": {"length": 1024, "result_type": "f32", "expression": ")json" +
           expression + R"json("}},
        "field": {"pass": "solver/poisson", "in": {"rhs": "charge.result"},
                  "params": {"size": [32, 32, 1], "tolerance": 1e-5, "max_cycles": )json" +
           cycles + R"json(,
                             "boundary": {"x": "dirichlet", "y": "dirichlet"}}}
    },
    "outputs": {"field": "field.solution"}
})json";
}

std::size_t count_of(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(WarningsOfPasses, AreToldOnceUnderTheNodesName) {
    WorkFolder folder;
    folder.write("graph.json", solve("float(i % 7u)", "1"));
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "3", "--out", "f_%d.csv"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("warning[solver/not-converged]: field: after 1 cycles"));
    EXPECT_THAT(result.errors, HasSubstr("max_cycles"));
    EXPECT_EQ(count_of(result.errors, "solver/not-converged"), 1u) << result.errors;
}

TEST(WarningsOfPasses, AreNoneWhereAllIsWell) {
    WorkFolder folder;
    folder.write("graph.json", solve("float(i % 7u)", "30"));
    const CommandResult result = run_tuff({"run", "graph.json", "--out", "f.csv"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("warning")));
}

} // namespace
} // namespace tuff::test
