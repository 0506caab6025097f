#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace tuff::cli {

/// Tells which files have changed since they were last looked at. A file that goes away, or comes
/// back, has changed. Looks at times and sizes; works on every file system.
class FileWatch {
  public:
    /// Replaces what is watched. Files that were watched before keep what was known of them, so
    /// that a change between two calls is not missed.
    void watch(const std::vector<std::filesystem::path>& files);
    /// The changed files, each once for each change.
    std::vector<std::filesystem::path> changed();

  private:
    struct Seen {
        std::filesystem::file_time_type written;
        std::uintmax_t size = 0;
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    static std::optional<Seen> look(const std::filesystem::path& file);

    std::map<std::filesystem::path, std::optional<Seen>> files_; ///< nothing: not there
};

/// The GLSL files below a folder.
std::vector<std::filesystem::path> shader_files(const std::filesystem::path& folder);

} // namespace tuff::cli
