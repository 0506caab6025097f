// Runs that go on from a checkpoint end as those that never stopped, to the bit.

#include "checkpoint_configs.hpp"
#include "run_tuff.hpp"
#include "small_config.hpp"
#include "tests/common/source_tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A config in a folder with the kernel that one of them has.
class Checkpoints : public testing::Test {
  protected:
    /// All on one device: "auto" takes another one for runs that keep checkpoints than for short
    /// ones, and the bits are those of a device.
    Checkpoints() { setenv("TUFF_DEVICE", "lavapipe", 0); }

    void use(std::string_view config) {
        folder.write("graph.json", config);
        folder.write("life_step.comp", read_file(kRoot / "examples/own_kernels/life_step.comp"));
    }
    /// Runs to the end of `frames` and fails the test where that fails.
    CommandResult run(int frames, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"run", "graph.json", "--frames", std::to_string(frames)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        CommandResult result = run_tuff(arguments, folder.path());
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result;
    }
    std::vector<std::string> kept(const std::string& series = "checkpoints") const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder.path() / series))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    WorkFolder folder;
};

struct Simulation {
    std::string name;
    std::string_view config;
    int frames;                                  ///< before and after the checkpoint
    std::vector<std::string> files = {"result"}; ///< that must be equal
};

void PrintTo(const Simulation& simulation, std::ostream* stream) {
    *stream << simulation.name;
}

class TwoHalves : public Checkpoints,
                  public testing::WithParamInterface<std::tuple<const char*, Simulation>> {};

TEST_P(TwoHalves, EqualTheWhole) {
    const auto& [device, simulation] = GetParam();
    use(simulation.config);
    const CommandResult found = run_tuff({"run", "graph.json", "--device", device}, folder.path());
    if (found.errors.contains("device/unknown")) GTEST_SKIP() << "no " << device;
    ASSERT_EQ(found.exit_code, 0) << found.errors;

    const auto in = [&](const char* out_dir, std::vector<std::string> more = {}) {
        more.insert(more.end(), {"--out-dir", out_dir, "--device", device});
        return more;
    };
    const int half = simulation.frames;
    run(half, in("first", {"--checkpoint-every", std::to_string(half)}));
    run(2 * half, in("second", {"--resume", "first/checkpoints"}));
    run(2 * half, in("whole"));
    for (const std::string& file : simulation.files) {
        const std::string whole = folder.read("whole/" + file);
        EXPECT_FALSE(whole.empty());
        EXPECT_TRUE(folder.read("second/" + file) == whole) << file;
        EXPECT_FALSE(folder.read("first/" + file) == whole) << file << " does not change";
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, TwoHalves,
    testing::Combine(
        testing::Values("swiftshader", "lavapipe"),
        testing::Values(Simulation{"life", kLifeConfig, 50, {"result.bin"}},
                        Simulation{"fade", kFadeConfig, 50, {"result.npy"}},
                        Simulation{"fade_before_the_graph_changes", kFadeConfig, 9, {"result.npy"}},
                        Simulation{"light", kLightConfig, 6, {"result.npy", "count.bin"}},
                        Simulation{"grains", kGrainsConfig, 20, {"result.bin", "velocities.bin"}},
                        Simulation{"flow", kFlowConfig, 8, {"result.bin", "energies.bin"}})),
    [](const auto& test) {
        return fmt::format("{}_on_{}", std::get<1>(test.param).name, std::get<0>(test.param));
    });

TEST_F(Checkpoints, AreTheSameWhateverIsLeftOutOfThePlan) {
    use(kFadeConfig);
    run(12, {"--out-dir", "whole"});
    for (const std::vector<std::string>& mode :
         {std::vector<std::string>{"--alias", "off", "--order", "declared"},
          {"--barriers", "full", "--poison"},
          {"--constant", "each", "--layouts", "general"},
          {"--memory-budget", "64KiB"}}) {
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.end(), mode.begin(), mode.end());
            return more;
        };
        fs::remove_all(folder.path() / "checkpoints");
        run(7, with({"--checkpoint-every", "5"}));
        // Into a plan that is made otherwise.
        run(12, {"--resume", "checkpoints", "--out-dir", "second"});
        EXPECT_EQ(folder.read("second/result.npy"), folder.read("whole/result.npy")) << mode[0];
        run(12, with({"--resume", "checkpoints", "--out-dir", "third"}));
        EXPECT_EQ(folder.read("third/result.npy"), folder.read("whole/result.npy")) << mode[0];
    }
}

