#pragma once

#include "passes/bvh/cast.hpp"
#include "passes/raygrid/grid.hpp"

#include <optional>

/// Rays through a grid in the order of its triangles: rays are put into the cells that they come
/// through, and each cell's rays meet its triangles.
namespace tuff::passes {

/// How hits are found.
enum class RaySearch : std::uint8_t {
    object_order, ///< cells at a time: all rays of a cell against all its triangles
    walk,         ///< rays at a time, each through its cells
    lbvh,         ///< by a hierarchy that is built for it, without the grid
    brute_force,  ///< every triangle of the mesh
};

/// How the tests of a cell are shared out.
enum class CellTests : std::uint8_t {
    cells,     ///< a group takes the rays of a cell, and goes through its triangles
    rays,      ///< an invocation takes a ray of a cell and few triangles
    triangles, ///< an invocation takes a triangle of a cell and all rays
};

/// How the nearest hit of a ray is kept that many invocations find. The numbers of the last three
/// are those of shaders/raygrid/record.glsl, plus one.
enum class HitAtomics : std::uint8_t {
    automatic, ///< `wide` where the device can
    words,     ///< of 32 bits: tests twice, first for the distance, then for the triangle
    wide,      ///< of 64 bits
    lock,      ///< a lock in the sign of the distance
};

/// How links get their places, and so come to the cells.
enum class LinkPlaces : std::uint8_t {
    append,  ///< any, by a counter; then they are sorted by cell
    counted, ///< in the order of rays, which march twice, first to count; then they are sorted
    cells,   ///< in the order of cells: links of every cell are counted first, empty ones included
    lists,   ///< a linked list for each cell, through which its triangles go; whatever `tests` says
};

/// What of a ray lies beside its link.
enum class RayCopies : std::uint8_t {
    none,
    whole,  ///< all of it
    packed, ///< three words, where it comes into the cell; hits near edges may get lost
};

inline constexpr std::uint32_t kMaxGridRounds = 64;

/// How rays are cast, as a parameter group.
struct GridCastParameters {
    RaySearch search = RaySearch::object_order;
    std::uint32_t rounds = 3;
    std::uint32_t links_per_ray = 4;
    std::uint32_t most_links = 0;
    CellTests tests = CellTests::cells;
    HitAtomics atomics = HitAtomics::automatic;
    LinkPlaces links = LinkPlaces::append;
    RayCopies copies = RayCopies::none;
    std::uint32_t triangle_bits = 3;
    bool skip_blocks = true;
    bool persistent = false;

    static void describe_fields(auto&& field) {
        using P = GridCastParameters;
        field("search", &P::search, "how hits are found; all find the same").structural();
        field(
            "rounds", &P::rounds,
            "in which rays are put into cells and tested; rays that are left then walk through "
            "the rest of the grid alone. With many rounds they go on until no ray is left: rounds "
            "without rays dispatch no groups")
            .range(0, kMaxGridRounds)
            .structural();
        field("links_per_ray", &P::links_per_ray,
              "of all rays on average, in a round: when few rays are left, each gets more")
            .range(1, 3 * kMaxGridCells)
            .structural();
        field("most_links", &P::most_links, "of a ray in a round; 0: as many as there is room for")
            .range(0, 3 * kMaxGridCells);
        field("tests", &P::tests, "how the tests of a cell are shared out").structural();
        field("atomics", &P::atomics, "how the nearest hit of a ray is kept").structural();
        field("links", &P::links,
              "how links get their places: by a counter or in the order of rays, then sorted by "
              "cell; counted for every cell; or in linked lists, which need no order, but are gone "
              "through triangle by triangle, whatever \"tests\" says")
            .structural();
        field("copies", &P::copies,
              "of rays beside their links, of tests by \"rays\" and \"triangles\"")
            .structural();
        field("triangle_bits", &P::triangle_bits,
              "triangles that an invocation takes, of tests by \"rays\", as a power of two")
            .range(0, 16);
        field("skip_blocks", &P::skip_blocks, "empty boxes of 4^3 and 16^3 cells are stepped over at once")
            .structural();
        field("persistent", &P::persistent,
              "groups that march take new rays when theirs are done, instead of as many groups as "
              "it takes")
            .structural();
    }
};

/// What a cast took: `CastStatus` of shaders/raygrid/cast_status.glsl.
struct GridCastStatus {
    // 64 bits with the low ones first.
    std::array<std::uint32_t, 2> links{}; ///< of rays and cells
    std::array<std::uint32_t, 2> tests{}; ///< of rays and triangles in rounds
    std::uint32_t cells = 0;              ///< with rays, of all rounds together; not of `lists`
    std::uint32_t largest = 0;            ///< rays in a cell at once, at most; not of `lists`
    std::uint32_t in_rounds = 0;          ///< rays that went into rounds, of all together
    std::uint32_t walked = 0;             ///< rays that went on alone
    std::uint32_t gave_up = 0;            ///< hits that a lock did not let in

