#include "command_line.hpp"

#include "commands.hpp"
#include "flags.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <memory>

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

std::unique_ptr<CLI::App> make_app(Action& action) {
    auto app = std::make_unique<CLI::App>(
        "Tuff runs declared graphs of GPU passes: order, barriers and memory are worked out for "
        "you.",
        "tuff");
    app->set_version_flag("--version", fmt::format("tuff {}", build_config::kVersion));
    app->require_subcommand(1);
    for (auto add : {add_run_command, add_view_command, add_check_command, add_explain_command,
                     add_passes_command, add_schema_command, add_inspect_command,
                     add_devices_command, add_trace_command, add_bench_command, add_bundle_command,
                     add_completion_command, add_manual_command})
        add(*app, action);
    app->footer(kExamples); // last: commands without a footer would inherit it
    return app;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

Diagnostic unknown_command(const CLI::App& app, std::string_view word) {
    const std::vector<std::string> known = subcommand_names(app);
    const std::string_view near = nearest_name(word, known);
    return {.code = "cli/unknown-command",
            .message = fmt::format("there is no command '{}'", word),
            .hint = near.empty() ? "'tuff --help' lists the commands"
                                 : fmt::format("did you mean '{}'?", near)};
}

Diagnostic unexpected_argument(const CLI::App& app) {
    const std::vector<std::string> rest = app.remaining(true);
    const std::string word = rest.empty() ? std::string() : rest.front();
    const auto chosen = app.get_subcommands();
    std::string hint = "'tuff --help' shows the usage";
    if (!chosen.empty()) {
        const std::vector<std::string> known = option_names(*chosen.front());
        // "--out=x" is spelt as "--out".
        const std::string_view near =
            nearest_name(std::string_view(word).substr(0, word.find('=')), known);
        hint = near.empty()
                   ? fmt::format("'tuff {} --help' shows the usage", chosen.front()->get_name())
                   : fmt::format("did you mean '{}'?", near);
    }
    return {.code = word.starts_with('-') ? "cli/unknown-option" : "cli/unexpected-argument",
            .message = fmt::format("'{}' is not expected here", word),
            .hint = hint};
}

Diagnostic parse_problem(const CLI::App& app, const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected_argument(app);
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    std::string message = error.what();
    if (message.ends_with('.')) message.pop_back();
    return {.code = "cli/usage",
            .message = message,
            .hint = fmt::format("'tuff {}--help' shows the usage", command)};
}

int parse_failure(const CLI::App& app, const CLI::ParseError& error, Terminal& terminal) {
    if (dynamic_cast<const CLI::CallForAllHelp*>(&error)) {
        terminal.print(app.help("", CLI::AppFormatMode::All));
        return kExitOk;
    }
    if (dynamic_cast<const CLI::CallForHelp*>(&error)) {
        terminal.print(app.help());
        return kExitOk;
    }
    if (dynamic_cast<const CLI::CallForVersion*>(&error)) {
        terminal.print(fmt::format("{}\n", error.what()));
        return kExitOk;
    }
    terminal.report({parse_problem(app, error)});
    return kExitUsage;
}

} // namespace

int run_command_line(std::span<char* const> arguments, Terminal& terminal) {
    Action action;
    const std::unique_ptr<CLI::App> app = make_app(action);
    if (arguments.size() < 2) {
        terminal.note(app->help());
        return kExitUsage;
    }
    // CLI11 would only say that a subcommand is required.
    const std::string_view word = arguments[1];
    const std::vector<std::string> known = subcommand_names(*app);
    if (!word.starts_with('-') && std::ranges::find(known, word) == known.end()) {
        terminal.report({unknown_command(*app, word)});
        return kExitUsage;
    }
    try {
        app->parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::ParseError& error) {
        return parse_failure(*app, error, terminal);
    }
    const Outcome<void> done = action(terminal);
    if (done) return kExitOk;
    terminal.report(done.error().diagnostics);
    return done.error().exit_code;
}

} // namespace tuff::cli
