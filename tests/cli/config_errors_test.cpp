// Every mistake in a config: exit code 2, one clear diagnostic that names the culprit, nothing
// written. No device is needed to find any of them.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

struct ConfigErrorCase {
    std::string name;
    std::string config;
    std::string code;    ///< expected in the text
    std::string culprit; ///< expected in the text, too
};

void PrintTo(const ConfigErrorCase& c, std::ostream* stream) {
    *stream << c.name;
}

class ConfigError : public testing::TestWithParam<ConfigErrorCase> {};

TEST_P(ConfigError, exits_with_2_names_the_culprit_and_writes_nothing) {
    const ConfigErrorCase& c = GetParam();
    const WorkFolder folder;
    folder.write("graph.json", c.config);
    for (const char* command : {"check", "run"}) {
        const CommandResult result = run_tuff({command, "graph.json"}, folder.path());
        EXPECT_EQ(result.exit_code, 2) << command << '\n' << result.errors;
        EXPECT_THAT(result.errors, testing::HasSubstr("error[" + c.code + "]"));
        EXPECT_THAT(result.errors, testing::HasSubstr(c.culprit));
        EXPECT_THAT(result.output, testing::IsEmpty());
        EXPECT_THAT(folder.files(), testing::ElementsAre("graph.json"));
    }
}

const std::vector<ConfigErrorCase> kConfigErrorCases = {
    {"empty", "", "config/syntax", "graph.json"},
    {"truncated", std::string(kGoodConfig.substr(0, 300)), "config/syntax", "graph.json"},
    {"no_version", spoiled("\"tuff\": 1,", ""), "config/missing-version", "tuff"},
    {"wrong_type", spoiled("\"sigma\": 1.5", "\"sigma\": \"wide\""), "pass/wrong-type", "sigma"},
    {"out_of_range", spoiled("\"sigma\": 1.5", "\"sigma\": -3"), "pass/out-of-range", "sigma"},
    {"unknown_key", spoiled("\"size\"", "\"sise\""), "config/unknown-key", "sise"},
    {"unknown_pass", spoiled("image/gaussian", "image/gausian"), "config/unknown-pass",
     "image/gaussian"},
    {"unknown_port", spoiled("blur.result", "blur.resutl"), "config/unknown-port", "resutl"},
    {"unknown_input", spoiled("{\"source\": \"board\"}", "{\"sauce\": \"board\"}"),
     "config/unknown-port", "sauce"},
    {"unknown_parameter", spoiled("\"sigma\"", "\"stigma\""), "config/unknown-parameter", "stigma"},
    {"unknown_wire", spoiled("\"board\"}", "\"bored\"}"), "config/unknown-wire", "bored"},
    {"missing_input", spoiled("\"in\": {\"source\": \"board\"},", ""), "config/missing-input",
     "source"},
    {"cycle", spoiled("{\"source\": \"board\"}", "{\"source\": \"tone.result\"}"), "config/cycle",
     "blur"},
    {"size_mismatch",
     spoiled("\"tone\": {\"pass\": \"image/tonemap\", \"in\": {\"source\": \"blur.result\"},",
             "\"small\": {\"pass\": \"image/resize\", \"in\": {\"source\": \"board\"}, "
             "\"params\": {\"width\": 8, \"height\": 8}},\n"
             "\"mix\": {\"pass\": \"image/blend\", "
             "\"in\": {\"base\": \"blur.result\", \"layer\": \"small.result\"}},\n"
             "\"tone\": {\"pass\": \"image/tonemap\", \"in\": {\"source\": \"mix.result\"},"),
     "image/size-mismatch", "mix"},
    {"unsupported_format", spoiled("\"cell\": 4", "\"cell\": 4, \"format\": \"rgba64_float\""),
     "config/bad-format", "rgba64_float"},
    {"missing_texture",
     spoiled("{\"generate\": \"checker\", \"size\": [32, 16], \"cell\": 4}",
             "{\"image\": \"absent.png\"}"),
     "asset/not-found", "absent.png"},
};

INSTANTIATE_TEST_SUITE_P(Every, ConfigError, testing::ValuesIn(kConfigErrorCases),
                         [](const auto& test) { return test.param.name; });

TEST(ConfigErrors, of_one_file_are_reported_together) {
    const WorkFolder folder;
    std::string config = spoiled("image/gaussian", "image/gausian");
    config.replace(config.find("image/tonemap"), 13, "image/tonempa");
    folder.write("graph.json", config);
    const CommandResult result = run_tuff({"check", "graph.json"}, folder.path());
    EXPECT_THAT(result.errors, testing::AllOf(testing::HasSubstr("image/gausian"),
                                              testing::HasSubstr("image/tonempa")));
}

TEST(ConfigErrors, come_with_line_and_column) {
    const WorkFolder folder;
    folder.write("graph.json", spoiled("image/gaussian", "image/gausian"));
    const CommandResult result = run_tuff({"check", "graph.json"}, folder.path());
    EXPECT_THAT(result.errors, testing::HasSubstr("graph.json:7:"));
}

TEST(ConfigErrors, of_one_config_do_not_hide_the_others) {
    const WorkFolder folder;
    folder.write("bad.json", "{");
    folder.write("good.json", kGoodConfig);
    const CommandResult result = run_tuff({"check", "bad.json", "good.json"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, testing::HasSubstr("good.json: ok"));
}

TEST(ConfigErrors, name_an_image_that_is_damaged) {
    const WorkFolder folder;
    folder.write("graph.json", spoiled("{\"generate\": \"checker\", \"size\": [32, 16], "
                                       "\"cell\": 4}",
                                       "{\"image\": \"cut.png\"}"));
    folder.write("cut.png", "\x89PNG\r\n\x1a\n");
    const CommandResult result = run_tuff({"check", "graph.json"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, testing::HasSubstr("error[image/corrupt]"));
}

} // namespace
} // namespace tuff::test
