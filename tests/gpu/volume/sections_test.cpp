#include "passes/volume/section.hpp"
#include "tests/gpu/volume/view_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <limits>

/// Slices, slabs and oblique planes.
namespace tuff {
namespace {

using passes::VolumeAxis;
using passes::VolumeCombine;
using passes::VolumeFilter;
using passes::VolumeOblique;
using passes::VolumeSlice;
using testing_gpu::codes_of;
using testing_gpu::Pictures;
using testing_gpu::TestVolume;

class Sections : public testing_gpu::VolumeViewTest {};

/// The texel of a volume that a slice shows at x, y.
glm::ivec3 texel_of(VolumeAxis axis, int index, int x, int y) {
    if (axis == VolumeAxis::x) return {index, x, y};
    return axis == VolumeAxis::y ? glm::ivec3(x, index, y) : glm::ivec3(x, y, index);
}

double value(const HostImage& image, int x, int y) {
    return static_cast<double>(
        image.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[0]);
}

TEST_F(Sections, OfEvenSpacingAreTheTexelsAsTheyAre) {
    // Odd sizes, a single layer, and more than a group of kernels has.
    for (const glm::ivec3 dims :
         {glm::ivec3(7, 5, 3), glm::ivec3(1, 19, 33), glm::ivec3(70, 9, 2)}) {
        const TestVolume volume = TestVolume::noise(dims, 5);
        for (int a = 0; a < 3; ++a) {
            const auto axis = static_cast<VolumeAxis>(a);
            Pictures running = seen(volume, [&](Graph& g, Image source) {
                for (int i = 0; i < dims[a]; ++i)
                    g.output(std::to_string(i), g.add(VolumeSlice{.source = source,
                                                                  .axis = axis,
                                                                  .index = i,
                                                                  .upwards = i % 2 == 1})
                                                    .values);
            });
            for (int i = 0; i < dims[a]; ++i) {
                const HostImage slice = running.image(std::to_string(i));
                ASSERT_FALSE(slice.empty());
                const int width = a == 0 ? dims.y : dims.x;
                const int height = a == 2 ? dims.y : dims.z;
                ASSERT_EQ(slice.extent, (Extent{static_cast<std::uint32_t>(width),
                                                static_cast<std::uint32_t>(height)}));
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x)
                        ASSERT_EQ(value(slice, x, i % 2 == 1 ? height - 1 - y : y),
                                  volume.at(texel_of(axis, i, x, y)))
                            << a << ": " << i << ", " << x << ", " << y;
            }
        }
    }
}

TEST_F(Sections, HaveSquarePixelsWhateverTheSpacing) {
    TestVolume volume = TestVolume::noise({9, 6, 4}, 6);
    volume.spacing = {1.0, 2.0, 3.0};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int a = 0; a < 3; ++a)
            g.output(std::to_string(a), g.add(VolumeSlice{.source = source,
                                                          .spacing = volume.spacing,
                                                          .axis = static_cast<VolumeAxis>(a)})
                                            .values);
        g.output("wide", g.add(VolumeSlice{.source = source,
                                           .filter = VolumeFilter::nearest,
                                           .spacing = volume.spacing,
                                           .index = 1,
                                           .width = 40,
                                           .height = 20,
                                           .background = glm::vec4(0.25f)})
                             .result);
    });
    // Across x a pixel is 2 wide, and the volume 12 by 12.
    EXPECT_EQ(running.image("0").extent, (Extent{6, 6}));
    EXPECT_EQ(running.image("1").extent, (Extent{9, 12}));
    const HostImage z = running.image("2");
    ASSERT_EQ(z.extent, (Extent{9, 12}));
    for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 9; ++x)
            ASSERT_NEAR(value(z, x, y), volume.between({x, (y + 0.5) / 2.0 - 0.5, 2.0}), 1e-6)
                << x << ", " << y;
    // 9 by 12 in 40 by 20: a pixel is 0.6, and the slice 15 wide in the middle.
    const HostImage wide = running.image("wide");
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 40; ++x) {
            const glm::dvec2 at((x + 0.5 - 20.0) * 0.6 + 4.5, (y + 0.5 - 10.0) * 0.3 + 3.0);
            const bool inside = at.x >= 0.0 && at.x <= 9.0;
            const double expected =
                inside ? volume.at({static_cast<int>(at.x), static_cast<int>(at.y), 1}) : 0.25;
            const double to_side =
                std::min({std::abs(at.x - std::round(at.x)), std::abs(at.y - std::round(at.y))});
            if (to_side < 1e-4) continue; // of two texels, either
            ASSERT_NEAR(value(wide, x, y), expected, 1e-6) << x << ", " << y;
        }
}

