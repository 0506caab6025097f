#pragma once

#include <tuff/diagnostic.hpp>

#include <json/value.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// A text with its name, able to say in which line and column a byte lies.
class SourceFile {
  public:
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }

    /// The place of bytes [begin, end). Lines and columns count from 1, columns in characters.
    SourcePlace place(std::size_t begin, std::size_t end) const;
    /// The byte at which line `line`, byte column `column` (both from 1) lies.
    std::size_t offset_of(std::size_t line, std::size_t column) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

/// Part of a source file. Small, so that every element of a config can afford to keep its own; the
/// text of the place is only made for a diagnostic.
struct Span {
    const SourceFile* file = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;

    SourcePlace place() const { return file ? file->place(begin, end) : SourcePlace{}; }
};

/// Collects diagnostics, each with its place. Past `kMax` it only counts.
class Problems {
  public:
    static constexpr std::size_t kMax = 256;

    void error(std::string_view code, Span where, std::string message, std::string hint = {});
    void warning(std::string_view code, Span where, std::string message, std::string hint = {});
    /// Takes the diagnostics of a callee over; those without a place get `where`.
    void take(Diagnostics diagnostics, Span where);

    bool any_error() const { return errors_ > 0; }
    std::size_t error_count() const { return errors_; }
    /// All, in the order of file and line.
    Diagnostics finish() &&;

  private:
    void add(Diagnostic diagnostic);

    Diagnostics all_;
    std::size_t errors_ = 0;
    std::size_t dropped_ = 0;
};

/// "did you mean \"x\"?", or, where nothing is near, the known names; empty when there are none.
std::string suggest(std::string_view wanted, const std::vector<std::string>& known);

/// A JSON text whose values know their offsets (Json::Value::getOffsetStart, getOffsetLimit).
/// Comments are allowed. Errors: config/not-utf8, config/too-deep, config/syntax,
/// config/duplicate-key.
Result<Json::Value> parse_json(const SourceFile& source);

/// Where a value stands, and where the key of a member stands.
Span span_of(const SourceFile& source, const Json::Value& value);
Span key_span(const SourceFile& source, const Json::Value& object, const std::string& key);

} // namespace tuff
