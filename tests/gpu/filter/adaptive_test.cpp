#include "passes/filter/adaptive.hpp"
#include "passes/filter/convolve.hpp"
#include "passes/filter/kernel.hpp"
#include "passes/filter/orientation.hpp"
#include "passes/filter/phantom.hpp"
#include "tests/gpu/filter/structure_fixture.hpp"
#include "tests/gpu/filter/tensor_reference.hpp"
#include "tests/gpu/filter/waves.hpp"
#include "tests/reference/filter_reference.hpp"

#include <fmt/format.h>

#include <cmath>

/// Structure of arrays, and filters that follow it, against sums in double precision.
namespace tuff {
namespace {

using passes::FilterAdaptive;
using passes::FilterBorder;
using passes::FilterKernelKind;
using passes::FilterLocalStructure;
using passes::FilterPath;
using passes::FilterProblem;
using passes::FilterSize;
using passes::KernelSet;
using passes::StructureForm;
using passes::TensorMethod;
using testing::ElementsAre;
using testing_gpu::cube;
using testing_gpu::kWavePi;
using testing_gpu::Matrix;
using testing_gpu::Running;

std::vector<float> as_floats(const std::vector<double>& numbers) {
    return {numbers.begin(), numbers.end()};
}

class FilterStructure : public testing_gpu::StructureTest {
  protected:
    /// The largest component's error over all places.
    void expect_tensors(const std::vector<float>& got, const FilterProblem& problem,
                        TensorMethod method, const std::vector<float>& source,
                        const KernelSet& kernels, const std::string& what) {
        const std::uint32_t d = passes::kernel_dimensions(kernels.size);
        const std::uint32_t components = d * (d + 1) / 2;
        const auto sums = reference::convolved(problem, source, as_floats(kernels.weights));
        const std::uint64_t places = passes::filter_count(passes::filter_result_size(problem));
        ASSERT_EQ(got.size(), places * problem.batch * components) << what;
        for (std::uint64_t place = 0; place < places * problem.batch; ++place) {
            std::vector<double> responses;
            const std::uint64_t first = place / places * kernels.filters * places + place % places;
            for (std::uint32_t f = 0; f < kernels.filters; ++f)
                responses.push_back(sums[first + f * places].value);
            const Matrix t = testing_gpu::tensor_of(method, d, responses);
            double largest = 0.0; // of a response
            for (const double one : responses)
                largest = std::max(largest, std::abs(one));
            // Responses are off by some 1e-6; gradients' are multiplied.
            const double within = 2e-5 * (1.0 + 0.1 * largest * largest);
            std::uint64_t at = place / places * components * places + place % places;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = i; j < d; ++j, at += places)
                    ASSERT_NEAR(static_cast<double>(got[at]), t[i][j], within)
                        << what << ", place " << place;
        }
    }
};

/// Both forms, all borders, sizes that are no multiples of anything.
TEST_F(FilterStructure, IsThatOfTheFiltersHoweverItIsMade) {
    struct Case {
        TensorMethod method;
        FilterSize size;
        FilterSize kernel;
        FilterBorder border;
        std::uint32_t batch = 1;
    };
    using enum TensorMethod;
    using enum FilterBorder;
    const std::vector<Case> cases{
        {quadrature, {23, 19, 1, 1}, {5, 7, 1, 1}, zero, 2},
        {monomial, {23, 19, 1, 1}, {5, 5, 1, 1}, clamp},
        {quadrature, {9, 7, 6, 1}, {5, 5, 3, 1}, mirror},
        {monomial, {9, 7, 6, 1}, {3, 5, 5, 1}, wrap, 2},
        {quadrature, {6, 7, 5, 6}, {3, 3, 3, 3}, valid},
        {monomial, {6, 5, 4, 5}, {3, 3, 3, 5}, zero},
        {gradient, {23, 19, 1, 1}, {3, 3, 1, 1}, clamp},
        {gradient, {6, 5, 4, 5}, {3, 3, 3, 3}, valid},
    };
    Graph g = graph();
    std::vector<KernelSet> sets;
    std::vector<std::vector<float>> sources;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& c = cases[i];
        sets.push_back(*passes::designed_kernels(
            passes::structure_kernels(c.method, c.kernel, static_cast<double>(1.6f), 2.0,
                                      passes::KernelWindow::root_cosine)));
        sources.push_back(
            random_numbers(passes::filter_count(c.size) * c.batch, static_cast<std::uint32_t>(i)));
        for (const auto form : {StructureForm::stored, StructureForm::fused}) {
            if (c.method == gradient && form == StructureForm::fused) continue;
            g.output(fmt::format("{} {}", i, static_cast<int>(form)),
                     g.add(FilterLocalStructure{.source = numbers(g, "source", sources.back()),
                                                .method = c.method,
                                                .size = vector_of(c.size),
                                                .batch = c.batch,
                                                .kernel_size = vector_of(c.kernel),
                                                .frequency = 1.6f,
                                                .border = c.border,
                                                .form = form,
                                                .path = FilterPath::tiled})
                         .tensor);
        }
    }
    Running running = run(std::move(g));
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& c = cases[i];
        const FilterProblem problem{.size = c.size,
                                    .batch = c.batch,
                                    .kernel_size = c.kernel,
                                    .filters = sets[i].filters,
                                    .border = c.border};
        for (const int form : {0, 1}) {
            if (c.method == gradient && form == 1) continue;
            const std::string name = fmt::format("{} {}", i, form);
            expect_tensors(running.buffer<float>(name), problem, c.method, sources[i], sets[i],
                           name);
        }
    }
}

