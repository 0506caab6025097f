// `tuff explain` in its formats, and the page that it writes, whatever the names are.

#include "apps/tuff/page/explain_page.hpp"
#include "explain_page_reader.hpp"
#include "run_tuff.hpp"
#include "small_config.hpp"
#include "tests/unit/graph/hand_built_plan.hpp"

#include <tuff/explain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Explain : public testing::Test {
  protected:
    Explain() { folder.write("graph.json", kGoodConfig); }

    std::string output_of(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"explain", "graph.json"});
        const CommandResult result = run_tuff(arguments, folder.path());
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result.output;
    }

    WorkFolder folder;
};

TEST_F(Explain, prints_the_format_asked_for) {
    EXPECT_THAT(output_of({}), HasSubstr("level 0"));
    EXPECT_THAT(output_of({"--format", "text"}), HasSubstr("level 0"));
    EXPECT_THAT(output_of({"--format", "dot"}), StartsWith("digraph"));
    EXPECT_THAT(output_of({"--format", "svg"}), AllOf(StartsWith("<svg"), HasSubstr("level 1")));
    EXPECT_EQ(parsed_json(output_of({"--format", "json"}))["outputs"].size(), 2u);
}

TEST_F(Explain, writes_to_a_file_instead) {
    EXPECT_THAT(output_of({"--format", "svg", "--out", "g.svg"}), IsEmpty());
    EXPECT_THAT(folder.read("g.svg"), StartsWith("<svg"));
    EXPECT_THAT(folder.files(), ElementsAre("g.svg", "graph.json"));
}

TEST_F(Explain, writes_page_and_drawing_at_once) {
    (void)output_of({"--format", "dot", "--out", "g.dot", "--html", "g.html"});
    EXPECT_THAT(folder.files(), ElementsAre("g.dot", "g.html", "graph.json"));
}

TEST_F(Explain, json_tells_accesses_barriers_and_memory) {
    const Json::Value plan = parsed_json(output_of({"--format", "json"}));
    ASSERT_GE(plan["levels"].size(), 2u);
    const Json::Value& node = plan["levels"][0]["nodes"][0];
    EXPECT_EQ(node["kind"], "compute");
    ASSERT_GE(node["accesses"].size(), 2u);
    const Json::Value& written = node["accesses"][node["accesses"].size() - 1];
    EXPECT_EQ(written["written"].asUInt(), 1u);
    EXPECT_LT(written["resource"].asUInt(), plan["resources"].size());
    const Json::Value& barrier = plan["levels"][1]["barriers"]["images"][0];
    EXPECT_THAT(barrier["reason"]["text"].asString(), Not(IsEmpty()));
    EXPECT_GT(plan["blocks"][0].asUInt64(), 0u);
}

TEST_F(Explain, every_form_says_what_runs_once) {
    // Only the sum differs from frame to frame; what is blurred does not.
    folder.write("graph.json", R"json({
        "tuff": 1,
        "assets": {"board": {"generate": "checker", "size": [32, 16], "cell": 4}},
        "history": {"sum": {"from": "add.result", "format": "rgba32_sfloat", "size": [32, 16]}},
        "nodes": {"blur": {"pass": "image/gaussian", "in": {"source": "board"}},
                  "add": {"pass": "image/blend", "in": {"base": "sum", "layer": "blur.result"},
                          "params": {"mode": "add", "format": "rgba32_sfloat"}}},
        "outputs": {"result": "add.result"}})json");
    const Json::Value plan = parsed_json(output_of({"--format", "json"}));
    ASSERT_GE(plan["setup"]["nodes"].size(), 1u);
    EXPECT_EQ(plan["setup"]["nodes"][0]["kind"], "compute");
    EXPECT_EQ(plan["culled"].size(), 0u);
    EXPECT_THAT(output_of({"--format", "text"}), HasSubstr("runs once"));
    EXPECT_THAT(output_of({"--format", "svg"}),
                AllOf(HasSubstr(" once\""), Not(HasSubstr(">culled<"))));
    EXPECT_THAT(output_of({"--format", "dot"}),
                AllOf(HasSubstr("\\nonce"), Not(HasSubstr("dashed"))));
    const Json::Value each = parsed_json(output_of({"--format", "json", "--constant", "each"}));
    EXPECT_FALSE(each.isMember("setup"));
}

