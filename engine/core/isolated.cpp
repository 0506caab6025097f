#include "core/isolated.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

namespace tuff {
namespace {

/// Bytes of addresses that this process has taken.
std::uint64_t address_space() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit(int what, rlim_t value) {
    rlimit limits{};
    getrlimit(static_cast<__rlimit_resource_t>(what), &limits);
    limits.rlim_cur = std::min(value, limits.rlim_max);
    setrlimit(static_cast<__rlimit_resource_t>(what), &limits);
}

void silence() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

} // namespace

bool AnswerPipe::write(const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(file_, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool AnswerPipe::read(void* data, std::size_t size) {
    char* at = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = ::read(file_, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

void allow_more_memory(std::uint64_t bytes) {
    rlimit limits{};
    if (getrlimit(RLIMIT_AS, &limits) == 0 && limits.rlim_cur != RLIM_INFINITY)
        limit(RLIMIT_AS, limits.rlim_cur + bytes);
}

unsigned reading_seconds(std::uint64_t file_bytes) {
    constexpr std::uint64_t kSlowestRate = std::uint64_t{1} << 18; // bytes a second
    return static_cast<unsigned>(std::min<std::uint64_t>(3 + file_bytes / kSlowestRate, 300));
}

IsolatedEnd run_isolated(std::uint64_t memory, unsigned seconds,
                         const std::function<void(AnswerPipe&)>& work,
                         const std::function<bool(AnswerPipe&)>& take) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return IsolatedEnd::not_started;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
            std::signal(signal, SIG_DFL);
        silence();
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_CPU, seconds);
        limit(RLIMIT_AS, address_space() + memory);
        AnswerPipe answer(ends[1]);
        work(answer);
        _exit(0);
    }
    const int reason = errno;
    close(ends[1]);
    AnswerPipe answer(ends[0]);
    const bool answered = child > 0 && take(answer);
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    errno = reason;
    if (child < 0) return IsolatedEnd::not_started;
    return answered ? IsolatedEnd::answered : IsolatedEnd::failed;
}

} // namespace tuff
