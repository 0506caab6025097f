#include "passes/image/box_filter.hpp"
#include "passes/primitives/image_mean.hpp"
#include "passes/primitives/summed_area_table.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace tuff {
namespace {

using passes::BoxFilter;
using passes::ImageMean;
using passes::SummedArea;
using passes::SummedAreaForm;
using passes::SummedAreaTable;
using passes::SumPrecision;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::array kPrecisions{SumPrecision::plain, SumPrecision::offset, SumPrecision::centre,
                                 SumPrecision::offset_centre};
constexpr std::array kForms{SummedAreaForm::automatic, SummedAreaForm::doubling};

std::string_view name_of(SumPrecision precision) {
    return ChoiceNames<SumPrecision>::names[static_cast<std::size_t>(precision)];
}
std::string_view name_of(SummedAreaForm form) {
    return ChoiceNames<SummedAreaForm>::names[static_cast<std::size_t>(form)];
}

/// Numbers on a grid of one to three dimensions, in double precision.
struct Field {
    int width = 1;
    int height = 1;
    int depth = 1;
    std::vector<double> values;

    Field(int w, int h, int d = 1)
        : width(w), height(h), depth(d),
          values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) *
                 static_cast<std::size_t>(d)) {}
    std::size_t index(int x, int y, int z = 0) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(height) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    }
    double& at(int x, int y, int z = 0) { return values[index(x, y, z)]; }
    double at(int x, int y, int z = 0) const { return values[index(x, y, z)]; }
    double mean() const {
        double sum = 0.0;
        for (double v : values)
            sum += v;
        return sum / static_cast<double>(values.size());
    }
};

/// The field without its mean.
Field without_mean(Field field) {
    const double mean = field.mean();
    for (double& value : field.values)
        value -= mean;
    return field;
}

/// S(x, y, z): the sum over the texels from the origin to this one, on its side of it.
Field summed(const Field& field, glm::ivec3 origin) {
    Field sums = field;
    for (int axis = 0; axis < 3; ++axis) {
        const int line = axis == 0 ? field.width : (axis == 1 ? field.height : field.depth);
        for (int z = 0; z < field.depth; ++z)
            for (int y = 0; y < field.height; ++y)
                for (int x = 0; x < field.width; ++x) {
                    glm::ivec3 place{x, y, z};
                    if (place[axis] != 0) continue;
                    const auto add = [&](int from, int to, int step) {
                        double sum = 0.0;
                        for (int i = from; i != to; i += step) {
                            place[axis] = i;
                            sum += sums.at(place.x, place.y, place.z);
                            sums.at(place.x, place.y, place.z) = sum;
                        }
                    };
                    add(origin[axis], line, 1);
                    add(origin[axis] - 1, -1, -1);
                }
    }
    return sums;
}

/// The mean over the box around each texel, clipped at the edges.
Field box_means(const Field& field, glm::ivec3 radius) {
    const Field sums = summed(field, glm::ivec3(0));
    const auto corner = [&](int x, int y, int z) {
        return x == 0 || y == 0 || z == 0 ? 0.0 : sums.at(x - 1, y - 1, z - 1);
    };
    Field means(field.width, field.height, field.depth);
    for (int z = 0; z < field.depth; ++z)
        for (int y = 0; y < field.height; ++y)
            for (int x = 0; x < field.width; ++x) {
                const int x0 = std::max(x - radius.x, 0);
                const int x1 = std::min(x + radius.x + 1, field.width);
                const int y0 = std::max(y - radius.y, 0);
                const int y1 = std::min(y + radius.y + 1, field.height);
                const int z0 = std::max(z - radius.z, 0);
                const int z1 = std::min(z + radius.z + 1, field.depth);
                const auto face = [&](int top) {
                    return corner(x1, y1, top) - corner(x0, y1, top) - corner(x1, y0, top) +
                           corner(x0, y0, top);
                };
                means.at(x, y, z) =
                    (face(z1) - face(z0)) / static_cast<double>((x1 - x0) * (y1 - y0) * (z1 - z0));
            }
    return means;
}