/// The names of a plan's nodes in their order.
std::vector<std::string> nodes_of(const Json::Value& plan) {
    std::vector<std::string> names;
    for (const Json::Value& level : plan["levels"])
        for (const Json::Value& node : level["nodes"])
            names.push_back(node["name"].asString());
    return names;
}

TEST_F(Explain, of_a_device_shows_the_kernels_that_run_there) {
    // Moments are blended where 32-bit floats can be, which the core tier does not have.
    folder.write("graph.json", R"json({
        "tuff": 1,
        "assets": {"pane": {"scene": [{"plane": [2, 2], "material": {"base_color": [1, 0, 0, 0.5]}}]}},
        "nodes": {"view": {"pass": "scene/mesh_raster", "in": {"scene": "pane"},
                           "params": {"samples": 1, "width": 32, "height": 16}},
                  "blend": {"pass": "oit/moments", "in": {"scene": "pane", "view": "view.view"}}},
        "outputs": {"picture": {"from": "blend.color", "file": "picture.png"}}})json");
    const std::vector<std::string> described =
        nodes_of(parsed_json(output_of({"--format", "json"})));
    EXPECT_THAT(described, Contains("blend/capture/list"));
    const std::vector<std::string> planned =
        nodes_of(parsed_json(output_of({"--format", "json", "--device", "lavapipe"})));
    EXPECT_THAT(planned, Not(Contains("blend/capture/list")));
    const CommandResult run = run_tuff(
        {"run", "graph.json", "--device", "lavapipe", "--timings", "--json"}, folder.path());
    const Json::Value answer = parsed_json(run.output);
    std::vector<std::string> ran;
    for (const Json::Value& node : answer["result"]["timings"]["nodes"])
        ran.push_back(node["name"].asString());
    EXPECT_EQ(planned, ran);
}

TEST_F(Explain, page_refers_to_nothing_outside_of_itself) {
    EXPECT_EQ(output_of({"--html", "g.html"}), "wrote g.html\n");
    const std::string page = folder.read("g.html");
    EXPECT_THAT(page, AllOf(Not(HasSubstr("http:")), Not(HasSubstr("https:")),
                            Not(HasSubstr("src=")), Not(HasSubstr("@import")),
                            Not(HasSubstr("url(")), HasSubstr("default-src 'none'")));
    EXPECT_EQ(plan_of_page(page)["title"], "graph.json");
}

TEST_F(Explain, unwritable_page_is_an_error_that_names_the_file) {
    const CommandResult result =
        run_tuff({"explain", "graph.json", "--html", "absent/x.html"}, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("cli/unwritable"), HasSubstr("absent")));
}

TEST(ExplainPage, holds_hostile_names_without_being_broken_by_them) {
    HostilePlan hostile;
    const std::string page = explain_hostile(hostile);
    // Of the data and of the script, and no others.
    std::size_t ends = 0;
    for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at)
        ++ends;
    EXPECT_EQ(ends, 2u);
    EXPECT_THAT(page, Not(HasSubstr("<img")));
    const Json::Value plan = plan_of_page(page);
    ASSERT_EQ(plan["resources"].size(), hostile.names.size());
    for (Json::ArrayIndex i = 0; i < plan["resources"].size(); ++i)
        EXPECT_EQ(plan["resources"][i]["name"].asString(), hostile.names[i]);
    EXPECT_EQ(plan["title"].asString(), hostile.names[0]);
}

TEST(ExplainPage, knows_the_queue_of_every_level_and_its_waits) {
    Plan plan;
    plan.levels = {{.queue = Queue::graphics, .submission = 0},
                   {.queue = Queue::compute, .submission = 1}};
    plan.submissions = {{.queue = Queue::graphics},
                        {.queue = Queue::compute, .first_wait = 0, .wait_count = 1},
                        {.queue = Queue::graphics, .first_wait = 1, .wait_count = 1}};
    plan.waits = {0, 1};
    const Json::Value page = plan_of_page(cli::explain_page(plan, {}));
    EXPECT_EQ(page["levels"][1]["queue"], "compute");
    EXPECT_EQ(page["submissions"][1]["levels"][0].asUInt(), 1u);
    EXPECT_EQ(page["submissions"][1]["waits"][0].asUInt(), 0u);
    EXPECT_EQ(page["submissions"][2]["wait_texts"][0], "the compute queue, after level 1");
}

TEST(ExplainPage, takes_a_plan_of_nothing) {
    EXPECT_EQ(plan_of_page(cli::explain_page(Plan{}, {}))["levels"].size(), 0u);
}

} // namespace
} // namespace tuff::test
