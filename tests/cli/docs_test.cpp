// The pages below docs/ that Tuff writes about itself are those of this build.

#include "page_blocks.hpp"
#include "run_tuff.hpp"
#include "tests/common/source_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;

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

TEST(Docs, the_gallery_is_current) {
    const WorkFolder folder;
    const fs::path times = kRoot / "docs/measurements.csv";
    const CommandResult gallery = run_tuff({"manual", "--gallery", times.string()}, folder.path());
    ASSERT_EQ(gallery.exit_code, 0) << gallery.errors;
    EXPECT_EQ(read_file(kRoot / "docs/gallery.md"), gallery.output)
        << "write it anew: ./tuff manual --gallery docs/measurements.csv > docs/gallery.md";
}

TEST(Docs, the_gallery_shows_every_graph_with_a_picture_a_command_and_its_times) {
    const std::string gallery = read_file(kRoot / "docs/gallery.md");
    for (const std::string& file : file_names(kRoot / "apps/graphs")) {
        if (!file.ends_with(".json")) continue;
        const std::string name = fs::path(file).stem();
        EXPECT_TRUE(fs::exists(kRoot / "docs/images" / (name + ".png"))) << name;
        const std::size_t start = gallery.find("\n## " + name + "\n");
        ASSERT_NE(start, std::string::npos) << name;
        const std::string section = gallery.substr(start, gallery.find("\n## ", start + 1) - start);
        EXPECT_NE(section.find("```sh\n./tuff run " + name), std::string::npos) << name;
        EXPECT_NE(section.find("| device | size | a frame | frames |"), std::string::npos)
            << name << " was never measured: ./tuff bench graphs " << name
            << " --csv docs/measurements.csv";
    }
}

TEST(Docs, the_config_of_the_readme_takes_a_dozen_lines_and_writes_its_picture) {
    std::vector<PageBlock> configs = blocks_of(read_file(kRoot / "README.md"));
    std::erase_if(configs, [](const PageBlock& block) { return block.language != "json"; });
    ASSERT_EQ(configs.size(), 1u);
    EXPECT_LE(std::ranges::count(configs[0].text, '\n'), 12);
    const WorkFolder folder;
    folder.write("first.json", configs[0].text);
    const CommandResult run = run_tuff({"run", "first.json"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(folder.files(), testing::ElementsAre("first.json", "first.png"));
}

} // namespace
} // namespace tuff::test
