// Models, pictures and volumes that stand where a config is expected; what a pipe does in its
// place; outputs that do not belong to one frame.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <tuff/image.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

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

/// 4 x 3 x 8 unsigned bytes, x fastest: 50, but 200 in the upper half (y 2), twice as far apart in
/// y.
std::string nrrd_of_two_values() {
    std::string text = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 3 8\nspacings: 1 2 1\n"
                       "encoding: raw\n\n";
    for (int i = 0; i < 4 * 3 * 8; ++i)
        text += static_cast<char>(i / 4 % 3 == 2 ? 200 : 50);
    return text;
}

TEST_F(FilesAsConfigs, a_volume_is_seen_from_outside_with_its_own_range) {
    folder.write("two.nrrd", nrrd_of_two_values());
    const std::string shown = output_of({"inspect", "two.nrrd"});
    EXPECT_THAT(shown, AllOf(HasSubstr("file: 4x3x8"), HasSubstr("spacing 1 2 1")));
    const std::vector<std::string> small = {"--set", "width=64", "--set", "height=64"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), small.begin(), small.end());
        return output_of(words);
    };
    with({"run", "two.nrrd", "--set", "elevation=0", "--set", "azimuth=0", "--set",
          "view=projection", "--out", "v.npy"});
    // Looked at along z: the upper half is white, the lower one empty, and so is what is around.
    const auto picture = load_image(folder.path() / "v.npy");
    ASSERT_TRUE(picture);
    const auto greatest = [&](std::uint32_t x, std::uint32_t from, std::uint32_t to) {
        float most = 0.0F;
        for (std::uint32_t y = from; y < to; ++y)
            most = std::max(most, picture->texel(x, y)[0]);
        return most;
    };
    EXPECT_GT(greatest(32, 0, 32), 0.9F);
    EXPECT_LT(greatest(32, 40, 64), 0.1F);
    EXPECT_LT(greatest(1, 0, 64), 0.2F);
    // In every view there is a picture, and a list of another length is a transfer function, too.
    for (const std::string view : {"overview", "slices", "cast", "slots"}) {
        with({"run", "two.nrrd", "--set", "view=" + view, "--set",
              "transfer=0.2,0,0,0,0,0.5,1,0,0,0.5,0.7,1,1,0,1", "--out", "v.png"});
        EXPECT_THAT(folder.read("v.png"), StartsWith("\x89PNG")) << view;
        with({"run", "two.nrrd", "--set", "view=" + view, "--set", "occlusion=true", "--out",
              "o.png"});
        EXPECT_THAT(folder.read("o.png"), StartsWith("\x89PNG")) << view;
    }
    EXPECT_THAT(output_of({"check", "two.nrrd"}), HasSubstr("two.nrrd: ok"));
}

TEST_F(FilesAsConfigs, an_array_is_a_picture_or_a_volume_by_its_shape) {
    const auto npy = [](const std::string& shape, std::size_t bytes) {
        std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
        header.resize(117, ' ');
        header += '\n';
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(bytes, '\x40');
    };
    folder.write("flat.npy", npy("6, 5", 30));
    folder.write("deep.npy", npy("7, 6, 5", 210));
    EXPECT_THAT(output_of({"inspect", "flat.npy"}), HasSubstr("file: 5x6 "));
    EXPECT_THAT(output_of({"inspect", "deep.npy"}), HasSubstr("file: 5x6x7 "));
    output_of({"run", "deep.npy", "--set", "width=32", "--set", "height=32", "--out", "d.png"});
    EXPECT_THAT(folder.read("d.png"), StartsWith("\x89PNG"));
}

TEST_F(FilesAsConfigs, a_file_that_is_damaged_or_missing_is_named) {
    folder.write("broken.exr", "no picture");
    folder.write("broken.npy", "no array");
    folder.write("broken.nrrd", "NRRD0004\nno volume");
    for (const char* name :
         {"broken.exr", "broken.npy", "broken.nrrd", "missing.vti", "missing.glb"}) {
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
