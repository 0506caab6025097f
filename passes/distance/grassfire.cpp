#include "passes/distance/grassfire.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/distance/channels.hpp"
#include "passes/distance/pass_loop.hpp"

#include <glm/vec2.hpp>

#include <algorithm>
#include <tuple>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kFireTile = 32; // as in fire_tiles.comp

/// Makes the field of one seed.
class FireMaker {
  public:
    FireMaker(Graph& graph, const Grassfire& pass, Image seed, FieldBorder border)
        : graph_(graph), pass_(pass), seed_(seed), border_(border), size_(graph.extent(seed)) {}

    MadeField run() {
        switch (pass_.method) {
        case GrassfireMethod::tiles: return tiles();
        case GrassfireMethod::in_place: return in_place();
        case GrassfireMethod::passes: return passes(PassBackEnd::compute);
        case GrassfireMethod::raster: return passes(PassBackEnd::raster);
        case GrassfireMethod::query: return passes(PassBackEnd::query);
        }
        return {};
    }

  private:
    /// The longest way, and the pass that finds nothing. From outside a texel is one step away.
    LoopLength length_of_passes() const {
        const std::uint32_t steps = pass_.metric == GridMetric::manhattan
                                        ? size_.width + size_.height - 2
                                        : std::max(size_.width, size_.height) - 1;
        return loop_length(pass_.max_passes, std::max(steps, 1u) + 1);
    }

    void set_fire(KernelNode& node, std::uint32_t unreached) const {
        node.set("eight", pass_.metric == GridMetric::chessboard ? 1u : 0u);
        node.set("border", static_cast<std::uint32_t>(border_));
        node.set("unreached", unreached);
    }

    Image new_field(FieldStorage storage) {
        ComputeNodeBuilder node = graph_.compute("distance/field_start");
        node.set("unreached", unreached(storage));
        node.read("seed", seed_, Sampler::nearest());
        const Image start =
            node.write("field", image_like(graph_, "field", seed_, field_format(storage)));
        node.dispatch_over(size_);
        return start;
    }

    MadeField passes(PassBackEnd back_end) {
        const bool draws = back_end != PassBackEnd::compute;
        const LoopLength length = length_of_passes();
        const auto bind = [&](KernelNode& node, std::uint32_t) {
            set_fire(node, unreached(pass_.storage));
            node.set("passes", length.runs);
        };
        const LoopedField spread =
            run_loop(graph_,
                     {.name = "spread",
                      .length = length,
                      .back_end = back_end,
                      .kernel = draws ? "distance/grassfire_draw" : "distance/grassfire",
                      .variant = {},
                      .notes = true,
                      .bind = bind},
                     new_field(pass_.storage), new_field(pass_.storage));
        return end(
            spread, unreached(pass_.storage),
            [&](ComputeNodeBuilder& node) { node.read("burnt", spread.field, Sampler::nearest()); },
            false);
    }

    MadeField in_place() {
        const LoopLength length = length_of_passes();
        const std::uint64_t texels = std::uint64_t{size_.width} * size_.height;
        ComputeNodeBuilder begin = graph_.compute("distance/fire_buffer_start", "field_start");
        begin.set("unreached", kUnreached32);
        begin.read("seed", seed_, Sampler::nearest());
        const Buffer start =
            begin.write("field", graph_.buffer("field", {.size = 4 * texels, .stride = 4}));
        begin.dispatch_over(size_);

        using State = std::tuple<Buffer, Buffer>;
        const auto loop =
            graph_.repeat_until("spread", length.runs, State{start, new_done(graph_, length)},
                                [&](State state, std::uint32_t pass) -> Step<State> {
                                    auto& [field, done] = state;
                                    ComputeNodeBuilder node =
                                        graph_.compute("distance/fire_in_place");
                                    set_fire(node, kUnreached32);
                                    node.set("size", glm::ivec2(size_.width, size_.height));
                                    node.set("pass", pass);
                                    node.set("changes", pass < length.changes ? 1u : 0u);
                                    field = node.write("field", field);
                                    done = node.write("done", done);
                                    node.dispatch_over(size_);
                                    return {state, done_of(done, pass)};
                                });
        const auto& [field, done] = loop.state;
        const LoopedField spread{{}, {}, done, loop.iterations, length};
        return end(
            spread, kUnreached32, [&](ComputeNodeBuilder& node) { node.read("burnt", field); },
            true);
    }