TEST_F(Sections, OfSlabsCombineTheSlicesThatAreThere) {
    TestVolume volume = TestVolume::noise({6, 5, 11}, 7);
    volume.spacing = {1.0, 1.0, 0.5};
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int c = 0; c < 3; ++c)
            for (const int index : {5, 1})
                g.output(std::to_string(10 * c + index),
                         g.add(VolumeSlice{.source = source,
                                           .spacing = volume.spacing,
                                           .index = index,
                                           .thickness = 2.0f,
                                           .combine = static_cast<VolumeCombine>(c)})
                             .values);
    });
    for (int c = 0; c < 3; ++c)
        for (const int index : {5, 1}) {
            const HostImage slab = running.image(std::to_string(10 * c + index));
            ASSERT_FALSE(slab.empty());
            for (int y = 0; y < 5; ++y)
                for (int x = 0; x < 6; ++x) {
                    double sum = 0.0;
                    double most = -1.0;
                    double least = 2.0;
                    int count = 0;
                    for (int z = std::max(index - 2, 0); z <= index + 2; ++z, ++count) {
                        const double number = volume.at({x, y, z});
                        sum += number;
                        most = std::max(most, number);
                        least = std::min(least, number);
                    }
                    const double expected = c == 0 ? sum / count : c == 1 ? most : least;
                    ASSERT_NEAR(value(slab, x, y), expected, c == 0 ? 1e-6 : 0.0)
                        << c << ", " << index << ": " << x << ", " << y;
                }
        }
}

TEST_F(Sections, AcrossAnAxisAreTheSliceOfThatAxis) {
    TestVolume volume = TestVolume::noise({13, 17, 11}, 8);
    volume.spacing = {1.0, 0.7, 1.3};
    const glm::ivec3 index(4, 9, 7);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (int a = 0; a < 3; ++a) {
            VolumeSlice slice{.source = source,
                              .spacing = volume.spacing,
                              .axis = static_cast<VolumeAxis>(a),
                              .index = index[a],
                              .width = 40,
                              .height = 40};
            // The slice is as large as fits.
            const glm::dvec3 edges = volume.edges();
            const double size =
                std::max(a == 0 ? edges.y : edges.x, a == 2 ? edges.y : edges.z) / 40.0;
            VolumeOblique oblique{.source = source, .spacing = volume.spacing};
            oblique.point[a] = static_cast<float>((index[a] + 0.5) / volume.dims[a]);
            oblique.normal = glm::vec3(0.0f);
            oblique.up = glm::vec3(0.0f);
            oblique.normal[a] = a == 1 ? 1.0f : -1.0f; // the one that the picture is seen from
            oblique.up[a == 2 ? 1 : 2] = -1.0f;
            oblique.pixel = static_cast<float>(size);
            oblique.width = 40;
            oblique.height = 40;
            g.output("slice" + std::to_string(a), g.add(slice).result);
            g.output("oblique" + std::to_string(a), g.add(oblique).result);
        }
    });
    for (int a = 0; a < 3; ++a) {
        const HostImage slice = running.image("slice" + std::to_string(a));
        const HostImage oblique = running.image("oblique" + std::to_string(a));
        ASSERT_FALSE(slice.empty());
        double sum = 0.0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x) {
                ASSERT_NEAR(value(oblique, x, y), value(slice, x, y), 2e-5)
                    << a << ": " << x << ", " << y;
                sum += value(slice, x, y);
            }
        EXPECT_GT(sum, 100.0) << "the pictures show something";
    }
}

