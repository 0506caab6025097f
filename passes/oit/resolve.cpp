#include "passes/oit/resolve.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTileSide = 8; // as in oit/resolve_tiles.glsl
/// Of each bucket the most fragments that its tiles sort at a time: oit/buckets.glsl.
constexpr std::array<std::uint32_t, 6> kBucketKeeps{1, 4, 8, 16, 32, 32};

class Resolve {
  public:
    Resolve(Graph& graph, const OitResolve& pass)
        : graph_(graph), pass_(pass), lists_(pass.lists),
          background_(pass.background ? pass.background : pass.view.color), size_(lists_.area.size),
          across_(div_round_up(size_.x, kTileSide)), down_(div_round_up(size_.y, kTileSide)) {}

    Image by_tiles(Image result) const {
        if (pass_.tiles == TileChoice::all) {
            ComputeNodeBuilder node = start("blend", pass_.keep);
            look_at_all(node);
            result = node.write("result", result);
            node.dispatch(across_, down_);
            return result;
        }
        const Buckets buckets = classify();
        for (std::uint32_t i = 0; i < kBucketKeeps.size(); ++i) {
            ComputeNodeBuilder node =
                start(fmt::format("bucket_{}", i), std::min(pass_.keep, kBucketKeeps[i]));
            node.specialize("kListed", 1u);
            node.specialize("kBucket", i);
            node.set("first", i * across_ * down_);
            node.read("tiles", buckets.tiles);
            node.read("tile_counts", buckets.counts);
            result = node.write("result", result);
            node.dispatch_indirect(buckets.arguments, std::uint64_t{12} * i);
        }
        return result;
    }

    Image by_samples(Image result) const {
        const bool under = pass_.order == BlendOrder::under;
        ComputeNodeBuilder blend = start("oit/resolve_each", "blend", pass_.keep);
        look_at_all(blend);
        const Image samples =
            blend.write("result", graph_.image("layers", {.format = Format::rgba16_sfloat,
                                                          .extent = graph_.extent(background_),
                                                          .layers = lists_.samples}));
        blend.dispatch(across_, down_, lists_.samples);

        RasterNodeBuilder node = graph_.raster("oit/each_sample", "samples");
        // Under: fixed functions put the picture behind what the fragments make. Over: the picture
        // has been read, and what is drawn goes elsewhere.
        if (under)
            static_cast<void>(node.blended_color(background_, loaded()));
        else
            static_cast<void>(
                node.color(graph_.image("samples", graph_.desc(background_)), discarded()));
        result = node.resolve(result);
        node.state().depth_test = false;
        node.state().depth_write = false;
        node.read("samples", samples, Sampler::nearest());
        node.draw({.count = 3});
        return result;
    }

  private:
    struct Buckets {
        Buffer tiles;
        Buffer counts;
        Buffer arguments;
    };
    Buckets classify() const {
        const auto buckets = static_cast<std::uint32_t>(kBucketKeeps.size());
        ComputeNodeBuilder node = graph_.compute("oit/classify");
        bind_lists(node, lists_);
        node.set("size", size_);
        node.set("tiles", across_ * down_);
        Buckets made;
        made.tiles =
            node.write("tiles", array(graph_, "tiles", std::uint64_t{buckets} * across_ * down_));
        made.counts = node.accumulate(
            "tile_counts", graph_.fill(array(graph_, "tile_counts", buckets), 0, "clear_tiles"));
        node.dispatch(across_, down_);

        ComputeNodeBuilder arguments = graph_.compute("oit/tile_arguments");
        arguments.read("tile_counts", made.counts);
        made.arguments =
            arguments.write("arguments", array(graph_, "arguments", std::uint64_t{3} * buckets));
        arguments.dispatch(1);
        return made;
    }

    void set_order(KernelNode& node, std::uint32_t keep) const {
        node.specialize("kKeep", keep);
        node.specialize("kOrder", static_cast<std::uint32_t>(pass_.order));
        node.specialize("kLong", static_cast<std::uint32_t>(pass_.long_lists));
    }

    /// At all tiles, and not those of a list.
    void look_at_all(ComputeNodeBuilder& node) const {
        node.specialize("kListed", 0u);
        node.set("first", 0u);
        node.read("tiles", lists_.heads);
        node.read("tile_counts", lists_.heads);
    }

    ComputeNodeBuilder start(std::string_view name, std::uint32_t keep) const {
        return start(lists_.samples > 1 ? "oit/resolve_samples" : "oit/resolve", name, keep);
    }
    ComputeNodeBuilder start(std::string_view kernel, std::string_view name,
                             std::uint32_t keep) const {
        ComputeNodeBuilder node = graph_.compute(kernel, name);
        bind_lists(node, lists_);
        set_order(node, keep);
        node.set("origin", lists_.area.origin);
        node.set("size", size_);
        node.set("depths", lists_.depths);
        node.read("background", background_, Sampler::nearest());
        if (lists_.samples > 1) {
            node.read("opaque_depth", pass_.view.depth, Sampler::nearest());
            if (pass_.rate == ResolveRate::pixel)
                node.specialize("kAverage", static_cast<std::uint32_t>(pass_.average));
            node.specialize("kDepthTest", std::uint32_t(lists_.rate == CaptureRate::pixel));
        }
        return node;
    }

