// `tuff run` under launchers: scripts of docs/cluster.md, shards over ranks, Slurm, and launchers
// that the MPI of this Tuff does not know.

#include "page_blocks.hpp"
#include "ranks_fixture.hpp"
#include "slurm_of_one_host.hpp"
#include "tests/common/source_tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

/// With the files that the pages have for such runs: a config, a batch script, one of an array.
class Launched : public RunsOfRanks {
  protected:
    void SetUp() override {
        RunsOfRanks::SetUp();
        if (IsSkipped()) return;
        for (const char* page : {"docs/batch_runs.md", "docs/cluster.md"})
            for (const PageBlock& block : blocks_of(read_file(kRoot / page)))
                if (block.how == "file") folder.write(block.argument, block.text);
        environment = kAsRoot;
        const char* const path = std::getenv("PATH");
        environment["PATH"] =
            fs::path(TUFF_TEST_BINARY).parent_path().string() + ":" + (path ? path : "");
        environment["TUFF_DEVICE"] = software_devices().front();
    }
    static Words sweep(const std::string& into) {
        return {"rings.json", "--sweep", "gain=1,2,4", "--sweep", "turn=0:3:4", "--out-dir", into};
    }
    CommandResult run(const Words& words) const {
        return run_program(words, folder.path(), environment);
    }
    /// What one process makes of the sweep of the pages.
    std::map<std::string, std::string> of_one_process() const {
        EXPECT_EQ(run(joined({"tuff", "run"}, sweep("one"))).exit_code, 0);
        auto files = written("one");
        EXPECT_EQ(files.size(), 12u);
        return files;
    }

    Variables environment;
};

TEST_F(Launched, by_the_batch_script_makes_all_runs_under_open_mpi_alone) {
    const auto expected = of_one_process();
    // As a job has it: the hosts and the number of ranks are not in the script.
    folder.write("hosts", "localhost slots=2\n");
    environment["OMPI_MCA_orte_default_hostfile"] = (folder.path() / "hosts").string();
    const CommandResult result = run({"bash", "rings_mpi.sh"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("2 ranks have made 12 runs"));
    // The last command finds nothing to do.
    EXPECT_THAT(result.output, HasSubstr("skipped 12 runs"));
    EXPECT_TRUE(written("results") == expected);
    // Without mpirun's work it makes what is missing.
    fs::remove(folder.path() / "results/gain=1,turn=0/rings_000.png");
    folder.write("bin/mpirun", "#!/bin/sh\nexit 0\n");
    fs::permissions(folder.path() / "bin/mpirun", fs::perms::owner_all);
    environment["PATH"] = (folder.path() / "bin").string() + ":" + environment["PATH"];
    EXPECT_THAT(run({"bash", "rings_mpi.sh"}).output, HasSubstr("skipped 11 runs"));
    EXPECT_TRUE(written("results") == expected);
}

TEST_F(Launched, for_a_shard_shares_out_its_runs_alone) {
    const auto expected = of_one_process();
    for (const char* shard : {"1/2", "2/2"}) {
        const CommandResult result =
            mpirun(joined(ranks(2), joined(sweep("shards"), {"--shard", shard})));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr("2 ranks have made 6 runs"));
    }
    EXPECT_TRUE(written("shards") == expected);
    EXPECT_THAT(run(joined({"tuff", "run"}, sweep("shards"))).output, HasSubstr("skipped 12 runs"));
}

TEST_F(Launched, by_a_launcher_that_mpi_does_not_know_is_refused) {
    const auto expected = of_one_process();
    environment["SLURM_STEP_NUM_TASKS"] = "2";
    const CommandResult result = run(joined({"tuff", "run"}, sweep("apart")));
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/apart]: the launcher has started 2 processes"));
    EXPECT_FALSE(fs::exists(folder.path() / "apart"));
    EXPECT_EQ(run(joined({"tuff", "run", "--mpi", "off"}, sweep("apart"))).exit_code, 0);
    EXPECT_TRUE(written("apart") == expected);
}