TEST_F(Checkpoints, KeepTheRoomThatPoolsHaveGrownTo) {
    use(kFragmentsConfig);
    const CommandResult whole = run(8, {"--out-dir", "whole"});
    EXPECT_THAT(whole.errors, HasSubstr("graph/pool-grown"));
    // Also of a run that ends before it would have built the larger graph.
    for (const char* frames : {"1", "4"}) {
        fs::remove_all(folder.path() / "first");
        run(std::stoi(frames), {"--checkpoint-every", frames, "--out-dir", "first"});
        const CommandResult rest = run(8, {"--resume", "first/checkpoints", "--out-dir", "second"});
        EXPECT_THAT(rest.errors, Not(HasSubstr("graph/pool-grown")));
        for (const std::string file : {"result.npy", "stored.bin"})
            EXPECT_EQ(folder.read("second/" + file), folder.read("whole/" + file)) << file;
    }
}

TEST_F(Checkpoints, GoOnWithTheNumbersOfPictures) {
    use(kFadeConfig);
    run(6, {"--out", "whole_%02d.npy"});
    run(4, {"--out", "result_%02d.npy", "--checkpoint-every", "4"});
    fs::remove(folder.path() / "result_03.npy");
    run(6, {"--out", "result_%02d.npy", "--resume", "checkpoints"});
    EXPECT_FALSE(fs::exists(folder.path() / "result_03.npy")) << "it is not run again";
    for (const char* frame : {"04", "05"})
        EXPECT_EQ(folder.read(fmt::format("result_{}.npy", frame)),
                  folder.read(fmt::format("whole_{}.npy", frame)));
}

TEST_F(Checkpoints, AreWrittenEveryFewFramesAndTheNewestTwoStay) {
    use(kLifeConfig);
    const CommandResult result = run(11, {"--checkpoint-every", "3"});
    EXPECT_THAT(result.output, HasSubstr("wrote checkpoints/frame_0000000011"));
    EXPECT_THAT(kept(), ElementsAre("frame_0000000009", "frame_0000000011"));
    // From the older one the run is another: what came after it is replaced.
    run(10, {"--resume", "checkpoints/frame_0000000009", "--checkpoint-every", "3"});
    EXPECT_THAT(kept(), ElementsAre("frame_0000000009", "frame_0000000010"));
    run(12, {"--resume", "checkpoints"});
    EXPECT_THAT(kept(), ElementsAre("frame_0000000009", "frame_0000000010")) << "not asked for";
}

TEST_F(Checkpoints, LieWhereTheUserSays) {
    use(kLifeConfig);
    run(2, {"--out-dir", "out", "--checkpoint-every", "2"});
    EXPECT_THAT(kept("out/checkpoints"), ElementsAre("frame_0000000002"));
    run(2, {"--checkpoint", "mine/of_life/"});
    EXPECT_THAT(kept("mine/of_life"), ElementsAre("frame_0000000002"));
    run(4, {"--resume", "mine/of_life/frame_0000000002/", "--checkpoint-every", "1"});
    EXPECT_THAT(kept("mine/of_life"), ElementsAre("frame_0000000003", "frame_0000000004"));
}

TEST_F(Checkpoints, ThatWereInterruptedAreNone) {
    use(kLifeConfig);
    run(4, {"--checkpoint-every", "2"});
    fs::create_directories(folder.path() / "checkpoints/.frame_0000000006.partial");
    folder.write("checkpoints/.frame_0000000006.partial/000_past.bin", "half");
    fs::create_directories(folder.path() / "checkpoints/.frame_0000000004.replaced");
    run(6, {"--resume", "checkpoints", "--checkpoint-every", "2"});
    EXPECT_THAT(kept(), ElementsAre("frame_0000000004", "frame_0000000006"));
}

