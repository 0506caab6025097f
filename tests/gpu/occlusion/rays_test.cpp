#include "passes/occlusion/cones.hpp"
#include "passes/occlusion/opacity.hpp"
#include "passes/occlusion/rays.hpp"
#include "passes/occlusion/refined.hpp"
#include "passes/occlusion/spheres.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"
#include "tests/reference/rank_correlation.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

/// Rays and spherical shells against double precision, and cubes against rays.
namespace tuff {
namespace {

using passes::OcclusionAmbient;
using passes::OcclusionBorder;
using passes::OcclusionCones;
using passes::OcclusionConeTrace;
using passes::OcclusionCover;
using passes::OcclusionMethod;
using passes::OcclusionOpacity;
using passes::OcclusionPrecision;
using passes::OcclusionRays;
using passes::OcclusionRefined;
using passes::OcclusionSpheres;
using reference::rank_correlation;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;
using testing_gpu::texel_of;
using testing_gpu::worst_texel;

class RaysAndSpheres : public testing_gpu::GpuTest {};

glm::dvec3 spiral(std::uint32_t ray, std::uint32_t rays) {
    const double z = 1.0 - (2.0 * ray + 1.0) / rays;
    const double angle = (ray * 2654435769u >> 8) * (2.0 * std::numbers::pi / 16777216.0);
    const double beside = std::sqrt(1.0 - z * z);
    return {beside * std::cos(angle), beside * std::sin(angle), z};
}

/// What comes through along a ray: all planes between voxels are sorted, not walked.
double through(const OpacityVolume& volume, glm::ivec3 voxel, glm::dvec3 direction, double reach,
               bool own) {
    std::vector<double> ends{0.0};
    for (int axis = 0; axis < 3; ++axis)
        for (int plane = 0; plane <= volume.dims[axis]; ++plane) {
            const double at = (plane - voxel[axis] - 0.5) / direction[axis];
            if (at > 0.0 && at < reach) ends.push_back(at);
        }
    if (reach < 1e4) ends.push_back(reach);
    std::ranges::sort(ends);
    double left = 1.0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double middle = 0.5 * (ends[i] + ends[i + 1]);
        const glm::ivec3 at(glm::floor(glm::dvec3(voxel) + 0.5 + middle * direction));
        if (at == voxel && !own) continue;
        const double opacity = volume.beyond(at, OcclusionBorder::open);
        left *= std::pow(1.0 - opacity, ends[i + 1] - ends[i]);
    }
    return left;
}

double open_by_rays(const OpacityVolume& volume, const OpacityVolume& numbers, glm::ivec3 voxel,
                    const OcclusionRays& pass) {
    glm::dvec3 normal(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        glm::ivec3 ahead(0);
        ahead[axis] = 1;
        normal[axis] = numbers.beyond(voxel - ahead, OcclusionBorder::open) -
                       numbers.beyond(voxel + ahead, OcclusionBorder::open);
    }
    normal = glm::normalize(normal);
    double sum = 0.0;
    double weights = 0.0;
    for (std::uint32_t i = 0; i < pass.rays; ++i) {
        const glm::dvec3 direction = spiral(i, pass.rays);
        const double cosine = std::max(glm::dot(direction, normal), 0.0);
        const double weight = pass.cover == OcclusionCover::sphere   ? 1.0
                              : pass.cover == OcclusionCover::cosine ? cosine
                                                                     : (cosine > 0.0 ? 1.0 : 0.0);
        if (!(weight > 0.0)) continue;
        weights += weight;
        sum +=
            weight * through(volume, voxel, direction, static_cast<double>(pass.reach), pass.own);
    }
    return sum / weights;
}

TEST_F(RaysAndSpheres, RaysAreThoseOfTheReference) {
    const glm::ivec3 size(11, 8, 13);
    const OpacityVolume volume = OpacityVolume::noise(size, 21, 0.3);
    const OpacityVolume numbers = OpacityVolume::noise(size, 22);
    std::vector<OcclusionRays> passes(6);
    passes[0].rays = 31;
    passes[1].own = true;
    passes[1].reach = 3.3f;
    passes[2].cover = OcclusionCover::hemisphere;
    passes[3].cover = OcclusionCover::cosine;
    passes[4].cover = OcclusionCover::cosine;
    passes[5].stride = 3;
    Graph g = graph();
    const Image opacity = volume.image(g);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        passes[i].rays = i == 0 ? 31 : 64;
        OcclusionRays pass = passes[i];
        pass.opacity = opacity;
        if (i == 4) pass.numbers = numbers.image(g, "numbers");
        g.output(std::to_string(i), g.add(pass).result);
    }
    Running running = run(std::move(g));
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const OcclusionRays& pass = passes[i];
        const int stride = static_cast<int>(pass.stride);
        const HostImage image = running.image(std::to_string(i));
        ASSERT_EQ(image.extent.width, static_cast<std::uint32_t>((size.x + stride - 1) / stride));
        // A ray that is all but in the plane of the hemisphere may be on either side of it.
        EXPECT_LE(worst_texel(image,
                              [&](glm::ivec3 texel) {
                                  const glm::ivec3 voxel =
                                      glm::min(texel * stride + stride / 2, size - 1);
                                  return open_by_rays(volume, i == 4 ? numbers : volume, voxel,
                                                      pass);
                              }),
                  pass.cover == OcclusionCover::hemisphere ? 0.04 : 2e-4)
            << i;
    }
}

