#include "commands.hpp"
#include "passes/registry.hpp"

#include <tuff/config.hpp>

namespace tuff::cli {

void add_schema_command(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
        "schema", "Print the JSON Schema of configs, for editors that complete and check");
    command->footer("Example:\n  tuff schema > tuff.schema.json");
    command->callback([&action] {
        action = [](Terminal& terminal) -> Outcome<void> {
            std::string schema = json_schema(passes::make_registry());
            if (!schema.ends_with('\n')) schema += '\n';
            terminal.print(schema);
            return {};
        };
    });
}

} // namespace tuff::cli
