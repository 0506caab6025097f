#include "passes/fft/real_to_real.hpp"

#include "passes/fft/real_lines.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

RealSums sums_of(RealTransform transform) {
    switch (transform) {
    case RealTransform::sine:
    case RealTransform::sine_inverse: return RealSums::sines;
    case RealTransform::hartley: return RealSums::hartley;
    default: return RealSums::cosines;
    }
}

bool undoes(RealTransform transform) {
    return transform == RealTransform::cosine_inverse || transform == RealTransform::sine_inverse;
}

bool takes_lines(Graph& graph, const FftArray& array) {
    for (std::size_t axis = 0; axis < array.size.size(); ++axis) {
        if (!array.transformed[axis] || is_real_line(array.size[axis])) continue;
        graph.error("fft/length",
                    fmt::format("{} numbers along {} are not a product of 2, 3, 5 and 7 up to 4096",
                                array.size[axis], "xyzw"[axis]),
                    "choose such a length, or use \"fft/real_forward\", which takes any");
        return false;
    }
    return true;
}

} // namespace

void FftRealToReal::describe(PassInfo<FftRealToReal>& info) {
    info.summary("Computes cosine, sine or Hartley transforms of real numbers, along one to four "
                 "axes")
        .details(
            "Number k of the result is the sum over j of number j of the source times cos(pi (2j + "
            "1) k / 2n) (\"cosine\", DCT-II), sin(pi (2j + 1) (k + 1) / 2n) (\"sine\", DST-II) or "
            "cos(2 pi j k / n) + sin(2 pi j k / n) (\"hartley\"). \"cosine_inverse\" and "
            "\"sine_inverse\" undo the first two (DCT-III and DST-III, with 1 / n); the Hartley "
            "transform undoes itself, except for 1 / n. Two lines are transformed as the real and "
            "imaginary parts of one complex line, and memory is read and written once for each "
            "axis. Lengths are products of 2, 3, 5 and 7 up to 4096.")
        .source("Makhoul, \"A fast cosine transform in one and two dimensions\", IEEE Transactions "
                "on Acoustics, Speech, and Signal Processing, 1980")
        .complexity("O(n log n)")
        .cost([](const FftRealToReal& pass, const Graph& graph) {
            const double bytes = static_cast<double>(graph.desc(pass.result).size);
            const RealTransform kinds[] = {pass.x, pass.y, pass.z, pass.w};
            std::string axes;
            for (std::size_t axis = 0; axis < 4; ++axis)
                if (kinds[axis] != RealTransform::none) axes += "xyzw"[axis];
            return halved_cost(fft_cost(bytes, bytes, pass.size, pass.batch, axes));
        });
    info.input("source", &FftRealToReal::source, "f32, x fastest").elements<float>();
    info.parameter("size", &FftRealToReal::size,
                   "numbers along x, y, z and w; x = 0: all that the source holds")
        .structural();
    info.parameter("batch", &FftRealToReal::batch,
                   "number of consecutive arrays, transformed separately")
        .range(1, static_cast<double>(kMaxFftNumbers))
        .structural();
    info.parameter("x", &FftRealToReal::x, "transform along x").structural();
    info.parameter("y", &FftRealToReal::y, "transform along y").structural();
    info.parameter("z", &FftRealToReal::z, "transform along z").structural();
    info.parameter("w", &FftRealToReal::w, "transform along w").structural();
    info.output("result", &FftRealToReal::result, "f32, as many numbers as the source")
        .elements<float>();
}

void FftRealToReal::build(Graph& graph) {
    const std::array kinds{x, y, z, w};
    std::string axes;
    for (std::size_t axis = 0; axis < kinds.size(); ++axis)
        if (kinds[axis] != RealTransform::none) axes += "xyzw"[axis];
    const auto array =
        fft_array(graph, {size, batch, axes}, graph.desc(source).size / sizeof(float));
    if (!array || !takes_lines(graph, *array)) return;
    const std::uint64_t count = *fft_count(array->size, batch);
    if (!has_numbers(graph, "source", source, count, sizeof(float))) return;

    Buffer numbers = axes.empty() ? graph.copy(BufferView(source, 0, count * sizeof(float)),
                                               graph.buffer("copy", {.size = count * sizeof(float),
                                                                     .stride = sizeof(float)}))
                                  : source;
    std::uint64_t inner = 1;
    for (std::size_t a = 0; a < kinds.size(); ++a) {
        const std::uint32_t line = array->size[a];
        RealLineAxis axis{.inner = inner,
                          .outer = count / (inner * line),
                          .line = line,
                          .sums = sums_of(kinds[a])};
        inner *= line;
        if (kinds[a] == RealTransform::none) continue;
        if (undoes(kinds[a])) {
            axis.scale = 1.0f / static_cast<float>(line);
            numbers = unsum_real_lines(graph, numbers, axis);
        } else {
            numbers = sum_real_lines(graph, numbers, axis);
        }
    }
    result = numbers;
}

TUFF_PASS(FftRealToReal)

} // namespace tuff::passes
