#include "core/file_access.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// Empty where the system cannot say.
fs::path resolved(const fs::path& path) {
    std::error_code error;
    const fs::path full = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? fs::path() : full;
}

} // namespace

std::optional<fs::path> path_below(const fs::path& folder, const fs::path& path) {
    const fs::path root = resolved(folder.empty() ? fs::path(".") : folder);
    const fs::path full = resolved(path.empty() ? fs::path(".") : path);
    if (root.empty() || full.empty()) return std::nullopt;
    const auto [end, rest] = std::ranges::mismatch(root, full);
    if (end != root.end() && !end->empty()) return std::nullopt;
    fs::path left;
    for (auto part = rest; part != full.end(); ++part)
        left /= *part;
    return left;
}

bool lies_within(const fs::path& file, std::span<const fs::path> folders) {
    return std::ranges::any_of(
        folders, [&](const fs::path& folder) { return path_below(folder, file).has_value(); });
}

Result<void> check_readable(const fs::path& file, std::span<const fs::path> folders) {
    if (folders.empty() || lies_within(file, folders)) return {};
    return fail("asset/outside",
                fmt::format("'{}' lies outside of the folders that may be read", file.string()),
                "put it beside the config, or name its folder in TUFF_ASSET_PATH");
}

std::expected<fs::path, std::error_code> new_file_beside(const fs::path& file,
                                                         std::string_view ending) {
    constexpr int kMaxTries = 64;
    std::random_device random;
    for (int i = 0; i < kMaxTries; ++i) {
        fs::path name = file;
        name += fmt::format(".{:08x}{}", random(), ending);
        // Whoever guesses the name gains nothing: O_EXCL opens no link and no file of others.
        const int opened = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (opened >= 0) {
            close(opened);
            return name;
        }
        if (errno != EEXIST) break;
    }
    return std::unexpected(std::error_code(errno, std::generic_category()));
}

} // namespace tuff
