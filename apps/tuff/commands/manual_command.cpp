#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/tuff/report/gallery_page.hpp"
#include "apps/tuff/report/man_page.hpp"
#include "apps/tuff/report/markdown.hpp"
#include "apps/tuff/report/spelling.hpp"

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

void add_options(std::string& text, const Command& command, const std::string& group) {
    std::string rows;
    for (const Option* option : command.options())
        if (option->heading() == group && !option->is_help())
            rows += fmt::format("| `{}` | {} |\n", markdown_cell(spelling(*option)),
                                markdown_cell(option->description()));
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

std::string section(const Command& command) {
    std::string text = fmt::format("## {}\n\n{}.\n\n```\n{}\n```\n\n", command.full_name(),
                                   command.description(), usage(command));
    for (const std::string& group : command.headings())
        add_options(text, command, group);
    add_footer(text, command.footer());
    for (const Command* part : command.subcommands())
        text += section(*part);
    return text;
}

std::string manual(const Command& app) {
    std::string text = markdown_head("Command line", "./tuff manual > docs/command_line.md");
    text += app.description() + "\n\n";
    const std::vector<const Command*> commands = app.subcommands();
    text += "| command | |\n|---|---|\n";
    for (const Command* command : commands)
        text += fmt::format("| [`{0}`](#tuff-{0}) | {1} |\n", command->name(),
                            markdown_cell(command->description()));
    text += "\n`tuff COMMAND --help` prints the same. `tuff --version` prints the version.\n\n";
    add_footer(text, app.footer());
    for (const Command* command : commands)
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

void add_manual_command(Command& app, Action& action) {
    struct Wanted {
        std::string times;
        bool man = false;
    };
    auto wanted = std::make_shared<Wanted>();
    Command* command =
        app.add_subcommand("manual", "Print the reference of the command line, in Markdown");
    command
        ->add_option("--gallery", wanted->times,
                     "Print instead the gallery of the shipped graphs, with the times that "
                     "'tuff bench graphs --csv' wrote into this file")
        ->type_name(std::string(kFileType));
    command->add_flag("--man", wanted->man, "Print instead a page for 'man'");
    command->footer("Examples:\n  tuff manual > docs/command_line.md\n"
                    "  tuff manual --gallery docs/measurements.csv > docs/gallery.md\n"
                    "  tuff manual --man | man -l -");
    command->callback([&app, wanted, &action] {
        action = [&app, wanted](Terminal& terminal) -> Outcome<void> {
            auto text = wanted->man             ? Outcome<std::string>(man_page(app))
                        : wanted->times.empty() ? Outcome<std::string>(manual(app))
                                                : gallery(wanted->times);
            if (!text) return pass_on(std::move(text));
            terminal.print(*text);
            return {};
        };
    });
}

} // namespace tuff::cli
