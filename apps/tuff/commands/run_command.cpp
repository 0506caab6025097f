#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/watch.hpp"
#include "apps/tuff/batch/runs.hpp"
#include "apps/tuff/ranks/agreement.hpp"
#include "apps/tuff/report/json_answer.hpp"

#include <tuff/communicator.hpp>

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace tuff::cli {
namespace {

/// What does not go together with runs that ranks share out.
Outcome<void> check_for_ranks(const RunOptions& options) {
    if (!options.watch) return {};
    return usage_failure(fail("cli/usage", "--watch: several processes share out the runs",
                              "start one process, or give --mpi off")
                             .error());
}

Outcome<void> run_as_rank(RunOptions& options, Communicator& ranks, Terminal& terminal) {
    options.communicator = &ranks;
    options.batch.among_ranks = true;
    Json::Value result;
    if (ranks.rank() == 0)
        return told_now(answer(options.json, "run", terminal,
                               [&](Json::Value& told) { return Runs(options, terminal, told)(); }),
                        terminal);
    // The first speaks for all.
    Diagnostics reported;
    options.reported = &reported;
    terminal.keep_for(&reported);
    auto done = Runs(options, terminal, result)();
    terminal.keep_for(nullptr);
    return done;
}

/// One process has all of a domain.
Outcome<void> check_grid_of_one(const std::string& text) {
    if (text.empty()) return {};
    const auto grid = read_grid(text);
    if (!grid) return usage_failure(grid.error());
    if (*grid == std::array<std::uint32_t, 3>{1, 1, 1}) return {};
    return usage_failure(fail("mpi/grid-size",
                              fmt::format("--ranks {}: one process was started", text),
                              "start as many as the grid has by mpirun or srun")
                             .error());
}

Outcome<void> run_once_or_watch(RunOptions& options, Terminal& terminal) {
    Json::Value ignored;
    if (joins_ranks(options.ranks)) {
        auto ranks = Communicator::join(options.ranks.communicator());
        if (!ranks) return run_failure(std::move(ranks.error()));
        if ((*ranks)->size() > 1) {
            if (auto fits = check_for_ranks(options); !fits) {
                // Before another rank's exit makes mpirun end this one.
                if ((*ranks)->rank() == 0) return told_now(std::move(fits), terminal);
                fits.error().diagnostics.clear();
                return fits;
            }
            return run_as_rank(options, **ranks, terminal);
        }
    }
    if (auto fits = check_grid_of_one(options.ranks.grid); !fits) return fits;
    if (!options.watch)
        return answer(options.json, "run", terminal,
                      [&](Json::Value& result) { return Runs(options, terminal, result)(); });
    options.config.files_read = std::make_shared<FilesRead::element_type>();
    return watch(options.config.files_read, terminal,
                 [&] { return Runs(options, terminal, ignored)(); });
}

} // namespace

void add_run_command(Command& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    options->compile.constant = ConstantWork::once;
    Command* command = app.add_subcommand("run", "Run a config and write its outputs to files");
    add_config_flags(*command, options->config);
    command
        ->add_option(
            "--out", options->outs,
            "Write the first output, or output NAME, to FILE. %04d in the name writes every "
            "frame; .mp4, .gif and .webp are films made by ffmpeg, .avi is a film of JPEG "
            "pictures")
        ->type_name("[NAME=]FILE")
        ->repeated();
    command->add_option("--out-dir", options->out_dir, "Folder for the files that the config names")
        ->type_name(std::string(kFolderType));
    command
        ->add_option("--allow-write", options->allowed,
                     "Also allow the files that the config names in this folder")
        ->type_name(std::string(kFolderType))
        ->repeated();
    add_choice(*command, "--jpeg", options->jpeg_maker, {"auto", "device", "library"},
               "Who encodes .jpg files and .avi films: the device by jpeg/encode, or a library; "
               "auto takes "
               "the device on GPUs");
    add_checkpoint_flags(*command, options->checkpoints);
    command->add_flag("--timings", options->timings, "Print how long each node took on the device");
    Option* const watch = add_watch_flag(*command, options->watch);
    add_json_flag(*command, options->json)->excludes(watch);
    add_batch_flags(*command, options->batch);
    add_rank_flags(*command, options->ranks);
    add_device_flags(*command, options->device);
    command->add_flag("--printf", options->device.prints,
                      "Print the debugPrintfEXT output of kernels; needs the validation layer");
    add_compile_flags(*command, options->compile);
    add_kernel_debugging_flags(*command, options->compile);
    add_capture_flags(*command, options->capture, "the last one that is run")->excludes(watch);
    command->footer("Examples:\n  tuff run demo --out-dir out\n"
                    "  tuff run demo --set exposure=2 --device lavapipe --out hot.png\n"
                    "  tuff run spin.json --frames 120 --fps 30 --out 'frames/%04d.png'\n"
                    "  tuff run jet --frames 300 --fps 30 --out jet.mp4\n"
                    "  tuff run sim.json --frames 100000 --checkpoint-every 1000 --resume "
                    "checkpoints\n"
                    "  tuff run demo --sweep exposure=-1:1:5 --out-dir out --shard 2/3\n"
                    "  mpirun -n 4 tuff run demo --sweep exposure=-1:1:5 --out-dir out");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return run_once_or_watch(*options, terminal); });
        };
    });
}

} // namespace tuff::cli
