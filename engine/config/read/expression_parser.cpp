#include "config/read/expression.hpp"
#include "config/read/expression_functions.hpp"

#include <tuff/diagnostic.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <optional>

namespace tuff {
namespace {

/// Longer than anyone writes, and far from what would keep the reader busy.
constexpr std::size_t kMaxFormulaLength = 65'536;
/// Brackets, calls and signs inside one another: the parser calls itself for each.
constexpr int kMaxDepth = 64;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string function_names() {
    std::string names;
    for (const ExpressionFunction& function : kExpressionFunctions)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", function.name);
    return names;
}

std::string near_name(std::string_view name) {
    std::vector<std::string> known = {"true", "false", "pi"};
    for (const ExpressionFunction& function : kExpressionFunctions)
        known.emplace_back(function.name);
    const std::string_view near = nearest_name(name, known);
    if (!near.empty()) return fmt::format("did you mean \"{}\"?", near);
    return fmt::format("a parameter is written ${}; functions: {}", name, function_names());
}

} // namespace

/// Precedence climbing. Each level of operators is a row of a table; a fault ends the parsing.
class ExpressionParser {
  public:
    explicit ExpressionParser(std::string_view text) : text_(text) {}

    std::expected<Expression, ExpressionFault> parse() {
        if (text_.size() > kMaxFormulaLength) {
            fail("config/too-large", 0, 1,
                 fmt::format("the expression is longer than {} characters", kMaxFormulaLength),
                 "split it up into \"params\" that refer to each other");
        } else {
            binary(0);
            skip_blanks();
            if (!fault_ && at_ < text_.size())
                fail("config/bad-expression", at_, at_ + character_length(at_),
                     fmt::format("\"{}\" cannot stand here", character_at(at_)),
                     text_[at_] == '^' ? "powers are written pow(x, y)" : "");
        }
        if (fault_) return std::unexpected(std::move(*fault_));
        return std::move(result_);
    }

  private:
    using Op = Expression::Op;
    using Step = Expression::Step;

    struct Operator {
        std::string_view text;
        Op op;
    };
    /// From loose to tight. A longer text precedes the shorter one that it begins with.
    static constexpr std::array<std::array<Operator, 4>, 6> kLevels = {{
        {{{"||", Op::jump_if_equal}}},
        {{{"&&", Op::jump_if_equal}}},
        {{{"==", Op::equal}, {"!=", Op::unequal}}},
        {{{"<=", Op::less_equal}, {">=", Op::more_equal}, {"<", Op::less}, {">", Op::more}}},
        {{{"+", Op::add}, {"-", Op::subtract}}},
        {{{"*", Op::multiply}, {"/", Op::divide}, {"%", Op::remainder}}},
    }};

    void binary(std::size_t level) {
        if (level == kLevels.size()) return unary();
        skip_blanks();
        const std::size_t begin = at_;
        binary(level + 1);
        while (!fault_) {
            skip_blanks();
            const Operator* found = nullptr;
            for (const Operator& candidate : kLevels[level])
                if (!found && !candidate.text.empty() &&
                    text_.substr(at_).starts_with(candidate.text))
                    found = &candidate;
            if (!found) return;
            if (found->op == Op::jump_if_equal) {
                logical(level, begin, *found);
                continue;
            }
            const bool divides = found->op == Op::divide || found->op == Op::remainder;
            const std::size_t operator_begin = at_;
            at_ += found->text.size();
            binary(level + 1);
            emit({.op = found->op}, divides ? operator_begin : begin);
        }
    }

    /// "a && b": a decides where it is false. Both must be true or false.
    void logical(std::size_t level, std::size_t begin, const Operator& taken) {
        emit({.op = Op::condition}, begin);
        const std::size_t jump = result_.steps_.size();
        emit({.op = Op::jump_if_equal, .count = taken.text == "||" ? 1u : 0u}, begin);
        at_ += taken.text.size();
        skip_blanks();
        const std::size_t second = at_;
        binary(level + 1);
        if (fault_) return;
        emit({.op = Op::condition}, second);
        result_.steps_[jump].index = static_cast<std::uint32_t>(result_.steps_.size());
    }

