#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace tuff {

/// What is left of `path` below `folder`, with all links followed; nothing where it does not lie
/// there or the system cannot say. Neither needs to exist. An empty folder is the current one.
std::optional<std::filesystem::path> path_below(const std::filesystem::path& folder,
                                                const std::filesystem::path& path);

/// Whether `file`, with all links followed, lies in one of `folders` or below.
bool lies_within(const std::filesystem::path& file, std::span<const std::filesystem::path> folders);

} // namespace tuff