/// The tensor of a wave, from the picture, the volume and the volume over time, to the direction.
TEST_F(FilterStructure, OfPlaneWavesPointsAlongThem) {
    std::mt19937 random(7);
    Graph g = graph();
    std::vector<glm::dvec4> along;
    const std::vector<FilterSize> sizes{{40, 33, 1, 1}, {19, 18, 17, 1}, {12, 11, 11, 12}};
    for (const FilterSize& size : sizes) {
        const std::uint32_t d = passes::kernel_dimensions(size);
        along.push_back(testing_gpu::random_direction(random, d));
        std::vector<float> wave(passes::filter_count(size));
        for (std::size_t i = 0; i < wave.size(); ++i) {
            std::size_t rest = i;
            double phase = 0.3;
            for (int a = 0; a < 4; ++a) {
                const std::uint32_t side = size[static_cast<std::size_t>(a)];
                phase += 0.5 * kWavePi * along.back()[a] * static_cast<double>(rest % side);
                rest /= side;
            }
            wave[i] = static_cast<float>(7.0 + 2.0 * std::cos(phase));
        }
        const std::uint32_t side = d == 4 ? 7 : 9;
        const auto tensor = g.add(FilterLocalStructure{.source = numbers(g, "wave", wave),
                                                       .method = TensorMethod::monomial,
                                                       .size = vector_of(size),
                                                       .kernel_size = vector_of(cube(d, side)),
                                                       .border = FilterBorder::valid,
                                                       .form = StructureForm::fused})
                                .tensor;
        glm::uvec4 left(1);
        for (std::uint32_t a = 0; a < d; ++a)
            left[static_cast<int>(a)] = size[a] - side + 1;
        const auto found =
            g.add(passes::FilterOrientation{.tensor = tensor, .dimensions = d, .size = left});
        g.output(fmt::format("values {}", d), found.values);
        g.output(fmt::format("vector {}", d), found.vector);
    }
    Running running = run(std::move(g));
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        const auto d = static_cast<std::uint32_t>(c + 2);
        const auto values = running.buffer<float>(fmt::format("values {}", d));
        const auto vector = running.buffer<float>(fmt::format("vector {}", d));
        const std::size_t places = values.size() / d;
        ASSERT_GT(places, 100u);
        for (std::size_t p = 0; p < places; ++p) {
            double dot = 0.0;
            for (std::uint32_t a = 0; a < d; ++a)
                dot += static_cast<double>(vector[a * places + p]) * along[c][static_cast<int>(a)];
            const double angle = std::acos(std::min(std::abs(dot), 1.0)) * 180.0 / kWavePi;
            ASSERT_LE(angle, d == 4 ? 1.0 : 0.5) << d << " dimensions, place " << p;
            ASSERT_LE(values[places + p], 0.05f * values[p]);
            ASSERT_NEAR(values[p], 2.0f, 0.08f);
        }
    }
}