    void unary() {
        skip_blanks();
        const std::size_t begin = at_;
        if (at_ == text_.size())
            return fail(
                "config/bad-expression", at_ == 0 ? 0 : at_ - 1, std::max(at_, std::size_t{1}),
                text_.empty() ? "the expression is empty" : "the expression ends too early");
        if (text_[at_] != '-' && text_[at_] != '+' && text_[at_] != '!') return primary();
        if (!enter(begin)) return;
        const char sign = text_[at_++];
        unary();
        if (sign != '+' || fault_) emit({.op = sign == '!' ? Op::invert : Op::negate}, begin);
        --depth_;
    }

    void primary() {
        const std::size_t begin = at_;
        const char c = text_[at_];
        if (c == '(') {
            if (!enter(begin)) return;
            ++at_;
            binary(0);
            if (!fault_ && !take(')')) unclosed(begin);
            --depth_;
        } else if (is_digit(c) || c == '.') {
            number();
        } else if (c == '$') {
            parameter();
        } else if (c == '\'') {
            const std::size_t close = text_.find('\'', at_ + 1);
            if (close == std::string_view::npos)
                return fail("config/bad-expression", begin, text_.size(), "the text is not closed",
                            "texts stand between ' and '");
            at_ = close + 1;
            constant(std::string(text_.substr(begin + 1, close - begin - 1)), begin);
        } else if (is_letter(c)) {
            word();
        } else {
            fail("config/bad-expression", begin, begin + character_length(begin),
                 fmt::format("\"{}\" cannot stand here", character_at(begin)),
                 "a number, $name, function or bracket is expected");
        }
    }

    void number() {
        double value = 0.0;
        const char* const first = text_.data() + at_;
        const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
        const std::size_t begin = at_;
        at_ += static_cast<std::size_t>(end - first);
        if (error == std::errc::result_out_of_range)
            return fail("config/not-a-number", begin, at_, "the number is too large or too small");
        if (error != std::errc() || (at_ < text_.size() && is_letter(text_[at_])))
            return fail("config/bad-expression", begin, std::max(at_, begin + 1),
                        "this is not a number", "a product is written 2*$x");
        constant(value, begin);
    }

    void parameter() {
        const std::size_t begin = at_++;
        const bool braces = at_ < text_.size() && text_[at_] == '{';
        at_ += braces ? 1 : 0;
        const std::size_t first = at_;
        const auto goes_on = [&](std::size_t at) { // "." leads to a member of a group
            const char c = text_[at];
            const bool member =
                c == '.' && at > first && at + 1 < text_.size() && is_letter(text_[at + 1]);
            return is_letter(c) || is_digit(c) || member || (braces && c == '-');
        };
        while (at_ < text_.size() && goes_on(at_))
            ++at_;
        const std::string_view name = text_.substr(first, at_ - first);
        const bool closed = !braces || (at_ < text_.size() && text_[at_] == '}');
        at_ += braces && closed ? 1 : 0;
        if (name.empty() || is_digit(name.front()) || !closed)
            return fail("config/bad-expression", begin, std::max(at_, begin + 1),
                        "a name follows \"$\"",
                        "write $name, or ${name} where the name has a hyphen");
        auto& names = result_.names_;
        auto known = std::ranges::find(names, name, &Expression::Name::text);
        if (known == names.end())
            known = names.insert(names.end(), {std::string(name), begin, at_});
        emit({.op = Op::name, .index = static_cast<std::uint32_t>(known - names.begin())}, begin);
    }

