#pragma once

#include <filesystem>
#include <span>

namespace tuff {

/// Whether `file`, with all links followed, lies in one of `folders` or below. An empty folder is
/// the current one.
bool lies_within(const std::filesystem::path& file, std::span<const std::filesystem::path> folders);

} // namespace tuff
