// Every filter that a divided field may have, on parts with a halo as wide as it looks: each rank's
// own cells have the bits of the filter on the whole field.

#include "passes/fft/from_image.hpp"
#include "passes/filter/adaptive.hpp"
#include "passes/filter/bilateral.hpp"
#include "passes/filter/convolve.hpp"
#include "passes/filter/kernel.hpp"
#include "passes/filter/local_structure.hpp"
#include "passes/filter/network.hpp"
#include "passes/filter/orientation.hpp"
#include "passes/filter/polar.hpp"
#include "passes/filter/volume_median.hpp"
#include "passes/filter/warp.hpp"
#include "passes/image/blur.hpp"
#include "passes/image/box_filter.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/denoise.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/mpi/exchange.hpp"
#include "ranks_fixture.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tuff {
namespace {

using namespace passes;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::Running;

/// What a filter is given: the part with its halo, or the whole without one.
struct FilteredField {
    Graph& g;
    Image image;
    Buffer numbers; ///< of the image
    glm::uvec4 size;
};

/// Where a filter is right at the ends of the field.
enum class FieldEnds : std::uint8_t {
    clamp,    ///< with the nearest cell in the halo
    periodic, ///< with the cells of the other end in it
    inner,    ///< no halo stands for what it does there: cells are compared that look at no end
};

struct RankFilter {
    std::string name;
    std::uint32_t look = 0;
    FieldEnds ends = FieldEnds::clamp;
    std::function<std::vector<Buffer>(const FilteredField&)> make; ///< arrays of planes
    bool volume = false;
    bool whole_numbers = false;
};

const Cells kFlat{23, 17, 1};
const Cells kDeep{9, 8, 7};

/// Sums of these round; whole numbers have exact sums.
float source_of(const Cells& cell, bool whole) {
    const auto [x, y, z] = cell;
    if (whole) return static_cast<float>((7 * x + 13 * y * y + 5 * z) % 19);
    return 0.4f +
           0.3f * std::sin(0.9f * static_cast<float>(x) + static_cast<float>(z)) *
               std::cos(1.7f * static_cast<float>(y)) +
           0.01f * static_cast<float>((7 * x + 13 * y + 3 * z) % 11);
}

Buffer numbers_of(Graph& g, Image image) {
    return g.add(FftFromImage{.source = image, .number = ImageNumber::red}).result;
}

RankFilter of_convolve(FilterPath path, bool volume) {
    const auto make = [=](const FilteredField& f) -> std::vector<Buffer> {
        const bool product = path == FilterPath::separable;
        const glm::uvec4 sides(3, 5, volume ? 3 : 1, 1);
        std::vector<float> weights;
        for (std::uint32_t i = 0; i < sides.x * sides.y * sides.z; ++i)
            weights.push_back(product ? 0.1f * static_cast<float>(1 + i % 3)
                                      : 0.3f * std::sin(1.0f + 2.3f * static_cast<float>(i)));
        return {f.g.add(FilterConvolve{.source = f.numbers,
                                       .weights = weights,
                                       .size = f.size,
                                       .kernel_size = sides,
                                       .border = FilterBorder::clamp,
                                       .path = path})
                    .result};
    };
    return {"filter/convolve " + std::string(name_of(path)), 2, FieldEnds::clamp, make, volume};
}

Buffer tensor_of(const FilteredField& f, TensorMethod method, glm::vec4 smoothing) {
    return f.g
        .add(FilterLocalStructure{.source = f.numbers,
                                  .method = method,
                                  .size = f.size,
                                  .kernel_size = {5, 5, 1, 1},
                                  .smoothing = smoothing,
                                  .border = FilterBorder::wrap,
                                  .path = FilterPath::tiled})
        .tensor;
}

/// Two planes of sixteenths of the cells' whole numbers, of which places have the same fractions
/// wherever a part begins: at most 18 / 16, which reads two cells away.
Buffer displacements(const FilteredField& f) {
    return f.g
        .add(FilterConvolve{.source = f.numbers,
                            .weights = {1.0f / 16.0f, -1.0f / 16.0f},
                            .size = f.size,
                            .kernel_size = {1, 1, 1, 1},
                            .filters = 2,
                            .path = FilterPath::plain})
        .result;
}

std::vector<RankFilter> filters_of_arrays() {
    const auto network = [](const FilteredField& f) -> std::vector<Buffer> {
        return {f.g.add(FilterNetwork{.source = f.numbers,
                                      .size = f.size,
                                      .border = FilterBorder::wrap,
                                      .kind = NetworkKind::binomial,
                                      .kernel_size = {5, 5, 1, 1}})
                    .result};
    };
    const auto structure = [](const FilteredField& f) -> std::vector<Buffer> {
        const Buffer tensor = tensor_of(f, TensorMethod::gradient, {0.4f, 0.4f, 0.0f, 0.0f});
        const auto axes = f.g.add(FilterOrientation{.tensor = tensor, .size = f.size});
        return {tensor, axes.values, axes.vector, axes.anisotropy};
    };
    const auto quadrature = [](const FilteredField& f) -> std::vector<Buffer> {
        const Buffer kernel =
            f.g.add(FilterKernel{.kind = FilterKernelKind::quadrature, .size = {5, 5, 1, 1}})
                .kernel;
        const Buffer responses = f.g.add(FilterConvolve{.source = f.numbers,
                                                        .kernel = kernel,
                                                        .size = f.size,
                                                        .kernel_size = {5, 5, 1, 1},
                                                        .filters = 8,
                                                        .border = FilterBorder::clamp,
                                                        .path = FilterPath::tiled})
                                     .result;
        const auto polar = f.g.add(FilterPolar{.responses = responses, .pairs = 4, .size = f.size});
        return {polar.magnitude, polar.phase};
    };
    const auto adaptive = [](const FilteredField& f) -> std::vector<Buffer> {
        return {f.g.add(FilterAdaptive{.source = f.numbers,
                                       .size = f.size,
                                       .kernel_size = {5, 5, 1, 1},
                                       .smoothing = {0.4f, 0.4f, 0.0f, 0.0f},
                                       .border = FilterBorder::wrap,
                                       .path = FilterPath::tiled})
                    .result};
    };
    const auto warp = [](const FilteredField& f) -> std::vector<Buffer> {
        return {f.g.add(FilterWarp{.source = f.numbers, .field = displacements(f), .size = f.size})
                    .result};
    };
    return {
        {"filter/network", 2, FieldEnds::periodic, network},
        {"filter/local_structure, filter/orientation", 2, FieldEnds::periodic, structure},
        {"filter/polar", 2, FieldEnds::clamp, quadrature},
        {"filter/adaptive", 3, FieldEnds::periodic, adaptive},
        {.name = "filter/warp", .look = 2, .make = warp, .whole_numbers = true},
    };
}

RankFilter of_bilateral(BilateralMethod method) {
    const auto make = [=](const FilteredField& f) -> std::vector<Buffer> {
        return {f.g.add(FilterBilateral{.source = f.numbers,
                                        .size = f.size,
                                        .kernel_size = {5, 5, 1, 1},
                                        .border = FilterBorder::wrap,
                                        .method = method})
                    .result};
    };
    return {"filter/bilateral", 2, FieldEnds::periodic, make};
}

RankFilter of_median(bool volume) {
    const auto make = [=](const FilteredField& f) -> std::vector<Buffer> {
        return {f.g.add(FilterVolumeMedian{.source = f.numbers,
                                           .size = f.size,
                                           .window = {3, 3, volume ? 3 : 1, 1}})
                    .result};
    };
    return {"filter/volume_median", 1, FieldEnds::clamp, make, volume};
}

template <typename Pass>
RankFilter of_picture(const char* name, std::uint32_t look, const Pass& pass,
                      FieldEnds ends = FieldEnds::clamp) {
    const auto make = [=](const FilteredField& f) -> std::vector<Buffer> {
        Pass filter = pass;
        filter.source = f.image;
        return {numbers_of(f.g, f.g.add(filter).result)};
    };
    return {name, look, ends, make};
}

std::vector<RankFilter> filters_of_pictures() {
    // Sums of a summed-area table begin at the first texel, which each rank has elsewhere: those of
    // whole numbers are exact.
    RankFilter box = of_picture("image/box_filter", 2,
                                BoxFilter{.radius = {2, 1, 0}, .precision = SumPrecision::plain},
                                FieldEnds::inner);
    box.whole_numbers = true;
    return {
        of_picture("image/convolve", 1,
                   Convolve{.kernel = {0.1f, 0.3f, -0.2f, 0.7f, 0.4f, 0.6f, -0.5f, 0.9f, 0.2f}}),
        of_picture("image/highpass", 1, Highpass{}),
        of_picture("image/highboost", 1, Highboost{.weight = 1.2f}),
        of_picture("image/blur", 3, Blur{.sigma = 0.7f}),
        // Rounds look 2 and 4 cells away.
        of_picture("image/denoise", 6, Denoise{.rounds = 2}, FieldEnds::inner),
        box,
    };
}

class AllFiltersOfRanks : public testing_gpu::RanksTest {
  protected:
    using Results = std::vector<std::vector<std::vector<float>>>; ///< by filter and output

