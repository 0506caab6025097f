#include "command_line.hpp"
#include "terminal.hpp"

#include <exception>

int main(int argc, char** argv) {
    using namespace tuff::cli;
    Terminal terminal = Terminal::attach();
    int code = kExitRunFailed;
    try {
        code = run_command_line({argv, static_cast<std::size_t>(argc)}, terminal);
    } catch (const std::exception& error) { // out of memory, and whatever else nobody foresaw
        terminal.report({{.code = "cli/internal-error",
                          .message = error.what(),
                          .hint = "please report this, with the command line"}});
    }
    if (auto finished = terminal.finish(); !finished) {
        terminal.report(finished.error());
        code = kExitRunFailed;
    }
    return code;
}
