#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace tuff {

/// Cells along x, y and z.
using Reach = std::array<std::uint32_t, 3>;

/// The value of a pass's parameter, its default included.
using SettingOf = std::function<std::optional<ParameterValue>(std::string_view)>;

/// How many cells beyond its own a pass reads for each that it makes. Nothing where that is not
/// known: for passes that read the whole, and for passes that looks.cpp does not list.
std::optional<Reach> look_of(std::string_view pass, const SettingOf& setting);

/// Whether a filter of a part cannot come out as that of the whole, however wide the halo is: it
/// averages all cells, solves for them, or halves them from the first one on.
bool needs_whole(std::string_view pass, const SettingOf& setting);

} // namespace tuff
