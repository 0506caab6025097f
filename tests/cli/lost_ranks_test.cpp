// `tuff run` as several processes of which one is killed, or loses its device.

#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::ContainsRegex;
using testing::HasSubstr;

/// A process that runs tuff as that rank in `folder`; 0: none.
pid_t process_of_rank(int rank, const fs::path& folder) {
    const std::string variable = fmt::format("OMPI_COMM_WORLD_RANK={}", rank) + '\0';
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ptr !=
            name.data() + name.size())
            continue;
        if (fs::read_symlink(entry.path() / "cwd", ignored) != fs::canonical(folder)) continue;
        std::ifstream file(entry.path() / "environ", std::ios::binary);
        const std::string environment{std::istreambuf_iterator<char>(file), {}};
        std::ifstream line(entry.path() / "cmdline", std::ios::binary);
        const std::string command{std::istreambuf_iterator<char>(line), {}};
        if (environment.contains(variable) && command.starts_with(TUFF_TEST_BINARY)) return id;
    }
    return 0;
}

class KilledRank : public RunsOfRanks {
  protected:
    /// A rank that is given up for being slow ends its launcher's job, and busy machines are slow:
    /// three seconds were too few.
    static Words runs(int frames = 400) {
        return {"graph.json", "--sweep", "exposure=0:3:12", "--frames", std::to_string(frames),
                "--out-dir",  "out",     "--rank-timeout",  "10"};
    }

    /// Starts three ranks and kills one once the first run is finished.
    CommandResult kill_one(int rank, const Words& options, const Words& what) {
        auto result = std::async(std::launch::async,
                                 [&] { return mpirun(joined(joined(options, ranks(3)), what)); });
        while (!fs::exists(folder.path() / "out/manifest.json") &&
               result.wait_for(50ms) != std::future_status::ready)
            continue;
        const pid_t process = process_of_rank(rank, folder.path());
        EXPECT_NE(process, 0);
        if (process != 0) kill(process, SIGKILL);
        return result.get();
    }
};

TEST_F(KilledRank, is_named_and_another_makes_its_run_where_mpirun_lets_the_others_live) {
    const CommandResult result = kill_one(1, {"--enable-recovery"}, runs());
    EXPECT_THAT(result.errors, HasSubstr("warning[mpi/lost-rank]: rank 1 on "));
    EXPECT_THAT(result.output, HasSubstr("3 ranks have made 12 runs")) << result.errors;
    std::size_t given_up = 0;
    const Json::Value made = manifest("out");
    ASSERT_EQ(made["runs"].size(), 12u);
    for (const Json::Value& run : made["runs"]) {
        EXPECT_EQ(run["outputs"].size(), 400u);
        if (!run.isMember("given_up_by")) continue;
        ++given_up;
        EXPECT_EQ(run["given_up_by"][0]["rank"], 1);
        EXPECT_EQ(run["given_up_by"][0]["reason"], "lost rank");
        EXPECT_NE(run["rank"], 1);
    }
    EXPECT_EQ(given_up, 1u);
    // All is as one process makes it.
    EXPECT_THAT(run_tuff(joined({"run"}, runs()), folder.path()).output,
                HasSubstr("skipped 12 runs"));
}

TEST_F(KilledRank, ends_all_where_mpirun_says_so_and_the_same_command_goes_on) {
    const CommandResult result = kill_one(1, {}, runs());
    EXPECT_NE(result.exit_code, 0);
    const CommandResult again = mpirun(joined(ranks(2), runs()));
    EXPECT_EQ(again.exit_code, 0) << again.errors;
    EXPECT_THAT(again.output, HasSubstr("skipped "));
    EXPECT_EQ(manifest("out")["runs"].size(), 12u);
}

TEST_F(KilledRank, that_hands_out_the_runs_ends_all_and_is_named_and_the_same_command_goes_on) {
    const Words few = runs(150);
    const auto begin = steady_clock::now();
    const CommandResult result = kill_one(0, {"--enable-recovery"}, few);
    EXPECT_LT(steady_clock::now() - begin, 60s);
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/lost-rank]: rank 0 on "));
    EXPECT_THAT(result.errors, HasSubstr("the same command goes on from there"));
    EXPECT_LT(manifest("out")["runs"].size(), 12u);
    const CommandResult again = mpirun(joined(ranks(2), few));
    EXPECT_EQ(again.exit_code, 0) << again.errors;
    EXPECT_THAT(again.output, HasSubstr("skipped "));
    EXPECT_EQ(manifest("out")["runs"].size(), 12u);
}

/// Ranks below the layer that loses devices.
class LostDevice : public RunsOfRanks {
  protected:
    const Words sweep = {"graph.json", "--sweep", "exposure=0:3:6", "--frames", "20"};

    /// From the nth submission on, on some of the ranks.
    CommandResult lose(int submission, const std::string& of_ranks, int count,
                       const Words& words) const {
        std::map<std::string, std::string> environment = kAsRoot;
        environment.insert({{"VK_LAYER_PATH", TUFF_TEST_DEVICE_LOST_LAYER},
                            {"VK_INSTANCE_LAYERS", "VK_LAYER_TUFF_device_lost_test"},
                            {"TUFF_TEST_LOST_SUBMIT", std::to_string(submission)},
                            {"TUFF_TEST_LOST_RANKS", of_ranks}});
        return run_program(
            joined({TUFF_TEST_MPIRUN, "--oversubscribe"}, joined(ranks(count), words)),
            folder.path(), environment);
    }
};

