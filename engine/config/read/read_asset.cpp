#include "config/read/read_asset.hpp"

#include "config/read/read_array_asset.hpp"
#include "config/read/read_drawn_asset.hpp"
#include "config/read/read_scene_parts.hpp"
#include "config/read/read_series.hpp"
#include "config/read/read_volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

/// Reads what an asset says of an image that is computed.
void read_generated(const SourceFile& source, ObjectReader& asset, AssetDecl& decl,
                    Problems& problems) {
    AssetSpec& spec = decl.spec;
    const std::vector<std::string> names(kGeneratorNames.begin(), kGeneratorNames.end());
    const auto found = std::ranges::find(names, spec.file);
    if (found == names.end()) {
        if (asset.json()["generate"].isString())
            problems.error("config/unknown-generator", asset.span(asset.json()["generate"]),
                           fmt::format("there is no generated image \"{}\"", spec.file),
                           suggest(spec.file, names));
    } else {
        spec.generator = static_cast<Generator>(found - names.begin());
    }
    spec.file.clear(); // it was the generator's name
    if (const Json::Value* size = asset.find("size"))
        decl.size = read_value(source, *size, problems);
    if (const auto format = asset.text("format")) {
        spec.format = parse_format(format->text).value_or(Format::undefined);
        if (spec.format != Format::rgba8_unorm && spec.format != Format::rgba32_sfloat)
            problems.error("config/bad-format", format->span,
                           fmt::format("generated images cannot be \"{}\"", format->text),
                           "choose rgba8_unorm or rgba32_sfloat");
    }
    const auto add = [&](const char* key, NumberRule rule, auto store) {
        const Json::Value* value = asset.find(key);
        if (!value) return;
        rule.what = fmt::format("\"{}\" of {}", key, asset.what());
        if (auto expr = read_value(source, *value, problems))
            decl.numbers.push_back({std::move(*expr), std::move(rule), store});
    };
    constexpr double kMaxSeed = 9007199254740992.0; // larger ones a double cannot tell apart
    if (spec.generator == Generator::noise && asset.has("seed") && asset.json()["seed"].isNumeric())
        spec.seed = asset.whole("seed", 0, ~std::uint64_t{0}).value_or(spec.seed);
    else if (spec.generator == Generator::noise)
        add("seed", {.what = {}, .low = 0, .high = kMaxSeed, .whole = true},
            [](AssetSpec& s, std::span<const double> n) {
                s.seed = static_cast<std::uint64_t>(n[0]);
            });
    if (spec.generator == Generator::checker)
        add("cell", {.what = {}, .low = 1, .high = kMaxConfigSide, .whole = true},
            [](AssetSpec& s, std::span<const double> n) {
                s.cell = static_cast<std::uint32_t>(n[0]);
            });
    if (spec.generator == Generator::constant)
        add("color", {.what = {}, .count = 4}, [](AssetSpec& s, std::span<const double> n) {
            std::ranges::transform(n, s.color.begin(),
                                   [](double c) { return static_cast<float>(c); });
        });
}

/// Reads where a picture is decoded.
void read_decoder(ObjectReader& asset, AssetDecl& decl, Problems& problems) {
    const auto decoder = asset.text("decode");
    if (!decoder) return;
    AssetSpec& spec = decl.spec;
    spec.on_device = decoder->text == kDecoderNames[1];
    if (!spec.on_device && decoder->text != kDecoderNames[0])
        problems.error("config/bad-asset", decoder->span,
                       fmt::format("pictures cannot be decoded by \"{}\"", decoder->text),
                       "choose \"library\" or \"device\"");
    if (spec.on_device && (spec.srgb || spec.mips || spec.series))
        problems.error("config/bad-asset", decoder->span,
                       "pictures that the device decodes have no \"srgb\", \"mips\" or \"frames\"",
                       "leave these out, or \"decode\"");
}

