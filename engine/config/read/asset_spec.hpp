#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/drawing.hpp>
#include <tuff/format.hpp>
#include <tuff/volume.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

enum class AssetKind : std::uint8_t {
    gltf,
    model,
    scene,
    image,
    film,
    volume,
    array,
    text,
    generate,
    recording, ///< pictures of one
    recorded_poses
};

enum class Generator : std::uint8_t { checker, gradient, noise, zone_plate, constant };
inline constexpr std::array<std::string_view, 5> kGeneratorNames = {"checker", "gradient", "noise",
                                                                    "zone_plate", "constant"};

/// A part of a scene that is put together, as a config declares it.
struct ScenePartSpec {
    std::string file;                    ///< as written; empty: one that is made
    std::array<float, 2> plane = {1, 1}; ///< its size along x and z
    std::optional<std::uint32_t> arcade; ///< its seed
    std::optional<std::uint32_t> knot;   ///< its windings
    std::optional<std::uint32_t> tree;   ///< its seed
    std::array<float, 3> translate = {0, 0, 0};
    std::array<float, 3> rotate = {0, 0, 0}; ///< degrees about x, then y, then z
    float scale = 1.0f;
    struct Material {
        std::array<float, 4> base_color = {0.8f, 0.8f, 0.8f, 1.0f};
        std::array<float, 3> emissive = {0, 0, 0};
        float metallic = 0.0f;
        float roughness = 1.0f;
        friend bool operator==(const Material&, const Material&) = default;
    };
    std::optional<Material> material; ///< instead of the file's
};

/// Which picture stands before the first and after the last of a series.
enum class SeriesEnd : std::uint8_t { hold, repeat, ping_pong, error };
inline constexpr std::array<std::string_view, 4> kSeriesEndNames = {"hold", "repeat", "ping-pong",
                                                                    "error"};

/// Pictures that follow one another: numbered files, or those of a film.
struct SeriesSpec {
    std::array<std::int64_t, 2> files = {0, 0}; ///< numbers of the first and the last
    double at = 0;                              ///< which picture, counted from 0; rounded down
    SeriesEnd end = SeriesEnd::hold;
};

/// What an asset takes of a recording of a depth camera.
inline constexpr std::array<std::string_view, 3> kRecordingParts = {"depth", "color", "poses"};

/// Who decodes a picture's file.
inline constexpr std::array<std::string_view, 2> kDecoderNames = {"library", "device"};

/// What a config says of a volume beside its file.
struct VolumeSpec {
    std::optional<std::uint32_t> frame;
    std::string array;
    bool normalize = true;
    std::optional<RawLayout> raw;
    std::optional<std::array<double, 3>> spacing; ///< instead of the file's
    std::optional<std::array<double, 3>> origin;
};

/// An asset as a config declares it.
struct AssetSpec {
    AssetKind kind = AssetKind::image;
    std::string file;                 ///< as written; empty where the config has it all itself
    std::vector<ScenePartSpec> parts; ///< of a scene
    bool moves = false;               ///< parts are placed by values that may change
    VolumeSpec volume;
    std::optional<SeriesSpec> series; ///< of an image, film or recording
    bool colors = false;              ///< of a recording: its colors, else its depths
    bool srgb = false;
    bool mips = false;
    bool sized = false;     ///< a drawn picture has the size in `size`; else it has its own
    bool coverage = false;  ///< of a drawn picture: how much shapes cover, in place of colours
    TextDrawing text;       ///< without `box`, which is `size` where it is `sized`
    bool on_device = false; ///< the file is decoded there, if it can be

    std::optional<ElementType> type;  ///< of an array; none: that of the file
    std::vector<std::uint64_t> shape; ///< of an array; empty: that of the file
    std::vector<double> values;       ///< of an array without a file

    Generator generator = Generator::checker;
    std::array<std::uint32_t, 2> size = {256, 256};
    Format format = Format::rgba8_unorm;       ///< or rgba32_sfloat
    std::uint64_t seed = 1;                    ///< noise
    std::uint32_t cell = 8;                    ///< checker: texels a square
    std::array<float, 4> color = {1, 1, 1, 1}; ///< constant
};

/// The type of port an asset of this kind feeds.
constexpr std::string_view port_type(AssetKind kind) {
    const bool scene =
        kind == AssetKind::gltf || kind == AssetKind::model || kind == AssetKind::scene;
    if (scene) return "Scene";
    const bool array = kind == AssetKind::array || kind == AssetKind::recorded_poses;
    return array ? "Buffer" : "Image";
}

/// Of the files that an input of such a type takes: "Image", "Buffer" or "Scene".
constexpr AssetKind asset_kind(std::string_view type) {
    if (type == "Scene") return AssetKind::model;
    return type == "Buffer" ? AssetKind::array : AssetKind::image;
}

} // namespace tuff
