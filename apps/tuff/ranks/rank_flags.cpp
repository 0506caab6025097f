#include "apps/tuff/ranks/rank_flags.hpp"

#include "apps/shared/flags.hpp"

namespace tuff::cli {

void add_rank_flags(Command& command, RankFlags& flags) {
    const std::string group = "Several processes (docs/cluster.md)";
    add_choice(
        command, "--mpi", flags.join, {"auto", "on", "off"},
        "Share out runs with the other processes that mpirun or srun has started; auto: where "
        "one of them has started several")
        ->group(group);
    command
        .add_option("--rank-timeout", flags.timeout,
                    "A process that gives no sign of life for so many seconds counts as lost, and "
                    "another makes its run; default 10")
        ->type_name("S")
        ->range(0.1, 86400.0)
        ->group(group);
}

} // namespace tuff::cli
