// Runs of a field in parts that stop and go on with another number of ranks.

#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class CheckpointsOfFields : public RunsOfRanks {
  protected:
    void SetUp() override {
        RunsOfRanks::SetUp();
        if (IsSkipped()) return;
        // Odd sides, beside the files that the example is made of.
        fs::copy(fs::path(TUFF_TEST_SOURCE_DIR) / "examples/ranks", folder.path() / "ranks");
        write("field.json", "384, 256, 1", "61, 43, 1");
    }
    /// The example with some of it replaced.
    void write(const std::string& name, const std::string& from, const std::string& to,
               const std::string& more = "", const std::string& by = "") const {
        std::string text = folder.read("ranks/gray_scott_frames.json");
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos);
        for (std::size_t i = at; i != std::string::npos; i = text.find(from, i + to.size()))
            text.replace(i, from.size(), to);
        const std::size_t also = more.empty() ? std::string::npos : text.find(more);
        if (also != std::string::npos) text.replace(also, more.size(), by);
        folder.write("ranks/" + name, text);
    }
    CommandResult run(int count, const Words& words) const {
        return count == 1 ? run_tuff(joined({"run"}, words), folder.path())
                          : mpirun(joined(ranks(count), words));
    }
    Words field(const std::string& device, int frames, const std::string& into) const {
        return {"ranks/field.json",     "--set",     "steps=2", "--device", device, "--frames",
                std::to_string(frames), "--out-dir", into};
    }
    static Words grid(const std::string& text) { return {"--ranks", text}; }
    std::string numbers(const std::string& below) const {
        return folder.read(below + "/gray_scott.npy");
    }
};

TEST_F(CheckpointsOfFields, go_on_with_any_number_of_ranks_to_the_same_bits) {
    for (const std::string& device : software_devices()) {
        ASSERT_EQ(run(1, field(device, 20, device + "whole")).exit_code, 0);
        const std::string expected = numbers(device + "whole");
        for (const int writers : {1, 2, 6}) {
            const std::string from = fmt::format("{}{}", device, writers);
            const CommandResult first =
                run(writers, joined(field(device, 10, from), {"--checkpoint-every", "5"}));
            ASSERT_EQ(first.exit_code, 0) << first.errors;
            EXPECT_THAT(first.output, HasSubstr("frame_0000000010"));
            EXPECT_NE(numbers(from), expected);
            for (const int readers : {1, 2, 3, 4}) {
                const std::string into = fmt::format("{}to{}", from, readers);
                const CommandResult rest = run(
                    readers, joined(field(device, 20, into), {"--resume", from + "/checkpoints"}));
                ASSERT_EQ(rest.exit_code, 0) << rest.errors;
                EXPECT_EQ(numbers(into), expected)
                    << device << ", " << writers << " ranks, then " << readers;
            }
        }
    }
}

/// So that what reads those of one process reads those of all.
TEST_F(CheckpointsOfFields, are_the_files_that_one_process_writes) {
    const std::string device = software_devices().front();
    const auto files = [&](int count, const Words& more) {
        const std::string into = fmt::format("of{}", more.empty() ? "one" : more.back());
        const CommandResult result =
            run(count, joined(joined(field(device, 3, into), {"--checkpoint-every", "3"}), more));
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        const std::string below = into + "/checkpoints/frame_0000000003/";
        Json::Value histories = json_of(folder.read(below + "manifest.json"))["histories"];
        return std::pair(folder.read(below + "000_past.bin"), histories);
    };
    const auto one = files(1, {});
    EXPECT_EQ(one.first.size(), 2u * 63 * 45 * 16);
    for (const auto& [count, split] : {std::pair(3, "3,1,1"), std::pair(4, "2,2,1"),
                                       std::pair(6, "2,3,1"), std::pair(7, "1,7,1")})
        EXPECT_EQ(files(count, grid(split)), one) << split;
}

TEST_F(CheckpointsOfFields, keep_the_newest_and_replace_those_of_later_frames) {
    const std::string device = software_devices().front();
    const CommandResult first =
        run(2, joined(field(device, 7, "out"), {"--checkpoint-every", "2"}));
    ASSERT_EQ(first.exit_code, 0) << first.errors;
    const CommandResult again =
        run(3, joined(field(device, 8, "out"),
                      {"--resume", "out/checkpoints/frame_0000000006", "--checkpoint-every", "1"}));
    ASSERT_EQ(again.exit_code, 0) << again.errors;
    EXPECT_TRUE(fs::exists(folder.path() / "out/checkpoints/frame_0000000007"));
    EXPECT_TRUE(fs::exists(folder.path() / "out/checkpoints/frame_0000000008"));
    EXPECT_FALSE(fs::exists(folder.path() / "out/checkpoints/frame_0000000006"));
}

TEST_F(CheckpointsOfFields, are_refused_of_histories_that_are_neither_parts_nor_equal) {
    const std::string device = software_devices().front();
    write("field.json", "384, 256, 1", "200, 60, 1", R"(,
      "part": {"halo": 1})",
          "");
    const auto refusal = [&](const Words& more) {
        const CommandResult result =
            run(2, joined(joined(field(device, 2, "out"), {"--checkpoint-every", "1"}), more));
        EXPECT_EQ(result.exit_code, 1) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("checkpoint/ranks-differ"));
        EXPECT_THAT(result.errors, HasSubstr("history 'past'"));
        EXPECT_FALSE(fs::exists(folder.path() / "out/checkpoints/frame_0000000001"));
    };
    refusal(grid("2,1,1")); // other sizes
    write("field.json", "384, 256, 1", "201, 60, 1", R"(,
      "part": {"halo": 1})",
          "");
    refusal(grid("2,1,1")); // other contents
}

