#pragma once

#include "passes/bodies/bodies.hpp"

/// The parts of a step: forces, pairs, contacts, batches. Each is a pass of its own.
namespace tuff::passes {

/// What a step knows of each body.
struct BodyOutlines {
    static constexpr std::string_view kPortType = "BodyOutlines";

    Buffer boxes;        ///< two vec4 a body: low corner, enlargement; high corner, flags
    Buffer masses;       ///< two vec4 a body: inverse inertia in the world, inverse mass
    Buffer status;       ///< `BodiesStatus`
    float margin = 0.0f; ///< most that a box is enlarged by

    explicit operator bool() const { return boxes && masses && status; }
    std::vector<PortMember> members() const {
        return {{"boxes", boxes, BufferElements::of<glm::vec4>()},
                {"masses", masses, BufferElements::of<glm::vec4>()},
                {"status", status, BufferElements::of<BodiesStatus>()}};
    }
};

/// Gravity, damping, and the boxes that find pairs. See `describe`.
struct BodyForces {
    static constexpr std::string_view kName = "bodies/forces";

    Bodies source;
    Buffer status; ///< optional: goes on counting
    float dt = 1.0f / 60.0f;
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};
    float damping = 0.0f;
    float margin = 0.01f;
    float reach = 0.0f;
    Bodies bodies;
    BodyOutlines outlines;

    static void describe(PassInfo<BodyForces>& info);
    void build(Graph& graph);
};

enum class PairMethod : std::uint8_t {
    grid, ///< a uniform grid, sorted
    tree, ///< bvh/lbvh_build over the boxes
    all,  ///< every pair is tried
};

/// A tree over the boxes of bodies, which steps hand on.
struct PairTree {
    static constexpr std::string_view kPortType = "PairTree";

    Buffer nodes;  ///< as those of bvh/lbvh_build
    Buffer leaves; ///< as its leaves
    Buffer status; ///< `BvhStatus`
    Buffer
        built; ///< a vec4 a body: the middle of its box when the tree was built; 1 if it was there

    explicit operator bool() const { return nodes && leaves && status && built; }
    std::vector<PortMember> members() const {
        return {{"nodes", nodes}, {"leaves", leaves}, {"status", status}, {"built", built}};
    }
};

/// Room for the pairs of these bodies: the pool "pairs" of the pass that is being built.
std::uint32_t pair_room(Graph& graph, const Bodies& bodies);

/// Pairs of bodies whose boxes touch.
struct BodyPairs {
    static constexpr std::string_view kPortType = "BodyPairs";

    Buffer pairs;       ///< two u32 a pair, sorted
    Buffer offsets;     ///< u32 a body: where its pairs begin
    Buffer tally;       ///< see shaders/bodies/pairs_tally.comp
    Buffer constraints; ///< u32: pairs and joints
    Buffer status;
    std::uint32_t room = 0;
    std::uint32_t joints = 0;

    explicit operator bool() const { return pairs && offsets && tally; }
    std::uint32_t most() const { return room + joints; }
    std::vector<PortMember> members() const {
        return {{"pairs", pairs, BufferElements::of<glm::uvec2>()},
                {"offsets", offsets, BufferElements::of<std::uint32_t>()},
                {"tally", tally, BufferElements::of<std::uint32_t>()},
                {"constraints", constraints, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<BodiesStatus>()}};
    }
};

/// Finds the pairs of bodies that may touch. See `describe`.
struct FindPairs {
    static constexpr std::string_view kName = "bodies/pairs";

    Bodies bodies;
    BodyOutlines outlines;
    PairTree before; ///< optional: of the step before, for "tree"
    PairMethod method = PairMethod::grid;
    std::uint32_t room = 0;
    BodyPairs pairs;
    PairTree tree; ///< of "tree", for the step after

    static void describe(PassInfo<FindPairs>& info);
    void build(Graph& graph);
};

