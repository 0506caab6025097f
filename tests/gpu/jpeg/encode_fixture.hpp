#pragma once

#include "library.hpp"
#include "passes/jpeg/encode.hpp"
#include "scalar_encoder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Files of jpeg/encode, judged by libjpeg-turbo and by an encoder in double precision.
namespace tuff::testing_jpeg {

inline constexpr passes::JpegSampling kSamplings[] = {
    passes::JpegSampling::s444, passes::JpegSampling::s422, passes::JpegSampling::s420,
    passes::JpegSampling::s440};

Cut cut_of(const passes::JpegEncode& pass, bool grey);

/// `scene`: slopes of colour, sharp edges as of letters, a patch of noise. `photo`: smooth with
/// grain.
enum class Motif : std::uint8_t { scene, noise, black, white, checkers, flat, photo };

Pixels make_picture(std::uint32_t width, std::uint32_t height, Motif motif,
                    std::uint32_t channels = 3);

std::uint8_t rounded(double value);
double psnr(const Pixels& a, const Pixels& b);

class JpegEncodeTest : public testing_gpu::GpuTest {
  protected:
    struct Result {
        std::vector<std::byte> file;
        passes::JpegStatus status;
        Pixels decoded; ///< as the pass says it; four channels
    };

    static Image constant_picture(Graph& g, const Pixels& pixels);
    static void add_outputs(Graph& g, passes::JpegEncode pass, const std::string& tag);
    static Result take(testing_gpu::Running& running, const std::string& tag);
    Result encode(const Pixels& pixels, passes::JpegEncode pass, const PoolSizes& pools = {});

    /// 1: the library has nothing against the file, which is laid out as the standard says. 2: its
    /// codes are, byte for byte, those of a scalar encoder of the same coefficients. 3: these are
    /// those of double precision. What the pass says a decoder shows is what the library shows.
    static void check_file(const Result& result, const Pixels& pixels,
                           const passes::JpegEncode& pass, const std::string& what);
};

} // namespace tuff::testing_jpeg
