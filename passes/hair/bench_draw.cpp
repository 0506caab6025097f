#include "apps/bench/checks.hpp"
#include "passes/hair/draw.hpp"
#include "passes/hair/groom.hpp"
#include "passes/hair/shadow.hpp"
#include "passes/hair/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Pictures of hair and its shadows, as many vertices as the case has elements.
namespace tuff::bench {
namespace {

using passes::DrawHair;
using passes::HairBlend;
using passes::HairRaster;
using passes::HairShape;
using passes::ShadowForm;
using passes::ShadowHair;

constexpr std::uint32_t kDrawnVertices = 16; // of a strand
constexpr float kDrawnWidth = 0.5f;          // of a strand, pixels

/// Short level strands all over a picture: no two of them in one pixel, so that what they cover
/// adds up.
class Dashes {
  public:
    explicit Dashes(std::uint64_t vertices, bool on_cpu)
        : side_(on_cpu ? 256 : 2048),
          count_(std::max<std::uint32_t>(static_cast<std::uint32_t>(vertices / kDrawnVertices), 1)),
          columns_((count_ + side_ / 2 - 1) / (side_ / 2)) {}

    std::uint32_t side() const { return side_; }
    std::uint32_t count() const { return count_; }
    double pixels() const { return 0.8 * side_ / columns_; } ///< length of a strand
    glm::vec4 vertex(std::uint64_t i) const {
        const std::uint64_t strand = i / kDrawnVertices;
        const double share = static_cast<double>(i % kDrawnVertices) / (kDrawnVertices - 1);
        const double x =
            (static_cast<double>(strand % columns_) + 0.1 + 0.8 * share) * side_ / columns_;
        const double y = 2.0 * static_cast<double>(strand / columns_) + 0.5;
        return {static_cast<float>(2.0 * x / side_ - 1.0),
                static_cast<float>(1.0 - 2.0 * y / side_), 0.0f, 1.0f};
    }

  private:
    std::uint32_t side_;
    std::uint32_t count_;
    std::uint32_t columns_; ///< strands of a row
};

void draw(CaseBuilder& c, HairRaster raster) {
    const Dashes dashes(c.size(), c.caps().type == DeviceType::cpu);
    const std::uint64_t vertices = std::uint64_t{dashes.count()} * kDrawnVertices;
    HairShape shape{.count = dashes.count(), .vertices = kDrawnVertices};
    shape.positions = c.input<glm::vec4>("places", vertices, [&](std::uint64_t i) {
                           return dashes.vertex(i);
                       }).buffer;
    shape.tangents = c.input<glm::vec4>("tangents", vertices, [](std::uint64_t) {
                          return glm::vec4(1.0f, 0.0f, 0.0f, 0.0f);
                      }).buffer;
    shape.groups =
        c.input<std::uint32_t>("groups", dashes.count(), [](std::uint64_t) { return 0u; }).buffer;
    DrawHair pass{.shape = shape, .raster = raster};
    pass.lit =
        c.input<glm::vec4>("lit", vertices, [](std::uint64_t) { return glm::vec4(1.0f); }).buffer;
    pass.width = dashes.side();
    pass.height = dashes.side();
    pass.camera = {.mode = passes::CameraMode::free,
                   .position = {0.0f, 0.0f, 2.0f},
                   .target = glm::vec3(0.0f),
                   .vertical_fov = 53.130102f}; // two units at the strands
    pass.radius = kDrawnWidth / static_cast<float>(dashes.side());
    pass.tip = 1.0f;
    pass.opacity = 1.0f;
    c.check("picture", c.add(pass).result, [dashes](const HostImage& got) -> Verdict {
        double sum = 0.0;
        for (std::uint32_t y = 0; y < dashes.side(); ++y)
            for (std::uint32_t x = 0; x < dashes.side(); ++x)
                sum += static_cast<double>(got.texel(x, y)[0]);
        // The two ends of a strand take up to a width more or less.
        return near(sum / dashes.count(), dashes.pixels() * static_cast<double>(kDrawnWidth),
                    {.absolute = 0.5 * kDrawnWidth, .relative = 0.05});
    });
}

/// The shadow holds the area of all strands, as the light sees it.
Verdict holds_area(std::uint64_t sum, std::span<const glm::vec4> places, const glm::mat4& to_light,
                   double width) {
    const glm::dmat4 m(to_light);
    double area = 0.0;
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        if (i % kDrawnVertices == kDrawnVertices - 1) continue;
        const glm::dvec4 a = m * glm::dvec4(glm::dvec3(places[i]), 1.0);
        const glm::dvec4 b = m * glm::dvec4(glm::dvec3(places[i + 1]), 1.0);
        area += width * std::max(glm::distance(glm::dvec2(a), glm::dvec2(b)), width);
    }
    return near(static_cast<double>(sum) / 1024.0, area, {.relative = 0.03});
}

void shadow(CaseBuilder& c, ShadowForm form) {
    const auto strands =
        std::max<std::uint32_t>(static_cast<std::uint32_t>(c.size() / kDrawnVertices), 1);
    Graph& g = c.graph();
    const passes::HairGroom groom =
        g.add(passes::GroomHair{
                  .count = strands, .vertices = kDrawnVertices, .shape = passes::StrandShape::wavy})
            .groom;
    passes::StepHair still{.groom = groom};
    still.motion.mode = passes::HairMode::rigid;
    ShadowHair pass{.shape = g.add(still).shape, .form = form};
    pass.side = 256;
    pass.extent = 0.6f;
    pass.radius = 0.001f; // wide enough that a strand's share of a texel is no rounding
    pass.tip = 1.0f;
    pass.thickness = 0.1f;
    // A strand's edge touches several texels.
    pass.nodes = std::max(32.0f, 8.0f * static_cast<float>(c.size()) / (256 * 256));
    c.output("places", pass.shape.positions);
    c.time_only("timed/");
    const passes::HairShadow made = c.add(pass, "timed").shadow;
    c.output("first", made.first);
    c.output("words", made.words);
    c.check([form, to_light = made.light_from_world,
             width = 0.002 * 256 / 1.2](CaseResults& results) -> Verdict {
        const auto words = results.read<std::uint32_t>("words");
        std::uint64_t sum = 0;
        if (form == ShadowForm::opacity_map) {
            for (const std::uint32_t word : words)
                sum += word;
        } else {
            for (std::uint32_t node : results.read<std::uint32_t>("first"))
                for (; node != ~0u && 3 * std::size_t{node} + 2 < words.size();
                     node = words[3 * std::size_t{node} + 2])
                    sum += words[3 * std::size_t{node} + 1];
        }
        return holds_area(sum, results.read<glm::vec4>("places"), to_light, width);
    });
}

} // namespace

void add_hair_draw_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 256,
                   .most = std::uint64_t{1} << 22,
                   .most_on_software = std::uint64_t{1} << 14});
    };
    add(DrawHair::kName, "ribbons", [](CaseBuilder& c) { draw(c, HairRaster::ribbons); });
    add(DrawHair::kName, "compute", [](CaseBuilder& c) { draw(c, HairRaster::compute); });
    add(ShadowHair::kName, "opacity map",
        [](CaseBuilder& c) { shadow(c, ShadowForm::opacity_map); });
    add(ShadowHair::kName, "lists", [](CaseBuilder& c) { shadow(c, ShadowForm::lists); });
}

} // namespace tuff::bench