double rms(std::span<const float> values, const Field& expected) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += (values[i] - expected.values[i]) * (values[i] - expected.values[i]);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// A smooth pattern with noise, in [0, 1].
Field pattern(int width, int height, int depth, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-0.15, 0.15);
    Field field(width, height, depth);
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                field.at(x, y, z) = static_cast<float>(std::clamp(
                    0.5 + 0.3 * std::sin(x * 0.05 + z) * std::cos(y * 0.07) + noise(random), 0.0,
                    1.0));
    return field;
}

class SummedAreaTest : public testing_gpu::GpuTest {
  protected:
    Image image_of(Graph& g, std::string_view name, const Field& field) {
        const std::vector<float> texels(field.values.begin(), field.values.end());
        const bool volume = field.depth > 1;
        return g.constant_image(name,
                                {.format = Format::r32_sfloat,
                                 .extent = {static_cast<std::uint32_t>(field.width),
                                            static_cast<std::uint32_t>(field.height),
                                            static_cast<std::uint32_t>(field.depth)},
                                 .shape = volume ? ImageShape::d3 : ImageShape::d2},
                                bytes_of(texels));
    }
    /// All four channels: the field, its negative, half of it, and one.
    Image rgba_of(Graph& g, std::string_view name, const Field& field) {
        std::vector<float> texels;
        for (double v : field.values) {
            const auto value = static_cast<float>(v);
            texels.insert(texels.end(), {value, -value, 0.5f * value, 1.0f});
        }
        return g.constant_image(name,
                                {.format = Format::rgba32_sfloat,
                                 .extent = {static_cast<std::uint32_t>(field.width),
                                            static_cast<std::uint32_t>(field.height),
                                            static_cast<std::uint32_t>(field.depth)},
                                 .shape = field.depth > 1 ? ImageShape::d3 : ImageShape::d2},
                                bytes_of(texels));
    }
    /// The texels of an image of any shape, by way of a buffer.
    Buffer texels_of(Graph& g, Image image) {
        const ImageDesc& desc = g.desc(image);
        const std::uint64_t bytes = std::uint64_t{desc.extent.width} * desc.extent.height *
                                    desc.extent.depth * info(desc.format).texel_bytes;
        return g.copy_to_buffer(image, g.buffer("texels", {.size = bytes, .stride = 4}));
    }
};

/// A sum of n terms in any order is off by no more than n * 2^-24 * sum |terms|; tables add up rows
/// and columns, so that n is at most width + height + depth, and some more for the carries.
double table_bound(const Field& field, double largest) {
    const double terms = field.width + field.height + field.depth + 64.0;
    return terms * 0x1p-24 * largest * static_cast<double>(field.values.size()) + 1e-7;
}

