#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/outcome.hpp"
#include "apps/shared/terminal.hpp"

#include <functional>

namespace tuff::cli {

/// What the chosen subcommand does once the command line has been read in full.
using Action = std::function<Outcome<void>(Terminal&)>;

/// Each adds one subcommand to `app`, which sets `action` when it is chosen.
void add_run_command(Command& app, Action& action);
void add_new_command(Command& app, Action& action);
void add_list_command(Command& app, Action& action);
void add_check_command(Command& app, Action& action);
void add_golden_command(Command& app, Action& action);
void add_explain_command(Command& app, Action& action);
void add_passes_command(Command& app, Action& action);
void add_schema_command(Command& app, Action& action);
void add_inspect_command(Command& app, Action& action);
void add_devices_command(Command& app, Action& action);
void add_trace_command(Command& app, Action& action);
void add_bundle_command(Command& app, Action& action);
void add_completion_command(Command& app, Action& action);
void add_manual_command(Command& app, Action& action);

} // namespace tuff::cli
