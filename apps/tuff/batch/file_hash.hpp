#pragma once

#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tuff::cli {

/// A file by its contents.
struct HashedFile {
    std::filesystem::path file;
    std::uint64_t bytes = 0;
    std::string sha256; ///< 64 small hexadecimal digits

    friend bool operator==(const HashedFile&, const HashedFile&) = default;
};

/// The one absolute name that all names of a file lead to, but for links.
std::filesystem::path whole_path(const std::filesystem::path& file);

/// The plain file as it is now; nothing where there is none or it cannot be read.
std::optional<HashedFile> hash_file(const std::filesystem::path& file);

/// Hashes of files that many runs read: each file is read once, unless it has changed since.
class FileHashes {
  public:
    /// As `hash_file`.
    std::optional<HashedFile> of(const std::filesystem::path& file);
    /// Whether the file is still what it was. Reads it only where its size is the same.
    bool is_still(const HashedFile& file);

  private:
    struct Known {
        std::filesystem::file_time_type written;
        HashedFile file;
    };
    std::map<std::filesystem::path, Known> known_;
};

} // namespace tuff::cli
