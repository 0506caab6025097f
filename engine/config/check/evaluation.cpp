#include "config/check/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tuff {
namespace {

/// Node times instants that `check_values` looks at.
constexpr std::size_t kMaxChecks = 4'000'000;

bool is_number(const ParameterValue& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::vector<double> components_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return {static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return {*real};
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    return {};
}

} // namespace

std::optional<Diagnostic> find_mismatch(const ParameterDecl& decl, const ParameterValue& initial,
                                        const ParameterValue& value) {
    const bool same_kind = is_number(initial) ? is_number(value) : initial.index() == value.index();
    if (!same_kind)
        return Diagnostic{.code = "config/wrong-type",
                          .message =
                              fmt::format("parameter \"{}\" must be {}, not {}", decl.name.text,
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
    if (!input_.domain && flat_.main().domain)
        input_.domain = DomainInput{.cells = flat_.main().domain->cells, .ranks = {}};
    for (std::uint32_t scope = 0; scope < flat_.scopes.size(); ++scope) {
        const LoadedFile& file = *flat_.scopes[scope].file;
        parameters_.emplace_back(file.config.parameters.size());
        parameter_changes_.emplace_back(file.config.parameters.size());
        parameter_follows_domain_.emplace_back(file.config.parameters.size());
        for (const std::uint32_t i : file.parameter_order) {
            parameters_[scope][i] = parameter(scope, i);
            parameter_changes_[scope][i] = parameter_changes(scope, i);
            parameter_follows_domain_[scope][i] = parameter_follows_domain(scope, i);
        }
    }
}

std::optional<Evaluated> Evaluation::parameter(std::uint32_t scope_index, std::size_t index) {
    const FlatScope& scope = flat_.scopes[scope_index];
    const ParameterDecl& decl = scope.file->config.parameters[index];
    if (const ParameterValue* set = override_of(scope, decl.name.text)) return Evaluated{*set};

    if (decl.faulty) return std::nullopt;
    const std::optional<Evaluated> initial = value(scope_index, decl.value);
    if (!initial) return std::nullopt;
    const auto checked = [&](std::optional<Evaluated> given,
                             const ValueExpr& expr) -> std::optional<Evaluated> {
        if (!given) return std::nullopt;
        if (auto mismatch = find_mismatch(decl, initial->value, given->value)) {
            report({std::move(*mismatch)}, expr);
            return std::nullopt;
        }
        return given;
    };
    if (const ArgumentDecl* argument = scope.arguments[index])
        return checked(value(scope.parent, argument->value), argument->value);
    return checked(initial, decl.value);
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
    Problems found;
    auto result = evaluate(
        expr, input_.frame.time,
        [&](const std::string& name, Span where) { return look_up(scope, name, where); }, found);
    if (found.any_error()) report(std::move(found).finish(), expr);
    return result;
}

void Evaluation::report(Diagnostics found, const ValueExpr& expr) {
    std::string when;
    const bool varies = !is_constant(expr);
    if (varies && input_.frame.frame != 0)
        when = fmt::format(" at frame {}", input_.frame.frame);
    else if (varies && input_.frame.time != 0.0)
        when = fmt::format(" at {} s", input_.frame.time);
    if (varies && input_.iteration) when += fmt::format(" in iteration {}", *input_.iteration);
    for (Diagnostic& diagnostic : found)
        diagnostic.message += when;
    problems_.take(std::move(found), expr.span);
}

std::optional<Evaluated> Evaluation::look_up(std::uint32_t scope, const std::string& name,
                                             Span where) {
    if (name == "frame") return Evaluated{input_.frame.frame};
    if (name == "time") return Evaluated{input_.frame.time};
    if (name == "dt") return Evaluated{input_.frame.dt};
    if (name == "width") return Evaluated{std::int64_t{input_.size[0]}};
    if (name == "height") return Evaluated{std::int64_t{input_.size[1]}};
    if (name == "iteration" && input_.iteration) return Evaluated{std::int64_t{*input_.iteration}};
    const LoadedFile& file = *flat_.scopes[scope].file;
    const auto found = file.names.parameters.find(name);
    if (found != file.names.parameters.end())
        return parameters_[scope][found->second]; // empty: reported where it stands
    if (const auto of_domain = look_up_in_domain(name)) return Evaluated{*of_domain};
    if (std::ranges::find(kDomainNames, name) != kDomainNames.end()) {
        problems_.error("config/no-domain", where,
                        fmt::format("\"${}\" is of a domain, and the config has none", name),
                        "declare it: \"domain\": {\"cells\": [512, 512, 1], \"ranks\": [2, 2, 1]}");
        return std::nullopt;
    }
    if (name == "iteration") {
        problems_.error("config/unknown-parameter", where, "there is no iteration here",
                        "$iteration stands in \"params\" of a node that repeats, and in a config "
                        "that is repeated");
        return std::nullopt;
    }
    std::vector<std::string> known;
    for (const ParameterDecl& decl : file.config.parameters)
        known.push_back("$" + decl.name.text);
    for (const std::string_view built_in : kBuiltInNames)
        known.push_back(fmt::format("${}", built_in));
    problems_.error("config/unknown-parameter", where,
                    fmt::format("there is no parameter \"${}\"", name), suggest("$" + name, known));
    return std::nullopt;
}

std::optional<std::int64_t> Evaluation::look_up_in_domain(std::string_view name) const {
    if (!input_.domain) return std::nullopt;
    const auto& [cells, ranks] = *input_.domain;
    if (name == "rank") return ranks.rank;
    if (name == "ranks") return ranks.size();
    const auto part = ranks.part(cells);
    constexpr std::array<std::string_view, 3> kFirst = {"part_x", "part_y", "part_z"};
    constexpr std::array<std::string_view, 3> kCount = {"part_width", "part_height", "part_depth"};
    constexpr std::array<std::string_view, 3> kAll = {"cells_x", "cells_y", "cells_z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (name == kFirst[axis]) return part[axis].first;
        if (name == kCount[axis]) return part[axis].count;
        if (name == kAll[axis]) return cells[axis];
    }
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
        problems_.error(
            "config/bad-size", expr.span,
            fmt::format("a size must be [width, height], two whole numbers from 1 to {}",
                        kMaxConfigSide));
        return std::nullopt;
    }
    return Extent{static_cast<std::uint32_t>((*sides)[0]), static_cast<std::uint32_t>((*sides)[1]),
                  1};
}

std::optional<std::vector<double>> Evaluation::numbers(std::uint32_t scope, const ValueExpr& expr,
                                                       const NumberRule& rule) {
    std::optional<Evaluated> evaluated = value(scope, expr);
    if (!evaluated) return std::nullopt;
    const bool is_list = std::holds_alternative<std::vector<double>>(evaluated->value);
    std::vector<double> result = components_of(evaluated->value);
    if (is_list != (rule.count > 0) || result.size() != std::max<std::size_t>(rule.count, 1)) {
        const std::string wanted =
            rule.count > 0 ? fmt::format("a list of {} numbers", rule.count) : "a number";
        report({{.code = "config/wrong-type",
                 .severity = Severity::error,
                 .message = fmt::format("{} must be {}, not {}", rule.what, wanted,
                                        kind_name(evaluated->value)),
                 .where = expr.span.place()}},
               expr);
        return std::nullopt;
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        double& number = result[i];
        if (rule.whole && evaluated->interpolated) number = std::round(number);
        const bool fraction = rule.whole && number != std::trunc(number);
        if (number >= rule.low && number <= rule.high && !fraction) continue;
        const Span where =
            is_list && expr.items.size() == result.size() ? expr.items[i].span : expr.span;
        report(
            {{.code = "config/out-of-range",
              .severity = Severity::error,
              .message = fmt::format("{} is {}, not {}within [{}, {}]", rule.what, number,
                                     rule.whole ? "a whole number " : "", rule.low, rule.high),
              .where = where.place(),
              .hint = fraction ? "floor(x) and round(x) make whole numbers in an expression" : ""}},
            expr);
        return std::nullopt;
    }
    return result;
}

std::optional<AssetSpec> Evaluation::asset(const FlatAsset& asset) {
    AssetSpec spec = asset.decl->spec;
    bool sound = true;
    if (asset.decl->size) {
        const std::optional<Extent> extent = size(asset.scope, *asset.decl->size);
        sound = extent.has_value();
        if (extent) spec.size = {extent->width, extent->height};
    }
    for (const SpecNumbers& part : asset.decl->numbers) {
        const auto given = numbers(asset.scope, part.value, part.rule);
        sound = sound && given;
        if (given) part.store(spec, *given);
    }
    if (!sound) return std::nullopt;
    return spec;
}

std::optional<std::array<double, 4>> Evaluation::clear_value(const FlatHistory& history) {
    std::array<double, 4> clear{};
    if (!history.decl->clear) return clear;
    const auto given = numbers(
        history.scope, *history.decl->clear,
        {.what = fmt::format("\"clear\" of history \"{}\"", history.decl->name.text), .count = 4});
    if (!given) return std::nullopt;
    std::ranges::copy(*given, clear.begin());
    return clear;
}

std::optional<FieldPart> Evaluation::part(std::uint32_t scope, const PartDecl& part, bool volume) {
    if (!input_.domain) {
        problems_.error("config/no-domain", part.span,
                        "a part is one of a domain, and the config has none",
                        "declare it: \"domain\": {\"cells\": [512, 512, 1], \"ranks\": [2, 2, 1]}");
        return std::nullopt;
    }
    const auto given =
        numbers(scope, part.halo,
                {.what = "\"halo\" of the part", .low = 0, .high = kMaxPartHalo, .whole = true});
    if (!given) return std::nullopt;
    const auto halo = static_cast<std::uint32_t>(given->front());
    return FieldPart{.cells = input_.domain->cells, .halo = {halo, halo, volume ? halo : 0}};
}

Evaluation::OutputPlace Evaluation::place(const OutputDecl& output) {
    const std::string what = fmt::format("output \"{}\"", output.name.text);
    const auto read = [&](const std::optional<ValueExpr>& expr, const NumberRule& rule) {
        std::optional<std::array<double, 3>> place;
        const auto given = expr ? numbers(0, *expr, rule) : std::nullopt;
        if (given) std::ranges::copy(*given, place.emplace().begin());
        return place;
    };
    return {.spacing = read(output.spacing, spacing_rule(what)),
            .origin = read(output.origin, origin_rule(what))};
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
            report(std::move(set.error()), argument->value);
    }
    for (const Override& set : overridden)
        if (const auto parameter = node.pass->find_parameter(set.name))
            if (auto done = pass.set_parameter(*parameter, *set.value); !done)
                problems_.take(std::move(done.error()), node.decl->name.span);
}

std::optional<ParameterValue> Evaluation::setting(const FlatNode& node,
                                                  std::string_view parameter) {
    const auto index = node.pass->find_parameter(parameter);
    if (!index) return std::nullopt;
    for (const Override& set : overrides_below(node.path + "."))
        if (set.name == parameter) return *set.value;
    for (const auto& [given, argument] : node.arguments) {
        if (given != *index) continue;
        const std::optional<Evaluated> evaluated = value(node.scope, argument->value);
        return evaluated ? std::optional(evaluated->value) : std::nullopt;
    }
    return node.pass->parameters[*index].default_value;
}

std::vector<Evaluation::Override> Evaluation::overrides_below(std::string_view prefix) const {
    std::vector<Override> found;
    for (auto at = input_.overrides.lower_bound(prefix);
         at != input_.overrides.end() && at->first.starts_with(prefix); ++at)
        found.push_back({std::string_view(at->first).substr(prefix.size()), &at->second});
    return found;
}

std::optional<bool> Evaluation::is_on(const FlatNode& node) {
    if (!node.decl->when) return true;
    const ValueExpr& when = *node.decl->when;
    const std::optional<Evaluated> evaluated = value(node.scope, when);
    if (!evaluated) return std::nullopt;
    if (const bool* on = std::get_if<bool>(&evaluated->value)) return *on;
    problems_.error(
        "config/wrong-type", when.span,
        fmt::format("\"when\" must be true or false, not {}", kind_name(evaluated->value)),
        "compare it, as in \"=$x != 0\"");
    return std::nullopt;
}

std::optional<std::uint32_t> Evaluation::repeats(const FlatNode& node) {
    if (!node.decl->loop->count) return std::nullopt; // reported
    const ValueExpr& expr = *node.decl->loop->count;
    const std::optional<Evaluated> evaluated = value(node.scope, expr);
    if (!evaluated) return std::nullopt;
    if (!is_number(evaluated->value)) {
        problems_.error("config/wrong-type", expr.span,
                        fmt::format("the count of a loop must be a whole number, not {}",
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
    Evaluation declared(body, {input_.size, nothing, input_.frame, input_.iteration}, ignored);
    for (const auto& [parameter, argument] : node.arguments) {
        const std::optional<Evaluated> evaluated = value(node.scope, argument->value);
        const ParameterDecl& decl = body.main().parameters[parameter];
        const std::optional<Evaluated> initial = declared.value(0, decl.value);
        if (!evaluated || !initial) continue;
        if (auto mismatch = find_mismatch(decl, initial->value, evaluated->value))
            report({std::move(*mismatch)}, argument->value);
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
    for (const auto& file : flat.files)
        for_each_value(file->config,
                       [&](const ValueExpr& value) { collect_key_times(value, times); });
    for (const FlatNode& node : flat.nodes)
        if (node.loop && node.loop->body) collect_times(*node.loop->body, times);
}

void check_loop(const FlatNode& node, Evaluation& evaluation, const EvaluationInput& input,
                bool first, Problems& problems);

void check_instant(const FlatConfig& flat, const EvaluationInput& input, bool first,
                   Problems& problems) {
    Evaluation evaluation(flat, input, problems);
    for (const FlatNode& node : flat.nodes) {
        // What is off may be what its values are not made for.
        if (!evaluation.is_on(node).value_or(false)) continue;
        if (node.loop) {
            check_loop(node, evaluation, input, first, problems);
            continue;
        }
        const bool changes = std::ranges::any_of(
            node.arguments, [](const auto& entry) { return !is_constant(entry.second->value); });
        if (first || changes) evaluation.configure(node, *node.pass->make());
    }
    for (const FlatAsset& asset : flat.assets)
        evaluation.asset(asset);
    for (const FlatOutput& output : flat.outputs) {
        evaluation.place(*output.decl);
        if (output.decl->part) evaluation.part(0, *output.decl->part, false);
    }
    if (!first) return;
    for (const FlatHistory& history : flat.histories) {
        evaluation.size(history.scope, history.decl->size);
        evaluation.clear_value(history);
        if (history.decl->part) evaluation.part(history.scope, *history.decl->part, false);
    }
}

void check_loop(const FlatNode& node, Evaluation& evaluation, const EvaluationInput& input,
                bool first, Problems& problems) {
    const std::uint32_t count = evaluation.repeats(node).value_or(0);
    std::vector<std::uint32_t> iterations = {0};
    if (count > 1) iterations.push_back(count - 1);
    for (const std::uint32_t iteration : iterations) {
        const IterationScope scope(evaluation, iteration);
        if (node.loop->pass) {
            evaluation.configure(node, *node.loop->pass->make());
            continue;
        }
        const Overrides given = evaluation.body_parameters(node);
        check_instant(*node.loop->body,
                      {input.size, given, input.frame, iteration, evaluation.domain()}, first,
                      problems);
    }
}

} // namespace

void check_values(const FlatConfig& flat, Problems& problems) {
    std::vector<double> times;
    collect_times(flat, times);
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    times.resize(std::min(times.size(), kMaxChecks / (flat.nodes.size() + 1)));
    times.insert(times.begin(), 0.0);

    const std::map<std::string, ParameterValue, std::less<>> no_overrides;
    std::set<std::pair<std::string, std::string>> known; // code and place: once is enough
    for (std::size_t i = 0; i < times.size(); ++i) {
        Problems found;
        check_instant(flat, {flat.main().size, no_overrides, FrameTime{.time = times[i]}}, i == 0,
                      found);
        Diagnostics fresh = std::move(found).finish();
        std::erase_if(fresh, [&](const Diagnostic& d) {
            const std::string place =
                fmt::format("{}:{}:{}", d.where.file, d.where.line, d.where.column);
            return i > 0 && known.contains({d.code, place});
        });
        for (const Diagnostic& d : fresh)
            known.emplace(d.code,
                          fmt::format("{}:{}:{}", d.where.file, d.where.line, d.where.column));
        problems.take(std::move(fresh), {});
    }
}

} // namespace tuff
