// Pictures that follow one another: numbered files, films and recordings. Each execution brings one
// from the host, so that the next one compiles nothing.

#include "config/build/asset_loading.hpp"
#include "config/build/recording.hpp"
#include "config/read/read_series.hpp"
#include "scene/film/film_reader.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace tuff {
namespace {

/// Which of `count` pictures stands at `at`.
Result<std::uint64_t> picture_at(const SeriesSpec& series, std::uint64_t count) {
    const auto at = static_cast<std::int64_t>(std::floor(series.at));
    const auto most = static_cast<std::int64_t>(count) - 1;
    if (at >= 0 && at <= most) return static_cast<std::uint64_t>(at);
    const auto modulo = [](std::int64_t a, std::int64_t b) { return (a % b + b) % b; };
    switch (series.end) {
    case SeriesEnd::hold: return static_cast<std::uint64_t>(std::clamp<std::int64_t>(at, 0, most));
    case SeriesEnd::repeat: return static_cast<std::uint64_t>(modulo(at, most + 1));
    case SeriesEnd::ping_pong: {
        const std::int64_t turn = modulo(at, std::max<std::int64_t>(2 * most, 1));
        return static_cast<std::uint64_t>(std::min(turn, 2 * most - turn));
    }
    case SeriesEnd::error: break;
    }
    return fail("sequence/ended",
                fmt::format("there is no picture {}: there are {}, counted from 0", at, count),
                "change \"at\", or say what stands there: \"end\": \"hold\", \"repeat\" or "
                "\"ping-pong\"");
}

/// An image that has the texels of a picture, which every execution brings.
PortValue uploaded(Graph& graph, std::string_view name, const ImageAsset& picture) {
    Image image = graph.image(name, picture.desc);
    std::size_t begin = 0;
    for (std::uint32_t level = 0; level < picture.desc.mips; ++level) {
        const std::string part = fmt::format("{}/mip{}", name, level);
        const Extent extent = mip_extent(picture.desc.extent, level);
        const std::size_t size = std::size_t{extent.width} * extent.height * extent.depth *
                                 info(picture.desc.format).texel_bytes;
        const auto texels =
            picture.desc.mips == 1
                ? picture.texels
                : std::make_shared<const std::vector<std::byte>>(
                      picture.texels->begin() + static_cast<std::ptrdiff_t>(begin),
                      picture.texels->begin() + static_cast<std::ptrdiff_t>(begin + size));
        const Buffer bytes = graph.upload(
            graph.buffer(part + "/texels", {.size = size, .stride = 4}), texels, part + "/upload");
        image = graph.copy_to_image(bytes, mip(image, level).layer(0), part + "/copy");
        begin += size;
    }
    return PortValue::of(image);
}

/// The pictures of numbered files.
class Sequence {
  public:
    /// All files are looked for, so that a hole is told before the first frame.
    static Result<Sequence> find(const AssetSpec& spec, const AssetFolders& folders) {
        const auto [first, last] = spec.series->files;
        if (last < first)
            return fail("sequence/empty",
                        fmt::format("the pictures {} to {} are none", first, last),
                        "\"frames\" are the numbers of the first file and of the last");
        constexpr std::int64_t kMax = 1 << 20;
        if (last - first >= kMax)
            return fail("sequence/empty",
                        fmt::format("{} files are more than {}", last - first + 1, kMax),
                        "make several configs of it");
        Sequence sequence;
        for (std::int64_t number = first; number <= last; ++number) {
            const auto name = numbered_name(spec.file, number);
            if (!name)
                return fail("config/bad-file",
                            fmt::format("\"{}\" must have one place for a number", spec.file),
                            "write %d, or %04d for numbers of four digits");
            auto file = find_asset(*name, folders.own, folders.confined_to);
            if (!file && number == first) return propagate(std::move(file));
            if (!file && file.error().front().code != "asset/not-found")
                return propagate(std::move(file));
            if (!file)
                return fail("sequence/hole",
                            fmt::format("there is no file '{}' for picture {} of {} to {}", *name,
                                        number, first, last),
                            "render it, or change \"frames\"");
            sequence.files_.push_back(std::move(*file));
        }
        return sequence;
    }

    std::uint64_t count() const { return files_.size(); }
    const std::filesystem::path& file(std::uint64_t index) const {
        return files_[static_cast<std::size_t>(index)];
    }