TEST_F(RaysAndSpheres, AnEvenMediumFadesByTheWay) {
    Graph g = graph();
    const OpacityVolume volume = OpacityVolume::of({23, 23, 23}, [](glm::ivec3) { return 0.2; });
    OcclusionRays pass{.opacity = volume.image(g), .rays = 100};
    pass.reach = 7.5f;
    pass.own = true;
    pass.turn = 1.0f;
    g.output("rays", g.add(pass).result);
    OcclusionSpheres spheres{.opacity = pass.opacity, .radius = 7};
    spheres.own = true;
    g.output("spheres", g.add(spheres).result);
    Running running = run(std::move(g));
    EXPECT_NEAR(texel_of(running.image("rays"), glm::ivec3(11)), std::pow(0.8, 7.5), 1e-5);
    EXPECT_NEAR(texel_of(running.image("spheres"), glm::ivec3(11)), std::pow(0.8, 8.0), 1e-5);
}

TEST_F(RaysAndSpheres, OfWhatIsEmptyAndOfABoxAreExact) {
    Graph g = graph();
    const OpacityVolume empty = OpacityVolume::of({9, 9, 9}, [](glm::ivec3) { return 0.0; });
    const OpacityVolume box = OpacityVolume::of({9, 9, 9}, [](glm::ivec3 v) {
        return glm::any(glm::equal(v, glm::ivec3(1))) || glm::any(glm::equal(v, glm::ivec3(7)));
    });
    for (int cover = 0; cover < 3; ++cover) {
        OcclusionRays pass{.opacity = empty.image(g, "empty" + std::to_string(cover))};
        pass.cover = static_cast<OcclusionCover>(cover);
        pass.turn = 0.7f;
        g.output("empty" + std::to_string(cover), g.add(pass).result);
        pass.opacity = box.image(g, "box" + std::to_string(cover));
        g.output("box" + std::to_string(cover), g.add(pass).result);
    }
    Running running = run(std::move(g));
    for (int cover = 0; cover < 3; ++cover) {
        EXPECT_EQ(worst_texel(running.image("empty" + std::to_string(cover)),
                              [](glm::ivec3) { return 1.0; }),
                  0.0);
        const HostImage image = running.image("box" + std::to_string(cover));
        for (int z = 2; z < 7; ++z) // in the box
            for (int x = 2; x < 7; ++x)
                EXPECT_EQ(texel_of(image, {x, 4, z}), 0.0);
    }
}