TEST_F(SummedAreaTest, TheTableIsTheSumFromTheOriginForAnySize) {
    TUFF_ONLY_ON(lavapipe);
    constexpr std::array<std::array<int, 2>, 10> kSizes{{{1, 1},
                                                         {2, 1},
                                                         {1, 5},
                                                         {31, 33},
                                                         {64, 64},
                                                         {65, 37},
                                                         {200, 3},
                                                         {3, 129},
                                                         {128, 96},
                                                         {257, 130}}};
    for (const bool rgba : {false, true}) {
        Graph g = graph();
        struct Case {
            Field field;
            SumPrecision precision;
            SummedArea table;
            std::string name;
        };
        std::vector<Case> cases;
        std::uint32_t seed = 0;
        for (const auto& [width, height] : kSizes) {
            const Field field = pattern(width, height, 1, ++seed);
            const Image source = rgba ? rgba_of(g, fmt::format("{}", seed), field)
                                      : image_of(g, fmt::format("{}", seed), field);
            for (SumPrecision precision : kPrecisions)
                for (SummedAreaForm form : kForms) {
                    const std::string name = fmt::format("{}x{} {} {}", width, height,
                                                         name_of(precision), name_of(form));
                    const SummedArea table =
                        g.add(SummedAreaTable{
                                  .source = source, .precision = precision, .form = form})
                            .table;
                    g.output(name, texels_of(g, table.sums));
                    cases.push_back({field, precision, table, name});
                }
        }
        Running running = run(std::move(g));
        for (const Case& c : cases) {
            const auto values = running.buffer<float>(c.name);
            const std::size_t channels = rgba ? 4 : 1;
            ASSERT_EQ(values.size(), c.field.values.size() * channels) << c.name;
            const bool centred =
                c.precision == SumPrecision::centre || c.precision == SumPrecision::offset_centre;
            EXPECT_EQ(c.table.origin, centred ? glm::ivec3(c.field.width / 2, c.field.height / 2, 0)
                                              : glm::ivec3(0));
            Field taken = c.field;
            if (c.precision == SumPrecision::offset || c.precision == SumPrecision::offset_centre)
                taken = without_mean(taken);
            const Field expected = summed(taken, c.table.origin);
            const double bound = table_bound(c.field, 1.0);
            for (std::size_t i = 0; i < expected.values.size(); ++i) {
                ASSERT_NEAR(values[i * channels], expected.values[i], bound) << c.name << ", " << i;
                if (!rgba) continue;
                ASSERT_NEAR(values[i * channels + 1], -expected.values[i], bound) << c.name;
                ASSERT_NEAR(values[i * channels + 2], 0.5 * expected.values[i], bound) << c.name;
            }
        }
    }
}

TEST_F(SummedAreaTest, VolumesAreSummedInThreeDimensions) {
    constexpr std::array<std::array<int, 3>, 4> kSizes{
        {{2, 3, 4}, {17, 9, 5}, {64, 33, 2}, {5, 70, 31}}};
    Graph g = graph();
    struct Case {
        Field field;
        SumPrecision precision;
        SummedArea table;
        std::string name;
    };
    std::vector<Case> cases;
    std::uint32_t seed = 0;
    for (const auto& [width, height, depth] : kSizes) {
        const Field field = pattern(width, height, depth, ++seed);
        const Image source = image_of(g, fmt::format("{}", seed), field);
        for (SumPrecision precision : kPrecisions)
            for (SummedAreaForm form : kForms) {
                const std::string name = fmt::format("{}x{}x{} {} {}", width, height, depth,
                                                     name_of(precision), name_of(form));
                const SummedArea table =
                    g.add(SummedAreaTable{.source = source, .precision = precision, .form = form})
                        .table;
                g.output(name, texels_of(g, table.sums));
                cases.push_back({field, precision, table, name});
            }
    }
    Running running = run(std::move(g));
    for (const Case& c : cases) {
        const auto values = running.buffer<float>(c.name);
        ASSERT_EQ(values.size(), c.field.values.size()) << c.name;
        Field taken = c.field;
        if (c.precision == SumPrecision::offset || c.precision == SumPrecision::offset_centre)
            taken = without_mean(taken);
        const Field expected = summed(taken, c.table.origin);
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], expected.values[i], table_bound(c.field, 1.0))
                << c.name << ", " << i;
    }
}

TEST_F(SummedAreaTest, DoublingTakesTheLecturesNumberOfPasses) {
    const auto nodes = [&](std::uint32_t reads) {
        Graph g = graph();
        const Image source =
            g.image("source", {.format = Format::r32_sfloat, .extent = {256, 256}});
        const std::size_t before = g.peek().nodes.size();
        g.add(SummedAreaTable{.source = source, .form = SummedAreaForm::doubling, .reads = reads});
        return g.peek().nodes.size() - before;
    };
    EXPECT_EQ(nodes(2), 16u);
    EXPECT_EQ(nodes(4), 8u);
    EXPECT_EQ(nodes(16), 4u);
}

