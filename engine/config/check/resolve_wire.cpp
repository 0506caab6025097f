#include "config/check/flat_config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

/// Wires that pass through used configs are followed this far; a longer chain goes in a circle.
constexpr int kMaxHops = 10'000;

struct SplitWire {
    std::string first;
    std::string rest;
};

SplitWire split(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return {std::string(text), {}};
    return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

std::string joined(std::string_view wire, std::string_view member) {
    return member.empty() ? std::string(wire) : fmt::format("{}.{}", wire, member);
}

std::uint32_t find(const FileNames::Map& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? kNoIndex : found->second;
}

std::vector<std::string> keys_of(const FileNames::Map& map) {
    std::vector<std::string> keys;
    for (const auto& [key, index] : map)
        keys.push_back(key);
    std::ranges::sort(keys);
    return keys;
}

/// All that a wire in this file may begin with.
std::vector<std::string> sources_in(const FileNames& names) {
    std::vector<std::string> all;
    for (const auto* map : {&names.nodes, &names.assets, &names.histories, &names.inputs})
        for (std::string& key : keys_of(*map))
            all.push_back(std::move(key));
    return all;
}

/// Follows one wire through the scopes.
class WireResolver {
  public:
    WireResolver(const FlatConfig& flat, Problems& problems) : flat_(flat), problems_(problems) {}

    Wire resolve(std::uint32_t scope, const Placed& wire) {
        scope_ = scope;
        text_ = wire.text;
        span_ = wire.span;
        for (int hop = 0; hop < kMaxHops; ++hop)
            if (std::optional<Wire> found = step()) return *found;
        problems_.error(
            "config/cycle", wire.span,
            fmt::format("wire \"{}\" leads in a circle through used configs", wire.text));
        return {};
    }

  private:
    std::optional<Wire> step() {
        const FlatScope& scope = flat_.scopes[scope_];
        const FileNames& names = scope.file->names;
        const auto [first, rest] = split(text_);
        if (const std::uint32_t node = find(names.nodes, first); node != kNoIndex)
            if (!rest.empty() || !is_plain_source(names, first))
                return step_to_node(scope, node, rest);
        if (const std::uint32_t asset = find(names.assets, first); asset != kNoIndex)
            return Wire{Wire::Kind::asset, scope.first_asset + asset, 0, rest};
        if (const std::uint32_t history = find(names.histories, first); history != kNoIndex)
            return Wire{Wire::Kind::history, scope.first_history + history, 0, rest};
        if (const std::uint32_t input = find(names.inputs, first); input != kNoIndex) {
            if (scope.parent == kNoIndex) return Wire{Wire::Kind::input, input, 0, rest};
            const Placed* outer = scope.inputs[input];
            if (!outer) {
                const auto& fallback = scope.file->config.inputs[input].fallback;
                const std::uint32_t asset =
                    fallback ? find(names.assets, fallback->text) : kNoIndex;
                if (asset == kNoIndex) return Wire{}; // reported with the file's or user's inputs
                return Wire{Wire::Kind::asset, scope.first_asset + asset, 0, rest};
            }
            text_ = joined(outer->text, rest);
            span_ = outer->span;
            scope_ = scope.parent;
            return std::nullopt;
        }
        problems_.error("config/unknown-wire", span_,
                        fmt::format("wire \"{}\" begins at nothing: there is no node, asset, "
                                    "history or input \"{}\"",
                                    text_, first),
                        suggest(first, sources_in(names)));
        return Wire{};
    }

    /// A bare name that is both a node and an asset means the asset.
    static bool is_plain_source(const FileNames& names, const std::string& name) {
        return names.assets.contains(name) || names.histories.contains(name) ||
               names.inputs.contains(name);
    }

    std::optional<Wire> step_to_node(const FlatScope& scope, std::uint32_t node,
                                     const std::string& rest) {
        const NodeDecl& decl = scope.file->config.nodes[node];
        const std::uint32_t target = scope.nodes[node];
        const auto [port, member] = split(rest);
        if (target == kNoIndex) return Wire{}; // the node itself is faulty, and reported
        if (decl.is_plain_use()) {
            const LoadedFile& used = *flat_.scopes[target].file;
            const std::uint32_t output = find(used.names.outputs, port);
            if (output == kNoIndex) return unknown_port(decl, port, keys_of(used.names.outputs));
            text_ = joined(used.config.outputs[output].from.text, member);
            span_ = used.config.outputs[output].from.span;
            scope_ = target;
            return std::nullopt;
        }
        const PassDescriptor& pass = *flat_.nodes[target].pass;
        const std::optional<std::size_t> output = pass.find_output(port);
        if (!output) return unknown_port(decl, port, port_names(pass.outputs));
        return Wire{Wire::Kind::node, target, static_cast<std::uint32_t>(*output), member};
    }

    Wire unknown_port(const NodeDecl& decl, const std::string& port,
                      const std::vector<std::string>& ports) {
        problems_.error("config/unknown-port", span_,
                        port.empty() ? fmt::format("wire \"{}\" does not say which output of the "
                                                   "node it means",
                                                   text_)
                                     : fmt::format("node \"{}\" ({}) has no output \"{}\"",
                                                   decl.name.text, decl.target.text, port),
                        suggest(port, ports));
        return {};
    }

    const FlatConfig& flat_;
    Problems& problems_;
    std::uint32_t scope_ = 0;
    std::string text_;
    Span span_;
};

} // namespace

FileNames::FileNames(const ConfigFile& file) {
    const auto fill = [](Map& map, const auto& decls) {
        for (std::uint32_t i = 0; i < decls.size(); ++i)
            map.emplace(decls[i].name.text, i);
    };
    fill(parameters, file.parameters);
    fill(assets, file.assets);
    fill(histories, file.histories);
    fill(inputs, file.inputs);
    fill(nodes, file.nodes);
    fill(outputs, file.outputs);
}

Wire resolve_wire(const FlatConfig& flat, std::uint32_t scope, const Placed& wire,
                  Problems& problems) {
    return WireResolver(flat, problems).resolve(scope, wire);
}

std::optional<std::uint32_t> fallback_of(const FlatConfig& flat, const InputDecl& input) {
    if (!input.fallback) return std::nullopt;
    const FlatScope& main = flat.scopes.front();
    const std::uint32_t asset = find(main.file->names.assets, input.fallback->text);
    if (asset == kNoIndex) return std::nullopt; // reported
    return main.first_asset + asset;
}

std::string_view wire_type(const FlatConfig& flat, const Wire& wire) {
    if (!wire.member.empty()) return {};
    switch (wire.kind) {
    case Wire::Kind::none: return {};
    case Wire::Kind::node: return flat.nodes[wire.index].pass->outputs[wire.port].type;
    case Wire::Kind::asset: return port_type(flat.assets[wire.index].decl->spec.kind);
    case Wire::Kind::history: return "Image";
    case Wire::Kind::input: return flat.main().inputs[wire.index].type.text;
    }
    return {};
}

} // namespace tuff
