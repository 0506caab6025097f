// `tuff golden`: what it stores, what it takes for the same, and what it shows of the rest.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class Golden : public testing::Test {
  protected:
    Golden() { folder.write("graph.json", kGoodConfig); }

    CommandResult golden(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"golden", "graph.json", "--dir", "stored"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tuff(arguments, folder.path());
    }

    WorkFolder folder;
};

TEST_F(Golden, stores_what_is_missing_and_then_agrees_with_it) {
    const CommandResult missing = golden();
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.output, HasSubstr("missing  graph picture: 'stored/graph-picture.png'"));
    EXPECT_THAT(missing.errors, AllOf(HasSubstr("cli/golden-differs"), HasSubstr("--update")));
    EXPECT_THAT(folder.files(), Not(Contains("stored/graph-picture.png")));

    const CommandResult stored = golden({"--update"});
    EXPECT_EQ(stored.exit_code, 0) << stored.errors;
    EXPECT_THAT(stored.output, HasSubstr("stored   graph picture"));
    EXPECT_THAT(folder.files(), Contains("stored/graph-picture.png"));

    const CommandResult same = golden();
    EXPECT_EQ(same.exit_code, 0) << same.errors;
    EXPECT_THAT(same.output, HasSubstr("same     graph picture: mean colour distance 0.00"));
    EXPECT_THAT(folder.read("golden-report/index.html"), HasSubstr("graph picture"));
}

TEST_F(Golden, shows_what_differs_and_leaves_it_until_it_is_accepted) {
    ASSERT_EQ(golden({"--update"}).exit_code, 0);
    const std::string before = folder.read("stored/graph-picture.png");
    const CommandResult brighter = golden({"--set", "exposure=1"});
    EXPECT_EQ(brighter.exit_code, 1);
    EXPECT_THAT(brighter.output, HasSubstr("differs  graph picture"));
    EXPECT_THAT(folder.files(),
                IsSupersetOf({"golden-report/graph-picture-difference.png",
                              "golden-report/graph-picture-golden.png",
                              "golden-report/graph-picture-got.png", "golden-report/index.html"}));
    EXPECT_THAT(folder.read("golden-report/index.html"),
                HasSubstr("src=\"graph-picture-difference.png\""));
    EXPECT_EQ(folder.read("stored/graph-picture.png"), before);

    EXPECT_EQ(golden({"--set", "exposure=1", "--mean", "100", "--tile", "100"}).exit_code, 0);
    EXPECT_EQ(golden({"--set", "exposure=1", "--update"}).exit_code, 0);
    EXPECT_NE(folder.read("stored/graph-picture.png"), before);
    EXPECT_EQ(golden({"--set", "exposure=1"}).exit_code, 0);
}

TEST_F(Golden, updates_leave_alone_what_looks_the_same) {
    ASSERT_EQ(golden({"--update"}).exit_code, 0);
    const std::string before = folder.read("stored/graph-picture.png");
    EXPECT_EQ(golden({"--set", "exposure=0.01", "--update"}).exit_code, 0);
    EXPECT_EQ(folder.read("stored/graph-picture.png"), before);
}

TEST_F(Golden, takes_pictures_of_floats_and_numbers_as_well) {
    folder.write("graph.json", R"json({
        "tuff": 1, "params": {"offset": 0},
        "assets": {"board": {"generate": "checker", "size": [32, 16], "cell": 4}},
        "nodes": {
            "soft": {"pass": "image/gaussian", "in": {"source": "board"}, "params": {"sigma": 1}},
            "bright": {"pass": "image/tonemap", "in": {"source": "soft.result"},
                       "params": {"exposure": 6, "operator": "none", "encoding": "linear",
                                  "format": "rgba16_sfloat"}},
            "numbers": {"pass": "primitives/map", "params": {"length": 9, "result_type": "u32",
                        "expression": "i + 3u"}}
        },
        "outputs": {"light": {"from": "bright.result", "file": "light.exr"},
                    "numbers": {"from": "numbers.result", "file": "numbers.csv"}}
    })json");
    EXPECT_EQ(golden({"--update"}).exit_code, 0);
    EXPECT_THAT(folder.files(),
                IsSupersetOf({"stored/graph-light.exr", "stored/graph-numbers.bin"}));
    const CommandResult same = golden();
    EXPECT_EQ(same.exit_code, 0) << same.output << same.errors;

    std::string bytes = folder.read("stored/graph-numbers.bin");
    bytes[8] = '\x7f';
    folder.write("stored/graph-numbers.bin", bytes);
    const CommandResult other = golden();
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.output, AllOf(HasSubstr("same     graph light"),
                                    HasSubstr("differs  graph numbers: byte 8 of 36")));
}

TEST_F(Golden, of_another_size_differs_and_what_is_no_picture_is_an_error) {
    ASSERT_EQ(golden({"--update"}).exit_code, 0);
    folder.write("graph.json",
                 spoiled("\"size\": [32, 16], \"cell\"", "\"size\": [16, 16], \"cell\""));
    const CommandResult smaller = golden();
    EXPECT_EQ(smaller.exit_code, 1);
    EXPECT_THAT(smaller.output, HasSubstr("differs  graph picture: images of 16x16x1 and 32x16x1"));

    folder.write("stored/graph-picture.png", "no picture");
    const CommandResult broken = golden();
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_THAT(broken.errors, HasSubstr("image/"));
}

TEST_F(Golden, configs_with_open_inputs_are_checked_and_passed_over) {
    folder.write("post.json", R"({"tuff": 1, "inputs": {"scene": "Image"},
        "nodes": {"tone": {"pass": "image/tonemap", "in": {"source": "scene"}}},
        "outputs": {"picture": "tone.result"}})");
    const CommandResult checked = run_tuff({"check", "post.json", "graph.json"}, folder.path());
    EXPECT_EQ(checked.exit_code, 0) << checked.errors;
    EXPECT_THAT(checked.output, AllOf(HasSubstr("post.json: ok, checked without its scene (Image)"),
                                      HasSubstr("graph.json: ok, 3 nodes")));
    const CommandResult stored = golden({"post.json", "--update"});
    EXPECT_EQ(stored.exit_code, 0) << stored.errors;
    EXPECT_THAT(stored.output, AllOf(HasSubstr("skipped  post.json: "), HasSubstr("scene (Image)"),
                                     HasSubstr("stored   graph picture")));
    folder.write("post.json", R"({"tuff": 1, "inputs": {"scene": "Image"},
        "nodes": {"tone": {"pass": "image/tonemap", "in": {"sauce": "scene"}}},
        "outputs": {"picture": "tone.result"}})");
    EXPECT_EQ(run_tuff({"check", "post.json"}, folder.path()).exit_code, 2);
}

TEST_F(Golden, of_two_configs_of_one_name_are_refused) {
    std::filesystem::create_directories(folder.path() / "other");
    folder.write("other/graph.json", kGoodConfig);
    const CommandResult twice = golden({"other/graph.json"});
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_THAT(twice.errors, HasSubstr("cli/same-name"));
}

} // namespace
} // namespace tuff::test