    static constexpr std::string_view kStructName = "GridCastStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(GridCastStatus, links),     TUFF_MEMBER(GridCastStatus, tests),
            TUFF_MEMBER(GridCastStatus, cells),     TUFF_MEMBER(GridCastStatus, largest),
            TUFF_MEMBER(GridCastStatus, in_rounds), TUFF_MEMBER(GridCastStatus, walked),
            TUFF_MEMBER(GridCastStatus, gave_up),
        };
    }
    static GridCastStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< raygrid/lock-gave-up
};
static_assert(sizeof(GridCastStatus) == 36);

/// Rays as they lie in a buffer.
struct GridRays {
    Buffer rays;
    std::uint32_t quads = 2; ///< from one ray to the next
    bool of_paths = false;   ///< without end, as raytrace's paths have them
    std::uint32_t slots = 0;
    Buffer queue; ///< numbers of those to be cast; not connected: all
    Buffer count; ///< of the queue
};

/// What is asked of them.
struct GridQuestion {
    RayQuestion question = RayQuestion::closest;
    TriangleTest test = TriangleTest::watertight;
    bool with_work = false; ///< asks for `GridHits::work`
};

struct GridHits {
    Buffer hits;
    Buffer work;   ///< links, tests, rounds and 1 where it walked, four words a ray; if asked for
    Buffer status; ///< `GridCastStatus`
};

/// Casts rays through a grid, in the order of objects or walking.
GridHits cast_through_grid(Graph& graph, const TriangleGrid& grid, const GridRays& rays,
                           const GridCastParameters& parameters, const GridQuestion& question);

/// Reports raygrid/no-wide-atomics where the parameters ask for what the device has not, and
/// raygrid/lists-with-locks.
[[nodiscard]] bool is_valid(Graph& graph, const GridCastParameters& parameters);

/// Finds what rays in a buffer hit. See `describe`.
struct CastThroughGrid {
    static constexpr std::string_view kName = "raygrid/cast";

    TriangleGrid grid;
    Buffer rays;
    RayQuestion question = RayQuestion::closest;
    GridCastParameters parameters;
    TriangleTest test = TriangleTest::watertight;
    bool with_work = false;

    Buffer hits;
    Buffer work;
    Buffer status;

    static void describe(PassInfo<CastThroughGrid>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RaySearch> {
    static constexpr std::array<std::string_view, 4> names{"object_order", "walk", "lbvh",
                                                           "brute_force"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::CellTests> {
    static constexpr std::array<std::string_view, 3> names{"cells", "rays", "triangles"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HitAtomics> {
    static constexpr std::array<std::string_view, 4> names{"auto", "words", "wide", "lock"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LinkPlaces> {
    static constexpr std::array<std::string_view, 4> names{"append", "counted", "cells", "lists"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::RayCopies> {
    static constexpr std::array<std::string_view, 3> names{"none", "whole", "packed"};
};