TEST_F(SummedAreaTest, MoreReadsAPassGiveTheSameTable) {
    const Field field = pattern(65, 37, 1, 3);
    const Field expected = summed(field, glm::ivec3(0));
    Graph g = graph();
    const Image source = image_of(g, "source", field);
    for (std::uint32_t reads = 2; reads <= 16; ++reads)
        g.output(fmt::format("{}", reads),
                 texels_of(g, g.add(SummedAreaTable{.source = source,
                                                    .form = SummedAreaForm::doubling,
                                                    .reads = reads})
                                  .table.sums));
    Running running = run(std::move(g));
    for (std::uint32_t reads = 2; reads <= 16; ++reads) {
        const auto values = running.buffer<float>(fmt::format("{}", reads));
        ASSERT_EQ(values.size(), expected.values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], expected.values[i], table_bound(field, 1.0)) << reads;
    }
}

/// Boxes of all sizes with corners anywhere: low x and y, high x and y. The first are empty, one
/// texel, and everything.
std::vector<glm::ivec4> random_boxes(int count, int width, int height) {
    std::mt19937 random(21);
    std::vector<glm::ivec4> boxes{{5, 5, 5, 9}, {7, 3, 8, 4}, {0, 0, width, height}};
    const auto pair = [&](int size) {
        const auto end = static_cast<std::uint32_t>(size) + 1;
        const auto a = static_cast<int>(static_cast<std::uint32_t>(random()) % end);
        const auto b = static_cast<int>(static_cast<std::uint32_t>(random()) % end);
        return std::minmax({a, b});
    };
    while (boxes.size() < static_cast<std::size_t>(count)) {
        const auto [x0, x1] = pair(width);
        const auto [y0, y1] = pair(height);
        boxes.emplace_back(x0, y0, x1, y1);
    }
    return boxes;
}

double box_sum_of(const Field& sums, glm::ivec4 box) {
    const auto corner = [&](int x, int y) {
        return x == 0 || y == 0 ? 0.0 : sums.at(x - 1, y - 1);
    };
    return corner(box.z, box.w) - corner(box.x, box.w) - corner(box.z, box.y) +
           corner(box.x, box.y);
}

