// Checkpoints that cannot be used: each is told with its place, and nothing is written.

#include "checkpoint_configs.hpp"
#include "run_tuff.hpp"
#include "tests/common/source_tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kCheckpoint = "checkpoints/frame_0000000002";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
    return text;
}

class CheckpointErrors : public testing::Test {
  protected:
    void SetUp() override {
        folder.write("graph.json", kLifeConfig);
        folder.write("life_step.comp", read_file(kRoot / "examples/own_kernels/life_step.comp"));
        const CommandResult made = run_tuff(
            {"run", "graph.json", "--frames", "2", "--checkpoint-every", "2", "--out-dir", "."},
            folder.path());
        ASSERT_EQ(made.exit_code, 0) << made.errors;
        fs::remove(folder.path() / "result.bin");
    }
    fs::path at(const std::string& name) const { return folder.path() / kCheckpoint / name; }
    std::string manifest() const {
        return folder.read(std::string(kCheckpoint) + "/manifest.json");
    }
    void write_manifest(const std::string& text) const {
        folder.write(std::string(kCheckpoint) + "/manifest.json", text);
    }
    CommandResult resume(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"run", "graph.json"};
        if (!std::ranges::count(more, "--frames")) more.insert(more.end(), {"--frames", "4"});
        if (!std::ranges::count(more, "--resume"))
            more.insert(more.end(), {"--resume", kCheckpoint});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tuff(arguments, folder.path());
    }
    /// Exit code 2, the code with its place, a hint, and no file that was not there.
    void expect_refused(const std::string& code, const std::string& words,
                        std::vector<std::string> more = {}) {
        const auto before = folder.files();
        const CommandResult result = resume(std::move(more));
        EXPECT_EQ(result.exit_code, 2) << result.errors;
        EXPECT_THAT(result.errors, AllOf(HasSubstr("error[" + code + "]"), HasSubstr(words),
                                         HasSubstr("--> "), HasSubstr("hint: ")));
        EXPECT_EQ(folder.files(), before);
    }

    WorkFolder folder;
};

TEST_F(CheckpointErrors, NoFolderAndNothingInIt) {
    expect_refused("checkpoint/none", "no such folder", {"--resume", "nowhere"});
    fs::create_directory(folder.path() / "empty");
    expect_refused("checkpoint/none", "empty", {"--resume", "empty"});
    fs::remove(at("manifest.json"));
    expect_refused("checkpoint/no-manifest", "no manifest.json");
    expect_refused("checkpoint/no-manifest", "no manifest.json", {"--resume", "checkpoints"});
}