TEST_F(Sections, InAnyDirectionAreOfTheWorld) {
    TestVolume volume = TestVolume::noise({15, 12, 9}, 9);
    volume.spacing = {0.8, 1.0, 1.6};
    const glm::dvec3 point(0.45, 0.55, 0.4);
    const glm::dvec3 normal = glm::normalize(glm::dvec3(1.0, -2.0, 0.7));
    const glm::dvec3 right = glm::normalize(glm::cross(glm::dvec3(0.2, 1.0, 0.1), normal));
    const glm::dvec3 down = -glm::cross(normal, right);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        for (const float thickness : {0.0f, 3.3f})
            g.output(thickness > 0.0f ? "slab" : "plane",
                     g.add(VolumeOblique{.source = source,
                                         .spacing = volume.spacing,
                                         .point = point,
                                         .normal = glm::vec3(3.0f, -6.0f, 2.1f),
                                         .up = {0.2f, 1.0f, 0.1f},
                                         .pixel = 0.25f,
                                         .width = 37,
                                         .height = 29,
                                         .thickness = thickness,
                                         .combine = VolumeCombine::maximum})
                         .values);
    });
    for (const bool slab : {false, true}) {
        const HostImage image = running.image(slab ? "slab" : "plane");
        ASSERT_FALSE(image.empty());
        for (int y = 0; y < 29; ++y)
            for (int x = 0; x < 37; ++x) {
                // Half a thickness of 1.65 has two layers of 0.8.
                double expected = -1.0;
                for (int layer = slab ? -2 : 0; layer <= (slab ? 2 : 0); ++layer) {
                    const glm::dvec3 world = point * volume.edges() +
                                             0.25 * ((x - 18.0) * right + (y - 14.0) * down) +
                                             0.8 * layer * normal;
                    expected = std::max(expected, volume.between(world / volume.spacing - 0.5));
                }
                ASSERT_NEAR(value(image, x, y), expected, 3e-5) << x << ", " << y;
            }
    }
}

TEST_F(Sections, ShowColorsOfTexelsAndAnyNumber) {
    const Extent extent{5, 4, 3};
    std::vector<glm::u8vec4> texels;
    for (int i = 0; i < 60; ++i)
        texels.emplace_back(4 * i, 255 - 4 * i, i, 200 - i);
    Graph g = graph();
    const Image source = g.constant_image(
        "volume", {.format = Format::rgba8_unorm, .extent = extent, .shape = ImageShape::d3},
        testing_gpu::bytes_of(texels));
    g.output("color",
             g.add(VolumeSlice{.source = source, .index = 1, .show = passes::VolumeShows::color})
                 .result);
    for (int n = 0; n < 5; ++n)
        g.output(std::to_string(n),
                 g.add(VolumeSlice{.source = source,
                                   .number = static_cast<passes::VolumeNumber>(n),
                                   .index = 1})
                     .values);
    Pictures running(run(std::move(g)));
    const HostImage color = running.image("color");
    ASSERT_FALSE(color.empty());
    for (std::uint32_t i = 0; i < 20; ++i) {
        const glm::dvec4 texel = glm::dvec4(texels[20 + i]) / 255.0;
        for (int c = 0; c < 3; ++c)
            ASSERT_NEAR(static_cast<double>(color.texel(i % 5, i / 5)[static_cast<std::size_t>(c)]),
                        texel[c], 1e-6);
        for (int n = 0; n < 5; ++n)
            ASSERT_NEAR(value(running.image(std::to_string(n)), static_cast<int>(i % 5),
                              static_cast<int>(i / 5)),
                        n < 4 ? texel[n] : glm::length(texel), 1e-6);
    }
}

