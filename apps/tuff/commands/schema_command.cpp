#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"

#include <tuff/config.hpp>

#include <memory>

namespace tuff::cli {

void add_schema_command(Command& app, Action& action) {
    Command* command = app.add_subcommand(
        "schema", "Print the JSON Schema of configs, for editors that complete and check");
    auto files = std::make_shared<std::vector<std::string>>();
    add_passes_flag(*command, *files);
    command->footer("Example:\n  tuff schema > tuff.schema.json");
    command->callback([files, &action] {
        action = [files](Terminal& terminal) -> Outcome<void> {
            auto modules = find_modules(*files);
            if (!modules) return pass_on(std::move(modules));
            std::string schema = json_schema(PassRegistry(*modules));
            if (!schema.ends_with('\n')) schema += '\n';
            terminal.print(schema);
            return {};
        };
    });
}

} // namespace tuff::cli
