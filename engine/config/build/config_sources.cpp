// The part of ConfigBuilder that deals with what no node makes: inputs, assets and histories.

#include "config/build/config_builder.hpp"

#include <tuff/file_kinds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

ClearValue clear_value(Format format, const std::array<double, 4>& numbers) {
    const NumericKind kind = info(format).kind;
    if (kind == NumericKind::uint || kind == NumericKind::sint) {
        std::array<std::uint32_t, 4> words{};
        std::ranges::transform(numbers, words.begin(), [](double n) {
            const double inside = std::clamp(n, -2147483648.0, 4294967295.0);
            return static_cast<std::uint32_t>(static_cast<std::int64_t>(inside));
        });
        return words;
    }
    std::array<float, 4> reals{};
    std::ranges::transform(numbers, reals.begin(), [](double n) { return static_cast<float>(n); });
    return reals;
}

} // namespace

void ConfigBuilder::check_inputs(const Imports& imports) {
    for (const InputDecl& input : flat_.main().inputs)
        if (!imports.contains(input.name.text) && !context_.files.contains(input.name.text) &&
            !context_.contents.contains(input.name.text) && !fallback_of(flat_, input))
            problems_.error("config/unconnected-input", input.name.span,
                            fmt::format("input \"{}\" is connected to nothing", input.name.text),
                            fmt::format("--input {}=FILE gives it a file, \"default\" an asset; a "
                                        "config that uses this one, or a host, connects it",
                                        input.name.text));
}

/// Brought from the host in every execution, so that other contents compile nothing.
PortValue ConfigBuilder::uploaded(const std::string& name, const ConfigContents& contents) {
    const auto* image = std::get_if<ImageDesc>(&contents.desc);
    const BufferDesc desc = image ? BufferDesc{.size = contents.bytes->size(), .stride = 4}
                                  : std::get<BufferDesc>(contents.desc);
    const Buffer bytes = graph_.upload(graph_.buffer(image ? name + "/texels" : name, desc),
                                       contents.bytes, name + "/upload");
    if (!image) return PortValue::of(bytes);
    return PortValue::of(
        graph_.copy_to_image(bytes, mip(graph_.image(name, *image), 0).layer(0), name + "/copy"));
}

InputValues ConfigBuilder::add_imports(const Imports& imports) {
    InputValues values;
    for (const InputDecl& input : flat_.main().inputs) {
        const auto found = imports.find(input.name.text);
        if (found == imports.end()) {
            values.emplace_back();
            if (const auto given = context_.contents.find(input.name.text);
                given != context_.contents.end()) {
                values.back().push_back(uploaded(input.name.text, given->second));
                blame(input.name.span);
                continue;
            }
            const auto file = input_files_.find(input.name.text);
            if (file == input_files_.end()) continue; // the default stands for it
            values.back().push_back(file->second.add(graph_, input.name.text));
            blame(input.name.span);
            continue;
        }
        const ConfigImport& import = found->second;
        if (const auto* image = std::get_if<ImageDesc>(&import.desc))
            values.push_back(
                {PortValue::of(graph_.import_image(input.name.text, *image, import.state))});
        else
            values.push_back({PortValue::of(graph_.import_buffer(
                input.name.text, std::get<BufferDesc>(import.desc), import.state))});
        blame(input.name.span);
    }
    return values;
}

Result<LoadedAsset> ConfigBuilder::load_by(const PassDescriptor& decoder, const AssetSpec& spec,
                                           const AssetFolders& folders, Span span) {
    auto picture = load_device_picture(spec, folders, context_.cache, decoder, *context_.shaders);
    if (!picture) return propagate(std::move(picture));
    if (!picture->refused.empty())
        graph_.report({.code = "config/decoded-by-library",
                       .severity = Severity::note,
                       .message = fmt::format("the library decodes \"{}\", not the device: {}",
                                              spec.file, picture->refused.front().message),
                       .where = span.place(),
                       .hint = "leave \"decode\" out, or save the file as baseline JPEG"});
    return std::move(picture->asset);
}

std::optional<LoadedAsset> ConfigBuilder::load(AssetSpec spec, const std::filesystem::path& own,
                                               const std::filesystem::path* file, Span span,
                                               const PassDescriptor* decoder) {
    AssetFolders folders{.own = own, .confined_to = flat_.confined_to};
    std::vector<std::filesystem::path> allowed;
    if (file) { // whoever runs the config named it, and may
        spec.file = std::filesystem::absolute(*file).string();
        allowed = flat_.confined_to;
        if (!allowed.empty()) allowed.push_back(std::filesystem::path(spec.file).parent_path());
        folders.confined_to = allowed;
    }
    Result<LoadedAsset> loaded = decoder ? load_by(*decoder, spec, folders, span)
                                         : load_asset(spec, folders, context_.cache);
    if (loaded) {
        context_.files_read.insert(loaded->files.begin(), loaded->files.end());
        return std::move(*loaded);
    }
    // Users look for the mistake where they named the file; what the loader knows of places
    // inside the file goes into the message.
    for (Diagnostic& d : loaded.error()) {
        if (d.where.known() && !d.message.contains(d.where.file))
            d.message = fmt::format("{}: {}", d.where.file, d.message);
        d.where = span.place();
    }
    problems_.take(std::move(loaded.error()), span);
    return std::nullopt;
}

const std::filesystem::path* ConfigBuilder::file_of(const std::string& name) const {
    const auto found = context_.files.find(name);
    return flat_.is_body || found == context_.files.end() ? nullptr : &found->second;
}

void ConfigBuilder::load_assets() {
    const auto load_one = [&](std::uint32_t index) {
        if (assets_.contains(index)) return;
        const FlatAsset& asset = flat_.assets[index];
        const std::optional<AssetSpec> spec = evaluation_.asset(asset);
        if (!spec) return; // reported
        auto loaded = load(*spec, flat_.scopes[asset.scope].file->path.parent_path(),
                           asset.scope == 0 ? file_of(asset.decl->name.text) : nullptr,
                           asset.decl->span, asset.decoder);
        if (!loaded) return;
        if (loaded->key.empty()) loaded->key = fmt::format("#{}", context_.unshared_assets++);
        assets_.emplace(index, std::move(*loaded));
    };
    for (const InputDecl& input : flat_.main().inputs)
        if (const auto* file = file_of(input.name.text)) {
            AssetSpec spec;
            spec.kind = asset_kind(input.type.text);
            if (spec.kind == AssetKind::image && is_film_file(*file)) {
                spec.kind = AssetKind::film;
                spec.series.emplace().at = static_cast<double>(context_.frame.frame);
            }
            if (auto loaded = load(spec, {}, file, input.name.span))
                input_files_.emplace(input.name.text, std::move(*loaded));
        }
    for (std::uint32_t i = 0; i < flat_.assets.size(); ++i)
        if (flat_.assets[i].used) load_one(i);
    for (const Wire& wire : extra_wires_)
        if (wire.kind == Wire::Kind::asset) load_one(wire.index);
}

void ConfigBuilder::add_histories() {
    for (std::size_t i = 0; i < flat_.histories.size(); ++i) {
        const HistoryDecl& decl = *flat_.histories[i].decl;
        ImageDesc desc;
        desc.format = decl.format;
        desc.extent = histories_[i].extent;
        histories_[i].image = graph_.history_image(flat_.histories[i].path, desc, 1,
                                                   clear_value(decl.format, histories_[i].clear));
        if (histories_[i].part) {
            graph_.set_part(histories_[i].image.current, *histories_[i].part);
            blame(decl.part->span);
        }
        blame(decl.name.span);
    }
}

} // namespace tuff
