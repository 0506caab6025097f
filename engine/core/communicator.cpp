#include "core/format_module.hpp"
#include "core/parse_number.hpp"
#include "mpi/library.hpp"

#include <tuff/communicator.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace tuff {
namespace {

/// How many processes the launcher says it has started; nothing where there is no launcher, or it
/// does not say.
std::optional<std::int64_t> launched_processes() {
    // Open MPI, MPICH and its kin, a step of Slurm.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const char* const text = std::getenv(name))
            if (const auto count = parse_number<std::int64_t>(std::string_view(text))) return count;
    return std::nullopt;
}

} // namespace

bool Communicator::launched() {
    if (const auto count = launched_processes()) return *count > 1;
    return std::getenv("PMIX_RANK") != nullptr;
}

Result<std::unique_ptr<Communicator>> Communicator::join(const CommunicatorOptions& options) {
    const std::filesystem::path file = tuff_library("mpi.so");
    if (file.empty())
        return fail(
            "mpi/not-built", "this Tuff was built without MPI",
            "install libopenmpi-dev and build again, start one process, or deal runs out by "
            "--shard with --mpi off");
    // Never closed: what MPI has begun does not end well.
    void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const function = opened ? dlsym(opened, kJoinRanks) : nullptr;
    if (!function) {
        const char* const reason = dlerror();
        return fail("mpi/no-library", reason ? reason : file.string() + " cannot be loaded",
                    "install the MPI that Tuff was built with: openmpi-bin of Debian");
    }
    Diagnostics problems;
    std::unique_ptr<Communicator> joined(reinterpret_cast<JoinRanks>(function)(options, problems));
    if (!joined) return std::unexpected(std::move(problems));
    const auto count = launched_processes();
    if (count && *count > 1 && joined->size() == 1)
        return fail("mpi/apart",
                    "the launcher has started " + std::to_string(*count) +
                        " processes, and each of them sees itself alone: " + joined->library() +
                        " does not know this launcher",
                    "start them by the mpirun of that MPI, or by srun --mpi=pmix; --mpi off, where "
                    "they are to run apart");
    return joined;
}

} // namespace tuff
