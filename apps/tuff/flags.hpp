#pragma once

#include "common.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

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

void add_config_flags(CLI::App& command, ConfigFlags& flags);
void add_set_flag(CLI::App& command, std::vector<std::string>& sets);
void add_passes_flag(CLI::App& command, std::vector<std::string>& modules);
void add_device_flags(CLI::App& command, DeviceFlags& flags);
void add_compile_flags(CLI::App& command, CompileFlags& flags);

/// Adds an option that takes one of `names`; `value` becomes the enumerator of the same position.
template <typename Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value,
                        std::vector<std::string> names, const std::string& help) {
    std::string type;
    for (const std::string& choice : names)
        type += (type.empty() ? "" : "|") + choice;
    const auto apply = [&value, names](const std::string& text) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == text) {
                value = static_cast<Enum>(i);
                return;
            }
        const std::string_view near = nearest_name(text, names);
        throw CLI::ValidationError(
            "'" + text + "' is not one of its values" +
            (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
    };
    return command.add_option_function<std::string>(name, apply, help)->type_name(type);
}

} // namespace tuff::cli
