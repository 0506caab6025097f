#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// `#pragma tuff_exact` in a kernel: each operation rounds by itself. Compilers otherwise make one
/// operation of a product and a sum where they like, which depends on what stands around them; so
/// the same function in two kernels may give other bits.
namespace tuff {

/// Whether preprocessed text has the line.
bool wants_exact_arithmetic(std::string_view preprocessed);

/// Decorates all arithmetic with NoContraction. To be called before optimisation, which contracts.
std::vector<std::uint32_t> with_exact_arithmetic(std::vector<std::uint32_t> words);

} // namespace tuff