TEST_F(CheckpointsOfFields, name_what_does_not_fit) {
    const std::string device = software_devices().front();
    ASSERT_EQ(run(2, joined(field(device, 2, "out"), {"--checkpoint-every", "2"})).exit_code, 0);
    const auto refusal = [&](const Words& words) {
        const CommandResult result = run(3, words);
        EXPECT_NE(result.exit_code, 0) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        return result.errors;
    };
    const Words resume = {"--resume", "out/checkpoints"};
    EXPECT_THAT(refusal(joined(field(device, 2, "out"), resume)), HasSubstr("checkpoint/finished"));
    EXPECT_THAT(refusal(joined(field(device, 4, "out"), {"--checkpoint-every", "2"})),
                HasSubstr("checkpoint/exists"));
    const fs::path history = folder.path() / "out/checkpoints/frame_0000000002/000_past.bin";
    fs::resize_file(history, 100);
    EXPECT_THAT(refusal(joined(field(device, 4, "out"), resume)), HasSubstr("checkpoint/damaged"));
    write("field.json", "384, 256, 1", "60, 43, 1");
    EXPECT_THAT(refusal(joined(field(device, 4, "out"), resume)),
                HasSubstr("checkpoint/other-graph"));
    // Runs that ranks share out have none.
    EXPECT_THAT(refusal({"graph.json", "--checkpoint-every", "2"}),
                HasSubstr("several processes share out the runs"));
}

class CheckpointsOfFluids : public RunsOfRanks {
  protected:
    /// Both solvers with a dye; sides that are joined, closed and open.
    void write(const std::string& cells, int steps, const std::string& boundary) const {
        folder.write("fluids.json", fmt::format(R"({{
  "tuff": 1,
  "domain": {{"cells": {0}}},
  "nodes": {{
    "source": {{"pass": "fluid/emitter", "params": {{
      "position": [1, 5, 0], "radius": 4, "velocity": [0.3, -0.2, 0.1], "rate": 3, "dye": [0.9, 0.5, 0.1, 1]
    }}}},
    "simple": {{"pass": "fluid/simple", "in": {{"emitters": ["source.emitter"]}}, "params": {{
      "dims": {0}, "steps": {1}, "dye": {{"scale": 2}}, "boundary": {2}
    }}}},
    "stable": {{"pass": "fluid/stable", "in": {{"emitters": ["source.emitter"]}}, "params": {{
      "dims": {0}, "tolerance": 0, "max_cycles": 2, "reach": 2,
      "boundary": {{"bottom": "periodic", "top": "periodic"}}
    }}}},
    "of_simple": {{"pass": "fluid/gather", "in": {{"field": "simple.field", "dye": "simple.dye"}}}},
    "of_stable": {{"pass": "fluid/gather", "in": {{"field": "stable.field", "dye": "stable.dye"}}}}
  }},
  "outputs": {{
    "a": {{"from": "of_simple.field.cells", "file": "simple.npy"}},
    "b": {{"from": "of_simple.dye.cells", "file": "simple_dye.npy"}},
    "c": {{"from": "of_stable.field.cells", "file": "stable.npy"}},
    "d": {{"from": "of_stable.dye.cells", "file": "stable_dye.npy"}}
  }}
}})",
                                                cells, steps, boundary));
    }
    /// The numbers that `count` ranks arrive at.
    std::map<std::string, std::string> run(int count, int frames, const std::string& into,
                                           const Words& more) const {
        const Words words = joined({"fluids.json", "--device", software_devices().back(),
                                    "--frames", std::to_string(frames), "--out-dir", into},
                                   more);
        const CommandResult result = count == 1 ? run_tuff(joined({"run"}, words), folder.path())
                                                : mpirun(joined(ranks(count), words));
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        std::map<std::string, std::string> numbers;
        for (const char* name : {"simple", "simple_dye", "stable", "stable_dye"})
            numbers[name] = folder.read(fmt::format("{}/{}.npy", into, name));
        return numbers;
    }
    void go_on_from_checkpoints() const {
        const auto expected = run(1, 5, "whole", {});
        for (const int writers : {1, 4}) {
            const std::string from = fmt::format("of{}", writers);
            EXPECT_NE(run(writers, 3, from, {"--checkpoint-every", "3"}), expected);
            for (const int readers : {1, 2, 3}) {
                const std::string into = fmt::format("{}to{}", from, readers);
                EXPECT_EQ(run(readers, 5, into, {"--resume", from + "/checkpoints"}), expected)
                    << writers << " ranks, then " << readers;
            }
        }
    }
};

TEST_F(CheckpointsOfFluids, go_on_with_any_number_of_ranks_to_the_same_bits) {
    write("[37, 29, 1]", 3, R"({"left": "periodic", "right": "periodic", "top": "open"})");
    go_on_from_checkpoints();
}

TEST_F(CheckpointsOfFluids, of_three_dimensions_go_on_as_well) {
    write("[11, 8, 9]", 2, R"({"left": "open", "back": "periodic", "front": "periodic"})");
    go_on_from_checkpoints();
}

} // namespace
} // namespace tuff::test
