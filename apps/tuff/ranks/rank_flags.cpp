#include "apps/tuff/ranks/rank_flags.hpp"

#include "apps/shared/flags.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace tuff::cli {

CommunicatorOptions RankFlags::communicator() const {
    return {.timeout = std::chrono::milliseconds(std::llround(timeout * 1000.0)),
            .lend_memory = lend == Lend::on};
}

bool joins_ranks(const RankFlags& flags) {
    using Join = RankFlags::Join;
    return flags.join == Join::on || (flags.join == Join::automatic && Communicator::launched());
}

void add_rank_flags(Command& command, RankFlags& flags) {
    const std::string group = "Several processes (docs/cluster.md)";
    add_choice(
        command, "--mpi", flags.join, {"auto", "on", "off"},
        "Work together with the other processes that mpirun or srun has started; auto: where "
        "one of them has started several")
        ->group(group);
    command
        .add_option(
            "--ranks", flags.grid,
            "The processes divide the config's domain into a grid of so many along x, y and "
            "z, and make one run together; by default as the config says")
        ->type_name("X,Y,Z")
        ->group(group);
    command
        .add_option("--rank-timeout", flags.timeout,
                    "A process that gives no sign of life for so many seconds counts as lost; "
                    "default 10")
        ->type_name("S")
        ->range(0.1, 86400.0)
        ->group(group);
    add_choice(command, "--lend", flags.lend, {"on", "off"},
               "Whether processes of one host copy messages out of each other's memory; off: "
               "all messages go through MPI. Results are the same")
        ->group(group);
}

Result<std::array<std::uint32_t, 3>> read_grid(const std::string& text) {
    std::array<std::uint32_t, 3> grid{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axis > 0 && (at == end || *at++ != ',')) break;
        const auto [stop, error] = std::from_chars(at, end, grid[axis]);
        if (error != std::errc{} || grid[axis] == 0) break;
        if (axis == 2 && stop == end) return grid;
        at = stop;
    }
    return fail("cli/bad-ranks", fmt::format("--ranks {}: that is no grid of processes", text),
                "three whole numbers from 1 on: --ranks 2,2,1");
}

} // namespace tuff::cli
