#pragma once

#include <tuff/format.hpp>
#include <tuff/volume.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

enum class AssetKind : std::uint8_t { gltf, model, scene, image, volume, generate };

enum class Generator : std::uint8_t { checker, gradient, noise, zone_plate, constant };
inline constexpr std::array<std::string_view, 5> kGeneratorNames = {"checker", "gradient", "noise",
                                                                    "zone_plate", "constant"};

/// A part of a scene that is put together, as a config declares it.
struct ScenePartSpec {
    std::string file;                    ///< as written; empty: a plane
    std::array<float, 2> plane = {1, 1}; ///< its size along x and z
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
    std::string file;                 ///< as written; of all kinds but `scene` and `generate`
    std::vector<ScenePartSpec> parts; ///< of a scene
    bool moves = false;               ///< parts are placed by values that may change
    VolumeSpec volume;
    bool srgb = false;
    bool mips = false;

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
    return scene ? "Scene" : "Image";
}

} // namespace tuff
