#pragma once

#include "passes/fft/lengths.hpp"
#include "passes/fft/tables.hpp"

#include <tuff/graph.hpp>

#include <cstdint>
#include <string_view>

/// What kernels need that include shaders/fft/steps.glsl.
namespace tuff::passes {

/// Lines of at most `kMaxFftLine` numbers and small factors, each by itself.
struct FftLines {
    std::uint32_t line = 1;        ///< numbers of each
    std::uint64_t count = 1;       ///< lines, or pairs of them
    std::uint64_t whole_count = 0; ///< of the array that these are a part of; 0: `count`
    bool load_by_columns = false;  ///< neighbours in memory are of neighbouring lines
    bool store_by_columns = false;
    bool by_parts = false;  ///< the kernel can exchange real and imaginary parts apart
    bool mirrored = false;  ///< the kernel gains where an invocation has the frequencies k and -k
};

/// Sets the constants and binds the roots, for groups laid out as is returned.
FftGroup bind_lines(Graph& graph, ComputeNodeBuilder& node, const FftLines& lines);

/// The same, and dispatches the groups. Results are bound before.
void dispatch_lines(Graph& graph, ComputeNodeBuilder& node, const FftLines& lines);

/// The table as a constant of pairs of floats; not connected where there is none.
Buffer constant_table(Graph& graph, std::string_view name, const FftTable& table);

} // namespace tuff::passes
