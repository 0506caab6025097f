#include "apps/bench/bench_commands.hpp"
#include "apps/shared/command_line.hpp"

// tuff-bench ARGUMENTS is `tuff bench ARGUMENTS`.
int main(int argc, char** argv) {
    using namespace tuff::cli;
    std::vector<std::string> arguments(argv, argv + argc);
    arguments.front() = "bench";
    return run_program(
        [](Command& app, Action& action) {
            add_bench_command(app, action,
                              {.cases = run_bench,
                               .graphs = run_bench_graphs,
                               .compile = run_bench_compile,
                               .replay = run_bench_replay,
                               .ranks = run_bench_ranks});
        },
        arguments);
}
