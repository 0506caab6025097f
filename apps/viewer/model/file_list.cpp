#include "model/file_list.hpp"

#include "apps/shared/common.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/volume.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxEntries = 5000;

bool is_opened(const fs::path& file) {
    return file.extension() == ".json" || is_model_file(file) || is_image_file(file) ||
           is_volume_file(file);
}

} // namespace

std::vector<FolderEntry> list_folder(const fs::path& folder) {
    std::vector<FolderEntry> entries;
    std::error_code error;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
         !error && at != fs::directory_iterator() && entries.size() < kMaxEntries;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code unknown;
        const bool is_folder = at->is_directory(unknown);
        if (name.starts_with('.') || (!is_folder && !is_opened(at->path()))) continue;
        entries.push_back({name, is_folder});
    }
    std::ranges::sort(entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.folder != b.folder ? a.folder : a.name < b.name;
    });
    return entries;
}

bool name_matches(std::string_view name, std::string_view filter) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    return std::ranges::search(name, filter, same).begin() != name.end() || filter.empty();
}

fs::path meant_file(std::string_view text, const fs::path& folder) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    if (text == "~" || text.starts_with("~/")) {
        const char* home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): only read
        if (home) return fs::path(home) / text.substr(std::min<std::size_t>(2, text.size()));
    }
    const fs::path path(text);
    std::error_code error;
    if (path.is_absolute() || fs::exists(path, error)) return path;
    if (fs::exists(folder / path, error)) return folder / path;
    if (auto shipped = cli::find_config(text)) return *shipped;
    return path;
}

} // namespace tuff::viewer
