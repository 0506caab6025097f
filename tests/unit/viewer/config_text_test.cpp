// Changed parameters in the text of a config, and the steps that lead there.

#include "model/config_text.hpp"
#include "model/edit_history.hpp"
#include "tests/common/source_tree.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace tuff::viewer {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kText = R"({ // how bright
  "tuff": 1,
  "size": [64, 36], // texels
  "params": {
    "stops": {"doc": "brightness", "default": 1.50, "range": [-4, 20]},
    "plain": 4, // as it is
    "half": "=$plain/2"
  },
  "groups": {"eye": {"mode": "free", "position": [0, 1, /* near */ 2]}},
  "nodes": {
    "soft": {
      "pass": "image/gaussian",
      "params": {
        "sigma": "$plain",
        "edge": "clamp" // last
      }
    },
    "view": {"pass": "scene/mesh_raster", "params": {"camera": {"position": [1, 2, 3]}, "other": "$eye"}},
    "grid": {"pass": "image/convolve", "params": {"kernel": [[0, 1],
                                                             [2, 3]],}},
    "bare": {"pass": "image/tonemap"},
    "empty": {"pass": "image/tonemap", "params": {}}
  }
})";

std::string changed(const Edits& edits, std::string text = kText) {
    const auto result = with_changes(text, "t.json", edits);
    EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
    return result ? *result : "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ConfigText, has_other_numbers_and_every_other_byte_as_it_was) {
    EXPECT_EQ(changed({{{"", "stops"}, "2.25"}}), replaced(kText, "1.50", "2.25"));
    EXPECT_EQ(changed({{{"", "plain"}, "5"}}), replaced(kText, "\"plain\": 4", "\"plain\": 5"));
    EXPECT_EQ(changed({{{"", "width"}, "640"}}), replaced(kText, "[64,", "[640,"));
    EXPECT_EQ(changed({{{"", "height"}, "480"}}), replaced(kText, "36]", "480]"));
    EXPECT_EQ(changed({{{"soft", "edge"}, "\"wrap\""}}), replaced(kText, "\"clamp\"", "\"wrap\""));
    EXPECT_EQ(changed({{{"view", "camera.position"}, "[1,2.5,3]"}}),
              replaced(kText, "[1, 2, 3]", "[1, 2.5, 3]"));
}

TEST(ConfigText, keeps_a_number_that_says_the_same_in_another_way) {
    EXPECT_EQ(changed({{{"", "stops"}, "1.5"}}), kText);
}

TEST(ConfigText, keeps_rows_and_comments_of_lists) {
    EXPECT_EQ(changed({{{"", "eye.position"}, "[0,1,-9]"}}),
              replaced(kText, "/* near */ 2", "/* near */ -9"));
    EXPECT_EQ(changed({{{"grid", "kernel"}, "[0,1,2,7]"}}), replaced(kText, "[2, 3]", "[2, 7]"));
    EXPECT_EQ(changed({{{"grid", "kernel"}, "[4,5]"}}),
              replaced(replaced(kText, "[[0, 1],", "[4, 5]"),
                       "\n                                                             [2, 3]]",
                       ""));
}

TEST(ConfigText, gets_members_that_it_did_not_have_in_its_own_manner) {
    EXPECT_EQ(changed({{{"soft", "radius"}, "3"}}),
              replaced(kText, "\"clamp\" // last", "\"clamp\", // last\n        \"radius\": 3"));
    EXPECT_EQ(changed({{{"view", "camera.zoom"}, "2"}}),
              replaced(kText, "[1, 2, 3]}", "[1, 2, 3], \"zoom\": 2}"));
    EXPECT_EQ(changed({{{"grid", "shift"}, "[1,2]"}}),
              replaced(kText, "[2, 3]],", "[2, 3]], \"shift\": [1, 2],"));
    EXPECT_EQ(changed({{{"empty", "exposure"}, "1"}}),
              replaced(kText, "\"params\": {}", "\"params\": {\"exposure\": 1}"));
    EXPECT_EQ(changed({{{"bare", "exposure"}, "1"}}),
              replaced(kText, "{\"pass\": \"image/tonemap\"}",
                       "{\"pass\": \"image/tonemap\", \"params\": {\"exposure\": 1}}"));
}

TEST(ConfigText, gets_several_members_of_one_object) {
    EXPECT_EQ(changed({{{"bare", "camera.position"}, "[1,2]"},
                       {{"bare", "camera.zoom"}, "2"},
                       {{"bare", "exposure"}, "1"}}),
              replaced(kText, "{\"pass\": \"image/tonemap\"}",
                       "{\"pass\": \"image/tonemap\", \"params\": {\"camera\": {\"position\": "
                       "[1, 2], \"zoom\": 2}, \"exposure\": 1}}"));
}

TEST(ConfigText, keeps_line_ends_and_the_mark_at_its_beginning) {
    std::string text = "\xEF\xBB\xBF{\r\n  \"nodes\": {\r\n    \"a\": {\r\n      \"pass\": \"x/y\" "
                       "// z\r\n    }\r\n  }\r\n}\r\n";
    EXPECT_EQ(changed({{{"a", "k"}, "1"}}, text),
              replaced(text, "\"x/y\" // z", "\"x/y\", // z\r\n      \"params\": {\"k\": 1}"));
}

/// Codes of what is refused.
std::string refusal(const Edits& edits, const std::string& text = kText) {
    const auto result = with_changes(text, "t.json", edits);
    EXPECT_FALSE(result);
    return result ? "" : to_string(result.error());
}

