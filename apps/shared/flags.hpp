#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/frame_capture.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Options that several subcommands have. The type names ("CONFIG", "DEVICE", "a|b") are shown by
/// --help and tell shell completion what to offer.
namespace tuff::cli {

inline constexpr std::string_view kConfigType = "CONFIG";
inline constexpr std::string_view kDeviceType = "DEVICE";
inline constexpr std::string_view kPassType = "PASS";
inline constexpr std::string_view kFileType = "FILE";
inline constexpr std::string_view kFolderType = "DIR";

void add_config_flags(Command& command, ConfigFlags& flags);
/// Adds --watch.
Option* add_watch_flag(Command& command, bool& watch);
void add_set_flag(Command& command, std::vector<std::string>& sets);
void add_passes_flag(Command& command, std::vector<std::string>& modules);
void add_device_flags(Command& command, DeviceFlags& flags);
void add_compile_flags(Command& command, CompileFlags& flags);
/// Adds --capture and --capture-frame; `which` frame is captured where none is named.
Option* add_capture_flags(Command& command, CaptureFlags& flags, std::string_view which);
/// --watch-nan and --assertions.
void add_kernel_debugging_flags(Command& command, CompileFlags& flags);

/// Adds an option that takes one of `names`; `value` becomes the enumerator of the same position.
template <typename Enum>
Option* add_choice(Command& command, const std::string& name, Enum& value,
                   std::vector<std::string> names, const std::string& help) {
    std::string type;
    for (const std::string& choice : names)
        type += (type.empty() ? "" : "|") + choice;
    std::string all;
    for (const std::string& choice : names)
        all += (all.empty() ? "" : ", ") + choice;
    const auto apply = [&value, names, all](const std::string& text) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == text) {
                value = static_cast<Enum>(i);
                return std::string();
            }
        const std::string_view near = nearest_name(text, names);
        return "'" + text + "' is not one of its values" +
               (near.empty() ? ": " + all : "; did you mean '" + std::string(near) + "'?");
    };
    return command.add_text_option(name, apply, help)->type_name(type);
}

} // namespace tuff::cli
