#pragma once

#include <tuff/diagnostic.hpp>

#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

namespace tuff {

/// What is left of `path` below `folder`, with all links followed; nothing where it does not lie
/// there or the system cannot say. Neither needs to exist. An empty folder is the current one.
std::optional<std::filesystem::path> path_below(const std::filesystem::path& folder,
                                                const std::filesystem::path& path);

/// Whether `file`, with all links followed, lies in one of `folders` or below.
bool lies_within(const std::filesystem::path& file, std::span<const std::filesystem::path> folders);

/// Whether a file may be read: it lies within one of `folders`, or there are none. Asked before
/// anything else about the file, so that nobody learns whether it exists. Error: asset/outside.
Result<void> check_readable(const std::filesystem::path& file,
                            std::span<const std::filesystem::path> folders);

/// Makes an empty file beside `file`, for what becomes `file` by a rename. Its name, which ends in
/// `ending`, is that of no file, and of no link, that was there before.
std::expected<std::filesystem::path, std::error_code>
new_file_beside(const std::filesystem::path& file, std::string_view ending);

} // namespace tuff
