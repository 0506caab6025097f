#include "config/read/config_file.hpp"
#include "config/read/object_reader.hpp"
#include "config/read/read_asset.hpp"
#include "config/read/read_domain.hpp"
#include "config/read/read_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tuff {
namespace {

constexpr int kFormatVersion = 1;

/// What a node may be; it is one of them.
constexpr std::array kNodeKinds = {"pass", "kernel", "glsl", "use"};

/// What stands in a group, by the names that passes have for it: "azimuth".
using NamesOfGroup = std::vector<std::string>;

/// Reads one file. Methods read one section each and report into `problems_`.
class ConfigReader {
  public:
    ConfigReader(ConfigFile& file, Problems& problems)
        : file_(file), source_(*file.source), problems_(problems) {}

    void read(const Json::Value& root);

  private:
    void read_version(ObjectReader& root);
    void read_parameters(const Json::Value& json);
    void read_groups(const Json::Value& json);
    void read_group(const Json::Value& json, const std::string& prefix, NamesOfGroup& members);
    void read_assets(const Json::Value& json);
    void read_histories(const Json::Value& json);
    void read_inputs(const Json::Value& json);
    void read_nodes(const Json::Value& json);
    void read_connections(const Json::Value& json, NodeDecl& node);
    void read_arguments(const Json::Value& json, const std::string& prefix, NodeDecl& node);
    void add_argument(Placed name, std::optional<ValueExpr> value, NodeDecl& node);
    void read_loop(ObjectReader& entry, NodeDecl& node);
    void read_switch(ObjectReader& entry, NodeDecl& node);
    void read_queue(const Placed& queue, const std::string& what, NodeDecl& node);
    void read_outputs(const Json::Value& json);
    Placed name_of(const Json::Value& object, const std::string& key);

