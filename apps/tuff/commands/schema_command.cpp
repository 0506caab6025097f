#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"

#include <tuff/config.hpp>

#include <memory>

namespace tuff::cli {

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
                     "Knows the ports and parameters of this config's own kernels, too")
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
                if (!opened) return pass_on(std::move(opened));
                schema = json_schema(registry, opened->config().kernels());
            }
            if (!schema.ends_with('\n')) schema += '\n';
            terminal.print(schema);
            return {};
        };
    });
}

} // namespace tuff::cli
