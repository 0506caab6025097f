#include "config/flat_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace tuff {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 64u << 20;
/// Configs that use each other twice over grow without bound; this many nodes are enough.
constexpr std::size_t kMaxNodes = 500'000;

std::vector<std::string> port_names(const std::vector<PortInfo>& ports) {
    std::vector<std::string> names;
    for (const PortInfo& port : ports)
        names.push_back(port.name);
    return names;
}

void mark_used(FlatConfig& flat);

template <typename Decls>
std::vector<std::string> decl_names(const Decls& decls) {
    std::vector<std::string> names;
    for (const auto& decl : decls)
        names.push_back(decl.name.text);
    return names;
}

class Flattener {
  public:
    Flattener(const PassRegistry& registry, Problems& problems)
        : registry_(registry), problems_(problems), flat_(std::make_shared<FlatConfig>()) {}

    std::shared_ptr<FlatConfig> run(std::unique_ptr<LoadedFile> main);
    /// The same for the body of a loop; `users` are the files around it.
    std::shared_ptr<FlatConfig> run_body(std::unique_ptr<LoadedFile> main,
                                         std::vector<std::filesystem::path> users);

  private:
    using Bodies = std::map<std::filesystem::path, std::shared_ptr<FlatConfig>>;
    std::uint32_t add_loop(std::uint32_t scope, const NodeDecl& node);
    std::shared_ptr<FlatConfig> load_body(std::uint32_t scope, const NodeDecl& node);
    std::unique_ptr<LoadedFile> read_used(const std::filesystem::path& path, const NodeDecl& node);
    bool closes_cycle(std::uint32_t scope, const NodeDecl& node, const std::filesystem::path& path);
    void connect_loop(FlatLoop& loop, const NodeDecl& node);
    void check_input_types(const ConfigFile& file);
    void expand(std::uint32_t scope);
    std::uint32_t add_used(std::uint32_t scope, const NodeDecl& node);
    std::uint32_t add_pass(std::uint32_t scope, const NodeDecl& node);
    const LoadedFile* load_used(const LoadedFile& user, const NodeDecl& node);
    void connect_used(FlatScope& scope, const NodeDecl& node);
    void connect_node(FlatNode& node);
    void check_use_inputs(std::uint32_t scope);
    void connect_history(FlatHistory& history);
    void connect_outputs();
    std::string_view type_at(std::uint32_t scope, const Placed& placed, const Wire& wire) const;
    void check_type(std::string_view got, std::string_view wanted, std::string_view port,
                    Span span);

    const PassRegistry& registry_;
    Problems& problems_;
    std::shared_ptr<FlatConfig> flat_;
    std::map<std::filesystem::path, const LoadedFile*> loaded_; ///< null: could not be read
    Bodies bodies_;                                             ///< null: could not be read
    std::vector<std::filesystem::path> users_; ///< files whose loops this config is the body of
    bool too_large_ = false;
};

/// The main config without nodes: what is left to check of one that is too large.
FlatConfig only_main(FlatConfig flat) {
    flat.nodes.clear();
    flat.assets.clear();
    flat.histories.clear();
    flat.scopes.resize(1);
    flat.scopes.front().nodes.clear();
    return flat;
}

std::shared_ptr<FlatConfig> Flattener::run_body(std::unique_ptr<LoadedFile> main,
                                                std::vector<std::filesystem::path> users) {
    for (const HistoryDecl& history : main->config.histories)
        problems_.error(
            "config/bad-loop", history.name.span,
            fmt::format("history \"{}\" is in a config that is repeated", history.name.text),
            "keep the history outside, and give the config an input");
    users_ = std::move(users);
    flat_->is_body = true;
    auto flat = run(std::move(main));
    flat->is_body = true;
    sort_nodes(*flat, problems_);
    return flat;
}

std::shared_ptr<FlatConfig> Flattener::run(std::unique_ptr<LoadedFile> main) {
    for (const InputDecl& input : main->config.inputs) {
        if (flat_->is_body) break;
        problems_.error("config/unconnected-input", input.name.span,
                        fmt::format("input \"{}\" is connected to nothing", input.name.text),
                        "a config with inputs can only be used as a node of another config");
    }
    FlatScope root{.file = main.get()};
    root.inputs.resize(main->config.inputs.size());
    root.arguments.resize(main->config.parameters.size());
    loaded_[main->path] = main.get();
    flat_->files.push_back(std::move(main));
    flat_->scopes.push_back(std::move(root));
    for (std::uint32_t scope = 0; scope < flat_->scopes.size() && !too_large_; ++scope)
        expand(scope);
    if (too_large_) return std::make_shared<FlatConfig>(only_main(std::move(*flat_)));

    for (FlatNode& node : flat_->nodes)
        connect_node(node);
    for (std::uint32_t scope = 1; scope < flat_->scopes.size(); ++scope)
        check_use_inputs(scope);
    for (FlatHistory& history : flat_->histories)
        connect_history(history);
    connect_outputs();
    mark_used(*flat_);
    return std::move(flat_);
}

