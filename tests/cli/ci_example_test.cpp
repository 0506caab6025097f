// examples/ci, as another project uses it.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

const std::string kScript = std::string(TUFF_TEST_SOURCE_DIR) + "/examples/ci/check_graphs.sh";

constexpr const char* kConfig = R"({
  "tuff": 1,
  "assets": {"rings": {"generate": "zone_plate", "size": [32, 24]}},
  "nodes": {"blur": {"pass": "image/gaussian", "in": {"source": "rings"}, "params": {"sigma": SIGMA}}},
  "outputs": {"picture": "blur.result"}
})";

class CiExample : public testing::Test {
  protected:
    CiExample() {
        write_config("2");
        const CommandResult stored =
            run_tuff({"golden", "graphs/blur.json", "--dir", "golden", "--update"}, folder_.path());
        EXPECT_EQ(stored.exit_code, 0) << stored.errors;
    }
    void write_config(const std::string& sigma) {
        std::string text = kConfig;
        text.replace(text.find("SIGMA"), 5, sigma);
        folder_.write("graphs/blur.json", text);
    }
    CommandResult check() {
        return run_program({"bash", kScript, "graphs", "golden"}, folder_.path(),
                           {{"TUFF", TUFF_TEST_BINARY}, {"TUFF_DEVICE", ""}});
    }

    WorkFolder folder_;
};

TEST_F(CiExample, passes_what_is_as_stored) {
    const CommandResult result = check();
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, testing::AnyOf(testing::HasSubstr(" on swiftshader"),
                                              testing::HasSubstr(" on lavapipe")));
}

TEST_F(CiExample, fails_with_a_report_where_a_picture_has_changed) {
    write_config("0.3");
    EXPECT_EQ(check().exit_code, 1);
    EXPECT_THAT(folder_.files(), testing::Contains("golden-report/index.html"));
}

TEST_F(CiExample, fails_where_a_config_is_wrong) {
    write_config("\"much\"");
    const CommandResult result = check();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, testing::HasSubstr("pass/wrong-type"));
}

} // namespace
} // namespace tuff::test
