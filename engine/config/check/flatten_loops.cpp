// The part of Flattener that deals with passes and configs that repeat.

#include "config/check/flattener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tuff {

std::shared_ptr<FlatConfig> Flattener::run_body(std::unique_ptr<LoadedFile> main,
                                                std::vector<std::filesystem::path> users) {
    for (const HistoryDecl& history : main->config.histories)
        problems_.error("config/bad-loop", history.name.span,
                        fmt::format("history \"{}\" is in a config that is repeated or "
                                    "switched by \"when\"",
                                    history.name.text),
                        "keep the history outside, and give the config an input");
    users_ = std::move(users);
    flat_->is_body = true;
    auto flat = run(std::move(main));
    flat->is_body = true;
    sort_nodes(*flat, problems_);
    return flat;
}

std::shared_ptr<FlatConfig> Flattener::load_body(std::uint32_t scope, const NodeDecl& node) {
    const std::filesystem::path path =
        (flat_->scopes[scope].file->path.parent_path() / node.target.text).lexically_normal();
    if (closes_cycle(scope, node, path)) return nullptr;
    const auto [entry, is_new] = bodies_.try_emplace(path, nullptr);
    if (!is_new) return entry->second;
    std::unique_ptr<LoadedFile> file = read_used(path, node);
    if (!file) return nullptr;
    std::vector<std::filesystem::path> users = users_;
    for (std::uint32_t s = scope; s != kNoIndex; s = flat_->scopes[s].parent)
        users.push_back(flat_->scopes[s].file->path);
    Flattener inner(registry_, flat_->confined_to, problems_);
    inner.main_folder_ = main_folder_.value_or(flat_->files.front()->path.parent_path());
    return entry->second = inner.run_body(std::move(file), std::move(users));
}

std::uint32_t Flattener::add_loop(std::uint32_t scope, const NodeDecl& decl) {
    auto loop = std::make_shared<FlatLoop>();
    if (decl.use) {
        loop->body = load_body(scope, decl);
        if (!loop->body) return kNoIndex;
        const ConfigFile& file = loop->body->main();
        loop->face.name = decl.target.text;
        for (const InputDecl& input : file.inputs)
            loop->face.inputs.push_back(
                {input.name.text, {}, input.type.text, !input.fallback, false});
        for (const ParameterDecl& parameter : file.parameters) {
            loop->face.parameters.emplace_back();
            loop->face.parameters.back().name = parameter.name.text;
        }
        for (const FlatOutput& output : loop->body->outputs)
            loop->outputs.push_back(
                {output.decl->name.text, {}, wire_type(*loop->body, output.wire), true, false});
    } else {
        const PassDescriptor* pass = find_pass(scope, decl);
        if (!pass) return kNoIndex;
        loop->pass = pass;
        loop->face.name = pass->name;
        loop->face.inputs = pass->inputs;
        loop->face.parameters = pass->parameters;
        loop->outputs = pass->outputs;
    }
    connect_loop(*loop, decl);
    FlatNode node{.path = flat_->scopes[scope].path + decl.name.text,
                  .decl = &decl,
                  .pass = &loop->face,
                  .loop = loop,
                  .scope = scope,
                  .inputs = {},
                  .otherwise = {},
                  .arguments = {}};
    flat_->nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(flat_->nodes.size() - 1);
}

/// Looks up what the loop carries and what ends it, and gives its face outputs.
void Flattener::connect_loop(FlatLoop& loop, const NodeDecl& node) {
    const auto find_output = [&](const Placed& name) -> std::optional<std::uint32_t> {
        const auto found = std::ranges::find(loop.outputs, name.text, &PortInfo::name);
        if (found != loop.outputs.end())
            return static_cast<std::uint32_t>(found - loop.outputs.begin());
        problems_.error("config/unknown-port", name.span,
                        fmt::format("{} has no output \"{}\"", node.target.text, name.text),
                        suggest(name.text, port_names(loop.outputs)));
        return std::nullopt;
    };
    const auto is_resource = [](std::string_view type) {
        return type.empty() || type == "Image" || type == "Buffer";
    };
    for (const LoopDecl::Carried& carried : node.loop->carried) {
        const auto input = loop.face.find_input(carried.input.text);
        if (!input)
            problems_.error(
                "config/unknown-port", carried.input.span,
                fmt::format("{} has no input \"{}\"", node.target.text, carried.input.text),
                suggest(carried.input.text, port_names(loop.face.inputs)));
        const auto output = find_output(carried.output);
        if (!input || !output) continue;
        const PortInfo& from = loop.outputs[*output];
        check_type(from.type, loop.face.inputs[*input].type, carried.input.text,
                   carried.output.span);
        if (node.loop->until && !is_resource(from.type))
            problems_.error(
                "config/wrong-port-type", carried.output.span,
                fmt::format("\"until\" carries Images and Buffers, not the bundle {}", from.type));
        loop.carried.push_back({static_cast<std::uint32_t>(*input), *output});
    }
    if (!node.loop->until) {
        loop.face.outputs = loop.outputs;
        return;
    }
    if (const auto until = find_output(*node.loop->until)) {
        loop.until = *until;
        check_type(loop.outputs[*until].type, "Buffer", "until", node.loop->until->span);
    }
    for (const FlatLoop::Carried& carried : loop.carried)
        loop.face.outputs.push_back(loop.outputs[carried.output]);
    loop.face.outputs.push_back({"iterations", "how many ran", "Buffer", true, false});
    loop.face.outputs.back().elements.fixed = BufferElements::of<std::uint32_t>();
}

} // namespace tuff
