#include "apps/shared/flags.hpp"

#include <charconv>
#include <system_error>

namespace tuff::cli {

void add_config_flags(Command& command, ConfigFlags& flags) {
    command
        .add_option("config", flags.config,
                    "Config file, name of a shipped graph, or a model, picture or volume to show")
        ->type_name(std::string(kConfigType))
        ->required();
    add_set_flag(command, flags.sets);
    command
        .add_option("--input", flags.inputs,
                    "Read FILE for an input of the config, or instead of an asset's file; may be "
                    "repeated")
        ->type_name("NAME=FILE")
        ->repeated();
    add_passes_flag(command, flags.modules);
    add_confinement_flags(command, flags.confinement);
}

Option* add_watch_flag(Command& command, bool& watch) {
    return command.add_flag(
        "--watch", watch,
        "Repeat whenever the config, its kernels or its assets change, until Ctrl-C");
}

void add_set_flag(Command& command, std::vector<std::string>& sets) {
    command
        .add_option(
            "--set", sets,
            "Set a parameter of the config, or a pass parameter of a node as NODE.PARAMETER; may "
            "be repeated")
        ->type_name("NAME=VALUE")
        ->repeated();
}

void add_passes_flag(Command& command, std::vector<std::string>& modules) {
    command
        .add_option(
            "--passes", modules,
            "Load a module of passes, which CMake's tuff_add_module builds; may be repeated. "
            "TUFF_PASSES lists more, separated by ':'")
        ->type_name(std::string(kFileType))
        ->repeated();
}

void add_device_flags(Command& command, DeviceFlags& flags) {
    command
        .add_option("--device", flags.select,
                    "auto, gpu, swiftshader, lavapipe, an index or part of a name; default: "
                    "TUFF_DEVICE, else auto. auto takes a GPU, else lavapipe; if Mesa is older "
                    "than 25 and the run has more than 60 frames or no fixed number, SwiftShader")
        ->type_name(std::string(kDeviceType));
    command.add_flag("--validation", flags.validation,
                     "Run with the Vulkan validation layer; any message fails the run");
}

void add_compile_flags(Command& command, CompileFlags& flags) {
    command
        .add_option(
            "--memory-budget", flags.memory_budget,
            "Use the fewest barriers that fit in SIZE of transient memory: bytes, or with a "
            "unit, as 64MiB; default: fewest barriers, then least memory")
        ->byte_size()
        ->type_name("SIZE");
    add_choice(command, "--constant", flags.constant, {"each", "once"},
               "When work runs that depends on nothing that changes: in each frame, or once, with "
               "its results kept in memory");
    const std::string group = "Safe modes, to bisect a bug";
    add_choice(command, "--alias", flags.alias, {"on", "off"},
               "Whether transient resources share memory")
        ->group(group);
    add_choice(command, "--order", flags.order, {"levels", "declared"},
               "Order of the nodes: by levels, or as the config declares them")
        ->group(group);
    add_choice(command, "--barriers", flags.barriers, {"minimal", "full"},
               "The fewest barriers, or a full one before every level")
        ->group(group);
    add_choice(command, "--layouts", flags.layouts, {"by-device", "optimal", "general"},
               "Image layouts: as suits the device, the optimal one for each access, or general "
               "for all but attachments")
        ->group(group);
    add_choice(command, "--queues", flags.queues, {"hinted", "automatic", "one"},
               "Which nodes run beside the graphics queue: nodes that ask for it, all that can, or "
               "none")
        ->group(group);
    command
        .add_flag(
            "--poison", [&flags] { flags.poison = true; },
            "Fill transient memory with NaN before its first use")
        ->group(group);
}

Option* add_capture_flags(Command& command, CaptureFlags& flags, std::string_view which) {
    const std::string group = "Capture";
    Option* const file =
        command
            .add_option(
                "--capture", flags.file,
                "Write all that one frame does on the device to FILE, for RenderDoc to open")
            ->type_name(std::string(kFileType))
            ->group(group);
    command
        .add_text_option(
            "--capture-frame",
            [&flags](const std::string& text) {
                std::int64_t frame = 0;
                const char* const end = text.data() + text.size();
                const auto read = std::from_chars(text.data(), end, frame);
                if (read.ec != std::errc{} || read.ptr != end || frame < 0)
                    return "'" + text + "' is not the number of a frame, which count from 0";
                flags.frame = frame;
                return std::string();
            },
            "Which frame; default: " + std::string(which))
        ->type_name("N")
        ->group(group);
    return file;
}

void add_kernel_debugging_flags(Command& command, CompileFlags& flags) {
    const std::string group = "Debugging kernels";
    command
        .add_flag(
            "--watch-nan", flags.watch_finite,
            "Stop with exit code 1 at the first frame that contains NaN or infinity, and name "
            "the node and the place")
        ->group(group);
    command
        .add_flag("--trail", flags.trail,
                  "Run nodes one after the other and mark their beginnings and ends, so that the "
                  "error of a lost device names the last nodes of each queue")
        ->group(group);
    add_choice(command, "--assertions", flags.assertions, {"off", "on"},
               "Whether kernels check their assertions; a failure gives exit code 1")
        ->group(group);
}

} // namespace tuff::cli