  private:
    std::vector<std::filesystem::path> files_;
};

bool alike(const ImageDesc& a, const ImageDesc& b) {
    return a.format == b.format && a.extent == b.extent;
}

std::string text_of(const ImageDesc& desc) {
    return fmt::format("{}x{} {}", desc.extent.width, desc.extent.height, info(desc.format).name);
}

Result<std::shared_ptr<const ImageAsset>> picture_of_sequence(const AssetSpec& spec,
                                                              const AssetFolders& folders,
                                                              AssetCache& cache,
                                                              std::filesystem::path& file) {
    const std::string key = fmt::format("sequence:{}:{}:{}:{}", folders.own.string(), spec.file,
                                        spec.series->files[0], spec.series->files[1]);
    const auto sequence =
        cache.get<Sequence>(key, {}, [&] { return Sequence::find(spec, folders); });
    if (!sequence) return std::unexpected(sequence.error());
    const auto index = picture_at(*spec.series, (*sequence)->count());
    if (!index) return std::unexpected(index.error());
    const auto read = [&](std::uint64_t number) {
        const std::filesystem::path& own = (*sequence)->file(number);
        return cache.get_picture(
            fmt::format("picture:{}:{}:{}", spec.srgb, spec.mips, own.string()), {own},
            [&] { return read_picture(spec, own); });
    };
    auto picture = read(*index);
    if (!picture || *index == 0) {
        file = (*sequence)->file(*index);
        return picture;
    }
    // All are to be like the first, or the graph would change from frame to frame.
    const auto first = cache.get<ImageDesc>(fmt::format("{}:first:{}", key, spec.srgb), {},
                                            [&]() -> Result<ImageDesc> {
                                                auto asset = read(0);
                                                if (!asset) return propagate(std::move(asset));
                                                return (*asset)->desc;
                                            });
    if (!first) return std::unexpected(first.error());
    file = (*sequence)->file(*index);
    if (!alike((*picture)->desc, **first))
        return fail("sequence/size",
                    fmt::format("'{}' is {}, and '{}' is {}", file.string(),
                                text_of((*picture)->desc), (*sequence)->file(0).string(),
                                text_of(**first)),
                    "pictures of a sequence have one size and one format");
    return picture;
}

/// A film that is being read; decoding one picture moves it on.
struct Film {
    std::shared_ptr<FilmReader> reader;
};

Result<std::shared_ptr<const ImageAsset>> picture_of_film(const AssetSpec& spec,
                                                          const AssetFolders& folders,
                                                          AssetCache& cache,
                                                          std::filesystem::path& file) {
    auto found = find_asset(spec.file, folders.own, folders.confined_to);
    if (!found) return propagate(std::move(found));
    file = std::move(*found);
    const auto film = cache.get<Film>("film:" + file.string(), {file}, [&] {
        return Result<Film>(Film{std::make_shared<FilmReader>(file)});
    });
    if (!film) return std::unexpected(film.error());
    auto count = (*film)->reader->count();
    if (!count) return propagate(std::move(count));
    const auto index = picture_at(*spec.series, *count);
    if (!index) return std::unexpected(index.error());
    return cache.get_picture(
        fmt::format("picture:{}:{}:{}:{}", spec.srgb, spec.mips, *index, file.string()), {file},
        [&]() -> Result<ImageAsset> {
            auto image = (*film)->reader->picture(*index);
            if (!image) return propagate(std::move(image));
            if (spec.srgb) image->format = Format::rgba8_srgb;
            return picture_asset(spec, std::move(*image), file);
        });
}

std::string recording_key(const AssetSpec& spec, const AssetFolders& folders) {
    return fmt::format("recording:{}:{}", folders.own.string(), spec.file);
}

Result<std::shared_ptr<const Recording>>
recording_of(const AssetSpec& spec, const AssetFolders& folders, AssetCache& cache) {
    return cache.get<Recording>(recording_key(spec, folders), {},
                                [&] { return read_recording(spec.file, folders); });
}

/// A picture of zeros, which says that there is none.
ImageAsset hole(const AssetSpec& spec, const ImageDesc& desc, const RecordedFrame& frame,
                std::uint64_t index) {
    const std::size_t bytes =
        std::size_t{desc.extent.width} * desc.extent.height * info(desc.format).texel_bytes;
    ImageAsset picture{.desc = desc,
                       .texels = std::make_shared<const std::vector<std::byte>>(bytes)};
    picture.warnings.push_back(
        {.code = "sequence/missing-picture",
         .severity = Severity::warning,
         .message =
             fmt::format("frame {} ({}) of the recording '{}' has no {} picture: nothing is "
                         "seen in it",
                         index, frame.name, spec.file, frame.depth.empty() ? "depth" : "color"),
         .hint = "its map stays as it is; add the picture, or leave the frame out"});
    return picture;
}

Result<std::shared_ptr<const ImageAsset>> picture_of_recording(const AssetSpec& spec,
                                                               const AssetFolders& folders,
                                                               AssetCache& cache,
                                                               std::filesystem::path& file) {
    const auto recording = recording_of(spec, folders, cache);
    if (!recording) return std::unexpected(recording.error());
    const auto& frames = (*recording)->frames;
    const auto index = picture_at(*spec.series, frames.size());
    if (!index) return std::unexpected(index.error());
    const auto file_of = [&](const RecordedFrame& frame) {
        return spec.colors ? frame.color : frame.depth;
    };
    const auto read = [&](const std::filesystem::path& own) {
        return cache.get_picture(
            fmt::format("picture:{}:{}:{}", spec.srgb, spec.mips, own.string()), {own},
            [&] { return read_picture(spec, own); });
    };
    // All are to be like the first that there is, or the graph would change from frame to frame.
    const auto first = std::ranges::find_if(
        frames, [&](const RecordedFrame& frame) { return !file_of(frame).empty(); });
    if (first == frames.end())
        return fail("sequence/no-recording",
                    fmt::format("the recording '{}' has no {} pictures", spec.file,
                                spec.colors ? "color" : "depth"),
                    "leave this part of it out");
    const std::string key =
        fmt::format("{}:{}:{}:{}", recording_key(spec, folders), spec.colors, spec.srgb, spec.mips);
    const auto desc = cache.get<ImageDesc>(key, {}, [&]() -> Result<ImageDesc> {
        auto asset = read(file_of(*first));
        if (!asset) return propagate(std::move(asset));
        return (*asset)->desc;
    });
    if (!desc) return std::unexpected(desc.error());
    const RecordedFrame& frame = frames[static_cast<std::size_t>(*index)];
    file = file_of(*first);
    const bool lacks_color = (*recording)->has_colors && frame.color.empty();
    // Without a color, what is seen would be mapped and tracked as black.
    if (file_of(frame).empty() || (!spec.colors && lacks_color))
        return std::make_shared<const ImageAsset>(hole(spec, **desc, frame, *index));
    file = file_of(frame);
    auto picture = read(file);
    if (!picture) return picture;
    if (!alike((*picture)->desc, **desc))
        return fail("sequence/size",
                    fmt::format("'{}' is {}, and '{}' is {}", file.string(),
                                text_of((*picture)->desc), file_of(*first).string(),
                                text_of(**desc)),
                    "pictures of a sequence have one size and one format");
    return picture;
}

} // namespace

