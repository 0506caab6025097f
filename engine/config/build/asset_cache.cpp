#include <tuff/asset_cache.hpp>

#include <algorithm>

namespace tuff {

const AssetCache::Entry* AssetCache::find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
}

AssetCache::Source AssetCache::source_of(const std::filesystem::path& file) {
    std::error_code ignored; // a file without a time counts as one that never changes
    return {.file = file, .written = std::filesystem::last_write_time(file, ignored)};
}

AssetCache::Entry AssetCache::begin(const std::vector<std::filesystem::path>& files) {
    Entry entry;
    for (const std::filesystem::path& file : files)
        entry.sources.push_back(source_of(file));
    return entry;
}

std::vector<std::filesystem::path> AssetCache::files() const {
    std::vector<std::filesystem::path> result;
    for (const auto& [key, entry] : entries_)
        for (const Source& source : entry.sources)
            result.push_back(source.file);
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

bool AssetCache::drop_changed() {
    return std::erase_if(entries_, [](const auto& item) {
               return std::ranges::any_of(item.second.sources, [](const Source& source) {
                   return source_of(source.file) != source;
               });
           }) > 0;
}

} // namespace tuff
