#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What the fuzz targets do with an input. The unit tests call it with a few hundred fixed ones, so
/// that it cannot rot.
namespace tuff::fuzz {

/// Bytes -> random graph -> compile in some mode -> oracle. The first byte chooses the safe modes,
/// layouts and queues, the rest is a program for tests/oracle/random_graph.hpp. Gives the
/// graph and the first objection to its plan; empty: none.
std::string objection_to_graph(std::span<const std::uint8_t> bytes);

/// Any text as a config of toy passes: read, checked, built and compiled, or refused with
/// diagnostics. Gives what is wrong with the refusal; empty: nothing.
std::string objection_to_config(std::string_view text);

} // namespace tuff::fuzz
