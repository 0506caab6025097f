// What pages print works: configs are sound, commands exist and take such options, and what a
// reader is told to run runs. page_blocks.hpp says how a page marks its blocks.

#include "command_reader.hpp"
#include "page_blocks.hpp"
#include "run_tuff.hpp"
#include "tests/common/source_tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;

bool is_whole_config(const PageBlock& block) {
    return block.language == "json" && block.text.find("\"tuff\": 1") != std::string::npos;
}

/// Works through one page as a reader does, in a folder of its own.
class Reader {
  public:
    explicit Reader(const std::string& page) : page_(page) {
        folder_.write("tuff", fmt::format("#!/bin/sh\nexec '{}' \"$@\"\n", TUFF_TEST_BINARY));
        fs::permissions(folder_.path() / "tuff", fs::perms::owner_all);
    }

    void read(const PageBlock& block) {
        SCOPED_TRACE(fmt::format("{}:{}", page_, block.line));
        if (block.how == "file") {
            folder_.write(block.argument, block.text);
        } else if (block.how == "run") {
            run(block);
        } else if (block.how == "prints") {
            EXPECT_THAT(printed_, testing::HasSubstr(block.text));
        } else if (block.how.empty() && block.language == "sh") {
            check_commands(block);
        } else if (block.how.empty() && is_whole_config(block)) {
            folder_.write("config.json", block.text);
            expect_sound({"check", "config.json"});
        }
    }

  private:
    void run(const PageBlock& block) {
        int expected = 0;
        if (block.argument.starts_with("exit ")) expected = std::stoi(block.argument.substr(5));
        const CommandResult result =
            run_program({"bash", "-euo", "pipefail", "-c", block.text}, folder_.path(),
                        {{"PATH", folder_.path().string() + ":" + std::getenv("PATH")}});
        EXPECT_EQ(result.exit_code, expected) << block.text << result.output << result.errors;
        printed_ = result.output + result.errors;
    }

    void check_commands(const PageBlock& block) {
        static const CommandLine command_line;
        const ShellCommands found = read_commands(block.text);
        EXPECT_THAT(found.strangers, testing::IsEmpty())
            << "mark the block as run, or as not run and why";
        EXPECT_FALSE(found.commands.empty());
        for (const std::vector<std::string>& words : found.commands) {
            const CommandLine::Parts parts = command_line.read(words);
            EXPECT_THAT(parts.problems, testing::IsEmpty()) << testing::PrintToString(words);
            check_arguments(parts);
        }
    }

    /// What the words name must exist: passes, benchmark cases, graphs and their parameters.
    void check_arguments(const CommandLine::Parts& parts) {
        static const std::set<std::string> kOfConfigs = {"run",   "view",    "check", "explain",
                                                         "trace", "inspect", "golden"};
        if (parts.positionals.empty()) return;
        std::vector<std::string> checked;
        if (parts.command == "passes" || parts.command == "bench graphs") {
            checked = {parts.command == "passes" ? "passes" : "check", parts.positionals[0]};
        } else if (parts.command == "bench") {
            checked = {"bench", "--list"};
            checked.insert(checked.end(), parts.positionals.begin(), parts.positionals.end());
        } else if (kOfConfigs.contains(parts.command)) {
            const std::string& config = parts.positionals[0];
            // A reader's own files are there only where the page writes them.
            if (config.find('.') != std::string::npos && !fs::exists(folder_.path() / config) &&
                !fs::exists(kRoot / config))
                return;
            checked = {"check", fs::exists(kRoot / config) ? (kRoot / config).string() : config};
            // Parameters of nodes are no matter of `check`.
            for (const std::string& set : parts.sets)
                if (set.substr(0, set.find('=')).find('.') == std::string::npos)
                    checked.insert(checked.end(), {"--set", set});
        }
        if (!checked.empty()) expect_sound(checked);
    }

