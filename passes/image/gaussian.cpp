#include "passes/image/gaussian.hpp"

#include "passes/image/convolve.hpp"

namespace tuff::passes {

void Gaussian::describe(PassInfo<Gaussian>& info) {
    info.summary("Blurs an image with a Gaussian")
        .details(
            "Runs image/convolve with the weights exp(-(x^2 + y^2) / (2 sigma^2)) / (2 pi sigma^2) "
            "at whole texels. The weights are scaled to sum 1 unless \"normalise\" is "
            "\"analytic\", which keeps the formula's values and darkens the picture by the share "
            "that the window cuts off (22 percent at sigma 1, radius 1). Radius 0 takes 3 sigma, "
            "at most 8: above sigma 2.67 the window is narrower than 3 sigma, and image/blur has "
            "no such limit. Alpha is copied.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(texels * radius)")
        .cost([](const Gaussian& pass, const Graph& graph) {
            const int radius = pass.radius > 0 ? pass.radius : gaussian_radius(pass.sigma);
            return picture_cost(graph, pass.source, pass.result, 16.0 * (2 * radius + 1));
        });
    info.input("source", &Gaussian::source, "the image to blur").picture();
    info.parameter("sigma", &Gaussian::sigma, "standard deviation")
        .range(kMinSigma, kMaxSigma)
        .unit("texels")
        .structural();
    info.parameter("radius", &Gaussian::radius, "radius of the window; 0: chosen from sigma")
        .range(0, kMaxKernelSize / 2)
        .unit("texels")
        .structural();
    info.parameter("normalise", &Gaussian::scale,
                   "\"sum\" makes the weights sum to 1; \"analytic\" keeps the formula's values");
    info.parameter("border", &Gaussian::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("format", &Gaussian::format, "format of the result").structural();
    info.output("result", &Gaussian::result, "the blurred image, of the source's size");
}

void Gaussian::build(Graph& graph) {
    const Kernel kernel =
        gaussian_kernel(sigma, radius > 0 ? radius : gaussian_radius(sigma), scale);
    result = graph
                 .add(Convolve{.source = source,
                               .kernel = float_weights(kernel),
                               .width = kernel.width,
                               .height = kernel.height,
                               .border = border,
                               .format = format})
                 .result;
}

TUFF_PASS(Gaussian)

} // namespace tuff::passes
