#include "apps/shared/flags.hpp"

namespace tuff::cli {

void add_config_flags(Command& command, ConfigFlags& flags) {
    command
        .add_option("config", flags.config,
                    "Config file, or the name of a shipped graph; a model, picture or volume is "
                    "shown as it is")
        ->type_name(std::string(kConfigType))
        ->required();
    add_set_flag(command, flags.sets);
    command
        .add_option("--input", flags.inputs,
                    "Read FILE for an input of the config, or in place of an asset's file; may be "
                    "repeated")
        ->type_name("NAME=FILE")
        ->repeated();
    add_passes_flag(command, flags.modules);
    add_confinement_flags(command, flags.confinement);
}

Option* add_watch_flag(Command& command, bool& watch) {
    return command.add_flag("--watch", watch,
                            "Do it again whenever the config, its kernels or its assets change, "
                            "until Ctrl-C");
}

void add_set_flag(Command& command, std::vector<std::string>& sets) {
    command
        .add_option(
            "--set", sets,
            "Set a parameter of the config, or as NODE.PARAMETER one of a node's pass; may be "
            "repeated")
        ->type_name("NAME=VALUE")
        ->repeated();
}

void add_passes_flag(Command& command, std::vector<std::string>& modules) {
    command
        .add_option("--passes", modules,
                    "Load a module of passes, as tuff_add_module of CMake makes them; may be "
                    "repeated. TUFF_PASSES lists more, separated by ':'")
        ->type_name(std::string(kFileType))
        ->repeated();
}

void add_device_flags(Command& command, DeviceFlags& flags) {
    command
        .add_option("--device", flags.select,
                    "auto, gpu, swiftshader, lavapipe, an index or part of a name; default "
                    "TUFF_DEVICE, else auto: a GPU, else lavapipe, but SwiftShader for more than "
                    "60 frames or an open number of them where Mesa is older than 25")
        ->type_name(std::string(kDeviceType));
    command.add_flag("--validation", flags.validation,
                     "Run under the Vulkan validation layer; any message fails the run");
}

void add_compile_flags(Command& command, CompileFlags& flags) {
    command
        .add_option("--memory-budget", flags.memory_budget,
                    "Fewest barriers within this much transient memory, such as 64MiB; default: "
                    "fewest barriers, then least memory")
        ->byte_size()
        ->type_name("BYTES");
    add_choice(command, "--constant", flags.constant, {"each", "once"},
               "Work that depends on nothing that changes: in each frame, or once, which keeps its "
               "results in memory");
    const std::string group = "Safe modes, to bisect a bug";
    add_choice(command, "--alias", flags.alias, {"on", "off"}, "Share transient memory")
        ->group(group);
    add_choice(command, "--order", flags.order, {"levels", "declared"},
               "Order by levels, or as the config declares nodes")
        ->group(group);
    add_choice(command, "--barriers", flags.barriers, {"minimal", "full"},
               "Fewest barriers, or a full one before every level")
        ->group(group);
    add_choice(command, "--layouts", flags.layouts, {"by-device", "optimal", "general"},
               "Whether images change layout from one kind of access to another")
        ->group(group);
    add_choice(command, "--queues", flags.queues, {"hinted", "automatic", "one"},
               "Beside the graphics queue run what asks for it, what else may, or nothing")
        ->group(group);
    command
        .add_flag(
            "--poison", [&flags] { flags.poison = true; },
            "Fill transient memory with NaN before its first use")
        ->group(group);
}

void add_kernel_debugging_flags(Command& command, CompileFlags& flags) {
    const std::string group = "Debugging kernels";
    command
        .add_flag("--watch-nan", flags.watch_finite,
                  "Stop at the first frame with a number that is not finite, and say which node "
                  "wrote it where; exit code 1")
        ->group(group);
    command
        .add_flag(
            "--trail", flags.trail,
            "Let nodes leave marks as they begin and end, one after the other, so that a lost "
            "device names the last ones of each queue")
        ->group(group);
    add_choice(command, "--assertions", flags.assertions, {"off", "on"},
               "Whether kernels look at what they assert; a failed one is exit code 1")
        ->group(group);
}

} // namespace tuff::cli
