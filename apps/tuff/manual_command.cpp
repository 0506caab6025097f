#include "commands.hpp"
#include "common.hpp"
#include "flags.hpp"
#include "gallery_page.hpp"
#include "installed_modules.hpp"
#include "markdown.hpp"

#include <CLI/Option.hpp>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::cli {
namespace {

bool is_help(const CLI::Option& option) {
    return option.check_lname("help");
}

/// "--frames N"; of an argument "CONFIG".
std::string spelling(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (option.get_positional()) return option.get_items_expected_max() > 1 ? type + "..." : type;
    std::string text;
    for (const std::string& name : option.get_snames())
        text += fmt::format("{}-{}", text.empty() ? "" : ", ", name);
    for (const std::string& name : option.get_lnames())
        text += fmt::format("{}--{}", text.empty() ? "" : ", ", name);
    return option.get_items_expected_max() > 0 ? text + " " + type : text;
}

/// "tuff inspect", "tuff bench compile"
std::string full_name(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

std::vector<const CLI::App*> subcommands(const CLI::App& command) {
    return command.get_subcommands([](const CLI::App*) { return true; });
}

/// "tuff inspect CONFIG NODE.PORT [OPTIONS]"
std::string usage(const CLI::App& command) {
    std::string text = full_name(command);
    bool has_options = false;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional())
            has_options = has_options || !is_help(*option);
        else
            text += option->get_required() ? " " + spelling(*option)
                                           : fmt::format(" [{}]", spelling(*option));
    }
    return has_options ? text + " [OPTIONS]" : text;
}

void add_options(std::string& text, const CLI::App& command, const std::string& group) {
    std::string rows;
    for (const CLI::Option* option : command.get_options())
        if (option->get_group() == group && !is_help(*option))
            rows += fmt::format("| `{}` | {} |\n", markdown_cell(spelling(*option)),
                                markdown_cell(option->get_description()));
    if (rows.empty()) return;
    const bool named = group != "Options";
    text += fmt::format("{}| | |\n|---|---|\n{}\n", named ? group + ":\n\n" : "", rows);
}

/// "tuff run demo    render it" as a shell reads it: "tuff run demo    # render it".
std::string example(std::string_view line) {
    const std::size_t gap = line.find("  ");
    if (gap == std::string_view::npos) return std::string(line);
    const std::size_t remark = line.find_first_not_of(' ', gap);
    return fmt::format("{}# {}", line.substr(0, remark), line.substr(remark));
}

/// Footers list examples, indented, and then say one thing a line.
void add_footer(std::string& text, const std::string& footer) {
    std::string examples;
    std::string rest;
    std::istringstream lines(footer);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  "))
            examples += example(std::string_view(line).substr(2)) + '\n';
        else if (!line.empty() && !line.starts_with("Example"))
            rest += line + "\n\n";
    }
    if (!examples.empty()) text += fmt::format("```sh\n{}```\n\n", examples);
    text += rest;
}

std::string section(const CLI::App& command) {
    std::string text = fmt::format("## {}\n\n{}.\n\n```\n{}\n```\n\n", full_name(command),
                                   command.get_description(), usage(command));
    for (const std::string& group : command.get_groups())
        add_options(text, command, group);
    add_footer(text, command.get_footer());
    for (const CLI::App* part : subcommands(command))
        text += section(*part);
    return text;
}

std::string manual(const CLI::App& app) {
    std::string text = markdown_head("Command line", "./tuff manual > docs/command_line.md");
    text += app.get_description() + "\n\n";
    const std::vector<const CLI::App*> commands = subcommands(app);
    text += "| command | |\n|---|---|\n";
    for (const CLI::App* command : commands)
        text += fmt::format("| [`{0}`](#tuff-{0}) | {1} |\n", command->get_name(),
                            markdown_cell(command->get_description()));
    text += "\n`tuff COMMAND --help` prints the same. `tuff --version` tells the version.\n\n";
    add_footer(text, app.get_footer());
    for (const CLI::App* command : commands)
        text += section(*command);
    text.pop_back();
    return text;
}

/// The gallery of all shipped graphs, with the times in `file`.
Outcome<std::string> gallery(const std::string& file) {
    auto times = read_graph_times(file);
    if (!times) return pass_on(std::move(times));
    auto modules = find_modules({});
    if (!modules) return pass_on(std::move(modules));
    const PassRegistry registry(*modules);
    std::vector<GalleryEntry> entries;
    for (const std::string& name : shipped_graphs()) {
        const auto path = find_config(name);
        if (!path) return std::unexpected(path.error());
        auto config = Config::load(*path, registry);
        if (!config) return usage_failure(std::move(config.error()));
        std::ifstream stream(*path, std::ios::binary);
        entries.push_back({.name = name,
                           .description = config->description(),
                           .credits = config->credits(),
                           .text = {std::istreambuf_iterator<char>(stream), {}}});
    }
    return gallery_page(entries, *times);
}

} // namespace

void add_manual_command(CLI::App& app, Action& action) {
    auto times = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("manual", "Print the reference of the command line, in Markdown");
    command
        ->add_option("--gallery", *times,
                     "Print instead the gallery of the shipped graphs, with the times in this file "
                     "of 'tuff bench graphs'")
        ->type_name(std::string(kFileType));
    command->footer("Examples:\n  tuff manual > docs/command_line.md\n"
                    "  tuff manual --gallery docs/measurements.csv > docs/gallery.md");
    command->callback([&app, times, &action] {
        action = [&app, times](Terminal& terminal) -> Outcome<void> {
            auto text = times->empty() ? Outcome<std::string>(manual(app)) : gallery(*times);
            if (!text) return pass_on(std::move(text));
            terminal.print(*text);
            return {};
        };
    });
}

} // namespace tuff::cli
