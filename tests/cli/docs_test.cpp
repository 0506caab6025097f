// The pages below docs/ that Tuff writes about itself are those of this build, and the configs that
// pages show are sound.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TUFF_TEST_SOURCE_DIR;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> file_names(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    return names;
}

TEST(Docs, the_pass_reference_is_current) {
    const WorkFolder folder;
    const CommandResult written = run_tuff({"passes", "--markdown", "passes"}, folder.path());
    ASSERT_EQ(written.exit_code, 0) << written.errors;
    const std::vector<std::string> names = file_names(folder.path() / "passes");
    EXPECT_THAT(file_names(kRoot / "docs/passes"), testing::UnorderedElementsAreArray(names));
    for (const std::string& name : names)
        EXPECT_EQ(read_file(kRoot / "docs/passes" / name), folder.read("passes/" + name))
            << "write it anew: ./tuff passes --markdown docs/passes";
}

TEST(Docs, the_command_line_reference_is_current) {
    const WorkFolder folder;
    const CommandResult manual = run_tuff({"manual"}, folder.path());
    ASSERT_EQ(manual.exit_code, 0) << manual.errors;
    EXPECT_EQ(read_file(kRoot / "docs/command_line.md"), manual.output)
        << "write it anew: ./tuff manual > docs/command_line.md";
}

/// The code blocks of language json in a page that are whole configs.
std::vector<std::string> configs_in(const std::string& page) {
    std::vector<std::string> configs;
    const std::regex block("\n```json\n([^`]*)```");
    for (std::sregex_iterator i(page.begin(), page.end(), block), end; i != end; ++i)
        if (const std::string text = (*i)[1]; text.find("\"tuff\": 1") != std::string::npos)
            configs.push_back(text);
    return configs;
}

class PageWithConfigs : public testing::TestWithParam<const char*> {};

TEST_P(PageWithConfigs, shows_configs_that_pass_the_check_without_a_warning) {
    const std::vector<std::string> configs = configs_in(read_file(kRoot / GetParam()));
    EXPECT_FALSE(configs.empty());
    for (const std::string& config : configs) {
        const WorkFolder folder;
        folder.write("config.json", config);
        const CommandResult checked = run_tuff({"check", "config.json"}, folder.path());
        EXPECT_EQ(checked.exit_code, 0);
        EXPECT_EQ(checked.errors, "") << config;
    }
}

INSTANTIATE_TEST_SUITE_P(Docs, PageWithConfigs,
                         testing::Values("README.md", "docs/guide.md", "docs/configs.md"),
                         [](const auto& page) { return fs::path(page.param).stem().string(); });

TEST(Docs, the_config_of_the_readme_writes_its_picture) {
    const std::vector<std::string> configs = configs_in(read_file(kRoot / "README.md"));
    ASSERT_EQ(configs.size(), 1u);
    EXPECT_LE(std::ranges::count(configs[0], '\n'), 12);
    const WorkFolder folder;
    folder.write("first.json", configs[0]);
    const CommandResult run = run_tuff({"run", "first.json"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(folder.files(), testing::ElementsAre("first.json", "first.png"));
}

} // namespace
} // namespace tuff::test