// By the lookup that passes use, on the device.
TEST_F(SummedAreaTest, TenThousandRandomBoxesHaveTheSumsOfDoublePrecision) {
    constexpr int kBoxes = 10'000;
    constexpr int kWide = 333;
    constexpr int kHigh = 217;
    // A table's number has come through so many roundings: of a scan along each axis, and carries.
    constexpr double kRoundings = 24.0;
    const std::vector<glm::ivec4> boxes = random_boxes(kBoxes, kWide, kHigh);
    const Field field = pattern(kWide, kHigh, 1, 13);
    std::mt19937 random(14);
    std::vector<std::uint8_t> texels(std::size_t{kWide} * kHigh * 4);
    Field bytes(kWide, kHigh);
    for (std::size_t i = 0; i < texels.size(); ++i) {
        texels[i] = static_cast<std::uint8_t>(random() & 0xffu);
        if (i % 4 == 0) bytes.values[i / 4] = texels[i];
    }
    const Field exact = summed(field, glm::ivec3(0));
    const Field exact_bytes = summed(bytes, glm::ivec3(0));

    for (const SummedAreaForm form : kForms) {
        Graph g = graph();
        const Image numbers = image_of(g, "numbers", field);
        const Image whole = g.constant_image(
            "bytes", {.format = Format::rgba8_unorm, .extent = {kWide, kHigh}}, bytes_of(texels));
        const auto list = bytes_of(boxes);
        const Buffer places =
            g.constant_buffer("boxes", {.size = list->size(), .stride = 16}, list);
        const SummedArea integers = g.add(SummedAreaTable{.source = whole,
                                                          .precision = SumPrecision::integers,
                                                          .form = form},
                                          "integers")
                                        .table;
        const auto look_up = [&](std::string_view name, const SummedArea& table, bool is_whole) {
            ComputeNodeBuilder node = g.compute("test/summed_area_boxes", name);
            node.read("boxes", places);
            node.read("mean", table.mean);
            node.set("origin", glm::ivec2(table.origin));
            node.set("count", std::uint32_t{kBoxes});
            node.set("whole", std::uint32_t(is_whole));
            node.read("whole_sums", integers.sums, Sampler::nearest());
            return node;
        };
        std::array<glm::ivec3, kPrecisions.size()> origins;
        Image any;
        for (std::size_t i = 0; i < kPrecisions.size(); ++i) {
            const SummedArea table =
                g.add(SummedAreaTable{.source = numbers, .precision = kPrecisions[i], .form = form},
                      name_of(kPrecisions[i]))
                    .table;
            any = table.sums;
            origins[i] = table.origin;
            const std::string name = fmt::format("{} boxes", name_of(kPrecisions[i]));
            ComputeNodeBuilder node = look_up(name, table, false);
            node.read("sums", table.sums, Sampler::nearest());
            g.output(name,
                     node.write("result", g.buffer(name, {.size = kBoxes * 16ull, .stride = 16})));
            node.dispatch_each(kBoxes);
        }
        ComputeNodeBuilder node = look_up("integer boxes", integers, true);
        node.read("sums", any, Sampler::nearest());
        g.output("integer boxes",
                 node.write("result", g.buffer("integer", {.size = kBoxes * 16ull, .stride = 16})));
        node.dispatch_each(kBoxes);

        Running running = run(std::move(g));
        for (std::size_t i = 0; i < kPrecisions.size(); ++i) {
            const auto got =
                running.buffer<glm::vec4>(fmt::format("{} boxes", name_of(kPrecisions[i])));
            ASSERT_EQ(got.size(), boxes.size());
            const bool offset = kPrecisions[i] == SumPrecision::offset ||
                                kPrecisions[i] == SumPrecision::offset_centre;
            const Field less = offset ? without_mean(field) : field;
            double largest = 0.0;
            for (const double sum : summed(less, origins[i]).values)
                largest = std::max(largest, std::abs(sum));
            for (std::size_t k = 0; k < boxes.size(); ++k) {
                const double sum = box_sum_of(exact, boxes[k]);
                ASSERT_NEAR(got[k].x, sum, 4 * kRoundings * 0x1p-24 * largest + 0x1p-22 * sum)
                    << name_of(kPrecisions[i]) << ", " << name_of(form) << ", box " << k;
            }
        }
        const auto got = running.buffer<glm::uvec4>("integer boxes");
        ASSERT_EQ(got.size(), boxes.size());
        for (std::size_t k = 0; k < boxes.size(); ++k)
            ASSERT_EQ(got[k].x, box_sum_of(exact_bytes, boxes[k])) << name_of(form) << " " << k;
    }
}

TEST_F(SummedAreaTest, WholeNumbersAreExactForRandomTexels) {
    constexpr std::uint32_t kWidth = 333;
    constexpr std::uint32_t kHeight = 217;
    std::mt19937 random(11);
    std::vector<std::uint8_t> texels(kWidth * kHeight * 4);
    for (std::uint8_t& t : texels)
        t = static_cast<std::uint8_t>(random() & 0xffu);
    for (SummedAreaForm form : kForms) {
        Graph g = graph();
        const Image source =
            g.constant_image("source", {.format = Format::rgba8_unorm, .extent = {kWidth, kHeight}},
                             bytes_of(texels));
        g.output("sums", texels_of(g, g.add(SummedAreaTable{.source = source,
                                                            .precision = SumPrecision::integers,
                                                            .form = form})
                                          .table.sums));
        const auto sums = run(std::move(g)).buffer<std::uint32_t>("sums");
        ASSERT_EQ(sums.size(), texels.size());
        std::vector<std::uint32_t> expected(texels.begin(), texels.end());
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 1; x < kWidth; ++x)
                for (std::uint32_t c = 0; c < 4; ++c)
                    expected[(y * kWidth + x) * 4 + c] += expected[(y * kWidth + x - 1) * 4 + c];
        for (std::uint32_t y = 1; y < kHeight; ++y)
            for (std::uint32_t i = 0; i < kWidth * 4; ++i)
                expected[y * kWidth * 4 + i] += expected[(y - 1) * kWidth * 4 + i];
        EXPECT_EQ(sums, expected) << name_of(form);
    }
}

