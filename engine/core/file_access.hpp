#pragma once

#include <tuff/diagnostic.hpp>

#include <expected>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

namespace tuff {

/// Whether `file`, with all links followed, lies in one of `folders` or below. An empty folder is
/// the current one.
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
