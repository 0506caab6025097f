#include "config/read/source_file.hpp"

#include <fmt/format.h>
#include <json/reader.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <memory>
#include <optional>

namespace tuff {
namespace {

/// Deeper than any config nests, and far from the depth at which a recursive parser ends the
/// process.
constexpr int kMaxJsonDepth = 64;

/// Byte offset of the first malformed UTF-8 sequence (overlong forms and surrogates included).
std::optional<std::size_t> find_malformed_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto continues = [&](std::size_t i, unsigned low, unsigned high) {
        return byte(i) >= low && byte(i) <= high;
    };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned first = byte(i);
        if (first < 0x80) {
            ++i;
        } else if (first >= 0xC2 && first <= 0xDF && continues(i + 1, 0x80, 0xBF)) {
            i += 2;
        } else if (first >= 0xE0 && first <= 0xEF &&
                   continues(i + 1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) &&
                   continues(i + 2, 0x80, 0xBF)) {
            i += 3;
        } else if (first >= 0xF0 && first <= 0xF4 &&
                   continues(i + 1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) &&
                   continues(i + 2, 0x80, 0xBF) && continues(i + 3, 0x80, 0xBF)) {
            i += 4;
        } else {
            return i;
        }
    }
    return std::nullopt;
}

/// Byte offset of the bracket that nests too deep. Found before parsing, because the parser tells
/// the depth by an exception without a place.
std::optional<std::size_t> find_too_deep(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i)
                if (text[i] == '\\') ++i;
        } else if (c == '/' && next == '/') {
            i = std::min(text.find('\n', i), text.size());
        } else if (c == '/' && next == '*') {
            i = std::min(text.find("*/", i + 2), text.size() - 1);
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth) return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::nullopt;
}

struct ParserMessage {
    std::size_t line = 1;
    std::size_t column = 1;
    std::string text;
};

/// The first message of jsoncpp's "* Line 3, Column 5\n  Missing ',' ...\n".
ParserMessage first_message(std::string_view all) {
    ParserMessage result{.text = "the file is not JSON"};
    const auto number_after = [&](std::string_view word, std::size_t& number) {
        const std::size_t at = all.find(word);
        if (at == std::string_view::npos) return;
        std::from_chars(all.data() + at + word.size(), all.data() + all.size(), number);
    };
    number_after("Line ", result.line);
    number_after("Column ", result.column);
    const std::size_t first_end = all.find('\n');
    if (first_end == std::string_view::npos) return result;
    std::string_view text = all.substr(first_end + 1);
    text = text.substr(0, text.find('\n'));
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return result;
    result.text = text.substr(start);
    while (result.text.ends_with('.'))
        result.text.pop_back();
    return result;
}

std::unexpected<Diagnostics> fail_at(std::string_view code, Span where, std::string message,
                                     std::string hint = {}) {
    return fail(Diagnostic{std::string(code), Severity::error, std::move(message), where.place(),
                           std::move(hint)});
}

std::unexpected<Diagnostics> syntax_error(const SourceFile& source, std::string_view messages) {
    const ParserMessage message = first_message(messages);
    const std::size_t at = source.offset_of(message.line, message.column);
    const Span where{&source, at, at + 1};
    if (message.text.starts_with("Duplicate key"))
        return fail_at("config/duplicate-key", where, "this key appears twice in one object",
                       "keep one of them");
    const bool at_end = source.text().find_first_not_of(" \t\r\n", at) == std::string_view::npos;
    return fail_at("config/syntax", where, "invalid JSON: " + message.text,
                   at_end ? "the file ends too early: is a bracket or quote not closed?" : "");
}

} // namespace

Result<Json::Value> parse_json(const SourceFile& source) {
    const std::string_view text = source.text();
    const Span whole{&source, 0, 0};
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return fail_at("config/syntax", whole, "the file is empty",
                       "a config is a JSON object that begins {\"tuff\": 1, ...}");
    if (const auto bad = find_malformed_utf8(text))
        return fail_at("config/not-utf8", {&source, *bad, *bad + 1},
                       fmt::format("byte {} is not UTF-8", *bad),
                       "save the file in the encoding UTF-8");
    if (const auto deep = find_too_deep(text))
        return fail_at("config/too-deep", {&source, *deep, *deep + 1},
                       fmt::format("brackets are nested more than {} deep", kMaxJsonDepth));

    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["allowComments"] = true;
    builder["allowTrailingCommas"] = true;
    builder["failIfExtra"] = true;
    builder["rejectDupKeys"] = true;
    builder["skipBom"] = false; // SourceFile has no byte order mark: offsets must stay true
    builder["stackLimit"] = 2 * kMaxJsonDepth;
    Json::Value root;
    std::string messages;
    try {
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        if (reader->parse(text.data(), text.data() + text.size(), &root, &messages)) return root;
    } catch (const std::exception& error) {
        return fail_at("config/syntax", whole, fmt::format("invalid JSON: {}", error.what()));
    }
    return syntax_error(source, messages);
}

Span span_of(const SourceFile& source, const Json::Value& value) {
    return {&source, static_cast<std::size_t>(value.getOffsetStart()),
            static_cast<std::size_t>(value.getOffsetLimit())};
}

Span key_span(const SourceFile& source, const Json::Value& object, const std::string& key) {
    const Json::Value& value = object[key];
    const Span fallback = span_of(source, value);
    // The parser keeps no offsets of keys: the key is the nearest text before its value that reads
    // like it. A key written with escapes is not found so, and its value is marked instead.
    const std::string quoted = '"' + key + '"';
    constexpr std::size_t kReach = 256; // blanks and comments between a key and its value
    const auto object_start = static_cast<std::size_t>(object.getOffsetStart());
    const std::size_t reach = std::min(fallback.begin - object_start, quoted.size() + kReach);
    const std::size_t start = fallback.begin - reach;
    const std::size_t at = source.text().substr(start, reach).rfind(quoted);
    if (at == std::string_view::npos) return fallback;
    return {&source, start + at, start + at + quoted.size()};
}

} // namespace tuff
