#include "tests/gpu/filter/convolve_fixture.hpp"

#include <algorithm>
#include <memory>

/// Convolution in slabs, by one-dimensional passes, and by even and odd kernels.
namespace tuff {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterPath;
using passes::FilterProblem;
using testing_gpu::ArrayShape;
using testing_gpu::Floats;
using testing_gpu::gaussian;
using testing_gpu::kEveryBorder;
using testing_gpu::random_numbers;
using testing_gpu::random_problem;
using testing_gpu::random_source;
using testing_gpu::random_whole;

class ConvolveForms : public testing_gpu::ConvolveTest {};

TEST_F(ConvolveForms, SlabsAreTheWholeToTheBit) {
    const std::vector<ArrayShape> shapes{{{17, 6, 5, 7}, {3, 3, 3, 5}},
                                         {{33, 9, 8, 1}, {3, 3, 5, 1}}};
    for (const auto& [size, kernel_size] : shapes)
        for (const FilterBorder border : kEveryBorder)
            for (const FilterPath path : {FilterPath::tiled, FilterPath::plain}) {
                if (path == FilterPath::plain && border != FilterBorder::wrap) continue;
                if (size[3] == 1 && border != FilterBorder::mirror) continue;
                FilterProblem problem = random_problem(size, kernel_size, border);
                problem.batch = 2;
                problem.filters = 2;
                problem.weights = random_numbers(2 * filter_count(kernel_size), 9);
                const Floats source = random_source(problem);
                auto whole = std::make_shared<Floats>();
                solve(problem, source, {.path = path, .slabs = 1},
                      [=](const Floats& got) { *whole = got; });
                for (const std::uint32_t slabs : {2u, 3u})
                    solve(problem, source, {.path = path, .slabs = slabs}, [=](const Floats& got) {
                        ASSERT_FALSE(got.empty());
                        EXPECT_EQ(got, *whole)
                            << slabs << " slabs, border " << static_cast<int>(border);
                    });
            }
    run_batch();
}

/// A device that binds so little that it takes slabs, then such of one slice, then such along the
/// axis before the outermost one, whose slices with their halo are too large.
TEST_F(ConvolveForms, WhatTheDeviceCannotBindIsCutIntoSlabs) {
    for (const std::uint64_t bytes : {20'000u, 12'000u, 10'000u}) {
        DeviceCaps caps = device().caps();
        caps.max_storage_buffer_bytes = bytes;
        batch().set_target(caps);
        const FilterProblem problem = random_problem({21, 20, 30, 1}, {3, 3, 7, 1});
        ASSERT_GT(passes::filter_count(problem.size) * 4, bytes);
        expect_reference(problem, FilterPath::tiled);
        expect_reference(problem, FilterPath::automatic);
    }
    run_batch();
}

/// A Gaussian by its weights and by three one-dimensional passes.
TEST_F(ConvolveForms, SeparablePassesAreTheReference) {
    const std::vector<ArrayShape> shapes{{{131, 67, 1, 1}, {9, 9, 1, 1}},
                                         {{33, 17, 9, 1}, {5, 7, 3, 1}},
                                         {{1, 16, 9, 5}, {1, 3, 5, 3}}};
    for (const FilterBorder border : borders())
        for (const auto& [size, kernel_size] : shapes) {
            const FilterProblem problem{.size = size,
                                        .kernel_size = kernel_size,
                                        .border = border,
                                        .weights = gaussian(kernel_size, 1.3)};
            expect_reference(problem, random_source(problem), {.path = FilterPath::separable},
                             2e-6);
        }
    FilterProblem several{.size = {33, 17, 1, 1},
                          .batch = 2,
                          .kernel_size = {5, 5, 1, 1},
                          .filters = 2,
                          .weights = gaussian({5, 5, 1, 1}, 1.0)};
    for (int y = 0; y < 5; ++y) // and one that is neither even nor odd
        for (int x = 0; x < 5; ++x)
            several.weights.push_back(static_cast<float>((x + 1) * (3 - y)));
    expect_reference(several, random_source(several), {.path = FilterPath::separable}, 2e-6);
    // Longer than tiles take where they are the fastest.
    const FilterProblem row{.size = {300, 2, 1, 1},
                            .kernel_size = {101, 1, 1, 1},
                            .weights = gaussian({101, 1, 1, 1}, 20.0)};
    expect_reference(row, random_source(row), {.path = FilterPath::separable}, 2e-6);
    run_batch();
}

TEST_F(ConvolveForms, SeparablePassesAreTheReferenceInTheShapesOfGpus) {
    as_for_gpus();
    FilterProblem problem{
        .size = {33, 17, 9, 1}, .kernel_size = {5, 7, 3, 1}, .border = FilterBorder::valid};
    problem.weights = gaussian(problem.kernel_size, 1.3);
    expect_reference(problem, random_source(problem), {.path = FilterPath::separable}, 2e-6);
    run_batch();
}

/// Kernels that are even or odd, several of a kind, take half the products: eight even ones and
/// three odd ones between them.
TEST_F(ConvolveForms, EvenAndOddKernelsAreTheReference) {
    const auto folded_nodes = [&] {
        const GraphDesc& desc = batch().peek();
        return std::ranges::count_if(desc.nodes, [&](const NodeDesc& node) {
            return desc.name(node.name).ends_with("folded");
        });
    };
    const auto expect_folded = [&](const ArrayShape& shape, FilterBorder border, bool correlate) {
        FilterProblem problem = random_problem(shape.size, shape.kernel_size, border);
        problem.correlate = correlate;
        problem.batch = 2;
        problem.filters = 11;
        const std::uint64_t taps = filter_count(shape.kernel_size);
        problem.weights = random_whole(taps * problem.filters, -9, 9, 5);
        for (std::uint32_t filter = 0; filter < problem.filters; ++filter) {
            const bool odd = filter % 4 == 1;
            float* weights = problem.weights.data() + filter * taps;
            for (std::uint64_t i = 0; i < taps / 2; ++i)
                weights[taps - 1 - i] = odd ? -weights[i] : weights[i];
            if (odd) weights[taps / 2] = 0.0f;
        }
        const auto before = folded_nodes();
        expect_reference(problem, random_whole(2 * filter_count(shape.size), 0, 99, 3), {}, 0.0);
        EXPECT_EQ(folded_nodes() - before, 3); // six even ones, two, three odd ones
    };
    const ArrayShape plane{{67, 35, 1, 1}, {5, 3, 1, 1}};
    for (const FilterBorder border : borders())
        expect_folded(plane, border, border == FilterBorder::clamp);
    expect_folded({{20, 9, 7, 1}, {3, 5, 3, 1}}, FilterBorder::zero, false);
    expect_folded({{20, 9, 7, 1}, {1, 5, 3, 1}}, FilterBorder::mirror, false);
    expect_folded({{11, 7, 5, 4}, {3, 3, 3, 3}}, FilterBorder::wrap, true);
    run_batch();
}

TEST_F(ConvolveForms, EvenAndOddKernelsAreTheReferenceInTheShapesOfGpus) {
    as_for_gpus();
    FilterProblem problem = random_problem({70, 35, 1, 1}, {9, 9, 1, 1}, FilterBorder::mirror);
    problem.batch = 100;
    problem.filters = 3;
    problem.weights = random_numbers(3 * 81, 5);
    for (std::size_t filter = 0; filter < 3; ++filter)
        for (std::size_t i = 0; i < 40; ++i)
            problem.weights[filter * 81 + 80 - i] = problem.weights[filter * 81 + i];
    expect_reference(problem, random_source(problem), {});
    run_batch();
}

} // namespace
} // namespace tuff
