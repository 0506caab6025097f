#include "config/check/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

/// Node times instants that `check_values` looks at.
constexpr std::size_t kMostChecks = 4'000'000;

bool is_number(const ParameterValue& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::vector<double> components_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return {static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return {*real};
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    return {};
}

bool varies(const ValueExpr& expr) {
    bool result = expr.kind == ValueExpr::Kind::keys;
    for_each_reference(expr, [&](const ValueExpr&) { result = true; });
    return result;
}

} // namespace

std::optional<Diagnostic> find_mismatch(const ParameterDecl& decl, const ParameterValue& initial,
                                        const ParameterValue& value) {
    const bool same_kind = is_number(initial) ? is_number(value) : initial.index() == value.index();
    if (!same_kind)
        return Diagnostic{.code = "config/wrong-type",
                          .message = fmt::format("parameter \"{}\" is {}, not {}", decl.name.text,
                                                 kind_name(initial), kind_name(value)),
                          .where = {}};
    for (double component : components_of(value))
        if (!(component >= decl.low && component <= decl.high))
            return Diagnostic{.code = "config/out-of-range",
                              .message = fmt::format("parameter \"{}\" is {}, outside its range",
                                                     decl.name.text, component),
                              .where = {},
                              .hint = fmt::format("give {} to {}", decl.low, decl.high)};
    return std::nullopt;
}

Evaluation::Evaluation(const FlatConfig& flat, const EvaluationInput& input, Problems& problems)
    : flat_(flat), input_(input), problems_(problems) {
    for (std::uint32_t scope = 0; scope < flat_.scopes.size(); ++scope) {
        const std::size_t count = flat_.scopes[scope].file->config.parameters.size();
        parameters_.emplace_back();
        std::vector<std::optional<Evaluated>> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(parameter(scope, i));
        parameters_.back() = std::move(values);
    }
}

std::optional<Evaluated> Evaluation::parameter(std::uint32_t scope_index, std::size_t index) {
    const FlatScope& scope = flat_.scopes[scope_index];
    const ParameterDecl& decl = scope.file->config.parameters[index];
    if (const ParameterValue* set = override_of(scope, decl.name.text)) return Evaluated{*set};

    if (decl.faulty) return std::nullopt;
    // The value in the file may refer to built-in values only: its file's parameters are not known
    // yet, which keeps them free of cycles.
    const std::optional<Evaluated> initial = value(scope_index, decl.value);
    if (!initial) return std::nullopt;
    const auto checked = [&](std::optional<Evaluated> given,
                             Span span) -> std::optional<Evaluated> {
        if (!given) return std::nullopt;
        if (auto mismatch = find_mismatch(decl, initial->value, given->value)) {
            problems_.take({std::move(*mismatch)}, span);
            return std::nullopt;
        }
        return given;
    };
    if (const ArgumentDecl* argument = scope.arguments[index])
        return checked(value(scope.parent, argument->value), argument->value.span);
    return checked(initial, decl.value.span);
}

const ParameterValue* Evaluation::override_of(const FlatScope& scope,
                                              const std::string& name) const {
    if (input_.overrides.empty()) return nullptr;
    const bool is_main = scope.path.empty();
    const auto found = input_.overrides.find(
        is_main ? name : scope.path.substr(0, scope.path.size() - 1) + "." + name);
    return found == input_.overrides.end() ? nullptr : &found->second;
}

std::optional<Evaluated> Evaluation::value(std::uint32_t scope, const ValueExpr& expr) {
    return evaluate(
        expr, input_.frame.time,
        [&](const std::string& name, Span where) { return look_up(scope, name, where); },
        problems_);
}

std::optional<Evaluated> Evaluation::look_up(std::uint32_t scope, const std::string& name,
                                             Span where) {
    if (name == "frame") return Evaluated{input_.frame.frame};
    if (name == "time") return Evaluated{input_.frame.time};
    if (name == "dt") return Evaluated{input_.frame.dt};
    if (name == "width") return Evaluated{std::int64_t{input_.size[0]}};
    if (name == "height") return Evaluated{std::int64_t{input_.size[1]}};
    const LoadedFile& file = *flat_.scopes[scope].file;
    const auto found = file.names.parameters.find(name);
    if (found != file.names.parameters.end() && found->second < parameters_[scope].size())
        return parameters_[scope][found->second]; // empty: reported where it stands
    if (found != file.names.parameters.end()) {
        problems_.error("config/unknown-parameter", where,
                        fmt::format("a parameter's own value cannot refer to \"${}\"", name),
                        "it may refer to $frame, $time, $dt, $width and $height");
        return std::nullopt;
    }
    std::vector<std::string> known;
    for (const ParameterDecl& decl : file.config.parameters)
        known.push_back("$" + decl.name.text);
    for (const char* built_in : {"$frame", "$time", "$dt", "$width", "$height"})
        known.emplace_back(built_in);
    problems_.error("config/unknown-parameter", where,
                    fmt::format("there is no parameter \"${}\"", name), suggest("$" + name, known));
    return std::nullopt;
}