    /// On the rank's part; undivided, on the whole without a halo.
    Results filtered(const std::vector<RankFilter>& filters, const Ranks& ranks, bool divided) {
        Graph g = divided ? graph_of(ranks) : graph();
        std::vector<std::size_t> outputs;
        for (std::size_t i = 0; i < filters.size(); ++i) {
            const RankFilter& filter = filters[i];
            const std::string name = "f" + std::to_string(i);
            const Cells& cells = filter.volume ? kDeep : kFlat;
            const std::uint32_t width = divided ? filter.look : 0;
            const Cells halo{width, width, filter.volume ? width : 0};
            const Cells size = part_size(g.ranks(), cells, halo);
            Image image =
                g.constant_image(name + ".source", floats(size, filter.volume),
                                 part_texels(g.ranks(), cells, halo, NAN, [&](const Cells& cell) {
                                     return source_of(cell, filter.whole_numbers);
                                 }));
            const auto edge =
                filter.ends == FieldEnds::periodic ? HaloEdge::periodic : HaloEdge::clamp;
            if (divided)
                image = g.add(HaloExchange{.source = image,
                                           .cells = glm::ivec3(cells[0], cells[1], cells[2]),
                                           .halo = static_cast<std::int32_t>(width),
                                           .edge_x = edge,
                                           .edge_y = edge,
                                           .edge_z = edge})
                            .result;
            const auto made = filter.make(
                {g, image, numbers_of(g, image), glm::uvec4(size[0], size[1], size[2], 1)});
            for (std::size_t k = 0; k < made.size(); ++k)
                g.output(name + "." + std::to_string(k), made[k]);
            outputs.push_back(made.size());
        }
        Running running = run(std::move(g));
        Results results(filters.size());
        for (std::size_t i = 0; running && i < filters.size(); ++i)
            for (std::size_t k = 0; k < outputs[i]; ++k)
                results[i].push_back(
                    running.buffer<float>("f" + std::to_string(i) + "." + std::to_string(k)));
        return results;
    }

