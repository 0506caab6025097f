#pragma once

#include "outcome.hpp"
#include "terminal.hpp"

#include <CLI/App.hpp>

#include <functional>

namespace tuff::cli {

/// What the chosen subcommand does once the command line has been read in full.
using Action = std::function<Outcome<void>(Terminal&)>;

/// Each adds one subcommand to `app`, which sets `action` when it is chosen.
void add_run_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_golden_command(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_passes_command(CLI::App& app, Action& action);
void add_schema_command(CLI::App& app, Action& action);
void add_inspect_command(CLI::App& app, Action& action);
void add_devices_command(CLI::App& app, Action& action);
void add_trace_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_bench_compile_command(CLI::App& bench, Action& action); ///< below `bench`
void add_bench_replay_command(CLI::App& bench, Action& action);  ///< below `bench`
void add_bench_graphs_command(CLI::App& bench, Action& action);  ///< below `bench`
void add_bundle_command(CLI::App& app, Action& action);
void add_completion_command(CLI::App& app, Action& action);
void add_manual_command(CLI::App& app, Action& action);

} // namespace tuff::cli