    void word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::size_t end = at_;
        const std::string_view name = text_.substr(begin, end - begin);
        if (name == "true" || name == "false") return constant(name == "true", begin);
        if (name == "pi") return constant(std::numbers::pi, begin);
        const auto function =
            std::ranges::find(kExpressionFunctions, name, &ExpressionFunction::name);
        if (function == kExpressionFunctions.end())
            return fail("config/bad-expression", begin, end,
                        fmt::format("there is no function \"{}\"", name), near_name(name));
        if (!take('('))
            return fail("config/bad-expression", begin, end,
                        fmt::format("\"{}\" is a function, and its arguments are missing", name),
                        fmt::format("write {}(...)", name));
        if (!enter(begin)) return;
        const std::uint32_t count = function->compute ? arguments() : select();
        if (fault_) return;
        if (!take(')')) return unclosed(end);
        if (count < function->least || count > function->most)
            return fail("config/bad-expression", begin, at_,
                        fmt::format("{} takes {}{} argument{}, not {}", name,
                                    function->most == kAnyArguments ? "at least " : "",
                                    function->least, function->least == 1 ? "" : "s", count));
        if (function->compute)
            emit({.op = Op::call,
                  .index = static_cast<std::uint32_t>(function - kExpressionFunctions.begin()),
                  .count = count},
                 begin);
        --depth_;
    }

    std::uint32_t arguments() {
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == ')') return 0;
        std::uint32_t count = 0;
        do {
            binary(0);
            ++count;
        } while (!fault_ && take(','));
        return count;
    }

    /// select(condition, a, b): jumps over the one that is not taken.
    std::uint32_t select() {
        skip_blanks();
        const std::size_t begin = at_;
        std::uint32_t count = 0;
        std::size_t to_second = 0, to_end = 0;
        do {
            if (count == 1) {
                to_second = result_.steps_.size();
                emit({.op = Op::jump_if_not}, begin);
            } else if (count == 2) {
                to_end = result_.steps_.size();
                emit({.op = Op::jump}, begin);
                result_.steps_[to_second].index = static_cast<std::uint32_t>(to_end + 1);
            }
            binary(0);
            if (fault_) return 0;
            if (count == 0) emit({.op = Op::condition}, begin);
            ++count;
        } while (take(','));
        if (count == 3)
            result_.steps_[to_end].index = static_cast<std::uint32_t>(result_.steps_.size());
        return count;
    }

    void constant(ExpressionValue value, std::size_t begin) {
        result_.constants_.push_back(std::move(value));
        emit({.op = Op::constant,
              .index = static_cast<std::uint32_t>(result_.constants_.size() - 1)},
             begin);
    }

    void emit(Step step, std::size_t begin) {
        if (fault_) return;
        step.begin = static_cast<std::uint32_t>(begin);
        step.end = static_cast<std::uint32_t>(at_);
        result_.steps_.push_back(step);
    }

    bool enter(std::size_t begin) {
        if (++depth_ <= kMaxDepth) return true;
        fail("config/too-deep", begin, begin + 1,
             fmt::format("the expression is nested more than {} deep", kMaxDepth),
             "split it up into \"params\" that refer to each other");
        return false;
    }

    bool take(char c) {
        skip_blanks();
        if (fault_ || at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    void unclosed(std::size_t bracket) {
        if (at_ < text_.size())
            return fail("config/bad-expression", at_, at_ + character_length(at_),
                        fmt::format("\"{}\" cannot stand here", character_at(at_)),
                        "an operator or \")\" is expected");
        fail("config/bad-expression", bracket, bracket + 1, "this bracket is not closed");
    }

    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_]))
            ++at_;
    }

    /// Of the UTF-8 character that begins at `at`.
    std::size_t character_length(std::size_t at) const {
        std::size_t end = at + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80)
            ++end;
        return end - at;
    }
    std::string_view character_at(std::size_t at) const {
        return text_.substr(at, character_length(at));
    }

    void fail(std::string_view code, std::size_t begin, std::size_t end, std::string message,
              std::string hint = {}) {
        if (!fault_)
            fault_ = ExpressionFault{code, begin, std::min(end, text_.size()), std::move(message),
                                     std::move(hint)};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Expression result_;
    std::optional<ExpressionFault> fault_;
};

std::expected<Expression, ExpressionFault> Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

} // namespace tuff
