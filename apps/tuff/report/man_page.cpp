#include "apps/tuff/report/man_page.hpp"

#include "apps/tuff/report/spelling.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <sstream>
#include <string_view>

namespace tuff::cli {
namespace {

/// Text as roff takes it: hyphens that can be copied into a shell, and no line that is a request.
std::string roff(std::string_view text) {
    std::string escaped;
    bool starts_line = true;
    for (const char c : text) {
        if (starts_line && (c == '.' || c == '\'')) escaped += "\\&";
        if (c == '-')
            escaped += "\\-";
        else if (c == '\\')
            escaped += "\\e";
        else
            escaped += c;
        starts_line = c == '\n';
    }
    return escaped;
}

void add_man_options(std::string& page, const Command& command) {
    for (const std::string& group : command.headings()) {
        std::string entries;
        for (const Option* option : command.options())
            if (option->heading() == group && !option->is_help())
                entries += fmt::format(".TP\n.B {}\n{}\n", roff(spelling(*option)),
                                       roff(option->description()));
        if (!entries.empty() && group != "Options") page += fmt::format(".PP\n{}:\n", roff(group));
        page += entries;
    }
}

/// Footers list examples, indented, and then say one thing a line.
void add_man_notes(std::string& page, const std::string& footer) {
    std::istringstream lines(footer);
    bool in_examples = false;
    for (std::string line; std::getline(lines, line);) {
        const bool is_example = line.starts_with("  ");
        if (in_examples && !is_example) page += ".fi\n";
        if (is_example && !in_examples) page += ".PP\n.nf\n";
        in_examples = is_example;
        if (!line.empty()) page += fmt::format("{}{}\n", is_example ? "" : ".PP\n", roff(line));
    }
    if (in_examples) page += ".fi\n";
}

void add_man_command(std::string& page, const Command& command) {
    page += fmt::format(".SS {}\n{}.\n", roff(usage(command)), roff(command.description()));
    add_man_options(page, command);
    add_man_notes(page, command.footer());
    for (const Command* part : command.subcommands())
        add_man_command(page, *part);
}

} // namespace

std::string man_page(const Command& app) {
    std::string page =
        fmt::format(".TH TUFF 1 \"\" \"tuff {}\" \"User Commands\"\n", build_config::kVersion);
    page += ".SH NAME\ntuff \\- run graphs of GPU passes\n"
            ".SH SYNOPSIS\n.B tuff\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n";
    page += roff(app.description()) + "\n";
    add_man_notes(page, app.footer());
    page += ".SH COMMANDS\n";
    for (const Command* command : app.subcommands())
        add_man_command(page, *command);
    page += ".SH FILES\n"
            "Files that a config names are looked for in the config's own folder, in each folder "
            "of\n.BR TUFF_ASSET_PATH ,\nin\n.IR ~/.local/share ,\nin each folder of\n"
            ".BR XDG_DATA_DIRS ,\nand in the folder\n.I share\nbeside that of the program.\n";
    return page;
}

} // namespace tuff::cli
