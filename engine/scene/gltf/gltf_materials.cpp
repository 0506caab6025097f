#include "scene/gltf/gltf_materials.hpp"

#include "scene/gltf/gltf_accessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tuff::gltf {
namespace {

enum class Use { colour, data };

double number(const tinygltf::Value& object, const char* name, double fallback) {
    if (!object.IsObject() || !object.Has(name)) return fallback;
    const tinygltf::Value& value = object.Get(name);
    return value.IsNumber() ? value.GetNumberAsDouble() : fallback;
}

glm::vec2 pair_of(const tinygltf::Value& object, const char* name, glm::vec2 fallback) {
    if (!object.IsObject() || !object.Has(name)) return fallback;
    const tinygltf::Value& value = object.Get(name);
    if (!value.IsArray() || value.ArrayLen() != 2) return fallback;
    return {static_cast<float>(value.Get(0).GetNumberAsDouble()),
            static_cast<float>(value.Get(1).GetNumberAsDouble())};
}

AddressMode address_mode_of(int wrap) {
    if (wrap == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return AddressMode::clamp;
    return wrap == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? AddressMode::mirror
                                                         : AddressMode::repeat;
}

Sampler sampler_of(const tinygltf::Sampler& sampler) {
    const int min = sampler.minFilter;
    Sampler result;
    result.address_u = address_mode_of(sampler.wrapS);
    result.address_v = address_mode_of(sampler.wrapT);
    if (sampler.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST) result.mag_filter = Filter::nearest;
    if (min == TINYGLTF_TEXTURE_FILTER_NEAREST ||
        min == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_NEAREST ||
        min == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_LINEAR)
        result.min_filter = Filter::nearest;
    if (min == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_NEAREST ||
        min == TINYGLTF_TEXTURE_FILTER_LINEAR_MIPMAP_NEAREST)
        result.mip_filter = Filter::nearest;
    result.base_level_only =
        min == TINYGLTF_TEXTURE_FILTER_NEAREST || min == TINYGLTF_TEXTURE_FILTER_LINEAR;
    return result;
}

/// Decodes images and makes textures when a material first asks for them.
class Textures {
  public:
    Textures(const tinygltf::Model& model, SceneData& scene) : model_(model), scene_(scene) {}

    template <typename Info>
    Result<TextureSlot> slot(const Info& texture_info, Use use) {
        TextureSlot slot;
        if (texture_info.index < 0) return slot;
        int uv_set = texture_info.texCoord;
        const auto extension = texture_info.extensions.find("KHR_texture_transform");
        if (extension != texture_info.extensions.end())
            uv_set = apply_transform(extension->second, slot, uv_set);
        if (uv_set < 0 || uv_set > 1) {
            warn("gltf/unsupported-uv-set",
                 fmt::format("a material uses texture coordinates {}, set 0 is taken", uv_set));
            uv_set = 0;
        }
        slot.uv_set = static_cast<std::uint32_t>(uv_set);
        auto texture = texture_index(texture_info.index, use);
        if (!texture) return propagate(std::move(texture));
        slot.texture = *texture;
        return slot;
    }

    void warn(const char* code, std::string message) {
        scene_.warnings.push_back({.code = code,
                                   .severity = Severity::warning,
                                   .message = std::move(message),
                                   .where = {},
                                   .hint = {}});
    }

  private:
    /// KHR_texture_transform: uv' = T * R * S * uv, the rotation counter-clockwise in (u, v).
    static int apply_transform(const tinygltf::Value& transform, TextureSlot& slot, int uv_set) {
        const glm::vec2 scale = pair_of(transform, "scale", glm::vec2(1.0f));
        const float angle = static_cast<float>(number(transform, "rotation", 0.0));
        const float c = std::cos(angle);
        const float s = std::sin(angle);
        slot.offset = pair_of(transform, "offset", glm::vec2(0.0f));
        slot.matrix = {c * scale.x, -s * scale.x, s * scale.y, c * scale.y};
        return static_cast<int>(number(transform, "texCoord", uv_set));
    }

    Result<std::int32_t> texture_index(int index, Use use) {
        const auto known = textures_.find({index, use});
        if (known != textures_.end()) return known->second;
        const tinygltf::Texture& texture = model_.textures.at(static_cast<std::size_t>(index));
        std::int32_t result = -1;
        if (texture.source < 0) {
            warn("gltf/texture-without-image",
                 fmt::format("texture {} has no image that is understood", index));
        } else {
            auto image = image_index(texture.source, use);
            if (!image) return propagate(std::move(image));
            SceneTexture made{.image = *image, .sampler = {}, .srgb = use == Use::colour};
            if (texture.sampler >= 0)
                made.sampler =
                    sampler_of(model_.samplers.at(static_cast<std::size_t>(texture.sampler)));
            result = static_cast<std::int32_t>(scene_.textures.size());
            scene_.textures.push_back(made);
        }
        textures_[{index, use}] = result;
        return result;
    }

    Result<std::uint32_t> image_index(int index, Use use) {
        const auto known = images_.find({index, use});
        if (known != images_.end()) return known->second;
        const tinygltf::Image& image = model_.images.at(static_cast<std::size_t>(index));
        const std::string name = !image.uri.empty()    ? image.uri
                                 : !image.name.empty() ? image.name
                                                       : fmt::format("image {}", index);
        std::span<const unsigned char> bytes = image.image;
        if (image.bufferView >= 0) {
            auto view = view_bytes(model_, image.bufferView, name);
            if (!view) return propagate(std::move(view));
            bytes = *view;
        }
        auto decoded =
            decode_image(std::as_bytes(bytes), name,
                         {.ldr = use == Use::colour ? Format::rgba8_srgb : Format::rgba8_unorm});
        if (!decoded)
            return fail(
                "gltf/texture",
                fmt::format("image {} cannot be used: {}", index, decoded.error().front().message),
                decoded.error().front().hint);
        const auto result = static_cast<std::uint32_t>(scene_.images.size());
        scene_.images.push_back(std::move(*decoded));
        images_[{index, use}] = result;
        return result;
    }

    const tinygltf::Model& model_;
    SceneData& scene_;
    std::map<std::pair<int, Use>, std::int32_t> textures_;
    std::map<std::pair<int, Use>, std::uint32_t> images_;
};

Result<AlphaMode> alpha_mode(const tinygltf::Material& material) {
    if (material.alphaMode.empty() || material.alphaMode == "OPAQUE") return AlphaMode::opaque;
    if (material.alphaMode == "MASK") return AlphaMode::mask;
    if (material.alphaMode == "BLEND") return AlphaMode::blend;
    return fail("gltf/schema",
                fmt::format("material '{}' has the unknown alpha mode '{}'", material.name,
                            material.alphaMode),
                "the modes are OPAQUE, MASK and BLEND");
}

SceneMaterial factors_of(const tinygltf::Material& material) {
    const tinygltf::PbrMetallicRoughness& pbr = material.pbrMetallicRoughness;
    SceneMaterial result;
    for (std::size_t c = 0; c < std::min<std::size_t>(pbr.baseColorFactor.size(), 4); ++c)
        result.base_color[static_cast<int>(c)] = static_cast<float>(pbr.baseColorFactor[c]);
    result.metallic = static_cast<float>(pbr.metallicFactor);
    result.roughness = static_cast<float>(pbr.roughnessFactor);
    double strength = 1.0;
    if (const auto found = material.extensions.find("KHR_materials_emissive_strength");
        found != material.extensions.end())
        strength = number(found->second, "emissiveStrength", 1.0);
    for (std::size_t c = 0; c < std::min<std::size_t>(material.emissiveFactor.size(), 3); ++c)
        result.emissive[static_cast<int>(c)] =
            static_cast<float>(material.emissiveFactor[c] * strength);
    result.normal_scale = static_cast<float>(material.normalTexture.scale);
    result.occlusion_strength = static_cast<float>(material.occlusionTexture.strength);
    result.alpha_cutoff = static_cast<float>(material.alphaCutoff);
    if (material.doubleSided) result.flags |= material_double_sided;
    if (material.extensions.contains("KHR_materials_unlit")) result.flags |= material_unlit;
    return result;
}

Result<SceneMaterial> read_material(const tinygltf::Material& material, Textures& textures) {
    SceneMaterial result = factors_of(material);
    auto mode = alpha_mode(material);
    if (!mode) return propagate(std::move(mode));
    result.alpha_mode = *mode;
    Diagnostics errors;
    const auto take = [&](TextureSlot& slot, const auto& texture_info, Use use) {
        if (auto found = textures.slot(texture_info, use))
            slot = *found;
        else
            errors.insert(errors.end(), found.error().begin(), found.error().end());
    };
    const tinygltf::PbrMetallicRoughness& pbr = material.pbrMetallicRoughness;
    take(result.base_color_texture, pbr.baseColorTexture, Use::colour);
    take(result.metallic_roughness_texture, pbr.metallicRoughnessTexture, Use::data);
    take(result.normal_texture, material.normalTexture, Use::data);
    take(result.occlusion_texture, material.occlusionTexture, Use::data);
    take(result.emissive_texture, material.emissiveTexture, Use::colour);
    if (!errors.empty()) return std::unexpected(std::move(errors));
    return result;
}

} // namespace

Result<void> read_materials(const tinygltf::Model& model, SceneData& scene) {
    Textures textures(model, scene);
    for (const tinygltf::Material& material : model.materials) {
        auto made = read_material(material, textures);
        if (!made) return propagate(std::move(made));
        scene.materials.push_back(*made);
        scene.material_names.push_back(material.name);
    }
    return {};
}

} // namespace tuff::gltf
