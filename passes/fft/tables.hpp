#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Numbers that transforms read, computed in double precision and rounded to pairs of floats. The
/// same bytes are handed out again while any graph holds them: a graph that is rebuilt uploads
/// nothing.
namespace tuff::passes {

using FftTable = std::shared_ptr<const std::vector<std::byte>>;

/// `roots` of shaders/fft/steps.glsl.
FftTable step_roots(std::uint32_t line, const std::vector<std::uint32_t>& radices);

/// exp(-2 pi i k / n) for the k of `1 << bits` low bits, then for those whose low bits are 0.
FftTable long_roots(std::uint32_t n, std::uint32_t bits);

/// exp(-pi i k / n), k from 0 to n.
FftTable real_roots(std::uint32_t n);

/// Bluestein's transform of n numbers by those of `padded` ones: x[k] is multiplied by
/// chirp[k] = exp(-pi i k^2 / n), convolved with the conjugate chirp, and multiplied again.
FftTable chirp(std::uint32_t n);
/// The transform of the conjugate chirp, divided by `padded`.
FftTable chirp_spectrum(std::uint32_t n, std::uint32_t padded);

} // namespace tuff::passes