/// Where bodies touch: six quads a pair, see shaders/bodies/manifold.glsl.
struct BodyContacts {
    static constexpr std::string_view kPortType = "BodyContacts";

    Buffer manifolds;
    BodyPairs pairs;

    explicit operator bool() const { return bool(manifolds) && bool(pairs); }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all = pairs.members();
        all.push_back({"manifolds", manifolds, BufferElements::of<glm::vec4>()});
        return all;
    }
};

/// Finds where bodies touch. See `describe`.
struct FindContacts {
    static constexpr std::string_view kName = "bodies/contacts";

    Bodies bodies;
    BodyOutlines outlines;
    BodyPairs pairs;
    BodyContacts contacts;

    static void describe(PassInfo<FindContacts>& info);
    void build(Graph& graph);
};

enum class BatchMethod : std::uint8_t {
    priority,  ///< rounds: whoever is first at both bodies takes its batch
    pipelined, ///< an invocation a batch, constraints go from one to the next
    masks,     ///< one invocation, bits of the batches that a body has
    serial,    ///< one invocation, a sweep for each batch
    rounds,    ///< a round a batch
    automatic, ///< masks where cells have few constraints, else priority: the same batches
};

/// Constraints in the order in which they are solved.
struct BodyBatches {
    static constexpr std::string_view kPortType = "BodyBatches";

    Buffer ends;            ///< two u32 a constraint: bodies; the highest bit: it does not move it
    Buffer keys;            ///< u32 a place: the cell; places are sorted by it
    Buffer order;           ///< u32 a place: the constraint, by cell
    Buffer batches;         ///< u32 a place of `order`: the batch
    Buffer ordered;         ///< u32 a place: the constraint, by cell and batch
    Buffer ordered_batches; ///< u32 a place: its batch
    Buffer ranges;          ///< two u32 a cell: places
    Buffer cell_batches;    ///< u32 a cell: how many batches
    Buffer status;
    glm::uvec3 cells{1};

    explicit operator bool() const { return ends && ordered && ranges; }
    std::uint32_t cell_count() const { return cells.x * cells.y * cells.z; }
    std::uint32_t sets() const {
        return (cells.x > 1 ? 2u : 1u) * (cells.y > 1 ? 2u : 1u) * (cells.z > 1 ? 2u : 1u);
    }
    /// Groups for a set: its cells.
    std::uint32_t set_cells() const { return cell_count() / sets(); }
    std::vector<PortMember> members() const {
        return {{"ends", ends, BufferElements::of<glm::uvec2>()},
                {"keys", keys, BufferElements::of<std::uint32_t>()},
                {"order", order, BufferElements::of<std::uint32_t>()},
                {"batches", batches, BufferElements::of<std::uint32_t>()},
                {"ordered", ordered, BufferElements::of<std::uint32_t>()},
                {"ordered_batches", ordered_batches, BufferElements::of<std::uint32_t>()},
                {"ranges", ranges, BufferElements::of<glm::uvec2>()},
                {"cell_batches", cell_batches, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<BodiesStatus>()}};
    }
};

/// Cuts space into cells and each cell's constraints into batches. See `describe`.
struct BatchConstraints {
    static constexpr std::string_view kName = "bodies/batches";

    Bodies bodies;
    BodyOutlines outlines;
    BodyContacts contacts;
    glm::uvec3 split{64, 1, 64};
    BatchMethod method = BatchMethod::automatic;
    std::uint32_t group = 64;
    BodyBatches batches;

    static void describe(PassInfo<BatchConstraints>& info);
    void build(Graph& graph);
};

/// The cells that `split` may come to: even numbers, each cell no smaller than what a body reaches.
glm::uvec3 cells_for(const Bodies& bodies, float margin, glm::uvec3 split);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PairMethod> {
    static constexpr std::array<std::string_view, 3> names{"grid", "tree", "all"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::BatchMethod> {
    static constexpr std::array<std::string_view, 6> names{"priority", "pipelined", "masks",
                                                           "serial",   "rounds",    "auto"};
};
