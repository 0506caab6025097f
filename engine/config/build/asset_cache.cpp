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

Result<std::shared_ptr<const ImageAsset>>
AssetCache::get_picture(const std::string& key, const std::vector<std::filesystem::path>& files,
                        const std::function<Result<ImageAsset>()>& load) {
    auto picture = get<ImageAsset>(key, files, load);
    if (!picture) return picture;
    std::erase(pictures_, key);
    pictures_.push_back(key);
    std::uint64_t bytes = 0;
    for (std::size_t i = pictures_.size(); i-- > 0;) {
        const auto entry = entries_.find(pictures_[i]);
        const auto* kept =
            entry == entries_.end()
                ? nullptr
                : std::any_cast<std::shared_ptr<const ImageAsset>>(&entry->second.asset);
        if (kept) bytes += (*kept)->texels->size();
        const bool is_asked_for = i + 1 == pictures_.size();
        if (kept && (bytes <= kMaxPictureBytes || is_asked_for)) continue;
        // Its files stay known: they are what a run was made of.
        if (kept) entry->second.asset.reset();
        pictures_.erase(pictures_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return picture;
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
