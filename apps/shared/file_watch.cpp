#include "apps/shared/file_watch.hpp"

#include "gpu/shader/shader_compiler.hpp"

#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;

std::optional<FileWatch::Seen> FileWatch::look(const fs::path& file) {
    std::error_code error;
    Seen seen;
    seen.written = fs::last_write_time(file, error);
    if (error) return std::nullopt;
    seen.size = fs::file_size(file, error);
    if (error) return std::nullopt;
    return seen;
}

void FileWatch::watch(const std::vector<fs::path>& files) {
    std::map<fs::path, std::optional<Seen>> next;
    for (const fs::path& file : files) {
        const auto known = files_.find(file);
        next.emplace(file, known != files_.end() ? known->second : look(file));
    }
    files_ = std::move(next);
}

std::vector<fs::path> FileWatch::changed() {
    std::vector<fs::path> result;
    for (auto& [file, seen] : files_) {
        const std::optional<Seen> now = look(file);
        if (now == seen) continue;
        seen = now;
        result.push_back(file);
    }
    return result;
}

std::vector<fs::path> shader_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path& file = entry->path();
        if (stage_of(file) || file.extension() == ".glsl") files.push_back(file);
    }
    return files;
}

} // namespace tuff::cli
