// The part of Flattener that looks up what inputs, outputs and histories are connected to.

#include "config/check/flattener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tuff {
namespace {

template <typename Decls>
std::vector<std::string> decl_names(const Decls& decls) {
    std::vector<std::string> names;
    for (const auto& decl : decls)
        names.push_back(decl.name.text);
    return names;
}

} // namespace

std::vector<std::string> port_names(const std::vector<PortInfo>& ports) {
    std::vector<std::string> names;
    for (const PortInfo& port : ports)
        names.push_back(port.name);
    return names;
}

std::vector<std::string> known_port_types(const PassRegistry& registry) {
    std::set<std::string> types = {"Image", "Buffer", "Scene"};
    for (const PassDescriptor& pass : registry.all())
        for (const auto* ports : {&pass.inputs, &pass.outputs})
            for (const PortInfo& port : *ports)
                types.emplace(port.type);
    return {types.begin(), types.end()};
}

void Flattener::check_input_types(const ConfigFile& file) {
    const std::vector<std::string> types = known_port_types(registry_);
    for (const InputDecl& input : file.inputs) {
        if (!input.type.text.empty() && std::ranges::find(types, input.type.text) == types.end())
            problems_.error("config/unknown-port-type", input.type.span,
                            fmt::format("there is no port type \"{}\"", input.type.text),
                            suggest(input.type.text, types));
        if (!input.fallback) continue;
        const auto asset = std::ranges::find_if(file.assets, [&](const AssetDecl& one) {
            return one.name.text == input.fallback->text;
        });
        if (asset == file.assets.end())
            problems_.error("config/unknown-wire", input.fallback->span,
                            fmt::format("the default of input \"{}\" must be an asset, and there "
                                        "is no asset \"{}\"",
                                        input.name.text, input.fallback->text),
                            suggest(input.fallback->text, decl_names(file.assets)));
        else
            check_type(port_type(asset->spec.kind), input.type.text, input.name.text,
                       input.fallback->span);
    }
}

void Flattener::connect_used(FlatScope& scope, const NodeDecl& node) {
    const ConfigFile& file = scope.file->config;
    scope.inputs.resize(file.inputs.size());
    scope.arguments.resize(file.parameters.size());
    for (const ConnectionDecl& connection : node.connections) {
        const auto found = scope.file->names.inputs.find(connection.port.text);
        if (found == scope.file->names.inputs.end())
            problems_.error(
                "config/unknown-port", connection.port.span,
                fmt::format("{} has no input \"{}\"", node.target.text, connection.port.text),
                suggest(connection.port.text, decl_names(file.inputs)));
        else if (connection.list)
            problems_.error("config/not-a-list", connection.port.span,
                            fmt::format("input \"{}\" takes one wire", connection.port.text));
        else if (!connection.wires.empty())
            scope.inputs[found->second] = &connection.wires.front();
    }
    for (const InputDecl& input : file.inputs) {
        const bool given = std::ranges::any_of(node.connections, [&](const ConnectionDecl& c) {
            return c.port.text == input.name.text;
        });
        if (!given && !input.fallback)
            problems_.error("config/missing-input", node.name.span,
                            fmt::format("input \"{}\" of {} is not connected", input.name.text,
                                        node.target.text),
                            fmt::format("add \"in\": {{\"{}\": \"node.port\"}}", input.name.text));
    }
    for (const ArgumentDecl& argument : node.arguments) {
        const auto found = scope.file->names.parameters.find(argument.name.text);
        if (found == scope.file->names.parameters.end())
            problems_.error(
                "config/unknown-parameter", argument.name.span,
                fmt::format("{} has no parameter \"{}\"", node.target.text, argument.name.text),
                suggest(argument.name.text, decl_names(file.parameters)));
        else
            scope.arguments[found->second] = &argument;
    }
}

void Flattener::connect_node(FlatNode& node) {
    const PassDescriptor& pass = *node.pass;
    const NodeDecl& decl = *node.decl;
    std::vector<bool> connected(pass.inputs.size());
    for (const ConnectionDecl& connection : decl.connections) {
        const auto port = pass.find_input(connection.port.text);
        if (!port) {
            problems_.error(
                "config/unknown-port", connection.port.span,
                fmt::format("pass \"{}\" has no input \"{}\"", pass.name, connection.port.text),
                suggest(connection.port.text, port_names(pass.inputs)));
            continue;
        }
        connected[*port] = true;
        const PortInfo& info = pass.inputs[*port];
        if (connection.list && !info.list)
            problems_.error("config/not-a-list", connection.port.span,
                            fmt::format("input \"{}\" takes one wire", info.name));
        for (const Placed& placed : connection.wires) {
            Wire wire = resolve_wire(*flat_, node.scope, placed, problems_);
            check_type(type_at(node.scope, placed, wire), info.type, info.name, placed.span);
            node.inputs.push_back(
                {static_cast<std::uint32_t>(*port), std::move(wire), placed.span});
        }
    }
    for (std::size_t i = 0; i < pass.inputs.size(); ++i)
        if (pass.inputs[i].required && !pass.inputs[i].list && !connected[i])
            problems_.error("config/missing-input", decl.name.span,
                            fmt::format("input \"{}\" of node \"{}\" ({}) is not connected",
                                        pass.inputs[i].name, decl.name.text, pass.name),
                            fmt::format("add \"in\": {{\"{}\": \"node.port\"}}; it takes: {}",
                                        pass.inputs[i].name, pass.inputs[i].type));
    connect_otherwise(node);
    std::vector<std::string> names;
    for (const ArgumentDecl& argument : decl.arguments) {
        if (const auto parameter = pass.find_parameter(argument.name.text)) {
            node.arguments.emplace_back(static_cast<std::uint32_t>(*parameter), &argument);
            continue;
        }
        if (names.empty())
            for (const ParameterInfo& info : pass.parameters)
                names.push_back(info.name);
        problems_.error(
            "config/unknown-parameter", argument.name.span,
            fmt::format("pass \"{}\" has no parameter \"{}\"", pass.name, argument.name.text),
            suggest(argument.name.text, names));
    }
}

