// tuff run --watch-nan: the first node, place and frame of a number that is not finite.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Its texel (699, 399) is divided by the number of frames until frame `bad`.
std::string division(int bad) {
    return R"json({
    "tuff": 1,
    "nodes": {
        "divide": {"glsl": [
            "layout(local_size_x = 8, local_size_y = 8) in;",
            "writeonly uniform image2D result;",
            "uniform Params { float frame; } params;",
            "void main() {",
            "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);",
            "    if (any(greaterThanEqual(p, imageSize(result)))) return;",
            "    float x = p == ivec2(699, 399) ? params.frame - )json" +
           std::to_string(bad) + R"json(.0 : 1.0;",
            "    imageStore(result, p, vec4(p.x, p.y, 1.0 / x, 1.0));",
            "}"],
            "out": {"result": {"size": [700, 400], "format": "rgba32_sfloat"}},
            "params": {"frame": "=$frame"}},
        "spread": {"glsl": [
            "layout(local_size_x = 8, local_size_y = 8) in;",
            "uniform sampler2D source;",
            "writeonly uniform image2D result;",
            "void main() {",
            "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);",
            "    if (any(greaterThanEqual(p, imageSize(result)))) return;",
            "    imageStore(result, p, texelFetch(source, p, 0) - 1.0);",
            "}"],
            "in": {"source": "divide.result"}, "out": {"result": {"like": "source"}}}
    },
    "outputs": {"picture": "spread.result"}
})json";
}

TEST(WatchNan, StopsAtTheFirstFrameThatIsNotFinite) {
    WorkFolder folder;
    folder.write("graph.json", division(3));
    const CommandResult result = run_tuff(
        {"run", "graph.json", "--frames", "6", "--watch-nan", "--out", "%d.exr"}, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("error[graph/not-finite]: node "
                                               "'divide/compute' is the first"),
                                     HasSubstr("'divide/result' has an infinity at texel "
                                               "(699, 399), channel b (frame 3)")));
    EXPECT_THAT(folder.files(), ElementsAre("0.exr", "1.exr", "2.exr", "graph.json"));
}

TEST(WatchNan, SaysThatAllIsFiniteAndChangesNoBit) {
    WorkFolder folder;
    folder.write("graph.json", division(7));
    const CommandResult watched =
        run_tuff({"run", "graph.json", "--watch-nan", "--out", "watched.npy"}, folder.path());
    EXPECT_EQ(watched.exit_code, 0) << watched.errors;
    EXPECT_THAT(watched.output, HasSubstr("all watched numbers are finite"));
    const CommandResult plain =
        run_tuff({"run", "graph.json", "--out", "plain.npy"}, folder.path());
    EXPECT_EQ(plain.exit_code, 0) << plain.errors;
    EXPECT_THAT(plain.output, Not(HasSubstr("finite")));
    EXPECT_TRUE(folder.read("watched.npy") == folder.read("plain.npy"));
}

TEST(WatchNan, FramesThatAreRunFirstAreWatched) {
    WorkFolder folder;
    folder.write("graph.json", R"json({
    "tuff": 1,
    "nodes": {"grow": {"glsl": [
        "layout(local_size_x = 1) in;",
        "uniform sampler2D former;",
        "writeonly uniform image2D next;",
        "void main() {",
        "    float x = texelFetch(former, ivec2(0), 0).r;",
        "    imageStore(next, ivec2(0), vec4((x + 1.0) * 1e10));",
        "}"], "in": {"former": "kept"}, "out": {"next": {"size": [1, 1], "format": "r32_sfloat"}}}},
    "history": {"kept": {"from": "grow.next", "format": "r32_sfloat", "size": [1, 1]}},
    "outputs": {"o": "grow.next"}
})json");
    // 1e10, 1e20, 1e30, then beyond the largest number.
    const CommandResult result = run_tuff(
        {"run", "graph.json", "--frames", "6:7", "--watch-nan", "--out", "o.exr"}, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("node 'grow/compute'"),
                      HasSubstr("an infinity at texel (0, 0), channel r (frame 3)")));
}

} // namespace
} // namespace tuff::test
