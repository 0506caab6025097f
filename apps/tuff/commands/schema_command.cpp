#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"

#include <tuff/config.hpp>

#include <filesystem>
#include <memory>
#include <system_error>

namespace tuff::cli {
namespace {

/// Whether there is such a file at all: a schema would hide a slip of the command line.
bool is_there(const std::string& config) {
    const auto path = find_config(config);
    std::error_code error;
    return path && std::filesystem::is_regular_file(*path, error);
}

} // namespace

void add_schema_command(Command& app, Action& action) {
    Command* command = app.add_subcommand(
        "schema", "Print the JSON Schema of configs, for editors that complete and check");
    struct SchemaOptions {
        std::string config;
        std::vector<std::string> modules;
    };
    auto options = std::make_shared<SchemaOptions>();
    command
        ->add_option("config", options->config,
                     "Include the ports and parameters of this config's own kernels")
        ->type_name(std::string(kConfigType));
    add_passes_flag(*command, options->modules);
    command->footer("Examples:\n  tuff schema > tuff.schema.json\n"
                    "  tuff schema my_graph.json > my_graph.schema.json");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) -> Outcome<void> {
            auto modules = find_modules(options->modules);
            if (!modules) return pass_on(std::move(modules));
            const PassRegistry registry(*modules);
            std::string schema;
            if (options->config.empty()) {
                schema = json_schema(registry);
            } else {
                auto opened = OpenedConfig::open(
                    {.config = options->config, .sets = {}, .modules = options->modules}, terminal);
                if (opened) {
                    schema = json_schema(registry, opened->config().kernels());
                } else if (!is_there(options->config)) {
                    return pass_on(std::move(opened));
                } else {
                    // An editor needs it most while the config is wrong.
                    terminal.report(opened.error().diagnostics);
                    terminal.report(
                        {{.code = "cli/general-schema",
                          .severity = Severity::warning,
                          .message = "the printed schema is the general one, without the "
                                     "kernels of this config",
                          .hint = "fix the config, and print the schema again"}});
                    schema = json_schema(registry);
                }
            }
            if (!schema.ends_with('\n')) schema += '\n';
            terminal.print(schema);
            return {};
        };
    });
}

} // namespace tuff::cli