    /// The rank's own cells of each plane, against those of the whole.
    static void compare(const RankFilter& filter, const Ranks& ranks,
                        const std::vector<float>& part, const std::vector<float>& whole) {
        const Cells& cells = filter.volume ? kDeep : kFlat;
        const std::uint32_t depth = filter.volume ? filter.look : 0;
        const Cells halo{filter.look, filter.look, depth};
        const Cells size = part_size(ranks, cells, halo);
        const std::size_t in_whole = std::size_t{cells[0]} * cells[1] * cells[2];
        const std::size_t in_part = std::size_t{size[0]} * size[1] * size[2];
        const std::size_t planes = whole.size() / in_whole;
        ASSERT_GT(planes, 0u);
        ASSERT_EQ(whole.size(), planes * in_whole);
        ASSERT_EQ(part.size(), planes * in_part);
        const auto spans = ranks.part(cells);
        const auto looks_at_an_end = [&](const Cells& cell) {
            for (std::size_t a = 0; a < 3; ++a)
                if (cell[a] < halo[a] || cell[a] + halo[a] >= cells[a]) return true;
            return false;
        };
        for (std::size_t plane = 0; plane < planes; ++plane)
            for (std::uint32_t z = 0; z < spans[2].count; ++z)
                for (std::uint32_t y = 0; y < spans[1].count; ++y)
                    for (std::uint32_t x = 0; x < spans[0].count; ++x) {
                        const Cells c{spans[0].first + x, spans[1].first + y, spans[2].first + z};
                        if (filter.ends == FieldEnds::inner && looks_at_an_end(c)) continue;
                        const std::size_t own =
                            ((z + halo[2]) * size[1] + y + halo[1]) * size[0] + x + halo[0];
                        const std::size_t of_whole = (c[2] * cells[1] + c[1]) * cells[0] + c[0];
                        ASSERT_EQ(part[plane * in_part + own], whole[plane * in_whole + of_whole])
                            << "plane " << plane << " at " << c[0] << ", " << c[1] << ", " << c[2];
                    }
    }

