#include "passes/displacement/cast.hpp"

#include "passes/bvh/cast.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/displacement/links.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPairs = 1u << 28;
constexpr std::uint32_t kSharedLevel = 5; // whose nodes shared memory holds
constexpr std::uint32_t kLanesOfTrace = 64;
// Where the device ends the loops of an invocation after 65,536 rounds: so many may walk down
// trees. A round is a node; the rest builds the tree.
constexpr std::uint32_t kRoundsOfWalks = 60'000;
constexpr std::uint32_t kMaxTraces = 64; // kernels of a cast, if memory allows

std::shared_ptr<const std::vector<std::byte>> as_bytes(const std::vector<std::uint32_t>& words) {
    std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

/// How rays lie in their buffer, and where their hits go.
struct RayLayout {
    std::uint32_t quads = 2; ///< from one ray to the next
    bool endless = false;    ///< of paths
    Buffer queue;            ///< those that are cast; not connected: all
    Buffer queue_length;
    std::uint32_t more_quads = 0; ///< behind the hits of all
};

/// A cast as it is built.
class Cast {
  public:
    Cast(Graph& graph, CastDisplaced& pass, std::uint32_t rays, const RayLayout& layout)
        : graph_(graph), pass_(pass), surface_(pass.surface), rays_(rays),
          numbers_(pass.surface.numbers()), layout_(layout) {}

    void build() {
        if (pass_.method == PatchMethod::deferred)
            defer();
        else
            descend();
    }

  private:
    void descend() {
        const bool kept = keeps_trees();
        ComputeNodeBuilder node =
            graph_.compute("displacement/descend", {{"STORE", kept ? "kept" : "none"},
                                                    {"COUNTED", pass_.with_levels ? 1 : 0}});
        surface_.bind(node);
        bind_rays(node);
        bind_boxes(node);
        if (kept)
            bind_kept_trees(node);
        else
            node.read("bounds", surface_.bounds);
        bind_fineness(node);
        node.specialize("question_any", std::uint32_t(pass_.any));
        pass_.hits = node.write("hits", new_hits());
        if (pass_.with_levels) {
            pass_.levels = node.write("levels", words("levels", rays_));
            pass_.status = node.write("status", no_counts());
            graph_.status<DisplacedCastStatus>(pass_.status);
        }
        dispatch_rays(node);
    }

    void defer() {
        room_ = pair_room();
        begin();
        find();
        sort();
        make_jobs();
        trace();
        settle();
        graph_.status<DisplacedCastStatus>(pass_.status);
    }

    bool keeps_trees() const { return surface_.trees && pass_.store == TreeStore::automatic; }
    /// Rays that share a tree: no more than invocations can walk for.
    std::uint32_t batch() const {
        if (graph_.target().unbounded_loops) return pass_.batch;
        const std::uint32_t walks = std::max(kRoundsOfWalks / quad_tree_nodes(surface_.level), 1u);
        return std::min(pass_.batch, kLanesOfTrace * walks);
    }
    bool wide() const {
        return pass_.nearest == NearestKept::automatic ? graph_.target().int64_buffer_atomics
                                                       : pass_.nearest == NearestKept::wide;
    }
    std::uint32_t pair_room() const {
        const std::uint64_t wanted =
            pass_.most_pairs != 0 ? pass_.most_pairs : std::uint64_t{4} * rays_;
        const std::uint64_t most =
            std::min<std::uint64_t>(kMaxPairs, graph_.target().max_storage_buffer_bytes / 16);
        return static_cast<std::uint32_t>(
            std::min(graph_.pool("pairs", std::min(wanted, most), 16), most));
    }
    Buffer words(std::string_view name, std::uint64_t count) const {
        return graph_.buffer(name, {.size = 4 * std::max<std::uint64_t>(count, 1), .stride = 4});
    }
    Buffer quads(std::string_view name, std::uint64_t count) const {
        return graph_.buffer(name, {.size = 16 * std::max<std::uint64_t>(count, 1), .stride = 16});
    }

    void bind_rays(ComputeNodeBuilder& node) {
        node.read("rays", pass_.rays);
        node.read_optional("before", pass_.before, "has_before");
        node.specialize("ray_quads", layout_.quads);
        node.specialize("endless", std::uint32_t(layout_.endless));
    }
    /// An invocation for each ray that is cast.
    void dispatch_rays(ComputeNodeBuilder& node) {
        node.set("ray_count", rays_);
        node.read_optional("queue", layout_.queue);
        node.read_optional("queue_length", layout_.queue_length, "has_queue");
        if (layout_.queue)
            dispatch_each(graph_, node, {.most = rays_, .count = layout_.queue_length});
        else
            node.dispatch_each(rays_);
    }
    /// What says how fine rays cut patches.
    void bind_fineness(ComputeNodeBuilder& node) {
        node.specialize("from_eye", std::uint32_t(pass_.from == FinenessFrom::eye));
        node.specialize("leaf_boxes", std::uint32_t(pass_.leaf == PatchLeaf::boxes));
        node.set("finest", surface_.level);
        node.set("scale", surface_.scale);
        node.set("spread", pass_.spread);
        node.set("eye", pass_.eye);
    }
    void bind_links(ComputeNodeBuilder& node) {
        const std::vector<std::uint32_t> links = quad_tree_links(surface_.level);
        node.read("links", graph_.constant_buffer("links", {.size = 4 * links.size(), .stride = 4},
                                                  as_bytes(links)));
    }
    Buffer no_counts() {
        return graph_.fill(words("status", sizeof(DisplacedCastStatus) / 4), 0, "no_counts");
    }
    void bind_kept_trees(ComputeNodeBuilder& node) {
        bind_links(node);
        node.read("trees", surface_.trees);
        node.specialize("bytes", std::uint32_t(surface_.bits == NodeBits::bits8));
        node.set("node_room", tree_words(surface_.level, surface_.bits));
    }
    void bind_boxes(ComputeNodeBuilder& node) {
        node.read("bvh_nodes", surface_.bvh.nodes);
        node.read("bvh_leaves", surface_.bvh.leaves);
        node.read("bvh_status", surface_.placed ? surface_.placed.status : surface_.bvh.status);
        node.read_optional("bvh_top_nodes", surface_.placed.top_nodes, "has_instances");
        node.read_optional("bvh_top_leaves", surface_.placed.top_leaves, "has_instances");
        surface_.bind_places(node);
        node.read("boxes", surface_.boxes);
    }
    Buffer new_hits() const { return quads("hits", std::uint64_t{rays_} + layout_.more_quads); }
    /// Writes hits and levels, into those before where there are some.
    void write_hits(ComputeNodeBuilder& node, Buffer hits, Buffer levels) {
        node.specialize("with_levels", std::uint32_t(pass_.with_levels));
        pass_.hits = node.write("hits", hits ? hits : new_hits());
        const Buffer written =
            node.write("levels", levels ? levels : words("levels", pass_.with_levels ? rays_ : 1));
        levels_ = written;
        if (pass_.with_levels) pass_.levels = written;
    }
    Length pairs() const { return {.most = room_, .count = pass_.status}; }

    void begin() {
        ComputeNodeBuilder node = graph_.compute("displacement/begin", {{"WIDE", wide() ? 1 : 0}});
        bind_rays(node);
        if (wide()) {
            nearest_ = node.write(
                "nearest",
                graph_.buffer("nearest", {.size = std::uint64_t{8} * rays_, .stride = 8}));
        } else {
            nearest_ = node.write("nearest", words("nearest", rays_));
            winners_ = node.write("winners", words("winners", rays_));
        }
        write_hits(node, {}, {});
        dispatch_rays(node);
    }

    void find() {
        ComputeNodeBuilder node = graph_.compute("displacement/find");
        bind_rays(node);
        bind_boxes(node);
        node.set("room", room_);
        pass_.status = node.write("status", no_counts());
        pair_patches_ = node.write("pair_patches", words("pair_patches", room_));
        pair_rays_ = node.write("pair_rays", words("pair_rays", room_));
        dispatch_rays(node);
    }

    void sort() {
        const RadixSort sorted = graph_.add(
            RadixSort{.keys = pair_patches_,
                      .values = pair_rays_,
                      .count = pass_.status,
                      .length = room_,
                      .end_bit = std::max(static_cast<int>(std::bit_width(numbers_ - 1)), 1)},
            "by_patch");
        pair_patches_ = sorted.sorted_keys;
        pair_rays_ = sorted.sorted_values;
    }

    void make_jobs() {
        ComputeNodeBuilder ranges = graph_.compute("displacement/ranges");
        ranges.read("status", pass_.status);
        ranges.read("pair_patches", pair_patches_);
        ranges.set("room", room_);
        const Buffer found = ranges.write(
            "ranges",
            graph_.fill(graph_.buffer("ranges", {.size = std::uint64_t{8} * numbers_, .stride = 8}),
                        0, "no_ranges"));
        dispatch_each(graph_, ranges, pairs());

        job_room_ = numbers_ + room_ / batch();
        ComputeNodeBuilder node = graph_.compute("displacement/jobs");
        node.read("ranges", found);
        node.set("patch_count", numbers_);
        node.set("batch", batch());
        node.set("room", job_room_);
        node.set("pair_room", room_);
        pass_.status = node.write("status", pass_.status);
        job_count_ = node.write("job_count", graph_.fill(words("job_count", 2), 0, "no_jobs"));
        jobs_ = node.write(
            "jobs", graph_.buffer("jobs", {.size = std::uint64_t{12} * job_room_, .stride = 4}));
        pass_.loads = node.write("loads", words("loads", numbers_));
        node.dispatch_each(numbers_);
    }

    void trace() {
        const bool kept = keeps_trees();
        const bool shared =
            !kept && (pass_.store == TreeStore::shared ||
                      (pass_.store == TreeStore::automatic && surface_.level <= kSharedLevel));
        found_ = quads("found", room_);
        if (kept || shared) {
            const Groups jobs = groups_for(graph_, {.most = job_room_, .count = job_count_}, 1);
            ComputeNodeBuilder node = trace_by(kept ? "kept" : "shared", {});
            node.set("most_jobs", 1u);
            jobs.dispatch(node);
            return;
        }
        // No more groups than there may be jobs, and pieces that one buffer holds. Where loops end,
        // a group takes one job a kernel, and there are enough groups for few kernels.
        const bool unbounded = graph_.target().unbounded_loops;
        const std::uint32_t node_words = tree_words(surface_.level, pass_.bits);
        const std::uint64_t most =
            std::max<std::uint64_t>(graph_.target().max_storage_buffer_bytes / 4 / node_words, 1);
        const std::uint32_t wanted =
            unbounded ? pass_.groups : std::max(pass_.groups, div_round_up(job_room_, kMaxTraces));
        const auto groups = static_cast<std::uint32_t>(
            std::min({std::uint64_t{wanted}, std::uint64_t{job_room_}, most}));
        const std::uint32_t turns = div_round_up(job_room_, groups);
        const std::uint32_t traces = unbounded ? 1 : turns;
        Buffer scratch =
            graph_.fill(words("scratch", std::uint64_t{groups} * node_words), 0, "no_nodes");
        for (std::uint32_t i = 0; i < traces; ++i) {
            ComputeNodeBuilder node = trace_by("scratch", i == 0 ? "" : fmt::format("trace_{}", i));
            scratch = node.write("scratch", scratch);
            node.set("most_jobs", unbounded ? turns + 1 : 1u);
            node.dispatch(groups);
        }
    }

    ComputeNodeBuilder trace_by(const char* store, std::string_view name) {
        ComputeNodeBuilder node = graph_.compute(
            "displacement/trace", {{"STORE", store}, {"WIDE", wide() ? 1 : 0}}, name);
        const bool is_scratch = std::string_view(store) == "scratch";
        surface_.bind(node);
        surface_.bind_places(node);
        bind_rays(node);
        node.read("jobs", jobs_);
        node.read("pair_rays", pair_rays_);
        node.read("boxes", surface_.boxes);
        bind_fineness(node);
        node.specialize("persistent", std::uint32_t(is_scratch));
        node.set("job_room", job_room_);
        if (std::string_view(store) == "kept") {
            bind_kept_trees(node);
        } else {
            bind_links(node);
            node.specialize("bytes", std::uint32_t(pass_.bits == NodeBits::bits8));
            node.set("node_room", tree_words(surface_.level, pass_.bits));
        }
        job_count_ = node.write("job_count", job_count_);
        nearest_ = node.write("nearest", nearest_);
        found_ = node.write("found", found_);
        return node;
    }

    void settle() {
        const Length all_pairs = pairs();
        const auto bind = [&](ComputeNodeBuilder& node) {
            node.read("pair_patches", pair_patches_);
            node.read("pair_rays", pair_rays_);
            node.read("found", found_);
            node.read("nearest", nearest_);
            node.set("room", room_);
        };
        if (!wide()) {
            ComputeNodeBuilder node =
                graph_.compute("displacement/settle", {{"STEP", "winner"}, {"WIDE", 0}}, "winner");
            bind(node);
            node.read("status", pass_.status);
            winners_ = node.write("winners", winners_);
            dispatch_each(graph_, node, all_pairs);
        }
        ComputeNodeBuilder node = graph_.compute(
            "displacement/settle", {{"STEP", "write"}, {"WIDE", wide() ? 1 : 0}}, "write");
        bind(node);
        pass_.status = node.write("status", pass_.status);
        node.specialize("has_before", std::uint32_t(bool(pass_.before)));
        if (!wide()) node.read("winners", winners_);
        write_hits(node, pass_.hits, levels_);
        dispatch_each(graph_, node, all_pairs);
    }

    Graph& graph_;
    CastDisplaced& pass_;
    const DisplacedSurface& surface_;
    std::uint32_t rays_;
    std::uint32_t numbers_; ///< of what may be hit
    RayLayout layout_;
    std::uint32_t room_ = 0;
    std::uint32_t job_room_ = 0;
    Buffer nearest_;
    Buffer winners_;
    Buffer levels_;
    Buffer pair_patches_;
    Buffer pair_rays_;
    Buffer jobs_;
    Buffer job_count_;
    Buffer found_;
};

} // namespace

