#include "passes/primitives/compact.hpp"
#include "passes/primitives/compaction.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/raygrid/cast.hpp"

#include <glm/vec2.hpp>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kCastStatusWords = sizeof(GridCastStatus) / kWordBytes;
// Rays and triangles of a part of a cell's tests, as powers of two: all rays of a cell; those of a
// group of raygrid/test_cells, and the triangles that it takes, unless they are very many.
constexpr std::uint32_t kAllRayBits = 31;
constexpr std::uint32_t kRayBitsOfGroup = 5;
constexpr std::uint32_t kTriangleBitsOfGroup = 10;
constexpr std::uint64_t kMaxLinks = 1u << 27;

HitAtomics atomics_for(const Graph& graph, HitAtomics asked) {
    if (asked != HitAtomics::automatic) return asked;
    return graph.target().int64_buffer_atomics ? HitAtomics::wide : HitAtomics::words;
}

/// The rays that still march.
struct ActiveRays {
    Buffer rays;
    Buffer count;
    Groups groups; ///< of kernels over them
};

/// Links of cells and rays.
struct Links {
    Buffer keys;
    Buffer rays;
    Buffer count;
    Buffer round_tests;   ///< of these links, 64 bits
    Buffer first_of_cell; ///< of linked lists, whose `keys` are the next links
};

/// The runs of links that have one cell.
struct Runs {
    Buffer firsts;
    Buffer count;
    Groups groups; ///< of kernels over them
};

class GridCast {
  public:
    GridCast(Graph& graph, const TriangleGrid& grid, const GridRays& rays,
             const GridCastParameters& parameters, const GridQuestion& question)
        : graph_(graph), grid_(grid), rays_(rays), parameters_(parameters), question_(question),
          atomics_(atomics_for(graph, parameters.atomics)) {
        const std::uint64_t bytes_each = copies() == RayCopies::whole ? kRayCopyBytes : kWordBytes;
        const std::uint64_t most = graph.target().max_storage_buffer_bytes / bytes_each;
        const std::uint64_t wanted =
            std::min(std::uint64_t{parameters.links_per_ray} * rays.slots, kMaxLinks);
        room_ =
            static_cast<std::uint32_t>(std::max(std::min(wanted, most), std::uint64_t{rays.slots}));
    }

    GridHits cast() {
        ActiveRays active = begin();
        const std::uint32_t rounds =
            parameters_.search == RaySearch::object_order ? parameters_.rounds : 0;
        active = graph_.repeat("round", rounds, active,
                               [&](const ActiveRays& before, auto) { return round(before); });
        walk(active);
        graph_.status<GridCastStatus>(status_);
        return {
            .hits = resolve(), .work = question_.with_work ? work_ : Buffer{}, .status = status_};
    }

  private:
    static constexpr std::uint64_t kRayCopyBytes = 32;
    static constexpr std::uint32_t kInvocations = 64; // of a group, but for raygrid/test_cells

    bool by_cells() const { return parameters_.tests == CellTests::cells; }
    RayCopies copies() const { return by_cells() ? RayCopies::none : parameters_.copies; }
    std::uint32_t any() const { return std::uint32_t(question_.question == RayQuestion::any); }
    Length active_length(const ActiveRays& active) const {
        return {.most = rays_.slots, .count = active.count};
    }
    Length link_length(const Links& links) const { return {.most = room_, .count = links.count}; }

