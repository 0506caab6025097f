#include "config/read/setting.hpp"

#include "config/check/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

namespace tuff {
namespace {

SourcePlace place_of(const Setting& setting) {
    return {.file = fmt::format("--set {}={}", setting.name, setting.text), .line_text = {}};
}

std::unexpected<Diagnostics> wrong(std::string_view code, const Setting& setting,
                                   std::string message, std::string hint = {}) {
    return fail(Diagnostic{std::string(code), Severity::error, std::move(message),
                           place_of(setting), std::move(hint)});
}

/// Reads the text of a setting as a value of the kind that `initial` has.
std::optional<ParameterValue> parse(std::string_view text, const ParameterValue& initial) {
    std::string json(text);
    if (std::holds_alternative<std::vector<std::string>>(initial) &&
        json.find_first_of("[\"") == std::string::npos) {
        std::vector<std::string> texts;
        for (const auto part : std::views::split(text, ','))
            texts.emplace_back(part.begin(), part.end());
        return ParameterValue(std::move(texts));
    }
    const bool is_list = std::holds_alternative<std::vector<double>>(initial) ||
                         std::holds_alternative<std::vector<std::string>>(initial);
    if (is_list && json.find('[') == std::string::npos) json = '[' + json + ']';
    if (std::holds_alternative<std::string>(initial) && !json.starts_with('"'))
        return ParameterValue(std::move(json));
    if (json.starts_with('=')) json = '"' + json + '"';
    const SourceFile source("--set", "[" + json + "]");
    const Result<Json::Value> parsed = parse_json(source);
    if (!parsed || parsed->size() != 1) return std::nullopt;
    Problems ignored;
    return constant_value(source, (*parsed)[0], ignored);
}

std::unexpected<Diagnostics> wrong_kind(const Setting& setting, std::string_view parameter,
                                        const ParameterValue& initial) {
    return wrong("config/wrong-type", setting,
                 fmt::format("parameter \"{}\" must be {}, not \"{}\"", parameter,
                             kind_name(initial), setting.text));
}

/// A parameter that a config declares: the main one, one that a node uses, or one that it repeats.
Result<ParameterValue> read_declared(const FlatConfig& flat, std::uint32_t scope,
                                     std::array<std::uint32_t, 2> size, const Setting& setting,
                                     std::string_view parameter) {
    const auto& decls = flat.scopes[scope].file->config.parameters;
    const auto decl = std::ranges::find_if(
        decls, [&](const ParameterDecl& d) { return d.name.text == parameter; });
    if (decl == decls.end()) {
        std::vector<std::string> known;
        for (const ParameterDecl& d : decls)
            known.push_back(d.name.text);
        if (parameter == setting.name) known.insert(known.end(), {"width", "height"});
        return wrong("config/unknown-parameter", setting,
                     fmt::format("the config has no parameter \"{}\"", parameter),
                     suggest(parameter, known));
    }
    Problems ignored;
    const std::map<std::string, ParameterValue, std::less<>> nothing;
    const std::optional<Evaluated> initial =
        Evaluation(flat, {size, nothing, {}}, ignored).value(scope, decl->value);
    if (!initial) return wrong_kind(setting, parameter, ParameterValue{});
    std::optional<ParameterValue> value = parse(setting.text, initial->value);
    if (!value) return wrong_kind(setting, parameter, initial->value);
    if (auto mismatch = find_mismatch(*decl, initial->value, *value)) {
        mismatch->where = place_of(setting);
        return fail(std::move(*mismatch));
    }
    return std::move(*value);
}

Result<ParameterValue> read_of_pass(const PassDescriptor& pass, const Setting& setting,
                                    std::string_view parameter) {
    const auto index = pass.find_parameter(parameter);
    if (!index) {
        std::vector<std::string> known;
        for (const ParameterInfo& info : pass.parameters)
            known.push_back(info.name);
        return wrong("config/unknown-parameter", setting,
                     fmt::format("{} has no parameter \"{}\"", pass.name, parameter),
                     suggest(parameter, known));
    }
    const ParameterValue& initial = pass.parameters[*index].default_value;
    std::optional<ParameterValue> value = parse(setting.text, initial);
    if (!value) return wrong_kind(setting, parameter, initial);
    if (auto set = pass.make()->set_parameter(*index, *value); !set) {
        for (Diagnostic& problem : set.error())
            problem.where = place_of(setting);
        return propagate(std::move(set));
    }
    return std::move(*value);
}

/// Paths of all that has parameters, as settings name it.
void collect_paths(const FlatConfig& flat, const std::string& prefix,
                   std::vector<std::string>& paths) {
    for (const FlatScope& scope : flat.scopes)
        if (!scope.path.empty())
            paths.push_back(prefix + scope.path.substr(0, scope.path.size() - 1));
    for (const FlatNode& node : flat.nodes) {
        paths.push_back(prefix + node.path);
        if (node.loop && node.loop->body)
            collect_paths(*node.loop->body, prefix + node.path + "/", paths);
    }
}

/// Nothing where there is no node of that path.
std::optional<Result<ParameterValue>> read_of_node(const FlatConfig& flat,
                                                   std::array<std::uint32_t, 2> size,
                                                   const Setting& setting, std::string_view path,
                                                   std::string_view parameter) {
    for (std::uint32_t scope = 0; scope < flat.scopes.size(); ++scope)
        if (!path.empty() && flat.scopes[scope].path == std::string(path) + "/")
            return read_declared(flat, scope, size, setting, parameter);
    for (const FlatNode& node : flat.nodes) {
        const FlatConfig* const body = node.loop ? node.loop->body.get() : nullptr;
        if (node.path == path && body) return read_declared(*body, 0, size, setting, parameter);
        if (node.path == path)
            return read_of_pass(node.loop ? *node.loop->pass : *node.pass, setting, parameter);
        if (body && path.starts_with(node.path + "/"))
            return read_of_node(*body, size, setting, path.substr(node.path.size() + 1), parameter);
    }
    return std::nullopt;
}

} // namespace

Result<ParameterValue> read_setting(const FlatConfig& flat, std::array<std::uint32_t, 2> size,
                                    const Setting& setting) {
    const std::size_t slash = setting.name.rfind('/');
    const std::size_t dot = setting.name.find('.', slash == std::string_view::npos ? 0 : slash + 1);
    const bool is_member = std::ranges::any_of(flat.main().parameters, [&](const auto& decl) {
        return decl.name.text == setting.name; // of a group: "eye.azimuth"
    });
    if (dot == std::string_view::npos || is_member)
        return read_declared(flat, 0, size, setting, setting.name);
    const std::string_view path = setting.name.substr(0, dot);
    if (auto value = read_of_node(flat, size, setting, path, setting.name.substr(dot + 1)))
        return std::move(*value);
    std::vector<std::string> known;
    collect_paths(flat, "", known);
    return wrong("config/unknown-parameter", setting,
                 fmt::format("the config has no node \"{}\"", path), suggest(path, known));
}

Result<std::uint32_t> read_side(const Setting& setting) {
    const auto side = parse(setting.text, std::int64_t{1});
    const auto* number = side ? std::get_if<std::int64_t>(&*side) : nullptr;
    if (!number || *number < 1 || *number > kMaxConfigSide)
        return wrong(
            "config/bad-size", setting,
            fmt::format("{} must be a whole number from 1 to {}", setting.name, kMaxConfigSide));
    return static_cast<std::uint32_t>(*number);
}

} // namespace tuff
