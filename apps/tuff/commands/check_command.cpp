#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/tuff/report/json_answer.hpp"
#include "apps/tuff/report/output_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace tuff::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> configs;
    std::vector<std::string> sets;
    std::vector<std::string> modules;
    ConfinementFlags confinement;
    bool json = false;
    bool watch = false;
    FilesRead files_read = {};
};

/// Loads, builds and compiles one config as any core-tier device would take it. `found` is told the
/// same as the text.
Outcome<std::string> check_one(const ConfigFlags& flags, Terminal& terminal, Json::Value& found) {
    auto config = OpenedConfig::open(flags, terminal);
    if (!config) return pass_on(std::move(config));
    if (auto files = plan_output_files(config->config().outputs(), {}, {}); !files)
        return pass_on(std::move(files));
    const auto open = config->config().open_inputs();
    for (const std::string& input : open)
        found["open_inputs"].append(input);
    if (!open.empty())
        return fmt::format("{}: ok, checked without its {}\n", flags.config, fmt::join(open, ", "));
    auto built = config->build({});
    if (!built) return pass_on(std::move(built));
    const std::size_t outputs = built->graph.outputs.size();
    auto plan = compile(std::move(built->graph), DeviceCaps{});
    if (!plan) return usage_failure(std::move(plan.error()));
    found["nodes"] = Json::UInt64(plan->statistics.nodes);
    found["outputs"] = Json::UInt64(outputs);
    return fmt::format("{}: ok, {}, {}\n", flags.config, counted(plan->statistics.nodes, "node"),
                       counted(outputs, "output"));
}

Outcome<void> check(const CheckOptions& options, Terminal& terminal, Json::Value& result) {
    // Every config is looked at, however many of them are wrong.
    Failure all{.diagnostics = {}, .exit_code = kExitOk};
    for (const std::string& config : options.configs) {
        Json::Value& found = result["configs"].append({});
        found["config"] = config;
        auto checked = check_one({.config = config,
                                  .sets = options.sets,
                                  .modules = options.modules,
                                  .confinement = options.confinement,
                                  .files_read = options.files_read},
                                 terminal, found);
        found["ok"] = checked.has_value();
        if (checked) {
            terminal.print(*checked);
            continue;
        }
        terminal.report(checked.error().diagnostics);
        all.exit_code = std::max(all.exit_code, checked.error().exit_code);
    }
    if (all.exit_code != kExitOk) return std::unexpected(std::move(all));
    return {};
}

} // namespace

void add_check_command(Command& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    Command* command =
        app.add_subcommand("check", "Check configs without running them; needs no device");
    command->add_option("config", options->configs, "Config files or names of shipped graphs")
        ->type_name(std::string(kConfigType))
        ->required();
    add_set_flag(*command, options->sets);
    add_passes_flag(*command, options->modules);
    add_confinement_flags(*command, options->confinement);
    const Option* json = add_json_flag(*command, options->json);
    add_watch_flag(*command, options->watch)->excludes(json);
    command->footer("Examples:\n  tuff check my_graph.json demo\n  tuff check --json *.json");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->confinement, [&] {
                if (options->watch) {
                    options->files_read = std::make_shared<FilesRead::element_type>();
                    return watch(options->files_read, terminal, [&] {
                        Json::Value unused;
                        return check(*options, terminal, unused);
                    });
                }
                return answer(options->json, "check", terminal, [&](Json::Value& result) {
                    return check(*options, terminal, result);
                });
            });
        };
    });
}

} // namespace tuff::cli
