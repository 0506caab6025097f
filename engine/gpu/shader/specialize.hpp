#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tuff {

/// What becomes of a shader's wishes that loops be unrolled, once constants have fixed how often
/// they run. Software devices do as they are told, and may compile for minutes.
enum class UnrollHints { kept, dropped };

/// `words` of SPIR-V with every specialisation constant set, to what `constants` say or to its
/// default, and without the code that this leaves unreachable. Drivers do the same, but some do it
/// late: SwiftShader compiles each branch of a kernel before it drops those that constants decide,
/// and takes thirty times as long for a ray kernel of six traversals. Ids that the module does not
/// have are left alone. Error: `gpu/pipeline` where the words are no SPIR-V.
Result<std::vector<std::uint32_t>> specialize(std::span<const std::uint32_t> words,
                                              std::span<const SpecializationUse> constants,
                                              UnrollHints hints);

} // namespace tuff
