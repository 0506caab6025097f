#pragma once

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Graphs made from bytes, so that a seed, a fuzzer and a shrinker can all drive them.
namespace tuff::oracle {

/// A list of steps of `kStepBytes` each: a resource, a node, or one more access of a node. Every
/// byte string is a program; steps that make no sense where they stand do nothing.
using Program = std::vector<std::uint8_t>;
inline constexpr std::size_t kStepBytes = 8;

/// The program of a seed, with up to `most_steps` steps.
Program random_program(std::uint64_t seed, std::size_t most_steps = 96);

/// Whether nodes also build acceleration structures and send rays through them.
enum class Rays : std::uint8_t { off, on };

/// Whether some nodes run on the host.
enum class HostNodes : std::uint8_t { off, on };

/// The graph a program describes, always a valid one.
GraphDesc build_graph(std::span<const std::uint8_t> program, Rays rays = Rays::off,
                      HostNodes host_nodes = HostNodes::off);

/// A smaller program for which `fails` still holds, as it must for `program`: no step can be left
/// out, and no byte be made smaller.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

/// The graph as text, a line for each resource and node.
std::string to_text(const GraphDesc& graph);

} // namespace tuff::oracle