void CastDisplaced::describe(PassInfo<CastDisplaced>& info) {
    info.summary("Finds the hits of rays on a displaced surface")
        .details(
            "Rays and hits have the format of bvh/cast. A hit has the index of the patch "
            "instead of a triangle, and the position on the patch (0 to 1 twice) instead of "
            "barycentric weights. The nearest hit is taken; of equal hits, the patch of the "
            "lowest index. So the order of rays and patches does not matter. With \"before\", "
            "the hits of bvh/cast on triangles, the nearer of both hits is written; the index "
            "of a patch then has its highest bit set.\n\n"
            "If \"spread\" gives the size of pixels, a ray uses the cells of a patch at the "
            "level where they are about one pixel large.\n\n"
            "\"deferred\" collects the rays that hit each patch's box, sorted by patch. A "
            "group builds the patch's tree of quantized boxes to the levels that the rays "
            "need, traces them and discards the tree. \"descent\" traces each ray down the "
            "patch on its own, through boxes from the map's minimum and maximum displacements; "
            "nothing is built, which suits few rays a patch. Both find the same triangles to "
            "the bit. \"leaf\" \"boxes\" is faster, but shows boxes where a cell is larger "
            "than a pixel.\n\n"
            "Patches of different levels meet without gaps: the level of an edge depends only "
            "on the edge and on the point that pixels are seen from, so both patches have the "
            "same vertices on it. With \"from\" \"eye\", all rays of a picture use the same "
            "cells, including reflected and shadow rays. Instances are numbered one after the "
            "other: patch p of instance i has the index p + i * patches.")
        .source("T. Harada, \"Ray Tracing Vector Displacement Patches\", in GPU Pro; T. Thonat et "
                "al., \"Tessellation-Free Displacement Mapping for Ray Tracing\", SIGGRAPH Asia "
                "2021")
        .complexity("O(level) a ray for nearly flat surfaces")
        .cost([](const CastDisplaced& pass, const Graph& graph) {
            const double rays =
                static_cast<double>(capacity(graph, pass.rays) / CastRays::kRayWords);
            const double cells = 2.0 * (1.0 + pass.surface.level);
            return Cost{.bytes = 48.0 * rays, .operations = 300.0 * cells * rays};
        });
    info.input("surface", &CastDisplaced::surface, "the surface, from displacement/surface");
    info.input("rays", &CastDisplaced::rays,
               "eight words a ray; \"spread\" needs unit "
               "directions")
        .elements<RayRecord>();
    info.optional_input("before", &CastDisplaced::before,
                        "hits of bvh/cast, of the same rays on triangles")
        .elements<HitRecord>();
    info.parameter("spread", &CastDisplaced::spread,
                   "width of a pixel at distance 1; 0: all rays use the finest level")
        .range(0.0, 10.0);
    info.parameter("from", &CastDisplaced::from,
                   "the point from which that distance is "
                   "measured")
        .structural();
    info.parameter("eye", &CastDisplaced::eye, "that point, with \"from\" \"eye\"");
    info.parameter("method", &CastDisplaced::method, "how rays find their hits").structural();
    info.parameter("leaf", &CastDisplaced::leaf, "the shape of the finest cells for rays")
        .structural();
    info.parameter("any", &CastDisplaced::any,
                   "whether any hit is enough; \"deferred\" finds the nearest anyway")
        .structural();
    info.parameter("with_levels", &CastDisplaced::with_levels, "whether to output \"levels\"")
        .structural();
    info.parameter("store", &CastDisplaced::store, "memory in which trees are built").structural();
    info.parameter("nearest", &CastDisplaced::nearest, "deferred: how the nearest hit is stored")
        .structural();
    info.parameter("bits", &CastDisplaced::bits,
                   "deferred: bits of each side of a node's box, in trees that are not kept")
        .structural();
    info.parameter("batch", &CastDisplaced::batch,
                   "deferred: largest number of rays that "
                   "share a tree; llvmpipe, which ends long loops, takes fewer at levels 6 and 7")
        .range(64, 1 << 20)
        .structural();
    info.parameter("groups", &CastDisplaced::groups,
                   "deferred with scratch: number of groups, each with its own part of the "
                   "memory")
        .range(1, 65535)
        .structural();
    info.parameter("most_pairs", &CastDisplaced::most_pairs,
                   "deferred: capacity, in pairs of a ray and a patch; 0: four a ray. If there "
                   "are more, a warning reports their number, and the capacity grows over the "
                   "frames of a run")
        .range(0, kMaxPairs)
        .structural();
    info.output("hits", &CastDisplaced::hits, "four words a ray").elements<HitRecord>();
    info.output("levels", &CastDisplaced::levels,
                "level at which each ray hit its patch, or ~0; only with \"with_levels\"")
        .elements<std::uint32_t>();
    info.output("loads", &CastDisplaced::loads,
                "number of rays that hit each patch's box; "
                "only with \"deferred\"")
        .elements<std::uint32_t>();
    info.output("status", &CastDisplaced::status,
                "counts; only with \"deferred\" or \"with_levels\"")
        .elements<DisplacedCastStatus>();
}

