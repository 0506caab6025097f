#pragma once

#include "config/read/source_file.hpp"

#include <tuff/config.hpp>
#include <tuff/pass.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// A value as a config writes it: literals, "$name", lists of these, and keyframes.
struct ValueExpr {
    enum class Kind : std::uint8_t { boolean, integer, real, text, reference, list, keys };

    Kind kind = Kind::real;
    Span span;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0.0;
    std::string text;             ///< of a text, or the name of a reference without "$"
    std::vector<ValueExpr> items; ///< elements of a list, values of keyframes
    std::vector<double> times;    ///< of keyframes, in seconds, strictly increasing
};

/// Reads a value. Nested lists of equal length are flattened row by row, so that a matrix can be
/// written as one. Reports config/wrong-type, config/bad-keys and config/ragged-list.
std::optional<ValueExpr> read_value(const SourceFile& source, const Json::Value& json,
                                    Problems& problems);

/// True for objects of the form {"keys": ...}.
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

/// Calls `visit` for each reference in `expr`.
void for_each_reference(const ValueExpr& expr, const std::function<void(const ValueExpr&)>& visit);

/// Adds the times of all keyframes in `expr`.
void collect_key_times(const ValueExpr& expr, std::vector<double>& times);

/// Rounds numbers to whole ones.
ParameterValue rounded(ParameterValue value);

/// What a value is called in messages: "a number", "a list of 3 numbers".
std::string kind_name(const ParameterValue& value);
/// Likewise for JSON.
std::string kind_name(const Json::Value& json);

} // namespace tuff
