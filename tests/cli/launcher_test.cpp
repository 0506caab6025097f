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
    for (const std::string own : {"demo", "test", "build", "docs", "help"})
        EXPECT_TRUE(known.contains(own)) << own;
    EXPECT_EQ(known.size(), commands.size() + 5);
}

} // namespace
} // namespace tuff::test
