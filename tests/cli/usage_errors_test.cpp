// Mistakes on the command line, and what is wrong with the machine: exit code and text.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

struct UsageErrorCase {
    std::string name;
    std::vector<std::string> arguments;
    int exit_code;
    std::string code;
    std::string mention;
    std::map<std::string, std::string> environment = {};
};

void PrintTo(const UsageErrorCase& c, std::ostream* stream) {
    *stream << c.name;
}

class UsageError : public testing::TestWithParam<UsageErrorCase> {};

TEST_P(UsageError, gives_its_exit_code_one_diagnostic_and_writes_nothing) {
    const UsageErrorCase& c = GetParam();
    const WorkFolder folder;
    folder.write("graph.json", kGoodConfig);
    const CommandResult result = run_tuff(c.arguments, folder.path(), c.environment);
    EXPECT_EQ(result.exit_code, c.exit_code) << result.errors;
    EXPECT_THAT(result.errors, testing::HasSubstr("error[" + c.code + "]"));
    EXPECT_THAT(result.errors, testing::HasSubstr(c.mention));
    EXPECT_THAT(result.output, testing::IsEmpty());
    EXPECT_THAT(folder.files(), testing::ElementsAre("graph.json"));
}

const std::vector<UsageErrorCase> kUsageErrorCases = {
    {"unknown_command", {"rnu", "graph.json"}, 2, "cli/unknown-command", "run"},
    {"unknown_option", {"run", "graph.json", "--fraems", "3"}, 2, "cli/unknown-option", "--frames"},
    {"too_many_arguments", {"schema", "demo", "more"}, 2, "cli/unexpected-argument", "more"},
    {"no_config", {"run"}, 2, "cli/usage", "config"},
    {"frames_not_a_number", {"run", "graph.json", "--frames", "many"}, 2, "cli/usage", "--frames"},
    {"no_frames", {"run", "graph.json", "--frames", "0"}, 2, "cli/usage", "--frames"},
    {"fps_zero", {"run", "graph.json", "--fps", "0"}, 2, "cli/usage", "--fps"},
    {"alias_maybe", {"run", "graph.json", "--alias=maybe"}, 2, "cli/usage", "maybe"},
    {"missing_config", {"run", "absent.json"}, 2, "config/not-found", "absent.json"},
    {"config_is_a_folder", {"check", "./"}, 2, "config/unreadable", "./"},
    {"unknown_graph", {"run", "no_such_graph"}, 2, "cli/unknown-graph", "no_such_graph"},
    {"no_such_case", {"bench", "image/gausian"}, 2, "cli/no-case", "image/gaussian"},
    {"bad_size", {"bench", "--sizes", "2^40"}, 2, "bench/bad-size", "2^40"},
    {"csv_nowhere", {"bench", "--csv", "absent/a.csv"}, 1, "cli/unwritable", "absent"},
    {"bench_without_device", {"bench"}, 1, "device/no-driver", "", kNoDevice},
    {"bundle_in_the_way", {"bundle", "--out", "graph.json"}, 2, "bundle/exists", "graph.json"},
    {"bundle_over_a_folder", {"bundle", "--out", "../"}, 2, "bundle/exists", ".."},
    {"bundle_nowhere", {"bundle", "--out", "absent/bundle"}, 1, "cli/unwritable", "absent"},
    {"set_without_value",
     {"run", "graph.json", "--set", "exposure"},
     2,
     "cli/bad-set",
     "NAME=VALUE"},
    {"set_unknown",
     {"run", "graph.json", "--set", "exposre=1"},
     2,
     "config/unknown-parameter",
     "exposure"},
    {"set_wrong_type",
     {"run", "graph.json", "--set", "exposure=bright"},
     2,
     "config/wrong-type",
     "exposure"},
    {"set_out_of_range",
     {"run", "graph.json", "--set", "exposure=99"},
     2,
     "config/out-of-range",
     "exposure"},
    {"out_unknown",
     {"run", "graph.json", "--out", "pictrue=x.png"},
     2,
     "cli/unknown-output",
     "picture"},
    {"out_pattern", {"run", "graph.json", "--out", "%d_%d.png"}, 2, "cli/bad-pattern", "%04d"},
    {"out_folder_absent",
     {"run", "graph.json", "--out", "absent/x.png"},
     1,
     "cli/unwritable",
     "absent"},
    {"out_dir_is_a_file",
     {"run", "graph.json", "--out-dir", "graph.json"},
     1,
     "cli/unwritable",
     "graph.json"},
    {"explain_unwritable",
     {"explain", "graph.json", "--out", "absent/x.txt"},
     1,
     "cli/unwritable",
     "absent"},
    {"unknown_pass", {"passes", "image/tonemop"}, 2, "cli/unknown-pass", "image/tonemap"},
    {"inspect_unknown_node",
     {"inspect", "graph.json", "blurr.result"},
     2,
     "config/unknown-wire",
     "blur"},
    {"inspect_unknown_port",
     {"inspect", "graph.json", "blur.rezult"},
     2,
     "config/unknown-port",
     "result"},
    {"trace_without_out", {"trace", "graph.json"}, 2, "cli/usage", "--out"},
    {"unknown_shell", {"completion", "csh"}, 2, "cli/usage", "csh"},
    {"unknown_device",
     {"run", "graph.json", "--device", "voodoo2"},
     2,
     "device/unknown",
     "voodoo2"},
    {"unknown_device_by_environment",
     {"run", "graph.json"},
     2,
     "device/unknown",
     "voodoo2",
     {{"TUFF_DEVICE", "voodoo2"}}},
    {"no_device", {"run", "graph.json"}, 1, "device/no-driver", "Vulkan", kNoDevice},
    {"no_device_to_list", {"devices"}, 1, "device/no-driver", "Vulkan", kNoDevice},
};

