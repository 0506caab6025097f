#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/shader_interface.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// What one SPIR-V module binds. `name` is the kernel's and goes into messages.
/// Errors: `shader/invalid` (not SPIR-V), `shader/unsupported-binding`,
/// `shader/unsupported-parameter`.
Result<ShaderInterface> reflect_shader(std::string_view name, ShaderStage stage,
                                       std::span<const std::uint32_t> words);

/// What a fragment stage writes to one location.
struct FragmentOutput {
    std::string name;                        ///< as the kernel has it
    std::uint32_t location = 0;              ///< of the color attachment
    ScalarType scalar = ScalarType::float32; ///< of its components
    std::uint32_t components = 4;            ///< 1 to 4
};

/// What SPIR-V says of a stage beside what it binds.
struct StageFacts {
    struct EntryPoint {
        std::string name;
        std::optional<ShaderStage> stage; ///< none: neither compute, vertex nor fragment
    };
    std::vector<EntryPoint> entry_points;
    std::vector<FragmentOutput> colors; ///< of a fragment stage, by location
    bool knows_group_count = false;     ///< reads gl_NumWorkGroups, as invocation_index() does
};

/// Reads them. Error: `shader/invalid`.
Result<StageFacts> reflect_stage(std::string_view name, std::span<const std::uint32_t> words);

/// Gives every binding of `fragment` that has a namesake in `vertex` (by kernel name of the
/// binding; the `Params` blocks too) the namesake's set and binding number, by editing the
/// SPIR-V. So a name means one descriptor, whichever stages use it. Errors: as `reflect_shader`.
Result<std::vector<std::uint32_t>> align_bindings(const ShaderInterface& vertex,
                                                  std::span<const std::uint32_t> fragment);

/// Joins two stages that `align_bindings` went over.
/// Errors: `shader/binding-clash`, one for each pair of bindings that share a place but not a name,
/// kind or shape, and where parameters or constants contradict each other.
Result<ShaderInterface> join_stages(const ShaderInterface& vertex, const ShaderInterface& fragment);

/// Adds a stage that the ray generation stage `kernel` calls. It has what is in its payload: error
/// `shader/unsupported-binding` where it binds anything, or takes parameters or constants.
Result<ShaderInterface> join_called(ShaderInterface kernel, const ShaderInterface& called);

} // namespace tuff