    void bind_rays(ComputeNodeBuilder& node) const {
        node.specialize("ray_quads", rays_.quads);
        node.specialize("of_paths", std::uint32_t(rays_.of_paths));
        node.read("rays", rays_.rays);
    }
    void bind_frame(ComputeNodeBuilder& node) const { node.read("frame", grid_.cells.frame); }
    void bind_cells(ComputeNodeBuilder& node) const {
        node.specialize("cube_bits", grid_.cube_bits());
        node.set("dims", grid_.cells.dims);
    }
    void bind_march(ComputeNodeBuilder& node) const {
        bind_rays(node);
        bind_frame(node);
        bind_cells(node);
        node.specialize("skips", std::uint32_t(parameters_.skip_blocks));
        node.read("words", grid_.cells.words);
        node.read("blocks", grid_.blocks);
    }
    void bind_active(ComputeNodeBuilder& node, const ActiveRays& active) const {
        node.set("rays", rays_.slots);
        node.read("active_rays", active.rays);
        node.read("active_count", active.count);
    }
    void bind_queue(ComputeNodeBuilder& node) const {
        node.set("rays", rays_.slots);
        node.read_optional("queue", rays_.queue);
        node.read_optional("queue_length", rays_.count, "has_queue");
    }
    void dispatch_queue(ComputeNodeBuilder& node) {
        if (rays_.queue)
            dispatch_each(graph_, node, {.most = rays_.slots, .count = rays_.count});
        else
            node.dispatch_each(rays_.slots);
    }
    void bind_runs(ComputeNodeBuilder& node, const Links& links, const Runs& runs) const {
        node.set("room", room_);
        node.set("entries", grid_.room);
        node.read("run_firsts", runs.firsts);
        node.read("run_count", runs.count);
        node.read("link_count", links.count);
        node.read("link_keys", links.keys);
        node.read("starts", grid_.starts);
    }
    void write_work(ComputeNodeBuilder& node) {
        node.specialize("with_work", std::uint32_t(question_.with_work));
        work_ = node.write("work", work_);
    }
    Buffer slot_buffer(std::string_view name, std::uint64_t words) {
        return graph_.buffer(name,
                             {.size = words * kWordBytes * rays_.slots, .stride = kWordBytes});
    }

    ActiveRays kept(Buffer source, Buffer flags, Length length, bool indices) {
        CompactionRequest request;
        request.source = source;
        request.length = length;
        request.keep.flags = flags;
        request.indices = indices;
        request.ordered = parameters_.links == LinkPlaces::counted;
        const auto compacted = compact(graph_, request);
        if (!compacted) return {};
        return {.rays = compacted->kept,
                .count = compacted->kept_count,
                .groups = groups_for(graph_, {.most = rays_.slots, .count = compacted->kept_count},
                                     kInvocations)};
    }

    ActiveRays begin() {
        work_ = graph_.fill(question_.with_work ? slot_buffer("work", 4)
                                                : array(graph_, "unused_work", 4),
                            0, "no_work");
        status_ = graph_.fill(array(graph_, "status", kCastStatusWords), 0, "no_status");
        no_counts_ = graph_.fill(array(graph_, "unused_counts", 1), 0, "no_counts");
        ComputeNodeBuilder node = graph_.compute("raygrid/begin");
        bind_rays(node);
        bind_frame(node);
        bind_queue(node);
        node.set("dims", grid_.cells.dims);
        best_ = node.write("best", slot_buffer("best", 2));
        places_ = node.write("places", slot_buffer("places", 2));
        const Buffer alive = node.write("alive", slot_buffer("alive", 1));
        dispatch_queue(node);
        if (rays_.queue)
            return kept(rays_.queue, alive, {.most = rays_.slots, .count = rays_.count}, false);
        return kept(alive, alive, {.most = rays_.slots, .count = {}}, true);
    }

    ActiveRays round(const ActiveRays& active) {
        Links links = march(active);
        if (links.first_of_cell) {
            test_lists(active, links, 0);
            if (atomics_ == HitAtomics::words && any() == 0) test_lists(active, links, 1);
            return filter(active);
        }
        const Unique unique = graph_.add(Unique{.source = links.keys,
                                                .count = links.count,
                                                .length = room_,
                                                .emits = Emits::indices},
                                         "runs");
        const Runs runs{
            .firsts = unique.result,
            .count = unique.kept,
            .groups = groups_for(graph_, {.most = room_, .count = unique.kept}, kInvocations)};
        count_tests(active, links, runs);
        test(links, runs);
        return filter(active);
    }

