#include "model/edits.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/writer.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

namespace tuff::viewer {
namespace {

/// Whole numbers in full, others with the digits of a float, which parameters become in the end.
std::string number(double value) {
    constexpr double kWholeUntil = 1e15;
    if (std::floor(value) == value && std::abs(value) < kWholeUntil)
        return fmt::format("{:.0f}", value);
    return fmt::format("{}", static_cast<float>(value));
}

std::string quoted(const std::string& text) {
    return Json::valueToQuotedString(text.c_str());
}

/// What was written on a command line, as JSON.
std::string as_json(const std::string& text) {
    if (parse_json_text(text)) return text;
    if (text.find(',') != std::string::npos && parse_json_text("[" + text + "]"))
        return "[" + text + "]";
    return quoted(text);
}

/// Single quotes hold everything but themselves.
std::string shell_word(const std::string& text) {
    const bool plain = std::ranges::all_of(text, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("=._,:/+-").find(c) != std::string_view::npos;
    });
    if (plain) return text;
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

/// Texts need no quotes and lists no brackets on a command line.
std::string bare(const std::string& json) {
    const Json::Value value = parse_json_text(json).value_or(Json::Value());
    if (value.isString()) return value.asString();
    if (value.isArray()) return json.substr(1, json.size() - 2);
    return json;
}

} // namespace

std::optional<Json::Value> parse_json_text(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["failIfExtra"] = true;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    if (!reader->parse(text.data(), text.data() + text.size(), &value, nullptr))
        return std::nullopt;
    return value;
}

std::string full_name(const ParameterKey& key) {
    return key.node.empty() ? key.name : key.node + "." + key.name;
}

std::string json_text(const ParameterValue& value) {
    struct Writer {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
        std::string operator()(double v) const { return number(v); }
        std::string operator()(const std::string& v) const { return quoted(v); }
        std::string operator()(const std::vector<double>& v) const {
            std::string text;
            for (const double element : v)
                text += (text.empty() ? "" : ",") + number(element);
            return "[" + text + "]";
        }
        std::string operator()(const std::vector<std::string>& v) const {
            std::string list;
            for (const std::string& element : v)
                list += (list.empty() ? "" : ",") + quoted(element);
            return "[" + list + "]";
        }
    };
    return std::visit(Writer{}, value);
}

std::string set_options(const Edits& edits) {
    std::string options;
    for (const auto& [key, text] : edits) {
        options += (options.empty() ? "" : " ") + std::string("--set ") +
                   shell_word(full_name(key) + "=" + bare(text));
    }
    return options;
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

} // namespace tuff::viewer