TEST_F(Sections, TakeIntegersAndTheirWindow) {
    const Extent extent{3, 2, 2};
    const std::vector<std::int32_t> numbers = {-1000, -500, 0, 40, 240, 3000, 1, 2, 3, 4, 5, 6};
    Graph g = graph();
    const Image source = g.constant_image(
        "volume", {.format = Format::r32_sint, .extent = extent, .shape = ImageShape::d3},
        testing_gpu::bytes_of(numbers));
    const std::vector<std::uint32_t> labels(12, 70'000u);
    const Image label = g.constant_image(
        "labels", {.format = Format::r32_uint, .extent = extent, .shape = ImageShape::d3},
        testing_gpu::bytes_of(labels));
    g.output(
        "grey",
        g.add(VolumeSlice{.source = source, .index = 0, .low = -160.0f, .high = 240.0f}).result);
    g.output("values", g.add(VolumeSlice{.source = source, .index = 0}).values);
    g.output("labels", g.add(VolumeSlice{.source = label}).values);
    Pictures running(run(std::move(g)));
    const double greys[] = {0.0, 0.0, 0.4, 0.5, 1.0, 1.0};
    for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(value(running.image("grey"), i % 3, i / 3), greys[i], 1e-6) << i;
        EXPECT_EQ(value(running.image("values"), i % 3, i / 3),
                  numbers[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(value(running.image("labels"), 0, 0), 70'000.0);
}

TEST_F(Sections, LeaveOutWhatIsNoNumber) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    TestVolume volume = TestVolume::of({3, 1, 3}, [](glm::ivec3) { return 0.5; });
    volume.numbers[0] = nan;      // x 0 of z 0
    volume.numbers[3] = infinity; // x 0 of z 1
    volume.numbers[1] = volume.numbers[4] = volume.numbers[7] = nan;
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        g.output(
            "plain",
            g.add(VolumeSlice{.source = source, .index = 0, .background = glm::vec4(1)}).result);
        g.output("slab", g.add(VolumeSlice{.source = source,
                                           .index = 1,
                                           .thickness = 2.0f,
                                           .combine = VolumeCombine::minimum,
                                           .background = glm::vec4(1)})
                             .values);
    });
    const HostImage plain = running.image("plain");
    EXPECT_EQ(value(plain, 0, 0), 0.0) << "black, and not the background";
    EXPECT_EQ(value(plain, 1, 0), 0.0);
    EXPECT_EQ(value(plain, 2, 0), 0.5) << "the neighbour does not spoil it";
    const HostImage slab = running.image("slab");
    EXPECT_EQ(value(slab, 0, 0), 0.5);
    EXPECT_EQ(value(slab, 1, 0), 0.0);
    EXPECT_EQ(value(slab, 2, 0), 0.5);
}

TEST_F(Sections, FilterBeforeOrWhileTheyLook) {
    const TestVolume volume = TestVolume::noise({11, 9, 8}, 10);
    for (const int side : {1, 3, 5, 7}) {
        std::vector<float> weights;
        const TestVolume random = TestVolume::noise({side, side, side}, 11);
        for (const float number : random.numbers)
            weights.push_back((number - 0.3f) / static_cast<float>(side));
        const TestVolume expected = filtered(volume, weights);
        Pictures running = seen(volume, [&](Graph& g, Image source) {
            for (const bool live : {false, true})
                g.output(live ? "live" : "before",
                         g.add(VolumeOblique{.source = source,
                                             .weights = weights,
                                             .filtering = live ? passes::VolumeFiltering::live
                                                               : passes::VolumeFiltering::before,
                                             .width = 24,
                                             .height = 24})
                             .values);
            g.output("plain",
                     g.add(VolumeOblique{
                               .source = expected.image(g, "expected"), .width = 24, .height = 24})
                         .values);
        });
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 24; ++x)
                for (const char* name : {"before", "live"})
                    ASSERT_NEAR(value(running.image(name), x, y),
                                value(running.image("plain"), x, y), 2e-5 * side)
                        << name << " " << side << ": " << x << ", " << y;
    }
}

TEST_F(Sections, TellWhatIsWrong) {
    const TestVolume volume = TestVolume::noise({3, 3, 3}, 1);
    const auto code = [&](const std::function<void(Graph&, Image)>& add) {
        Graph g = graph();
        add(g, volume.image(g));
        return codes_of(g);
    };
    EXPECT_EQ(code([](Graph& g, Image s) { g.add(VolumeSlice{.source = s, .index = 3}); }),
              "volume/no-such-slice ");
    EXPECT_EQ(code([](Graph& g, Image s) {
                  g.add(VolumeSlice{.source = s, .number = passes::VolumeNumber::green});
              }),
              "volume/no-such-number ");
    EXPECT_EQ(code([](Graph& g, Image s) {
                  g.add(VolumeSlice{.source = s, .show = passes::VolumeShows::color});
              }),
              "volume/no-such-number ");
    EXPECT_EQ(code([](Graph& g, Image s) {
                  g.add(VolumeSlice{.source = s, .weights = {1, 2}});
              }),
              "volume/bad-weights ");
    EXPECT_EQ(
        code([](Graph& g, Image s) { g.add(VolumeSlice{.source = s, .low = 1.0f, .high = 1.0f}); }),
        "volume/empty-window ");
    EXPECT_EQ(code([](Graph& g, Image s) {
                  g.add(VolumeOblique{.source = s, .normal = glm::vec3(0.0f)});
              }),
              "pass/out-of-range ");
    EXPECT_EQ(code([](Graph& g, Image) {
                  g.add(VolumeSlice{
                      .source = g.image("p", {.format = Format::r32_sfloat, .extent = {4, 4}})});
              }),
              "volume/not-a-volume ");
    EXPECT_EQ(code([](Graph& g, Image) { g.add(VolumeSlice{}); }), "graph/unconnected ");
}

} // namespace
} // namespace tuff