    Links march(const ActiveRays& active) {
        ComputeNodeBuilder budget = graph_.compute("raygrid/budget");
        budget.set("room", room_);
        budget.set("most", parameters_.most_links > 0 ? parameters_.most_links : 3 * kMaxGridCells);
        budget.read("active_count", active.count);
        const Buffer of_ray = budget.write("budget", array(graph_, "budget", 1));
        Links links;
        links.count = budget.write("link_count", array(graph_, "link_count", 3));
        links.round_tests = budget.write("round_tests", array(graph_, "round_tests", 2));
        budget.dispatch(1);
        links.keys = array(graph_, "link_keys", room_);
        links.rays = array(graph_, "link_rays", room_);
        switch (parameters_.links) {
        case LinkPlaces::append:
            no_counts_ = march_by(March::appends, active, of_ray, no_counts_, {}, links);
            return sorted(links);
        case LinkPlaces::lists:
            links.first_of_cell = march_by(
                March::lists, active, of_ray,
                graph_.fill(array(graph_, "first_links", grid_.cell_count()), ~0u, "no_links"), {},
                links);
            return links;
        case LinkPlaces::counted: {
            const Buffer counts = march_by(
                March::counts_of_rays, active, of_ray,
                graph_.fill(array(graph_, "counts", rays_.slots), 0, "no_links"), {}, links);
            const Scan places =
                graph_.add(Scan{.source = counts, .count = active.count, .length = rays_.slots},
                           "link_places");
            march_by(March::by_rays, active, of_ray, counts, places.result, links);
            links.count = places.total;
            return sorted(links);
        }
        case LinkPlaces::cells: break;
        }
        const Buffer none = graph_.fill(array(graph_, "counts", grid_.cell_count()), 0, "no_links");
        const Buffer counts = march_by(March::counts_of_cells, active, of_ray, none, {}, links);
        const Scan places = graph_.add(Scan{.source = counts}, "link_places");
        march_by(March::by_cells, active, of_ray, counts, places.result, links);
        links.count = places.total;
        return links;
    }

    /// As in raygrid/march.comp.
    enum class March : std::uint8_t {
        counts_of_rays,
        by_rays,
        appends,
        counts_of_cells,
        by_cells,
        lists,
    };
    static constexpr std::uint32_t kRaysOfPersistent = 1024; // of a group

    Buffer march_by(March mode, const ActiveRays& active, Buffer budget, Buffer counts,
                    Buffer offsets, Links& links) {
        ComputeNodeBuilder node = graph_.compute("raygrid/march");
        bind_march(node);
        bind_active(node, active);
        node.specialize("mode", static_cast<std::uint32_t>(mode));
        node.specialize("persistent", std::uint32_t(parameters_.persistent));
        node.set("room", room_);
        node.read("best", best_);
        node.read("budget", budget);
        links.count = node.write("link_count", links.count);
        places_ = node.write("places", places_);
        const Buffer counted = node.write("counts", counts);
        node.read_optional("offsets", offsets);
        links.keys = node.write("link_keys", links.keys);
        links.rays = node.write("link_rays", links.rays);
        write_work(node);
        if (parameters_.persistent)
            groups_for(graph_, active_length(active), kRaysOfPersistent).dispatch(node);
        else
            active.groups.dispatch(node);
        return counted;
    }

    Links sorted(Links links) {
        const RadixSort sort = graph_.add(RadixSort{.keys = links.keys,
                                                    .values = links.rays,
                                                    .count = links.count,
                                                    .length = room_,
                                                    .end_bit = static_cast<int>(grid_.key_bits())},
                                          "sort");
        links.keys = sort.sorted_keys;
        links.rays = sort.sorted_values;
        return links;
    }