TEST_F(LostDevice, is_named_and_another_rank_makes_its_run) {
    ASSERT_EQ(
        run_tuff(joined({"run"}, joined(sweep, {"--out-dir", "one"})), folder.path()).exit_code, 0);
    for (const int rank : {0, 1}) {
        const std::string into = fmt::format("lost{}", rank);
        const CommandResult result =
            lose(30, std::to_string(rank), 2, joined(sweep, {"--out-dir", into}));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_THAT(result.errors,
                    ContainsRegex(
                        fmt::format("warning\\[gpu/device-lost\\]: [^\n]* \\(rank {} on ", rank)));
        EXPECT_THAT(result.errors, HasSubstr("is made by another rank"));
        EXPECT_THAT(result.output, HasSubstr("2 ranks have made 6 runs"));
        EXPECT_EQ(written(into), written("one"));
        EXPECT_EQ(hashes(into), hashes("one"));
        std::size_t given_up = 0;
        const Json::Value made = manifest(into);
        ASSERT_EQ(made["runs"].size(), 6u);
        for (const Json::Value& run : made["runs"]) {
            if (!run.isMember("given_up_by")) continue;
            ++given_up;
            ASSERT_EQ(run["given_up_by"].size(), 1u);
            EXPECT_EQ(run["given_up_by"][0]["rank"], rank);
            EXPECT_EQ(run["given_up_by"][0]["reason"], "lost device");
            EXPECT_EQ(run["rank"], 1 - rank);
        }
        EXPECT_EQ(given_up, 1u);
    }
}

TEST_F(LostDevice, of_all_ranks_ends_them_and_says_how_many_runs_are_missing) {
    const CommandResult result = lose(30, "0,1", 2, joined(sweep, {"--out-dir", "out"}));
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/run-lost]: no rank is left to make the "));
}

TEST_F(LostDevice, of_three_ranks_one_after_another_gives_the_run_up) {
    // The first submission of each is of the only run.
    const CommandResult result =
        lose(1, "0,1,2", 3, {"graph.json", "--sweep", "exposure=0", "--out-dir", "out"});
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/run-lost]: "));
    EXPECT_THAT(result.errors, HasSubstr("3 ranks were lost with it, rank "));
}

/// A field of several ranks, of more frames than it can make.
const Words kLongField = {TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json",
                          "--frames",
                          "1000000",
                          "--set",
                          "steps=2",
                          "--rank-timeout",
                          "3",
                          "--out",
                          "%d.png"};

TEST_F(LostDevice, ends_a_field_and_is_named) {
    const auto begin = steady_clock::now();
    const CommandResult result = lose(40, "1", 3, kLongField);
    EXPECT_LT(steady_clock::now() - begin, 30s);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.errors, ContainsRegex("error\\[gpu/device-lost\\]: [^\n]* \\(rank 1 on "));
}

class LostFieldOfRanks : public RunsOfRanks {
  protected:
    /// Starts three ranks and kills one while they make frames.
    CommandResult kill_one(int rank) const {
        auto run = std::async(std::launch::async, [&] {
            return mpirun(
                joined({"--enable-recovery", "-n", "3", TUFF_TEST_BINARY, "run"}, kLongField));
        });
        pid_t process = 0;
        while (process == 0 && run.wait_for(50ms) != std::future_status::ready)
            process = process_of_rank(rank, folder.path());
        while (!fs::exists(folder.path() / "3.png") &&
               run.wait_for(50ms) != std::future_status::ready)
            continue;
        EXPECT_NE(process, 0);
        const auto begin = steady_clock::now();
        if (process != 0) kill(process, SIGKILL);
        CommandResult result = run.get();
        EXPECT_LT(steady_clock::now() - begin, 30s);
        return result;
    }
};

TEST_F(LostFieldOfRanks, ends_with_the_name_of_a_rank_that_is_lost) {
    for (const int rank : {0, 1}) {
        fs::remove(folder.path() / "3.png");
        const CommandResult result = kill_one(rank);
        EXPECT_THAT(result.errors, HasSubstr("mpi/lost-rank"));
        EXPECT_THAT(result.errors, HasSubstr(fmt::format("rank {} on ", rank)));
    }
}

/// MPI's first call waits for all, and nothing breaks it off.
TEST_F(RunsOfRanks, that_one_process_never_joins_end_and_say_so) {
    const Words run = {"run", "graph.json", "--rank-timeout", "0.1", "--out-dir", "out"};
    const CommandResult result = mpirun(joined(
        {"--enable-recovery", "-n", "1", "sleep", "8", ":", "-n", "2", TUFF_TEST_BINARY}, run));
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/not-met]: MPI_Init: not all processes have "
                                         "come to it within 3 s"));
    EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

} // namespace
} // namespace tuff::test
