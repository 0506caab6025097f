#include "commands.hpp"
#include "flags.hpp"
#include "pass_page.hpp"
#include "passes/registry.hpp"

#include <fmt/format.h>

#include <memory>

namespace tuff::cli {
namespace {

struct Options {
    std::string pass;
    bool markdown = false;
};

constexpr std::string_view kReferenceHead =
    "# Passes\n\n"
    "Written by `tuff passes --markdown` from the declarations in the sources: do not edit.\n\n";

std::string list_text(const PassRegistry& registry, const TextStyle& style) {
    TextTable table;
    for (const PassDescriptor& pass : registry.all())
        table.add({style.name(pass.name), pass.summary});
    return table.text();
}

std::string reference(const PassRegistry& registry) {
    std::string text(kReferenceHead);
    for (const PassDescriptor& pass : registry.all())
        text += pass_markdown(pass) + '\n';
    text.pop_back();
    return text;
}

Outcome<void> passes_action(const Options& options, Terminal& terminal) {
    const PassRegistry registry = passes::make_registry();
    if (options.pass.empty()) {
        terminal.print(options.markdown ? reference(registry)
                                        : list_text(registry, terminal.output_style()));
        return {};
    }
    const PassDescriptor* pass = registry.find(options.pass);
    if (!pass) {
        const std::vector<std::string> known = registry.names();
        const std::string_view near = nearest_name(options.pass, known);
        return usage_failure(fail("cli/unknown-pass",
                                  fmt::format("there is no pass '{}'", options.pass),
                                  near.empty() ? "'tuff passes' lists them"
                                               : fmt::format("did you mean '{}'?", near))
                                 .error());
    }
    terminal.print(options.markdown ? pass_markdown(*pass)
                                    : pass_page(*pass, terminal.output_style()));
    return {};
}

} // namespace

void add_passes_command(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("passes", "List the passes, or tell all about one");
    command->add_option("name", options->pass, "The pass to tell about")
        ->type_name(std::string(kPassType));
    command->add_flag("--markdown", options->markdown, "Write the pages of the reference");
    command->footer("Examples:\n  tuff passes\n  tuff passes image/tonemap\n"
                    "  tuff passes --markdown > docs/passes.md");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return passes_action(*options, terminal); };
    });
}

} // namespace tuff::cli
