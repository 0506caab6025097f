#include "config/build/config_builder.hpp"

#include "config/build/volume_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tuff {
namespace {

std::vector<std::string> member_names(const PortValue& value) {
    std::vector<std::string> names;
    for (const PortMember& member : value.members)
        names.push_back(member.name);
    return names;
}

bool errors_since(const Graph& graph, std::size_t before) {
    const Diagnostics& all = graph.peek().diagnostics;
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
}

/// False for images and buffers that no node has made; bundles count as made.
bool is_made(const PortValue& value) {
    if (!value.value.has_value()) return false; // of a loop that ran no iteration
    if (const auto* image = value.get<Image>()) return bool(*image);
    if (const auto* buffer = value.get<Buffer>()) return bool(*buffer);
    return true;
}

/// What a diagnostic of the graph is about: the thing it belongs to, or the part of one of its
/// arguments that `where` quotes. A pass that is given a text says with `line_text`, and no file,
/// that its fault lies there.
Span fault_of(const Blame& blame, const SourcePlace& where) {
    if (!blame.node || where.line_text.empty()) return blame.span;
    for (const ArgumentDecl& argument : blame.node->arguments) {
        const Span& span = argument.value.span;
        if (argument.value.text != where.line_text || !span.file) continue;
        const std::string_view written =
            span.file->text().substr(span.begin, span.end - span.begin);
        const std::size_t at = written.find(where.line_text);
        if (at == std::string_view::npos) return span; // written with escapes
        const std::size_t begin = span.begin + at + static_cast<std::size_t>(where.column - 1);
        return {span.file, begin, begin + static_cast<std::size_t>(where.length)};
    }
    return blame.span;
}

} // namespace

ConfigBuilder::ConfigBuilder(const FlatConfig& flat, Overrides overrides,
                             const std::vector<std::string>& extra_outputs, BuildContext& context,
                             std::optional<std::uint32_t> iteration, DomainParameters of_domain)
    : flat_(flat), overrides_(std::move(overrides)), extra_outputs_(extra_outputs),
      context_(context), problems_(context.problems), graph_(context.graph),
      evaluation_(flat_,
                  {context.size, overrides_, context.frame, iteration, context.domain,
                   std::move(of_domain)},
                  problems_),
      failed_(flat_.nodes.size(), false), off_(flat_.nodes.size(), false) {}

Result<ConfiguredGraph> ConfigBuilder::build(const Imports& imports, const Accesses& accesses) && {
    check_inputs(imports);
    prepare();
    // Nothing is wired up from half-set passes: their complaints would only repeat these.
    if (problems_.any_error()) return std::unexpected(std::move(problems_).finish());

    const InputValues inputs = add_imports(imports);
    inputs_ = &inputs;
    add_histories();
    for (std::size_t i = 0; i < flat_.nodes.size(); ++i)
        add_node(i);
    close_histories();
    for (const FlatOutput& output : flat_.outputs) {
        add_output(output.decl->name.text, output.wire, output.decl->from.span, accesses);
        const auto& file = output.decl->file;
        result_.outputs.push_back({.name = output.decl->name.text,
                                   .file = file ? file->text : "",
                                   .of_field = output.decl->part.has_value(),
                                   .part = part_of(output)});
    }
    for (std::size_t i = 0; i < extra_wires_.size(); ++i) {
        add_output(extra_outputs_[i], extra_wires_[i], {}, accesses);
        result_.outputs.push_back({extra_outputs_[i], {}});
    }

    context_.own_parts.mark(context_.nodes);
    result_.nodes = std::move(context_.nodes);
    result_.files.assign(context_.files_read.begin(), context_.files_read.end());
    result_.graph = std::move(graph_).finish();
    place_outputs();
    Diagnostics reported = graph_diagnostics(std::move(result_.graph.diagnostics));
    if (problems_.any_error() || has_errors(reported)) {
        problems_.take(std::move(reported), flat_.main().start());
        return std::unexpected(std::move(problems_).finish());
    }
    result_.graph.diagnostics = std::move(reported);
    return std::move(result_);
}