void CastDisplaced::build(Graph& graph) {
    const auto count = static_cast<std::uint32_t>(capacity(graph, rays) / CastRays::kRayWords);
    if (before && capacity(graph, before) < std::uint64_t{4} * count) {
        graph.error("displacement/short-hits",
                    "\"before\" has fewer hits than \"rays\" has "
                    "rays",
                    "connect the hits of bvh/cast for the same rays");
        return;
    }
    if (store == TreeStore::shared && surface.level > kSharedLevel) {
        graph.error(
            "displacement/shared-level",
            fmt::format("a tree of level {} does not fit into shared memory", surface.level),
            fmt::format("use level {} or less, or set \"store\" to \"scratch\"", kSharedLevel));
        return;
    }
    if (nearest == NearestKept::wide && !graph.target().int64_buffer_atomics) {
        graph.error("displacement/no-wide", "the device has no 64-bit atomics",
                    "set \"nearest\" to \"auto\" or \"words\", which give the same hits");
        return;
    }
    Cast(graph, *this, count, {}).build();
}

Buffer cast_displaced(Graph& graph, CastDisplaced pass, const SlotRays& rays, PathRays kind,
                      std::uint32_t more_quads) {
    const bool of_paths = kind == PathRays::paths;
    pass.rays = rays.rays;
    Cast(graph, pass, rays.slots,
         {.quads = of_paths ? 2u : 3u,
          .endless = of_paths,
          .queue = rays.queue,
          .queue_length = rays.count,
          .more_quads = more_quads})
        .build();
    return pass.hits;
}

TUFF_PASS(CastDisplaced)

} // namespace tuff::passes
