#include "scene/files.hpp"

#include "core/file_access.hpp"
#include "core/lower_case.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace tuff {
namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_file(const fs::path& path, std::string_view domain,
                                         std::uint64_t max_bytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        return fail(fmt::format("{}/not-found", domain),
                    fmt::format("there is no file '{}'", path.string()));
    if (!fs::is_regular_file(status))
        return fail(fmt::format("{}/unreadable", domain),
                    fmt::format("'{}' is not a regular file", path.string()));
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > max_bytes)
        return fail(fmt::format("{}/too-large", domain),
                    fmt::format("'{}' has {} bytes, more than the limit of {}", path.string(), size,
                                max_bytes));
    std::ifstream stream(path, std::ios::binary);
    std::vector<std::byte> bytes(error ? 0 : static_cast<std::size_t>(size));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (error || !stream)
        return fail(fmt::format("{}/unreadable", domain),
                    fmt::format("'{}' cannot be read", path.string()), "check its permissions");
    return bytes;
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
    const auto unwritable = [&](const std::string& why) {
        return fail("image/unwritable",
                    fmt::format("'{}' cannot be written: {}", path.string(), why),
                    "check that the folder exists and may be written to");
    };
    std::error_code error;
    if (fs::is_directory(path, error)) return unwritable("it is a folder");
    if (!path.has_filename()) return unwritable("it has no file name");

    const auto made = new_file_beside(path, ".part");
    if (!made) return unwritable(made.error().message());
    const fs::path& temporary = *made;
    {
        errno = 0;
        std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
        if (!stream) return unwritable(errno ? std::strerror(errno) : "it cannot be opened");
        stream.write(reinterpret_cast<const char*>(bytes.data()),
                     static_cast<std::streamsize>(bytes.size()));
        stream.close();
        if (!stream) {
            const std::string why = errno ? std::strerror(errno) : "the write failed";
            fs::remove(temporary, error);
            return unwritable(why);
        }
    }
    fs::rename(temporary, path, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(temporary, error);
        return unwritable(why);
    }
    return {};
}

std::string lower_extension(const fs::path& path) {
    return lower_case(path.extension().string());
}

} // namespace tuff
