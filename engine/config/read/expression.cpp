#include "config/read/expression.hpp"

#include "config/read/expression_functions.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>

namespace tuff {
namespace {

using Numbers = ExpressionNumbers;

std::string_view kind_of(const ExpressionValue& value) {
    constexpr std::array<std::string_view, 3> kKinds = {"a number", "true or false", "a text"};
    return kKinds[value.index()];
}

std::string written(double number) {
    return fmt::format("{}", number);
}

} // namespace

/// Runs the steps over a stack.
class Expression::Machine {
  public:
    Machine(const Expression& expression, const std::vector<ExpressionValue>& values)
        : expression_(expression), values_(values) {}

    std::expected<ExpressionValue, ExpressionFault> run() {
        const auto& steps = expression_.steps_;
        for (std::size_t at = 0; at < steps.size() && !fault_;)
            at = perform(steps[at], at);
        if (fault_) return std::unexpected(std::move(*fault_));
        return std::move(stack_.back());
    }

  private:
    /// The step that follows.
    std::size_t perform(const Step& step, std::size_t at) {
        switch (step.op) {
        case Op::constant: stack_.push_back(expression_.constants_[step.index]); break;
        case Op::name: stack_.push_back(values_[step.index]); break;
        case Op::invert: invert(step); break;
        case Op::negate: compute(step, 1, [](Numbers a) { return -a[0]; }); break;
        case Op::call: call(step); break;
        case Op::condition: condition(step); break;
        case Op::jump: return step.index;
        case Op::jump_if_not: return take_boolean() ? at + 1 : step.index;
        case Op::jump_if_equal:
            if (std::get<bool>(stack_.back()) == (step.count != 0)) return step.index;
            stack_.pop_back();
            break;
        case Op::equal:
        case Op::unequal: equality(step); break;
        default: arithmetic(step); break;
        }
        return at + 1;
    }

    void arithmetic(const Step& step) {
        const auto pair = [&](auto operation) {
            return [operation](Numbers a) { return operation(a[0], a[1]); };
        };
        const auto compare = [&](auto operation) {
            if (!numbers(step, 2)) return;
            const bool holds = operation(arguments_[0], arguments_[1]);
            stack_.emplace_back(holds);
        };
        switch (step.op) {
        case Op::add: return compute(step, 2, pair(std::plus<>()));
        case Op::subtract: return compute(step, 2, pair(std::minus<>()));
        case Op::multiply: return compute(step, 2, pair(std::multiplies<>()));
        case Op::divide: return compute(step, 2, [](Numbers a) { return a[0] / a[1]; });
        case Op::remainder: // has the sign of the divisor
            return compute(step, 2,
                           [](Numbers a) { return a[0] - a[1] * std::floor(a[0] / a[1]); });
        case Op::less: return compare(std::less<>());
        case Op::less_equal: return compare(std::less_equal<>());
        case Op::more: return compare(std::greater<>());
        default: return compare(std::greater_equal<>());
        }
    }

    void call(const Step& step) {
        const ExpressionFunction& function = kExpressionFunctions[step.index];
        compute(step, step.count, function.compute, function.name);
    }

    /// Takes `count` numbers, and pushes what `operation` makes of them.
    template <typename Operation>
    void compute(const Step& step, std::size_t count, Operation operation,
                 std::string_view function = {}) {
        if (!numbers(step, count)) return;
        const bool divides = step.op == Op::divide || step.op == Op::remainder;
        if (divides && arguments_[1] == 0.0)
            return fail("config/not-a-number", step,
                        fmt::format("{} is divided by zero", written(arguments_[0])),
                        "give the divisor a least value, as max(x, 0.001), or choose with "
                        "select(x != 0, ..., ...)");
        if (function == "clamp" && arguments_[1] > arguments_[2])
            return fail("config/not-a-number", step,
                        fmt::format("the low end of clamp, {}, lies above its high end, {}",
                                    written(arguments_[1]), written(arguments_[2])),
                        "clamp(x, low, high)");
        const double result = operation(Numbers(arguments_));
        if (std::isfinite(result)) {
            stack_.emplace_back(result);
            return;
        }
        std::string given;
        for (const double argument : arguments_)
            given += fmt::format("{}{}", given.empty() ? "" : ", ", written(argument));
        fail("config/not-a-number", step,
             function.empty() ? fmt::format("the result is too large, of {}", given)
                              : fmt::format("{}({}) is not a finite number", function, given));
    }

    bool numbers(const Step& step, std::size_t count) {
        arguments_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const ExpressionValue& value = stack_[stack_.size() - count + i];
            const double* number = std::get_if<double>(&value);
            if (!number) {
                fail("config/wrong-type", step,
                     fmt::format("this computes with numbers, not with {}", kind_of(value)),
                     std::holds_alternative<bool>(value) ? "select(x, 1, 0) makes a number of it"
                                                         : "");
                return false;
            }
            arguments_[i] = *number;
        }
        stack_.resize(stack_.size() - count);
        return true;
    }

    void equality(const Step& step) {
        const ExpressionValue second = std::move(stack_.back());
        stack_.pop_back();
        const ExpressionValue first = std::move(stack_.back());
        stack_.pop_back();
        if (first.index() != second.index())
            return fail("config/wrong-type", step,
                        fmt::format("{} is compared with {}", kind_of(first), kind_of(second)));
        stack_.emplace_back((first == second) == (step.op == Op::equal));
    }

    void invert(const Step& step) {
        condition(step);
        if (!fault_) stack_.emplace_back(!take_boolean());
    }

    void condition(const Step& step) {
        if (!std::holds_alternative<bool>(stack_.back()))
            fail("config/wrong-type", step,
                 fmt::format("a condition must be true or false, not {}", kind_of(stack_.back())),
                 "compare it, as in $x != 0");
    }

    bool take_boolean() {
        const bool value = std::get<bool>(stack_.back());
        stack_.pop_back();
        return value;
    }

    void fail(std::string_view code, const Step& step, std::string message, std::string hint = {}) {
        fault_ = ExpressionFault{code, step.begin, step.end, std::move(message), std::move(hint)};
    }

    const Expression& expression_;
    const std::vector<ExpressionValue>& values_;
    std::vector<ExpressionValue> stack_;
    std::vector<double> arguments_;
    std::optional<ExpressionFault> fault_;
};

std::expected<ExpressionValue, ExpressionFault>
Expression::evaluate(const std::vector<ExpressionValue>& values) const {
    return Machine(*this, values).run();
}

} // namespace tuff
