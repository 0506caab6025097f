#include "passes/mapping/clouds.hpp"
#include "passes/mapping/normals.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

/// Points of frames, and maps of points: mapping/back_project, concatenate, window, bins; and
/// mapping/normals.
namespace tuff {
namespace {

using passes::BinKeeps;
using passes::CloudStatus;
using passes::MappingBackProject;
using passes::MappingBins;
using passes::MappingConcatenate;
using passes::MappingNormals;
using passes::MappingWindow;
using passes::PointCloud;
using testing_gpu::bytes_of;
using testing_gpu::Running;

struct HostCloud {
    std::vector<glm::vec4> positions;
    std::vector<std::uint32_t> colors;
};

class CloudTest : public testing_gpu::MappingTest {
  protected:
    static void output(Graph& g, const PointCloud& cloud) {
        g.output("positions", cloud.positions);
        g.output("colors", cloud.colors);
        g.output("count", cloud.count);
    }
    static HostCloud read(Running& running) {
        HostCloud cloud{running.buffer<glm::vec4>("positions"),
                        running.buffer<std::uint32_t>("colors")};
        const std::uint32_t count = running.buffer<std::uint32_t>("count").at(0);
        EXPECT_LE(count, cloud.positions.size());
        cloud.positions.resize(count);
        cloud.colors.resize(count);
        return cloud;
    }
    /// Builds and runs one executor whose frames are given these clouds.
    template <typename Pass>
    std::vector<HostCloud> play_clouds(const std::vector<HostCloud>& frames, std::uint32_t room,
                                       const Pass& pass, std::vector<CloudStatus>& statuses) {
        std::vector<HostCloud> maps;
        Graph g = graph();
        HostCloud all;
        std::vector<std::uint32_t> counts;
        for (const HostCloud& frame : frames) {
            HostCloud padded = frame;
            counts.push_back(static_cast<std::uint32_t>(frame.positions.size()));
            padded.positions.resize(room, glm::vec4(std::numeric_limits<float>::quiet_NaN()));
            padded.colors.resize(room, 0xdeadbeefu);
            all.positions.insert(all.positions.end(), padded.positions.begin(),
                                 padded.positions.end());
            all.colors.insert(all.colors.end(), padded.colors.begin(), padded.colors.end());
        }
        const BufferHistory clock = g.history_buffer("clock", {.size = 4, .stride = 4});
        ComputeNodeBuilder node = g.compute("test/mapping_clouds");
        node.set("room", room);
        node.read("all_positions",
                  g.constant_buffer("all_positions",
                                    {.size = 16 * all.positions.size(), .stride = 16},
                                    bytes_of(all.positions)));
        node.read("all_colors",
                  g.constant_buffer("all_colors", {.size = 4 * all.colors.size(), .stride = 4},
                                    bytes_of(all.colors)));
        node.read("counts", g.constant_buffer("counts", {.size = 4 * counts.size(), .stride = 4},
                                              bytes_of(counts)));
        node.read("clock_before", clock.previous[0]);
        (void)node.write("next_clock", clock.current);
        PointCloud cloud{.room = room};
        cloud.positions =
            node.write("positions", g.buffer("in_positions", {.size = 16ull * room, .stride = 16}));
        cloud.colors =
            node.write("colors", g.buffer("in_colors", {.size = 4ull * room, .stride = 4}));
        cloud.count = node.write("count", g.buffer("in_count", {.size = 4, .stride = 4}));
        node.dispatch_each(room);
        Pass added = pass;
        added.cloud = cloud;
        added = g.add(added);
        output(g, added.map);
        g.output("status", added.status);
        Running running = start(compile_graph(std::move(g)));
        for (std::size_t i = 0; i < frames.size() && running; ++i) {
            running.execute();
            maps.push_back(read(running));
            statuses.push_back(CloudStatus::read(running.buffer<std::uint32_t>("status")));
        }
        return maps;
    }
};

std::vector<HostCloud> random_frames(std::uint32_t seed, const std::vector<std::size_t>& counts) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-1.0f, 1.0f);
    std::vector<HostCloud> frames;
    for (const std::size_t count : counts) {
        HostCloud& frame = frames.emplace_back();
        for (std::size_t i = 0; i < count; ++i) {
            frame.positions.push_back({place(random), place(random), place(random), 1.0f});
            frame.colors.push_back(static_cast<std::uint32_t>(random() & 0xffffffu) | 1u << 24);
        }
    }
    return frames;
}

