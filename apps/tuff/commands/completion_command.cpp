#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/tuff/report/completion.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

namespace tuff::cli {
namespace {

enum class Asked : std::uint8_t { bash, zsh, fish, settings, wires };

struct CompletionOptions {
    Asked asked = Asked::bash;
    std::string config;
};

/// What --set takes for a config, or what `tuff inspect` can look at, a line each.
std::string names_of(const Config& config, Asked asked) {
    std::string text;
    if (asked == Asked::settings)
        for (const ConfigParameter& parameter : config.parameters())
            text += parameter.name + "=\n";
    for (const std::string& node : config.nodes()) {
        const PassDescriptor* pass = config.pass_of(node);
        if (!pass) continue; // it uses another config
        if (asked == Asked::settings)
            for (const ParameterInfo& parameter : pass->parameters)
                text += fmt::format("{}.{}=\n", node, parameter.name);
        else
            for (const PortInfo& port : pass->outputs)
                text += fmt::format("{}.{}\n", node, port.name);
    }
    return text;
}

Outcome<std::string> script(const Command& app, Asked asked) {
    auto modules = find_modules({});
    if (!modules) return pass_on(std::move(modules));
    const CompletionWords words{.graphs = shipped_graphs(),
                                .passes = PassRegistry(*modules).names()};
    switch (asked) {
    case Asked::bash: return bash_completion(app, words);
    case Asked::zsh: return zsh_completion(app, words);
    case Asked::fish: return fish_completion(app, words);
    default: break;
    }
    return std::string();
}

} // namespace

void add_completion_command(Command& app, Action& action) {
    auto options = std::make_shared<CompletionOptions>();
    Command* command = app.add_subcommand(
        "completion", "Print a completion script for a shell, or the names that it offers");
    add_choice(
        *command, "shell", options->asked, {"bash", "zsh", "fish", "settings", "wires"},
        "The shell; or settings, what --set takes for CONFIG, or wires, its node.port names, "
        "one a line")
        ->required();
    command->add_option("config", options->config, "The config for settings and wires")
        ->type_name(std::string(kConfigType));
    command->footer("Example, in ~/.bashrc:\n  eval \"$(tuff completion bash)\"");
    command->callback([options, &app, &action] {
        action = [options, &app](Terminal& terminal) -> Outcome<void> {
            if (options->asked == Asked::settings || options->asked == Asked::wires) {
                const auto opened = OpenedConfig::open({.config = options->config}, terminal);
                if (!opened) return std::unexpected(opened.error());
                terminal.print(names_of(opened->config(), options->asked));
                return {};
            }
            const auto text = script(app, options->asked);
            if (!text) return std::unexpected(text.error());
            terminal.print(*text);
            return {};
        };
    });
}

} // namespace tuff::cli
