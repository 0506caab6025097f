// `tuff run` as several processes that mpirun has started.

#include "ranks_fixture.hpp"
#include "small_config.hpp"

#include <tuff/image.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST_F(RunsOfRanks, of_a_sweep_write_the_same_bits_for_any_number_of_ranks) {
    const Words sweep = {"graph.json", "--sweep", "exposure=-1,0,2", "--sweep", "blur.sigma=1,2",
                         "--frames",   "2"};
    for (const std::string& device : software_devices()) {
        const auto into = [&](const std::string& name) {
            return joined(sweep, {"--device", device, "--out-dir", device + name});
        };
        ASSERT_EQ(run_tuff(joined({"run"}, into("1")), folder.path()).exit_code, 0);
        const auto expected = written(device + "1");
        ASSERT_EQ(expected.size(), 12u);
        for (const int count : {1, 2, 3, 4}) {
            const std::string name = fmt::format("of{}", count);
            const CommandResult result = mpirun(joined(ranks(count), into(name)));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_EQ(written(device + name), expected) << device << ", " << count << " ranks";
            EXPECT_EQ(hashes(device + name), hashes(device + "1"));
            // The first speaks for all.
            EXPECT_EQ(result.output.find("a software device"),
                      result.output.rfind("a software device"));
            if (count == 1) continue;
            EXPECT_THAT(result.output, HasSubstr(fmt::format("{} ranks have made 6 runs", count)));
        }
    }
}

TEST_F(RunsOfRanks, have_no_timings_of_all) {
    for (const Words& what : {Words{"--sweep", "exposure=0,1"}, Words{"--frames", "4"}}) {
        const CommandResult result =
            mpirun(joined(ranks(2), joined({"graph.json", "--timings", "--out-dir", "out"}, what)));
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_THAT(result.errors, HasSubstr("error[cli/usage]: --timings: several processes"));
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        EXPECT_FALSE(fs::exists(folder.path() / "out"));
    }
}

TEST_F(RunsOfRanks, of_frames_are_one_run_in_the_end_which_one_process_finds_finished) {
    const Words frames = {"graph.json", "--frames", "2:9", "--set", "exposure=1"};
    for (const std::string& device : software_devices()) {
        const auto into = [&](const std::string& name) {
            return joined(frames, {"--manifest", "--device", device, "--out-dir", device + name});
        };
        ASSERT_EQ(run_tuff(joined({"run"}, into("1")), folder.path()).exit_code, 0);
        ASSERT_EQ(written(device + "1").size(), 7u);
        for (const int count : {2, 3, 4}) {
            const std::string name = fmt::format("of{}", count);
            const CommandResult result = mpirun(joined(ranks(count), into(name)));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_EQ(written(device + name), written(device + "1"));
            EXPECT_EQ(hashes(device + name), hashes(device + "1"));
            const Json::Value runs = manifest(device + name)["runs"];
            ASSERT_EQ(runs.size(), 1u);
            EXPECT_EQ(runs[0]["run"], manifest(device + "1")["runs"][0]["run"]);
            EXPECT_EQ(runs[0]["parts"].size(), 7u);
        }
        EXPECT_THAT(run_tuff(joined({"run"}, into("of3")), folder.path()).output,
                    HasSubstr("skipped 1 run"));
        EXPECT_THAT(mpirun(joined(ranks(2), into("1"))).output, HasSubstr("skipped 1 run"));
    }
}