/// Everything that can fail before there is a graph, so that its errors come together.
void ConfigBuilder::prepare() {
    for (std::size_t i = 0; i < flat_.nodes.size(); ++i) {
        const FlatNode& node = flat_.nodes[i];
        off_[i] = !evaluation_.is_on(node).value_or(false);
        passes_.push_back(node.loop || off_[i] ? nullptr : node.pass->make());
        if (off_[i])
            replaced_[i].resize(node.pass->outputs.size());
        else if (node.loop)
            prepare_loop(i);
        else
            evaluation_.configure(node, *passes_.back());
    }
    for (const FlatHistory& history : flat_.histories) {
        const auto extent = evaluation_.size(history.scope, history.decl->size);
        const auto clear = evaluation_.clear_value(history);
        const auto& decl = history.decl->part;
        const auto part = decl ? evaluation_.part(history.scope, *decl, false) : std::nullopt;
        if (extent && clear && (part || !decl)) histories_.push_back({*extent, *clear, {}, part});
    }
    for (const std::string& extra : extra_outputs_)
        extra_wires_.push_back(resolve_extra(flat_, extra, problems_));
    load_assets();
}

std::optional<QueueHint> ConfigBuilder::queue_of(const FlatNode& node) const {
    if (node.decl->queue) return node.decl->queue;
    for (std::uint32_t scope = node.scope; scope != kNoIndex; scope = flat_.scopes[scope].parent) {
        const NodeDecl* const user = flat_.scopes[scope].user;
        if (user && user->queue) return user->queue;
    }
    return std::nullopt;
}

void ConfigBuilder::add_node(std::size_t index) {
    const FlatNode& node = flat_.nodes[index];
    const std::optional<QueueHint> queue = queue_of(node);
    const bool changes = evaluation_.changes(node);
    if (queue) graph_.push_queue(*queue);
    if (changes) graph_.push_changing();
    if (off_[index])
        replace(index);
    else if (node.loop)
        add_loop(index);
    else
        add_pass(index);
    if (changes) graph_.pop_changing();
    if (queue) graph_.pop_queue();
}

/// What stands for the outputs of a node that is off.
void ConfigBuilder::replace(std::size_t index) {
    for (const FlatInput& other : flat_.nodes[index].otherwise) {
        if (is_absent(other.wire)) continue; // told where somebody needs it
        std::optional<PortValue> value = value_of(other.wire, other.span);
        if (value)
            replaced_[index][other.port] = std::move(*value);
        else
            failed_[index] = true;
    }
}

/// True for outputs of nodes that are off and have nothing in their place.
bool ConfigBuilder::is_absent(const Wire& wire) const {
    return wire.kind == Wire::Kind::node && off_[wire.index] &&
           !is_made(replaced_.at(wire.index)[wire.port]);
}

void ConfigBuilder::add_pass(std::size_t index) {
    const FlatNode& node = flat_.nodes[index];
    PassInstance& pass = *passes_[index];
    if (!connect(node, pass)) {
        failed_[index] = true;
        return;
    }
    const std::size_t before = graph_.peek().diagnostics.size();
    graph_.push_scope(node.path);
    const std::string path(graph_.scope());
    const std::uint64_t queries = graph_.rank_queries();
    pass.build(graph_);
    const bool asks_for_ranks = graph_.rank_queries() != queries;
    graph_.pop_scope();
    failed_[index] = errors_since(graph_, before);
    if (!failed_[index] && context_.own_parts.is_divided())
        note_parts(node, pass, *input_values(node), asks_for_ranks);
    blame(node.decl->name.span, node.decl);
    context_.nodes.push_back({path, node.pass->name, failed_[index] ? Cost{} : pass.cost(graph_)});
}

