#pragma once

#include "apps/bench/case.hpp"

#include <tuff/device_caps.hpp>
#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::bench {

/// "2^20" or "1000000": at least 1, at most 2^32. Error: bench/bad-size.
Result<std::uint64_t> parse_size(std::string_view text);

/// Each of them; errors: of all that are wrong.
Result<std::vector<std::uint64_t>> parse_sizes(const std::vector<std::string>& texts);

/// "2^20" where it is a power of two from 2^10 up, else the number.
std::string size_text(std::uint64_t size);

/// 2^16 to 2^28 on a GPU, 2^12 to 2^20 on a software device, every other power.
std::vector<std::uint64_t> default_sizes(const DeviceCaps& caps);

/// Those of `sizes` that the case is meant for on such a device.
std::vector<std::uint64_t> sizes_for(const Case& measured, const std::vector<std::uint64_t>& sizes,
                                     const DeviceCaps& caps);

/// Whether `pattern` is found in `text`, in whatever case; `*` stands for any text and `?` for any
/// character.
bool matches(std::string_view text, std::string_view pattern);

} // namespace tuff::bench