TEST(ConfigText, refuses_what_stands_in_no_one_place) {
    EXPECT_THAT(refusal({{{"soft", "sigma"}, "2"}}),
                testing::AllOf(HasSubstr("viewer/computed"), HasSubstr("t.json:14:"),
                               HasSubstr("\"$plain\"")));
    EXPECT_THAT(refusal({{{"", "half"}, "2"}}), HasSubstr("\"=$plain/2\""));
    EXPECT_THAT(refusal({{{"view", "other.position"}, "[1,1,1]"}}), HasSubstr("eye.position"));
    EXPECT_THAT(refusal({{{"post/blur", "sigma"}, "2"}}), HasSubstr("viewer/not-in-file"));
    EXPECT_THAT(refusal({{{"gone", "sigma"}, "2"}}), HasSubstr("no node 'gone'"));
    EXPECT_THAT(refusal({{{"", "gone"}, "2"}}), HasSubstr("no parameter 'gone'"));
    EXPECT_THAT(refusal({{{"", "plain"}, "2"}}, "{ \"tuff\": 1, oops"), HasSubstr("config/syntax"));
    EXPECT_THAT(refusal({{{"", "plain"}, "2"}}, "[]"), HasSubstr("config/wrong-type"));
    // Both are told, and nothing is half done.
    const std::string both =
        refusal({{{"", "half"}, "2"}, {{"", "plain"}, "9"}, {{"soft", "sigma"}, "2"}});
    EXPECT_THAT(both, testing::AllOf(HasSubstr("'half'"), HasSubstr("'soft.sigma'")));
}

TEST(ConfigText, refuses_keyframes) {
    EXPECT_THAT(refusal({{{"", "a"}, "2"}}, R"({"params": {"a": {"keys": [[0, 1], [1, 2]]}}})"),
                HasSubstr("keyframes"));
    EXPECT_THAT(refusal({{{"", "a"}, "2"}},
                        R"({"params": {"a": {"default": {"keys": [[0, 1], [1, 2]]}}}})"),
                HasSubstr("keyframes"));
}

TEST(ConfigText, is_saved_through_a_link_and_left_alone_where_it_is_refused) {
    const fs::path folder = test::empty_folder();
    std::ofstream(folder / "real.json", std::ios::binary) << kText;
    fs::create_symlink("real.json", folder / "link.json");
    ASSERT_TRUE(save_changes(folder / "link.json", {{{"", "plain"}, "7"}}));
    EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
    const std::string after = replaced(kText, "\"plain\": 4", "\"plain\": 7");
    EXPECT_EQ(test::read_file(folder / "real.json"), after);
    EXPECT_FALSE(save_changes(folder / "link.json", {{{"", "plain"}, "8"}, {{"", "half"}, "8"}}));
    EXPECT_EQ(test::read_file(folder / "real.json"), after);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2)
        << "nothing lies beside it";
    EXPECT_FALSE(save_changes(folder / "gone.json", {{{"", "plain"}, "7"}}));
}

const ParameterKey kA{"", "a"}, kB{"n", "b"};

TEST(EditHistory, goes_back_and_forth) {
    EditHistory history;
    EXPECT_FALSE(history.undo());
    history.note({{kA, "1"}}, false);
    history.note({{kA, "1"}}, false);
    history.note({{kA, "1"}, {kB, "2"}}, false);
    EXPECT_EQ(history.undo(), (Edits{{kA, "1"}}));
    EXPECT_EQ(history.undo(), Edits{});
    EXPECT_FALSE(history.undo());
    EXPECT_EQ(history.redo(), (Edits{{kA, "1"}}));
    // Another change ends what could be had again.
    history.note({{kA, "5"}}, false);
    EXPECT_FALSE(history.redo());
    EXPECT_EQ(history.undo(), (Edits{{kA, "1"}}));
}

TEST(EditHistory, takes_a_drag_for_one_step) {
    EditHistory history;
    history.note({{kA, "1"}}, true);
    history.note({{kA, "2"}}, true);
    history.note({{kA, "3"}}, true);
    history.note({{kA, "3"}}, false);
    history.note({{kA, "4"}}, true); // another one
    history.note({{kA, "4"}}, false);
    EXPECT_EQ(history.undo(), (Edits{{kA, "3"}}));
    EXPECT_EQ(history.undo(), Edits{});
}

TEST(EditHistory, goes_behind_what_was_saved) {
    EditHistory history;
    history.note({{kA, "1"}}, false);
    history.note({{kA, "2"}}, false);
    history.saved({{kA, "2"}}, {{kA, "0"}});
    history.note({}, false); // the file says it now
    EXPECT_EQ(history.undo(), (Edits{{kA, "1"}}));
    EXPECT_EQ(history.undo(), (Edits{{kA, "0"}})) << "what the file had said before";
    EXPECT_EQ(history.redo(), (Edits{{kA, "1"}}));
    EXPECT_EQ(history.redo(), Edits{});
}

TEST(EditHistory, is_not_endless) {
    EditHistory history;
    for (int i = 0; i < 1200; ++i)
        history.note({{kA, std::to_string(i)}}, false);
    std::size_t steps = 0;
    while (history.undo())
        ++steps;
    EXPECT_EQ(steps, EditHistory::kMax - 1);
}

} // namespace
} // namespace tuff::viewer
