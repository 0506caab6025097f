#pragma once

#include "passes/distance/field.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

/// Loops that change a field in passes until one finds nothing to do.
///
/// Two images take turns: a pass reads one and writes all texels of the other. Each pass has a word
/// that is 1 where it found nothing to do. The loop's last pass always leaves both images alike: it
/// found nothing to do, or it only looks whether there would be something to do, which tells an
/// unfinished field from a finished one.
namespace tuff::passes {

/// What runs a pass. All give the same fields after the same number of passes.
enum class PassBackEnd : std::uint8_t {
    compute, ///< a kernel over all texels
    raster,  ///< a triangle over the picture; a word that fragments write ends the loop
    query,   ///< the same triangle; fragments that change nothing are discarded, an occlusion query ends it
};

/// How often a loop runs.
struct LoopLength {
    std::uint32_t runs = 0;    ///< at most, the one that only looks included
    std::uint32_t changes = 0; ///< the first so many may change something
};
/// `most`: what the user allows, 0: no limit; `longest`: what any seed needs, with the pass that
/// finds nothing.
LoopLength loop_length(std::uint32_t most, std::uint32_t longest);

/// Words for each pass, and one more, all 1. Each is where a view of a buffer may begin; kernels
/// find it by shaders/distance/done.glsl.
Buffer new_done(Graph& graph, const LoopLength& length);
/// The word of a pass.
BufferView done_of(Buffer done, std::uint32_t pass);

/// Kernels have the bindings `before`, `after` and `done`, and the parameters `pass` (from 0) and
/// `changes` (1: what is found is written). All words of `done` begin as 1; behind those of the
/// passes is one for a note of the kernel's own.
struct PassLoop {
    std::string_view name;
    LoopLength length;
    PassBackEnd back_end = PassBackEnd::compute;
    std::string_view kernel; ///< for the back end; fragment stages have the variants QUERY=0,1
    ShaderVariant variant;
    bool notes = false; ///< drawn with QUERY=1 it takes `done` too, for its note
    std::function<void(KernelNode& node, std::uint32_t pass)> bind; ///< its other parameters
};

struct LoopedField {
    Image field;
    Image copy;        ///< the same
    Buffer done;       ///< a word for each pass, and the kernel's
    Buffer passes;     ///< one word: how many ran
    LoopLength length; ///< how many could
};

/// `even` and `odd` hold what the loop begins with, both.
LoopedField run_loop(Graph& graph, const PassLoop& loop, Image even, Image odd);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PassBackEnd> {
    static constexpr std::array<std::string_view, 3> names{"compute", "raster", "query"};
};