    void expect_sound(const std::vector<std::string>& words) {
        const CommandResult result = run_tuff(words, folder_.path());
        // The packages of models and photographs are optional.
        if (result.errors.find("asset/not-found") != std::string::npos) return;
        EXPECT_EQ(result.exit_code, 0) << testing::PrintToString(words) << result.errors;
        // The command is right for GPUs; the device that checks it here ends long loops.
        const bool is_one = result.errors.find("warning[", 1) == std::string::npos;
        if (is_one && result.errors.starts_with("warning[bvh/loop-limit]")) return;
        EXPECT_EQ(result.errors, "") << testing::PrintToString(words);
    }

    std::string page_;
    WorkFolder folder_;
    std::string printed_;
};

class Page : public testing::TestWithParam<std::string> {};

TEST_P(Page, works_as_printed) {
    Reader reader(GetParam());
    for (const PageBlock& block : blocks_of(read_file(kRoot / GetParam())))
        reader.read(block);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param.substr(0, info.param.rfind('.'));
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(c); }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Docs, Page, testing::ValuesIn(all_pages()), test_name);

class PageByHand : public testing::TestWithParam<std::string> {};

TEST_P(PageByHand, says_of_every_block_how_it_is_tested) {
    static const std::set<std::string> kWays = {"quote", "part of", "file",
                                                "run",   "prints",  "not run"};
    for (const PageBlock& block : blocks_of(read_file(kRoot / GetParam()))) {
        const bool tested_as_it_is =
            block.how.empty() && (block.language == "sh" || is_whole_config(block));
        EXPECT_TRUE(tested_as_it_is || kWays.contains(block.how))
            << GetParam() << ":" << block.line << ": say how this block is tested";
        EXPECT_FALSE(block.how == "not run" && block.argument.empty())
            << GetParam() << ":" << block.line << ": say why";
    }
}

INSTANTIATE_TEST_SUITE_P(Docs, PageByHand, testing::ValuesIn(pages_by_hand()), test_name);

// --- that these tests can fail
// --------------------------------------------------------------------

TEST(CommandReader, takes_commands_apart_as_a_shell_does) {
    const ShellCommands found = read_commands("./tuff run a.json --out 'x y.png'   # a remark\n"
                                              "tuff explain \\\n  b.json > c.txt\n"
                                              "rm -rf somewhere\n");
    EXPECT_THAT(found.commands,
                testing::ElementsAre(testing::ElementsAre("run", "a.json", "--out", "x y.png"),
                                     testing::ElementsAre("explain", "b.json")));
    EXPECT_THAT(found.strangers, testing::ElementsAre("rm -rf somewhere"));
}

TEST(CommandReader, finds_words_that_the_command_line_does_not_know) {
    const CommandLine command_line;
    EXPECT_THAT(command_line.read({"run", "demo", "--out", "x.png", "--set", "a=1"}).problems,
                testing::IsEmpty());
    EXPECT_THAT(command_line.read({"run", "demo", "--size", "3"}).problems, testing::SizeIs(1));
    EXPECT_THAT(command_line.read({"render", "demo"}).problems, testing::SizeIs(1));
    EXPECT_THAT(command_line.read({"docs"}).problems, testing::IsEmpty());
    EXPECT_EQ(command_line.read({"bench", "compile", "--csv"}).command, "bench compile");
}

TEST(PageBlocks, are_found_with_their_marks) {
    const std::vector<PageBlock> blocks = blocks_of("a\n<!-- run: exit 2 -->\n```sh\nb\n```\n"
                                                    "  ```\n  c\n  ```\n");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].how, "run");
    EXPECT_EQ(blocks[0].argument, "exit 2");
    EXPECT_EQ(blocks[0].text, "b\n");
    EXPECT_EQ(blocks[0].line, 4);
    EXPECT_EQ(blocks[1].text, "c\n");
    EXPECT_EQ(blocks[1].how, "");
}

} // namespace
} // namespace tuff::test
