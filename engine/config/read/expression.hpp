#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tuff {

/// What an expression computes with.
using ExpressionValue = std::variant<double, bool, std::string>;

/// What is wrong with an expression, and which bytes [begin, end) of its text are to blame.
struct ExpressionFault {
    std::string_view code; ///< of the diagnostic
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint = {};
};

/// A formula such as "2*$sigma + 1", read once and computed as often as its names change.
///
/// From loose to tight: `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, `- !` in front, functions
/// and brackets. `select`, `&&` and `||` compute only what they take, so that what is left out may
/// divide by zero. Numbers are of double precision.
class Expression {
  public:
    /// A "$name" in the text; "${name}" for names with a hyphen.
    struct Name {
        std::string text; ///< without "$"
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    /// Reads a formula without its "=". Errors: config/bad-expression, config/too-deep,
    /// config/too-large, config/not-a-number.
    static std::expected<Expression, ExpressionFault> parse(std::string_view text);

    /// Its names, each once, by where they first stand.
    const std::vector<Name>& names() const { return names_; }

    /// The value; `values` are those of the names. Errors: config/wrong-type, config/not-a-number.
    std::expected<ExpressionValue, ExpressionFault>
    evaluate(const std::vector<ExpressionValue>& values) const;

  private:
    friend class ExpressionParser;

    enum class Op : std::uint8_t {
        constant,      ///< pushes constants_[index]
        name,          ///< pushes the value of names_[index]
        negate,        ///< the operators take one or two values and push one
        invert,        ///< "!"
        add,           //
        subtract,      //
        multiply,      //
        divide,        //
        remainder,     //
        equal,         //
        unequal,       //
        less,          //
        less_equal,    //
        more,          //
        more_equal,    //
        call,          ///< function `index` with `count` values
        condition,     ///< the top must be true or false
        jump,          ///< to step `index`
        jump_if_not,   ///< takes the top; to step `index` where it is false
        jump_if_equal, ///< keeps the top and jumps where it equals `count`, else takes it
    };
    /// The formula in postfix order. Running it needs no recursion, however long it is.
    struct Step {
        Op op = Op::constant;
        std::uint32_t index = 0;
        std::uint32_t count = 0;
        std::uint32_t begin = 0; ///< bytes of the text, for faults
        std::uint32_t end = 0;
    };
    class Machine;

    std::vector<Step> steps_;
    std::vector<ExpressionValue> constants_;
    std::vector<Name> names_;
};

} // namespace tuff