    ConfigFile& file_;
    const SourceFile& source_;
    Problems& problems_;
    std::set<std::string> argument_names_; ///< of the node being read
    std::map<std::string, NamesOfGroup> groups_;
};

/// Names appear in wires and paths, whose separators they therefore cannot hold.
bool is_name(std::string_view text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
    return !text.empty() && letter(text.front()) && std::ranges::all_of(text, inner);
}

/// Stands for a size that could not be read, so that nothing complains of it again.
ValueExpr one_texel() {
    const ValueExpr one{.kind = ValueExpr::Kind::integer, .integer = 1};
    return {.kind = ValueExpr::Kind::list, .items = {one, one}};
}

Placed ConfigReader::name_of(const Json::Value& object, const std::string& key) {
    const Span span = key_span(source_, object, key);
    if (!is_name(key))
        problems_.error("config/bad-name", span, fmt::format("\"{}\" is not a name", key),
                        "names begin with a letter or _ and go on with letters, digits, _ and -");
    return {key, span};
}

void ConfigReader::read(const Json::Value& json) {
    ObjectReader root(source_, json, "the config", problems_);
    if (!json.isObject()) return;
    read_version(root);
    if (const auto text = root.text("description")) file_.description = text->text;
    if (const auto text = root.text("credits")) file_.credits = text->text;
    root.find("$schema"); // editors look for it
    if (const auto size = root.size("size")) file_.size = *size;
    if (const Json::Value* section = root.find_object("domain"))
        file_.domain = read_domain(source_, *section, problems_);
    if (const Json::Value* section = root.find_object("params")) read_parameters(*section);
    if (const Json::Value* section = root.find_object("groups")) read_groups(*section);
    if (const Json::Value* section = root.find_object("assets")) read_assets(*section);
    if (const Json::Value* section = root.find_object("history")) read_histories(*section);
    if (const Json::Value* section = root.find_object("inputs")) read_inputs(*section);
    if (const Json::Value* section = root.find_object("nodes")) read_nodes(*section);
    if (const Json::Value* section = root.find_object("outputs")) read_outputs(*section);
    if (!root.has("outputs"))
        problems_.error("config/no-outputs", file_.start(), "the config has no \"outputs\"",
                        "name what is to be kept: \"outputs\": {\"picture\": \"node.port\"}");
    root.finish();
}

void ConfigReader::read_version(ObjectReader& root) {
    const Json::Value* version = root.find("tuff");
    if (!version) {
        problems_.error("config/missing-version", file_.start(),
                        "the config does not name the version of its format",
                        fmt::format("begin it with \"tuff\": {}", kFormatVersion));
    } else if (!version->isInt() || version->asInt() != kFormatVersion) {
        problems_.error("config/unsupported-version", root.span(*version),
                        "this version of the format is not known",
                        fmt::format("this Tuff reads \"tuff\": {}", kFormatVersion));
    }
}

void ConfigReader::read_parameters(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        const Json::Value& value = json[key];
        ParameterDecl decl{.name = name_of(json, key)};
        if (std::ranges::find(kBuiltInNames, key) != kBuiltInNames.end()) {
            problems_.error("config/bad-name", decl.name.span,
                            fmt::format("\"${}\" is a built-in value", key),
                            "choose another name for the parameter");
            continue;
        }
        std::optional<ValueExpr> expr;
        if (value.isObject() && !is_keys(value)) {
            ObjectReader entry(source_, value, fmt::format("parameter \"{}\"", key), problems_);
            if (const auto doc = entry.text("doc")) decl.doc = doc->text;
            if (const auto range = entry.numbers("range", 2)) {
                decl.low = range->front();
                decl.high = range->back();
                if (decl.low > decl.high)
                    problems_.error("config/out-of-range", entry.span(value["range"]),
                                    "the range is empty: its low end lies above its high end");
            }
            if (const Json::Value* keys = entry.find("keys")) {
                // Keyframes with a doc or a range beside them.
                Json::Value alone(Json::objectValue);
                alone["keys"] = *keys;
                for (const char* how : {"easing", "loop"})
                    if (const Json::Value* given = entry.find(how)) alone[how] = *given;
                alone.setOffsetStart(value.getOffsetStart());
                alone.setOffsetLimit(value.getOffsetLimit());
                expr = read_value(source_, alone, problems_);
            } else if (const Json::Value* initial = entry.find("default")) {
                expr = read_value(source_, *initial, problems_);
            } else {
                entry.require("default");
            }
            entry.finish();
        } else {
            expr = read_value(source_, value, problems_);
        }
        decl.faulty = !expr;
        if (expr) decl.value = std::move(*expr);
        file_.parameters.push_back(std::move(decl));
    }
}

void ConfigReader::read_groups(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        const Placed name = name_of(json, key);
        if (std::ranges::find(file_.parameters, key, [](const ParameterDecl& decl) {
                return decl.name.text;
            }) != file_.parameters.end())
            problems_.error("config/bad-name", name.span,
                            fmt::format("\"{}\" is a parameter and a group", key),
                            "give one of them another name");
        if (json[key].isObject())
            read_group(json[key], key + ".", groups_[key]);
        else
            problems_.error("config/wrong-type", span_of(source_, json[key]),
                            fmt::format("group \"{}\" must be an object: parameters and their "
                                        "values",
                                        key));
    }
}

/// What a group holds are parameters of the config with names such as "eye.azimuth".
void ConfigReader::read_group(const Json::Value& json, const std::string& prefix,
                              NamesOfGroup& members) {
    for (const std::string& key : json.getMemberNames()) {
        const Json::Value& value = json[key];
        if (value.isObject() && !is_keys(value)) {
            read_group(value, prefix + key + ".", members);
            continue;
        }
        ParameterDecl decl{.name = {prefix + key, key_span(source_, json, key)}};
        auto expr = read_value(source_, value, problems_);
        decl.faulty = !expr;
        if (expr) decl.value = std::move(*expr);
        members.push_back(decl.name.text.substr(decl.name.text.find('.') + 1));
        file_.parameters.push_back(std::move(decl));
    }
}