/// Of the pass that becomes the next of the configured nodes.
void ConfigBuilder::note_parts(const FlatNode& node, const PassInstance& pass,
                               const InputValues& inputs, bool asks_for_ranks) {
    const std::string& name = node.loop ? node.loop->pass->name : node.pass->name;
    const SettingOf setting = [&](std::string_view parameter) {
        return evaluation_.setting(node, parameter);
    };
    OwnParts::BuiltPass built{.node = context_.nodes.size(),
                              .asks_for_ranks = asks_for_ranks,
                              .knows_domain = evaluation_.follows_domain(node),
                              .look = look_of(name, setting),
                              .needs_whole = needs_whole(name, setting),
                              .inputs = {},
                              .outputs = {}};
    for (const std::vector<PortValue>& values : inputs)
        built.inputs.insert(built.inputs.end(), values.begin(), values.end());
    const std::size_t outputs = node.loop ? node.loop->outputs.size() : node.pass->outputs.size();
    for (std::size_t port = 0; port < outputs; ++port)
        built.outputs.push_back(pass.output(port));
    if (built.needs_whole && context_.own_parts.reads_exchanged(graph_, built.inputs))
        graph_.error("mpi/needs-whole",
                     fmt::format("{} filters the whole field, and this is one rank's part: the "
                                 "result would depend on the number of ranks",
                                 name),
                     "put the field together by mpi/gather, and filter its result");
    const auto too_far = context_.own_parts.add(graph_, built);
    if (!too_far) return;
    graph_.report(
        {.code = "mpi/halo-too-narrow",
         .severity = Severity::warning,
         .message = fmt::format("{} looks {} cells away along {}, and {} of the halo that it "
                                "reads are right: cells at the borders of parts come out "
                                "wrong",
                                name, too_far->look, "xyz"[too_far->axis], too_far -> right),
         .where = {},
         .hint = "exchange a halo as wide as the passes look that follow, one after "
                 "another, or exchange it once more before this one"});
}

bool ConfigBuilder::connect(const FlatNode& node, PassInstance& pass) {
    bool sound = true;
    for (const FlatInput& input : node.inputs) {
        const PortInfo& port = node.pass->inputs[input.port];
        if (is_absent(input.wire) && (port.list || !port.required)) continue;
        const std::optional<PortValue> value = value_of(input.wire, input.span);
        if (!value) {
            sound = false;
            continue;
        }
        if (auto set = pass.set_input(input.port, *value); !set) {
            problems_.take(std::move(set.error()), input.span);
            sound = false;
        }
    }
    return sound;
}

void ConfigBuilder::close_histories() {
    for (std::size_t i = 0; i < flat_.histories.size(); ++i) {
        const FlatHistory& history = flat_.histories[i];
        const Span span = history.decl->from.span;
        const std::optional<PortValue> value = value_of(history.from, span);
        const Image* source = value ? value->get<Image>() : nullptr;
        if (value && !source)
            problems_.error("config/wrong-port-type", span, "a history keeps an Image");
        if (!source) continue;
        const ImageDesc& from = graph_.desc(*source);
        const ImageDesc& kept = graph_.desc(histories_[i].image.current);
        if (from.format != kept.format || from.extent != kept.extent || from.samples != 1) {
            problems_.error("config/history-mismatch", span,
                            fmt::format("history \"{}\" keeps {} x {} {}, but \"{}\" is {} x {} {}",
                                        history.path, kept.extent.width, kept.extent.height,
                                        info(kept.format).name, history.decl->from.text,
                                        from.extent.width, from.extent.height,
                                        info(from.format).name),
                            "give the history the size and format of what it keeps");
            continue;
        }
        std::ignore = graph_.copy(mip(*source, 0).layer(0), histories_[i].image.current,
                                  history.path + "/keep");
        context_.own_parts.add_history(*source, histories_[i].image.previous[0]);
        blame(span);
    }
}

