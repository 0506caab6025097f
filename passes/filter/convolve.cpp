#include "passes/filter/convolve.hpp"

#include "passes/filter/request.hpp"
#include "passes/filter/slabs.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool can_be_cut(FilterPath path) {
    return path == FilterPath::plain || path == FilterPath::plain_unrolled ||
           path == FilterPath::tiled;
}

Buffer in_slabs(Graph& graph, Buffer source, const FilterRequest& request, FilterPath path,
                const SlabPlan& plan) {
    return convolve_in_slabs(
        graph, source, request.problem, plan,
        [&](Buffer slab, const FilterProblem& problem, const FilterWindow& window) {
            if (path == FilterPath::tiled)
                return convolve_tiled(graph, slab, request.kernel, problem, window);
            return convolve_plain(graph, slab, request.kernel, problem, window,
                                  path == FilterPath::plain_unrolled);
        });
}

Buffer convolve_by(Graph& graph, Buffer source, const FilterRequest& request, FilterPath path,
                   std::uint32_t taps) {
    const auto& [problem, kernel] = request;
    switch (path) {
    case FilterPath::plain: return convolve_plain(graph, source, kernel, problem, false);
    case FilterPath::plain_unrolled: return convolve_plain(graph, source, kernel, problem, true);
    case FilterPath::texture: return convolve_texture(graph, source, kernel, problem, false);
    case FilterPath::texture_unrolled:
        return convolve_texture(graph, source, kernel, problem, true);
    case FilterPath::separable: return convolve_separable(graph, source, problem);
    case FilterPath::accumulated: return convolve_accumulated(graph, source, kernel, problem);
    case FilterPath::vectors: return convolve_vectors(graph, source, kernel, problem);
    case FilterPath::packed: return convolve_packed(graph, source, kernel, problem);
    case FilterPath::multipass: return convolve_multipass(graph, source, kernel, problem, taps);
    case FilterPath::fft: return convolve_fft(graph, source, kernel, problem);
    case FilterPath::tiles_fft: return convolve_tiles_fft(graph, source, kernel, problem);
    case FilterPath::matrix: return convolve_matrix(graph, source, kernel, problem);
    case FilterPath::automatic:
    case FilterPath::tiled: break;
    }
    return convolve_tiled(graph, source, kernel, problem);
}

/// How arrays are cut, if they are. Reports filter/slabs and filter/too-large.
std::optional<SlabPlan> checked_slabs(Graph& graph, const FilterConvolve& pass,
                                      const FilterProblem& problem) {
    const bool can = pass.path == FilterPath::automatic || can_be_cut(pass.path);
    if (pass.slabs > 1 && !can) {
        graph.error("filter/slabs",
                    fmt::format("the path \"{}\" cannot work in slabs", name_of(pass.path)),
                    "choose \"tiled\", \"plain\" or \"auto\"");
        return {};
    }
    const auto plan = slab_plan(graph.target(), problem, pass.slabs);
    if (!plan) {
        graph.error("filter/too-large",
                    "a slice of the source with its halo is more than the device can bind",
                    "filter parts of the array separately");
        return {};
    }
    if (plan->slabs == 1 || can) return plan;
    graph.error("filter/too-large",
                fmt::format("the device can bind {} bytes at once, and the path \"{}\" cannot work "
                            "in slabs",
                            graph.target().max_storage_buffer_bytes, name_of(pass.path)),
                "choose the path \"tiled\", which can work in slabs");
    return {};
}

/// That of the pass, or the fastest; a note says why.
FilterPath path_for(Graph& graph, const FilterConvolve& pass, const FilterProblem& problem,
                    std::uint32_t slabs) {
    if (pass.path != FilterPath::automatic) return pass.path;
    FilterChoice choice = choose_path(graph.target(), problem);
    if (slabs > 1 && !can_be_cut(choice.path))
        choice = {direct_path(graph.target(), problem), "it works in slabs"};
    if (!pass.tells_path) return choice.path;
    graph.report(
        {.code = "filter/path",
         .severity = Severity::note,
         .message = fmt::format("\"{}\" is taken: {}", name_of(choice.path), choice.reason),
         .where = {},
         .hint = "set \"path\" to choose another"});
    return choice.path;
}

} // namespace