void ConfigReader::read_assets(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        ObjectReader entry(source_, json[key], fmt::format("asset \"{}\"", key), problems_);
        file_.assets.push_back(read_asset(source_, entry, name_of(json, key), problems_));
        entry.finish();
    }
}

void ConfigReader::read_histories(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        ObjectReader entry(source_, json[key], fmt::format("history \"{}\"", key), problems_);
        HistoryDecl decl{.name = name_of(json, key)};
        decl.size = one_texel();
        for (const char* required : {"from", "format", "size"})
            entry.require(required);
        if (const auto from = entry.text("from")) decl.from = *from;
        if (const auto format = entry.text("format")) {
            decl.format = parse_format(format->text).value_or(Format::undefined);
            if (decl.format == Format::undefined) {
                std::vector<std::string> names;
                for (const FormatInfo& known : all_formats())
                    if (known.format != Format::undefined) names.emplace_back(known.name);
                problems_.error("config/bad-format", format->span,
                                fmt::format("there is no format \"{}\"", format->text),
                                suggest(format->text, names));
            }
        }
        if (const Json::Value* size = entry.find("size")) {
            if (auto expr = read_value(source_, *size, problems_)) decl.size = std::move(*expr);
        }
        if (const Json::Value* clear = entry.find("clear"))
            decl.clear = read_value(source_, *clear, problems_);
        decl.part = read_part(source_, entry, fmt::format("history \"{}\"", key), problems_);
        entry.finish();
        file_.histories.push_back(std::move(decl));
    }
}

void ConfigReader::read_inputs(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        const Json::Value* written = &json[key];
        InputDecl decl{.name = name_of(json, key)};
        if (written->isObject()) {
            ObjectReader entry(source_, *written, fmt::format("input \"{}\"", key), problems_);
            entry.require("type");
            decl.fallback = entry.text("default");
            written = entry.find("type");
            entry.finish();
            if (!written) continue;
        }
        const Json::Value& type = *written;
        decl.type.span = span_of(source_, type);
        if (type.isString())
            decl.type.text = type.asString();
        else
            problems_.error("config/wrong-type", decl.type.span,
                            fmt::format("input \"{}\" must be the name of a type, not {}", key,
                                        kind_name(type)));
        file_.inputs.push_back(std::move(decl));
    }
}

void ConfigReader::read_nodes(const Json::Value& json) {
    for (const std::string& key : json.getMemberNames()) {
        ObjectReader entry(source_, json[key], fmt::format("node \"{}\"", key), problems_);
        NodeDecl node{.name = name_of(json, key)};
        const auto pass = entry.text("pass");
        const auto use = entry.text("use");
        const auto given =
            std::ranges::count_if(kNodeKinds, [&](const char* kind) { return entry.has(kind); });
        if (entry.json().isObject() && given != 1)
            problems_.error("config/bad-node", node.name.span,
                            fmt::format("{} must have one of \"pass\", \"kernel\", \"glsl\" and "
                                        "\"use\"",
                                        entry.what()));
        node.use = !pass && use;
        if (pass || use)
            node.target = node.use ? *use : *pass;
        else if (given == 1)
            read_kernel(entry, source_, node, problems_);
        if (const Json::Value* in = entry.find_object("in")) read_connections(*in, node);
        argument_names_.clear();
        if (const Json::Value* params = entry.find_object("params"))
            read_arguments(*params, {}, node);
        read_loop(entry, node);
        read_switch(entry, node);
        if (const auto queue = entry.text("queue")) read_queue(*queue, entry.what(), node);
        entry.finish();
        file_.nodes.push_back(std::move(node));
    }
}

void ConfigReader::read_queue(const Placed& queue, const std::string& what, NodeDecl& node) {
    static constexpr QueueHint kHints[] = {QueueHint::graphics, QueueHint::compute,
                                           QueueHint::transfer};
    static_assert(std::size(kHints) == kQueueNames.size());
    const auto found = std::ranges::find(kQueueNames, queue.text);
    if (found != kQueueNames.end()) {
        node.queue = kHints[found - kQueueNames.begin()];
        return;
    }
    problems_.error(
        "config/unknown-queue", queue.span,
        fmt::format("{} cannot run on a queue \"{}\"", what, queue.text),
        suggest(queue.text, std::vector<std::string>(kQueueNames.begin(), kQueueNames.end())));
}