TEST_F(Launched, without_a_library_of_mpi_is_refused) {
    // The program takes the engine beside itself, and that the library.
    for (const char* below : {"bin", "lib"})
        fs::create_directories(folder.path() / below);
    fs::copy_file(TUFF_TEST_BINARY, folder.path() / "bin/tuff");
    fs::copy_file(TUFF_TEST_ENGINE, folder.path() / "lib" / TUFF_TEST_ENGINE_NAME);
    environment["SLURM_STEP_NUM_TASKS"] = "2";
    const Words words = joined({"bin/tuff", "run"}, sweep("none"));
    EXPECT_THAT(run(words).errors, HasSubstr("error[mpi/not-built]: "));
    folder.write("lib/tuff/mpi.so", "no library");
    const CommandResult result = run(words);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.errors, HasSubstr("error[mpi/no-library]: "));
    EXPECT_FALSE(fs::exists(folder.path() / "none"));
}

/// Where Slurm is installed and its daemons can be started.
class LaunchedBySlurm : public Launched {
  protected:
    void SetUp() override {
        Launched::SetUp();
        if (IsSkipped()) return;
        slurm.emplace(folder.path() / "slurm");
        if (const std::string& problem = slurm->problem(); !problem.empty())
            GTEST_SKIP() << problem;
        environment["SLURM_CONF"] = slurm->config().string();
    }
    std::string logs() const {
        std::string all;
        for (const std::string& name : folder.files())
            if (name.starts_with("slurm-") || name.ends_with("d.log"))
                all += name + ":\n" + folder.read(name);
        return all;
    }
    std::optional<SlurmOfOneHost> slurm;
};

TEST_F(LaunchedBySlurm, by_srun_shares_out_the_runs_of_a_sweep_and_divides_fields) {
    const auto expected = of_one_process();
    const Words start = {"srun", "--mpi=pmix", "-n", "2", "tuff", "run"};
    const CommandResult result = run(joined(start, sweep("srun")));
    ASSERT_EQ(result.exit_code, 0) << result.errors << logs();
    EXPECT_THAT(result.output, HasSubstr("2 ranks have made 12 runs"));
    EXPECT_TRUE(written("srun") == expected);
    const auto field = [&](const std::string& into) -> Words {
        return {TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json",
                "--set",
                "steps=24",
                "--set",
                "width=96",
                "--set",
                "height=64",
                "--out-dir",
                into};
    };
    ASSERT_EQ(run(joined({"tuff", "run"}, field("whole"))).exit_code, 0);
    const CommandResult parts = run(joined(start, field("parts")));
    ASSERT_EQ(parts.exit_code, 0) << parts.errors << logs();
    EXPECT_THAT(parts.output, HasSubstr("2 ranks have made the run"));
    EXPECT_TRUE(written("parts") == written("whole"));
    // Without the plugin tasks know nothing of each other.
    const CommandResult apart =
        run(joined({"srun", "--mpi=none", "-n", "2", "tuff", "run"}, sweep("apart")));
    EXPECT_NE(apart.exit_code, 0);
    EXPECT_FALSE(fs::exists(folder.path() / "apart"));
}

TEST_F(LaunchedBySlurm, by_the_batch_script_and_as_an_array) {
    const auto expected = of_one_process();
    const CommandResult batch = run({"sbatch", "--wait", "--nodes=1", "--ntasks-per-node=2",
                                     "--gpus-per-node=0", "rings_mpi.sh"});
    ASSERT_EQ(batch.exit_code, 0) << batch.errors << logs();
    EXPECT_THAT(logs(), HasSubstr("2 ranks have made 12 runs"));
    EXPECT_THAT(logs(), HasSubstr("skipped 12 runs"));
    EXPECT_TRUE(written("results") == expected);
    fs::remove_all(folder.path() / "results");
    // The page's array, whose script starts tuff in the source tree.
    fs::create_symlink(TUFF_TEST_BINARY, folder.path() / "tuff");
    const CommandResult array = run({"sbatch", "--wait", "--gres=none", "sweep.sh"});
    ASSERT_EQ(array.exit_code, 0) << array.errors << logs();
    EXPECT_TRUE(written("results") == expected);
    std::size_t manifests = 0;
    for (const std::string& name : folder.files())
        if (name.starts_with("results/manifest-")) ++manifests;
    EXPECT_EQ(manifests, 3u);
    EXPECT_THAT(run(joined({"tuff", "run"}, sweep("results"))).output,
                HasSubstr("skipped 12 runs"));
}

} // namespace
} // namespace tuff::test
