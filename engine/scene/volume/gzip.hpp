#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tuff {

bool is_gzip(std::span<const std::byte> file);

/// `length` of the bytes that `compressed`, gzip or zlib, holds, from `offset`
/// on; nothing where it is damaged or holds fewer. Takes memory for what there is, not for what is
/// asked.
std::optional<std::vector<std::byte>> inflate_part(std::span<const std::byte> compressed,
                                                   std::uint64_t offset, std::uint64_t length);

/// A gzip file of `bytes`.
std::vector<std::byte> to_gzip(std::span<const std::byte> bytes);

} // namespace tuff
