#include "model/node_settings.hpp"

#include "model/controls.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/writer.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

namespace tuff::viewer {
namespace {

std::optional<Json::Value> parsed(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["failIfExtra"] = true;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    if (!reader->parse(text.data(), text.data() + text.size(), &value, nullptr))
        return std::nullopt;
    return value;
}

/// What was written on the command line, as JSON.
std::string as_json(const std::string& text) {
    if (parsed(text)) return text;
    if (text.find(',') != std::string::npos && parsed("[" + text + "]")) return "[" + text + "]";
    return Json::valueToQuotedString(text.c_str());
}

SourcePlace place_of(const ParameterKey& key, const std::string& text) {
    return {.file = fmt::format("--set {}.{}={}", key.node, key.name, text), .line_text = {}};
}

std::unexpected<Diagnostics> unknown(const ParameterKey& key, const std::string& text,
                                     std::string message, std::string_view wanted,
                                     const std::vector<std::string>& known) {
    const std::string_view near = nearest_name(wanted, known);
    return fail(Diagnostic{.code = "config/unknown-parameter",
                           .message = std::move(message),
                           .where = place_of(key, text),
                           .hint = near.empty() ? std::string()
                                                : fmt::format("did you mean \"{}\"?", near)});
}

Result<void> check(const Json::Value& root, const PassRegistry& registry, const ParameterKey& key,
                   const std::string& text) {
    const Json::Value& nodes = root["nodes"];
    const bool has_node = nodes.isObject() && nodes.isMember(key.node);
    const PassDescriptor* pass = has_node && nodes[key.node]["pass"].isString()
                                     ? registry.find(nodes[key.node]["pass"].asString())
                                     : nullptr;
    if (!pass)
        return unknown(key, text,
                       fmt::format("the config has no node \"{}\" with a pass", key.node), key.node,
                       nodes.isObject() ? nodes.getMemberNames() : std::vector<std::string>{});
    const auto index = pass->find_parameter(key.name);
    if (!index) {
        std::vector<std::string> known;
        for (const ParameterInfo& info : pass->parameters)
            known.push_back(info.name);
        return unknown(key, text, fmt::format("{} has no parameter \"{}\"", pass->name, key.name),
                       key.name, known);
    }
    const auto value = plain_value(*parsed(text), pass->parameters[*index].kind);
    // Expressions are for the config itself to judge.
    if (!value && parsed(text)->isString()) return {};
    if (!value)
        return fail(
            Diagnostic{.code = "pass/wrong-type",
                       .message = fmt::format("parameter \"{}\" of \"{}\" cannot be {}", key.name,
                                              key.node, text),
                       .where = place_of(key, text),
                       .hint = fmt::format("'tuff passes {}' tells what it takes", pass->name)});
    auto set = pass->make()->set_parameter(*index, *value);
    if (!set)
        for (Diagnostic& problem : set.error())
            problem.where = place_of(key, text);
    return set;
}

} // namespace

bool is_node_setting(std::string_view setting) {
    return setting.substr(0, setting.find('=')).find('.') != std::string_view::npos;
}

Edits edits_of(const std::vector<std::string>& settings) {
    Edits edits;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) continue;
        const std::string name = setting.substr(0, equals);
        const std::size_t dot = name.find('.');
        const ParameterKey key = dot == std::string::npos
                                     ? ParameterKey{"", name}
                                     : ParameterKey{name.substr(0, dot), name.substr(dot + 1)};
        edits[key] = as_json(setting.substr(equals + 1));
    }
    return edits;
}

Json::Value read_config_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return parsed(text).value_or(Json::Value());
}

Result<Config> with_node_edits(const Json::Value& root, const std::filesystem::path& path,
                               const PassRegistry& registry, const Edits& edits) {
    Diagnostics problems;
    for (const auto& [key, text] : edits)
        if (!key.node.empty())
            if (auto sound = check(root, registry, key, text); !sound)
                problems.insert(problems.end(), sound.error().begin(), sound.error().end());
    if (!problems.empty()) return std::unexpected(std::move(problems));
    Json::Value edited = root;
    apply_node_edits(edited, edits);
    return Config::parse(Json::writeString(Json::StreamWriterBuilder(), edited), path, registry);
}

} // namespace tuff::viewer