    MadeField tiles() {
        const glm::uvec2 tiles(div_round_up(size_.width, kFireTile),
                               div_round_up(size_.height, kFireTile));
        // A way crosses no more edges of tiles than lie between opposite corners, and in a picture
        // that goes on at the opposite side one more along each axis. Then comes the round that
        // finds nothing.
        const std::uint32_t around = border_ == FieldBorder::wrap ? 2 : 0;
        const LoopLength length = loop_length(pass_.max_passes, tiles.x + tiles.y + around);
        const auto flags = [&](std::string_view name) {
            const Buffer words =
                graph_.buffer(name, {.size = std::uint64_t{4} * tiles.x * tiles.y, .stride = 4});
            return graph_.fill(words, 1, name);
        };
        using State = std::tuple<Image, Image, Buffer, Buffer, Buffer>;
        const State start{new_field(FieldStorage::u32), new_field(FieldStorage::u32),
                          flags("changed_even"), flags("changed_odd"), new_done(graph_, length)};
        const auto loop = graph_.repeat_until(
            "spread", length.runs, start, [&](State state, std::uint32_t pass) -> Step<State> {
                auto& [even, odd, changed_even, changed_odd, done] = state;
                const bool from_even = pass % 2 == 0;
                ComputeNodeBuilder node = graph_.compute("distance/fire_tiles");
                set_fire(node, kUnreached32);
                node.set("pass", pass);
                node.set("changes", pass < length.changes ? 1u : 0u);
                node.read("before", from_even ? even : odd, Sampler::nearest());
                node.read("changed_before", from_even ? changed_even : changed_odd);
                Image& target = from_even ? odd : even;
                target = node.write("after", target);
                Buffer& changed = from_even ? changed_odd : changed_even;
                changed = node.write("changed_after", changed);
                done = node.write("done", done);
                node.dispatch(tiles.x, tiles.y);
                return {state, done_of(done, pass)};
            });
        const LoopedField spread{std::get<0>(loop.state), std::get<1>(loop.state),
                                 std::get<4>(loop.state), loop.iterations, length};
        return end(
            spread, kUnreached32,
            [&](ComputeNodeBuilder& node) { node.read("burnt", spread.field, Sampler::nearest()); },
            false);
    }

    /// `bind` binds what the loop has left, where `unreached` marks texels without a distance.
    template <typename Bind>
    MadeField end(const LoopedField& spread, std::uint32_t unreached_value, Bind&& bind,
                  bool from_buffer) {
        ComputeNodeBuilder node =
            graph_.compute("distance/fire_end", {{"FROM_BUFFER", from_buffer}});
        node.set("unreached", unreached_value);
        node.set("stored", unreached(pass_.storage));
        node.set("changing", spread.length.changes);
        node.set("note", spread.length.runs);
        bind(node);
        node.read("passes", spread.passes);
        node.read("done", spread.done);
        MadeField made;
        made.field =
            node.write("field", image_like(graph_, "field", seed_, field_format(pass_.storage)));
        made.status = node.write("status", count_seed(graph_, seed_, border_));
        node.dispatch_over(size_);
        return made;
    }

    Graph& graph_;
    const Grassfire& pass_;
    Image seed_;
    FieldBorder border_;
    Extent size_;
};

} // namespace

void Grassfire::describe(PassInfo<Grassfire>& info) {
    info.summary("Measures Manhattan or chessboard distances by propagation")
        .details(
            "\"tiles\" is the fastest method: distances spread within tiles of 32 x 32 texels in "
            "shared memory until nothing changes, in rounds until no tile changes. The other "
            "methods are those of the chapter: a pass gives each texel without a distance the "
            "least distance of its neighbours plus one. \"passes\" alternates between two fields. "
            "\"raster\" and \"query\" draw a triangle over the picture; a word on the device ends "
            "the loop of \"raster\", an occlusion query that of \"query\". \"in_place\" works in "
            "one field: pass p writes only p, which no invocation mistakes for p - 1. The device "
            "ends the loop after a pass or round that changed nothing. All methods give the same "
            "distances, and all but \"tiles\" take the same number of passes.\n\nTexels of 8 and "
            "16 bits hold at most 254 and 65,534: longer distances are clamped, and a warning "
            "reports them. In an empty seed nothing spreads: the field is all ones, or 2^31 - 1 "
            "in 32 bits, and a warning reports it (distance/empty-seed), unless objects lie "
            "outside; the second channel is so in a seed of objects alone (distance/full-seed). "
            "Manhattan distances are at most 41.43 % more than Euclidean distances, "
            "chessboard distances at most 29.29 % less.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(texels * passes); tiles: O(texels * rounds in which they change)")
        .cost([](const Grassfire& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 0.0);
        });
    info.input("seed", &Grassfire::seed, "not 0: an object; see distance/seed");
    info.parameter("metric", &Grassfire::metric, "four neighbours, or eight").structural();
    info.parameter("method", &Grassfire::method, "algorithm that spreads distances").structural();
    info.parameter("storage", &Grassfire::storage, "format of the field").structural();
    info.parameter("border", &Grassfire::border, "texels outside the picture").structural();
    info.parameter("channels", &Grassfire::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.parameter("max_passes", &Grassfire::max_passes,
                   "most passes or rounds of the loop; 0: as many as the picture may need")
        .range(0, 2 * kMaxFieldSide)
        .structural();
    info.output("field", &Grassfire::field,
                "distances, of the seed's size; unreached texels are all ones or 2^31 - 1");
    info.output("status", &Grassfire::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void Grassfire::build(Graph& graph) {
    if (!is_seed(graph, seed) || !has_channels(graph, storage, channels)) return;
    const MadeField made =
        in_channels(graph, channels, seed, border, [&](Image one, FieldBorder outside) {
            return FireMaker(graph, *this, one, outside).run();
        });
    field = made.field;
    status = made.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(Grassfire)

} // namespace tuff::passes
