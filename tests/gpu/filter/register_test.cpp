#include "passes/filter/register.hpp"
#include "passes/filter/warp.hpp"
#include "tests/gpu/filter/array_fixture.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <functional>

/// Registration recovers displacements that are known; deformations are exact where they can be.
namespace tuff {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterRegister;
using passes::FilterSize;
using passes::FilterWarp;
using testing_gpu::FilterNumbers;
using testing_gpu::unit_numbers;

using Point = std::array<double, 3>;

glm::uvec4 register_uvec4(const FilterSize& size) {
    return {size[0], size[1], size[2], size[3]};
}

/// A sum of waves in all directions, of wavelengths from 9 to 30 numbers.
double wave_texture(const Point& p, bool volume) {
    double sum = 0.0;
    for (int i = 0; i < 14; ++i) {
        const double turn = 2.399963 * i;
        const double rise = volume ? std::fmod(0.6180339887 * i, 1.0) * 2.0 - 1.0 : 0.0;
        const double flat = std::sqrt(1.0 - rise * rise);
        const double along =
            p[0] * std::cos(turn) * flat + p[1] * std::sin(turn) * flat + p[2] * rise;
        sum += std::sin(2.0 * 3.14159265 * along / (9.0 + 1.5 * i) + 1.7 * i * i);
    }
    return sum / 6.0;
}

using Displacement = std::function<Point(const Point&)>;

FilterNumbers sampled_texture(const FilterSize& size, const Displacement& moved) {
    FilterNumbers values;
    for (std::uint32_t z = 0; z < size[2]; ++z)
        for (std::uint32_t y = 0; y < size[1]; ++y)
            for (std::uint32_t x = 0; x < size[0]; ++x) {
                Point p{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                const Point by = moved(p);
                for (std::size_t a = 0; a < 3; ++a)
                    p[a] += by[a];
                values.push_back(static_cast<float>(wave_texture(p, size[2] > 1)));
            }
    return values;
}

/// Mean and greatest distance of displacements from what they should be, but for a frame of
/// `frame` numbers.
struct EndpointError {
    double mean = 0.0;
    double most = 0.0;
};
EndpointError endpoint_error(const FilterNumbers& field, const FilterSize& size,
                             const Displacement& moved, std::uint32_t frame) {
    EndpointError error;
    std::size_t counted = 0;
    const std::size_t one = filter_count(size);
    const std::size_t axes = size[2] > 1 ? 3 : 2;
    for (std::size_t i = 0; i < one; ++i) {
        const std::array<std::size_t, 3> at{i % size[0], i / size[0] % size[1],
                                            i / size[0] / size[1]};
        bool inside = true;
        for (std::size_t a = 0; a < axes; ++a)
            inside = inside && at[a] >= frame && at[a] + frame < size[a];
        if (!inside) continue;
        const Point should = moved(
            {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
        double squares = 0.0;
        for (std::size_t a = 0; a < axes; ++a)
            squares += std::pow(static_cast<double>(field[a * one + i]) - should[a], 2.0);
        error.mean += std::sqrt(squares);
        error.most = std::max(error.most, std::sqrt(squares));
        ++counted;
    }
    error.mean /= static_cast<double>(counted);
    return error;
}

class FilterRegisterTest : public testing_gpu::FilterArrayTest {
  protected:
    void expect_found(const FilterSize& size, const Displacement& moved, double mean_bound,
                      std::uint32_t kernel_size = 9) {
        const FilterRegister pass{
            .fixed = numbers(sampled_texture(size, moved)),
            .moving = numbers(sampled_texture(size, [](const Point&) { return Point{}; })),
            .size = register_uvec4(size),
            .levels = size[2] > 1 ? 2u : 3u,
            .iterations = size[2] > 1 ? 8u : 6u,
            .kernel_size = kernel_size};
        const auto added = batch().add(pass);
        expect(added.field, [=](const FilterNumbers& field) {
            ASSERT_EQ(field.size(), filter_count(size) * (size[2] > 1 ? 3 : 2));
            const EndpointError all = endpoint_error(field, size, moved, 0);
            const EndpointError inside = endpoint_error(field, size, moved, 4);
            RecordProperty("mean", std::to_string(all.mean));
            EXPECT_LT(all.mean, mean_bound)
                << "inside " << inside.mean << ", at most " << inside.most;
            EXPECT_LT(inside.mean, all.mean + 0.02);
        });
    }
};

Displacement moved_by(Point by) {
    return [by](const Point&) { return by; };
}

// A translation, of up to what the coarsest level can see, and a smooth field; mean endpoint error
// below 0.3 numbers, over all numbers, those at the border that lie beyond the other included.
TEST_F(FilterRegisterTest, FindsATranslationOfAnImage) {
    TUFF_ONLY_ON(lavapipe);
    expect_found({79, 64, 1, 1}, moved_by({4.0, -3.0, 0.0}), 0.3);
    run_batch();
}

TEST_F(FilterRegisterTest, FindsASmoothFieldOfAnImage) {
    expect_found(
        {79, 64, 1, 1},
        [](const Point& p) {
            return Point{2.0 * std::sin(p[1] * 0.08) + 1.0, 1.5 * std::cos(p[0] * 0.06), 0.0};
        },
        0.3);
    run_batch();
}

TEST_F(FilterRegisterTest, FindsFieldsOfVolumes) {
    TUFF_ONLY_ON(lavapipe);
    expect_found(
        {28, 26, 24, 1},
        [](const Point& p) {
            return Point{1.0 + 1.2 * std::sin(p[1] * 0.12), -1.0 + 0.7 * std::cos(p[2] * 0.11),
                         -1.0 * std::sin(p[0] * 0.1)};
        },
        0.3, 5);
    run_batch();
}

TEST_F(FilterRegisterTest, LeavesWhatIsAlikeAlone) {
    for (const FilterSize& size : {FilterSize{37, 30, 1, 1}, FilterSize{14, 13, 11, 1}}) {
        const FilterNumbers values = sampled_texture(size, moved_by({}));
        const auto added = batch().add(FilterRegister{.fixed = numbers(values),
                                                      .moving = numbers(values),
                                                      .size = register_uvec4(size),
                                                      .levels = size[2] > 1 ? 2u : 3u,
                                                      .iterations = 2,
                                                      .kernel_size = 5});
        expect(added.field, [](const FilterNumbers& field) {
            for (const float moved : field)
                ASSERT_NEAR(moved, 0.0f, 1e-5f);
        });
        expect(added.result, [=](const FilterNumbers& result) {
            for (std::size_t i = 0; i < result.size(); ++i)
                ASSERT_NEAR(result[i], values[i], 1e-4f);
        });
        // Nothing to see: nothing moves, and nothing is divided by zero.
        const auto flat =
            batch().add(FilterRegister{.fixed = numbers(FilterNumbers(values.size())),
                                       .moving = numbers(FilterNumbers(values.size())),
                                       .size = register_uvec4(size),
                                       .levels = size[2] > 1 ? 2u : 3u,
                                       .iterations = 1,
                                       .kernel_size = 5});
        expect(flat.field, [](const FilterNumbers& field) {
            for (const float moved : field)
                ASSERT_EQ(moved, 0.0f);
        });
    }
    run_batch();
}

// Moves by whole numbers are copies; a field of halves of a ramp is exact, too.
TEST_F(FilterRegisterTest, WarpsExactlyWhereNothingIsRounded) {
    const FilterSize size{23, 14, 7, 1};
    const std::size_t one = filter_count(size);
    const FilterNumbers values = unit_numbers(2 * one, 3);
    FilterNumbers whole(3 * one);
    std::fill_n(whole.begin(), one, 2.0f);
    std::fill_n(whole.begin() + static_cast<std::ptrdiff_t>(one), one, -1.0f);
    std::fill_n(whole.begin() + static_cast<std::ptrdiff_t>(2 * one), one, 3.0f);
    whole[5] = std::nanf("");
    for (const FilterBorder border :
         {FilterBorder::zero, FilterBorder::clamp, FilterBorder::mirror, FilterBorder::wrap}) {
        const passes::FilterProblem problem{
            .size = size, .batch = 2, .kernel_size = {5, 3, 7, 1}, .border = border};
        expect(batch()
                   .add(FilterWarp{.source = numbers(values),
                                   .field = numbers(whole),
                                   .size = register_uvec4(size),
                                   .batch = 2,
                                   .border = border})
                   .result,
               [=](const FilterNumbers& got) {
                   ASSERT_EQ(got.size(), values.size());
                   for (std::size_t i = 0; i < got.size(); ++i) {
                       // Of 5 x 3 x 7 neighbours the one at (2, -1, 3); x is not moved at number 5.
                       const std::size_t x = i % one == 5 ? 2 : 4;
                       ASSERT_EQ(got[i],
                                 testing_gpu::neighbours(problem, values, i)[(6 * 3 + 0) * 5 + x])
                           << i;
                   }
               });
    }
    FilterNumbers ramp;
    for (std::uint32_t i = 0; i < 400; ++i)
        ramp.push_back(static_cast<float>(i % 20 + 100 * (i / 20)));
    expect(batch()
               .add(FilterWarp{.source = numbers(ramp),
                               .field = numbers(FilterNumbers(800, 0.5f)),
                               .size = {20, 20, 1, 1}})
               .result,
           [=](const FilterNumbers& got) {
               for (std::size_t y = 0; y < 19; ++y)
                   for (std::size_t x = 0; x < 19; ++x)
                       ASSERT_EQ(got[y * 20 + x], ramp[y * 20 + x] + 50.5f);
           });
    run_batch();
}

TEST_F(FilterRegisterTest, SaysWhatIsWrong) {
    using Codes = std::vector<std::string>;
    const auto code_of = [this](const std::function<void(FilterRegister&)>& change) {
        return codes([&](Graph& g) {
            FilterRegister pass{.fixed = numbers(g, "fixed", FilterNumbers(600)),
                                .moving = numbers(g, "moving", FilterNumbers(500)),
                                .size = {20, 20, 1, 1}};
            change(pass);
            return g.add(pass).field;
        });
    };
    EXPECT_EQ(code_of([](auto&) {}), Codes{});
    EXPECT_EQ(code_of([](auto& p) { p.size = {600, 1, 1, 1}; }), Codes{"filter/too-short"});
    EXPECT_EQ(code_of([](auto& p) { p.size = {500, 1, 1, 1}; }), Codes{"filter/axes"});
    EXPECT_EQ(code_of([](auto& p) { p.size = {5, 5, 5, 2}; }), Codes{"filter/axes"});
    EXPECT_EQ(code_of([](auto& p) { p.size = {30, 30, 1, 1}; }), Codes{"filter/too-short"});
    EXPECT_EQ(code_of([](auto& p) { p.kernel_size = 8; }), Codes{"filter/kernel-size"});
    const auto warp_code = [this](glm::uvec4 size, FilterBorder border) {
        return codes([&](Graph& g) {
            return g
                .add(FilterWarp{.source = numbers(g, "source", FilterNumbers(400)),
                                .field = numbers(g, "field", FilterNumbers(800)),
                                .size = size,
                                .border = border})
                .result;
        });
    };
    EXPECT_EQ(warp_code({20, 20, 1, 1}, FilterBorder::clamp), Codes{});
    EXPECT_EQ(warp_code({10, 10, 4, 1}, FilterBorder::clamp), Codes{"filter/too-short"});
    EXPECT_EQ(warp_code({10, 10, 1, 4}, FilterBorder::clamp), Codes{"filter/axes"});
    EXPECT_EQ(warp_code({20, 20, 1, 1}, FilterBorder::valid), Codes{"filter/no-border"});
}

} // namespace
} // namespace tuff
