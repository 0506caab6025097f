// --watch: again when a file changes, on after mistakes, an end by Ctrl-C.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

/// Starts the command that $0 is with $1..., and defines `told N TEXT`, which waits up to 30 s
/// until it has told TEXT N times.
constexpr const char* kStart = R"sh(
"$0" "$@" > out.txt 2> err.txt &
command=$!
told() {
    for i in $(seq 300); do
        [ "$(cat out.txt err.txt | grep -c -- "$2")" -ge "$1" ] && return
        sleep 0.1
    done
    echo "not told $1 times: $2"; cat out.txt err.txt; kill -9 $command; exit 99
}
)sh";
/// Ends it as Ctrl-C does; its exit code becomes the script's.
constexpr const char* kEnd = "kill -INT $command; wait $command";

CommandResult watch_through(const WorkFolder& folder, const std::string& steps,
                            const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"bash", "-c", kStart + steps + kEnd, TUFF_TEST_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program(words, folder.path());
}

TEST(Watch, check_looks_again_goes_on_after_mistakes_and_ends_by_interrupt) {
    const WorkFolder folder;
    folder.write("graph.json", kGoodConfig);
    folder.write("bad.json", spoiled("image/gaussian", "image/gausian"));
    folder.write("good.json", kGoodConfig);
    const CommandResult result = watch_through(folder, R"sh(
told 1 'watching 1 file'; told 1 'graph.json: ok'
cp bad.json graph.json; told 2 watching; told 1 config/unknown-pass
sleep 0.05; echo ' ' >> graph.json; told 3 watching; told 2 config/unknown-pass
cp good.json graph.json; told 4 watching; told 2 'graph.json: ok'
)sh",
                                               {"check", "graph.json", "--watch"});
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
}

TEST(Watch, check_waits_for_a_config_that_is_not_there_yet) {
    const WorkFolder folder;
    folder.write("good.json", kGoodConfig);
    const CommandResult result = watch_through(folder, R"sh(
told 1 watching; told 1 config/not-found
mv good.json graph.json; told 2 watching; told 1 'graph.json: ok'
)sh",
                                               {"check", "graph.json", "--watch"});
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
}

TEST(Watch, run_writes_again_when_a_kernel_its_include_or_an_asset_changes) {
    const WorkFolder folder;
    folder.write("value.glsl", "const float kValue = 0.25;\n");
    folder.write("fill.frag", "#version 460\n#include \"value.glsl\"\n"
                              "layout(location = 0) out vec4 color;\nuniform sampler2D below;\n"
                              "void main() { color = texelFetch(below, ivec2(0), 0) * kValue; }\n");
    folder.write("graph.json", R"json({
        "tuff": 1, "size": [8, 8], "assets": {"below": {"image": "below.png"}},
        "nodes": {"fill": {"kernel": "fill.frag", "in": {"below": "below"},
                           "out": {"color": {"size": [8, 8], "format": "rgba8_unorm"}}}},
        "outputs": {"picture": {"from": "fill.color", "file": "picture.png"}}})json");
    for (const char* grey : {"0.2", "0.9"})
        folder.write(
            std::string("grey") + grey + ".json",
            std::string(R"({"tuff": 1, "assets": {"a": {"generate": "constant", "size": [8, 8],
                      "color": [)") +
                grey + ", 1, 1, 1]}}, \"outputs\": {\"o\": \"a\"}}");
    for (const char* grey : {"0.2", "0.9"})
        ASSERT_EQ(run_tuff({"run", std::string("grey") + grey + ".json", "--out",
                            std::string("grey") + grey + ".png"},
                           folder.path())
                      .exit_code,
                  0);
    folder.write("below.png", folder.read("grey0.2.png"));
    const CommandResult result = watch_through(folder, R"sh(
told 1 'watching 4 files'; cp picture.png first.png
echo 'const float kValue = 0.75;' > value.glsl
told 2 watching; cp picture.png second.png
cp grey0.9.png below.png
told 3 watching; cp picture.png third.png
echo 'const float kValue = ;' > value.glsl
told 4 watching; told 1 shader/compile
)sh",
                                               {"run", "graph.json", "--watch"});
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
    EXPECT_NE(folder.read("first.png"), folder.read("second.png"));
    EXPECT_NE(folder.read("second.png"), folder.read("third.png"));
    EXPECT_EQ(folder.read("third.png"), folder.read("picture.png")) << "a mistake writes nothing";
}

} // namespace
} // namespace tuff::test
