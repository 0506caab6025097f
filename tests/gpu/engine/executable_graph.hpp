#pragma once

#include <tuff/graph.hpp>

#include <cstdint>
#include <span>

namespace tuff::testing_gpu {

/// The graph that a program (tests/oracle/random_graph.hpp) describes, of kernels below
/// tests/gpu/shaders/test/random that hash what they read, so that any wrong word shows in the
/// outputs. Images of r32_uint with mips and layers, buffers in byte ranges, copies, fills, blits,
/// uploads, draws, work of the host, updates in place, integer atomics, constants and histories;
/// every output is written all over. `frame` changes parameters and push constants, nothing else.
GraphDesc build_executable(const ShaderInterfaces& shaders, std::span<const std::uint8_t> program,
                           std::uint32_t frame);

} // namespace tuff::testing_gpu
