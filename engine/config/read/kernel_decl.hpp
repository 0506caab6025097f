#pragma once

#include "config/read/source_file.hpp"

#include <tuff/format.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tuff {

/// What a node says of an output of its own kernel. Sizes, lengths and counts of groups are values
/// as parameters are, and stand among the node's arguments: see `kernel_argument`.
struct KernelOutputDecl {
    std::string name;
    Span span;
    std::string like; ///< an input; empty: none
    Span like_span;
    Format format = Format::undefined; ///< undefined: what the kernel declares, or as `like`
    Span format_span;
    bool has_size = false;
    bool has_length = false;
};

/// How many groups or invocations of a compute kernel run.
enum class KernelDispatch : std::uint8_t { first_output, over, count, groups, indirect };

/// A node with a kernel of its own: "kernel": FILE or "glsl": TEXT.
struct KernelDecl {
    bool is_inline = false;
    bool is_fragment = false; ///< of an inline text; a file's name says it
    std::vector<Span> lines; ///< where each line of an inline text stands; one: the whole text
    std::string text;        ///< of an inline kernel
    std::vector<KernelOutputDecl> outputs;
    KernelDispatch dispatch = KernelDispatch::first_output;
    std::string over; ///< an input or output
    Span dispatch_span;
};

/// The names of arguments that a node has beside the kernel's own parameters. `out` is no name in
/// GLSL, so kernels cannot have them.
inline constexpr std::string_view kKernelCount = "out.dispatch.count";
inline constexpr std::string_view kKernelGroups = "out.dispatch.groups";
/// The port of a buffer with the counts of groups.
inline constexpr std::string_view kKernelIndirect = "dispatch.indirect";
/// `what`: "size" or "length".
std::string kernel_argument(std::string_view output, std::string_view what);

} // namespace tuff