TEST_F(SummedAreaTest, WholeNumbersOfVolumesAreExact) {
    constexpr std::uint32_t kSide = 19;
    std::mt19937 random(12);
    std::vector<std::uint8_t> texels(kSide * kSide * kSide);
    Field field(kSide, kSide, kSide);
    for (std::size_t i = 0; i < texels.size(); ++i) {
        texels[i] = static_cast<std::uint8_t>(random() & 0xffu);
        field.values[i] = texels[i];
    }
    const Field expected = summed(field, glm::ivec3(0));
    for (SummedAreaForm form : kForms) {
        Graph g = graph();
        const Image source = g.constant_image(
            "source",
            {.format = Format::r8_unorm, .extent = {kSide, kSide, kSide}, .shape = ImageShape::d3},
            bytes_of(texels));
        g.output("sums", texels_of(g, g.add(SummedAreaTable{.source = source,
                                                            .precision = SumPrecision::integers,
                                                            .form = form})
                                          .table.sums));
        const auto sums = run(std::move(g)).buffer<std::uint32_t>("sums");
        ASSERT_EQ(sums.size(), texels.size() * 4);
        for (std::size_t i = 0; i < texels.size(); ++i)
            ASSERT_EQ(sums[i * 4], expected.values[i]) << name_of(form) << ", " << i;
    }
}

TEST_F(SummedAreaTest, TheMeanIsExactToTheLastPlaces) {
    constexpr std::array<std::array<int, 3>, 6> kSizes{
        {{1, 1, 1}, {3, 200, 1}, {64, 64, 1}, {517, 301, 1}, {33, 20, 9}, {65, 1, 1}}};
    Graph g = graph();
    std::uint32_t seed = 20;
    for (const auto& [width, height, depth] : kSizes) {
        const Image source =
            image_of(g, fmt::format("{}", seed), pattern(width, height, depth, seed));
        g.output(fmt::format("{}", seed), g.add(ImageMean{.source = source}).result);
        ++seed;
    }
    Running running = run(std::move(g));
    seed = 20;
    for (const auto& [width, height, depth] : kSizes) {
        const auto mean = running.buffer<float>(fmt::format("{}", seed));
        ASSERT_EQ(mean.size(), 4u);
        // Pairs of like size: some 30 roundings lie between a texel and the mean.
        EXPECT_NEAR(mean[0], pattern(width, height, depth, seed).mean(), 30 * 0x1p-24);
        ++seed;
    }
}