void FilterConvolve::describe(PassInfo<FilterConvolve>& info) {
    info.summary("Convolves arrays of one to four axes with any kernels")
        .details(
            "result[p] = sum over f of source[p - f] kernel[f], f from -h to h along each axis: "
            "the kernel is flipped. With \"correlate\" it is not: source[p + f]. Images, volumes "
            "and volumes over time are arrays of two, three and four axes; kernels need not be "
            "separable. Each of \"filters\" kernels gives a result; the results of an array follow "
            "one another.\n\n\"path\" chooses the way; all give the same result except for "
            "rounding:\n\n- plain, texture: an invocation for each number, from memory or a "
            "texture; *_unrolled: for a kernel size that is known when the kernel is compiled.\n- "
            "tiled: tiles in shared memory, blocks of results in registers. Fastest for small "
            "kernels on GPUs. Three or more kernels that are even, or odd, share additions and "
            "take half the products, if the host knows the weights.\n- separable: one-dimensional "
            "passes, if each kernel is a product to within 1e-6 of its greatest weight, and the "
            "host knows the weights.\n- accumulated: a dispatch for each two-dimensional slice of "
            "the kernel.\n- vectors, multipass: by dot products; \"taps\" weights a pass.\n- "
            "packed: numbers are rounded to 8 bits of [0, 1], four to a word.\n- fft, tiles_fft: "
            "products of spectra, of the whole or of tiles. Fastest for large kernels; in two "
            "dimensions tiles are from some 11 x 11 weights on.\n- matrix: many filters at once, "
            "by cooperative matrices where the device has them, which round "
            "to 16 bits. Gathering the matrices takes longer than multiplying them: it is slower "
            "than \"tiled\", so \"auto\" never takes it.\n\n\"auto\" takes the fastest path by a "
            "table of kernel sizes, and a note reports which and why. The host knows the weights "
            "of the parameter and of constant buffers.\n\nArrays larger than the device can bind "
            "are cut into slabs, along the outermost axis where that is enough (\"tiled\", "
            "\"plain\"); the results are the same to the bit. Numbers that are not finite spread "
            "as far as the kernel reaches, over two tiles of 64 x 64 by \"tiles_fft\", or "
            "everywhere by \"fft\"; weights that are not finite are refused where the host knows "
            "them.\n\nErrors: filter/empty, filter/too-short, filter/too-large, "
            "filter/kernel-size, filter/kernel-given, filter/weights, filter/not-finite, "
            "filter/no-result, filter/not-separable, filter/no-texture, filter/slabs, "
            "filter/too-many-passes.")
        .source(
            "Eklund and Dufort, \"Non-separable 2D, 3D and 4D filtering with CUDA\", GPU Pro 5, "
            "2014; Gaulin, \"GPU computation with Cg\", UNC Charlotte, 2004")
        .complexity("O(results * weights); O(n log n) by transforms")
        .cost([](const FilterConvolve& pass, const Graph& graph) {
            const auto source_bytes = static_cast<double>(graph.desc(pass.source).size);
            const auto result_bytes = static_cast<double>(graph.desc(pass.result).size);
            const glm::uvec4 k = pass.kernel_size;
            const double taps = static_cast<double>(k.x) * k.y * k.z * k.w;
            return Cost{.bytes = source_bytes + result_bytes,
                        .operations = 2.0 * taps * result_bytes / sizeof(float)};
        });
    info.input("source", &FilterConvolve::source, "f32, x fastest").elements<float>();
    info.optional_input("kernel", &FilterConvolve::kernel,
                        "f32, x fastest; kernels follow one another")
        .elements<float>();
    info.parameter("weights", &FilterConvolve::weights, "weights instead of \"kernel\"")
        .structural();
    info.parameter("size", &FilterConvolve::size,
                   "numbers along x, y, z and w; x = 0: all that the source holds")
        .structural();
    info.parameter("batch", &FilterConvolve::batch,
                   "number of consecutive arrays, filtered separately")
        .range(1, 1e9)
        .structural();
    info.parameter("kernel_size", &FilterConvolve::kernel_size,
                   "weights along x, y, z and w: odd numbers")
        .structural();
    info.parameter("filters", &FilterConvolve::filters, "number of kernels")
        .range(1, 65536)
        .structural();
    info.parameter(
            "border", &FilterConvolve::border,
            "values beyond the border: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated; \"valid\": only results that read nothing there")
        .structural();
    info.parameter("correlate", &FilterConvolve::correlate, "does not flip the kernels")
        .structural();
    info.parameter("path", &FilterConvolve::path, "the algorithm; see the description")
        .structural();
    info.parameter("slabs", &FilterConvolve::slabs,
                   "number of parts along the outermost axis; 0: as many as the device needs")
        .range(0, 65536)
        .structural();
    info.parameter("taps", &FilterConvolve::taps, "weights of a pass of \"multipass\"")
        .range(1, 65536)
        .structural();
    info.output("result", &FilterConvolve::result,
                "f32: for each array the results of all kernels, of the source's size, or with "
                "\"valid\" kernel_size - 1 smaller")
        .elements<float>();
}

void FilterConvolve::build(Graph& graph) {
    const auto request = checked_request(graph, *this);
    if (!request) return;
    const auto cuts = checked_slabs(graph, *this, request->problem);
    if (!cuts) return;
    const FilterPath way = path_for(graph, *this, request->problem, cuts->slabs);
    result = cuts->slabs > 1 ? in_slabs(graph, source, *request, way, *cuts)
                             : convolve_by(graph, source, *request, way, taps);
}

TUFF_PASS(FilterConvolve)

} // namespace tuff::passes
