#pragma once

#include "passes/bvh/cast.hpp"
#include "passes/raygrid/grid.hpp"

#include <optional>

/// Casts rays through a grid cell by cell: rays are put into the cells on their way, and each cell
/// tests its rays against its triangles.
namespace tuff::passes {

/// How hits are found.
enum class RaySearch : std::uint8_t {
    object_order, ///< by cells: all rays of a cell against all its triangles
    walk,         ///< by rays, each through its cells
    lbvh,         ///< with a hierarchy built for it, without the grid
    brute_force,  ///< every triangle of the mesh
};

/// How the tests of a cell are distributed.
enum class CellTests : std::uint8_t {
    cells,     ///< a group takes the rays of a cell, and loops over its triangles
    rays,      ///< an invocation takes one ray of a cell and a few triangles
    triangles, ///< an invocation takes one triangle of a cell and all its rays
};

/// How the nearest hit of a ray is stored if several invocations find hits. The last three values
/// are those of shaders/raygrid/record.glsl, plus one.
enum class HitAtomics : std::uint8_t {
    automatic, ///< `wide` if the device supports it
    words,     ///< 32-bit atomics: tests twice, first for the distance, then for the triangle
    wide,      ///< 64-bit atomics
    lock,      ///< a lock in the sign of the distance
};

/// How links get their positions and are sorted into cells.
enum class LinkPlaces : std::uint8_t {
    append,  ///< in any order, by a counter; then sorted by cell
    counted, ///< in the order of rays, which march twice, first to count; then sorted
    cells,   ///< in the order of cells: counts the links of every cell first, including empty ones
    lists,   ///< a linked list for each cell, which its triangles walk; ignores `tests`
};

/// The data of a ray stored with its link.
enum class RayCopies : std::uint8_t {
    none,
    whole,  ///< the whole ray
    packed, ///< three words, where the ray enters the cell; may lose hits near edges
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
        field("search", &P::search, "how hits are found; all methods find the same hits")
            .structural();
        field("rounds", &P::rounds,
              "rounds in which rays are put into cells and tested; rays that are left then walk "
              "through the rest of the grid on their own. With many rounds, they continue until "
              "no ray is left; rounds without rays dispatch no groups")
            .range(0, kMaxGridRounds)
            .structural();
        field("links_per_ray", &P::links_per_ray,
              "average number of links of a ray in a round; when few rays are left, each gets "
              "more")
            .range(1, 3 * kMaxGridCells)
            .structural();
        field("most_links", &P::most_links,
              "largest number of links of a ray in a round; 0: "
              "as many as fit")
            .range(0, 3 * kMaxGridCells);
        field("tests", &P::tests, "how the tests of a cell are distributed").structural();
        field("atomics", &P::atomics, "how the nearest hit of a ray is stored").structural();
        field("links", &P::links,
              "how links get their positions: by a counter or in the order of rays, then "
              "sorted by cell; counted for every cell; or in linked lists, which need no "
              "order, but triangles walk them one by one, whatever \"tests\" is")
            .structural();
        field("copies", &P::copies,
              "data of rays stored with their links, for tests by \"rays\" and \"triangles\"")
            .structural();
        field("triangle_bits", &P::triangle_bits,
              "tests by \"rays\": triangles for an invocation, as a power of two")
            .range(0, 16);
        field("skip_blocks", &P::skip_blocks,
              "whether rays skip empty boxes of 2^3 to 16^3 "
              "cells in one step")
            .structural();
        field("persistent", &P::persistent,
              "whether a fixed number of groups march and fetch new rays (persistent threads)")
            .structural();
    }
};

/// What a cast reports: `CastStatus` of shaders/raygrid/cast_status.glsl.
struct GridCastStatus {
    // 64 bits, low word first.
    std::array<std::uint32_t, 2> links{}; ///< links of rays and cells
    std::array<std::uint32_t, 2> tests{}; ///< tests of rays and triangles in rounds
    std::uint32_t cells = 0;              ///< cells with rays, sum of all rounds; not with `lists`
    std::uint32_t largest = 0;            ///< largest number of rays in a cell at once; not with
                                          ///< `lists`
    std::uint32_t in_rounds = 0;          ///< rays that went into rounds, sum of all rounds
    std::uint32_t walked = 0;             ///< rays that walked on their own
    std::uint32_t gave_up = 0;            ///< hits that did not get a lock

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

/// Rays in a buffer.
struct GridRays {
    Buffer rays;
    std::uint32_t quads = 2; ///< words from one ray to the next
    bool of_paths = false;   ///< unlimited length, as raytrace's paths have them
    std::uint32_t slots = 0;
    Buffer queue; ///< indices of the rays to cast; if not connected, all
    Buffer count; ///< length of the queue
};

/// What to find.
struct GridQuestion {
    RayQuestion question = RayQuestion::closest;
    TriangleTest test = TriangleTest::watertight;
    bool with_work = false; ///< whether to output `GridHits::work`
};

struct GridHits {
    Buffer hits;
    Buffer work;   ///< optional, four words a ray: links, tests, rounds, and 1 if it walked
    Buffer status; ///< `GridCastStatus`
};

/// Casts rays through a grid, cell by cell or walking.
GridHits cast_through_grid(Graph& graph, const TriangleGrid& grid, const GridRays& rays,
                           const GridCastParameters& parameters, const GridQuestion& question);

/// Reports raygrid/no-wide-atomics if the device does not support the parameters, and
/// raygrid/lists-with-locks.
[[nodiscard]] bool is_valid(Graph& graph, const GridCastParameters& parameters);

/// Finds the hits of rays in a buffer. See `describe`.
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