TEST_F(RunsOfRanks, that_read_another_config_or_were_given_other_options_are_refused) {
    folder.write("b/graph.json", spoiled("\"cell\": 4", "\"cell\": 2"));
    folder.write("a/graph.json", kGoodConfig);
    const auto on = [&](const std::string& config, const std::string& frames) {
        return Words{"-n",       "1",    TUFF_TEST_BINARY, "run", config,
                     "--frames", frames, "--out-dir",      "out"};
    };
    const CommandResult result =
        mpirun(joined(joined(on("a/graph.json", "1"), {":"}), on("b/graph.json", "2")));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("mpi/disagreement"));
    EXPECT_THAT(result.errors, HasSubstr("has another config"));
    EXPECT_THAT(result.errors, HasSubstr("has another command line"));
    EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST_F(RunsOfRanks, fail_with_one_message_and_one_exit_code) {
    folder.write("bad.json", spoiled("checker", "chequer"));
    const CommandResult result = mpirun(joined(ranks(3), {"bad.json", "--frames", "4"}));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
    const CommandResult listed = mpirun(joined(ranks(2), {"graph.json", "--list-runs"}));
    EXPECT_EQ(listed.output.find("to run"), listed.output.rfind("to run"));
    const CommandResult watched = mpirun(joined(ranks(2), {"graph.json", "--watch"}));
    EXPECT_EQ(watched.exit_code, 2);
    EXPECT_THAT(watched.errors, HasSubstr("--watch: several processes share out the runs"));
}

TEST_F(RunsOfRanks, of_a_film_are_one_ranks_which_a_note_says) {
    const CommandResult result = mpirun(
        joined(ranks(2), {"graph.json", "--frames", "3", "--out", "film.avi", "--manifest"}));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("note[mpi/one-rank]"));
    EXPECT_TRUE(fs::exists(folder.path() / "film.avi"));
}

TEST_F(RunsOfRanks, run_apart_where_they_are_told_to) {
    const CommandResult result =
        mpirun(joined(ranks(2), {"graph.json", "--mpi", "off", "--out-dir", "out"}));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, Not(HasSubstr("ranks have made")));
}

class FieldOfRanks : public RunsOfRanks {
  protected:
    const std::string kGrayScott = TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json";
    Words gray_scott(const std::string& device, const std::string& into) const {
        return {kGrayScott,  "--set",    "steps=24", "--set",     "width=96", "--set",
                "height=64", "--device", device,     "--out-dir", into};
    }
};

TEST_F(FieldOfRanks, is_the_same_after_fourier_transforms) {
    const auto islands = [](const std::string& into) {
        return Words{TUFF_TEST_SOURCE_DIR "/examples/ranks/random_field.json",
                     "--set",
                     "width=96",
                     "--set",
                     "height=64",
                     "--device",
                     software_devices().front(),
                     "--out-dir",
                     into};
    };
    ASSERT_EQ(run_tuff(joined({"run"}, islands("1")), folder.path()).exit_code, 0);
    const auto expected = written("1");
    ASSERT_EQ(expected.size(), 1u);
    for (const int count : {2, 3}) {
        const std::string into = fmt::format("{}", count);
        const CommandResult result = mpirun(joined(ranks(count), islands(into)));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(written(into), expected) << count << " ranks";
    }
}

TEST_F(FieldOfRanks, is_the_same_picture_for_any_number_and_any_grid) {
    for (const std::string& device : software_devices()) {
        ASSERT_EQ(
            run_tuff(joined({"run"}, gray_scott(device, device + "1")), folder.path()).exit_code,
            0);
        const auto expected = written(device + "1");
        ASSERT_EQ(expected.size(), 1u);
        for (const int count : {2, 3, 4}) {
            const std::string into = fmt::format("{}{}", device, count);
            const CommandResult result = mpirun(joined(ranks(count), gray_scott(device, into)));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_EQ(written(into), expected) << count << " ranks";
            EXPECT_THAT(result.output, HasSubstr(fmt::format("{} ranks have made the run", count)));
        }
        const CommandResult column = mpirun(
            joined(joined(ranks(4), gray_scott(device, device + "column")), {"--ranks", "1,4,1"}));
        ASSERT_EQ(column.exit_code, 0) << column.errors;
        EXPECT_EQ(written(device + "column"), expected);
    }
}

