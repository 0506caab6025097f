#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/volume.hpp>

#include <any>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// An image or volume, ready to become a constant resource.
struct ImageAsset {
    ImageDesc desc;                                       ///< size, format and mips of `texels`
    std::shared_ptr<const std::vector<std::byte>> texels; ///< mip by mip
    std::optional<VolumeGeometry> geometry = {};          ///< of a volume: its place in the world
    Diagnostics warnings = {};                            ///< losses of the conversion
};

/// Keeps the assets of graphs, so that building a graph again reads no file and gives the executor
/// the same bytes. Owned by the caller; not thread-safe.
class AssetCache {
  public:
    /// The asset `key`; calls `load` if it is not in the cache. Failures are not kept.
    /// `files`: the files that it is made of; none for generated assets.
    template <typename T>
    Result<std::shared_ptr<const T>> get(const std::string& key,
                                         const std::vector<std::filesystem::path>& files,
                                         const std::function<Result<T>()>& load) {
        if (const Entry* known = find(key))
            if (const auto* asset = std::any_cast<std::shared_ptr<const T>>(&known->asset))
                return *asset;
        Entry entry = begin(files);
        Result<T> loaded = load();
        if (!loaded) return propagate(std::move(loaded));
        auto asset = std::make_shared<const T>(std::move(*loaded));
        entry.asset = asset;
        entries_.insert_or_assign(key, std::move(entry));
        return asset;
    }

    /// A picture of a series, which may be long: if the pictures take more than `kMaxPictureBytes`,
    /// the least recently used ones are dropped, and read again when needed.
    Result<std::shared_ptr<const ImageAsset>>
    get_picture(const std::string& key, const std::vector<std::filesystem::path>& files,
                const std::function<Result<ImageAsset>()>& load);
    /// Bytes that pictures of all series may take.
    static constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 28;

    /// The files the assets came from, for hot reload.
    std::vector<std::filesystem::path> files() const;
    /// Drops assets whose files have changed since they were read; true if there was one.
    bool drop_changed();
    /// Drops everything, so that files are read again.
    void clear() {
        entries_.clear();
        pictures_.clear();
    }

  private:
    struct Source {
        std::filesystem::path file;
        std::filesystem::file_time_type written;
        friend bool operator==(const Source&, const Source&) = default;
    };
    struct Entry {
        std::any asset;
        std::vector<Source> sources;
    };
    const Entry* find(const std::string& key) const;
    /// Stores the files' times before they are read, so that a change during reading is noticed.
    static Entry begin(const std::vector<std::filesystem::path>& files);
    static Source source_of(const std::filesystem::path& file);

    std::map<std::string, Entry> entries_;
    std::vector<std::string> pictures_; ///< keys of pictures of series, most recent last
};

} // namespace tuff