void Flattener::check_input_types(const ConfigFile& file) {
    const std::vector<std::string> types = known_port_types(registry_);
    for (const InputDecl& input : file.inputs)
        if (!input.type.text.empty() && std::ranges::find(types, input.type.text) == types.end())
            problems_.error("config/unknown-port-type", input.type.span,
                            fmt::format("there is no port type \"{}\"", input.type.text),
                            suggest(input.type.text, types));
}

void Flattener::expand(std::uint32_t index) {
    // Adding scopes moves them: the scope is looked up anew after each.
    const LoadedFile& file = *flat_->scopes[index].file;
    check_input_types(file.config);
    const std::string path = flat_->scopes[index].path;
    flat_->scopes[index].first_asset = static_cast<std::uint32_t>(flat_->assets.size());
    flat_->scopes[index].first_history = static_cast<std::uint32_t>(flat_->histories.size());
    for (const AssetDecl& asset : file.config.assets)
        flat_->assets.push_back({.path = path + asset.name.text, .decl = &asset, .scope = index});
    for (const HistoryDecl& history : file.config.histories)
        flat_->histories.push_back(
            {.path = path + history.name.text, .decl = &history, .scope = index, .from = {}});
    for (const NodeDecl& node : file.config.nodes) {
        std::uint32_t target = kNoIndex;
        if (flat_->nodes.size() + flat_->scopes.size() >= kMaxNodes) {
            if (!too_large_)
                problems_.error("config/too-large", node.name.span,
                                fmt::format("the config has more than {} nodes", kMaxNodes));
            too_large_ = true;
        } else if (!node.target.text.empty()) {
            target = node.loop  ? add_loop(index, node)
                     : node.use ? add_used(index, node)
                                : add_pass(index, node);
        }
        flat_->scopes[index].nodes.push_back(target);
    }
}

std::uint32_t Flattener::add_pass(std::uint32_t scope, const NodeDecl& decl) {
    const PassDescriptor* pass = registry_.find(decl.target.text);
    if (!pass) {
        problems_.error("config/unknown-pass", decl.target.span,
                        fmt::format("there is no pass \"{}\"", decl.target.text),
                        suggest(decl.target.text, registry_.names()));
        return kNoIndex;
    }
    flat_->nodes.push_back({.path = flat_->scopes[scope].path + decl.name.text,
                            .decl = &decl,
                            .pass = pass,
                            .loop = {},
                            .scope = scope,
                            .inputs = {},
                            .arguments = {}});
    return static_cast<std::uint32_t>(flat_->nodes.size() - 1);
}

std::uint32_t Flattener::add_used(std::uint32_t scope, const NodeDecl& decl) {
    const LoadedFile* file = load_used(*flat_->scopes[scope].file, decl);
    if (!file || closes_cycle(scope, decl, file->path)) return kNoIndex;
    FlatScope used{.file = file,
                   .parent = scope,
                   .user = &decl,
                   .path = flat_->scopes[scope].path + decl.name.text + "/"};
    connect_used(used, decl);
    flat_->scopes.push_back(std::move(used));
    return static_cast<std::uint32_t>(flat_->scopes.size() - 1);
}

const LoadedFile* Flattener::load_used(const LoadedFile& user, const NodeDecl& node) {
    const std::filesystem::path path =
        (user.path.parent_path() / node.target.text).lexically_normal();
    const auto [entry, is_new] = loaded_.try_emplace(path, nullptr);
    if (!is_new) return entry->second;
    std::unique_ptr<LoadedFile> file = read_used(path, node);
    if (!file) return nullptr;
    flat_->files.push_back(std::move(file));
    return entry->second = flat_->files.back().get();
}

