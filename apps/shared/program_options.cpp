#include "apps/shared/program_options.hpp"

#include "apps/shared/flags.hpp"

#include <memory>

namespace tuff::cli {
namespace {

void add_bench_graphs_command(
    Command& bench, Action& action,
    const std::function<Outcome<void>(const BenchGraphsOptions&, Terminal&)>& run) {
    auto options = std::make_shared<BenchGraphsOptions>();
    Command* command = bench.add_subcommand(
        "graphs", "Time a frame of the shipped graphs at their own size, whole and on the device");
    command->add_option("graph", options->graphs, "Names or files; default: all shipped graphs")
        ->type_name(std::string(kConfigType));
    command
        ->add_option("--frames", options->frames,
                     "Frames that count, after a warm-up; default 100 on a GPU, 3 on a software "
                     "device")
        ->type_name("N")
        ->range(1, 100'000);
    command
        ->add_option("--csv", options->csv,
                     "Write the times into this file; rows of other graphs and devices stay")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--label", options->label,
                     "What the file calls the device; default: its own name")
        ->type_name("NAME");
    add_device_flags(*command, options->device);
    command->footer("Examples:\n  tuff bench graphs demo mandelbrot\n"
                    "  tuff bench graphs --device swiftshader --label 'SwiftShader, 2 cores' "
                    "--csv docs/measurements.csv");
    command->callback([options, run, &action] {
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

void add_bench_compile_command(
    Command& bench, Action& action,
    const std::function<Outcome<void>(const BenchCompileOptions&, Terminal&)>& run) {
    auto options = std::make_shared<BenchCompileOptions>();
    options->passes = {10, 100, 1'000, 10'000};
    Command* command = bench.add_subcommand(
        "compile", "Time building and compiling synthetic graphs on one core; needs no device");
    command->add_flag("--csv", options->csv, "Comma-separated values, one row a case");
    command
        ->add_option("--passes", options->passes,
                     "Numbers of passes; default: 10, 100, 1000 and 10000")
        ->type_name("N")
        ->range(2, 100'000);
    command->footer("Example:\n  tuff bench compile --passes 100 1000");
    command->callback([options, run, &action] {
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

void add_bench_replay_command(
    Command& bench, Action& action,
    const std::function<Outcome<void>(const BenchReplayOptions&, Terminal&)>& run) {
    auto options = std::make_shared<BenchReplayOptions>();
    options->passes = {10, 100, 1'000};
    Command* command = bench.add_subcommand(
        "replay", "Time what a frame costs the CPU: replayed, with new parameters, recorded again");
    command->add_flag("--csv", options->csv, "Comma-separated values, one row a case");
    command->add_option("--passes", options->passes, "Numbers of passes; default: 10, 100 and 1000")
        ->type_name("N")
        ->range(1, 10'000);
    add_device_flags(*command, options->device);
    command->footer("Example:\n  tuff bench replay --passes 1000 --device lavapipe");
    command->callback([options, run, &action] {
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

void add_bench_ranks_command(
    Command& bench, Action& action,
    const std::function<Outcome<void>(const BenchRanksOptions&, Terminal&)>& run) {
    auto options = std::make_shared<BenchRanksOptions>();
    Command* command = bench.add_subcommand(
        "ranks", "Time fields over the processes that mpirun or srun has started: each alone, all "
                 "on a field as many times larger, and all on the field of one");
    command
        ->add_option("pattern", options->patterns,
                     "Cases whose name contains one of these; * and ? stand for any text and any "
                     "character")
        ->type_name("PATTERN");
    command
        ->add_option("--cells", options->cells,
                     "Cells of a process, as 2^20 or 1000000; default: 2^24 on a GPU, 2^14 on a "
                     "software device")
        ->separated_by(',')
        ->type_name("N");
    command->add_option("--csv", options->csv, "Write comma-separated values, one row per case")
        ->type_name(std::string(kFileType));
    command->add_option("--seconds", options->seconds, "How long each case is measured")
        ->type_name("S")
        ->range(0.0, 600.0);
    add_choice(*command, "--lend", options->lend, {"on", "off"},
               "Whether processes of one host copy messages out of each other's memory");
    add_device_flags(*command, options->device);
    command->footer("Example:\n  mpirun -n 2 tuff bench ranks --cells 2^24,2^27");
    command->callback([options, run, &action] {
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

} // namespace

void add_bench_command(Command& app, Action& action, const BenchActions& actions) {
    const auto& run = actions.cases;
    auto options = std::make_shared<BenchOptions>();
    Command* command =
        app.add_subcommand("bench", "Measure passes on a device, against what the device can do");
    command->require_subcommand(true);
    command
        ->add_option("pattern", options->patterns,
                     "Cases whose pass or name contains one of these; * and ? stand for any text "
                     "and any character")
        ->type_name("PATTERN");
    command->add_flag("--list", options->list, "List the cases instead of measuring them");
    command
        ->add_option(
            "--sizes", options->sizes,
            "Numbers of elements, as 2^20 or 1000000; default: 2^16 to 2^28 on a GPU, 2^12 "
            "to 2^20 on a software device")
        ->separated_by(',')
        ->type_name("N");
    command
        ->add_option("--csv", options->csv, "Write comma-separated values, one row per measurement")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--json", options->json,
                     "Write all measurements as JSON, with their spread and the times of nodes")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--against", options->against,
                     "Compare with the --json file of an earlier run, and print the change of each "
                     "case")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--fail", options->fail,
                     "Exit with 1 if a case is slower than in --against by more than this, as 5%, "
                     "and by more than the spread of both runs")
        ->type_name("PERCENT");
    command->add_flag("--nodes", options->nodes, "Also print how long each node of a case takes");
    command
        ->add_option(
            "--seconds", options->seconds,
            "How long each case is measured, after a warm-up that takes as long (on a GPU at "
            "least a second)")
        ->type_name("S")
        ->range(0.0, 600.0);
    add_device_flags(*command, options->device);
    add_bench_graphs_command(*command, action, actions.graphs);
    add_bench_compile_command(*command, action, actions.compile);
    add_bench_replay_command(*command, action, actions.replay);
    add_bench_ranks_command(*command, action, actions.ranks);
    command->footer("Examples:\n"
                    "  tuff bench                                all cases\n"
                    "  tuff bench image/ --sizes 2^20 --csv image.csv\n"
                    "  tuff bench graphs                         the shipped graphs instead\n"
                    "  tuff bench compile                        the graph compiler instead");
    command->callback([command, options, run, &action] {
        if (command->chosen()) return;
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

void add_view_command(Command& app, Action& action, const ViewAction& run) {
    auto options = std::make_shared<ViewOptions>();
    Command* command = app.add_subcommand(
        "view", "Show a running config in a window: intermediates, sliders, times, hot reload");
    command
        ->add_option("config", options->config.config,
                     "Config file, or the name of a shipped graph; default: the last one")
        ->type_name(std::string(kConfigType));
    add_set_flag(*command, options->config.sets);
    add_passes_flag(*command, options->config.modules);
    command->add_option("--fps", options->fps, "Frames a second at most: $time is frame / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    command
        ->add_option("--shaders", options->shaders,
                     "Folder of GLSL; its kernels replace the built-in ones once one is edited; "
                     "default: the folder Tuff was built from")
        ->type_name(std::string(kFolderType));
    command->add_option("--out-dir", options->folder, "Folder for saved pictures and films")
        ->type_name(std::string(kFolderType));
    add_choice(
        *command, "--jpeg", options->jpeg_maker, {"auto", "device", "library"},
        "Who encodes JPEG files: the device by jpeg/encode, or a library; auto takes the device on "
        "GPUs");
    add_device_flags(*command, options->device);
    command
        ->add_option(
            "--interface-device", options->interface_device,
            "Device that draws the window; default: --device, or another if that one cannot")
        ->type_name(std::string(kDeviceType));
    command
        ->add_option("--state", options->state_file,
                     "Keep what is shown, and where, in FILE as JSON, for scripts")
        ->type_name(std::string(kFileType));
    add_compile_flags(*command, options->compile);
    add_capture_flags(*command, options->capture, "the first one that is shown");
    command->footer("Examples:\n  tuff view demo\n"
                    "  tuff view smoke3d --device lavapipe\n"
                    "  tuff view my.json --shaders my_kernels");
    command->callback([options, run, &action] {
        action = [options, run](Terminal& terminal) { return run(*options, terminal); };
    });
}

} // namespace tuff::cli