TEST_F(RaysAndSpheres, SpheresAreThoseOfTheReference) {
    const OpacityVolume volume = OpacityVolume::noise({10, 13, 6}, 23, 0.3);
    for (const std::uint32_t radius : {1u, 4u, 16u}) {
        Graph g = graph();
        OcclusionSpheres pass{.opacity = volume.image(g), .radius = radius};
        pass.border = radius == 4 ? OcclusionBorder::clamp : OcclusionBorder::open;
        pass.own = radius == 4;
        g.output("open", g.add(pass).result);
        const HostImage image = run(std::move(g)).image("open");
        const int reach = static_cast<int>(radius);
        const OpacityVolume cube =
            OpacityVolume::of(glm::ivec3(2 * reach + 1), [](glm::ivec3) { return 0.0; });
        EXPECT_LE(worst_texel(image,
                              [&](glm::ivec3 voxel) {
                                  std::vector<double> sums(radius + 1);
                                  std::vector<double> counts(radius + 1);
                                  cube.each([&](glm::ivec3 v) {
                                      const glm::ivec3 offset = v - reach;
                                      const auto r = static_cast<std::size_t>(
                                          std::lround(glm::length(glm::dvec3(offset))));
                                      if (r > radius) return;
                                      sums[r] += volume.beyond(voxel + offset, pass.border);
                                      counts[r] += 1.0;
                                  });
                                  double open = pass.own ? 1.0 - sums[0] : 1.0;
                                  for (std::size_t r = 1; r <= radius; ++r)
                                      open *= 1.0 - sums[r] / counts[r];
                                  return open;
                              }),
                  1e-5);
    }
}

/// What is left between `wanted` and the best function of `got` that never falls: neighbours in
/// order are pooled as long as their means fall.
double error_after_best_curve(const std::vector<double>& got, const std::vector<double>& wanted) {
    struct Pool {
        double sum = 0.0;
        double squares = 0.0;
        double count = 0.0;
        double mean() const { return sum / count; }
    };
    std::vector<std::size_t> order(got.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return got[i]; });
    std::vector<Pool> pools;
    for (const std::size_t i : order) {
        pools.push_back({wanted[i], wanted[i] * wanted[i], 1.0});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() >= pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().squares += last.squares;
            pools.back().count += last.count;
        }
    }
    double error = 0.0;
    for (const Pool& pool : pools)
        error += pool.squares - pool.sum * pool.sum / pool.count;
    return std::sqrt(error / static_cast<double>(got.size()));
}

// Check "against ray reference": rank correlation of at least 0.8 with 1024 rays, where something
// is; 0.9 of the methods that are chosen for quality. N-buffers leave less error than mips.
TEST_F(RaysAndSpheres, OrderVoxelsAsCubesAndConesDo) {
    TUFF_ONLY_ON(lavapipe);
    const OpacityVolume volume = OpacityVolume::bodies(32);
    Graph g = graph();
    const Image opacity = volume.image(g);
    g.output("rays", g.add(OcclusionRays{.opacity = opacity, .rays = 1024}).result);
    const char* names[] = {"n_buffer", "mip", "hybrid", "summed"};
    for (int i = 0; i < 4; ++i) {
        OcclusionAmbient pass{.opacity = opacity, .shells = 5};
        pass.mips = 1;
        pass.precision = OcclusionPrecision::float32;
        pass.method = static_cast<OcclusionMethod>(i);
        g.output(names[i], g.add(pass).result);
    }
    const char* cones[] = {"cones 6", "cones 14", "cones 26"};
    for (int i = 0; i < 3; ++i) {
        OcclusionConeTrace pass{.opacity = opacity};
        pass.precision =
            OcclusionPrecision::float32; // deep in solids all but nothing comes through
        pass.cones = static_cast<OcclusionCones>(i);
        g.output(cones[i], g.add(pass).result);
    }
    g.output("spheres", g.add(OcclusionSpheres{.opacity = opacity, .radius = 12}).result);
    Running running = run(std::move(g));
    const auto of_solids = [&](const char* name) {
        const HostImage image = running.image(name);
        std::vector<double> numbers;
        volume.each([&](glm::ivec3 v) {
            if (volume.at(v) > 0.0) numbers.push_back(texel_of(image, v));
        });
        return numbers;
    };
    const std::vector<double> wanted = of_solids("rays");
    ASSERT_GT(wanted.size(), 2000u);
    const std::pair<const char*, double> gates[] = {
        {"mip", 0.8},     {"hybrid", 0.8},   {"spheres", 0.8},   {"n_buffer", 0.9},
        {"summed", 0.85}, {"cones 6", 0.92}, {"cones 14", 0.97}, {"cones 26", 0.97}};
    for (const auto& [name, least] : gates) {
        const double correlation = rank_correlation(of_solids(name), wanted);
        RecordProperty(name, std::to_string(correlation));
        EXPECT_GE(correlation, least) << name;
    }
    EXPECT_LE(error_after_best_curve(of_solids("n_buffer"), wanted),
              error_after_best_curve(of_solids("mip"), wanted));
}

