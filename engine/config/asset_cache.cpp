#include <tuff/asset_cache.hpp>

#include <algorithm>

namespace tuff {

const AssetCache::Entry* AssetCache::find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
}

AssetCache::Entry AssetCache::begin(const std::filesystem::path& file) {
    Entry entry{.asset = {}, .file = file, .written = {}};
    std::error_code ignored; // a file without a time counts as one that never changes
    if (!file.empty()) entry.written = std::filesystem::last_write_time(file, ignored);
    return entry;
}

std::vector<std::filesystem::path> AssetCache::files() const {
    std::vector<std::filesystem::path> result;
    for (const auto& [key, entry] : entries_)
        if (!entry.file.empty()) result.push_back(entry.file);
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

bool AssetCache::drop_changed() {
    return std::erase_if(entries_, [](const auto& item) {
               const Entry& entry = item.second;
               return begin(entry.file).written != entry.written;
           }) > 0;
}

} // namespace tuff