/// White noise has no direction: smoothed, its eigenvalues are nearly equal.
TEST_F(FilterStructure, OfNoiseHasNoDirection) {
    for (const auto method :
         {TensorMethod::quadrature, TensorMethod::monomial, TensorMethod::gradient}) {
        Graph g = graph();
        const glm::uvec4 size(96, 80, 1, 1);
        const auto tensor =
            g.add(FilterLocalStructure{.source = numbers(g, "noise", random_numbers(96 * 80, 3)),
                                       .method = method,
                                       .size = size,
                                       .smoothing = glm::vec4(3.0f)})
                .tensor;
        g.output("values", g.add(passes::FilterOrientation{.tensor = tensor, .size = size}).values);
        Running running = run(std::move(g));
        const auto values = running.buffer<float>("values");
        ASSERT_EQ(values.size(), 2u * 96 * 80);
        double ratio = 0.0;
        double first = 0.0;
        for (std::size_t p = 0; p < 96 * 80; ++p) {
            ratio += static_cast<double>(values[96 * 80 + p] / values[p]) / (96.0 * 80.0);
            first += 0.5 * static_cast<double>(values[p] + values[96 * 80 + p]) / (96.0 * 80.0);
        }
        EXPECT_GT(ratio, 0.7) << static_cast<int>(method);
        // What filter/adaptive takes for the level of noise.
        if (method == TensorMethod::gradient) continue;
        const auto kernels = passes::designed_kernels(passes::structure_kernels(
            method, {9, 9, 1, 1}, 0.5 * kWavePi, 2.0, passes::KernelWindow::root_cosine));
        EXPECT_NEAR(first / passes::noise_eigenvalue(method, *kernels), 1.0, 0.2);
    }
}

/// The filter of each place by its definition.
double adapted(const Matrix& t, std::uint32_t d, double level,
               const std::vector<double>& responses) {
    const testing_gpu::Eigen e = testing_gpu::eigen_of(t, d);
    const double x = e.values[0] / level;
    double gain = x * x / (x * x + 1.0);
    double sum = responses[0];
    for (std::uint32_t k = 0; k < d; ++k) {
        if (k > 0) {
            const double ratio = e.values[k] / e.values[k - 1];
            const double up = std::pow(ratio * 0.7, 2);
            gain *= up / (up + std::pow(0.3 * (1.0 - ratio), 2));
        }
        std::size_t next = 1;
        for (std::uint32_t i = 0; i < d; ++i)
            for (std::uint32_t j = i; j < d; ++j)
                sum += gain * (i == j ? 1.0 : 2.0) * e.vectors[k][i] * e.vectors[k][j] *
                       responses[next++];
    }
    return sum;
}

