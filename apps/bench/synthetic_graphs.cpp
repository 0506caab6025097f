#include "apps/bench/synthetic_graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tuff::bench {
namespace {

/// A linear congruential generator; its upper 24 bits are the result.
class Lcg {
  public:
    explicit Lcg(std::uint32_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        state_ = state_ * 1'664'525u + 1'013'904'223u;
        return (state_ >> 8) % bound;
    }

  private:
    std::uint32_t state_;
};

constexpr Extent kFullHd{1920, 1080};
constexpr ImageDesc kPicture{.format = Format::rgba8_unorm, .extent = kFullHd};

Outline make_chain(std::uint32_t passes) {
    Outline outline;
    for (std::uint32_t i = 0; i < passes; ++i) {
        outline.passes.push_back({.image = kPicture});
        if (i > 0) outline.passes.back().reads = {i - 1};
    }
    return outline;
}

/// The numbers are drawn in one fixed order, so that graphs of one size are the same everywhere.
Outline make_dag(std::uint32_t passes) {
    constexpr std::array kFormats = {Format::rgba8_unorm, Format::rgba16_sfloat,
                                     Format::r32_sfloat};
    Lcg random(12'345u + passes);
    Outline outline;
    for (std::uint32_t i = 0; i < passes; ++i) {
        Outline::Pass pass;
        pass.image.format = kFormats[random.below(3)];
        const std::uint32_t shrink = 1u << random.below(3);
        pass.image.extent = {kFullHd.width / shrink, kFullHd.height / shrink};
        pass.raster = random.below(2) != 0;
        if (i > 0) {
            pass.reads = {i - 1};
            const std::uint32_t more = random.below(3);
            for (std::uint32_t m = 0; m < more; ++m) {
                const std::uint32_t back = std::min(1 + random.below(8), i);
                if (std::ranges::find(pass.reads, i - back) == pass.reads.end())
                    pass.reads.push_back(i - back);
            }
        }
        outline.passes.push_back(std::move(pass));
    }
    return outline;
}

Outline make_wide(std::uint32_t passes) {
    const std::uint32_t chains = passes >= 32 ? 8 : 2;
    Outline outline;
    const auto add = [&](bool raster, std::vector<std::uint32_t> reads) {
        outline.passes.push_back({.image = kPicture, .raster = raster, .reads = std::move(reads)});
        return static_cast<std::uint32_t>(outline.passes.size() - 1);
    };
    std::vector<std::uint32_t> heads;
    for (std::uint32_t i = 0; i < passes - (chains - 1); ++i) {
        const std::uint32_t chain = i % chains;
        const bool raster = chain % 2 != 0;
        if (chain < heads.size())
            heads[chain] = add(raster, {heads[chain]});
        else
            heads.push_back(add(raster, {}));
    }
    std::uint32_t joined = heads[0];
    for (std::size_t chain = 1; chain < heads.size(); ++chain)
        joined = add(false, {joined, heads[chain]});
    return outline;
}

} // namespace

std::string_view name_of(Shape shape) {
    switch (shape) {
    case Shape::chain: return "chain";
    case Shape::dag: return "dag";
    case Shape::wide: return "wide";
    }
    std::unreachable();
}

Outline make_outline(Shape shape, std::uint32_t passes) {
    Outline outline = shape == Shape::chain ? make_chain(passes)
                      : shape == Shape::dag ? make_dag(passes)
                                            : make_wide(passes);
    for (std::size_t i = 0; i < outline.passes.size(); ++i)
        outline.passes[i].name = fmt::format("pass{}", i);
    return outline;
}

GraphDesc build(const Outline& outline) {
    Graph graph;
    std::vector<Image> images;
    images.reserve(outline.passes.size());
    for (std::size_t i = 0; i < outline.passes.size(); ++i) {
        const Outline::Pass& pass = outline.passes[i];
        CustomNodeBuilder node = graph.custom(pass.name);
        const StageMask shader = pass.raster ? stage::kFragmentShader : stage::kCompute;
        for (const std::uint32_t read : pass.reads)
            node.read(images[read], Access::sampled, shader);
        images.push_back(node.write(graph.image(pass.name, pass.image),
                                    pass.raster ? Access::color_write : Access::storage_write,
                                    shader));
        if (i + 1 == outline.passes.size()) node.keep();
    }
    return std::move(graph).finish();
}

} // namespace tuff::bench
