#include "config/check/flat_config.hpp"

#include <fmt/format.h>

#include <fstream>

namespace tuff {
namespace {

constexpr std::uintmax_t kMaxTextBytes = 64u << 20;

} // namespace

Result<std::string> read_text_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return fail(Diagnostic{.code = "config/not-found",
                               .message = fmt::format("there is no file {}", path.string()),
                               .where = {.file = path.string(), .line_text = {}}});
    const auto unreadable = [&](std::string_view why) {
        return fail(Diagnostic{.code = "config/unreadable",
                               .message = fmt::format("cannot read {}: {}", path.string(), why),
                               .where = {.file = path.string(), .line_text = {}}});
    };
    if (std::filesystem::is_directory(status)) return unreadable("it is a folder");
    // Opening a pipe that lies in a folder waits until somebody writes to it, for ever maybe. Those
    // of a shell (/dev/stdin) have a writer, and no place in a folder.
    const bool in_folder = !std::filesystem::canonical(path, error).empty();
    if (std::filesystem::is_fifo(status) && in_folder) return unreadable("it is a named pipe");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return unreadable("it cannot be opened");
    // Devices and pipes have no size of their own, so the limit is on what is read.
    std::string text;
    std::vector<char> block(1 << 16);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())),
           stream.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kMaxTextBytes)
            return fail(Diagnostic{.code = "config/too-large",
                                   .message = fmt::format("{} is larger than {} MiB", path.string(),
                                                          kMaxTextBytes >> 20),
                                   .where = {.file = path.string(), .line_text = {}}});
    }
    if (stream.bad()) return unreadable("an input error occurred");
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return text;
}

} // namespace tuff