std::optional<Extent> Evaluation::size(std::uint32_t scope, const ValueExpr& expr) {
    const std::optional<Evaluated> evaluated = value(scope, expr);
    if (!evaluated) return std::nullopt;
    const auto* sides = std::get_if<std::vector<double>>(&evaluated->value);
    const auto is_side = [](double side) {
        return side >= 1 && side <= kMaxConfigSide &&
               side == static_cast<double>(static_cast<std::uint32_t>(side));
    };
    if (!sides || sides->size() != 2 || !std::ranges::all_of(*sides, is_side)) {
        problems_.error("config/bad-size", expr.span,
                        fmt::format("a size is [width, height], two whole numbers from 1 to {}",
                                    kMaxConfigSide));
        return std::nullopt;
    }
    return Extent{static_cast<std::uint32_t>((*sides)[0]), static_cast<std::uint32_t>((*sides)[1]),
                  1};
}

void Evaluation::configure(const FlatNode& node, PassInstance& pass) {
    const auto overridden = overrides_below(node.path + ".");
    for (const auto& [parameter, argument] : node.arguments) {
        if (std::ranges::find(overridden, node.pass->parameters[parameter].name, &Override::name) !=
            overridden.end())
            continue;
        std::optional<Evaluated> evaluated = value(node.scope, argument->value);
        if (!evaluated) continue;
        if (evaluated->interpolated && node.pass->parameters[parameter].integral)
            evaluated->value = rounded(std::move(evaluated->value));
        if (auto set = pass.set_parameter(parameter, evaluated->value); !set)
            problems_.take(std::move(set.error()), argument->value.span);
    }
    for (const Override& set : overridden)
        if (const auto parameter = node.pass->find_parameter(set.name))
            if (auto done = pass.set_parameter(*parameter, *set.value); !done)
                problems_.take(std::move(done.error()), node.decl->name.span);
}

bool Evaluation::changes(const FlatNode& node) const {
    return std::ranges::any_of(node.arguments, [&](const auto& entry) {
        return changes(node.scope, entry.second->value);
    });
}

bool Evaluation::changes(std::uint32_t scope, const ValueExpr& expr) const {
    bool result = expr.kind == ValueExpr::Kind::keys;
    for_each_reference(expr, [&](const ValueExpr& reference) {
        const std::string& name = reference.text;
        result = result || name == "frame" || name == "time" || name == "dt" ||
                 parameter_changes(scope, name);
    });
    return result || std::ranges::any_of(expr.items, [&](const ValueExpr& item) {
               return item.kind == ValueExpr::Kind::keys;
           });
}

bool Evaluation::parameter_changes(std::uint32_t scope_index, const std::string& name) const {
    const FlatScope& scope = flat_.scopes[scope_index];
    const auto found = scope.file->names.parameters.find(name);
    if (found == scope.file->names.parameters.end() || override_of(scope, name)) return false;
    if (const ArgumentDecl* argument = scope.arguments[found->second])
        return changes(scope.parent, argument->value);
    return changes(scope_index, scope.file->config.parameters[found->second].value);
}

std::vector<Evaluation::Override> Evaluation::overrides_below(std::string_view prefix) const {
    std::vector<Override> found;
    for (auto at = input_.overrides.lower_bound(prefix);
         at != input_.overrides.end() && at->first.starts_with(prefix); ++at)
        found.push_back({std::string_view(at->first).substr(prefix.size()), &at->second});
    return found;
}

