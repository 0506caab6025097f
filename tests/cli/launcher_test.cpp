// The launcher ./tuff answers what needs no build at once, also on a fresh clone.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsSubsetOf;

/// A folder with no more of the repository than the launcher and what it reads.
class Launcher : public testing::Test {
  protected:
    Launcher() {
        for (const std::string file : {"tuff", "engine/include/tuff/version.h"}) {
            const fs::path copy = folder_.path() / file;
            fs::create_directories(copy.parent_path());
            fs::copy_file(fs::path(TUFF_TEST_SOURCE_DIR) / file, copy);
        }
        files_ = folder_.files();
    }
    /// Nothing may be installed or built: there is nothing to build from.
    CommandResult run(const std::vector<std::string>& arguments) {
        std::vector<std::string> words = {(folder_.path() / "tuff").string()};
        words.insert(words.end(), arguments.begin(), arguments.end());
        CommandResult result = run_program(words, folder_.path(), {{"TUFF_NO_INSTALL", "1"}});
        EXPECT_EQ(folder_.files(), files_);
        return result;
    }

    WorkFolder folder_;
    std::vector<std::string> files_;
};

/// The words that begin the lines of a list: indented by two, followed by two spaces or more.
std::set<std::string> listed(const std::string& text) {
    std::set<std::string> words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = line.find("  ", 2);
        if (line.starts_with("  ") && end != std::string::npos && line[2] >= 'a' && line[2] <= 'z')
            words.insert(line.substr(2, line.find(' ', 2) - 2));
    }
    return words;
}

TEST_F(Launcher, HelpsAtOnce) {
    for (const std::string word : {"help", "--help", "-h"}) {
        const CommandResult result = run({word});
        EXPECT_EQ(result.exit_code, 0) << word;
        EXPECT_THAT(result.output, HasSubstr("usage: ./tuff COMMAND")) << word;
    }
    EXPECT_EQ(run({}).exit_code, 2);
}

TEST_F(Launcher, TellsItsVersionAtOnce) {
    const CommandResult result = run({"--version"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, run_tuff({"--version"}, folder_.path()).output);
}

TEST_F(Launcher, AnswersMistypedCommandsAtOnce) {
    const CommandResult near = run({"explian", "demo"});
    EXPECT_EQ(near.exit_code, 2);
    EXPECT_THAT(near.errors, HasSubstr("there is no command 'explian'; did you mean 'explain'?"));
    const CommandResult far = run({"xyzzy"});
    EXPECT_EQ(run({"r.n"}).exit_code, 2); // no pattern
    EXPECT_EQ(far.exit_code, 2);
    EXPECT_THAT(far.errors, HasSubstr("there is no command 'xyzzy'; './tuff help' lists"));
}

TEST_F(Launcher, ListsTheCommandsOfThePrograms) {
    const std::set<std::string> known = listed(run({"help"}).output);
    const std::string help = run_tuff({"--help"}, folder_.path()).output;
    const std::set<std::string> commands = listed(
        help.substr(help.find("Subcommands"), help.find("Examples") - help.find("Subcommands")));
    EXPECT_GT(commands.size(), 10u) << help;
    EXPECT_THAT(commands, IsSubsetOf(known));
    for (const std::string own : {"demo", "test", "build", "soak", "docs", "help"})
        EXPECT_TRUE(known.contains(own)) << own;
    EXPECT_EQ(known.size(), commands.size() + 6);
}

TEST_F(Launcher, SoaksForANumberOfMinutes) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"soak", "long"},
                                                  {"soak", "0"},
                                                  {"soak", "-1"},
                                                  {"soak", "1", "2"}}) {
        const CommandResult result = run(words);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.errors, HasSubstr("soak takes a number of minutes"));
    }
}

/// A folder in which all is built: programs that print what a test gives them.
class Soak : public Launcher {
  protected:
    Soak() {
        folder_.write("build/release/build.ninja", "");
        program("cmake", "");
        program("tuff_test_engine",
                "12 calls failed, one at a time\n30 calls failed, one at a time");
        program("tuff_fuzz", "gltf  100  0.004  ok\npng  11  0.002  ok\n$*");
        program("graph_fuzz", "20 graphs, 0 objections, 1 s\n35 graphs, 0 objections, 2 s\n$*");
        program("tuff_leak_tests", "70 graphs left nothing\nseconds $TUFF_SOAK_SECONDS");
        program("tuff_steady_tests",
                "oit: 6 frames; resident 1 KiB\njet: 2 frames; resident 1 KiB");
    }
    void program(const std::string& name, const std::string& prints, int exit_code = 0) {
        const std::string file = "build/release/bin/" + name;
        folder_.write(file, "#!/bin/sh\nprintf \"" + prints + "\\n\"\nexit " +
                                std::to_string(exit_code) + "\n");
        fs::permissions(folder_.path() / file, fs::perms::owner_all);
    }
    CommandResult soak() {
        const std::string bin = (folder_.path() / "build/release/bin").string();
        return run_program({(folder_.path() / "tuff").string(), "soak", "10"}, folder_.path(),
                           {{"TUFF_NO_INSTALL", "1"}, {"PATH", bin + ":/usr/bin:/bin"}});
    }
};

TEST_F(Soak, PrintsALineAPartWithItsCount) {
    const CommandResult result = soak();
    EXPECT_EQ(result.exit_code, 0) << result.errors << result.output;
    EXPECT_THAT(result.output, ContainsRegex("faults +[0-9]+ s +42 failing calls +ok"));
    EXPECT_THAT(result.output, ContainsRegex("files +[0-9]+ s +111 damaged files +ok"));
    EXPECT_THAT(result.output, ContainsRegex("graphs +[0-9]+ s +35 random graphs +ok"));
    EXPECT_THAT(result.output, ContainsRegex("leaks +[0-9]+ s +70 compiled graphs +ok"));
    EXPECT_THAT(result.output, ContainsRegex("frames +[0-9]+ s +8 steady frames +ok"));
    // The time is shared out.
    EXPECT_THAT(folder_.read("build/release/soak/files.log"), HasSubstr("--seconds 180"));
    EXPECT_THAT(folder_.read("build/release/soak/graphs.log"), HasSubstr("--seconds 90"));
    EXPECT_THAT(folder_.read("build/release/soak/leaks.log"), HasSubstr("seconds 60"));
}

TEST_F(Soak, FailsWhereAPartDoesAndGoesOn) {
    program("tuff_fuzz", "gltf  100  0.004  ok", 1);
    const CommandResult result = soak();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.output, HasSubstr("FAILED: build/release/soak/files.log"));
    EXPECT_THAT(result.output, ContainsRegex("frames +[0-9]+ s +8 steady frames +ok"));
}

TEST_F(Soak, APartThatDidNothingHasFailed) {
    program("tuff_steady_tests", "no device");
    const CommandResult result = soak();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.output, HasSubstr("FAILED, did nothing: build/release/soak/frames.log"));
}

} // namespace
} // namespace tuff::test
