#include <tuff/modules.hpp>
#include <tuff/pass.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>

namespace tuff {
namespace {

template <typename Entry>
std::optional<std::size_t> find_by_name(const std::vector<Entry>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found == entries.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries.begin());
}

/// What a value is, for "expected ..., got ...".
std::string describe(const ParameterValue& value) {
    struct Visitor {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return fmt::format("the number {}", v); }
        std::string operator()(double v) const { return fmt::format("the number {}", v); }
        std::string operator()(const std::string& v) const {
            constexpr std::size_t kShown = 40;
            return v.size() <= kShown ? fmt::format("\"{}\"", v)
                                      : fmt::format("a text of {} bytes", v.size());
        }
        std::string operator()(const std::vector<double>& v) const {
            return v.size() == 1 ? "a list of 1 number"
                                 : fmt::format("a list of {} numbers", v.size());
        }
    };
    return std::visit(Visitor{}, value);
}

std::unexpected<Diagnostics> wrong_type(const ParameterInfo& info, std::string_view expected,
                                        const ParameterValue& value) {
    return fail("pass/wrong-type", fmt::format("parameter \"{}\" takes {}, not {}", info.name,
                                               expected, describe(value)));
}

std::string with_unit(double value, std::string_view unit) {
    return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

std::string range_text(const ParameterInfo& info) {
    const bool below = std::isfinite(info.low);
    const bool above = std::isfinite(info.high);
    if (below && above) return fmt::format("{} to {}", info.low, with_unit(info.high, info.unit));
    if (below) return "at least " + with_unit(info.low, info.unit);
    if (above) return "at most " + with_unit(info.high, info.unit);
    return "any finite number";
}

/// Whole numbers beyond 2^53 cannot be told apart once they have been a double.
constexpr double kLargestWhole = 9007199254740992.0;

/// `which` names a component of a vector; empty for scalars.
Result<void> check_number(const ParameterInfo& info, double number, const std::string& which) {
    const std::string name = which.empty() ? fmt::format("\"{}\"", info.name)
                                           : fmt::format("\"{}\" (component {})", info.name, which);
    if (info.integral && std::isfinite(number) && number != std::trunc(number))
        return fail("pass/wrong-type",
                    fmt::format("parameter {} takes whole numbers, not {}", name, number));
    const double limit =
        info.integral ? kLargestWhole : static_cast<double>(std::numeric_limits<float>::max());
    const bool inside = std::isfinite(number) && std::abs(number) <= limit && number >= info.low &&
                        number <= info.high;
    if (inside) return {};
    return fail(
        "pass/out-of-range",
        fmt::format("parameter {} is {}, outside its range", name, with_unit(number, info.unit)),
        "give " + range_text(info));
}

std::string_view article(std::string_view noun) {
    constexpr std::string_view kVowels = "AEIOUaeiou";
    return !noun.empty() && kVowels.contains(noun.front()) ? "an" : "a";
}

std::optional<double> number_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

} // namespace

std::optional<std::size_t> PassDescriptor::find_input(std::string_view port) const {
    return find_by_name(inputs, port);
}
std::optional<std::size_t> PassDescriptor::find_output(std::string_view port) const {
    return find_by_name(outputs, port);
}
std::optional<std::size_t> PassDescriptor::find_parameter(std::string_view parameter) const {
    return find_by_name(parameters, parameter);
}

struct PassRegistry::State {
    std::shared_ptr<Modules> modules; ///< may be null
    mutable std::mutex mutex;         ///< guards what follows
    Passes passes;
    std::map<std::string, Diagnostics, std::less<>> asked; ///< modules, with what went wrong

    /// Adds the passes of the module, where it was not asked for yet.
    void load(std::string_view module);
};

void PassRegistry::State::load(std::string_view module) {
    if (!modules || asked.contains(module)) return;
    Diagnostics& errors = asked[std::string(module)];
    auto found = modules->find(module);
    if (!found) {
        errors = std::move(found.error());
        return;
    }
    if (!*found) return;
    PassRegistry own;
    (*found)->add_passes(own);
    for (auto& [name, pass] : own.state_->passes) {
        const bool inside = name.starts_with(fmt::format("{}/", module));
        if (inside && passes.try_emplace(name, std::move(pass)).second) continue;
        errors.push_back(
            {.code = "module/foreign-pass",
             .message = inside ? fmt::format("there is another pass \"{}\" than that of the "
                                             "module \"{}\"",
                                             name, module)
                               : fmt::format("the module \"{}\" has a pass \"{}\"", module, name),
             .where = {},
             .hint = "the names of a module's passes begin with its own name and '/'"});
    }
}

