// The page of `tuff explain --html` in headless Chromium: what hovering lights, that nothing lies
// on top of anything else, that no script fails. Screenshots go to the folder of test output.

#include "explain_page_reader.hpp"
#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Run after the page's own script. Points at the resource of the fragment as a mouse would, and
/// writes down what is lit and what overlaps.
constexpr std::string_view kProbe = R"html(
<script>
(() => {
  const ids = (selector, kind) => [...new Set([...document.querySelectorAll(selector)]
    .map((element) => Number(element.dataset[kind])))].sort((a, b) => a - b);
  const overlaps = (selector) => {
    const boxes = [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
    let count = 0;
    for (let i = 0; i < boxes.length; ++i)
      for (let k = 0; k < i; ++k) {
        const a = boxes[i], b = boxes[k];
        if (a.left < b.right - 0.5 && b.left < a.right - 0.5 &&
            a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5) ++count;
      }
    return count;
  };
  const lit = () => ({
    graph_readers: ids(".box.reader", "node"), graph_writers: ids(".box.writer", "node"),
    time_readers: ids(".slot.reader", "node"), time_writers: ids(".slot.writer", "node"),
    wires: ids(".wire.lit", "resource"), ports: ids(".port.lit", "resource"),
    memory: ids(".memory.lit", "resource"), lives: document.querySelectorAll(".life").length,
  });
  const report = { linked: lit() };
  const memory = document.querySelector(".memory.lit");
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  report.nothing = document.querySelectorAll(".lit, .reader, .writer, .life").length;
  memory.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  report.hovered = lit();
  document.body.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  report.left = document.querySelectorAll(".lit, .reader, .writer, .life").length;
  memory.focus();
  report.focused = lit();
  report.overlaps = overlaps(".tuff-graph .box > rect:first-of-type") + overlaps(".slot") +
    overlaps(".memory");
  report.boxes = document.querySelectorAll(".box[data-node]").length;
  report.slots = document.querySelectorAll(".slot").length;
  report.batches = document.querySelectorAll("#barrier-list details").length;
  document.body.append(Object.assign(document.createElement("pre"),
    { id: "report", textContent: JSON.stringify(report) }));
})();
</script>
)html";

class ExplainBrowser : public testing::Test {
  protected:
    void SetUp() override {
        if (std::string_view(TUFF_TEST_CHROMIUM).empty())
            GTEST_SKIP() << "no chromium on this machine: the page is not tried in a browser";
    }

    struct Shown {
        std::string output, console;
    };

    /// Runs the browser on a page of `folder`.
    Shown show(const std::string& page, const std::string& fragment,
               const std::string& flags) const {
        const std::string command = fmt::format(
            "timeout 120 '{}' --headless --no-sandbox --disable-gpu --hide-scrollbars "
            "--enable-logging=stderr --user-data-dir='{}/profile' {} 'file://{}/{}{}' 2>'{}/log'",
            TUFF_TEST_CHROMIUM, folder.path().string(), flags, folder.path().string(), page,
            fragment, folder.path().string());
        Shown shown;
        FILE* pipe = popen(command.c_str(), "r");
        if (!pipe) return shown;
        std::array<char, 4096> buffer;
        while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
            shown.output.append(buffer.data(), count);
        EXPECT_EQ(pclose(pipe), 0) << folder.read("log");
        shown.console = folder.read("log");
        return shown;
    }

    Json::Value probe(const std::string& page, const std::string& fragment) {
        std::string text = folder.read(page);
        text.insert(text.rfind("</body>"), kProbe);
        folder.write("probed.html", text);
        const Shown shown = show("probed.html", fragment, "--dump-dom");
        EXPECT_THAT(shown.console, Not(HasSubstr("CONSOLE")));
        constexpr std::string_view kStart = "<pre id=\"report\">";
        const std::size_t start = shown.output.find(kStart);
        if (start == std::string::npos) {
            ADD_FAILURE() << "the probe did not run\n" << shown.console;
            return {};
        }
        const std::size_t first = start + kStart.size();
        return parsed_json(std::string_view(shown.output)
                               .substr(first, shown.output.find("</pre>", first) - first));
    }

