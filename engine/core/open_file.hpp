#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tuff {

inline std::error_code last_error() {
    return {errno, std::generic_category()};
}

/// A file of the system, closed at the end.
class OpenFile {
  public:
    OpenFile(const std::filesystem::path& file, int flags)
        : handle_(open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~OpenFile() {
        if (handle_ >= 0) close(handle_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    explicit operator bool() const { return handle_ >= 0; }
    int get() const { return handle_; }
    /// Some systems report a full disk only here.
    bool end() { return close(std::exchange(handle_, -1)) == 0; }

  private:
    int handle_;
};

} // namespace tuff
