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

/// Two panes of glass, with room for `capacity` of their fragments.
std::string panes(const std::string& capacity) {
    return R"json({
    "tuff": 1, "size": [24, 16],
    "assets": {"world": {"scene": [
        {"plane": [2, 2], "rotate": [90, 0, 0], "material": {"base_color": [0.9, 0.1, 0.1, 0.5]}},
        {"plane": [2, 2], "rotate": [90, 40, 0], "material": {"base_color": [0.1, 0.1, 0.9, 0.5]}}
    ]}},
    "nodes": {
        "solid": {"pass": "scene/mesh_raster", "in": {"scene": "world"},
                  "params": {"width": "$width", "height": "$height", "samples": 1,
                             "blended": "left_out", "camera": {"mode": "free", "position": [0, 0, 3]}}},
        "glass": {"pass": "oit/capture", "in": {"scene": "world", "view": "solid.view"},
                  "params": {"pool": {"capacity": )json" +
           capacity + R"json(}}},
        "blended": {"pass": "oit/resolve", "in": {"lists": "glass.lists", "view": "solid.view"},
                    "params": {"tiles": "all"}}
    },
    "outputs": {"picture": "blended.color"}
})json";
}

TEST(WarningsOfPasses, OfFullPoolsEndWhereFramesFollow) {
    WorkFolder folder;
    folder.write("small.json", panes("1"));
    folder.write("large.json", panes("10000"));
    const auto run = [&](const char* config, const char* file) {
        return run_tuff({"run", config, "--frames", "3", "--out", file}, folder.path());
    };
    const CommandResult all = run("small.json", "small_%d.npy");
    EXPECT_EQ(all.exit_code, 0) << all.errors;
    EXPECT_EQ(count_of(all.errors, "warning[oit/full-pool]: glass: "), 1u) << all.errors;
    EXPECT_EQ(count_of(all.errors, "warning[graph/pool-grown]: glass/fragments: "), 1u);
    const CommandResult enough =
        run_tuff({"run", "large.json", "--out", "large.npy"}, folder.path());
    EXPECT_THAT(enough.errors, Not(HasSubstr("warning")));
    const std::string picture = folder.read("large.npy");
    EXPECT_NE(folder.read("small_0.npy"), picture);
    EXPECT_EQ(folder.read("small_1.npy"), picture);
    // Also where nobody looks at the first frames, and so nobody waits for them.
    const CommandResult last = run("small.json", "last.npy");
    EXPECT_THAT(last.errors, Not(HasSubstr("oit/full-pool")));
    EXPECT_THAT(last.errors, HasSubstr("graph/pool-grown"));
    EXPECT_EQ(folder.read("last.npy"), picture);
}

} // namespace
} // namespace tuff::test
