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

} // namespace tuff
