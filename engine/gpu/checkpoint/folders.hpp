#pragma once

#include <filesystem>
#include <string_view>

/// Names of folders around a checkpoint's. Those that are under way begin with a dot: nobody takes
/// them for a checkpoint.
namespace tuff {

inline constexpr std::string_view kPartialEnding = ".partial";   ///< being written
inline constexpr std::string_view kReplacedEnding = ".replaced"; ///< about to be removed

std::filesystem::path without_slash(const std::filesystem::path& folder);
std::filesystem::path parent_of(const std::filesystem::path& folder);
/// ".NAME" + `ending` in the same folder.
std::filesystem::path beside(const std::filesystem::path& folder, std::string_view ending);

} // namespace tuff
