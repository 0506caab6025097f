#include "gpu/checkpoint/durable_file.hpp"

#include "core/open_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tuff {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

} // namespace

std::error_code write_durably(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    OpenFile opened(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!opened) return last_error();
    while (!bytes.empty()) {
        const ssize_t written = write(opened.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return last_error();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    if (fsync(opened.get()) != 0) return last_error();
    return opened.end() ? std::error_code() : last_error();
}

std::error_code sync_folder(const std::filesystem::path& folder) {
    OpenFile opened(folder, O_RDONLY | O_DIRECTORY);
    if (!opened) return last_error();
    // Some file systems know no such thing, and keep names in order by themselves.
    if (fsync(opened.get()) != 0 && errno != EINVAL) return last_error();
    return {};
}

std::error_code read_pieces(const std::filesystem::path& file,
                            const std::function<void(std::span<const std::byte>)>& take) {
    OpenFile opened(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!opened) return last_error();
    struct stat facts {};
    if (fstat(opened.get(), &facts) != 0) return last_error();
    if (!S_ISREG(facts.st_mode)) return std::make_error_code(std::errc::invalid_argument);
    std::vector<std::byte> piece(kPieceBytes);
    for (;;) {
        const ssize_t count = read(opened.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return last_error();
        if (count == 0) return {};
        take(std::span(piece).first(static_cast<std::size_t>(count)));
    }
}

} // namespace tuff