TEST_F(RaysAndSpheres, OpacitiesAreThoseOfTheTransferFunction) {
    OpacityVolume volume = OpacityVolume::noise({19, 6, 11}, 24);
    volume.numbers[3] = std::numeric_limits<float>::quiet_NaN();
    volume.numbers[4] = std::numeric_limits<float>::infinity();
    volume.numbers[5] = -std::numeric_limits<float>::infinity();
    Graph g = graph();
    OcclusionOpacity pass{.source = volume.image(g)};
    pass.transfer = {0.25f, 0.0f, 0.0f, 0.0f, 0.1f, 0.5f, 1.0f, 1.0f, 1.0f, 0.2f,
                     0.5f,  1.0f, 1.0f, 1.0f, 0.9f, 0.8f, 1.0f, 1.0f, 1.0f, 0.0f};
    for (int precision = 0; precision < 4; ++precision) {
        pass.precision = static_cast<OcclusionPrecision>(precision);
        g.output(std::to_string(precision), g.add(pass).result);
    }
    Running running = run(std::move(g));
    const double bounds[] = {0.5 / 255 + 1e-6, 0.5 / 65535 + 1e-6, 0x1p-12 + 1e-6, 1e-6};
    for (int precision = 0; precision < 4; ++precision)
        EXPECT_LE(worst_texel(running.image(std::to_string(precision)),
                              [&](glm::ivec3 v) {
                                  const double n = volume.at(v);
                                  if (std::isnan(n)) return 0.0;
                                  if (n < 0.25) return 0.1;
                                  if (n < 0.5) return 0.1 + 0.4 * (n - 0.25);
                                  return n < 0.8 ? 0.9 - 3.0 * (n - 0.5) : 0.0;
                              }),
                  bounds[precision] + 1e-6)
            << precision;
}

// Bad input: a transfer function of one entry is one opacity everywhere.
TEST_F(RaysAndSpheres, ATransferFunctionOfOnePointIsEven) {
    const OpacityVolume volume = OpacityVolume::noise({5, 6, 7}, 25);
    Graph g = graph();
    OcclusionOpacity pass{.source = volume.image(g)};
    pass.transfer = {0.5f, 1.0f, 0.5f, 0.2f, 0.375f};
    pass.precision = OcclusionPrecision::float32;
    g.output("one", g.add(pass).result);
    pass.unit = 2.0f; // two texels long
    g.output("two", g.add(pass).result);
    Running running = run(std::move(g));
    EXPECT_EQ(worst_texel(running.image("one"), [](glm::ivec3) { return 0.375; }), 0.0);
    EXPECT_LE(worst_texel(running.image("two"), [](glm::ivec3) { return 1.0 - std::sqrt(0.625); }),
              1e-6);
}

// Bad input: no way, more way than there is volume, voxels that are no numbers.
TEST_F(RaysAndSpheres, TakeAnyReachAndAnyNumber) {
    OpacityVolume volume = OpacityVolume::noise({9, 8, 10}, 26, 0.3);
    OpacityVolume mended = volume;
    volume.numbers[101] = std::numeric_limits<float>::quiet_NaN();
    mended.numbers[101] = 0.0f;
    volume.numbers[202] = std::numeric_limits<float>::infinity();
    mended.numbers[202] = 1.0f;
    volume.numbers[303] = -2.0f;
    mended.numbers[303] = 0.0f;
    Graph g = graph();
    const Image dirty = volume.image(g, "dirty");
    const Image clean = mended.image(g, "clean");
    const auto add = [&](const std::string& name, Image opacity) {
        g.output("rays" + name, g.add(OcclusionRays{.opacity = opacity, .rays = 16}).result);
        g.output("spheres" + name,
                 g.add(OcclusionSpheres{.opacity = opacity, .radius = 16}).result);
        for (const OcclusionMethod method : {OcclusionMethod::n_buffer, OcclusionMethod::summed})
            g.output(
                "cubes" + std::to_string(static_cast<int>(method)) + name,
                g.add(OcclusionAmbient{.opacity = opacity, .shells = 11, .method = method}).result);
    };
    add("_dirty", dirty);
    add("_clean", clean);
    OcclusionRays none{.opacity = dirty, .rays = 16};
    none.reach = 0.0f;
    g.output("none", g.add(none).result);
    Running running = run(std::move(g));
    EXPECT_EQ(worst_texel(running.image("none"), [](glm::ivec3) { return 1.0; }), 0.0);
    for (const std::string name : {"rays", "spheres", "cubes0", "cubes3"}) {
        const HostImage expected = running.image(name + "_clean");
        EXPECT_EQ(worst_texel(running.image(name + "_dirty"),
                              [&](glm::ivec3 v) { return texel_of(expected, v); }),
                  0.0)
            << name;
    }
}

