#pragma once

#include "passes/bodies/bodies.hpp"

/// The parts of a step: forces, pairs, contacts, batches. Each is a pass of its own.
namespace tuff::passes {

/// The bounds and inertia of bodies in a step.
struct BodyOutlines {
    static constexpr std::string_view kPortType = "BodyOutlines";

    Buffer boxes;        ///< two vec4 a body: low corner, enlargement; high corner, flags
    Buffer masses;       ///< two vec4 a body: inverse inertia in the world, inverse mass
    Buffer status;       ///< `BodiesStatus`
    float margin = 0.0f; ///< largest enlargement of a box

    explicit operator bool() const { return boxes && masses && status; }
    std::vector<PortMember> members() const {
        return {{"boxes", boxes, BufferElements::of<glm::vec4>()},
                {"masses", masses, BufferElements::of<glm::vec4>()},
                {"status", status, BufferElements::of<BodiesStatus>()}};
    }
};

/// Applies gravity and damping, and computes the boxes that find pairs. See `describe`.
struct BodyForces {
    static constexpr std::string_view kName = "bodies/forces";

    Bodies source;
    Buffer status; ///< optional: counts to continue
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
    all,  ///< every pair is tested
};

/// A tree over the boxes of bodies, which one step hands to the next.
struct PairTree {
    static constexpr std::string_view kPortType = "PairTree";

    Buffer nodes;  ///< as in bvh/lbvh_build
    Buffer leaves; ///< the tree's leaves
    Buffer status; ///< `BvhStatus`
    Buffer built;  ///< one vec4 a body: center of its box when the tree was built; 1 if it existed

    explicit operator bool() const { return nodes && leaves && status && built; }
    std::vector<PortMember> members() const {
        return {{"nodes", nodes}, {"leaves", leaves}, {"status", status}, {"built", built}};
    }
};

/// Capacity for the pairs of these bodies: the pool "pairs" of the pass that is being built.
std::uint32_t pair_room(Graph& graph, const Bodies& bodies);

/// Pairs of bodies whose boxes overlap.
struct BodyPairs {
    static constexpr std::string_view kPortType = "BodyPairs";

    Buffer pairs;       ///< two u32 a pair, sorted
    Buffer offsets;     ///< u32 a body: index of its first pair
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
    PairTree before; ///< optional: the tree of the previous step, for "tree"
    PairMethod method = PairMethod::grid;
    std::uint32_t room = 0;
    BodyPairs pairs;
    PairTree tree; ///< the tree for the next step, with "tree"

    static void describe(PassInfo<FindPairs>& info);
    void build(Graph& graph);
};

/// Contacts: six vec4 a pair, see shaders/bodies/manifold.glsl.
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

/// Finds contacts. See `describe`.
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
    priority,  ///< rounds: a constraint that comes first at both bodies takes its batch
    pipelined, ///< one invocation a batch; constraints pass from one to the next
    masks,     ///< one invocation, with the batches of each body as bits
    serial,    ///< one invocation, one sweep for each batch
    rounds,    ///< one round a batch
    conflicts, ///< constraints of a cell are compared in pairs, for cells with few
    automatic, ///< what is fastest: the same batches
};

/// Constraints in the order of the solver.
struct BodyBatches {
    static constexpr std::string_view kPortType = "BodyBatches";

    Buffer ends;            ///< two u32 a constraint: bodies; the highest bit: the body does not
                            ///< move
    Buffer keys;            ///< u32 a position: the cell; positions are sorted by it
    Buffer order;           ///< u32 a position: the constraint, by cell; constraints that move
                            ///< nothing come last, in any order
    Buffer batches;         ///< u32 a position of `order`: the batch
    Buffer ordered;         ///< u32 a position: the constraint, by cell and batch
    Buffer ordered_batches; ///< u32 a position: its batch
    Buffer ranges;          ///< two u32 a cell: begin and end
    Buffer cell_batches;    ///< u32 a cell: number of batches
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

/// Invocations for a cell that has room for so many constraints, at most `group`: one subgroup of
/// many devices where these are few. An H100 took 734 us for ten iterations of 67,264 constraints in
/// 4,096 cells, and 808 us with groups of 64.
constexpr std::uint32_t group_for_cell(std::uint64_t constraints, std::uint32_t group) {
    constexpr std::uint32_t kOneSubgroup = 32;
    return constraints <= kOneSubgroup && group > kOneSubgroup ? kOneSubgroup : group;
}

/// Divides space into cells and each cell's constraints into batches. See `describe`.
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

/// The cells that `split` results in: even numbers, each cell at least as large as a body's reach.
glm::uvec3 cells_for(const Bodies& bodies, float margin, glm::uvec3 split);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PairMethod> {
    static constexpr std::array<std::string_view, 3> names{"grid", "tree", "all"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::BatchMethod> {
    static constexpr std::array<std::string_view, 7> names{
        "priority", "pipelined", "masks", "serial", "rounds", "conflicts", "auto"};
};