std::unique_ptr<LoadedFile> Flattener::read_used(const std::filesystem::path& path,
                                                 const NodeDecl& node) {
    Result<std::string> text = read_text_file(path);
    if (!text) {
        Diagnostics wrong = std::move(text.error());
        for (Diagnostic& d : wrong)
            d.where = node.target.span.place();
        problems_.take(std::move(wrong), node.target.span);
        return nullptr;
    }
    auto source = std::make_shared<const SourceFile>(path.string(), std::move(*text));
    std::optional<ConfigFile> config = read_config(std::move(source), problems_);
    if (!config) return nullptr;
    FileNames names(*config);
    return std::make_unique<LoadedFile>(LoadedFile{path, std::move(*config), std::move(names)});
}

bool Flattener::closes_cycle(std::uint32_t scope, const NodeDecl& node,
                             const std::filesystem::path& path) {
    std::vector<std::filesystem::path> around;
    for (std::uint32_t s = scope; s != kNoIndex; s = flat_->scopes[s].parent)
        around.push_back(flat_->scopes[s].file->path);
    around.insert(around.end(), users_.rbegin(), users_.rend());
    std::vector<std::string> chain = {path.filename().string()};
    for (const std::filesystem::path& user : around) {
        chain.push_back(user.filename().string());
        if (user != path) continue;
        std::ranges::reverse(chain);
        problems_.error("config/use-cycle", node.target.span,
                        fmt::format("the config uses itself: {}", fmt::join(chain, " -> ")));
        return true;
    }
    return false;
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
    return entry->second =
               Flattener(registry_, problems_).run_body(std::move(file), std::move(users));
}

std::uint32_t Flattener::add_loop(std::uint32_t scope, const NodeDecl& decl) {
    auto loop = std::make_shared<FlatLoop>();
    if (decl.use) {
        loop->body = load_body(scope, decl);
        if (!loop->body) return kNoIndex;
        const ConfigFile& file = loop->body->main();
        loop->face.name = decl.target.text;
        for (const InputDecl& input : file.inputs)
            loop->face.inputs.push_back({input.name.text, {}, input.type.text, true, false});
        for (const ParameterDecl& parameter : file.parameters) {
            loop->face.parameters.emplace_back();
            loop->face.parameters.back().name = parameter.name.text;
        }
        for (const FlatOutput& output : loop->body->outputs)
            loop->outputs.push_back(
                {output.decl->name.text, {}, wire_type(*loop->body, output.wire), true, false});
    } else {
        const PassDescriptor* pass = registry_.find(decl.target.text);
        if (!pass) return add_pass(scope, decl); // which reports it
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
        if (!given)
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
void mark_used(FlatConfig& flat) {
    const auto mark = [&](const Wire& wire) {
        if (wire.kind == Wire::Kind::asset) flat.assets[wire.index].used = true;
        if (wire.kind == Wire::Kind::history) flat.histories[wire.index].used = true;
    };
    for (const FlatNode& node : flat.nodes)
        for (const FlatInput& input : node.inputs)
            mark(input.wire);
    for (const FlatHistory& history : flat.histories)
        mark(history.from);
    for (const FlatOutput& output : flat.outputs)
        mark(output.wire);
}

} // namespace

std::vector<std::string> known_port_types(const PassRegistry& registry) {
    std::set<std::string> types = {"Image", "Buffer", "Scene"};
    for (const PassDescriptor& pass : registry.all())
        for (const auto* ports : {&pass.inputs, &pass.outputs})
            for (const PortInfo& port : *ports)
                types.emplace(port.type);
    return {types.begin(), types.end()};
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return fail(Diagnostic{.code = "config/not-found",
                               .message = fmt::format("there is no file {}", path.string()),
                               .where = {.file = path.string(), .line_text = {}}});
    const auto unreadable = [&](std::string_view why) {
        return fail(Diagnostic{.code = "config/unreadable",
                               .message = fmt::format("cannot read {}: {}", path.string(), why),
                               .where = {.file = path.string(), .line_text = {}}});
    };
    if (std::filesystem::is_directory(status)) return unreadable("it is a folder");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return unreadable("it cannot be opened");
    // Devices and pipes have no size of their own, so the limit is on what is read.
    std::string text;
    std::vector<char> block(1 << 16);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())),
           stream.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kMaxFileBytes)
            return fail(Diagnostic{.code = "config/too-large",
                                   .message = fmt::format("{} is larger than {} MiB", path.string(),
                                                          kMaxFileBytes >> 20),
                                   .where = {.file = path.string(), .line_text = {}}});
    }
    if (stream.bad()) return unreadable("an input error occurred");
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return text;
}

std::shared_ptr<FlatConfig> flatten(std::unique_ptr<LoadedFile> main, const PassRegistry& registry,
                                    Problems& problems) {
    return Flattener(registry, problems).run(std::move(main));
}

} // namespace tuff
