#include "passes/image/compare.hpp"

#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/reduce.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kGroupSide = 16; // texels, as in image/squared_error

} // namespace

void Compare::describe(PassInfo<Compare>& info) {
    info.summary("Measures the difference of two pictures: mean squared error and PSNR")
        .details("The mean is over red, green and blue of all texels, or over one channel if both "
                 "pictures have one. Texels count from 0 to 1, so the peak signal-to-noise ratio "
                 "is -10 log10 of the mean squared error. It is infinite for equal pictures. sRGB "
                 "formats are compared as linear light. Pictures of different sizes are an error.")
        .complexity("O(texels)")
        .cost([](const Compare& pass, const Graph& graph) {
            const Extent size = graph.extent(pass.a);
            const double texels = static_cast<double>(size.width) * size.height;
            const auto bytes = [&](Image image) {
                return static_cast<double>(tuff::info(graph.desc(image).format).texel_bytes);
            };
            return Cost{.bytes = texels * (bytes(pass.a) + bytes(pass.b)),
                        .operations = 9.0 * texels};
        });
    info.input("a", &Compare::a, "a picture").picture();
    info.input("b", &Compare::b, "one of the same size").picture();
    info.output("result", &Compare::result, "mean squared error; PSNR, in decibels")
        .elements<float>();
}

void Compare::build(Graph& graph) {
    if (!same_size(graph, a, "a", b, "b")) return;
    const Extent size = graph.extent(a);
    const std::uint32_t across = (size.width + kGroupSide - 1) / kGroupSide;
    const std::uint32_t down = (size.height + kGroupSide - 1) / kGroupSide;
    const std::uint32_t channels = std::max(tuff::info(graph.desc(a).format).channels,
                                            tuff::info(graph.desc(b).format).channels);
    ComputeNodeBuilder node = graph.compute("image/squared_error");
    node.specialize("channels", std::clamp(channels, 1u, 3u));
    node.read("a", ImageView(a).mip(0));
    node.read("b", ImageView(b).mip(0));
    const Buffer sums = node.write("sums", array(graph, "sums", std::uint64_t{across} * down));
    node.dispatch(across, down);
    const Buffer sum = graph.add(Reduce{.source = sums, .type = Element::f32}).result;

    ComputeNodeBuilder last = graph.compute("image/psnr");
    last.set("values", static_cast<float>(static_cast<double>(size.width) * size.height *
                                          std::clamp(channels, 1u, 3u)));
    last.read("sum", sum);
    result = last.write("result", array(graph, "result", 2));
    last.dispatch(1);
}

TUFF_PASS(Compare)

} // namespace tuff::passes
