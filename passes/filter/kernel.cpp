#include "passes/filter/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace tuff::passes {
namespace {

/// Weights, and the same as f32.
struct MadeKernels {
    KernelSet set;
    std::shared_ptr<const std::vector<std::byte>> floats;
};

auto key_of(const KernelDesign& design) {
    const glm::dvec4& sigma = design.sigma;
    return std::tuple(
        design.kind, design.size, design.only,
        std::array{sigma.x, sigma.y, sigma.z, sigma.w, design.frequency, design.octaves},
        design.scale, design.window);
}

Result<std::shared_ptr<const MadeKernels>> made_kernels(const KernelDesign& design) {
    using Key = decltype(key_of(design));
    static std::mutex mutex;
    static std::map<Key, std::weak_ptr<const MadeKernels>> known;
    const Key key = key_of(design);
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    if (const auto found = known.find(key); found != known.end())
        if (auto held = found->second.lock()) return held;

    auto set = designed_kernels(design);
    if (!set) return propagate(std::move(set));
    std::vector<std::byte> bytes(set->weights.size() * sizeof(float));
    for (std::size_t i = 0; i < set->weights.size(); ++i) {
        const auto weight = static_cast<float>(set->weights[i]);
        std::memcpy(bytes.data() + i * sizeof(float), &weight, sizeof(float));
    }
    auto made = std::make_shared<MadeKernels>();
    made->set = std::move(*set);
    made->floats = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    known[key] = made;
    return made;
}

std::shared_ptr<const MadeKernels> reported(Graph& graph, const KernelDesign& design) {
    auto made = made_kernels(design);
    if (made) return *made;
    for (const Diagnostic& wrong : made.error())
        graph.report(wrong);
    return nullptr;
}

/// Whole numbers of a list that a user wrote; reports others.
std::optional<std::vector<std::uint32_t>> whole_numbers(Graph& graph,
                                                        const std::vector<float>& list) {
    std::vector<std::uint32_t> numbers;
    for (const float number : list) {
        if (!(number >= 0.0f && number < 100.0f) || number != std::floor(number)) {
            graph.error("filter/direction",
                        fmt::format("{} is not the index of a direction", number),
                        "count directions from 0");
            return {};
        }
        numbers.push_back(static_cast<std::uint32_t>(number));
    }
    return numbers;
}

} // namespace

std::shared_ptr<const KernelSet> shared_kernels(Graph& graph, const KernelDesign& design) {
    const auto made = reported(graph, design);
    return made ? std::shared_ptr<const KernelSet>(made, &made->set) : nullptr;
}

Buffer constant_kernels(Graph& graph, const KernelDesign& design) {
    const auto made = reported(graph, design);
    if (!made) return {};
    // The bytes hold the weights, so that they are found as long as a graph has them.
    const std::shared_ptr<const std::vector<std::byte>> bytes(made, made->floats.get());
    return graph.constant_buffer("kernel", {.size = bytes->size(), .stride = sizeof(float)}, bytes);
}

void FilterKernel::describe(PassInfo<FilterKernel>& info) {
    info.summary(
            "Makes the weights of a named filter, or of a set of them, for \"filter/convolve\"")
        .details(
            "The weights are computed in double precision when the graph is built; nothing runs on "
            "the device. D is the number of axes along which the kernel has more than one weight. "
            "Kernels follow one another, x fastest.\n\nOne kernel: \"average\", \"identity\", "
            "\"gaussian\" (\"sigma\" for each axis, \"scale\"), \"laplace\": for 3 weights an "
            "axis, 1 at the 2 D neighbours and -2 D at the center; for more weights, ones "
            "everywhere and a center that makes the sum 0, such as -24 for 5 x 5.\n\n\"sobel\": a "
            "kernel for each axis; 1 0 -1 along it, 1 2 1 along the others, so the result of a "
            "ramp is 2 * 4^(D-1) times its slope.\n\n\"quadrature\": for each direction n an even "
            "and an odd kernel, together the complex filter R(rho) (u n / rho)^2 where u n > 0 and "
            "0 elsewhere, rho = |u|: 8 kernels in two dimensions (0, 45, 90, 135 degrees from x), "
            "12 in three (diagonals of an icosahedron), 24 in four (of a 24-cell), 2 in one. A "
            "wave of amplitude A along n at \"frequency\" gives the responses A cos and A sin of "
            "its phase. R is lognormal, 1 at \"frequency\", a half at \"octaves\" / 2 above and "
            "below, and tapered to 0 at 1.2 pi. \"gabor\": waves of \"frequency\" along the same "
            "directions under a Gaussian of \"sigma\"; the even kernels respond slightly to "
            "constants.\n\n\"monomial\": R u_i / rho (odd) for each axis, then R u_i u_j / rho^2 "
            "(even) for xx, xy, ..., yy, ...: 5 kernels in two dimensions, 9 in three, 14 in four, "
            "2 in one. \"adaptive\": a low pass L = cos^2(pi rho / (4 frequency)), then (1 - L) "
            "u_i u_j / rho^2: 4, 7 and 11 kernels. L and the kernels of xx, yy, ... sum to the "
            "identity.\n\nKernels designed in the frequency domain are sampled there, transformed "
            "back, and cut by \"window\"; even ones sum to 0.")
        .source("Granlund and Knutsson, \"Signal Processing for Computer Vision\", 1995; Knutsson, "
                "Westin and Andersson, \"Representing Local Structure Using Tensors II\", 2011")
        .complexity("O(1) on the device")
        .cost([](const FilterKernel&, const Graph&) { return Cost{}; });
    info.parameter("kind", &FilterKernel::kind, "kind of filter").structural();
    info.parameter("size", &FilterKernel::size, "weights along x, y, z, w: odd, 1 for unused axes")
        .range(1, 1 << 22)
        .structural();
    info.parameter("directions", &FilterKernel::directions,
                   "sobel, quadrature and gabor: indices of the directions to make, from 0; empty: "
                   "all")
        .structural();
    info.parameter("sigma", &FilterKernel::sigma, "gaussian and gabor: deviation along each axis")
        .range(0, 1e6, RangeEnds::open_low)
        .structural();
    info.parameter("scale", &FilterKernel::scale,
                   "gaussian: weights that sum to 1, or (2 pi)^(-D/2) / (product of sigma) times "
                   "the exponential")
        .structural();
    info.parameter("frequency", &FilterKernel::frequency,
                   "center frequency of quadrature, gabor and monomial; frequency at which the low "
                   "pass of adaptive is a half")
        .range(0, 3.1415927, RangeEnds::open_low)
        .unit("radians a number")
        .structural();
    info.parameter("octaves", &FilterKernel::octaves, "bandwidth of quadrature and monomial")
        .range(0.1, 16)
        .structural();
    info.parameter("window", &FilterKernel::window,
                   "window for kernels designed in the frequency domain")
        .structural();
    info.output("kernel", &FilterKernel::kernel, "the weights, f32").elements<float>();
}

void FilterKernel::build(Graph& graph) {
    const auto only = whole_numbers(graph, directions);
    if (!only) return;
    kernel = constant_kernels(graph, {.kind = kind,
                                      .size = {size.x, size.y, size.z, size.w},
                                      .only = *only,
                                      .sigma = glm::dvec4(sigma),
                                      .scale = scale,
                                      .frequency = static_cast<double>(frequency),
                                      .octaves = static_cast<double>(octaves),
                                      .window = window});
}

TUFF_PASS(FilterKernel)

} // namespace tuff::passes
