// A config from a stranger writes below the folder that the user works in, and nowhere else.

#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string config_with(std::string_view picture, std::string_view numbers = "numbers.bin") {
    return fmt::format(R"json({{"tuff": 1, "size": [8, 4],
 "assets": {{"board": {{"generate": "checker", "size": [8, 4], "cell": 2}}}},
 "nodes": {{"tone": {{"pass": "image/tonemap", "in": {{"source": "board"}}}},
           "count": {{"pass": "primitives/map", "params": {{"length": 4, "result_type": "u32",
                     "expression": "i"}}}}}},
 "outputs": {{"picture": {{"from": "tone.result", "file": "{}"}},
             "numbers": {{"from": "count.result", "file": "{}"}}}}}})json",
                       picture, numbers);
}

struct WayOut {
    std::string name;
    std::string file;
    std::string code = "cli/unsafe-output";
    bool is_buffer = false;
};

void PrintTo(const WayOut& way, std::ostream* stream) {
    *stream << way.name;
}

/// The user's folder, `home/work`, has beside it what a config must not touch.
class OutputFolder : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(home() / "work");
        fs::create_directories(home() / "other");
        folder_.write("other/kept.png", "kept");
        folder_.write("other/.bashrc", "kept");
        fs::create_directory_symlink("../other", home() / "work/linked");
        fs::create_symlink("../other/kept.png", home() / "work/link.png");
        fs::create_symlink("nowhere.png", home() / "work/dangling.png");
        fs::create_symlink("../other/kept.png", home() / "work/numbered_0.png");
        fs::create_directory_symlink("../other", home() / "work/in_0");
        fs::create_directory_symlink("../other", home() / "work/50%");
        ASSERT_EQ(mkfifo((home() / "work/fifo.png").c_str(), 0600), 0);
        fs::create_directory(home() / "work/folder.png");
    }
    const fs::path& home() const { return folder_.path(); }
    void expect_refused(const std::vector<std::string>& arguments, const std::string& code) {
        const auto before = folder_.files();
        const CommandResult result = run_tuff(arguments, home() / "work", kNoDevice);
        EXPECT_EQ(result.exit_code, 2) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("error[" + code + "]"));
        EXPECT_THAT(result.errors, HasSubstr("graph.json:")) << "its place";
        EXPECT_THAT(result.output, testing::IsEmpty());
        EXPECT_EQ(folder_.files(), before);
        EXPECT_EQ(folder_.read("other/kept.png"), "kept");
        EXPECT_EQ(folder_.read("other/.bashrc"), "kept");
    }

    WorkFolder folder_;
};

class WaysOut : public OutputFolder, public testing::WithParamInterface<WayOut> {};

TEST_P(WaysOut, IsRefusedBeforeAnythingRuns) {
    const WayOut& way = GetParam();
    std::string file = way.file;
    if (const std::size_t at = file.find("HOME"); at != std::string::npos)
        file.replace(at, 4, home().string());
    folder_.write("work/graph.json",
                  way.is_buffer ? config_with("a.png", file) : config_with(file));
    expect_refused({"check", "graph.json"}, way.code);
    expect_refused({"run", "graph.json"}, way.code);
    expect_refused({"run", "graph.json", "--out-dir", "."}, way.code);
}

INSTANTIATE_TEST_SUITE_P(
    All, WaysOut,
    testing::Values(
        WayOut{"absolute", "HOME/other/absolute.png"}, WayOut{"absolute_within", "HOME/work/a.png"},
        WayOut{"absolute_hidden", "HOME/other/.bashrc", "cli/unsafe-output", true},
        WayOut{"parent", "../other/kept.png"}, WayOut{"parent_within", "a/../b.png"},
        WayOut{"deep_parent", "a/../../other/kept.png"},
        WayOut{"numbered_parent", "../other/%04d.png"}, WayOut{"linked_folder", "linked/kept.png"},
        WayOut{"below_a_linked_folder", "linked/new/kept.png"}, WayOut{"link", "link.png"},
        WayOut{"dangling_link", "dangling.png"}, WayOut{"fifo", "fifo.png"},
        WayOut{"folder", "folder.png"}, WayOut{"ends_in_a_folder", "new/", "config/bad-file"},
        WayOut{"hidden", ".hidden.png"}, WayOut{"hidden_folder", ".git/a.png"},
        WayOut{"hidden_numbered", ".%d.png"}, WayOut{"numbered_link", "numbered_%d.png"},
        WayOut{"numbered_folder_is_a_link", "in_%d/kept.png"},
        WayOut{"percent_in_a_linked_folder", "50%%/kept.png"},
        WayOut{"device", "/dev/null", "cli/unsafe-output", true},
        WayOut{"no_extension", "Makefile", "cli/unknown-extension", true},
        WayOut{"script", "run.sh", "cli/unknown-extension", true},
        WayOut{"picture_as_script", "run.sh", "cli/unknown-extension"},
        WayOut{"buffer_as_picture", "b.png", "cli/unknown-extension", true}),
    [](const auto& test) { return test.param.name; });

