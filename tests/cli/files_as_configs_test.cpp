// Models and pictures that stand where a config is expected; what a pipe does in its place; outputs
// that do not belong to one frame.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kOneTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

class FilesAsConfigs : public testing::Test {
  protected:
    std::string output_of(const std::vector<std::string>& arguments) {
        const CommandResult result = run_tuff(arguments, folder.path());
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result.output;
    }

    WorkFolder folder;
};

TEST_F(FilesAsConfigs, a_model_is_drawn_inspected_and_explained) {
    folder.write("triangle.obj", kOneTriangle);
    output_of({"run", "triangle.obj", "--set", "width=64", "--set", "height=48", "--out", "t.png"});
    EXPECT_THAT(folder.read("t.png"), StartsWith("\x89PNG"));
    EXPECT_THAT(output_of({"inspect", "triangle.obj", "--set", "width=64", "--set", "height=48"}),
                HasSubstr("view.color: 64x48"));
    EXPECT_THAT(output_of({"explain", "triangle.obj"}), HasSubstr("display"));
    EXPECT_THAT(output_of({"check", "triangle.obj"}), HasSubstr("triangle.obj: ok"));
}

TEST_F(FilesAsConfigs, a_picture_is_told_as_stored_and_written_as_shown) {
    folder.write("graph.json", kGoodConfig);
    output_of({"run", "graph.json", "--out", "soft=photo.exr", "--out", "picture=photo.png"});
    EXPECT_THAT(output_of({"inspect", "photo.exr"}), HasSubstr("file: 32x16 rgba"));
    output_of({"run", "photo.exr", "--out", "shown.png"});
    EXPECT_THAT(folder.read("shown.png"), StartsWith("\x89PNG"));
    output_of({"run", "photo.png", "--out", "again.png"});
    // A picture of 8 bits comes back as it was.
    const std::string before = output_of({"inspect", "photo.png"});
    EXPECT_EQ(output_of({"inspect", "again.png"}), before);
    EXPECT_THAT(output_of({"inspect", "photo.png", "file", "--out", "copy.exr"}),
                HasSubstr("wrote copy.exr"));
}

TEST_F(FilesAsConfigs, a_file_that_is_damaged_or_missing_is_named) {
    folder.write("broken.exr", "no picture");
    for (const char* name : {"broken.exr", "missing.glb"}) {
        const CommandResult result = run_tuff({"run", name, "--out", "x.png"}, folder.path());
        EXPECT_EQ(result.exit_code, 2) << name;
        EXPECT_THAT(result.errors, AllOf(HasSubstr("error["), HasSubstr(name)));
    }
}

TEST_F(FilesAsConfigs, a_named_pipe_is_refused_and_one_of_the_shell_is_read) {
    ASSERT_EQ(mkfifo((folder.path() / "pipe.json").c_str(), 0600), 0); // nobody ever writes
    const CommandResult named = run_tuff({"check", "pipe.json"}, folder.path());
    EXPECT_EQ(named.exit_code, 2);
    EXPECT_THAT(named.errors, AllOf(HasSubstr("config/unreadable"), HasSubstr("named pipe")));
    folder.write("graph.json", kGoodConfig);
    const CommandResult piped = run_program(
        {"sh", "-c", "cat graph.json | \"$0\" check /dev/stdin", TUFF_TEST_BINARY}, folder.path());
    EXPECT_EQ(piped.exit_code, 0) << piped.errors;
}

TEST_F(FilesAsConfigs, assets_and_histories_are_inspected_and_put_out) {
    const char* kCounting = R"json({
        "tuff": 1, "size": [8, 8],
        "assets": {"one": {"generate": "constant", "color": [1, 1, 1, 1], "size": [8, 8]}},
        "history": {"sum": {"from": "add.result", "format": "rgba32_sfloat", "size": [8, 8]}},
        "nodes": {"add": {"pass": "image/blend", "in": {"base": "sum", "layer": "one"},
                          "params": {"mode": "add", "format": "rgba32_sfloat"}}},
        "outputs": {"result": "add.result", "asset": "one", "before": "sum"}
    })json";
    folder.write("counting.json", kCounting);
    EXPECT_THAT(output_of({"inspect", "counting.json", "one"}), HasSubstr("one: 8x8"));
    // Three frames have ended before the fourth, whose history is looked at.
    EXPECT_THAT(output_of({"inspect", "counting.json", "sum", "--frames", "4"}), HasSubstr("3"));
    output_of({"run", "counting.json", "--out", "asset=asset.exr", "--out", "before=before.exr",
               "--frames", "2"});
    EXPECT_THAT(folder.read("asset.exr"), StartsWith("\x76\x2f\x31\x01"));
    EXPECT_THAT(folder.read("before.exr"), StartsWith("\x76\x2f\x31\x01"));
}

} // namespace
} // namespace tuff::test