    void count_tests(const ActiveRays& active, Links& links, const Runs& runs) {
        ComputeNodeBuilder node = graph_.compute("raygrid/runs", "count_tests");
        bind_runs(node, links, runs);
        node.read("active_count", active.count);
        node.match<GridCastStatus>("cast_status");
        status_ = node.write("cast_status", status_);
        links.round_tests = node.write("round_tests", links.round_tests);
        runs.groups.dispatch(node);
    }

    std::uint32_t ray_bits() const {
        switch (parameters_.tests) {
        case CellTests::cells: return kRayBitsOfGroup;
        case CellTests::rays: return 0;
        default: return kAllRayBits;
        }
    }
    std::uint32_t triangle_bits() const {
        switch (parameters_.tests) {
        case CellTests::cells: return kTriangleBitsOfGroup;
        case CellTests::rays: return parameters_.triangle_bits;
        default: return 0;
        }
    }

    void test(const Links& links, const Runs& runs) {
        ComputeNodeBuilder node = graph_.compute("raygrid/units");
        bind_runs(node, links, runs);
        node.set("ray_bits", ray_bits());
        node.set("triangle_bits", triangle_bits());
        node.read("round_tests", links.round_tests);
        const Buffer units = node.write("units", array(graph_, "units", room_));
        runs.groups.dispatch(node);
        const Scan before =
            graph_.add(Scan{.source = units, .count = runs.count, .length = room_}, "units_before");
        const std::uint32_t each = by_cells() ? 1 : kInvocations;
        const Groups groups = groups_for(graph_, {.most = ~0u, .count = before.total}, each);
        copy_rays(links);
        test_by(links, runs, before, groups, 0);
        // Of words: the distance is known, and which triangle is there is asked again.
        if (atomics_ == HitAtomics::words && any() == 0) test_by(links, runs, before, groups, 1);
    }

    void copy_rays(const Links& links) {
        if (copies() == RayCopies::none) return;
        const bool packs = copies() == RayCopies::packed;
        ComputeNodeBuilder node = graph_.compute("raygrid/copy_rays");
        bind_rays(node);
        bind_frame(node);
        bind_cells(node);
        node.specialize("packs", std::uint32_t(packs));
        node.set("room", room_);
        node.read("link_count", links.count);
        node.read("link_keys", links.keys);
        node.read("link_rays", links.rays);
        const Buffer whole = node.write(
            "link_copies",
            graph_.buffer("link_copies",
                          {.size = packs ? kRayCopyBytes : kRayCopyBytes * room_, .stride = 16}));
        const Buffer packed = node.write(
            "link_packed", array(graph_, "link_packed", packs ? std::uint64_t{3} * room_ : 3));
        (packs ? packed_ : copies_) = packs ? packed : whole;
        dispatch_each(graph_, node, link_length(links));
    }

    void test_by(const Links& links, const Runs& runs, const Scan& before, const Groups& groups,
                 std::uint32_t phase) {
        const int variant = atomics_variant();
        ComputeNodeBuilder node =
            graph_.compute(by_cells() ? "raygrid/test_cells" : "raygrid/test_each",
                           {{"ATOMICS", variant}}, phase == 0 ? "test" : "test_again");
        bind_rays(node);
        bind_runs(node, links, runs);
        node.specialize("triangle_test", static_cast<std::uint32_t>(question_.test));
        node.specialize("any", any());
        if (variant == 0) node.specialize("phase", phase);
        if (variant == 2) status_ = node.write("cast_status", status_);
        node.set("ray_bits", ray_bits());
        node.set("triangle_bits", triangle_bits());
        node.read("units_before", before.result);
        node.read("unit_count", before.total);
        node.read("round_tests", links.round_tests);
        node.read("link_rays", links.rays);
        node.read("list", grid_.list);
        node.read("leaves", grid_.leaves);
        if (!by_cells()) {
            bind_cells(node);
            bind_frame(node);
            node.read_optional("link_copies", copies_);
            node.read_optional("link_packed", packed_);
        }
        best_ = node.write("best", best_);
        write_work(node);
        groups.dispatch(node);
    }