void Flattener::connect_otherwise(FlatNode& node) {
    const PassDescriptor& pass = *node.pass;
    for (const NodeDecl::Otherwise& given : node.decl->otherwise) {
        std::optional<std::size_t> output = pass.find_output(given.output.text);
        if (given.output.text.empty() && pass.outputs.size() == 1) output = 0;
        if (!output && given.output.text.empty()) {
            problems_.error("config/bad-node", given.output.span,
                            fmt::format("\"else\" does not say which of the {} outputs of node "
                                        "\"{}\" it stands for",
                                        pass.outputs.size(), node.decl->name.text),
                            fmt::format("write {{\"{}\": \"{}\"}}",
                                        pass.outputs.empty() ? "output" : pass.outputs[0].name,
                                        given.wire.text));
            continue;
        }
        if (!output) {
            problems_.error("config/unknown-port", given.output.span,
                            fmt::format("{} has no output \"{}\"", pass.name, given.output.text),
                            suggest(given.output.text, port_names(pass.outputs)));
            continue;
        }
        Wire wire = resolve_wire(*flat_, node.scope, given.wire, problems_);
        check_type(type_at(node.scope, given.wire, wire), pass.outputs[*output].type,
                   pass.outputs[*output].name, given.wire.span);
        node.otherwise.push_back(
            {static_cast<std::uint32_t>(*output), std::move(wire), given.wire.span});
    }
}

void Flattener::check_use_inputs(std::uint32_t index) {
    const FlatScope& scope = flat_->scopes[index];
    const ConfigFile& file = scope.file->config;
    for (std::size_t i = 0; i < file.inputs.size(); ++i)
        if (const Placed* placed = scope.inputs[i])
            check_type(type_at(scope.parent, *placed,
                               resolve_wire(*flat_, scope.parent, *placed, problems_)),
                       file.inputs[i].type.text, file.inputs[i].name.text, placed->span);
    for (const OutputDecl& output : file.outputs)
        resolve_wire(*flat_, index, output.from, problems_);
}

void Flattener::connect_history(FlatHistory& history) {
    const Placed& from = history.decl->from;
    if (from.text.empty()) return;
    history.from = resolve_wire(*flat_, history.scope, from, problems_);
    check_type(type_at(history.scope, from, history.from), "Image", "history", from.span);
}

void Flattener::connect_outputs() {
    std::map<std::filesystem::path, const OutputDecl*> files;
    for (const OutputDecl& output : flat_->main().outputs) {
        Wire wire = resolve_wire(*flat_, 0, output.from, problems_);
        const std::string_view type = wire_type(*flat_, wire);
        if (!flat_->is_body && !type.empty() && type != "Image" && type != "Buffer")
            problems_.error(
                "config/wrong-port-type", output.from.span,
                fmt::format("an output is an Image or a Buffer, not the bundle {}", type),
                "name a member of the bundle, as \"node.port.member\"");
        if (output.file) {
            const auto [other, is_new] = files.try_emplace(
                std::filesystem::path(output.file->text).lexically_normal(), &output);
            if (!is_new)
                problems_.error("config/duplicate-file", output.file->span,
                                fmt::format("outputs \"{}\" and \"{}\" write the same file",
                                            other->second->name.text, output.name.text));
        }
        flat_->outputs.push_back({&output, std::move(wire)});
    }
}

/// The type a wire is known by where it is written: that of an input is the declared one, so that a
/// wrong wire is reported where the config is used and not inside it as well.
std::string_view Flattener::type_at(std::uint32_t scope, const Placed& placed,
                                    const Wire& wire) const {
    const LoadedFile& file = *flat_->scopes[scope].file;
    const auto input = file.names.inputs.find(placed.text);
    const bool shadowed =
        file.names.assets.contains(placed.text) || file.names.histories.contains(placed.text);
    if (input == file.names.inputs.end() || shadowed) return wire_type(*flat_, wire);
    return file.config.inputs[input->second].type.text;
}

void Flattener::check_type(std::string_view got, std::string_view wanted, std::string_view port,
                           Span span) {
    if (got.empty() || wanted.empty() || got == wanted) return;
    problems_.error(
        "config/wrong-port-type", span,
        fmt::format("\"{}\" takes type {}, but the wire carries type {}", port, wanted, got));
}

/// Marks what some wire begins at.
void Flattener::mark_used() {
    FlatConfig& flat = *flat_;
    const auto mark = [&](const Wire& wire) {
        if (wire.kind == Wire::Kind::asset) flat.assets[wire.index].used = true;
        if (wire.kind == Wire::Kind::history) flat.histories[wire.index].used = true;
    };
    for (const FlatNode& node : flat.nodes)
        for (const auto* inputs : {&node.inputs, &node.otherwise})
            for (const FlatInput& input : *inputs)
                mark(input.wire);
    for (const FlatHistory& history : flat.histories)
        mark(history.from);
    for (const FlatOutput& output : flat.outputs)
        mark(output.wire);
    for (const InputDecl& input : flat.main().inputs)
        if (const auto asset = fallback_of(flat, input)) flat.assets[*asset].used = true;
}

} // namespace tuff