    void check(const std::vector<RankFilter>& filters) {
        const Results whole = filtered(filters, {}, false);
        const std::vector<Ranks> all = grids(filters.front().volume ? kDeep : kFlat);
        if (all.empty()) return;
        const Ranks ranks = all[all.size() / 2]; // along two axes where there are four or six
        const Results parts = filtered(filters, ranks, true);
        for (std::size_t i = 0; i < filters.size(); ++i) {
            SCOPED_TRACE(testing::Message() << filters[i].name << " over " << ranks.grid[0] << "x"
                                            << ranks.grid[1] << "x" << ranks.grid[2]);
            ASSERT_EQ(parts[i].size(), whole[i].size());
            ASSERT_FALSE(whole[i].empty());
            for (std::size_t k = 0; k < whole[i].size(); ++k)
                compare(filters[i], ranks, parts[i][k], whole[i][k]);
        }
    }
};

TEST_F(AllFiltersOfRanks, ConvolveArraysByEveryPathWithoutSpectra) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<RankFilter> filters;
    for (const FilterPath path :
         {FilterPath::plain, FilterPath::plain_unrolled, FilterPath::tiled, FilterPath::separable,
          FilterPath::accumulated, FilterPath::vectors, FilterPath::multipass, FilterPath::texture,
          FilterPath::texture_unrolled})
        filters.push_back(of_convolve(path, false));
    check(filters);
}

TEST_F(AllFiltersOfRanks, FilterArraysAsOneRankDoes) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<RankFilter> filters = filters_of_arrays();
    filters.push_back(of_bilateral(BilateralMethod::direct));
    filters.push_back(of_bilateral(BilateralMethod::separable));
    filters.push_back(of_median(false));
    check(filters);
}

TEST_F(AllFiltersOfRanks, FilterVolumesAsOneRankDoes) {
    TUFF_ONLY_ON(lavapipe);
    check({of_convolve(FilterPath::tiled, true), of_median(true)});
}

TEST_F(AllFiltersOfRanks, FilterPicturesAsOneRankDoes) {
    TUFF_ONLY_ON(lavapipe);
    check(filters_of_pictures());
}

} // namespace
} // namespace tuff
