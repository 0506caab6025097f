// What kernels assert: which line failed, how often, and first where.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Fails in frames after the first, for all texels right of 29 and below 19.
constexpr std::string_view kAsserting = R"json({
    "tuff": 1,
    "nodes": {
        "slope": {"glsl": [
            "layout(local_size_x = 8, local_size_y = 8) in;",
            "#include \"assert.glsl\"",
            "writeonly uniform image2D result;",
            "uniform Params { float frame; } params;",
            "void main() {",
            "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);",
            "    if (any(greaterThanEqual(p, imageSize(result)))) return;",
            "    assert(p.x >= 0);",
            "    assert(params.frame < 1.0 || p.x < 30 || p.y < 20); // (the corner)",
            "    imageStore(result, p, vec4(p.x));",
            "}"],
            "out": {"result": {"size": [40, 24], "format": "r32_sfloat"}},
            "params": {"frame": "=$frame"}}
    },
    "outputs": {"picture": "slope.result"}
})json";

TEST(Assertions, TellTheLineTheTextAndTheFirstInvocation) {
    WorkFolder folder;
    folder.write("graph.json", kAsserting);
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "3", "--out", "o.exr"}, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors,
                HasSubstr("error[graph/assertion-failed]: kernel 'glsl/slope' of node "
                          "'slope/compute', line 9: assert(params.frame < 1.0 || p.x < 30 || p.y "
                          "< 20) does not hold in 40 invocations, first in (30, 20, 0) (frame 1)"));
    EXPECT_THAT(result.errors, Not(HasSubstr("(frame 2)"))) << "told once";
    EXPECT_THAT(result.errors, Not(HasSubstr("line 8")));
    EXPECT_FALSE(folder.read("o.exr").empty());
}

TEST(Assertions, SayNothingWhereTheyHold) {
    WorkFolder folder;
    folder.write("graph.json", kAsserting);
    const CommandResult result = run_tuff({"run", "graph.json", "--out", "o.exr"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("assert")));
}

TEST(Assertions, AreSwitchedOff) {
    WorkFolder folder;
    folder.write("graph.json", kAsserting);
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "3", "--assertions", "off", "--out", "o.exr"},
                 folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("assert")));
}

TEST(Assertions, WorkInKernelFiles) {
    WorkFolder folder;
    folder.write("halve.comp", R"(#version 460
layout(local_size_x = 32) in;
#include "assert.glsl"
#include "invocation.glsl"
writeonly buffer Numbers { uint list[]; } numbers;
void main() {
    uint i = invocation_index();
    if (i >= numbers.list.length()) return;
    numbers.list[i] = i / 2;
    assert(i % 100 != 77);
}
)");
    folder.write("graph.json", R"json({
    "tuff": 1,
    "nodes": {"halve": {"kernel": "halve.comp", "out": {"numbers": {"length": 1000}}}},
    "outputs": {"numbers": "halve.numbers"}
})json");
    const CommandResult result = run_tuff({"run", "graph.json", "--out", "o.csv"}, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, HasSubstr("kernel 'halve.comp' of node 'halve/compute', line 10: "
                                         "assert(i % 100 != 77) does not hold in 10 invocations, "
                                         "first in (77, 0, 0)"));
}

} // namespace
} // namespace tuff::test
