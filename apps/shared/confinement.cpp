#include "apps/shared/confinement.hpp"

#include "core/text_table.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

namespace tuff::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kConfinedMemory = std::uint64_t{4} << 30;
constexpr double kConfinedSeconds = 600.0;
/// How often the memory is looked at. Who takes a gigabyte a second is 20 MiB beyond the limit.
constexpr std::chrono::milliseconds kBetweenLooks{20};
/// For the frame under way, so that files are whole.
constexpr std::chrono::seconds kGrace{2};

/// Bytes in memory, those shared with a driver among them; 0 once the process has ended.
std::uint64_t resident_bytes(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/statm", process));
    std::uint64_t pages = 0;
    std::uint64_t resident = 0;
    file >> pages >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// A process that keeps to limits or is ended.
class Watched {
  public:
    Watched(pid_t process, const ConfinementFlags& flags) : process_(process), flags_(flags) {}

    Outcome<void> wait() {
        // Ctrl-C goes to both; the one that is watched decides what comes of it.
        std::signal(SIGINT, SIG_IGN);
        while (!has_ended()) {
            look();
            std::this_thread::sleep_for(kBetweenLooks);
        }
        if (!failure_.empty()) return run_failure(std::move(failure_));
        if (WIFSIGNALED(status_))
            return run_failure(fail("cli/crashed",
                                    fmt::format("the run was ended by signal {} ({})",
                                                WTERMSIG(status_), strsignal(WTERMSIG(status_))),
                                    "files written so far are whole")
                                   .error());
        const int code = WEXITSTATUS(status_);
        if (code == kExitOk) return {};
        return std::unexpected(Failure{.diagnostics = {}, .exit_code = code}); // it told why
    }

  private:
    bool has_ended() {
        const pid_t ended = waitpid(process_, &status_, WNOHANG);
        return ended == process_ || (ended < 0 && errno != EINTR);
    }

    void look() {
        const auto memory = flags_.memory_limit();
        if (failure_.empty() && memory && resident_bytes(process_) > *memory) {
            failure_ =
                fail("cli/too-much-memory",
                     fmt::format("the run took more than {} of memory", human_bytes(*memory)),
                     "--max-memory allows more")
                    .error();
            kill(process_, SIGKILL);
        }
        const auto now = Clock::now();
        const auto seconds = flags_.time_limit();
        if (failure_.empty() && seconds && now - begin_ > std::chrono::duration<double>(*seconds)) {
            failure_ = fail("cli/too-long", fmt::format("the run took more than {} s", *seconds),
                            "--max-time allows more; files written so far are whole")
                           .error();
            asked_ = now;
            kill(process_, SIGINT);
        }
        if (asked_ && now - *asked_ > kGrace) kill(process_, SIGKILL);
    }

    pid_t process_;
    const ConfinementFlags& flags_;
    Clock::time_point begin_ = Clock::now();
    std::optional<Clock::time_point> asked_; ///< to end
    Diagnostics failure_;
    int status_ = 0;
};

} // namespace

std::optional<std::uint64_t> ConfinementFlags::memory_limit() const {
    if (max_memory || !confine) return max_memory;
    return kConfinedMemory;
}

std::optional<double> ConfinementFlags::time_limit() const {
    if (max_time > 0.0) return max_time;
    return confine ? std::optional(kConfinedSeconds) : std::nullopt;
}

void add_confinement_flags(Command& command, ConfinementFlags& flags) {
    const std::string group = "For configs of strangers";
    command
        .add_flag(
            "--confine", flags.confine,
            "Read only from the config's folder and the asset folders, and take at most 4 GiB "
            "of memory and 10 minutes")
        ->group(group);
    command
        .add_option("--max-memory", flags.max_memory,
                    "End the run when it takes more memory: bytes, or with a unit, as 4GiB")
        ->byte_size()
        ->type_name("SIZE")
        ->group(group);
    command
        .add_option("--max-time", flags.max_time, "End the run when it takes longer, in seconds")
        ->type_name("S")
        ->range(1e-3, 1e9)
        ->group(group);
}

Outcome<void> within_limits(const ConfinementFlags& flags,
                            const std::function<Outcome<void>()>& work) {
    if (!flags.memory_limit() && !flags.time_limit()) return work();
    std::fflush(nullptr); // or both would write it
    const pid_t watcher = getpid();
    const pid_t child = fork();
    if (child < 0)
        return run_failure(
            fail("cli/crashed", fmt::format("no process can be started: {}", std::strerror(errno)))
                .error());
    if (child > 0) return Watched(child, flags).wait();
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would keep to the limits without a watcher
    if (getppid() != watcher) _exit(kExitRunFailed);
    return work();
}

} // namespace tuff::cli