    void screenshot(const std::string& page, const std::string& name, const std::string& flags) {
        const fs::path file = fs::path(TUFF_TEST_OUTPUT_DIR) / ("explain-" + name + ".png");
        fs::remove(file);
        (void)show(page, "", fmt::format("{} --screenshot='{}'", flags, file.string()));
        EXPECT_GT(fs::exists(file) ? fs::file_size(file) : 0, 10'000u) << file;
    }

    void explain(const std::string& config) {
        const CommandResult result =
            run_tuff({"explain", config, "--html", "page.html"}, folder.path());
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        plan = plan_of_page(folder.read("page.html"));
    }

    /// Nodes that read, or write, a resource, by the data of the page.
    std::set<unsigned> users(unsigned resource, const char* how) const {
        std::set<unsigned> result;
        for (const Json::Value& level : plan["levels"])
            for (const Json::Value& node : level["nodes"])
                for (const Json::Value& access : node["accesses"])
                    if (access["resource"].asUInt() == resource && access[how].asBool())
                        result.insert(node["node"].asUInt());
        return result;
    }

    void expect_lit(const Json::Value& lit, unsigned resource) const {
        const std::set<unsigned> readers = users(resource, "reads");
        const std::set<unsigned> writers = users(resource, "writes");
        EXPECT_EQ(numbers(lit["graph_readers"]), readers);
        EXPECT_EQ(numbers(lit["time_readers"]), readers);
        EXPECT_EQ(numbers(lit["graph_writers"]), writers);
        EXPECT_EQ(numbers(lit["time_writers"]), writers);
        const std::set<unsigned> itself = {resource};
        EXPECT_EQ(numbers(lit["memory"]), itself);
        EXPECT_EQ(numbers(lit["wires"]), itself);
        EXPECT_EQ(numbers(lit["ports"]), itself);
        EXPECT_EQ(lit["lives"].asUInt(), 2u);
    }

    static std::set<unsigned> numbers(const Json::Value& list) {
        std::set<unsigned> result;
        for (const Json::Value& number : list)
            result.insert(number.asUInt());
        return result;
    }

    void expect_right_page(const std::string& resource_name) {
        unsigned resource = 0;
        while (resource < plan["resources"].size() &&
               plan["resources"][resource]["name"].asString() != resource_name)
            ++resource;
        ASSERT_LT(resource, plan["resources"].size()) << resource_name;
        const Json::Value report = probe("page.html", "#resource=" + resource_name);
        for (const char* how : {"linked", "hovered", "focused"}) {
            SCOPED_TRACE(how);
            expect_lit(report[how], resource);
        }
        EXPECT_EQ(report["nothing"].asUInt(), 0u);
        EXPECT_EQ(report["left"].asUInt(), 0u);
        EXPECT_EQ(report["overlaps"].asUInt(), 0u);
        const Json::Value& statistics = plan["statistics"];
        const unsigned live = statistics["nodes"].asUInt();
        EXPECT_EQ(report["boxes"].asUInt(), live + statistics["culled"].asUInt());
        EXPECT_EQ(report["slots"].asUInt(), live);
        EXPECT_EQ(report["batches"], statistics["barrier_batches"]);
    }

    WorkFolder folder;
    Json::Value plan;
};

/// Filters that feed on earlier ones, some two levels back; the last results are thrown away.
std::string graph_of_100_passes() {
    std::string nodes, outputs;
    for (int i = 0; i < 100; ++i) {
        const std::string wire = i == 0 ? "board" : fmt::format("n{}.result", std::max(i - 3, 0));
        const std::string other = i < 2 ? "board" : fmt::format("n{}.result", i - 2);
        nodes += fmt::format("{}\"n{}\": {{\"pass\": \"image/blend\", \"in\": {{\"base\": \"{}\", "
                             "\"layer\": \"{}\"}}}}",
                             i == 0 ? "" : ",\n", i, wire, other);
    }
    return R"json({"tuff": 1, "size": [64, 32],
        "assets": {"board": {"generate": "checker", "size": [64, 32], "cell": 4}},
        "nodes": {)json" +
           nodes + R"json(}, "outputs": {"picture": "n97.result"}})json";
}

#ifdef TUFF_TEST_MODELS
TEST_F(ExplainBrowser, lights_the_right_things_on_the_page_of_the_demo) {
    explain("demo");
    expect_right_page("glowing/result");
    screenshot("page.html", "demo-light", "--window-size=1400,900");
    screenshot("page.html", "demo-dark", "--window-size=1400,900 --force-dark-mode");
    screenshot("page.html", "demo-tall", "--window-size=800,1200");
}
#endif

TEST_F(ExplainBrowser, lights_the_right_things_on_the_page_of_100_passes) {
    folder.write("large.json", graph_of_100_passes());
    explain("large.json");
    ASSERT_EQ(plan["statistics"]["nodes"].asUInt() + plan["culled"].size(), 100u);
    ASSERT_GT(plan["culled"].size(), 0u);
    expect_right_page("n40/result");
    screenshot("page.html", "large", "--window-size=1400,900");
}

TEST_F(ExplainBrowser, shows_hostile_names_as_they_are) {
    const HostilePlan hostile;
    std::string page = explain_hostile(hostile);
    page.insert(page.rfind("</body>"), R"html(<script>
        document.body.append(Object.assign(document.createElement("pre"), { id: "report",
          textContent: document.querySelectorAll("script, img, .box[data-node]").length + "," +
            document.querySelector("h1").textContent.length }));
    </script>)html");
    folder.write("page.html", page);
    const Shown shown = show("page.html", "", "--dump-dom");
    EXPECT_THAT(shown.console, Not(HasSubstr("CONSOLE")));
    // Data, script and probe, and a box for each pass.
    EXPECT_THAT(shown.output,
                HasSubstr(fmt::format("<pre id=\"report\">{},{}</pre>", 3 + hostile.names.size(),
                                      hostile.names.front().size())));
}

} // namespace
} // namespace tuff::test
