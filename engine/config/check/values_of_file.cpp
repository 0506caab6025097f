#include "config/check/flat_config.hpp"

namespace tuff {

void for_each_value(const ConfigFile& file, const std::function<void(const ValueExpr&)>& visit) {
    for (const ParameterDecl& parameter : file.parameters)
        visit(parameter.value);
    for (const AssetDecl& asset : file.assets) {
        if (asset.size) visit(*asset.size);
        for (const SpecNumbers& numbers : asset.numbers)
            visit(numbers.value);
    }
    for (const HistoryDecl& history : file.histories) {
        visit(history.size);
        if (history.clear) visit(*history.clear);
    }
    for (const NodeDecl& node : file.nodes) {
        for (const ArgumentDecl& argument : node.arguments)
            visit(argument.value);
        if (node.loop && node.loop->count) visit(*node.loop->count);
        if (node.when) visit(*node.when);
    }
    for (const OutputDecl& output : file.outputs) {
        if (output.spacing) visit(*output.spacing);
        if (output.origin) visit(*output.origin);
    }
}

bool uses_iteration(const FlatConfig& flat) {
    bool found = false;
    for (const auto& file : flat.files)
        for_each_value(file->config, [&](const ValueExpr& value) {
            for_each_reference(
                value, [&](const std::string& name, Span) { found |= name == "iteration"; });
        });
    return found;
}

} // namespace tuff
