#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What the fuzz targets do with an input. The unit tests call the first two with a few hundred
/// fixed ones, `tuff_fuzz` and the libFuzzer programs all of them.
namespace tuff::fuzz {

/// Bytes -> random graph -> compile in some mode -> oracle. The first byte chooses the safe modes,
/// layouts and queues, the rest is a program for tests/oracle/random_graph.hpp. Gives the
/// graph and the first objection to its plan; empty: none.
std::string objection_to_graph(std::span<const std::uint8_t> bytes);

/// Any text as a config of toy passes: read, checked, built and compiled, or refused with
/// diagnostics. Gives what is wrong with the refusal; empty: nothing.
std::string objection_to_config(std::string_view text);

/// One of Tuff's readers of what others wrote.
struct Target {
    std::string_view name; ///< also of its folder in seeds/ and of its dictionary
    /// Gives the bytes to the reader. What it answers has to be sound, or at least one error with a
    /// code and a message. Gives what is wrong with the answer; empty: nothing.
    std::string (*objection)(std::span<const std::uint8_t> bytes);
};

/// All but `objection_to_graph`.
std::span<const Target> targets();
/// Null where there is none of that name.
const Target* find_target(std::string_view name);

} // namespace tuff::fuzz
