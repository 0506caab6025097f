#include "config/build/config_builder.hpp"
#include "config/check/evaluation.hpp"
#include "config/check/flat_config.hpp"
#include "config/read/setting.hpp"

#include <tuff/config.hpp>
#include <tuff/file_kinds.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

Result<std::shared_ptr<const FlatConfig>> check_config(std::string text,
                                                       const std::filesystem::path& path,
                                                       const PassRegistry& registry,
                                                       const ConfigOptions& options) {
    Problems problems;
    auto source = std::make_shared<const SourceFile>(path.string(), std::move(text));
    std::optional<ConfigFile> file = read_config(source, problems);
    if (!file) return std::unexpected(std::move(problems).finish());
    auto main = make_loaded_file(path.lexically_normal(), std::move(*file), problems);
    std::shared_ptr<FlatConfig> flat =
        flatten(std::move(main), registry, options.confined_to, problems);
    sort_nodes(*flat, problems);
    check_values(*flat, problems);
    if (problems.any_error()) return std::unexpected(std::move(problems).finish());
    warn_unused(*flat, problems);
    flat->warnings = std::move(problems).finish();
    return flat;
}

/// What a parameter's value follows, as the file writes it; empty for plain values.
std::string followed(const ValueExpr& value) {
    if (value.kind == ValueExpr::Kind::reference) return "$" + value.text;
    if (value.kind == ValueExpr::Kind::formula) return "=" + value.text;
    if (value.kind == ValueExpr::Kind::keys) return "keyframes";
    bool refers = false;
    for_each_reference(value, [&](const std::string&, Span) { refers = true; });
    return refers ? "expressions" : "";
}

/// The config and the configs that its loops repeat.
template <typename Visit>
void for_each_config(const FlatConfig& flat, const Visit& visit) {
    visit(flat);
    for (const FlatNode& node : flat.nodes)
        if (node.loop && node.loop->body) for_each_config(*node.loop->body, visit);
}

/// Their files.
template <typename Visit>
void for_each_file(const FlatConfig& flat, const Visit& visit) {
    for_each_config(flat, [&](const FlatConfig& config) {
        for (const auto& file : config.files)
            visit(*file);
    });
}

} // namespace

Config::Config(std::shared_ptr<const FlatConfig> flat)
    : flat_(std::move(flat)), size_(flat_->main().size) {}

Result<Config> Config::load(const std::filesystem::path& path, const PassRegistry& registry,
                            const ConfigOptions& options) {
    Result<std::string> text = read_text_file(path);
    if (!text) return propagate(std::move(text));
    auto flat = check_config(std::move(*text), path, registry, options);
    if (!flat) return propagate(std::move(flat));
    return Config(std::move(*flat));
}

Result<Config> Config::parse(std::string_view text, const std::filesystem::path& file_name,
                             const PassRegistry& registry, const ConfigOptions& options) {
    auto flat = check_config(std::string(text), file_name, registry, options);
    if (!flat) return propagate(std::move(flat));
    return Config(std::move(*flat));
}

Result<void> Config::set(std::string_view name, std::string_view value_text) {
    const Setting setting{name, value_text};
    if (name == "width" || name == "height") {
        const Result<std::uint32_t> side = read_side(setting);
        if (!side) return std::unexpected(side.error());
        size_[name == "width" ? 0 : 1] = *side;
        return {};
    }
    Result<ParameterValue> value = read_setting(*flat_, size_, setting);
    if (!value) return propagate(std::move(value));
    overrides_.insert_or_assign(std::string(name), std::move(*value));
    return {};
}

void Config::unset() {
    size_ = flat_->main().size;
    overrides_.clear();
}

Result<void> Config::add_output(std::string_view wire) {
    Problems problems;
    const std::string text(wire);
    ConfigBuilder::resolve_extra(*flat_, text, problems);
    if (problems.any_error()) return std::unexpected(std::move(problems).finish());
    const bool taken = std::ranges::find(extra_outputs_, text) != extra_outputs_.end();
    if (!taken) extra_outputs_.push_back(text);
    return {};
}

Result<void> Config::import_image(std::string_view input, const ImageDesc& desc,
                                  const ImportState& state) {
    return import(input, "Image", {desc, state});
}

Result<void> Config::import_buffer(std::string_view input, const BufferDesc& desc,
                                   const ImportState& state) {
    return import(input, "Buffer", {desc, state});
}

Result<void> Config::check_input(std::string_view input, std::string_view type) const {
    const std::vector<InputDecl>& inputs = flat_->main().inputs;
    const auto found =
        std::ranges::find_if(inputs, [&](const InputDecl& d) { return d.name.text == input; });
    if (found == inputs.end()) {
        std::vector<std::string> known;
        for (const InputDecl& decl : inputs)
            known.push_back(decl.name.text);
        return fail("config/unknown-port", fmt::format("the config has no input \"{}\"", input),
                    suggest(input, known));
    }
    if (found->type.text != type)
        return fail("config/wrong-port-type", fmt::format("input \"{}\" is of type {}, not {}",
                                                          input, found->type.text, type));
    return {};
}