PassRegistry::PassRegistry() : PassRegistry(nullptr) {}
PassRegistry::PassRegistry(std::shared_ptr<Modules> modules)
    : state_(std::make_unique<State>(std::move(modules))) {}
PassRegistry::PassRegistry(PassRegistry&&) noexcept = default;
PassRegistry& PassRegistry::operator=(PassRegistry&&) noexcept = default;
PassRegistry::~PassRegistry() = default;

void PassRegistry::add(PassDescriptor descriptor) {
    const std::lock_guard lock(state_->mutex);
    std::string name = descriptor.name;
    const bool added =
        state_->passes.insert_or_assign(std::move(name), std::move(descriptor)).second;
    assert(added && "two passes share a name");
    static_cast<void>(added);
}

const PassDescriptor* PassRegistry::find(std::string_view name) const {
    const std::lock_guard lock(state_->mutex);
    state_->load(name.substr(0, name.find('/')));
    const auto found = state_->passes.find(name);
    return found == state_->passes.end() ? nullptr : &found->second;
}

Diagnostics PassRegistry::why_missing(std::string_view name) const {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->asked.find(name.substr(0, name.find('/')));
    return found == state_->asked.end() ? Diagnostics{} : found->second;
}

const PassRegistry::Passes& PassRegistry::everything() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->modules)
        for (const std::string& module : state_->modules->names())
            state_->load(module);
    return state_->passes;
}

std::vector<std::string> PassRegistry::names() const {
    std::vector<std::string> result;
    for (const auto& [name, pass] : everything())
        result.push_back(name);
    return result;
}

namespace detail {

Result<double> as_number(const ParameterInfo& info, const ParameterValue& value) {
    const std::optional<double> number = number_of(value);
    if (!number) return wrong_type(info, info.integral ? "a whole number" : "a number", value);
    if (auto checked = check_number(info, *number, {}); !checked)
        return propagate(std::move(checked));
    return *number;
}

Result<std::vector<double>> as_numbers(const ParameterInfo& info, const ParameterValue& value) {
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    const bool any_length = info.kind == ParameterKind::list;
    if (!numbers || (!any_length && numbers->size() != info.components))
        return wrong_type(info,
                          any_length ? "a list of numbers"
                                     : fmt::format("a list of {} numbers", info.components),
                          value);
    Diagnostics wrong;
    for (std::size_t i = 0; i < numbers->size(); ++i)
        if (auto checked = check_number(info, (*numbers)[i], fmt::format("{}", i)); !checked)
            wrong.insert(wrong.end(), checked.error().begin(), checked.error().end());
    if (!wrong.empty()) return std::unexpected(std::move(wrong));
    return *numbers;
}

Result<bool> as_boolean(const ParameterInfo& info, const ParameterValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag;
    return wrong_type(info, "true or false", value);
}

Result<std::string> as_text(const ParameterInfo& info, const ParameterValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return wrong_type(info, "a text", value);
}

Result<std::size_t> as_choice(const ParameterInfo& info, const ParameterValue& value) {
    const std::string choices = fmt::format("{}", fmt::join(info.choices, ", "));
    const auto* text = std::get_if<std::string>(&value);
    if (!text) return wrong_type(info, "one of " + choices, value);
    const auto found = std::ranges::find(info.choices, *text);
    if (found != info.choices.end()) return static_cast<std::size_t>(found - info.choices.begin());
    const std::string_view nearest = nearest_name(*text, info.choices);
    return fail("pass/unknown-choice",
                fmt::format("parameter \"{}\" cannot be {}", info.name, describe(value)),
                nearest.empty()
                    ? "choose one of " + choices
                    : fmt::format("did you mean \"{}\"? The choices are {}", nearest, choices));
}

std::unexpected<Diagnostics> wrong_port_type(const PortInfo& port, std::string_view got) {
    return fail("pass/wrong-port-type",
                fmt::format("input \"{}\" takes {} {}, not {} {}", port.name, article(port.type),
                            port.type, article(got), got));
}

} // namespace detail
} // namespace tuff
