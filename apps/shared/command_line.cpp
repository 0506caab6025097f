#include "apps/shared/command_line.hpp"

#include "apps/shared/commands.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <exception>

namespace tuff::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  tuff run demo                        render the shipped graph "demo" into its files
  tuff run demo --set exposure=2 --out hot.png
  tuff run spin.json --frames 120 --fps 30 --out 'frames/%04d.png'
  tuff explain demo                    order, barriers with reasons, memory
  tuff inspect demo display.result     size and value range of an intermediate
  tuff passes image/tonemap            all about one pass

Exit codes: 0 ok, 1 the run failed, 2 wrong usage or config.
Environment: TUFF_DEVICE as for --device, NO_COLOR to turn colours off.)";

std::vector<std::string> subcommand_names(const Command& app) {
    std::vector<std::string> names;
    for (const Command* command : app.subcommands())
        names.push_back(command->name());
    return names;
}

std::vector<std::string> option_names(const Command& command) {
    std::vector<std::string> names;
    for (const Option* option : command.options())
        for (std::string& name : option->long_names())
            names.push_back(std::move(name));
    return names;
}

Diagnostic unknown_command(const Command& app, std::string_view word) {
    const std::vector<std::string> known = subcommand_names(app);
    const std::string_view near = nearest_name(word, known);
    return {.code = "cli/unknown-command",
            .message = fmt::format("there is no command '{}'", word),
            .hint = near.empty() ? "'tuff --help' lists the commands"
                                 : fmt::format("did you mean '{}'?", near)};
}

Diagnostic unexpected_argument(const Command& app, const std::string& word) {
    std::string hint = "'tuff --help' shows the usage";
    if (const Command* chosen = app.chosen()) {
        const std::vector<std::string> known = option_names(*chosen);
        // "--out=x" is spelt as "--out".
        const std::string_view near =
            nearest_name(std::string_view(word).substr(0, word.find('=')), known);
        hint = near.empty() ? fmt::format("'tuff {} --help' shows the usage", chosen->name())
                            : fmt::format("did you mean '{}'?", near);
    }
    return {.code = word.starts_with('-') ? "cli/unknown-option" : "cli/unexpected-argument",
            .message = fmt::format("'{}' is not expected here", word),
            .hint = hint};
}

Diagnostic wrong_usage(const Command& app, const std::string& message) {
    const Command* chosen = app.chosen();
    return {.code = "cli/usage",
            .message = message,
            .hint = fmt::format("'tuff {}--help' shows the usage",
                                chosen ? chosen->name() + " " : std::string())};
}

} // namespace

int run_command_line(const Program& program, const std::vector<std::string>& arguments,
                     Terminal& terminal) {
    Action action;
    Command app("tuff",
                "Tuff runs declared graphs of GPU passes. It works out their order, barriers and "
                "memory.",
                fmt::format("tuff {}", build_config::kVersion));
    app.require_subcommand(false);
    program(app, action);
    app.footer(kExamples); // last: commands without a footer would inherit it
    if (arguments.empty()) {
        terminal.note(app.help());
        return kExitUsage;
    }
    // The parser would only say that a command is required.
    const std::string& word = arguments.front();
    const std::vector<std::string> known = subcommand_names(app);
    if (!word.starts_with('-') && std::ranges::find(known, word) == known.end()) {
        terminal.report({unknown_command(app, word)});
        return kExitUsage;
    }
    using Kind = Command::Parsed::Kind;
    const Command::Parsed parsed = app.parse(arguments);
    switch (parsed.kind) {
    case Kind::ok: break;
    case Kind::help: terminal.print(parsed.text); return kExitOk;
    case Kind::version: terminal.print(parsed.text + "\n"); return kExitOk;
    case Kind::unexpected:
        terminal.report({unexpected_argument(app, parsed.text)});
        return kExitUsage;
    case Kind::wrong: terminal.report({wrong_usage(app, parsed.text)}); return kExitUsage;
    }
    const Outcome<void> done = action(terminal);
    if (done) return kExitOk;
    terminal.report(done.error().diagnostics);
    return done.error().exit_code;
}

int run_program(const Program& program, const std::vector<std::string>& arguments) {
    Terminal terminal = Terminal::attach();
    int code = kExitRunFailed;
    try {
        code = run_command_line(program, arguments, terminal);
    } catch (const std::exception& error) { // out of memory, and whatever else nobody foresaw
        terminal.report({{.code = "cli/internal-error",
                          .message = error.what(),
                          .hint = "please report this, with the command line"}});
    }
    if (auto finished = terminal.finish(); !finished) {
        terminal.report(finished.error());
        code = kExitRunFailed;
    }
    return code;
}

} // namespace tuff::cli