Result<void> Config::import(std::string_view input, std::string_view type, ConfigImport import) {
    if (auto known = check_input(input, type); !known) return known;
    imports_.insert_or_assign(std::string(input), std::move(import));
    return {};
}

Result<void> Config::set_contents(std::string_view input, const ImageDesc& desc,
                                  std::shared_ptr<const std::vector<std::byte>> texels) {
    const bool plain = desc.mips == 1 && desc.layers == 1 && desc.samples == 1;
    const std::uint64_t bytes = plain ? byte_size(desc.format, desc.extent) : 0;
    return keep_contents(input, "Image", bytes, {desc, std::move(texels)});
}

Result<void> Config::set_contents(std::string_view input, const BufferDesc& desc,
                                  std::shared_ptr<const std::vector<std::byte>> bytes) {
    return keep_contents(input, "Buffer", desc.size, {desc, std::move(bytes)});
}

Result<void> Config::keep_contents(std::string_view input, std::string_view type,
                                   std::uint64_t wanted, ConfigContents contents) {
    if (auto known = check_input(input, type); !known) return known;
    if (wanted == 0 || !contents.bytes || contents.bytes->size() != wanted)
        return fail("config/wrong-size",
                    fmt::format("input \"{}\" was given {} bytes, but takes {}", input,
                                contents.bytes ? contents.bytes->size() : 0, wanted));
    contents_.insert_or_assign(std::string(input), std::move(contents));
    return {};
}

Result<void> Config::set_file(std::string_view name, const std::filesystem::path& file) {
    std::vector<std::string> known;
    std::string why;
    for (const AssetDecl& asset : flat_->main().assets) {
        if (asset.spec.kind == AssetKind::generate || asset.spec.kind == AssetKind::scene ||
            asset.spec.kind == AssetKind::text)
            continue;
        known.push_back(asset.name.text);
    }
    for (const InputDecl& input : flat_->main().inputs) {
        known.push_back(input.name.text);
        const bool has_files = port_type(asset_kind(input.type.text)) == input.type.text;
        if (input.name.text == name && !has_files)
            return fail("config/wrong-port-type",
                        fmt::format("input \"{}\" is of type {}, which cannot come from a file",
                                    name, input.type.text));
    }
    if (std::ranges::find(known, name) == known.end())
        return fail("config/unknown-input",
                    fmt::format("the config has no input and no file asset \"{}\"", name),
                    suggest(name, known));
    files_.insert_or_assign(std::string(name), file);
    return {};
}

std::vector<std::string> Config::open_inputs() const {
    std::vector<std::string> open;
    for (const InputDecl& input : flat_->main().inputs)
        if (!imports_.contains(input.name.text) && !files_.contains(input.name.text) &&
            !contents_.contains(input.name.text) && !fallback_of(*flat_, input))
            open.push_back(fmt::format("{} ({})", input.name.text, input.type.text));
    return open;
}

Result<void> Config::set_output_access(std::string_view output, Access access) {
    std::vector<std::string> known;
    for (const ConfiguredOutput& one : outputs())
        known.push_back(one.name);
    if (std::ranges::find(known, output) == known.end())
        return fail("config/unknown-port", fmt::format("the config has no output \"{}\"", output),
                    suggest(output, known));
    output_accesses_.insert_or_assign(std::string(output), access);
    return {};
}

Result<ConfiguredGraph> Config::build(const ShaderInterfaces& shaders, AssetCache& assets,
                                      const FrameTime& frame, const DeviceCaps& target,
                                      const PoolSizes& pools) const {
    BuildContext context{.graph = Graph(shaders),
                         .cache = assets,
                         .size = size_,
                         .frame = frame,
                         .domain = domain_input()};
    context.shaders = &shaders;
    context.files = files_;
    context.contents = contents_;
    context.graph.set_ranks(ranks_);
    context.graph.set_target(target);
    context.graph.set_pools(pools);
    return ConfigBuilder(*flat_, overrides_, extra_outputs_, context)
        .build(imports_, output_accesses_);
}

Result<void> Config::set_ranks(const Ranks& ranks) {
    const ConfigDomain* const own = domain();
    if (!own)
        return fail("config/no-domain", "the config has no domain, which ranks could divide",
                    "declare it: \"domain\": {\"cells\": [512, 512, 1], \"ranks\": [2, 2, 1]}");
    if (auto ok = ranks.check(own->cells); !ok) return ok;
    ranks_ = ranks;
    return {};
}

const ConfigDomain* Config::domain() const {
    const std::optional<ConfigDomain>& own = flat_->main().domain;
    return own ? &*own : nullptr;
}

