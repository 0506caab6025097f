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

bool lies_within(const fs::path& file, std::span<const fs::path> folders) {
    const fs::path full = resolved(file);
    if (full.empty()) return false;
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
        const fs::path root = resolved(folder.empty() ? fs::path(".") : folder);
        const auto [end, rest] = std::ranges::mismatch(root, full);
        return !root.empty() && (end == root.end() || end->empty());
    });
}

} // namespace tuff