TEST_F(Checkpoints, AreWrittenWhereARunIsEndedEarly) {
    use(kLifeConfig);
    // The folder is made once the graph is compiled, before the first frame.
    const CommandResult ended = run_program(
        {"bash", "-c",
         fmt::format("'{}' run graph.json --frames 100000000 --checkpoint-every 100000000 & "
                     "until [ -e checkpoints ] || ! kill -0 $!; do sleep 0.01; done; "
                     "kill -TERM $!; wait $!",
                     TUFF_TEST_BINARY)},
        folder.path());
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.errors,
                AllOf(HasSubstr("error[cli/interrupted]"), HasSubstr("--resume goes on")));
    ASSERT_THAT(kept(), testing::SizeIs(1));
    const int frames = std::stoi(kept().front().substr(6)) + 1;
    run(frames, {"--resume", "checkpoints", "--out-dir", "second"});
    run(frames, {"--out-dir", "whole"});
    EXPECT_EQ(folder.read("second/result.bin"), folder.read("whole/result.bin"));
}

TEST_F(Checkpoints, LeaveTheOneBeforeWhereTheDiskIsFull) {
    std::string large(kFadeConfig);
    for (std::size_t at = 0; (at = large.find("[24, 16]", at)) != std::string::npos;)
        large.replace(at, 8, "[1024, 1024]");
    use(large);
    run(2, {"--checkpoint-every", "2", "--out-dir", "whole"});
    run(4, {"--resume", "whole/checkpoints", "--out-dir", "whole"});
    const std::string before = folder.read("whole/checkpoints/frame_0000000002/manifest.json");
    // The history does not fit into what a file may hold; what drivers keep in files does.
    const CommandResult full = run_program(
        {"bash", "-c",
         fmt::format("trap '' XFSZ; ulimit -f 16384; exec '{}' run graph.json --frames 4 --resume "
                     "whole/checkpoints --checkpoint-every 1",
                     TUFF_TEST_BINARY)},
        folder.path());
    EXPECT_EQ(full.exit_code, 1) << full.errors;
    EXPECT_THAT(full.errors, HasSubstr("error[checkpoint/unwritable]"));
    EXPECT_THAT(full.errors, HasSubstr("File too large"));
    EXPECT_THAT(kept("whole/checkpoints"), ElementsAre("frame_0000000002"));
    EXPECT_EQ(folder.read("whole/checkpoints/frame_0000000002/manifest.json"), before);
    run(4, {"--resume", "whole/checkpoints", "--out-dir", "second"});
    EXPECT_TRUE(folder.read("second/result.npy") == folder.read("whole/result.npy"));
}

TEST_F(Checkpoints, OfAGraphWithoutHistoryHaveNothingToKeep) {
    use(kGoodConfig);
    const CommandResult result = run(3, {"--checkpoint-every", "1"});
    EXPECT_THAT(result.errors, AllOf(HasSubstr("warning[checkpoint/nothing-to-keep]"),
                                     HasSubstr("the graph has no history")));
    EXPECT_FALSE(fs::exists(folder.path() / "checkpoints"));
}

TEST_F(Checkpoints, TellWhatHasChangedSince) {
    use(kFadeConfig);
    run(3, {"--checkpoint-every", "3", "--fps", "30"});
    const CommandResult same = run(4, {"--resume", "checkpoints", "--fps", "30"});
    EXPECT_THAT(same.errors, Not(HasSubstr("checkpoint/")));
    const CommandResult other =
        run(4, {"--resume", "checkpoints", "--fps", "25", "--set", "late.sigma=1"});
    EXPECT_THAT(other.errors,
                AllOf(HasSubstr("warning[checkpoint/changed-config]"), HasSubstr("'graph.json'"),
                      HasSubstr("warning[checkpoint/time-jumps]"),
                      HasSubstr("--fps of that run: 30")));
}

TEST_F(Checkpoints, GoOnElsewhereWithANote) {
    use(kLifeConfig);
    run(3, {"--checkpoint-every", "3"});
    const fs::path manifest = "checkpoints/frame_0000000003/manifest.json";
    std::string text = folder.read(manifest);
    const std::size_t at = text.find("\"driver\" : \"");
    ASSERT_NE(at, std::string::npos);
    folder.write(manifest, text.insert(at + 12, "older "));
    const CommandResult result = run(6, {"--resume", "checkpoints"});
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("note[checkpoint/other-device]"), HasSubstr("(older ")));
    const std::string resumed = folder.read("result.bin");
    run(6);
    EXPECT_EQ(folder.read("result.bin"), resumed);
}

} // namespace
} // namespace tuff::test
