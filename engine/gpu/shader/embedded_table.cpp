#include "gpu/shader/embedded_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuff {

bool is_first(ShaderStage stage) {
    return std::ranges::find(kFirstStages, stage) != kFirstStages.end();
}

Result<EmbeddedShader> EmbeddedStage::choose(const MacroValues& values, std::string_view kernel,
                                             std::set<std::string>& unused) const {
    MacroValues wanted;
    for (const auto& [macro, value] : variants.front().values) {
        unused.erase(macro);
        if (const auto found = values.find(macro); found != values.end()) wanted.insert(*found);
    }
    const auto found = std::ranges::find(variants, wanted, &Variant::values);
    if (found != variants.end()) return found->shader;
    std::vector<std::string> all;
    for (const Variant& variant : variants)
        all.push_back(variant_text(variant.values));
    return fail("shader/unknown-variant",
                fmt::format("kernel {} has no variant {}", kernel, variant_text(wanted)),
                fmt::format("it has {}", fmt::join(all, ", ")));
}

EmbeddedTable table_of(std::span<const EmbeddedShader> shaders) {
    EmbeddedTable table;
    for (const EmbeddedShader& shader : shaders) {
        VariantName name = parse_variant_name(shader.name);
        table[{std::move(name.kernel), shader.stage}].variants.push_back(
            {std::move(name.values), shader});
    }
    return table;
}

void list_kernels(const EmbeddedTable& table, std::set<std::string>& names) {
    for (const auto& [key, stage] : table) {
        if (!is_first(key.second)) continue;
        // A fragment stage with variants may share the vertex stage of other kernels.
        const auto fragment = table.find({key.first, ShaderStage::fragment});
        const bool is_shared = key.second == ShaderStage::vertex && fragment != table.end() &&
                               stage.variants.size() == 1;
        for (const EmbeddedStage::Variant& variant :
             (is_shared ? fragment->second : stage).variants)
            names.insert(key.first + variant_text(variant.values));
    }
}

} // namespace tuff