    /// The variant of kernels that keep hits.
    int atomics_variant() const {
        return atomics_ == HitAtomics::wide ? 1 : atomics_ == HitAtomics::lock ? 2 : 0;
    }

    void test_lists(const ActiveRays& active, const Links& links, std::uint32_t phase) {
        ComputeNodeBuilder node =
            graph_.compute("raygrid/test_lists", {{"ATOMICS", atomics_variant()}},
                           phase == 0 ? "test" : "test_again");
        bind_rays(node);
        node.specialize("triangle_test", static_cast<std::uint32_t>(question_.test));
        node.specialize("any", any());
        if (atomics_variant() == 0) node.specialize("phase", phase);
        node.set("room", room_);
        node.set("entries", grid_.room);
        node.set("cells", grid_.cell_count());
        node.read("active_count", active.count);
        node.read("link_count", links.count);
        node.read("first_links", links.first_of_cell);
        node.read("next_links", links.keys);
        node.read("link_rays", links.rays);
        node.read("starts", grid_.starts);
        node.read("list", grid_.list);
        node.read("leaves", grid_.leaves);
        node.match<GridCastStatus>("cast_status");
        status_ = node.write("cast_status", status_);
        best_ = node.write("best", best_);
        write_work(node);
        node.dispatch_each(grid_.room);
    }

    ActiveRays filter(const ActiveRays& active) {
        ComputeNodeBuilder node = graph_.compute("raygrid/filter");
        bind_rays(node);
        bind_frame(node);
        bind_active(node, active);
        node.set("any", any());
        node.read("best", best_);
        node.read("places", places_);
        const Buffer alive = node.write("alive", slot_buffer("alive", 1));
        active.groups.dispatch(node);
        return kept(active.rays, alive, active_length(active), false);
    }

    void walk(const ActiveRays& active) {
        ComputeNodeBuilder node = graph_.compute("raygrid/walk");
        bind_march(node);
        bind_active(node, active);
        node.specialize("triangle_test", static_cast<std::uint32_t>(question_.test));
        node.set("any", any());
        node.set("entries", grid_.room);
        node.read("places", places_);
        node.read("starts", grid_.starts);
        node.read("list", grid_.list);
        node.read("leaves", grid_.leaves);
        node.match<GridCastStatus>("cast_status");
        status_ = node.write("cast_status", status_);
        best_ = node.write("best", best_);
        write_work(node);
        active.groups.dispatch(node);
    }

    Buffer resolve() {
        ComputeNodeBuilder node = graph_.compute("raygrid/resolve");
        bind_rays(node);
        bind_queue(node);
        node.specialize("triangle_test", static_cast<std::uint32_t>(question_.test));
        node.set("any", any());
        node.read("best", best_);
        node.read("leaves", grid_.leaves);
        const Buffer hits =
            node.write("hits", slot_buffer("hits", any() != 0 ? 1 : CastRays::kHitWords));
        dispatch_queue(node);
        return hits;
    }

    Graph& graph_;
    const TriangleGrid& grid_;
    const GridRays& rays_;
    const GridCastParameters& parameters_;
    const GridQuestion& question_;
    HitAtomics atomics_;
    std::uint32_t room_ = 0; ///< for links
    Buffer best_;
    Buffer places_;
    Buffer work_;
    Buffer status_;
    Buffer no_counts_; ///< of links that are only appended
    Buffer copies_;
    Buffer packed_;
};

} // namespace

GridHits cast_through_grid(Graph& graph, const TriangleGrid& grid, const GridRays& rays,
                           const GridCastParameters& parameters, const GridQuestion& question) {
    return GridCast(graph, grid, rays, parameters, question).cast();
}

} // namespace tuff::passes
