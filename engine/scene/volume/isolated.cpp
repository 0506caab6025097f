#include "scene/volume/isolated.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <type_traits>

namespace tuff {
namespace {

constexpr rlim_t kIsolatedSeconds = 300;

/// The part of an answer that has a fixed size; texts and numbers follow.
struct AnswerHead {
    bool is_volume = false;
    Extent extent;
    ElementType type = ElementType::u8;
    std::uint32_t channels = 1;
    VolumeGeometry geometry;
    std::array<std::uint64_t, 4> lengths{}; ///< of the format or of code, message and hint; numbers
};
static_assert(std::is_trivially_copyable_v<AnswerHead>);

bool write_all(int pipe, const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = write(pipe, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool read_all(int pipe, void* data, std::size_t size) {
    char* at = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = read(pipe, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

void send(int pipe, const Result<StoredVolume>& read) {
    AnswerHead head{.is_volume = read.has_value()};
    std::array<std::string_view, 3> texts;
    if (read) {
        head.extent = read->extent;
        head.type = read->type;
        head.channels = read->channels;
        head.geometry = read->geometry;
        texts[0] = read->format;
        head.lengths[3] = read->numbers.size();
    } else {
        const Diagnostic& error = read.error().front();
        texts = {error.code, error.message, error.hint};
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
        head.lengths[i] = texts[i].size();
    bool sent = write_all(pipe, &head, sizeof head);
    for (const std::string_view text : texts)
        sent = sent && write_all(pipe, text.data(), text.size());
    if (sent && read) write_all(pipe, read->numbers.data(), read->numbers.size());
}

/// Nothing where the process said nothing, or nonsense.
std::optional<Result<StoredVolume>> receive(int pipe) {
    AnswerHead head;
    constexpr std::uint64_t kMaxText = 1u << 20;
    if (!read_all(pipe, &head, sizeof head) || head.lengths[3] > kMaxImageBytes)
        return std::nullopt;
    std::array<std::string, 3> texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (head.lengths[i] > kMaxText) return std::nullopt;
        texts[i].resize(static_cast<std::size_t>(head.lengths[i]));
        if (!read_all(pipe, texts[i].data(), texts[i].size())) return std::nullopt;
    }
    if (!head.is_volume) return fail(texts[0], texts[1], texts[2]);
    StoredVolume volume{.extent = head.extent,
                        .type = head.type,
                        .channels = head.channels,
                        .numbers = std::vector<std::byte>(head.lengths[3]),
                        .geometry = head.geometry,
                        .format = texts[0]};
    if (head.lengths[3] != stored_bytes(volume.extent, volume.channels, volume.type) ||
        !read_all(pipe, volume.numbers.data(), volume.numbers.size()))
        return std::nullopt;
    return volume;
}

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

void allow_more_memory(std::uint64_t bytes) {
    rlimit limits{};
    if (getrlimit(RLIMIT_AS, &limits) == 0 && limits.rlim_cur != RLIM_INFINITY)
        limit(RLIMIT_AS, limits.rlim_cur + bytes);
}

Result<StoredVolume> read_isolated(std::string_view name, std::uint64_t memory,
                                   const std::function<Result<StoredVolume>()>& read) {
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        return fail("volume/unreadable", std::string("no pipe can be made: ") + strerror(errno),
                    "close some files");
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
            std::signal(signal, SIG_DFL);
        silence();
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_CPU, kIsolatedSeconds);
        limit(RLIMIT_AS, address_space() + memory);
        send(pipe[1], read());
        _exit(0);
    }
    close(pipe[1]);
    auto answer = child > 0 ? receive(pipe[0]) : std::nullopt;
    close(pipe[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0)
        return fail("volume/unreadable",
                    std::string("no process can be started: ") + strerror(errno),
                    "end some processes");
    if (answer) return std::move(*answer);
    return corrupt_volume(name, "its reader failed");
}

} // namespace tuff
