#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff {

/// Severity of a diagnostic.
enum class Severity { note, warning, error };

/// A place in the user's text. `line` and `column` count from 1; 0 means "the whole file".
struct SourcePlace {
    std::string file;      ///< as the user named it
    int line = 0;          ///< from 1; 0: the whole file
    int column = 0;        ///< from 1
    int length = 1;        ///< characters to underline, starting at `column`
    std::string line_text; ///< the line without its end; empty if unknown

    /// Whether there is one.
    bool known() const { return !file.empty(); }
};

/// One thing the user should know. `code` is stable across releases, has the form
/// "domain/kebab-case" and is listed in docs/diagnostics.md.
struct Diagnostic {
    std::string code;                    ///< stable across releases
    Severity severity = Severity::error; ///< note, warning or error
    std::string message;                 ///< one sentence without a full stop: what is wrong
    SourcePlace where;                   ///< in the user's text, if known
    std::string hint;                    ///< what to do about it; may be empty
};

/// Diagnostics in the order in which they were found.
using Diagnostics = std::vector<Diagnostic>;

/// The result of every function that can fail: a value, or all errors that were found.
template <typename T>
using Result = std::expected<T, Diagnostics>;

/// Builds the error side of a `Result` from one diagnostic.
inline std::unexpected<Diagnostics> fail(Diagnostic diagnostic) {
    Diagnostics all;
    all.push_back(std::move(diagnostic));
    return std::unexpected(std::move(all));
}

/// Builds the error side of a `Result` from the parts of a diagnostic.
inline std::unexpected<Diagnostics> fail(std::string code, std::string message,
                                         std::string hint = {}) {
    return fail(Diagnostic{.code = std::move(code),
                           .severity = Severity::error,
                           .message = std::move(message),
                           .where = {},
                           .hint = std::move(hint)});
}

/// Hands the errors of one `Result` on as the errors of another.
template <typename T>
std::unexpected<Diagnostics> propagate(Result<T>&& failed) {
    return std::unexpected(std::move(failed.error()));
}

/// Whether one of them is an error.
bool has_errors(const Diagnostics& diagnostics);

/// The text a terminal shows, in the manner of rustc: severity and code, place, the line with the
/// offending part underlined, hint. `colour` adds ANSI escapes.
std::string to_string(const Diagnostic& diagnostic, bool colour = false);
/// All of them, one after the other.
std::string to_string(const Diagnostics& diagnostics, bool colour = false);

/// The entry of `known` nearest to `wanted` by edit distance, or empty if none is near enough to
/// be a likely typing error.
std::string_view nearest_name(std::string_view wanted, const std::vector<std::string>& known);

} // namespace tuff
