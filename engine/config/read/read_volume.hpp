#pragma once

#include "config/read/config_file.hpp"
#include "config/read/object_reader.hpp"

#include <array>
#include <string_view>

namespace tuff {

/// What the "byte_order" of a file without a header may be.
inline constexpr std::array<std::string_view, 2> kByteOrderNames = {"little", "big"};
/// And its "offset".
inline constexpr std::uint64_t kMaxRawOffset = std::uint64_t{1} << 40;

/// Reads what an asset says of a volume beside its file.
void read_volume(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                 Problems& problems);

} // namespace tuff
