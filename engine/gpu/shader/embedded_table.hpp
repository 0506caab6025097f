#pragma once

#include "gpu/shader/shader_variants.hpp"

#include <tuff/shader_library.hpp>

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Kernels that were compiled when Tuff was built.
namespace tuff {

/// The stages that kernels begin with: of compute, of drawing and of rays. Others alone are none.
inline constexpr std::array kFirstStages = {ShaderStage::compute, ShaderStage::vertex,
                                            ShaderStage::ray_generation};
bool is_first(ShaderStage stage);

/// A stage of a kernel in a table, in all its variants.
struct EmbeddedStage {
    struct Variant {
        MacroValues values;
        EmbeddedShader shader;
    };
    std::vector<Variant> variants;

    /// The variant for those of `values` whose macros the stage declares. The names of the others
    /// stay in `unused`.
    Result<EmbeddedShader> choose(const MacroValues& values, std::string_view kernel,
                                  std::set<std::string>& unused) const;
};

/// The kernels of a table. Those of one name and stage belong together.
using EmbeddedTable = std::map<std::pair<std::string, ShaderStage>, EmbeddedStage>;
EmbeddedTable table_of(std::span<const EmbeddedShader> shaders);

/// Adds the names of the kernels of a table, one for each variant.
void list_kernels(const EmbeddedTable& table, std::set<std::string>& names);

} // namespace tuff