TEST_F(FilterStructure, SteersTheFilterOfEachPlace) {
    const std::vector<FilterSize> sizes{{19, 17, 1, 1}, {7, 6, 9, 1}, {5, 6, 5, 4}};
    Graph g = graph();
    std::vector<std::vector<float>> sources;
    std::vector<std::vector<float>> tensors;
    for (const FilterSize& size : sizes) {
        const std::uint32_t d = passes::kernel_dimensions(size);
        const std::size_t places = 2 * passes::filter_count(size);
        sources.push_back(random_numbers(places, d));
        // Positive ones of full rank, for the reference divides by eigenvalues.
        std::vector<float> packed(places * d * (d + 1) / 2);
        std::mt19937 random(d);
        std::normal_distribution<double> number;
        for (std::size_t p = 0; p < places; ++p) {
            Matrix t{};
            for (std::uint32_t r = 0; r < d; ++r) {
                std::array<double, 4> v{};
                for (double& one : v)
                    one = number(random);
                for (std::uint32_t i = 0; i < d; ++i)
                    for (std::uint32_t j = 0; j < d; ++j)
                        t[i][j] += v[i] * v[j] + (i == j ? 0.02 : 0.0);
            }
            const std::size_t half = places / 2;
            std::size_t at = p / half * d * (d + 1) / 2 * half + p % half;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = i; j < d; ++j, at += half)
                    packed[at] = static_cast<float>(t[i][j]);
        }
        tensors.push_back(packed);
        g.output(fmt::format("{}", d),
                 g.add(FilterAdaptive{.source = numbers(g, "source", sources.back()),
                                      .structure = numbers(g, "tensor", packed),
                                      .size = vector_of(size),
                                      .batch = 2,
                                      .kernel_size = vector_of(cube(d, d == 4 ? 3 : 5)),
                                      .frequency = 1.1f,
                                      .structure_frequency = 1.6f,
                                      .noise = 0.5f,
                                      .strength = 3.0f,
                                      .path = FilterPath::tiled})
                     .result);
    }
    Running running = run(std::move(g));
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        const auto d = static_cast<std::uint32_t>(c + 2);
        const FilterSize kernel = cube(d, d == 4 ? 3 : 5);
        const auto kernels = passes::designed_kernels({.kind = FilterKernelKind::adaptive,
                                                       .size = kernel,
                                                       .frequency = static_cast<double>(1.1f)});
        const auto of_structure = passes::designed_kernels(
            passes::structure_kernels(TensorMethod::monomial, kernel, static_cast<double>(1.6f),
                                      2.0, passes::KernelWindow::root_cosine));
        const double level = 1.5 * passes::noise_eigenvalue(TensorMethod::monomial, *of_structure);
        const FilterProblem problem{.size = sizes[c],
                                    .batch = 2,
                                    .kernel_size = kernel,
                                    .filters = kernels->filters,
                                    .border = FilterBorder::mirror};
        const auto sums = reference::convolved(problem, sources[c], as_floats(kernels->weights));
        const std::size_t places = passes::filter_count(sizes[c]);
        const auto got = running.buffer<float>(fmt::format("{}", d));
        ASSERT_EQ(got.size(), 2 * places);
        for (std::size_t p = 0; p < 2 * places; ++p) {
            std::vector<double> responses;
            for (std::uint32_t f = 0; f < kernels->filters; ++f)
                responses.push_back(
                    sums[(p / places * kernels->filters + f) * places + p % places].value);
            Matrix t{};
            std::size_t at = p / places * d * (d + 1) / 2 * places + p % places;
            for (std::uint32_t i = 0; i < d; ++i)
                for (std::uint32_t j = i; j < d; ++j, at += places)
                    t[i][j] = t[j][i] = static_cast<double>(tensors[c][at]);
            ASSERT_NEAR(static_cast<double>(got[p]), adapted(t, d, level, responses), 2e-4)
                << d << " dimensions, place " << p;
        }
    }
}

/// Where all detail may pass, the low pass and the rest are the source again.
TEST_F(FilterStructure, ThatLetsAllPassGivesTheSource) {
    const std::vector<FilterSize> sizes{{31, 22, 1, 1}, {11, 9, 10, 1}, {7, 6, 7, 5}};
    Graph g = graph();
    std::vector<std::vector<float>> sources;
    for (const FilterSize& size : sizes) {
        const std::uint32_t d = passes::kernel_dimensions(size);
        sources.push_back(random_numbers(passes::filter_count(size), d));
        g.output(fmt::format("{}", d),
                 g.add(FilterAdaptive{.source = numbers(g, "source", sources.back()),
                                      .method = d == 3 ? TensorMethod::quadrature
                                                       : TensorMethod::monomial,
                                      .size = vector_of(size),
                                      .kernel_size = vector_of(cube(d, d == 4 ? 3 : 5)),
                                      .frequency = 1.1f,
                                      .structure_frequency = 1.6f,
                                      .smoothing = glm::vec4(2.0f),
                                      .noise = 0.0f,
                                      .spread = {0.0f, 2.0f, 1.0f},
                                      .path = FilterPath::tiled})
                     .result);
    }
    Running running = run(std::move(g));
    for (std::size_t c = 0; c < sizes.size(); ++c)
        EXPECT_THAT(running.buffer<float>(fmt::format("{}", c + 2)),
                    testing::Pointwise(testing::FloatNear(2e-5f), sources[c]));
}

double distance_of(const std::vector<float>& a, const std::vector<float>& b) {
    double squares = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        squares += std::pow(static_cast<double>(a[i] - b[i]), 2);
    return std::sqrt(squares / static_cast<double>(a.size()));
}