Result<LoadedAsset> load_recorded_poses(const AssetSpec& spec, const AssetFolders& folders,
                                        AssetCache& cache) {
    const auto recording = recording_of(spec, folders, cache);
    if (!recording) return std::unexpected(recording.error());
    if (!(*recording)->has_poses)
        return fail("sequence/no-recording",
                    fmt::format("the recording '{}' has no poses", spec.file),
                    "leave them out, and let the camera be found");
    const auto poses = cache.get<std::shared_ptr<const std::vector<std::byte>>>(
        recording_key(spec, folders) + ":poses", {},
        [&]() -> Result<std::shared_ptr<const std::vector<std::byte>>> {
            std::vector<std::byte> bytes;
            for (const RecordedFrame& frame : (*recording)->frames) {
                const auto own = std::as_bytes(std::span(frame.pose));
                bytes.insert(bytes.end(), own.begin(), own.end());
            }
            return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        });
    if (!poses) return std::unexpected(poses.error());
    return LoadedAsset{.key = recording_key(spec, folders) + ":poses",
                       .add = [bytes = **poses](Graph& graph, std::string_view name) {
                           PortValue value = PortValue::of(graph.constant_buffer(
                               name, {.size = bytes->size(), .stride = 4}, bytes));
                           value.elements = BufferElements::of<float>();
                           return value;
                       }};
}

Result<LoadedAsset> load_series_asset(const AssetSpec& spec, const AssetFolders& folders,
                                      AssetCache& cache) {
    std::filesystem::path file;
    auto picture = spec.kind == AssetKind::film ? picture_of_film(spec, folders, cache, file)
                   : spec.kind == AssetKind::recording
                       ? picture_of_recording(spec, folders, cache, file)
                       : picture_of_sequence(spec, folders, cache, file);
    if (!picture) return propagate(std::move(picture));
    return LoadedAsset{.key = {},
                       .add =
                           [picture = *picture](Graph& graph, std::string_view name) {
                               for (const Diagnostic& warning : picture->warnings)
                                   graph.report(warning);
                               return uploaded(graph, name, *picture);
                           },
                       .files = {std::move(file)}};
}

} // namespace tuff
