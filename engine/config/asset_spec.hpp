#pragma once

#include <tuff/format.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tuff {

enum class AssetKind : std::uint8_t { gltf, image, volume, generate };

enum class Generator : std::uint8_t { checker, gradient, noise, zone_plate, constant };
inline constexpr std::array<std::string_view, 5> kGeneratorNames = {"checker", "gradient", "noise",
                                                                    "zone_plate", "constant"};

/// An asset as a config declares it.
struct AssetSpec {
    AssetKind kind = AssetKind::image;
    std::string file; ///< as written; of all kinds but `generate`
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
    return kind == AssetKind::gltf ? "Scene" : "Image";
}

} // namespace tuff
