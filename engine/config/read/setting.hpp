#pragma once

#include "config/check/flat_config.hpp"

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff {

/// A value that is given from outside, on a command line for instance: of a parameter of the main
/// config ("exposure"), or of a node of it or of what it uses ("display.operator",
/// "post/blur.sigma", "post.strength"). The text is JSON, but texts need no quotes and lists no
/// brackets.
struct Setting {
    std::string_view name;
    std::string_view text;
};

/// Errors: config/unknown-parameter, config/wrong-type, config/out-of-range, and what the pass says
/// to its parameter's value. `size` is the config's width and height.
Result<ParameterValue> read_setting(const FlatConfig& flat, std::array<std::uint32_t, 2> size,
                                    const Setting& setting);

/// A side of the config. Error: config/bad-size.
Result<std::uint32_t> read_side(const Setting& setting);

} // namespace tuff