/// Bricks that several ranks have in parts, from frame to frame.
TEST_F(FieldOfRanks, is_the_same_smoke_for_any_number) {
    const std::string config = TUFF_TEST_SOURCE_DIR "/examples/ranks/smoke.json";
    for (const std::string& device : software_devices()) {
        const auto smoke = [&](const std::string& into) {
            return Words{config,  "--frames",  "6",     "--set",        "width=64",
                         "--set", "height=48", "--set", "iterations=9", "--device",
                         device,  "--out-dir", into};
        };
        ASSERT_EQ(run_tuff(joined({"run"}, smoke(device + "1")), folder.path()).exit_code, 0);
        const auto expected = written(device + "1");
        ASSERT_FALSE(expected.empty());
        for (const int count : {2, 4}) {
            const std::string into = fmt::format("{}{}", device, count);
            const CommandResult result = mpirun(joined(ranks(count), smoke(into)));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_THAT(result.errors, Not(HasSubstr("warning[")));
            EXPECT_EQ(written(into), expected) << count << " ranks";
        }
    }
}

TEST_F(FieldOfRanks, is_a_fluid_without_divergence_with_the_same_frames_for_any_number) {
    const auto plumes = [&](const std::string& into) -> Words {
        return {TUFF_TEST_SOURCE_DIR "/examples/ranks/plumes.json",
                "--frames",
                "2",
                "--set",
                "width=96",
                "--set",
                "height=64",
                "--device",
                software_devices().front(),
                "--out-dir",
                into};
    };
    ASSERT_EQ(run_tuff(joined({"run"}, plumes("one")), folder.path()).exit_code, 0);
    const auto expected = written("one");
    ASSERT_FALSE(expected.empty());
    const CommandResult result = mpirun(joined(ranks(4), plumes("four")));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("warning[")));
    EXPECT_EQ(written("four"), expected);
}

TEST_F(FieldOfRanks, is_a_fluid_with_the_same_frames_for_any_number) {
    const auto fluid = [&](const std::string& into) -> Words {
        return {TUFF_TEST_SOURCE_DIR "/examples/ranks/fluid.json",
                "--frames",
                "2",
                "--set",
                "steps=3",
                "--set",
                "width=120",
                "--set",
                "height=60",
                "--device",
                software_devices().front(),
                "--out-dir",
                into};
    };
    ASSERT_EQ(run_tuff(joined({"run"}, fluid("one")), folder.path()).exit_code, 0);
    const auto expected = written("one");
    ASSERT_FALSE(expected.empty());
    for (const int count : {2, 3}) {
        const CommandResult result =
            mpirun(joined(ranks(count), fluid(fmt::format("fluid{}", count))));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(written(fmt::format("fluid{}", count)), expected) << count << " ranks";
    }
}

/// Sums along rays are rounded elsewhere where rays go through several parts: by some thousand
/// units of 2^-24, less than half of a channel's step, which changes a channel by one step at most.
TEST_F(FieldOfRanks, is_a_volume_with_the_same_picture_for_any_number) {
    fs::copy(TUFF_TEST_SOURCE_DIR "/examples/ranks", folder.path() / "ranks");
    const std::string config = folder.read("ranks/clouds.json");
    const std::string cells = "[192, 96, 128]";
    ASSERT_THAT(config, HasSubstr(cells));
    folder.write("ranks/clouds.json",
                 std::string(config).replace(config.find(cells), cells.size(), "[48, 24, 32]"));
    const auto picture = [&](int count) {
        const std::string into = fmt::format("of{}", count);
        const CommandResult result = mpirun(
            joined(ranks(count), {"ranks/clouds.json", "--set", "width=96", "--set", "height=64",
                                  "--device", software_devices().back(), "--out-dir", into}));
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_THAT(result.errors, Not(HasSubstr("warning["))) << count << " ranks";
        return load_image(folder.path() / into / "clouds.png");
    };
    const auto one = picture(1);
    ASSERT_TRUE(one) << to_string(one.error());
    const auto [least, most] = std::ranges::minmax(one->texels);
    EXPECT_GT(std::to_integer<int>(most) - std::to_integer<int>(least), 100) << "no clouds";
    for (const int count : {2, 3, 4}) {
        const auto several = picture(count);
        ASSERT_TRUE(several) << to_string(several.error());
        ASSERT_EQ(several->texels.size(), one->texels.size());
        int apart = 0;
        for (std::size_t i = 0; i < one->texels.size(); ++i)
            apart = std::max(apart, std::abs(std::to_integer<int>(one->texels[i]) -
                                             std::to_integer<int>(several->texels[i])));
        EXPECT_LE(apart, 1) << count << " ranks";
    }
}