std::optional<std::uint32_t> Evaluation::repeats(const FlatNode& node) {
    if (!node.decl->loop->count) return std::nullopt; // reported
    const ValueExpr& expr = *node.decl->loop->count;
    const std::optional<Evaluated> evaluated = value(node.scope, expr);
    if (!evaluated) return std::nullopt;
    if (!is_number(evaluated->value)) {
        problems_.error("config/wrong-type", expr.span,
                        fmt::format("the count of a loop is a whole number, not {}",
                                    kind_name(evaluated->value)));
        return std::nullopt;
    }
    const double count =
        components_of(evaluated->interpolated ? rounded(evaluated->value) : evaluated->value)[0];
    if (count >= 0 && count <= kMaxConfigRepeats &&
        count == static_cast<double>(static_cast<std::uint32_t>(count)))
        return static_cast<std::uint32_t>(count);
    problems_.error("config/out-of-range", expr.span,
                    fmt::format("a loop cannot run {} times", count),
                    fmt::format("give a whole number from 0 to {}", kMaxConfigRepeats));
    return std::nullopt;
}

std::map<std::string, ParameterValue, std::less<>>
Evaluation::body_parameters(const FlatNode& node) {
    std::map<std::string, ParameterValue, std::less<>> given;
    const std::map<std::string, ParameterValue, std::less<>> nothing;
    const FlatConfig& body = *node.loop->body;
    Problems ignored; // of the declarations, checked where the body is
    Evaluation declared(body, {input_.size, nothing, input_.frame}, ignored);
    for (const auto& [parameter, argument] : node.arguments) {
        const std::optional<Evaluated> evaluated = value(node.scope, argument->value);
        const ParameterDecl& decl = body.main().parameters[parameter];
        const std::optional<Evaluated> initial = declared.value(0, decl.value);
        if (!evaluated || !initial) continue;
        if (auto mismatch = find_mismatch(decl, initial->value, evaluated->value))
            problems_.take({std::move(*mismatch)}, argument->value.span);
        else
            given.insert_or_assign(decl.name.text, evaluated->value);
    }
    for (const char* const separator : {".", "/"}) // its own parameters, and those of its nodes
        for (const Override& set : overrides_below(node.path + separator))
            given.insert_or_assign(std::string(set.name), *set.value);
    return given;
}

namespace {

using Overrides = std::map<std::string, ParameterValue, std::less<>>;

void collect_times(const FlatConfig& flat, std::vector<double>& times) {
    for (const auto& file : flat.files) {
        for (const ParameterDecl& parameter : file->config.parameters)
            collect_key_times(parameter.value, times);
        for (const NodeDecl& node : file->config.nodes) {
            for (const ArgumentDecl& argument : node.arguments)
                collect_key_times(argument.value, times);
            if (node.loop && node.loop->count) collect_key_times(*node.loop->count, times);
        }
    }
    for (const FlatNode& node : flat.nodes)
        if (node.loop && node.loop->body) collect_times(*node.loop->body, times);
}

void check_loop(const FlatNode& node, Evaluation& evaluation, const EvaluationInput& input,
                bool first, Problems& problems);

void check_instant(const FlatConfig& flat, const EvaluationInput& input, bool first,
                   Problems& problems) {
    Evaluation evaluation(flat, input, problems);
    for (const FlatNode& node : flat.nodes) {
        if (node.loop) {
            check_loop(node, evaluation, input, first, problems);
            continue;
        }
        const bool changes = std::ranges::any_of(
            node.arguments, [](const auto& entry) { return varies(entry.second->value); });
        if (first || changes) evaluation.configure(node, *node.pass->make());
    }
    if (!first) return;
    for (const FlatAsset& asset : flat.assets)
        if (asset.decl->size) evaluation.size(asset.scope, *asset.decl->size);
    for (const FlatHistory& history : flat.histories)
        evaluation.size(history.scope, history.decl->size);
}

void check_loop(const FlatNode& node, Evaluation& evaluation, const EvaluationInput& input,
                bool first, Problems& problems) {
    evaluation.repeats(node);
    if (node.loop->pass) {
        evaluation.configure(node, *node.loop->pass->make());
        return;
    }
    const Overrides given = evaluation.body_parameters(node);
    check_instant(*node.loop->body, {input.size, given, input.frame}, first, problems);
}

} // namespace

void check_values(const FlatConfig& flat, Problems& problems) {
    std::vector<double> times;
    collect_times(flat, times);
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    times.resize(std::min(times.size(), kMostChecks / (flat.nodes.size() + 1)));
    times.insert(times.begin(), 0.0);

    const std::map<std::string, ParameterValue, std::less<>> no_overrides;
    for (std::size_t i = 0; i < times.size(); ++i) {
        check_instant(flat, {flat.main().size, no_overrides, FrameTime{.time = times[i]}}, i == 0,
                      problems);
    }
}

} // namespace tuff
