#include "model/edits.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/writer.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

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

Json::Value parsed(const std::string& text) {
    Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    return reader->parse(text.data(), text.data() + text.size(), &value, nullptr) ? value
                                                                                  : Json::Value();
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
    const Json::Value value = parsed(json);
    if (value.isString()) return value.asString();
    if (value.isArray()) return json.substr(1, json.size() - 2);
    return json;
}

} // namespace

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
    };
    return std::visit(Writer{}, value);
}

std::string set_options(const Edits& edits) {
    std::string options;
    for (const auto& [key, text] : edits) {
        const std::string name = key.node.empty() ? key.name : key.node + "." + key.name;
        options += (options.empty() ? "" : " ") + std::string("--set ") +
                   shell_word(name + "=" + bare(text));
    }
    return options;
}

void apply_node_edits(Json::Value& root, const Edits& edits) {
    if (!root.isObject() || !root["nodes"].isObject()) return;
    for (const auto& [key, text] : edits) {
        if (key.node.empty() || !root["nodes"].isMember(key.node)) continue;
        Json::Value* at = &root["nodes"][key.node]["params"];
        std::string_view rest = key.name;
        for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos;) {
            if (!at->isNull() && !at->isObject()) *at = Json::Value(Json::objectValue);
            at = &(*at)[std::string(rest.substr(0, dot))];
            rest.remove_prefix(dot + 1);
        }
        if (!at->isNull() && !at->isObject()) *at = Json::Value(Json::objectValue);
        (*at)[std::string(rest)] = parsed(text);
    }
}

bool has_node_edits(const Edits& edits) {
    return std::ranges::any_of(edits, [](const auto& edit) { return !edit.first.node.empty(); });
}

} // namespace tuff::viewer
