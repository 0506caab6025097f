#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/tuff/report/completion.hpp"

#include <cstdint>
#include <memory>

namespace tuff::cli {
namespace {

enum class Shell : std::uint8_t { bash, zsh, fish };

Outcome<std::string> script(const Command& app, Shell shell) {
    auto modules = find_modules({});
    if (!modules) return pass_on(std::move(modules));
    const CompletionWords words{.graphs = shipped_graphs(),
                                .passes = PassRegistry(*modules).names()};
    switch (shell) {
    case Shell::bash: return bash_completion(app, words);
    case Shell::zsh: return zsh_completion(app, words);
    case Shell::fish: return fish_completion(app, words);
    }
    return std::string();
}

} // namespace

void add_completion_command(Command& app, Action& action) {
    auto shell = std::make_shared<Shell>(Shell::bash);
    Command* command = app.add_subcommand("completion", "Print a completion script for a shell");
    add_choice(*command, "shell", *shell, {"bash", "zsh", "fish"}, "The shell")->required();
    command->footer("Example, in ~/.bashrc:\n  eval \"$(tuff completion bash)\"");
    command->callback([shell, &app, &action] {
        action = [shell, &app](Terminal& terminal) -> Outcome<void> {
            const auto text = script(app, *shell);
            if (!text) return std::unexpected(text.error());
            terminal.print(*text);
            return {};
        };
    });
}

} // namespace tuff::cli