// Bricks of which nothing is left are stepped over without a trace in the result.
TEST_F(RaysAndSpheres, RaysPassEmptyBricks) {
    const glm::ivec3 size(37, 29, 42);
    const OpacityVolume volume = OpacityVolume::of(size, [](glm::ivec3 v) {
        if (v == glm::ivec3(3, 20, 30) || v == glm::ivec3(20, 4, 11)) return 0.9;
        return v.x > 31 && v.y > 20 ? 0.2 : 0.0;
    });
    Graph g = graph();
    OcclusionRays pass{.opacity = volume.image(g), .rays = 200};
    pass.stride = 7;
    g.output("open", g.add(pass).result);
    const HostImage image = run(std::move(g)).image("open");
    EXPECT_LE(worst_texel(image,
                          [&](glm::ivec3 texel) {
                              const glm::ivec3 voxel = glm::min(texel * 7 + 3, size - 1);
                              double sum = 0.0;
                              for (std::uint32_t i = 0; i < pass.rays; ++i)
                                  sum += through(volume, voxel, spiral(i, pass.rays), 1e6, false);
                              return sum / pass.rays;
                          }),
              2e-4);
}

// Each frame has rays of its own, whose mean comes near that of many; a restart forgets.
TEST_F(RaysAndSpheres, FramesRefineTheMean) {
    const OpacityVolume volume = OpacityVolume::noise({8, 7, 9}, 27, 0.4);
    const auto build = [&](std::uint32_t frame, std::uint32_t restart) {
        Graph g = graph();
        const Image opacity = volume.image(g);
        OcclusionRefined pass{.opacity = opacity, .rays = 4};
        pass.frame = frame;
        pass.restart = restart;
        g.output("mean", g.add(pass).result);
        OcclusionRays now{.opacity = opacity, .rays = 4};
        now.turn = 1.0f;
        now.seed = frame;
        g.output("now", g.add(now).result);
        return g;
    };
    Running running = run(build(0, 5));
    std::vector<double> sum(volume.numbers.size());
    const auto add = [&](double share) {
        const HostImage now = running.image("now");
        std::size_t i = 0;
        volume.each([&](glm::ivec3 v) { sum[i++] += share * texel_of(now, v); });
    };
    const auto worst = [&](double share) {
        std::size_t i = 0;
        double most = 0.0;
        const HostImage mean = running.image("mean");
        volume.each([&](glm::ivec3 v) {
            most = std::max(most, std::abs(texel_of(mean, v) - share * sum[i++]));
        });
        return most;
    };
    add(1.0);
    EXPECT_EQ(worst(1.0), 0.0);
    constexpr std::uint32_t kFrames = 48;
    for (std::uint32_t frame = 1; frame < kFrames; ++frame) {
        ASSERT_TRUE(running->set_parameters(build(frame, 5).finish().parameters));
        running.execute();
        add(1.0);
    }
    EXPECT_LE(worst(1.0 / kFrames), 1e-5);
    OcclusionRays many;
    many.rays = 1024;
    const HostImage mean = running.image("mean");
    double squares = 0.0;
    volume.each([&](glm::ivec3 v) {
        double wanted = 0.0;
        for (std::uint32_t i = 0; i < 1024; ++i)
            wanted += through(volume, v, spiral(i, 1024), 1e6, false) / 1024.0;
        squares += std::pow(texel_of(mean, v) - wanted, 2.0);
    });
    // 192 rays, each of which is off by a fifth or so, were they not even.
    EXPECT_LE(std::sqrt(squares / static_cast<double>(volume.numbers.size())), 0.015);
    ASSERT_TRUE(running->set_parameters(build(99, 6).finish().parameters));
    running.execute();
    std::ranges::fill(sum, 0.0);
    add(1.0);
    EXPECT_EQ(worst(1.0), 0.0);
}

} // namespace
} // namespace tuff
