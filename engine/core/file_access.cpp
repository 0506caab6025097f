#include "core/file_access.hpp"

#include <algorithm>

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

} // namespace tuff
