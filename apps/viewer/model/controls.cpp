#include "model/controls.hpp"

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace tuff::viewer {
namespace {

const Json::Value* find_member(const Json::Value& params, std::string_view path) {
    const Json::Value* at = &params;
    while (at && at->isObject()) {
        const std::size_t dot = path.find('.');
        const std::string part(path.substr(0, dot));
        if (!at->isMember(part)) return nullptr;
        at = &(*at)[part];
        if (dot == std::string_view::npos) return at;
        path.remove_prefix(dot + 1);
    }
    return nullptr;
}

Json::StreamWriterBuilder compact() {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    return builder;
}

/// What stands in the config, without quotes.
std::string expression_text(const Json::Value& json) {
    if (json.isString()) return json.asString();
    if (json.isObject() && json.isMember("keys")) return "keyframes";
    if (!json.isArray()) return Json::writeString(compact(), json);
    std::string all;
    for (const Json::Value& value : json)
        all += (all.empty() ? "[" : ", ") + expression_text(value);
    return all + "]";
}

ParameterInfo info_of(const ConfigParameter& parameter) {
    ParameterInfo info{.name = parameter.name, .doc = parameter.doc};
    info.default_value = parameter.value;
    info.low = parameter.low;
    info.high = parameter.high;
    struct Kind {
        ParameterKind operator()(bool) const { return ParameterKind::boolean; }
        ParameterKind operator()(std::int64_t) const { return ParameterKind::integer; }
        ParameterKind operator()(double) const { return ParameterKind::real; }
        ParameterKind operator()(const std::string&) const { return ParameterKind::text; }
        ParameterKind operator()(const std::vector<double>&) const { return ParameterKind::vector; }
        ParameterKind operator()(const std::vector<std::string>&) const {
            return ParameterKind::texts;
        }
    };
    info.kind = std::visit(Kind{}, parameter.value);
    info.integral = info.kind == ParameterKind::integer;
    if (const auto* list = std::get_if<std::vector<double>>(&parameter.value))
        info.components = static_cast<std::uint32_t>(list->size());
    return info;
}

/// The control of the config's parameter learns from the pass that takes it.
void adopt(Control& control, const ParameterInfo& user) {
    ParameterInfo& info = control.info;
    const auto is_number = [](ParameterKind kind) {
        return kind == ParameterKind::real || kind == ParameterKind::integer;
    };
    const bool choice = info.kind == ParameterKind::text && user.kind == ParameterKind::choice;
    if (choice || (is_number(info.kind) && is_number(user.kind))) {
        info.kind = user.kind;
        info.integral = user.integral;
        info.choices = user.choices;
    }
    if (info.kind == ParameterKind::real)
        if (const auto* whole = std::get_if<std::int64_t>(&control.base))
            control.base = static_cast<double>(*whole);
    if (user.low >= info.low) {
        info.low = user.low;
        info.excludes_low = user.excludes_low;
    }
    if (user.high <= info.high) {
        info.high = user.high;
        info.excludes_high = user.excludes_high;
    }
    if (info.unit.empty()) info.unit = user.unit;
    info.structural |= user.structural;
}

class Lister {
  public:
    explicit Lister(const Json::Value& root) : root_(root) {}

    std::vector<Control> operator()(const Config& config) {
        for (const ConfigParameter& parameter : config.parameters())
            controls_.push_back({.key = {"", parameter.name},
                                 .pass = {},
                                 .info = info_of(parameter),
                                 .base = parameter.value,
                                 .follows = parameter.follows,
                                 .written = true});
        own_ = controls_.size();
        if (root_.isObject() && root_["nodes"].isObject())
            for (const std::string& node : root_["nodes"].getMemberNames())
                add_node(node, root_["nodes"][node], config.pass_of(node));
        return std::move(controls_);
    }

  private:
    void add_node(const std::string& name, const Json::Value& node, const PassDescriptor* pass) {
        if (!node.isObject() || !pass) return;
        for (const ParameterInfo& info : pass->parameters) {
            if (info.name.starts_with("out.")) continue; // a size of what a kernel writes
            Control control{.key = {name, info.name},
                            .pass = pass->name,
                            .info = info,
                            .base = info.default_value,
                            .follows = {},
                            .written = false};
            if (std::string member = member_of_group(node["params"], info.name); !member.empty()) {
                control.written = true;
                follow(control, Json::Value(std::move(member)));
            } else if (const Json::Value* given = find_member(node["params"], info.name)) {
                control.written = true;
                if (auto value = plain_value(*given, info.kind))
                    control.base = std::move(*value);
                else
                    follow(control, *given);
            }
            controls_.push_back(std::move(control));
        }
    }

    /// "$eye.position" for "camera.position" where the node has `"camera": "$eye"` and the config's
    /// group eye has a position; else empty.
    std::string member_of_group(const Json::Value& params, std::string_view name) const {
        const std::size_t dot = name.find('.');
        const std::string first(name.substr(0, dot));
        if (dot == std::string_view::npos || !params.isObject() || !params.isMember(first) ||
            !params[first].isString())
            return {};
        const std::string member = params[first].asString() + std::string(name.substr(dot));
        for (std::size_t i = 0; i < own_; ++i)
            if (member == "$" + controls_[i].key.name) return member;
        return {};
    }

    void follow(Control& control, const Json::Value& given) {
        control.follows = expression_text(given);
        for (std::size_t i = 0; i < own_; ++i) {
            Control& source = controls_[i];
            if (control.follows != "$" + source.key.name) continue;
            adopt(source, control.info);
            control.base = source.base;
        }
    }

    const Json::Value& root_;
    std::vector<Control> controls_;
    std::size_t own_ = 0; ///< how many are the config's
};

} // namespace

std::optional<ParameterValue> plain_value(const Json::Value& json, ParameterKind kind) {
    switch (kind) {
    case ParameterKind::boolean:
        if (json.isBool()) return ParameterValue(json.asBool());
        break;
    case ParameterKind::integer:
        if (json.isInt64()) return ParameterValue(std::int64_t{json.asInt64()});
        break;
    case ParameterKind::real:
        if (json.isNumeric()) return ParameterValue(json.asDouble());
        break;
    case ParameterKind::text:
    case ParameterKind::choice:
        // "$name" and expressions are strings, too.
        if (json.isString() && json.asString().find('$') == std::string::npos)
            return ParameterValue(json.asString());
        break;
    case ParameterKind::texts: {
        std::vector<std::string> texts;
        for (const Json::Value& text : json)
            if (text.isString() && text.asString().find('$') == std::string::npos)
                texts.push_back(text.asString());
        if (json.isArray() && texts.size() == json.size()) return ParameterValue(std::move(texts));
        break;
    }
    case ParameterKind::vector:
    case ParameterKind::list:
        if (json.isArray()) {
            std::vector<double> numbers;
            const auto add = [&](const auto& self, const Json::Value& value) -> bool {
                if (value.isArray())
                    return std::ranges::all_of(value, [&](const auto& v) { return self(self, v); });
                if (!value.isNumeric()) return false;
                numbers.push_back(value.asDouble());
                return true;
            };
            if (add(add, json)) return ParameterValue(std::move(numbers));
        }
        break;
    }
    return std::nullopt;
}

std::vector<Control> list_controls(const Json::Value& root, const Config& config) {
    return Lister(root)(config);
}

Json::Value read_config_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return parse_json_text(text).value_or(Json::Value());
}

ParameterValue current_value(const Control& control, const Edits& edits) {
    const auto edit = edits.find(control.key);
    if (edit == edits.end()) return control.base;
    const auto json = parse_json_text(edit->second);
    const auto value = json ? plain_value(*json, control.info.kind) : std::nullopt;
    return value.value_or(control.base);
}

ParameterValue shown_value(const Control& control, const Edits& edits,
                           const ParameterValues* values) {
    if (!values || control.follows.empty() || edits.contains(control.key))
        return current_value(control, edits);
    const auto found = values->find(full_name(control.key));
    if (found == values->end()) return control.base;
    // Expressions give reals, also for parameters that are whole.
    const ParameterValue& value = found->second;
    if (const auto* real = std::get_if<double>(&value))
        if (control.info.kind == ParameterKind::integer)
            return static_cast<std::int64_t>(std::llround(*real));
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        if (control.info.kind == ParameterKind::real) return static_cast<double>(*whole);
    return value;
}

} // namespace tuff::viewer