TEST_F(CloudTest, PixelsBecomePointsOfTheWorld) {
    std::mt19937 random(5);
    for (const Extent extent : {Extent{8, 8, 1}, Extent{33, 17, 1}, Extent{301, 251, 1}}) {
        const glm::dmat4 pose = passes::looking_at({0.4, 1.1, -2.0}, {0.1, 0.2, 0.7});
        std::uniform_real_distribution<float> metres(0.1f, 6.0f);
        std::vector<float> depths(std::size_t{extent.width} * extent.height);
        std::vector<std::uint32_t> colors(depths.size());
        for (std::size_t i = 0; i < depths.size(); ++i) {
            depths[i] = metres(random);
            colors[i] = static_cast<std::uint32_t>(random()) | 0xff000000u;
            if (i % 11 == 3) depths[i] = 0.0f;
            if (i % 17 == 4) depths[i] = std::numeric_limits<float>::quiet_NaN();
            if (i % 19 == 5) depths[i] = std::numeric_limits<float>::infinity();
        }
        Graph g = graph();
        const passes::RgbdFrame frame{.depth = depth_image(g, extent, depths),
                                      .color = color_image(g, extent, colors),
                                      .intrinsics = testing_gpu::lens_of(extent)};
        output(g,
               g.add(MappingBackProject{.frame = frame,
                                        .pose = pose_buffer(g, "pose", testing_gpu::rows_of(pose))})
                   .cloud);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const HostCloud cloud = read(running);
        const glm::dvec4 k(testing_gpu::lens_of(extent));
        std::size_t next = 0;
        for (std::size_t i = 0; i < depths.size(); ++i) {
            if (!(depths[i] >= 0.3f && depths[i] <= 5.0f)) continue;
            ASSERT_LT(next, cloud.positions.size());
            const glm::dvec3 ray =
                testing_gpu::ray_of(k, double(i % extent.width), double(i / extent.width));
            const glm::dvec3 expected(pose * glm::dvec4(double{depths[i]} * ray, 1.0));
            // Seven operations on numbers of a few metres.
            ASSERT_LT(glm::distance(glm::dvec3(cloud.positions[next]), expected), 5e-6);
            ASSERT_EQ(cloud.positions[next].w, 1.0f);
            ASSERT_EQ(cloud.colors[next], (colors[i] & 0xffffffu) | 1u << 24);
            ++next;
        }
        EXPECT_EQ(next, cloud.positions.size());
    }
}

TEST_F(CloudTest, ALostCameraMakesNoPoints) {
    Graph g = graph();
    const auto frame = frame_of(g, {16, 16, 1}, std::vector<float>(256, 1.0f));
    output(g, g.add(MappingBackProject{
                        .frame = frame,
                        .pose = pose_buffer(g, "pose", testing_gpu::rows_of(glm::dmat4(1), 0.0f))})
                  .cloud);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    EXPECT_TRUE(read(running).positions.empty());
}

TEST_F(CloudTest, ConcatenationKeepsAllUntilTheRoomIsFull) {
    const auto frames = random_frames(1, {300, 0, 257, 400, 100});
    std::vector<CloudStatus> statuses;
    const auto maps = play_clouds(frames, 500, MappingConcatenate{.room = 1000}, statuses);
    ASSERT_EQ(maps.size(), frames.size());
    HostCloud expected;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        expected.positions.insert(expected.positions.end(), frames[i].positions.begin(),
                                  frames[i].positions.end());
        expected.colors.insert(expected.colors.end(), frames[i].colors.begin(),
                               frames[i].colors.end());
        const std::size_t kept = std::min<std::size_t>(expected.positions.size(), 1000);
        ASSERT_EQ(maps[i].positions.size(), kept);
        EXPECT_TRUE(std::equal(maps[i].positions.begin(), maps[i].positions.end(),
                               expected.positions.begin()));
        EXPECT_TRUE(
            std::equal(maps[i].colors.begin(), maps[i].colors.end(), expected.colors.begin()));
        EXPECT_EQ(statuses[i].points, expected.positions.size());
        EXPECT_EQ(statuses[i].warnings().size(), expected.positions.size() > 1000 ? 1u : 0u);
    }
    EXPECT_EQ(statuses.back().warnings()[0].code, "mapping/map-full");
}