TEST_F(OutputFolder, IsKeptToByFilesOfLaterFrames) {
    fs::create_directory_symlink("../other", home() / "work/late_1");
    folder_.write("work/graph.json", config_with("late_%d/kept.png"));
    expect_refused({"run", "graph.json", "--frames", "3"}, "cli/unsafe-output");
}

TEST_F(OutputFolder, IsKeptToByTheFilesUnderWay) {
    // The shell's process becomes tuff: its number is known before anything is written.
    folder_.write("work/graph.json", config_with("a.png", "numbers.csv"));
    const CommandResult result = run_program(
        {"bash", "-c",
         fmt::format("for f in a.png numbers.csv; do ln -s ../other/new $f.$$.part; done\n"
                     "exec '{}' run graph.json",
                     TUFF_TEST_BINARY)},
        home() / "work");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_FALSE(fs::exists(home() / "other/new"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(home() / "work/numbers.csv")));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(home() / "work/a.png")));
}

TEST_F(OutputFolder, HasAFolderForEachFrameWhereTheNameSaysSo) {
    folder_.write("work/graph.json", config_with("frame_%02d/a.png"));
    const CommandResult result = run_tuff({"run", "graph.json", "--frames", "2"}, home() / "work");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    for (const char* file : {"frame_00/a.png", "frame_01/a.png"})
        EXPECT_TRUE(fs::is_regular_file(home() / "work" / file)) << file;
}

TEST_F(OutputFolder, IsTheUsersChoice) {
    folder_.write("work/graph.json", config_with("../other/new.png"));
    const auto work = home() / "work";
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"run", "graph.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tuff(arguments, work);
    };
    EXPECT_EQ(run({"--allow-write", "../missing"}).exit_code, 2);
    const CommandResult allowed = run({"--allow-write", "../other"});
    EXPECT_EQ(allowed.exit_code, 0) << allowed.errors;
    EXPECT_TRUE(fs::is_regular_file(home() / "other/new.png"));
    const CommandResult named = run({"--out", "picture=../other/named.png"});
    EXPECT_EQ(named.exit_code, 0) << named.errors;
    EXPECT_TRUE(fs::is_regular_file(home() / "other/named.png"));
    // Whom the user names may have any extension where bytes go, and a picture's where pictures do.
    EXPECT_EQ(run({"--out", "picture=a.png", "--out", "numbers=run.sh"}).exit_code, 0);
    const CommandResult wrong = run({"--out", "picture=a.sh"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.errors, HasSubstr("cli/unknown-extension"));
    EXPECT_FALSE(fs::exists(work / "a.sh"));
}

TEST_F(OutputFolder, IsWarnedOfWhatAPictureCutsOff) {
    const auto errors_of = [&](std::string_view file, std::string_view color) {
        folder_.write("work/graph.json", fmt::format(R"json({{"tuff": 1, "size": [8, 4],
 "assets": {{"board": {{"generate": "constant", "size": [8, 4], "color": [{}, 0, 0, 1],
                      "format": "rgba32_sfloat"}}}},
 "nodes": {{"soft": {{"pass": "image/gaussian", "in": {{"source": "board"}}}}}},
 "outputs": {{"picture": {{"from": "soft.result", "file": "{}"}}}}}})json",
                                                     color, file));
        const CommandResult result = run_tuff({"run", "graph.json"}, home() / "work");
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result.errors;
    };
    const std::string bright = errors_of("a.png", "7.5");
    EXPECT_THAT(bright, HasSubstr("warning[cli/clipped]"));
    EXPECT_THAT(bright, HasSubstr("100 % of the texels are brighter than 1, up to 7.5"));
    EXPECT_THAT(errors_of("a.jpg", "7.5"), HasSubstr("warning[cli/clipped]"));
    EXPECT_THAT(errors_of("a.png", "0.99"), testing::IsEmpty());
    EXPECT_THAT(errors_of("a.exr", "7.5"), testing::IsEmpty());
}

TEST_F(OutputFolder, HasTheFoldersThatTheConfigNames) {
    folder_.write("work/graph.json", config_with("frames/%02d.png", "numbers/all.csv"));
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "2", "--out-dir", "50%d"}, home() / "work");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    for (const char* file : {"frames/00.png", "frames/01.png", "numbers/all.csv"})
        EXPECT_TRUE(fs::is_regular_file(home() / "work/50%d" / file)) << file;
}

} // namespace
} // namespace tuff::test