/// 17x17 boxes over a smooth pattern with noise.
TEST_F(SummedAreaTest, TheModesGainThePrecisionTheyPromise) {
    for (const int side : {256, 512}) {
        const Field field = pattern(side, side, 1, 7);
        const Field expected = box_means(field, {8, 8, 0});
        for (SummedAreaForm form : kForms) {
            Graph g = graph();
            const Image source = image_of(g, "source", field);
            for (SumPrecision precision : kPrecisions) {
                const SummedArea table =
                    g.add(SummedAreaTable{.source = source, .precision = precision, .form = form})
                        .table;
                g.output(name_of(precision), texels_of(g, g.add(BoxFilter{.source = source,
                                                                          .table = table,
                                                                          .radius = {8, 8, 0}})
                                                              .result));
                if (precision == SumPrecision::offset) g.output("table", texels_of(g, table.sums));
            }
            Running running = run(std::move(g));
            std::array<double, 4> error{};
            for (std::size_t i = 0; i < kPrecisions.size(); ++i)
                error[i] = rms(running.buffer<float>(name_of(kPrecisions[i])), expected);
            std::string line = fmt::format("{} {}", side, name_of(form));
            for (double e : error)
                line += fmt::format(" {:.2e}", e);
            RecordProperty(fmt::format("rms_{}_{}", side, name_of(form)), line);
            std::puts(line.c_str());
            EXPECT_GT(error[0] / error[1], 8.0) << line;
            EXPECT_GT(error[0] / error[2], 2.5) << line;
            EXPECT_LT(error[3], error[2]) << line;
            EXPECT_LT(error[0], side == 256 ? 6e-6 : 2.6e-5) << line;

            const auto table = running.buffer<float>("table");
            EXPECT_NEAR(table.back(), 0.0f, 0.05f); // the sum of what is left of the mean
            EXPECT_TRUE(std::ranges::adjacent_find(table, std::greater<>()) != table.end())
                << "sums without the mean rise and fall";
        }
    }
}

TEST_F(SummedAreaTest, BoxesOfAnySizeHaveTheirMean) {
    constexpr std::array<glm::ivec3, 5> kRadii{
        {{0, 0, 0}, {1, 1, 0}, {5, 0, 0}, {0, 9, 0}, {300, 300, 0}}};
    const Field field = pattern(131, 77, 1, 9);
    Graph g = graph();
    const Image source = image_of(g, "source", field);
    for (SumPrecision precision : kPrecisions)
        for (std::size_t i = 0; i < kRadii.size(); ++i)
            g.output(fmt::format("{} {}", name_of(precision), i),
                     g.add(BoxFilter{.source = source, .radius = kRadii[i], .precision = precision})
                         .result);
    Running running = run(std::move(g));
    for (SumPrecision precision : kPrecisions)
        for (std::size_t i = 0; i < kRadii.size(); ++i) {
            const Field expected = box_means(field, kRadii[i]);
            const HostImage image = running.image(fmt::format("{} {}", name_of(precision), i));
            ASSERT_FALSE(image.empty());
            for (int y = 0; y < field.height; ++y)
                for (int x = 0; x < field.width; ++x)
                    // Differences of sums of up to 10,000, each with 24 bits.
                    ASSERT_NEAR(image.texel(static_cast<std::uint32_t>(x),
                                            static_cast<std::uint32_t>(y))[0],
                                expected.at(x, y), i == 0 ? 4e-3 : 2e-3)
                        << name_of(precision) << ", radius " << i << " at " << x << ", " << y;
        }
}

TEST_F(SummedAreaTest, WholeNumbersAreFilteredExactly) {
    const HostImage picture = [] {
        HostImage image = make_image(Format::rgba8_unorm, {70, 41});
        for (std::uint32_t y = 0; y < 41; ++y)
            for (std::uint32_t x = 0; x < 70; ++x) {
                const auto value = static_cast<float>((x * 7 + y * 3) % 256);
                image.set_texel({value / 255.0f, 0.2f, 1.0f, 1.0f}, x, y);
            }
        return image;
    }();
    Field field(70, 41);
    for (int y = 0; y < 41; ++y)
        for (int x = 0; x < 70; ++x)
            field.at(x, y) = (x * 7 + y * 3) % 256;
    const Field expected = box_means(field, {3, 4, 0});
    Graph g = graph();
    const Image source =
        g.constant_image("source", {.format = Format::rgba8_unorm, .extent = {70, 41}},
                         std::make_shared<const std::vector<std::byte>>(picture.texels));
    g.output("result", g.add(BoxFilter{.source = source,
                                       .radius = {3, 4, 0},
                                       .precision = SumPrecision::integers,
                                       .format = passes::OutputFormat::rgba32_sfloat})
                           .result);
    const HostImage result = run(std::move(g)).image("result");
    ASSERT_FALSE(result.empty());
    for (int y = 0; y < 41; ++y)
        for (int x = 0; x < 70; ++x) {
            const auto texel =
                result.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            ASSERT_NEAR(texel[0], expected.at(x, y) / 255.0, 2e-7);
            ASSERT_NEAR(texel[1], 51.0 / 255.0, 2e-7);
            ASSERT_FLOAT_EQ(texel[3], 1.0f); // a quotient, which need not be exact
        }
}