/// Noisy rings come nearer to the clean ones than by the low pass alone, and than the noise left.
TEST_F(FilterStructure, DenoisesWithoutBlurring) {
    const std::uint32_t side = 96;
    std::vector<float> clean;
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const double r = std::hypot(i % side - 47.5, i / side - 47.5);
        clean.push_back(static_cast<float>(0.5 + 0.5 * std::cos(0.9 * r)));
    }
    std::vector<float> noisy = random_numbers(clean.size(), 11);
    for (std::size_t i = 0; i < noisy.size(); ++i)
        noisy[i] = clean[i] + 0.2f * noisy[i];
    Graph g = graph();
    const Buffer source = numbers(g, "noisy", noisy);
    const glm::uvec4 size(side, side, 1, 1);
    g.output("adaptive",
             g.add(FilterAdaptive{.source = source, .size = size, .noise = 0.2f}).result);
    g.output("low pass",
             g.add(FilterAdaptive{.source = source, .size = size, .noise = 1e6f}).result);
    Running running = run(std::move(g));
    const double adaptive = distance_of(running.buffer<float>("adaptive"), clean);
    const double low_pass = distance_of(running.buffer<float>("low pass"), clean);
    // Detail along one axis of two is 3/8 of the noise's power, the mean of cos^4.
    EXPECT_LT(adaptive, 0.66 * distance_of(noisy, clean));
    EXPECT_LT(adaptive, 0.5 * low_pass);
}

/// In four dimensions a direction is a smaller part of all, so more of the noise goes.
TEST_F(FilterStructure, DenoisesABeatingHeart) {
    const glm::uvec4 size(16, 14, 9, 6);
    Graph g = graph();
    const auto phantom = g.add(passes::FilterPhantom{.size = size, .noise = 0.12f});
    g.output("noisy", phantom.result);
    g.output("reference", phantom.reference);
    g.output("denoised", g.add(FilterAdaptive{.source = phantom.result,
                                              .size = size,
                                              .kernel_size = {5, 5, 3, 3},
                                              .structure_frequency = 1.2f,
                                              .noise = 0.12f,
                                              .strength = 2.0f,
                                              .path = FilterPath::tiled})
                             .result);
    Running running = run(std::move(g));
    const auto reference = running.buffer<float>("reference");
    const double before = distance_of(running.buffer<float>("noisy"), reference);
    EXPECT_NEAR(before, 0.12, 0.01);
    EXPECT_LT(distance_of(running.buffer<float>("denoised"), reference), 0.75 * before);
}

TEST_F(FilterStructure, ThatCannotBeIsRefused) {
    const auto structure = [&](FilterLocalStructure pass, std::size_t count = 256) {
        Graph g = graph();
        pass.source = numbers(g, "source", std::vector<float>(count));
        g.output("tensor", g.add(pass).tensor);
        return codes(std::move(g));
    };
    const glm::uvec4 size(16, 16, 1, 1);
    EXPECT_TRUE(structure({.size = size}).empty());
    EXPECT_THAT(structure({.size = size}, 255), ElementsAre("filter/too-short"));
    EXPECT_THAT(structure({.size = {16, 0, 1, 1}}), ElementsAre("filter/empty"));
    EXPECT_THAT(structure({.size = size, .kernel_size = {9, 1, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(structure({.size = size, .kernel_size = {9, 8, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(structure({.size = size, .frequency = 0.1f}), ElementsAre("filter/frequency"));
    EXPECT_THAT(structure({.size = {8, 32, 1, 1}, .border = FilterBorder::valid}),
                ElementsAre("filter/no-result"));
    EXPECT_THAT(
        structure({.method = TensorMethod::gradient, .size = size, .form = StructureForm::fused}),
        ElementsAre("filter/form"));
    const auto adaptive = [&](FilterAdaptive pass) {
        Graph g = graph();
        pass.source = numbers(g, "source", std::vector<float>(256));
        g.output("result", g.add(pass).result);
        return codes(std::move(g));
    };
    EXPECT_TRUE(adaptive({.size = size}).empty());
    EXPECT_THAT(adaptive({.method = TensorMethod::gradient, .size = size}),
                ElementsAre("pass/unknown-choice"));
    EXPECT_THAT(adaptive({.size = size, .border = FilterBorder::valid}),
                ElementsAre("filter/no-border"));
    EXPECT_THAT(adaptive({.size = size, .spread = {1.0f, 2.0f, 1.0f}}),
                ElementsAre("pass/out-of-range"));
    EXPECT_THAT(adaptive({.size = {17, 16, 1, 1}}), ElementsAre("filter/too-short"));
}

} // namespace
} // namespace tuff
