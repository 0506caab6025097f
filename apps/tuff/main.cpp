#include "apps/shared/command_line.hpp"
#include "apps/shared/program_options.hpp"
#include "apps/tuff/other_programs.hpp"

int main(int argc, char** argv) {
    using namespace tuff::cli;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && has_own_program(arguments.front())) return start_program(arguments);
    return run_program(
        [](Command& app, Action& action) {
            add_run_command(app, action);
            add_view_command(app, action, {});
            add_new_command(app, action);
            add_list_command(app, action);
            add_golden_command(app, action);
            add_check_command(app, action);
            add_explain_command(app, action);
            add_passes_command(app, action);
            add_schema_command(app, action);
            add_inspect_command(app, action);
            add_devices_command(app, action);
            add_trace_command(app, action);
            add_bench_command(app, action, {});
            add_bundle_command(app, action);
            add_completion_command(app, action);
            add_manual_command(app, action);
        },
        arguments);
}