TEST_F(CheckpointErrors, ManifestsThatCannotBeMeant) {
    const std::string sound = manifest();
    const auto with = [&](std::string_view from, std::string_view to) {
        write_manifest(replaced(sound, from, to));
    };
    write_manifest("");
    expect_refused("checkpoint/damaged", "not JSON");
    write_manifest(sound.substr(0, sound.size() / 2));
    expect_refused("checkpoint/damaged", "not JSON");
    write_manifest(std::string(100'000, '['));
    expect_refused("checkpoint/damaged", "not JSON");
    write_manifest("{}");
    expect_refused("checkpoint/damaged", "not the manifest of a checkpoint");
    with("tuff checkpoint", "other");
    expect_refused("checkpoint/damaged", "not the manifest of a checkpoint");
    with("\"version\" : 1", "\"version\" : 2");
    expect_refused("checkpoint/version", "version 2");
    with("\"version\" : 1", "\"version\" : \"1\"");
    expect_refused("checkpoint/damaged", "\"version\"");
    with("\"frame\" : 1", "\"frame\" : -1");
    expect_refused("checkpoint/damaged", "\"frame\"");
    with("\"frame\" : 1", "\"frame\" : 1e300");
    expect_refused("checkpoint/damaged", "\"frame\"");
    with("\"histories\"", "\"others\"");
    expect_refused("checkpoint/damaged", "\"histories\"");
    with("r32_uint", "r99_uint");
    expect_refused("checkpoint/damaged", "\"format\"");
    with("\"depth\" : 1", "\"depth\" : 4294967296");
    expect_refused("checkpoint/damaged", "\"depth\"");
    with("000_past.bin", "../000_past.bin");
    expect_refused("checkpoint/damaged", "\"file\"");
    with("000_past.bin", "/etc/passwd");
    expect_refused("checkpoint/damaged", "\"file\"");
    with("\"bytes\" : 7680", "\"bytes\" : 7681");
    expect_refused("checkpoint/damaged", "7680 bytes");
    write_manifest(sound);
    EXPECT_EQ(resume().exit_code, 0);
}

TEST_F(CheckpointErrors, FilesThatAreNotWhatWasWritten) {
    const fs::path file = at("000_past.bin");
    const std::string name = std::string(kCheckpoint) + "/000_past.bin";
    const std::string sound = folder.read(name);
    ASSERT_EQ(sound.size(), 7680u);
    fs::remove(file);
    expect_refused("checkpoint/damaged", "missing");
    folder.write(name, sound.substr(1));
    expect_refused("checkpoint/damaged", "too short: 7679 bytes");
    folder.write(name, sound + "x");
    expect_refused("checkpoint/damaged", "too long");
    std::string flipped = sound;
    flipped[4321] ^= 1;
    folder.write(name, flipped);
    expect_refused("checkpoint/damaged", "checksum");
    fs::remove(file);
    folder.write("elsewhere.bin", sound);
    fs::create_symlink(folder.path() / "elsewhere.bin", file);
    expect_refused("checkpoint/damaged", "cannot be read");
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    expect_refused("checkpoint/damaged", "cannot be read");
    fs::remove(file);
    fs::create_directory(file);
    expect_refused("checkpoint/damaged", "cannot be read");
    fs::remove(file);
    folder.write(name, sound);
    EXPECT_EQ(resume().exit_code, 0);
}

TEST_F(CheckpointErrors, AnotherGraph) {
    const std::string sound(kLifeConfig);
    std::string larger = replaced(sound, "\"format\": \"r32_uint\", \"size\": [40, 24]",
                                  "\"format\": \"r32_uint\", \"size\": [48, 24]");
    folder.write("graph.json", larger);
    expect_refused("checkpoint/other-graph",
                   "history 'past' is r32_uint 48x24, 1 execution back, and in the checkpoint "
                   "r32_uint 40x24, 1 execution back");
    folder.write("graph.json", replaced(replaced(sound, "\"past\": {", "\"other\": {"),
                                        "\"before\": \"past\"", "\"before\": \"other\""));
    const CommandResult result = resume();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("the checkpoint has no history 'other'"),
                                     HasSubstr("the graph has no history 'past'"),
                                     HasSubstr("it was written by 'graph.json'")));
}

TEST_F(CheckpointErrors, NoFrameLeft) {
    expect_refused("checkpoint/finished", "--frames 2 leaves none", {"--frames", "2"});
}

TEST_F(CheckpointErrors, FoldersThatCannotBeWrittenToAreToldBeforeAnyFrame) {
    expect_refused("checkpoint/unwritable", "cannot be written here",
                   {"--checkpoint", "graph.json/below"});
    expect_refused("checkpoint/unwritable", "cannot be written here",
                   {"--checkpoint", "/proc/nowhere"});
}

TEST_F(CheckpointErrors, CheckpointsOfAnotherRunAreNotReplaced) {
    const auto before = folder.files();
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "4", "--checkpoint-every", "1"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("error[checkpoint/exists]"), HasSubstr("--resume 'checkpoints'")));
    EXPECT_EQ(folder.files(), before);
    fs::copy(folder.path() / "checkpoints", folder.path() / "others", fs::copy_options::recursive);
    expect_refused("checkpoint/exists", "earlier run", {"--checkpoint", "others"});
}

TEST_F(CheckpointErrors, ADefaultFolderThatIsALinkIsNotFollowed) {
    fs::remove_all(folder.path() / "checkpoints");
    fs::create_directory(folder.path() / "elsewhere");
    fs::create_directory_symlink("elsewhere", folder.path() / "checkpoints");
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "2", "--checkpoint-every", "1"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("error[cli/unsafe-output]"));
    EXPECT_TRUE(fs::is_empty(folder.path() / "elsewhere"));
}

TEST_F(CheckpointErrors, AFilmIsNotReplacedByItsRest) {
    folder.write("film.mp4", "the first half");
    expect_refused("checkpoint/film", "begin with frame 2", {"--out", "result=film.mp4"});
    EXPECT_EQ(folder.read("film.mp4"), "the first half");
}

} // namespace
} // namespace tuff::test
