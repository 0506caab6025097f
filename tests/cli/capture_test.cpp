// `tuff run --capture`: files of RenderDoc's.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Below RenderDoc: software devices have all that it asks for.
const std::map<std::string, std::string> kCaptureLayer = {
    {"VK_LAYER_PATH", TUFF_TEST_CAPTURE_LAYER},
    {"VK_INSTANCE_LAYERS", "VK_LAYER_TUFF_capture_test"},
};

class Captures : public testing::Test {
  protected:
    Captures() { folder.write("graph.json", kGoodConfig); }

    /// Looked for in a process of its own: a process that has loaded RenderDoc hands its layer on
    /// to all programs that it starts, by their environment.
    static bool has_renderdoc() {
        if (!TUFF_TEST_RENDERDOC) return false;
        const pid_t child = fork();
        if (child == 0) _exit(dlopen("librenderdoc.so", RTLD_LAZY) != nullptr ? 0 : 1);
        int status = 0;
        return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0;
    }
    CommandResult run(std::vector<std::string> more,
                      const std::map<std::string, std::string>& environment = kCaptureLayer) {
        std::vector<std::string> words{"run", "graph.json", "--out", "p.png"};
        words.insert(words.end(), more.begin(), more.end());
        return run_tuff(words, folder.path(), environment);
    }
    WorkFolder folder;
};

TEST_F(Captures, HaveTheLabelsOfNodes) {
    if (!has_renderdoc()) GTEST_SKIP() << "RenderDoc is not installed";
    const CommandResult result =
        run({"--constant", "each", "--frames", "3", "--capture", "c.rdc", "--capture-frame", "1"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("wrote c.rdc: frame 1"));
    EXPECT_THAT(folder.files(), ElementsAre("c.rdc", "graph.json", "p.png"));
    EXPECT_THAT(folder.read("c.rdc"), testing::StartsWith("RDOC"));
    const CommandResult converted = run_program(
        {"renderdoccmd", "convert", "-f", "c.rdc", "-o", "c.xml", "-c", "xml"}, folder.path());
    if (converted.exit_code == -1 || converted.exit_code == 127)
        GTEST_SKIP() << "renderdoccmd is not installed";
    ASSERT_EQ(converted.exit_code, 0) << converted.errors;
    const std::string calls = folder.read("c.xml");
    for (const char* label : {">blur<", ">rows<", ">columns<", ">tone<"})
        EXPECT_THAT(calls, HasSubstr(label));
    EXPECT_THAT(calls, HasSubstr("vkCmdDispatch"));
}

TEST_F(Captures, WithoutTheFeatureThatRenderDocAsksForSaySo) {
    if (!has_renderdoc()) GTEST_SKIP() << "RenderDoc is not installed";
    const CommandResult result = run({"--capture", "c.rdc"}, {});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("error[cli/cannot-capture]"), HasSubstr("capture on a GPU")));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

TEST_F(Captures, AreCheckedBeforeTheRun) {
    const auto refused = [&](std::vector<std::string> more, const char* code, int exit_code) {
        const CommandResult result = run(std::move(more));
        EXPECT_EQ(result.exit_code, exit_code) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr(code));
        EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
    };
    refused({"--capture-frame", "0"}, "cli/bad-capture", 2);
    refused({"--capture", "c.rdc", "--capture-frame", "1"}, "cli/bad-capture", 2);
    refused({"--capture", "c.rdc", "--capture-frame", "-1"}, "is not the number of a frame", 2);
    if (has_renderdoc()) refused({"--capture", "nowhere/c.rdc"}, "cli/unwritable", 1);
}

TEST_F(Captures, AreOfOneRun) {
    const CommandResult result = run_tuff({"run", "graph.json", "--sweep", "exposure=0,1", "--out",
                                           "p-{exposure}.png", "--capture", "c.rdc"},
                                          folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("cli/bad-capture"));
}

TEST_F(Captures, WithoutRenderDocSayWhatToInstall) {
    // A folder with a file of the library's name that is none.
    folder.write("librenderdoc.so", "no library");
    const CommandResult result =
        run({"--capture", "c.rdc"}, {{"LD_LIBRARY_PATH", folder.path().string()}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("error[cli/no-renderdoc]"), HasSubstr("hint: ")));
    EXPECT_THAT(folder.files(), Not(Contains("p.png")));
}

} // namespace
} // namespace tuff::test
