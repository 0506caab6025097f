#pragma once

#include <tuff/graph.hpp>

#include <glm/vec3.hpp>

#include <cstdint>

/// Transforms of real numbers into as many real numbers: shaders/fft/real_lines.comp.
namespace tuff::passes {

/// Sums over the numbers x[j] of a line, j from 0 to N - 1.
enum class RealSums : std::uint8_t {
    cosines, ///< Y[k] = sum of x[j] cos(pi (2j + 1) k / 2N): DCT-II, of lines between mirrors
    sines,   ///< Y[k] = sum of x[j] sin(pi (2j + 1) (k + 1) / 2N): DST-II
    hartley, ///< Y[k] = sum of x[j] (cos + sin)(2 pi j k / N)
};

/// Lines of `line` numbers, `inner` numbers apart, and how often that is repeated.
struct RealLineAxis {
    std::uint64_t inner = 1;
    std::uint64_t outer = 1;
    std::uint32_t line = 1;
    RealSums sums = RealSums::cosines;
    float scale = 1.0f;
};

/// Whether a line has the length that it takes: small factors, no longer than `kMaxFftLine`.
bool is_real_line(std::uint32_t line);

/// The order of a line's sums. Those of sines are computed by those of cosines, which come in the
/// opposite one.
enum class RealOrder : std::uint8_t { frequencies, computed };

Buffer sum_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis,
                      RealOrder order = RealOrder::frequencies);
/// From what `sum_real_lines` has made, the numbers times N.
Buffer unsum_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis,
                        RealOrder order = RealOrder::frequencies);

/// The last axis of an equation whose other axes are summed: sums, divided by their eigenvalues,
/// and back, times N.
struct RealModes {
    Buffer eigenvalues;  ///< f32: of all axes, in the order of `RealOrder::computed`
    glm::uvec3 first{0}; ///< where those of this axis, the faster and the slower other one begin
    std::uint32_t fastest = 1; ///< modes of the faster other axis
};
Buffer solve_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis,
                        const RealModes& modes);

} // namespace tuff::passes
