#include "passes/occlusion/cones.hpp"
#include "passes/occlusion/cube_means.hpp"
#include "passes/occlusion/opacity.hpp"
#include "passes/occlusion/rays.hpp"
#include "passes/occlusion/spheres.hpp"
#include "passes/volume/cast.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

/// Occlusion in pictures of volumes, and what is refused.
namespace tuff {
namespace {

using passes::OcclusionAmbient;
using passes::OcclusionConeTrace;
using passes::OcclusionCubeMeans;
using passes::OcclusionMethod;
using passes::OcclusionOpacity;
using passes::OcclusionRays;
using passes::OcclusionSpheres;
using passes::TransferLookup;
using passes::VolumeCast;
using passes::VolumeCastMode;
using testing_gpu::bytes_of;
using testing_gpu::exact_ambient;
using testing_gpu::occlusion_codes;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;

class OcclusionInCasts : public testing_gpu::GpuTest {
  protected:
    static VolumeCast cast(Image source) {
        VolumeCast pass{.source = source};
        pass.camera = {.mode = passes::CameraMode::free,
                       .position = {1.3f, 0.9f, 2.6f},
                       .target = {0.05f, -0.02f, 0.03f},
                       .vertical_fov = 40.0f,
                       .near_plane = 0.5f,
                       .far_plane = 8.0f};
        pass.width = 37;
        pass.height = 30;
        pass.opaque = 0.0f;
        return pass;
    }
};

/// Of all channels.
double worst_channel(const HostImage& a, const HostImage& b) {
    EXPECT_FALSE(a.empty() || b.empty());
    double worst = 0.0;
    for (std::uint32_t y = 0; y < a.extent.height; ++y)
        for (std::uint32_t x = 0; x < a.extent.width; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                const double difference =
                    std::abs(static_cast<double>(a.texel(x, y)[c] - b.texel(x, y)[c]));
                worst = difference <= worst ? worst : difference;
            }
    return worst;
}

TEST_F(OcclusionInCasts, IsLightThatIsMultiplied) {
    const OpacityVolume volume = OpacityVolume::noise({12, 15, 9}, 31);
    Graph g = graph();
    const Image source = volume.image(g);
    // Greys that are the number, and white whose light is the number: the same picture.
    for (const TransferLookup lookup : {TransferLookup::number, TransferLookup::pair}) {
        VolumeCast grey = cast(source);
        grey.transfer = {0.0f, 0.0f, 0.0f, 0.0f, 0.1f, 1.0f, 1.0f, 1.0f, 1.0f, 0.1f};
        VolumeCast white = cast(source);
        white.transfer = {0.0f, 1.0f, 1.0f, 1.0f, 0.1f};
        white.open = source;
        const std::string name = lookup == TransferLookup::pair ? "pair" : "number";
        white.lookup = lookup;
        if (lookup == TransferLookup::number) g.output("grey", g.add(grey).result);
        g.output(name, g.add(white).result);
    }
    Running running = run(std::move(g));
    EXPECT_LE(worst_channel(running.image("grey"), running.image("number")), 2e-5);
    // A pair is looked up at both ends of a step and lit in its middle, as a number is.
    EXPECT_LE(worst_channel(running.image("grey"), running.image("pair")), 2e-4);
    double brightest = 0.0;
    for (std::uint32_t x = 0; x < 37; ++x)
        brightest = std::max(brightest, static_cast<double>(running.image("grey").texel(x, 15)[0]));
    EXPECT_GT(brightest, 0.2);
}

// Light of a colour, and a volume of fewer texels than the source.
TEST_F(OcclusionInCasts, MayBeOfAColorAndOfAnotherSize) {
    const OpacityVolume volume = OpacityVolume::noise({12, 14, 8}, 35);
    const OpacityVolume ramp = OpacityVolume::of(
        {12, 14, 8}, [](glm::ivec3 v) { return std::clamp(0.1 + 0.05 * (v.x - 0.5), 0.1, 0.6); });
    const OpacityVolume halved = OpacityVolume::of(
        {6, 7, 4}, [](glm::ivec3 v) { return 0.1 + 0.1 * v.x; }); // the same between its texels
    Graph g = graph();
    VolumeCast white = cast(volume.image(g));
    white.transfer = {0.0f, 1.0f, 1.0f, 1.0f, 0.1f};
    white.open = ramp.image(g, "ramp");
    g.output("whole", g.add(white).result);
    white.open = halved.image(g, "halved");
    g.output("halved", g.add(white).result);
    std::vector<float> texels(4 * 6 * 7 * 4, 0.0f);
    for (std::size_t i = 0; i < texels.size(); i += 4) {
        texels[i] = 1.0f;
        texels[i + 1] = 0.5f;
        texels[i + 3] = 0.7f; // is not looked at
    }
    white.open = g.constant_image(
        "orange", {.format = Format::rgba32_sfloat, .extent = {6, 7, 4}, .shape = ImageShape::d3},
        bytes_of(texels));
    g.output("orange", g.add(white).result);
    white.open = {};
    white.transfer = {0.0f, 1.0f, 0.5f, 0.0f, 0.1f};
    g.output("as_orange", g.add(white).result);
    Running running = run(std::move(g));
    // They differ within half a voxel of the first and of the last.
    EXPECT_LE(worst_channel(running.image("whole"), running.image("halved")), 8e-3);
    EXPECT_LE(worst_channel(running.image("orange"), running.image("as_orange")), 1e-5);
}

TEST_F(OcclusionInCasts, DarkensTheAmbientShareAlone) {
    const OpacityVolume volume = OpacityVolume::noise({12, 15, 9}, 32);
    const OpacityVolume half = OpacityVolume::of(volume.dims, [](glm::ivec3) { return 0.5; });
    const OpacityVolume none = OpacityVolume::of(volume.dims, [](glm::ivec3) { return 0.0; });
    Graph g = graph();
    const Image source = volume.image(g);
    const Image halves = half.image(g, "halves");
    const Image nothing = none.image(g, "nothing");
    for (const VolumeCastMode mode : {VolumeCastMode::composite, VolumeCastMode::surface}) {
        VolumeCast pass = cast(source);
        pass.mode = mode;
        pass.shaded = true;
        const std::string name = mode == VolumeCastMode::surface ? "surface" : "composite";
        g.output(name + "all", g.add(pass).result);
        pass.open = halves;
        g.output(name + "halves", g.add(pass).result);
        pass.open = nothing;
        g.output(name + "nothing", g.add(pass).result);
        pass.open = {};
        pass.light.ambient *= 0.5f;
        g.output(name + "half_ambient", g.add(pass).result);
        pass.light.ambient = 0.0f;
        g.output(name + "no_ambient", g.add(pass).result);
    }
    Running running = run(std::move(g));
    for (const std::string name : {"surface", "composite"}) {
        EXPECT_LE(
            worst_channel(running.image(name + "halves"), running.image(name + "half_ambient")),
            1e-6);
        EXPECT_LE(
            worst_channel(running.image(name + "nothing"), running.image(name + "no_ambient")),
            1e-6);
        EXPECT_GT(worst_channel(running.image(name + "all"), running.image(name + "nothing")),
                  0.05);
    }
}

class OcclusionMistakes : public testing_gpu::GpuTest {};

TEST_F(OcclusionMistakes, AreNamed) {
    const OpacityVolume volume = OpacityVolume::noise({4, 5, 6}, 33);
    const OpacityVolume other = OpacityVolume::noise({4, 5, 7}, 34);
    const auto codes = [&](auto&& add) {
        Graph g = graph();
        add(g);
        return occlusion_codes(g);
    };
    const auto picture = [](Graph& g) {
        return g.image("picture", {.format = Format::r32_sfloat, .extent = {8, 8, 1}});
    };
    const auto integers = [](Graph& g) {
        return g.image("integers",
                       {.format = Format::r32_uint, .extent = {8, 8, 8}, .shape = ImageShape::d3});
    };
    for (const auto& wrong :
         {std::function<Image(Graph&)>(picture), std::function<Image(Graph&)>(integers)}) {
        EXPECT_EQ(codes([&](Graph& g) { g.add(exact_ambient(wrong(g))); }),
                  "occlusion/not-opacities ");
        EXPECT_EQ(codes([&](Graph& g) { g.add(OcclusionRays{.opacity = wrong(g)}); }),
                  "occlusion/not-opacities ");
        EXPECT_EQ(codes([&](Graph& g) { g.add(OcclusionSpheres{.opacity = wrong(g)}); }),
                  "occlusion/not-opacities ");
        EXPECT_EQ(codes([&](Graph& g) { g.add(OcclusionCubeMeans{.opacity = wrong(g)}); }),
                  "occlusion/not-opacities ");
        EXPECT_EQ(codes([&](Graph& g) {
                      OcclusionAmbient pass = exact_ambient(volume.image(g));
                      pass.numbers = wrong(g);
                      g.add(pass);
                  }),
                  "occlusion/not-opacities ");
        EXPECT_EQ(codes([&](Graph& g) {
                      VolumeCast pass{.source = volume.image(g)};
                      pass.open = wrong(g);
                      g.add(pass);
                  }),
                  "volume/bad-open ");
    }
    EXPECT_EQ(codes([&](Graph& g) {
                  OcclusionRays pass{.opacity = volume.image(g)};
                  pass.numbers = other.image(g, "other");
                  g.add(pass);
              }),
              "occlusion/size ");
    EXPECT_EQ(codes([&](Graph& g) {
                  OcclusionAmbient pass = exact_ambient(volume.image(g));
                  pass.numbers = other.image(g, "other");
                  g.add(pass);
              }),
              "occlusion/size ");
    EXPECT_EQ(codes([&](Graph& g) {
                  DeviceCaps small = g.target();
                  small.max_storage_buffer_bytes = 256; // 30 rows of four sums are 480 bytes
                  g.set_target(small);
                  OcclusionAmbient pass = exact_ambient(volume.image(g));
                  pass.method = OcclusionMethod::summed;
                  g.add(pass);
              }),
              "occlusion/too-large ");
    EXPECT_EQ(codes([&](Graph& g) {
                  OcclusionOpacity pass{.source = volume.image(g)};
                  pass.transfer = {0.0f, 1.0f};
                  g.add(pass);
              }),
              "volume/bad-transfer ");
    EXPECT_EQ(codes([&](Graph& g) {
                  OcclusionCubeMeans pass{.opacity = volume.image(g)};
                  pass.method = OcclusionMethod::summed;
                  g.add(pass);
              }),
              "occlusion/no-levels ");
    EXPECT_EQ(codes([&](Graph& g) {
                  g.add(OcclusionConeTrace{.opacity = volume.image(g),
                                           .colors = other.image(g, "other")});
              }),
              "occlusion/not-colors ");
    EXPECT_EQ(codes([&](Graph& g) { g.add(OcclusionConeTrace{.opacity = picture(g)}); }),
              "occlusion/not-opacities ");
    EXPECT_EQ(codes([&](Graph& g) { g.add(OcclusionOpacity{.source = picture(g)}); }),
              "volume/not-a-volume ");
    // An N-buffer of 2048 voxels has more texels than an image; a mip has not.
    const auto large = [&](OcclusionMethod method) {
        return codes([&](Graph& g) {
            OcclusionAmbient pass =
                exact_ambient(g.image("large", {.format = Format::r8_unorm,
                                                .extent = {g.target().max_image_3d, 1, 1},
                                                .shape = ImageShape::d3}));
            pass.method = method;
            g.add(pass);
        });
    };
    EXPECT_EQ(large(OcclusionMethod::n_buffer), "occlusion/too-large ");
    EXPECT_EQ(large(OcclusionMethod::hybrid), "");
    EXPECT_EQ(large(OcclusionMethod::mip), "");
}

} // namespace
} // namespace tuff
