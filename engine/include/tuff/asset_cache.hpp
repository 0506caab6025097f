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

/// An image or volume as a constant resource takes it.
struct ImageAsset {
    ImageDesc desc;                                       ///< size, format and mips of `texels`
    std::shared_ptr<const std::vector<std::byte>> texels; ///< mip by mip
    std::optional<VolumeGeometry> geometry = {};          ///< of a volume: where its texels lie
    Diagnostics warnings = {};                            ///< what was lost
};

/// Assets that graphs have loaded, kept so that building a graph again reads no file and hands the
/// executor the same bytes. Owned by the caller; not for two threads at a time.
class AssetCache {
  public:
    /// The asset called `key`, loaded by `load` where it is not known yet. Failures are not kept.
    /// `files`: what it is made of; none for generated assets.
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

    /// A picture of a series, of which there may be many: where the last ones take more than
    /// `kMaxPictureBytes`, those that were asked for the longest ago are dropped and read again.
    Result<std::shared_ptr<const ImageAsset>>
    get_picture(const std::string& key, const std::vector<std::filesystem::path>& files,
                const std::function<Result<ImageAsset>()>& load);
    /// Of the pictures of all series.
    static constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 28;

    /// The files the assets came from, for hot reload.
    std::vector<std::filesystem::path> files() const;
    /// Forgets assets whose file has changed since it was read; true when there was one.
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
    /// Notes the files' times before they are read, so that a change while reading is not missed.
    static Entry begin(const std::vector<std::filesystem::path>& files);
    static Source source_of(const std::filesystem::path& file);

    std::map<std::string, Entry> entries_;
    std::vector<std::string> pictures_; ///< keys of pictures of series, the last asked for last
};

} // namespace tuff