TEST_F(CloudTest, AWindowForgetsTheOldestFrame) {
    const auto frames = random_frames(2, {300, 0, 257, 500, 100, 1, 333, 20});
    for (const int window : {1, 3, 5}) {
        std::vector<CloudStatus> statuses;
        const auto maps = play_clouds(frames, 500, MappingWindow{.frames = window}, statuses);
        ASSERT_EQ(maps.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            HostCloud expected;
            for (std::size_t f = i + 1 >= std::size_t(window) ? i + 1 - std::size_t(window) : 0;
                 f <= i; ++f) {
                expected.positions.insert(expected.positions.end(), frames[f].positions.begin(),
                                          frames[f].positions.end());
                expected.colors.insert(expected.colors.end(), frames[f].colors.begin(),
                                       frames[f].colors.end());
            }
            EXPECT_EQ(maps[i].positions, expected.positions) << window << ", " << i;
            EXPECT_EQ(maps[i].colors, expected.colors) << window << ", " << i;
        }
    }
}

using BinNumber = std::array<int, 3>;

BinNumber bin_of(glm::vec4 p) {
    const auto at = [](float x) { return static_cast<int>(std::floor((x + 1.0f) / 0.25f)); };
    return {at(p.z), at(p.y), at(p.x)}; // in the order of keys
}

TEST_F(CloudTest, BinsKeepTheMeanOfTheirPoints) {
    auto frames = random_frames(3, {1500, 700, 0, 2000});
    frames[1].positions[5].x = std::numeric_limits<float>::quiet_NaN();
    frames[1].positions[6].y = -7.0f;
    frames[1].positions[7].z = 1e30f;
    std::vector<CloudStatus> statuses;
    const auto maps =
        play_clouds(frames, 2000,
                    MappingBins{.side = 0.25f, .corner = glm::vec3(-1.0f), .room = 600}, statuses);
    ASSERT_EQ(maps.size(), frames.size());
    struct Bin {
        glm::dvec3 sum{0.0};
        double count = 0.0;
    };
    std::map<BinNumber, Bin> bins;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        for (const glm::vec4 p : frames[i].positions) {
            if (!(std::abs(p.x) <= 1.0f && std::abs(p.y) <= 1.0f && std::abs(p.z) <= 1.0f))
                continue;
            Bin& bin = bins[bin_of(p)];
            bin.sum += glm::dvec3(p);
            bin.count += 1.0;
        }
        ASSERT_EQ(maps[i].positions.size(), bins.size());
        EXPECT_EQ(statuses[i].points, bins.size());
        EXPECT_EQ(statuses[i].outside, i == 1 ? 3u : 0u);
        std::size_t next = 0;
        for (const auto& [number, bin] : bins) {
            ASSERT_LT(glm::distance(glm::dvec3(maps[i].positions[next]), bin.sum / bin.count), 1e-6)
                << i << ", " << next;
            ASSERT_EQ(maps[i].colors[next] >> 24, static_cast<std::uint32_t>(bin.count));
            ++next;
        }
    }
}

TEST_F(CloudTest, BinsKeepTheFirstPointAndColorsAreMeans) {
    auto frames = random_frames(4, {900, 900});
    std::vector<CloudStatus> statuses;
    const MappingBins bins{.side = 0.25f, .corner = glm::vec3(-1.0f), .room = 600};
    MappingBins first = bins;
    first.keeps = BinKeeps::first;
    const auto kept = play_clouds(frames, 1000, first, statuses);
    const auto means = play_clouds(frames, 1000, bins, statuses);
    ASSERT_EQ(kept.size(), 2u);
    std::map<BinNumber, glm::vec4> expected;
    std::map<BinNumber, std::pair<double, double>> reds;
    for (const HostCloud& frame : frames)
        for (std::size_t i = 0; i < frame.positions.size(); ++i) {
            expected.try_emplace(bin_of(frame.positions[i]), frame.positions[i]);
            auto& [sum, count] = reds[bin_of(frame.positions[i])];
            sum += frame.colors[i] & 255u;
            count += 1.0;
        }
    ASSERT_EQ(kept[1].positions.size(), expected.size());
    ASSERT_EQ(means[1].colors.size(), reds.size());
    std::size_t next = 0;
    for (const auto& [number, p] : expected)
        ASSERT_EQ(kept[1].positions[next++], p);
    next = 0;
    // Rounded in each frame.
    for (const auto& [number, red] : reds)
        ASSERT_NEAR(means[1].colors[next++] & 255u, red.first / red.second, 1.01);
}

TEST_F(CloudTest, BinsWithoutRoomAreCounted) {
    const auto frames = random_frames(6, {3000});
    std::vector<CloudStatus> statuses;
    const auto maps =
        play_clouds(frames, 3000,
                    MappingBins{.side = 0.125f, .corner = glm::vec3(-1.0f), .room = 700}, statuses);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].positions.size(), 700u);
    EXPECT_GT(statuses[0].points, 1500u);
    ASSERT_EQ(statuses[0].warnings().size(), 1u);
    EXPECT_EQ(statuses[0].warnings()[0].code, "mapping/map-full");
}

