#include "scene/mesh/mesh_materials.hpp"

#include "core/file_access.hpp"

#include <tuff/image.hpp>

#include <assimp/material.h>
#include <assimp/scene.h>
#include <assimp/texture.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <string>

namespace tuff {
namespace {

/// Decodes textures when a material first asks for them.
class Textures {
  public:
    Textures(const aiScene& imported, const std::filesystem::path& folder,
             std::span<const std::filesystem::path> confined_to, SceneData& scene)
        : imported_(imported), folder_(folder), confined_to_(confined_to), scene_(scene) {}

    /// Textures that may not be read.
    Diagnostics refused;

    /// The index of the texture in `file`; -1, and a warning, where it cannot be used.
    std::int32_t index_of(std::string file) {
        const auto [known, is_new] = known_.try_emplace(file, -1);
        if (!is_new) return known->second;
        Result<HostImage> image;
        if (const aiTexture* texture = imported_.GetEmbeddedTexture(file.c_str())) {
            image = embedded(*texture, file);
        } else {
            std::ranges::replace(file, '\\', '/'); // as some programs write it
            const std::filesystem::path path = find(file);
            if (auto readable = check_readable(path, confined_to_); !readable) {
                std::ranges::move(readable.error(), std::back_inserter(refused));
                return -1;
            }
            image = load_image(path, {.ldr = Format::rgba8_srgb});
        }
        if (!image || image->format != Format::rgba8_srgb) {
            scene_.warnings.push_back(
                {.code = "mesh/texture",
                 .severity = Severity::warning,
                 .message = fmt::format("the texture '{}' cannot be used: {}", file,
                                        image ? "its texels are not 8-bit colours"
                                              : image.error().front().message),
                 .where = {},
                 .hint = "the colour of the material stands alone"});
            return -1;
        }
        scene_.textures.push_back(
            {.image = static_cast<std::uint32_t>(scene_.images.size()),
             .sampler = {.address_u = AddressMode::repeat, .address_v = AddressMode::repeat},
             .srgb = true});
        scene_.images.push_back(std::move(*image));
        return known->second = static_cast<std::int32_t>(scene_.textures.size() - 1);
    }

  private:
    /// Files tell where a texture was on the machine that wrote them: it may lie beside the model.
    std::filesystem::path find(const std::filesystem::path& file) const {
        std::error_code ignored;
        const std::filesystem::path beside = folder_ / file.filename();
        const bool moved = !std::filesystem::exists(folder_ / file, ignored) &&
                           std::filesystem::exists(beside, ignored);
        return moved ? beside : folder_ / file;
    }

    /// One that is part of the model's file: a picture file, or texels.
    static Result<HostImage> embedded(const aiTexture& texture, const std::string& name) {
        if (texture.mHeight == 0) {
            const std::span file(reinterpret_cast<const std::byte*>(texture.pcData),
                                 texture.mWidth);
            return decode_image(file, name, {.ldr = Format::rgba8_srgb});
        }
        if (texture.mWidth > kMaxImageSide || texture.mHeight > kMaxImageSide)
            return fail("image/too-large",
                        fmt::format("it has {}x{} texels", texture.mWidth, texture.mHeight));
        HostImage image = make_image(Format::rgba8_srgb, {texture.mWidth, texture.mHeight});
        for (std::size_t i = 0; i < image.texels.size() / 4; ++i) {
            const aiTexel& texel = texture.pcData[i];
            const std::array bytes = {texel.r, texel.g, texel.b, texel.a};
            std::memcpy(&image.texels[4 * i], bytes.data(), bytes.size());
        }
        return image;
    }

    const aiScene& imported_;
    const std::filesystem::path& folder_;
    std::span<const std::filesystem::path> confined_to_;
    SceneData& scene_;
    std::map<std::string, std::int32_t> known_;
};

/// Numbers of files may be anything; materials hold numbers that light can be computed with.
float within(float value, float low, float high, float fallback) {
    return std::isfinite(value) ? std::clamp(value, low, high) : fallback;
}

SceneMaterial read_material(const aiMaterial& source, Textures& textures) {
    SceneMaterial result = mesh_material();
    aiString name;
    if (source.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS &&
        std::string_view(name.C_Str()) == AI_DEFAULT_MATERIAL_NAME)
        return result;
    aiColor3D color;
    if (source.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS)
        result.base_color = {within(color.r, 0, 1, 0.8f), within(color.g, 0, 1, 0.8f),
                             within(color.b, 0, 1, 0.8f), 1.0f};
    if (source.Get(AI_MATKEY_COLOR_EMISSIVE, color) == aiReturn_SUCCESS)
        result.emissive = {within(color.r, 0, 65504, 0), within(color.g, 0, 65504, 0),
                           within(color.b, 0, 65504, 0)};
    float number = 0.0f;
    if (source.Get(AI_MATKEY_OPACITY, number) == aiReturn_SUCCESS) {
        result.base_color.a = within(number, 0, 1, 1);
        if (result.base_color.a < 1.0f) result.alpha_mode = AlphaMode::blend;
    }
    // The Blinn-Phong lobe of this exponent is about as wide as the GGX lobe of this roughness:
    // alpha^2 = 2 / (exponent + 2), and alpha is the square of the roughness.
    if (source.Get(AI_MATKEY_SHININESS, number) == aiReturn_SUCCESS && number > 0.0f)
        result.roughness = within(std::pow(2.0f / (number + 2.0f), 0.25f), 0, 1, 1);
    aiString file;
    if (source.GetTexture(aiTextureType_DIFFUSE, 0, &file) == aiReturn_SUCCESS && file.length > 0)
        result.base_color_texture.texture = textures.index_of(file.C_Str());
    return result;
}

} // namespace

SceneMaterial mesh_material() {
    SceneMaterial material;
    material.base_color = {0.8f, 0.8f, 0.8f, 1.0f};
    material.metallic = 0.0f;
    material.flags = material_double_sided; // these files say nothing about sides
    return material;
}

Result<void> read_mesh_materials(const aiScene& imported, const std::filesystem::path& folder,
                                 std::span<const std::filesystem::path> confined_to,
                                 SceneData& scene) {
    Textures textures(imported, folder, confined_to, scene);
    for (unsigned i = 0; i < imported.mNumMaterials; ++i) {
        scene.materials.push_back(read_material(*imported.mMaterials[i], textures));
        scene.material_names.emplace_back(imported.mMaterials[i]->GetName().C_Str());
    }
    if (scene.materials.empty()) {
        scene.materials.push_back(mesh_material());
        scene.material_names.emplace_back("default");
    }
    if (!textures.refused.empty()) return std::unexpected(std::move(textures.refused));
    return {};
}

} // namespace tuff
