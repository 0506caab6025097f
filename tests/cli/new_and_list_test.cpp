// Configs of one's own, and finding those there are.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NewConfig : public testing::TestWithParam<const char*> {};

TEST_P(NewConfig, checks_and_runs_as_it_is) {
    const WorkFolder folder;
    const CommandResult made =
        run_tuff({"new", "mine", "--template", GetParam()}, folder.path(), kNoDevice);
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(made.output, AllOf(HasSubstr("wrote mine.json"), HasSubstr("tuff run mine.json")));
    const CommandResult checked = run_tuff({"check", "mine.json"}, folder.path(), kNoDevice);
    EXPECT_EQ(checked.exit_code, 0);
    EXPECT_EQ(checked.errors, "") << "what one begins with warns of nothing";
    const CommandResult run = run_tuff({"run", "mine.json", "--frames", "3", "--set", "width=64",
                                        "--set", "height=48", "--out", "mine.png"},
                                       folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(folder.read("mine.png"), StartsWith("\x89PNG"));
    const CommandResult values = run_tuff(
        {"inspect", "mine.json", "--set", "width=64", "--set", "height=48"}, folder.path());
    EXPECT_EQ(values.exit_code, 0) << values.errors;
    EXPECT_THAT(values.output, HasSubstr("64x48 rgba8_unorm"));
}
INSTANTIATE_TEST_SUITE_P(Templates, NewConfig, testing::Values("picture", "simulation", "scene"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(NewConfig, never_overwrites_a_file_or_a_link) {
    const WorkFolder folder;
    folder.write("mine.json", "precious");
    std::filesystem::create_symlink("nowhere.json", folder.path() / "link.json");
    for (const char* name : {"mine", "mine.json", "link"}) {
        const CommandResult made = run_tuff({"new", name}, folder.path());
        EXPECT_EQ(made.exit_code, 2) << name;
        EXPECT_THAT(made.errors, HasSubstr("error[cli/file-exists]"));
    }
    EXPECT_EQ(folder.read("mine.json"), "precious");
    EXPECT_THAT(folder.files(), Not(testing::Contains("nowhere.json")));
    EXPECT_EQ(run_tuff({"new", "no/such/folder"}, folder.path()).exit_code, 1);
}

TEST(ListOfConfigs, tells_each_graph_that_ships_in_a_line) {
    const WorkFolder folder;
    const CommandResult list = run_tuff({"list"}, folder.path(), kNoDevice);
    EXPECT_EQ(list.exit_code, 0) << list.errors;
    EXPECT_THAT(list.output, HasSubstr("\nmandelbrot  "));
    EXPECT_THAT(list.output, HasSubstr("A two-cylinder engine"));
}

TEST(ListOfConfigs, tells_those_below_a_folder_and_what_is_wrong_with_them) {
    const WorkFolder folder;
    folder.write("good.json", kGoodConfig);
    folder.write("deep/broken.json", "{\"tuff\": 1,");
    folder.write("package.json", "{\"name\": \"another program's\"}");
    folder.write(".hidden/good.json", kGoodConfig);
    const CommandResult list = run_tuff({"list", "."}, folder.path(), kNoDevice);
    EXPECT_EQ(list.exit_code, 0) << list.errors;
    EXPECT_THAT(list.output,
                AllOf(HasSubstr("good.json         32x16"), HasSubstr("deep/broken.json  ("),
                      Not(HasSubstr("package")), Not(HasSubstr("hidden"))));
    const CommandResult nowhere = run_tuff({"list", "nowhere"}, folder.path(), kNoDevice);
    EXPECT_EQ(nowhere.exit_code, 2);
    EXPECT_THAT(nowhere.errors, HasSubstr("error[cli/no-folder]"));
}

} // namespace
} // namespace tuff::test