/// Reads what an asset takes of a recording.
void read_recorded_part(ObjectReader& asset, AssetDecl& decl, Problems& problems) {
    const auto part = asset.text("part");
    const auto found =
        part ? std::ranges::find(kRecordingParts, part->text) : kRecordingParts.end();
    if (found == kRecordingParts.end()) {
        problems.error("config/bad-asset", part ? part->span : asset.span(),
                       fmt::format("{} does not say which part of a recording it is", asset.what()),
                       "add \"part\": \"depth\", \"color\" or \"poses\"");
        return;
    }
    decl.spec.colors = *found == "color";
    if (*found == "poses") decl.spec.kind = AssetKind::recorded_poses;
}

} // namespace

AssetDecl read_asset(const SourceFile& source, ObjectReader& entry, Placed name,
                     Problems& problems) {
    static constexpr std::array<std::pair<const char*, AssetKind>, 8> kKinds = {
        {{"gltf", AssetKind::gltf},
         {"model", AssetKind::model},
         {"image", AssetKind::image},
         {"film", AssetKind::film},
         {"volume", AssetKind::volume},
         {"recording", AssetKind::recording},
         {"text", AssetKind::text},
         {"generate", AssetKind::generate}}};
    AssetDecl decl{.name = std::move(name), .spec = {}, .size = {}, .span = entry.span()};
    int kinds = 0;
    for (const auto& [key, kind] : kKinds) {
        const auto text = entry.text(key);
        if (!entry.has(key)) continue;
        ++kinds;
        decl.spec.kind = kind;
        if (text) decl.spec.file = text->text;
        if (text && text->text.empty() && kind != AssetKind::text) // draw_text reports it
            problems.error("config/bad-file", text->span, "the file name is empty");
    }
    const bool is_volume = entry.has("volume"); // its "array" is the name of one
    if (const Json::Value* array = is_volume ? nullptr : entry.find("array")) {
        ++kinds;
        decl.spec.kind = AssetKind::array;
        read_array_asset(source, *array, entry, decl, problems);
    }
    if (const Json::Value* parts = entry.find("scene")) {
        ++kinds;
        decl.spec.kind = AssetKind::scene;
        read_scene_parts(source, *parts, entry.what(), decl, problems);
    }
    if (kinds != 1 && entry.json().isObject())
        problems.error("config/bad-asset", entry.span(),
                       fmt::format("{} must have exactly one of \"gltf\", \"model\", "
                                   "\"scene\", \"image\", \"film\", \"recording\", \"volume\", "
                                   "\"array\", \"text\" and \"generate\"",
                                   entry.what()));
    if (decl.spec.kind == AssetKind::generate) read_generated(source, entry, decl, problems);
    if (decl.spec.kind == AssetKind::volume) read_volume(source, entry, decl, problems);
    if (decl.spec.kind == AssetKind::text) read_text_asset(source, entry, decl, problems);
    if (decl.spec.kind == AssetKind::recording) read_recorded_part(entry, decl, problems);
    const bool is_film =
        decl.spec.kind == AssetKind::film || decl.spec.kind == AssetKind::recording;
    const bool is_picture = decl.spec.kind == AssetKind::image || is_film;
    if (is_film || (is_picture && entry.has("frames")))
        read_series(source, entry, decl, problems);
    else if (is_picture && is_numbered(decl.spec.file))
        problems.error(
            "config/bad-asset", entry.span(),
            fmt::format("{} names files by their number, and does not say which", entry.what()),
            "add \"frames\": [first, last]");
    if (decl.spec.kind == AssetKind::image) read_drawing(source, entry, decl, problems);
    if (is_picture) decl.spec.srgb = entry.boolean("srgb").value_or(false);
    const bool is_recording = decl.spec.kind == AssetKind::recording;
    if ((is_picture && !is_recording) || decl.spec.kind == AssetKind::text ||
        decl.spec.kind == AssetKind::generate)
        decl.spec.mips = entry.boolean("mips").value_or(false);
    if (decl.spec.kind == AssetKind::image) read_decoder(entry, decl, problems);
    return decl;
}

} // namespace tuff