/// What values of the domain are worked out from.
std::optional<DomainInput> Config::domain_input() const {
    const ConfigDomain* const own = domain();
    if (!own) return std::nullopt;
    return DomainInput{.cells = own->cells, .ranks = ranks_};
}

const std::string& Config::description() const {
    return flat_->main().description;
}

const std::string& Config::credits() const {
    return flat_->main().credits;
}

std::vector<ConfigParameter> Config::parameters() const {
    Problems ignored; // found when the config was loaded, or when it is built
    const Evaluation evaluation(*flat_, {size_, overrides_, {}, {}, domain_input()}, ignored);
    const auto& values = evaluation.parameters(0);
    std::vector<ConfigParameter> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ParameterDecl& decl = flat_->main().parameters[i];
        const bool overridden = overrides_.contains(decl.name.text);
        result.push_back({.name = decl.name.text,
                          .doc = decl.doc,
                          .value = values[i] ? values[i]->value : ParameterValue{},
                          .low = decl.low,
                          .high = decl.high,
                          .follows = overridden ? "" : followed(decl.value)});
    }
    return result;
}

std::map<std::string, ParameterValue, std::less<>> Config::values(const FrameTime& frame) const {
    Problems ignored; // reported when the graph is built
    Evaluation evaluation(*flat_, {size_, overrides_, frame, {}, domain_input()}, ignored);
    const IterationScope first(evaluation, 0);
    std::map<std::string, ParameterValue, std::less<>> result = overrides_;
    const auto& own = evaluation.parameters(0);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (own[i]) result.insert_or_assign(flat_->main().parameters[i].name.text, own[i]->value);
    for (const NodeDecl& node : flat_->main().nodes)
        for (const ArgumentDecl& argument : node.arguments)
            if (const auto value = evaluation.value(0, argument.value))
                result.try_emplace(node.name.text + "." + argument.name.text, value->value);
    return result;
}

std::vector<ConfiguredOutput> Config::outputs() const {
    std::vector<ConfiguredOutput> result;
    for (const FlatOutput& output : flat_->outputs) {
        const OutputDecl& decl = *output.decl;
        result.push_back({.name = decl.name.text,
                          .file = decl.file ? decl.file->text : "",
                          .type = std::string(wire_type(*flat_, output.wire)),
                          .where = decl.file ? decl.file->span.place() : SourcePlace{},
                          .of_field = decl.part.has_value()});
    }
    for (const std::string& extra : extra_outputs_)
        result.push_back({.name = extra});
    return result;
}

const Diagnostics& Config::warnings() const {
    return flat_->warnings;
}

std::vector<std::filesystem::path> Config::files() const {
    std::vector<std::filesystem::path> result;
    for_each_file(*flat_, [&](const LoadedFile& file) {
        if (std::ranges::find(result, file.path) == result.end()) result.push_back(file.path);
    });
    for_each_config(*flat_, [&](const FlatConfig& config) {
        for (const std::filesystem::path& file : config.kernel_files)
            if (std::ranges::find(result, file) == result.end()) result.push_back(file);
    });
    return result;
}

std::vector<std::string> Config::nodes() const {
    std::vector<std::string> names;
    for (const NodeDecl& decl : flat_->main().nodes)
        names.push_back(decl.name.text);
    std::ranges::sort(names);
    return names;
}

const PassDescriptor* Config::pass_of(std::string_view node) const {
    for (const FlatNode& flat : flat_->nodes)
        if (flat.scope == 0 && flat.decl->name.text == node && !flat.decl->use)
            return flat.loop ? flat.loop->pass : flat.pass;
    return nullptr;
}

std::vector<const PassDescriptor*> Config::kernels() const {
    std::vector<const PassDescriptor*> result;
    for (const NodeDecl& decl : flat_->main().nodes) {
        if (!decl.kernel || decl.kernel->is_inline) continue;
        const PassDescriptor* pass = pass_of(decl.name.text);
        const bool known = !pass || std::ranges::any_of(result, [&](const PassDescriptor* other) {
            return other->name == pass->name;
        });
        if (!known) result.push_back(pass);
    }
    return result;
}

bool Config::animated() const {
    bool result = std::ranges::any_of(flat_->main().inputs, [&](const InputDecl& input) {
        const auto file = files_.find(input.name.text);
        return file != files_.end() && input.type.text == "Image" && is_film_file(file->second);
    });
    const auto look = [&](const ValueExpr& expr) {
        std::vector<double> times;
        collect_key_times(expr, times);
        result |= !times.empty();
        for_each_reference(expr, [&](const std::string& name, Span) {
            result |= name == "frame" || name == "time" || name == "dt";
        });
    };
    for_each_file(*flat_, [&](const LoadedFile& file) { for_each_value(file.config, look); });
    return result;
}

} // namespace tuff