void ConfigReader::read_loop(ObjectReader& entry, NodeDecl& node) {
    const Json::Value* repeat = entry.find("repeat");
    const std::optional<Placed> until = entry.text("until");
    const Json::Value* max = entry.find("max");
    const Json::Value* carry = entry.find_object("carry");
    const bool has_until = entry.has("until");
    if (!repeat && !has_until) {
        for (const char* key : {"max", "carry"})
            if (entry.has(key))
                problems_.error("config/bad-loop", entry.key(key),
                                fmt::format("{} has \"{}\" but does not repeat", entry.what(), key),
                                "add \"repeat\": COUNT, or \"until\": OUTPUT with \"max\"");
        return;
    }
    LoopDecl loop{.span = entry.key(repeat ? "repeat" : "until")};
    if (repeat && !has_until && !entry.has("carry"))
        problems_.error("config/bad-loop", loop.span,
                        fmt::format("{} would do the same work again: its iterations hand nothing "
                                    "on",
                                    entry.what()),
                        "add \"carry\": {INPUT: OUTPUT}: what each iteration takes from the one "
                        "before");
    if (repeat && (has_until || max))
        problems_.error(
            "config/bad-loop", loop.span,
            fmt::format("{} must have either \"repeat\" or \"until\" with \"max\"", entry.what()));
    if (has_until && !repeat && !max)
        problems_.error("config/bad-loop", loop.span,
                        fmt::format("{} has \"until\" but no \"max\"", entry.what()),
                        "add \"max\": the iterations it stops after if the flag is never set");
    if (const Json::Value* count = repeat ? repeat : max)
        loop.count = read_value(source_, *count, problems_);
    if (!repeat) loop.until = until;
    if (carry)
        for (const std::string& input : carry->getMemberNames()) {
            const Json::Value& output = (*carry)[input];
            if (output.isString())
                loop.carried.push_back({{input, key_span(source_, *carry, input)},
                                        {output.asString(), span_of(source_, output)}});
            else
                problems_.error("config/wrong-type", span_of(source_, output),
                                fmt::format("\"carry\" must name an output for each input, not {}",
                                            kind_name(output)));
        }
    node.loop = std::move(loop);
}

void ConfigReader::read_switch(ObjectReader& entry, NodeDecl& node) {
    const Json::Value* when = entry.find("when");
    const Json::Value* otherwise = entry.find("else");
    if (when) node.when = read_value(source_, *when, problems_);
    if (otherwise && !when)
        problems_.error("config/bad-node", entry.key("else"),
                        fmt::format("{} has \"else\" but no \"when\"", entry.what()),
                        "add \"when\": \"$name\", which decides whether the node runs");
    // A used config is switched as a whole: it is a body that runs once or never.
    if (node.use && when && !node.loop)
        node.loop = LoopDecl{.span = entry.key("when"),
                             .count = ValueExpr{.kind = ValueExpr::Kind::integer, .integer = 1}};
    if (!otherwise) return;
    const auto add = [&](Placed output, const Json::Value& wire) {
        if (wire.isString())
            node.otherwise.push_back(
                {std::move(output), {wire.asString(), span_of(source_, wire)}});
        else
            problems_.error(
                "config/wrong-type", span_of(source_, wire),
                fmt::format("\"else\" must be a wire such as \"node.port\", or an object "
                            "with a wire for each output, not {}",
                            kind_name(wire)));
    };
    if (!otherwise->isObject()) return add({{}, span_of(source_, *otherwise)}, *otherwise);
    for (const std::string& output : otherwise->getMemberNames())
        add({output, key_span(source_, *otherwise, output)}, (*otherwise)[output]);
}

