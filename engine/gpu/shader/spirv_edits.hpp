#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// SPIR-V with instructions replaced, for those who do not know them.
namespace tuff {

/// For SPIRV-Cross, which knows no cooperative matrices: they are never part of an interface, so in
/// what it reads they are vectors.
std::vector<std::uint32_t> without_cooperative_matrices(std::span<const std::uint32_t> words);

} // namespace tuff
