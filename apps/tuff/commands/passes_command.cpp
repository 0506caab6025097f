#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/tuff/report/pass_page.hpp"
#include "apps/tuff/report/pass_reference.hpp"
#include "core/lower_case.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>

namespace tuff::cli {
namespace {

struct PassesOptions {
    std::string pass;
    std::vector<std::string> modules;
    std::string search;   ///< a word in what passes are called or do; empty: all
    std::string markdown; ///< folder of the reference; empty: not asked for
};

/// A line for each pass that is `wanted`; empty where none is.
std::string list_text(const PassRegistry& registry, const TextStyle& style,
                      const std::function<bool(const PassDescriptor&)>& wanted) {
    TextTable table;
    for (const PassDescriptor& pass : registry.all())
        if (wanted(pass)) table.add({style.name(pass.name), pass.summary});
    return table.text();
}

bool speaks_of(const PassDescriptor& pass, const std::string& word) {
    return lower_case(pass.name + ' ' + pass.summary + ' ' + pass.details).contains(word);
}

Outcome<void> write_reference(const PassRegistry& registry, const std::filesystem::path& folder,
                              Terminal& terminal) {
    std::error_code error;
    // A folder that cannot be made shows as unwritable below.
    std::filesystem::create_directories(folder, error);
    for (const ReferencePage& page : pass_reference(registry)) {
        const std::filesystem::path file = folder / page.file;
        if (auto written = write_text_file(file, page.text); !written) return written;
        terminal.print(fmt::format("wrote {}\n", file.string()));
    }
    return {};
}

Outcome<void> passes_action(const PassesOptions& options, Terminal& terminal) {
    auto modules = find_modules(options.modules);
    if (!modules) return pass_on(std::move(modules));
    const PassRegistry registry(*modules);
    if (!options.markdown.empty()) return write_reference(registry, options.markdown, terminal);
    if (options.pass.empty()) {
        const std::string word = lower_case(options.search);
        const std::string list =
            list_text(registry, terminal.output_style(), [&](const PassDescriptor& pass) {
                return word.empty() || speaks_of(pass, word);
            });
        if (list.empty())
            return usage_failure(
                fail("cli/unknown-pass",
                     fmt::format("no pass has '{}' in its name or description", options.search),
                     "'tuff passes' lists them")
                    .error());
        terminal.print(list);
        return {};
    }
    const PassDescriptor* pass = registry.find(options.pass);
    if (!pass) {
        const std::string list =
            list_text(registry, terminal.output_style(), [&](const PassDescriptor& one) {
                return one.name.starts_with(options.pass + '/');
            });
        if (!list.empty()) {
            terminal.print(list);
            return {};
        }
        if (Diagnostics why = registry.why_missing(options.pass); !why.empty())
            return usage_failure(std::move(why));
        const std::vector<std::string> known = registry.names();
        const std::string_view near = nearest_name(options.pass, known);
        return usage_failure(fail("cli/unknown-pass",
                                  fmt::format("there is no pass '{}'", options.pass),
                                  near.empty() ? "'tuff passes' lists them"
                                               : fmt::format("did you mean '{}'?", near))
                                 .error());
    }
    terminal.print(pass_page(*pass, registry, terminal.output_style()));
    return {};
}

} // namespace

void add_passes_command(Command& app, Action& action) {
    auto options = std::make_shared<PassesOptions>();
    Command* command =
        app.add_subcommand("passes", "List all passes or those of a domain, or describe one");
    Option* name =
        command->add_option("name", options->pass, "The pass to describe, or the domain to list")
            ->type_name(std::string(kPassType));
    Option* search = command
                         ->add_option("--search", options->search,
                                      "List passes with this word in their names and descriptions")
                         ->type_name("WORD")
                         ->excludes(name);
    command
        ->add_option("--markdown", options->markdown,
                     "Write the reference of all passes into this folder")
        ->type_name(std::string(kFolderType))
        ->excludes(name)
        ->excludes(search);
    add_passes_flag(*command, options->modules);
    command->footer("Examples:\n  tuff passes\n  tuff passes image\n  tuff passes image/tonemap\n"
                    "  tuff passes --search blur\n"
                    "  tuff passes --markdown docs/passes");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return passes_action(*options, terminal); };
    });
}

} // namespace tuff::cli