TEST_F(SummedAreaTest, VolumesAreFilteredByBoxes) {
    const Field field = pattern(23, 18, 11, 10);
    const Field expected = box_means(field, {2, 3, 1});
    Graph g = graph();
    const Image source = image_of(g, "source", field);
    constexpr std::array kAll{SumPrecision::plain, SumPrecision::offset,
                              SumPrecision::offset_centre, SumPrecision::integers};
    for (SumPrecision precision : kAll)
        g.output(name_of(precision), texels_of(g, g.add(BoxFilter{.source = source,
                                                                  .radius = {2, 3, 1},
                                                                  .precision = precision})
                                                      .result));
    Running running = run(std::move(g));
    for (SumPrecision precision : kAll) {
        const auto values = running.buffer<float>(name_of(precision));
        ASSERT_EQ(values.size(), expected.values.size());
        // Whole numbers round each texel to a 255th.
        const double bound = precision == SumPrecision::integers ? 0.5 / 255.0 : 1e-4;
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], expected.values[i], bound) << name_of(precision) << ", " << i;
    }
}

TEST_F(SummedAreaTest, ConstantPicturesStayConstant) {
    Field field(100, 60);
    std::ranges::fill(field.values, 0.25);
    Graph g = graph();
    const Image source = image_of(g, "source", field);
    for (SumPrecision precision : {SumPrecision::offset, SumPrecision::offset_centre})
        g.output(name_of(precision), texels_of(g, g.add(BoxFilter{.source = source,
                                                                  .radius = {7, 7, 0},
                                                                  .precision = precision})
                                                      .result));
    Running running = run(std::move(g));
    EXPECT_EQ(running.buffer<float>("offset"), std::vector<float>(6000, 0.25f));
    EXPECT_EQ(running.buffer<float>("offset_centre"), std::vector<float>(6000, 0.25f));
}

TEST_F(SummedAreaTest, MistakesAreOneDiagnosticEach) {
    const auto mistakes = [&](auto make) {
        Graph g = graph();
        const Image small = g.clear(g.image("small", {.extent = {4, 4}}), std::array<float, 4>{});
        const Image large = g.clear(g.image("large", {.extent = {8, 4}}), std::array<float, 4>{});
        const Image result = make(g, small, large);
        if (result) g.output("result", result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? Diagnostics{} : plan.error();
    };
    const auto expect_one = [](const Diagnostics& found, std::string_view code) {
        ASSERT_EQ(found.size(), 1u) << to_string(found);
        EXPECT_EQ(found[0].code, code) << found[0].message;
    };
    expect_one(mistakes([](Graph& g, Image, Image) { return g.add(BoxFilter{}).result; }),
               "graph/unconnected");
    expect_one(mistakes([](Graph& g, Image, Image) { return g.add(SummedAreaTable{}).table.sums; }),
               "graph/unconnected");
    expect_one(mistakes([](Graph& g, Image small, Image) {
                   return g.add(BoxFilter{.source = small, .radius = {-1, 0, 0}}).result;
               }),
               "pass/out-of-range");
    expect_one(mistakes([](Graph& g, Image small, Image) {
                   return g.add(SummedAreaTable{.source = small, .reads = 1}).table.sums;
               }),
               "pass/out-of-range");
    expect_one(mistakes([](Graph& g, Image small, Image large) {
                   const SummedArea table = g.add(SummedAreaTable{.source = small}).table;
                   return g.add(BoxFilter{.source = large, .table = table}).result;
               }),
               "image/size-mismatch");
}

} // namespace
} // namespace tuff