void ConfigReader::read_connections(const Json::Value& json, NodeDecl& node) {
    for (const std::string& port : json.getMemberNames()) {
        const Json::Value& wires = json[port];
        ConnectionDecl connection{.port = {port, key_span(source_, json, port)}};
        connection.list = wires.isArray();
        const auto add = [&](const Json::Value& wire) {
            if (wire.isString())
                connection.wires.push_back({wire.asString(), span_of(source_, wire)});
            else
                problems_.error("config/wrong-type", span_of(source_, wire),
                                fmt::format("a wire must be a text such as \"node.port\", not {}",
                                            kind_name(wire)));
        };
        if (wires.isArray())
            for (const Json::Value& wire : wires)
                add(wire);
        else
            add(wires);
        node.connections.push_back(std::move(connection));
    }
}

void ConfigReader::read_arguments(const Json::Value& json, const std::string& prefix,
                                  NodeDecl& node) {
    for (const std::string& key : json.getMemberNames()) {
        const Json::Value& value = json[key];
        const Span span = key_span(source_, json, key);
        const std::string name = prefix + key;
        if (value.isObject() && !is_keys(value)) {
            read_arguments(value, name + ".", node);
            continue;
        }
        if (const auto group = value.isString() && value.asString().starts_with('$')
                                   ? groups_.find(value.asString().substr(1))
                                   : groups_.end();
            group != groups_.end()) {
            for (const std::string& member : group->second)
                add_argument({name + "." + member, span},
                             ValueExpr{.kind = ValueExpr::Kind::reference,
                                       .span = span_of(source_, value),
                                       .text = group->first + "." + member},
                             node);
            continue;
        }
        add_argument({name, span}, read_value(source_, value, problems_), node);
    }
}

/// Nothing where the value could not be read.
void ConfigReader::add_argument(Placed name, std::optional<ValueExpr> value, NodeDecl& node) {
    if (!argument_names_.insert(name.text).second)
        problems_.error("config/duplicate-key", name.span,
                        fmt::format("parameter \"{}\" is given twice", name.text),
                        "keep one of them");
    else if (value)
        node.arguments.push_back({std::move(name), std::move(*value)});
}

void ConfigReader::read_outputs(const Json::Value& json) {
    file_.outputs_span = span_of(source_, json);
    if (json.empty())
        problems_.error("config/no-outputs", file_.outputs_span, "\"outputs\" is empty",
                        "name what is to be kept: {\"picture\": \"node.port\"}");
    for (const std::string& key : json.getMemberNames()) {
        const Json::Value& value = json[key];
        OutputDecl decl{.name = name_of(json, key)};
        if (value.isString()) {
            decl.from = {value.asString(), span_of(source_, value)};
        } else {
            ObjectReader entry(source_, value, fmt::format("output \"{}\"", key), problems_);
            entry.require("from");
            const auto from = entry.text("from");
            decl.file = entry.text("file");
            if (const Json::Value* spacing = entry.find("spacing"))
                decl.spacing = read_value(source_, *spacing, problems_);
            if (const Json::Value* origin = entry.find("origin"))
                decl.origin = read_value(source_, *origin, problems_);
            decl.part = read_part(source_, entry, fmt::format("output \"{}\"", key), problems_);
            entry.finish();
            if (!from) continue;
            decl.from = *from;
        }
        if (decl.file && (decl.file->text.empty() || decl.file->text.ends_with('/'))) {
            problems_.error("config/bad-file", decl.file->span,
                            "the output goes to no file: its name is missing",
                            "give a file such as \"picture.png\", or leave \"file\" out");
            decl.file.reset();
        }
        file_.outputs.push_back(std::move(decl));
    }
}

} // namespace

std::optional<ConfigFile> read_config(std::shared_ptr<const SourceFile> source,
                                      Problems& problems) {
    Result<Json::Value> root = parse_json(*source);
    if (!root) {
        problems.take(std::move(root.error()), {source.get(), 0, 1});
        return std::nullopt;
    }
    ConfigFile file{.source = std::move(source)};
    ConfigReader(file, problems).read(*root);
    return file;
}

} // namespace tuff