TEST_F(FieldOfRanks, is_measured_with_the_bits_of_one_rank) {
    const CommandResult result = mpirun(
        {"-n", "2", TUFF_TEST_BINARY, "bench", "ranks", "all_reduce", "fft", "--cells", "1024",
         "--seconds", "0", "--device", software_devices().front(), "--csv", "ranks.csv"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("2 ranks on 1 device, rank 0 on"));
    const std::string csv = folder.read("ranks.csv");
    EXPECT_THAT(csv, testing::ContainsRegex("mpi/all_reduce,2,32 x 32,2,1x2x1,[^\n]*,not asked"));
    EXPECT_THAT(csv, testing::ContainsRegex("mpi/fft_forward,3,8 x 8 x 8,2,1x1x2,[^\n]*,yes"));
}

TEST_F(FieldOfRanks, is_not_measured_without_a_case_or_by_bad_numbers) {
    const auto refusal = [&](const Words& words) {
        const CommandResult result =
            mpirun(joined({"-n", "2", TUFF_TEST_BINARY, "bench", "ranks"}, words));
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        return result.errors;
    };
    EXPECT_THAT(refusal({"nothing"}), HasSubstr("error[cli/no-case]"));
    EXPECT_THAT(refusal({"fft", "--cells", "many"}), HasSubstr("error[bench/bad-size]"));
}

TEST_F(FieldOfRanks, is_refused_where_ranks_differ) {
    const auto rank = [&](const std::string& device, const Words& more) {
        return joined({"-n", "1", TUFF_TEST_BINARY, "run"},
                      joined(gray_scott(device, "differ"), more));
    };
    const auto refusal = [&](const Words& first, const Words& second) {
        const CommandResult result = mpirun(joined(joined(first, {":"}), second));
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        EXPECT_FALSE(fs::exists(folder.path() / "differ"));
        return result.errors;
    };
    const std::vector<std::string> devices = software_devices();
    const std::string device = devices.front();
    EXPECT_THAT(refusal(rank(device, {}), rank(device, {"--set", "feed=0.05"})),
                HasSubstr("has another command line"));
    EXPECT_THAT(refusal(rank(device, {}), rank(device, {"--checkpoint-every", "2"})),
                HasSubstr("has another command line"));
    fs::copy(fs::path(kGrayScott).parent_path(), folder.path() / "other");
    folder.write("other/gray_scott_step.glsl",
                 folder.read("other/gray_scott_step.glsl") + "// another kernel\n");
    Words other = rank(device, {});
    std::ranges::replace(other, kGrayScott, std::string("other/gray_scott.json"));
    EXPECT_THAT(refusal(rank(device, {}), other), HasSubstr("has another config, kernel"));
    if (devices.size() < 2) return;
    // One has doubles, the other has not.
    EXPECT_THAT(refusal(rank(devices[0], {}), rank(devices[1], {})),
                HasSubstr("has another precision"));
}

/// Needs no other processes, and no MPI.
TEST(ExplainedField, tells_what_travels) {
    const WorkFolder folder;
    const std::string config = TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json";
    const CommandResult result =
        run_tuff({"explain", config, "--ranks", "2,2,1", "--set", "steps=2"}, folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    // Of parts of 192 x 128 cells two sides of each kind and four corners, of 16 bytes a cell.
    EXPECT_THAT(result.output, HasSubstr("model[1]/halo/send_receive"));
    EXPECT_THAT(result.output, HasSubstr("on the host, reads 10.1 KiB, writes 10.1 KiB"));
    EXPECT_THAT(result.output, HasSubstr("whole/receive"));
    const CommandResult one = run_tuff({"explain", config, "--set", "steps=2"}, folder.path());
    EXPECT_THAT(one.output, Not(HasSubstr("on the host")));
}

/// Parts that have more bytes than a buffer may have on every device; docs/cluster.md shows more of
/// it.
TEST(ExplainedField, is_planned_for_a_described_device_and_for_any_rank) {
    const WorkFolder folder;
    const auto explained = [&](Words more) {
        return run_tuff(
            joined({"explain", TUFF_TEST_SOURCE_DIR "/examples/ranks/fluid_scaling.json", "--set",
                    "dims=2048,2048,2048", "--set", "steps=2"},
                   more),
            folder.path());
    };
    // All parts of a periodic field have the same neighbours; these are 410 and 409 cells deep.
    const CommandResult first = explained({"--ranks", "4,4,5", "--limits", "large"});
    ASSERT_EQ(first.exit_code, 0) << first.errors;
    EXPECT_THAT(first.output, HasSubstr("buffers of 4 GiB, memory of 80 GiB"));
    EXPECT_THAT(first.output, HasSubstr("on the host, reads 84.7 MiB, writes 84.7 MiB"));
    const CommandResult last =
        explained({"--ranks", "4,4,5", "--rank", "79", "--limits", "large", "--full"});
    ASSERT_EQ(last.exit_code, 0) << last.errors;
    EXPECT_NE(last.output, first.output);
    EXPECT_THAT(last.output, HasSubstr("1.68 GiB"));

    const auto refusal = [&](Words more) {
        const CommandResult result = explained(joined({"--ranks", "4,4,5"}, more));
        EXPECT_EQ(result.exit_code, 2) << result.output;
        return result.errors;
    };
    const auto only_refusal = [&](const Words& more) {
        const std::string errors = refusal(more);
        EXPECT_EQ(errors.find("error["), errors.rfind("error[")) << errors;
        return errors;
    };
    EXPECT_THAT(refusal({}), HasSubstr("--limits large plans for a GPU with larger buffers"));
    EXPECT_THAT(only_refusal({"--limits", "huge"}), HasSubstr("error[cli/usage]"));
    EXPECT_THAT(only_refusal({"--limits", "large", "--device", "auto"}),
                HasSubstr("--device excludes --limits"));
    EXPECT_THAT(only_refusal({"--limits", "large", "--rank", "80"}),
                HasSubstr("error[cli/bad-ranks]: --rank 80: 80 processes have the ranks 0 to 79"));
    EXPECT_THAT(
        run_tuff({"explain", TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json", "--rank", "1"},
                 folder.path())
            .errors,
        HasSubstr("error[cli/bad-ranks]: --rank 1: one process has no others"));
}

/// Gray-Scott, and two pictures of it that are right on one rank alone: a blur that looks beyond
/// the part, and a tone curve by the brightness of the part.
std::string with_pictures_of_parts(std::string config) {
    const auto put_before = [&](const std::string& place, const std::string& text) {
        config.insert(config.find(place), text);
    };
    put_before("\"whole\": {",
               R"("soft": {"pass": "image/gaussian", "in": {"source": "seed.field"}},
        "bright": {"pass": "image/reinhard", "in": {"source": "model.field"}},
        )");
    put_before("\"picture\": {\"from\"",
               R"("soft": {"from": "soft.result"}, "bright": {"from": "bright.result"}, )");
    return config;
}

TEST(ExplainedField, names_nodes_that_work_on_the_part_alone) {
    const WorkFolder folder;
    const fs::path examples = TUFF_TEST_SOURCE_DIR "/examples/ranks";
    fs::copy(examples, folder.path() / "ranks");
    folder.write("ranks/parts.json", with_pictures_of_parts(folder.read("ranks/gray_scott.json")));
    const auto section = [&](const std::string& config, const std::string& grid) {
        const CommandResult result =
            run_tuff({"explain", "ranks/" + config, "--ranks", grid}, folder.path());
        EXPECT_EQ(result.exit_code, 0) << config << result.errors;
        const std::size_t begin = result.output.find("work on each rank's cells alone");
        return begin == std::string::npos ? "" : result.output.substr(begin);
    };
    EXPECT_EQ(section("parts.json", "2,2,1"),
              "work on each rank's cells alone\n"
              "  bright  image/reinhard  reads 194x130\n"
              "  soft    image/gaussian  reads 194x130\n"
              "  what needs neighbours needs a halo as wide as it looks, filled by mpi/exchange; "
              "what needs the\n  whole field takes the result of mpi/gather\n");
    EXPECT_EQ(section("parts.json", "1,1,1"), "");
    for (const char* config : {"gray_scott.json", "gray_scott_frames.json", "poisson.json",
                               "random_field.json", "fluid.json", "smoke.json", "clouds.json"})
        for (const char* grid : {"1,3,1", "2,2,1"})
            EXPECT_EQ(section(config, grid), "") << config;
}

TEST_F(FieldOfRanks, is_told_once_which_nodes_work_on_parts_alone) {
    fs::copy(TUFF_TEST_SOURCE_DIR "/examples/ranks", folder.path() / "ranks");
    folder.write("ranks/parts.json", with_pictures_of_parts(folder.read("ranks/gray_scott.json")));
    const auto told = [&](const std::string& config) {
        const CommandResult result =
            mpirun(joined(ranks(3), {"ranks/" + config, "--set", "steps=1", "--frames", "2",
                                     "--force", "--out-dir", "out"}));
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result.errors;
    };
    const std::string errors = told("parts.json");
    EXPECT_THAT(errors,
                HasSubstr("note[mpi/own-part]: these nodes work on each rank's cells alone: "
                          "bright (image/reinhard), soft (image/gaussian)\n"));
    EXPECT_EQ(errors.find("mpi/own-part"), errors.rfind("mpi/own-part"));
    EXPECT_THAT(told("gray_scott.json"), Not(HasSubstr("mpi/own-part")));
}

TEST_F(FieldOfRanks, is_refused_where_the_grid_does_not_fit) {
    const auto refused = [&](int count, const std::string& grid) {
        const CommandResult result =
            mpirun(joined(ranks(count), {kGrayScott, "--ranks", grid, "--out-dir", "out"}));
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        return result.errors;
    };
    EXPECT_THAT(refused(3, "2,2,1"),
                HasSubstr("divided among 2x2x1 processes, and 3 were started"));
    EXPECT_THAT(refused(2, "1,1,2"), HasSubstr("mpi/too-many-ranks"));
    EXPECT_THAT(refused(2, "2,1"), HasSubstr("cli/bad-ranks"));
    EXPECT_THAT(run_tuff({"run", kGrayScott, "--ranks", "2,1,1"}, folder.path()).errors,
                HasSubstr("one process was started"));
    const CommandResult none =
        mpirun(joined(ranks(2), {"graph.json", "--ranks", "2,1,1", "--out-dir", "out"}));
    EXPECT_THAT(none.errors, HasSubstr("config/no-domain"));
    const CommandResult swept =
        mpirun(joined(ranks(2), {kGrayScott, "--sweep", "feed=0.03,0.04", "--out-dir", "out"}));
    EXPECT_THAT(swept.errors, HasSubstr("make one run of a domain together"));
}

} // namespace
} // namespace tuff::test