/// Depth and normal of level 0 by doubles.
struct HostMaps {
    std::vector<double> depth;
    std::vector<glm::dvec3> normal;
};

HostMaps maps_by_doubles(const std::vector<float>& depths, Extent extent, double smooth,
                         double edge) {
    const glm::dvec4 k(testing_gpu::lens_of(extent));
    const int width = static_cast<int>(extent.width);
    const int height = static_cast<int>(extent.height);
    const auto raw = [&](int x, int y) {
        if (x < 0 || y < 0 || x >= width || y >= height) return 0.0;
        const double z = double{depths[static_cast<std::size_t>(y * width + x)]};
        return z >= 0.3 && z <= 5.0 ? z : 0.0;
    };
    HostMaps maps;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double z = raw(x, y);
            double sum = z > 0.0 ? 1.0 / z : 0.0;
            double weights = 1.0;
            const double deviation = 0.0012 + 0.0019 * (z - 0.4) * (z - 0.4);
            const double sigma = smooth * deviation * std::min(2.0 * deviation * k.x / z, 1.0);
            if (z > 0.0 && smooth > 0.0)
                for (int dy = -2; dy <= 2; ++dy)
                    for (int dx = -2; dx <= 2; ++dx) {
                        const double other = raw(x + dx, y + dy);
                        const double opposite = raw(x - dx, y - dy);
                        if ((dx == 0 && dy == 0) || other <= 0.0 || opposite <= 0.0) continue;
                        const double step =
                            std::max(std::abs(dx), std::abs(dy)) * (edge + 3.0 * z / k.x);
                        if (std::max(std::abs(other - z), std::abs(opposite - z)) >= step) continue;
                        const double mean = 2.0 / (1.0 / other + 1.0 / opposite);
                        const double apart = (mean - z) / sigma;
                        if (std::abs(apart) >= 3.0) continue;
                        const double weight =
                            std::exp(-0.5 * apart * apart - 0.22 * (dx * dx + dy * dy));
                        sum += weight / other;
                        weights += weight;
                    }
            maps.depth.push_back(z > 0.0 ? weights / sum : 0.0);
        }
    const auto point = [&](int x, int y) {
        if (x < 0 || y < 0 || x >= width || y >= height) return glm::dvec3(0.0);
        return testing_gpu::ray_of(k, x, y) * maps.depth[static_cast<std::size_t>(y * width + x)];
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const glm::dvec3 at = point(x, y);
            const auto difference = [&](glm::dvec3 before, glm::dvec3 after) {
                const double step = edge + 3.0 * at.z / k.x;
                const bool a = before.z > 0.0 && std::abs(before.z - at.z) < step;
                const bool b = after.z > 0.0 && std::abs(after.z - at.z) < step;
                return a && b ? after - before : b ? after - at : a ? at - before : glm::dvec3(0.0);
            };
            glm::dvec3 normal = glm::cross(difference(point(x, y - 1), point(x, y + 1)),
                                           difference(point(x - 1, y), point(x + 1, y)));
            if (at.z <= 0.0 || glm::length(normal) < 1e-10)
                normal = glm::dvec3(0.0);
            else
                normal = glm::normalize(normal) * (glm::dot(normal, at) > 0.0 ? -1.0 : 1.0);
            maps.normal.push_back(normal);
        }
    return maps;
}

TEST_F(CloudTest, SmoothingLeavesSlantedPlanesWhereTheyAre) {
    const Extent extent{64, 48, 1};
    const glm::dvec4 k(testing_gpu::lens_of(extent));
    // A floor 1.3 m below a camera that looks down by 24 degrees, a wall at its side.
    const glm::dvec3 down(0.0, std::cos(0.42), std::sin(0.42));
    const auto planes_at = [&](int x, int y) {
        const glm::dvec3 ray = testing_gpu::ray_of(k, x, y);
        return glm::dvec2(1.3 / std::max(glm::dot(down, ray), 1e-6), 1.5 / std::max(ray.x, 1e-6));
    };
    const auto is_floor = [&](int x, int y) { return planes_at(x, y).x < planes_at(x, y).y; };
    std::vector<float> depths;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            depths.push_back(static_cast<float>(std::min(planes_at(x, y).x, planes_at(x, y).y)));
    Graph g = graph();
    g.output("geometry", g.add(MappingNormals{.frame = frame_of(g, extent, depths), .smooth = 5.0f})
                             .maps.geometry[0]);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage geometry = running.image("geometry");
    int inside = 0;
    for (int y = 2; y < 46; ++y)
        for (int x = 2; x < 62; ++x) {
            const double z = double{depths[static_cast<std::size_t>(y * 64 + x)]};
            bool one_plane = z < 4.0;
            for (int i = 0; i < 25; ++i)
                one_plane = one_plane && is_floor(x + i % 5 - 2, y + i / 5 - 2) == is_floor(x, y);
            if (!one_plane) continue;
            ++inside;
            ASSERT_NEAR(geometry.texel(std::uint32_t(x), std::uint32_t(y))[3], z, 2e-5)
                << x << ", " << y;
        }
    EXPECT_GT(inside, 1000);
}