void ConfigBuilder::add_output(const std::string& name, const Wire& wire, Span span,
                               const Accesses& accesses) {
    const std::optional<PortValue> value = value_of(wire, span);
    if (!value) return;
    const auto asked = accesses.find(name);
    const Access access = asked == accesses.end() ? Access::copy_read : asked->second;
    if (const Image* image = value->get<Image>())
        graph_.output(name, kept_to_end(*image, name), access);
    else if (const Buffer* buffer = value->get<Buffer>())
        graph_.output(name, kept_to_end(*buffer, name), access, value->elements);
    else
        problems_.error(
            "config/wrong-port-type", span,
            fmt::format("an output is an Image or a Buffer, not the bundle {}", value->type),
            suggest("", member_names(*value)));
    blame(span);
}

/// Reports where the output is no such part.
std::optional<FieldPart> ConfigBuilder::part_of(const FlatOutput& output) {
    const auto& decl = output.decl->part;
    const auto value = decl ? value_of(output.wire, output.decl->from.span) : std::nullopt;
    if (!value) return std::nullopt;
    const Image* const image = value->get<Image>();
    const Buffer* const buffer = value->get<Buffer>();
    const bool volume = image ? graph_.desc(*image).shape == ImageShape::d3
                              : context_.domain && context_.domain->cells[2] > 1;
    const auto part = evaluation_.part(0, *decl, volume);
    if (part && image) graph_.set_part(*image, *part);
    if (part && buffer) graph_.set_part(*buffer, *part);
    blame(decl->span);
    return part;
}

/// A version that a later node overwrites in place is gone at the end of the frame, when outputs
/// are read. Assets, histories and what a host imports do not belong to one frame. A copy stands
/// for them.
template <typename Resource>
Resource ConfigBuilder::kept_to_end(Resource resource, const std::string& name) {
    const GraphDesc& graph = graph_.peek();
    const bool of_frame = graph.resource_of(resource.version).lifetime == Lifetime::transient;
    if (!graph.versions[resource.version.index].next && of_frame) return resource;
    const auto desc = graph_.desc(resource);
    if constexpr (std::same_as<Resource, Image>)
        return graph_.copy(resource, graph_.image(name + "/kept", desc), name + "/keep");
    else
        return graph_.copy(resource, graph_.buffer(name + "/kept", desc), name + "/keep");
}

std::optional<PortValue> ConfigBuilder::value_of(const Wire& wire, Span span) {
    PortValue value;
    switch (wire.kind) {
    case Wire::Kind::none: return std::nullopt;
    case Wire::Kind::node:
        if (failed_[wire.index]) return std::nullopt; // reported there
        if (is_absent(wire)) {
            const FlatNode& node = flat_.nodes[wire.index];
            const std::string& output = node.pass->outputs[wire.port].name;
            problems_.error(
                "config/no-such-result", span,
                fmt::format("node \"{}\" is switched off, and nothing stands for its "
                            "\"{}\"",
                            node.path, output),
                fmt::format("give the node an \"else\": {{\"{}\": \"node.port\"}}", output));
            return std::nullopt;
        }
        if (off_[wire.index])
            value = replaced_.at(wire.index)[wire.port];
        else
            value = flat_.nodes[wire.index].loop ? loops_.at(wire.index).outputs[wire.port]
                                                 : passes_[wire.index]->output(wire.port);
        if (!is_made(value)) {
            const FlatNode& node = flat_.nodes[wire.index];
            problems_.error("config/no-such-result", span,
                            fmt::format("node \"{}\" makes no \"{}\" with the inputs and "
                                        "parameters it has",
                                        node.path, node.pass->outputs[wire.port].name));
            return std::nullopt;
        }
        break;
    case Wire::Kind::input: {
        const std::vector<PortValue>& given = inputs_->at(wire.index);
        const auto fallback = fallback_of(flat_, flat_.main().inputs[wire.index]);
        if (given.empty() && fallback)
            return value_of({Wire::Kind::asset, *fallback, 0, wire.member}, span);
        value = given.front();
        break;
    }
    case Wire::Kind::history:
        value = PortValue::of(histories_[wire.index].image.previous[0]);
        break;
    case Wire::Kind::asset: {
        const LoadedAsset& asset = assets_.at(wire.index);
        const auto [entry, is_new] = context_.asset_values.try_emplace(asset.key);
        if (is_new) {
            entry->second = asset.add(graph_, flat_.assets[wire.index].path);
            if (const Image* image = entry->second.get<Image>(); image && asset.geometry)
                context_.volumes.emplace(graph_.peek().versions[image->version.index].resource,
                                         *asset.geometry);
            blame(flat_.assets[wire.index].decl->span);
        }
        value = entry->second;
        break;
    }
    }
    if (wire.member.empty()) return value;
    const auto found = std::ranges::find(value.members, wire.member, &PortMember::name);
    if (found == value.members.end()) {
        problems_.error("config/unknown-port", span,
                        fmt::format("{} has no member \"{}\"", value.type, wire.member),
                        suggest(wire.member, member_names(value)));
        return std::nullopt;
    }
    PortValue member =
        std::visit([](auto resource) { return PortValue::of(resource); }, found->resource);
    member.elements = found->elements;
    return member;
}