    Graph& graph_;
    const OitResolve& pass_;
    const FragmentLists& lists_;
    Image background_;
    glm::uvec2 size_;
    std::uint32_t across_;
    std::uint32_t down_;
};

bool is_valid(Graph& graph, const OitResolve& pass) {
    if (!have_colors(graph, pass.lists)) return false;
    const ImageDesc picture = graph.desc(pass.background ? pass.background : pass.view.color);
    if (picture.samples != pass.lists.samples) {
        graph.error("oit/samples", fmt::format("the fragments have {} samples a pixel, but the "
                                               "picture has {}",
                                               pass.lists.samples, picture.samples));
        return false;
    }
    if (!lists_fit(graph, pass.lists, pass.background ? pass.background : pass.view.color))
        return false;
    if (pass.order == BlendOrder::under && pass.lists.samples > 1 &&
        pass.rate == ResolveRate::pixel) {
        graph.error("oit/under-samples",
                    "the rate \"pixel\" blends several samples back to front only",
                    "set \"rate\" to \"sample\", or \"order\" to \"over\"");
        return false;
    }
    return true;
}

} // namespace

void OitResolve::describe(PassInfo<OitResolve>& info) {
    info.summary("Sorts the transparent fragments of each pixel and blends them over a picture")
        .details(
            "Fragments are sorted by depth and, at equal depth, by triangle, so the result is the "
            "same to the bit for any drawing order. Up to \"keep\" fragments are sorted at a time "
            "in shared memory. A pixel with more continues in another round (\"exact\"), or only "
            "its nearest fragments count (\"nearest\"). \"buckets\" first sorts tiles of 8x8 "
            "pixels by their longest list, so short lists run with little shared memory.\n\n"
            "\"over\" blends back to front; \"under\" blends front to back with the transmittance, "
            "and agrees except for rounding. In multisampled pictures \"pixel\" blends all samples "
            "of a pixel in one pass over the list and averages them; \"sample\" blends each sample "
            "separately, and with \"under\" adds the picture behind by fixed-function blending, "
            "where fragments that multiply count as empty. Fragments with several samples are "
            "tested against the opaque depth of each.")
        .source("Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", GPU "
                "Pro 2, 2011")
        .complexity("O(pixels + fragments * min(list length, keep))")
        .cost([](const OitResolve& pass, const Graph& graph) -> Cost {
            if (!pass.color || !pass.lists) return {};
            const auto pixels = static_cast<double>(pass.lists.area.pixels());
            const double fragments = static_cast<double>(graph.desc(pass.lists.fragments).size);
            return {.bytes = fragments + pixels * (12.0 + 8.0 * pass.lists.samples),
                    .operations = fragments};
        });
    info.input("lists", &OitResolve::lists, "the fragments, from oit/capture or oit/shade");
    info.input("view", &OitResolve::view, "the view that the fragments were captured with");
    info.optional_input("background", &OitResolve::background,
                        "the picture behind the fragments; without it the view's picture");
    info.parameter("order", &OitResolve::order, "back to front or front to back").structural();
    info.parameter("keep", &OitResolve::keep, "number of fragments of a pixel sorted at a time")
        .range(1, kMaxKept)
        .structural();
    info.parameter("long_lists", &OitResolve::long_lists, "how longer lists are resolved")
        .structural();
    info.parameter("rate", &OitResolve::rate, "for multisampled pictures; see the description")
        .structural();
    info.parameter("average", &OitResolve::average,
                   "average of the samples of a pixel: plain, or with less weight for brighter "
                   "samples")
        .structural();
    info.parameter("tiles", &OitResolve::tiles, "how the work is distributed").structural();
    info.parameter("format", &OitResolve::format, "format of the result").structural();
    info.output("color", &OitResolve::color, "the picture with the fragments, one sample a pixel");
}

void OitResolve::build(Graph& graph) {
    const Image picture = background ? background : view.color;
    const ImageDesc like = picture ? graph.desc(picture) : ImageDesc{.extent = {1, 1, 1}};
    color = target ? target
                   : graph.image("color", {.format = result_format(like.format, format),
                                           .extent = like.extent});
    if (!is_valid(graph, *this)) return;
    const Resolve resolve(graph, *this);
    if (rate == ResolveRate::sample && lists.samples > 1) {
        // Attachments and what they are resolved into have one format.
        color = graph.image("color", {.format = like.format, .extent = like.extent});
        color = resolve.by_samples(color);
    } else {
        color = resolve.by_tiles(color);
    }
}

TUFF_PASS(OitResolve)

} // namespace tuff::passes
