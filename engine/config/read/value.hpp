#pragma once

#include "config/read/expression.hpp"
#include "config/read/source_file.hpp"

#include <tuff/config.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// How keyframes go from one to the next.
enum class Easing : std::uint8_t { linear, smooth, step, ease_in, ease_out, ease_in_out, cubic };
inline constexpr std::array<std::string_view, 7> kEasingNames = {
    "linear", "smooth", "step", "ease-in", "ease-out", "ease-in-out", "cubic"};

/// What keyframes do before the first and after the last.
enum class KeyLoop : std::uint8_t { hold, repeat, ping_pong };
inline constexpr std::array<std::string_view, 3> kKeyLoopNames = {"hold", "repeat", "ping-pong"};

/// A value as a config writes it: literals, "$name", "=2*$name", lists of these, and keyframes.
struct ValueExpr {
    enum class Kind : std::uint8_t { boolean, integer, real, text, reference, formula, list, keys };

    Kind kind = Kind::real;
    Span span;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0.0;
    std::string text; ///< of a text or a formula, or the name of a reference without "$"
    std::shared_ptr<const Expression> formula; ///< shared by the copies of the value
    std::vector<ValueExpr> items;              ///< elements of a list, values of keyframes
    std::vector<double> times;                 ///< of keyframes, in seconds, strictly increasing
    Easing easing = Easing::linear;
    KeyLoop loop = KeyLoop::hold;
};

/// Reads a value. Nested lists of equal length are flattened row by row, so that a matrix can be
/// written as one. Reports config/wrong-type, config/bad-keys, config/ragged-list, and what
/// Expression::parse finds, at its place within the text.
std::optional<ValueExpr> read_value(const SourceFile& source, const Json::Value& json,
                                    Problems& problems);

/// True for {"keys": ...}, with "easing" and "loop" or without.
bool is_keys(const Json::Value& json);

struct Evaluated {
    ParameterValue value;
    bool interpolated = false; ///< made from keyframes: whole numbers may need rounding
};

/// Gives the value of "$name", or nothing after having reported why.
using Lookup = std::function<std::optional<Evaluated>(const std::string& name, Span where)>;

/// The value at `time` seconds. Reports config/wrong-type and config/not-a-number.
std::optional<Evaluated> evaluate(const ValueExpr& expr, double time, const Lookup& lookup,
                                  Problems& problems);

/// A value that refers to nothing, for what is known before parameters are. Reports
/// config/unknown-parameter beside what `evaluate` does.
std::optional<ParameterValue> constant_value(const SourceFile& source, const Json::Value& json,
                                             Problems& problems);

/// Calls `visit` with each name in `expr`, without its "$".
void for_each_reference(const ValueExpr& expr,
                        const std::function<void(const std::string&, Span)>& visit);

/// True where the value refers to nothing and has no keyframes: it is always the same.
bool is_constant(const ValueExpr& expr);

/// Adds the times of all keyframes in `expr`.
void collect_key_times(const ValueExpr& expr, std::vector<double>& times);

/// Rounds numbers to whole ones.
ParameterValue rounded(ParameterValue value);

/// What a value is called in messages: "a number", "a list of 3 numbers".
std::string kind_name(const ParameterValue& value);
/// The same of a JSON value.
std::string kind_name(const Json::Value& json);

} // namespace tuff