INSTANTIATE_TEST_SUITE_P(Every, UsageError, testing::ValuesIn(kUsageErrorCases),
                         [](const auto& test) { return test.param.name; });

TEST(Usage, without_arguments_is_shown_with_exit_code_2) {
    const WorkFolder folder;
    const CommandResult result = run_tuff({}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, testing::HasSubstr("Examples:"));
    EXPECT_THAT(result.output, testing::IsEmpty());
}

TEST(Usage, a_value_that_makes_a_sound_config_wrong_is_named) {
    const WorkFolder folder;
    const auto errors_of = [&](std::string_view divisor, std::vector<std::string> sets) {
        folder.write("graph.json", R"json({"tuff": 1, "params": {"s": 2, "t": 1, "w": "=1/$s"},
 "assets": {"board": {"generate": "checker", "size": [8, 4]}},
 "nodes": {"blur": {"pass": "image/gaussian", "in": {"source": "board"},
                    "params": {"sigma": "=$w/)json" +
                                       std::string(divisor) + R"json("}}},
 "outputs": {"picture": "blur.result"}})json");
        std::vector<std::string> arguments = {"check", "graph.json"};
        for (const std::string& set : sets)
            arguments.insert(arguments.end(), {"--set", set});
        const CommandResult result = run_tuff(arguments, folder.path(), kNoDevice);
        EXPECT_EQ(result.exit_code, 2) << result.errors;
        return result.errors;
    };
    using testing::AllOf;
    using testing::HasSubstr;
    using testing::Not;
    const auto blames = [](std::string_view sets) {
        return AllOf(HasSubstr("error[cli/set-at-fault]: the config is sound without " +
                               std::string(sets) + "\n"),
                     HasSubstr("error[config/not-a-number]"));
    };
    EXPECT_THAT(errors_of("1", {"s=0"}), blames("--set s=0"));
    EXPECT_THAT(errors_of("1", {"t=3", "s=0", "width=9"}), blames("--set s=0"));
    EXPECT_THAT(errors_of("pow($s-$t, 2)", {"t=3", "s=3"}), blames("--set t=3 --set s=3"));
    EXPECT_THAT(errors_of("0", {"t=3"}), Not(HasSubstr("cli/set-at-fault"))) << "wrong by itself";
}

TEST(Usage, errors_carry_no_escapes_outside_a_terminal) {
    const WorkFolder folder;
    EXPECT_THAT(run_tuff({"rnu"}, folder.path()).errors, testing::Not(testing::HasSubstr("\x1b")));
}

} // namespace
} // namespace tuff::test