TEST_F(CloudTest, MapsAreThoseOfDoubles) {
    std::mt19937 random(9);
    std::normal_distribution<float> noise(0.0f, 0.004f);
    for (const Extent extent : {Extent{8, 9, 1}, Extent{37, 29, 1}, Extent{70, 50, 1}})
        for (const float smooth : {0.0f, 2.0f}) {
            std::vector<float> depths(std::size_t{extent.width} * extent.height);
            for (std::size_t i = 0; i < depths.size(); ++i) {
                const std::size_t x = i % extent.width;
                const std::size_t y = i / extent.width;
                depths[i] = 1.5f + 0.01f * static_cast<float>(x) + noise(random);
                if (x > extent.width / 2 && y > extent.height / 3) depths[i] += 1.0f;
                if (i % 23 == 7) depths[i] = 0.0f;
                if (i % 41 == 7) depths[i] = std::numeric_limits<float>::quiet_NaN();
                if (i % 53 == 7) depths[i] = 8.0f;
            }
            Graph g = graph();
            const auto maps =
                g.add(MappingNormals{.frame = frame_of(g, extent, depths), .smooth = smooth}).maps;
            for (std::uint32_t level = 0; level < 3; ++level) {
                g.output("geometry" + std::to_string(level), maps.geometry[level]);
                g.output("grey" + std::to_string(level), maps.grey[level]);
            }
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            const HostMaps expected = maps_by_doubles(depths, extent, double{smooth}, 0.05);
            const HostImage finest = running.image("geometry0");
            for (std::uint32_t i = 0; i < depths.size(); ++i) {
                const auto texel = finest.texel(i % extent.width, i / extent.width);
                ASSERT_NEAR(texel[3], expected.depth[i], 1e-5) << i;
                const glm::dvec3 normal(texel[0], texel[1], texel[2]);
                // Differences of neighbours lose digits.
                ASSERT_LT(glm::distance(normal, expected.normal[i]), 2e-4) << i;
            }
            // Each coarser level is the mean of the one before.
            for (std::uint32_t level = 1; level < 3; ++level) {
                const HostImage fine = running.image("geometry" + std::to_string(level - 1));
                const HostImage coarse = running.image("geometry" + std::to_string(level));
                ASSERT_EQ(coarse.extent.width, extent.width >> level);
                ASSERT_EQ(coarse.extent.height, extent.height >> level);
                for (std::uint32_t y = 0; y < coarse.extent.height; ++y)
                    for (std::uint32_t x = 0; x < coarse.extent.width; ++x) {
                        double nearest = 1e30;
                        for (std::uint32_t c = 0; c < 4; ++c) {
                            const double z = double{fine.texel(2 * x + c % 2, 2 * y + c / 2)[3]};
                            if (z > 0.0) nearest = std::min(nearest, z);
                        }
                        const double step =
                            0.05 + 3.0 * nearest / double{testing_gpu::lens_of(extent).x};
                        glm::dvec4 sum(0.0);
                        double count = 0.0;
                        for (std::uint32_t c = 0; c < 4; ++c) {
                            const auto one = fine.texel(2 * x + c % 2, 2 * y + c / 2);
                            if (one[3] <= 0.0f || double{one[3]} - nearest > step) continue;
                            sum += glm::dvec4(one[0], one[1], one[2], one[3]);
                            count += 1.0;
                        }
                        const auto got = coarse.texel(x, y);
                        if (count < 3.0) {
                            ASSERT_EQ(got[3], 0.0f);
                            continue;
                        }
                        ASSERT_NEAR(got[3], sum.w / count, 1e-5);
                        const glm::dvec3 normal = glm::dvec3(sum);
                        if (glm::length(normal) <= 0.1) continue;
                        ASSERT_LT(glm::distance(glm::dvec3(got[0], got[1], got[2]),
                                                glm::normalize(normal)),
                                  1e-5);
                    }
                ASSERT_NEAR(running.image("grey" + std::to_string(level)).texel(0, 0)[0], 1.0f,
                            1e-5f);
            }
        }
}

} // namespace
} // namespace tuff
