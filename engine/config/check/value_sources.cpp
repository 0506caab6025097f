// What the values of a config come from, beside its text: the time, the domain of ranks.

#include "config/check/evaluation.hpp"

#include <algorithm>

namespace tuff {

bool Evaluation::changes(const FlatNode& node) const {
    return std::ranges::any_of(node.arguments, [&](const auto& entry) {
        return changes(node.scope, entry.second->value);
    });
}

bool Evaluation::changes(std::uint32_t scope, const ValueExpr& expr) const {
    const auto inside = [&](const ValueExpr& item) { return changes(scope, item); };
    if (expr.kind == ValueExpr::Kind::keys || std::ranges::any_of(expr.items, inside)) return true;
    bool result = false;
    const auto& names = flat_.scopes[scope].file->names.parameters;
    for_each_reference(expr, [&](const std::string& name, Span) {
        const auto found = names.find(name);
        result = result || name == "frame" || name == "time" || name == "dt" ||
                 (found != names.end() && parameter_changes_[scope][found->second]);
    });
    return result;
}

bool Evaluation::parameter_changes(std::uint32_t scope_index, std::size_t index) const {
    const FlatScope& scope = flat_.scopes[scope_index];
    const ParameterDecl& decl = scope.file->config.parameters[index];
    if (override_of(scope, decl.name.text)) return false;
    if (const ArgumentDecl* argument = scope.arguments[index])
        return changes(scope.parent, argument->value);
    return changes(scope_index, decl.value);
}

bool Evaluation::follows_domain(const FlatNode& node) const {
    return (node.decl->when && follows_domain(node.scope, *node.decl->when)) ||
           std::ranges::any_of(node.arguments, [&](const auto& entry) {
               return follows_domain(node.scope, entry.second->value);
           });
}

bool Evaluation::follows_domain(std::uint32_t scope, const ValueExpr& expr) const {
    bool result = false;
    const auto& names = flat_.scopes[scope].file->names.parameters;
    for_each_reference(expr, [&](const std::string& name, Span) {
        const auto found = names.find(name);
        result = result || (found != names.end()
                                ? parameter_follows_domain_[scope][found->second]
                                : std::ranges::find(kDomainNames, name) != kDomainNames.end());
    });
    return result;
}

bool Evaluation::parameter_follows_domain(std::uint32_t scope_index, std::size_t index) const {
    const FlatScope& scope = flat_.scopes[scope_index];
    const ParameterDecl& decl = scope.file->config.parameters[index];
    if (override_of(scope, decl.name.text))
        return scope_index == 0 && input_.of_domain.contains(decl.name.text);
    if (const ArgumentDecl* argument = scope.arguments[index])
        return follows_domain(scope.parent, argument->value);
    return follows_domain(scope_index, decl.value);
}

DomainParameters Evaluation::body_domain_parameters(const FlatNode& node) const {
    DomainParameters names;
    for (const auto& [parameter, argument] : node.arguments)
        if (follows_domain(node.scope, argument->value))
            names.insert(node.loop->body->main().parameters[parameter].name.text);
    return names;
}

} // namespace tuff
