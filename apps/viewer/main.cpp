#include "apps/shared/command_line.hpp"
#include "apps/shared/program_options.hpp"
#include "view_command.hpp"

// tuff-view ARGUMENTS is `tuff view ARGUMENTS`.
int main(int argc, char** argv) {
    using namespace tuff::cli;
    std::vector<std::string> arguments(argv, argv + argc);
    arguments.front() = "view";
    return run_program(
        [](Command& app, Action& action) { add_view_command(app, action, run_view); }, arguments);
}