Wire ConfigBuilder::resolve_extra(const FlatConfig& flat, const std::string& text,
                                  Problems& problems) {
    std::uint32_t scope = 0;
    std::string_view rest = text;
    for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
         slash = rest.find('/')) {
        const std::string name(rest.substr(0, slash));
        const LoadedFile& file = *flat.scopes[scope].file;
        const auto found = file.names.nodes.find(name);
        if (found == file.names.nodes.end() || !file.config.nodes[found->second].is_plain_use()) {
            problems.error("config/unknown-wire", {},
                           fmt::format("\"{}\": there is no used config \"{}\"", text, name),
                           suggest(name, [&] {
                               std::vector<std::string> used;
                               for (const NodeDecl& node : file.config.nodes)
                                   if (node.is_plain_use()) used.push_back(node.name.text);
                               return used;
                           }()));
            return {};
        }
        scope = flat.scopes[scope].nodes[found->second];
        rest.remove_prefix(slash + 1);
    }
    const Wire wire = resolve_wire(flat, scope, {std::string(rest), {}}, problems);
    const std::string_view type = wire_type(flat, wire);
    if (!type.empty() && type != "Image" && type != "Buffer")
        problems.error("config/wrong-port-type", {},
                       fmt::format("\"{}\" is the bundle {}", text, type),
                       "name one of its members, as \"node.port.member\"");
    return wire;
}

/// Says of outputs that are volumes where their texels lie.
void ConfigBuilder::place_outputs() {
    const GraphDesc& graph = result_.graph;
    for (std::size_t i = 0; i < result_.outputs.size(); ++i) {
        ConfiguredOutput& output = result_.outputs[i];
        const auto made = std::ranges::find_if(graph.outputs, [&](const OutputDesc& known) {
            return !known.reader && graph.name(known.name) == output.name;
        });
        if (made != graph.outputs.end())
            output.geometry = geometry_of_version(graph, made->version, context_.volumes);
        if (i >= flat_.outputs.size()) continue; // nobody says anything of those
        const auto [spacing, origin] = evaluation_.place(*flat_.outputs[i].decl);
        if ((spacing || origin) && !output.geometry) output.geometry.emplace();
        if (spacing) output.geometry->spacing = *spacing;
        if (origin) output.geometry->origin = *origin;
    }
}

void ConfigBuilder::blame(Span span, const NodeDecl* node) {
    auto& blames = context_.blames;
    const std::size_t covered = blames.empty() ? 0 : blames.back().end;
    const std::size_t now = graph_.peek().diagnostics.size();
    if (now > covered) blames.push_back({now, span, node});
}

Diagnostics ConfigBuilder::graph_diagnostics(Diagnostics all) const {
    const auto& blames = context_.blames;
    auto thing = blames.begin();
    for (std::size_t i = 0; i < all.size(); ++i) {
        while (thing != blames.end() && thing->end <= i)
            ++thing;
        if (thing != blames.end() && !all[i].where.known())
            all[i].where = fault_of(*thing, all[i].where).place();
    }
    return all;
}

} // namespace tuff
