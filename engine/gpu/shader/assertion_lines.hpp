#pragma once

#include <tuff/shader_interface.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// The text of what kernels assert, kept in their SPIR-V as strings, so that kernels that were
/// compiled earlier have it, too.
namespace tuff {

/// `words` with the lines of `glsl` that have an `assert(`.
std::vector<std::uint32_t> with_assertion_lines(std::vector<std::uint32_t> words,
                                                std::string_view glsl);

/// What `with_assertion_lines` has put there.
std::vector<SourceLine> read_assertion_lines(std::span<const std::uint32_t> words);

} // namespace tuff
