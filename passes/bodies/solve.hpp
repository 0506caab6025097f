#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

enum class SolverMethod : std::uint8_t {
    two_level, ///< sets of cells, batches within a cell
    global,    ///< batches of all constraints, one dispatch each
    jacobi,    ///< all at once, bodies' masses split among their constraints
    soft,      ///< two_level over short steps, contacts as stiff springs
    avbd,      ///< augmented vertex block descent, by colors of bodies
};

/// How the cells of sets follow each other.
enum class SweepMethod : std::uint8_t {
    automatic, ///< "flow" where groups that have begun go on
    sets,      ///< a dispatch for each set and iteration
    flow,      ///< all in one dispatch; a cell waits for those beside it
};

/// How constraints are solved, as a parameter group.
struct SolverParameters {
    SolverMethod method = SolverMethod::two_level;
    std::uint32_t iterations = 10;
    std::uint32_t substeps = 4;
    float correction = 0.2f;
    float slop = 0.005f;
    float fastest_push = 3.0f;
    float threshold = 0.5f;
    float warm = 1.0f;
    std::uint32_t bounces = 0;
    float frequency = 30.0f;
    float damping_ratio = 10.0f;
    std::uint32_t group = 64;
    SweepMethod sweep = SweepMethod::automatic;

    static void describe_fields(auto&& field) {
        using P = SolverParameters;
        field("method", &P::method, "how constraints are solved").structural();
        field("iterations", &P::iterations, "iterations over all constraints in a step")
            .range(0, 1000)
            .structural();
        field("substeps", &P::substeps, "\"soft\": short steps with one iteration each")
            .range(1, 64)
            .structural();
        field("correction", &P::correction,
              "share of an overlap or of a joint's gap that a step corrects")
            .range(0.0, 1.0);
        field("slop", &P::slop, "overlap that is not corrected, so that contacts persist")
            .range(0.0, 1.0)
            .unit("metres");
        field("fastest_push", &P::fastest_push,
              "largest speed at which overlapping bodies "
              "separate")
            .range(0.0, 1e6)
            .unit("m/s");
        field("threshold", &P::threshold, "impact speed below which bodies do not bounce")
            .range(0.0, 1e6)
            .unit("m/s");
        field("warm", &P::warm, "share of the previous step's impulses that a step starts with")
            .range(0.0, 1.0);
        field("bounces", &P::bounces,
              "sweeps in which impacts follow each other before contacts are solved, so that a "
              "row of bodies passes a blow on; 0: all bounce together")
            .range(0, 1000)
            .structural();
        field("frequency", &P::frequency,
              "\"soft\": frequency of the springs; at most a quarter of the rate of short steps "
              "is used")
            .range(0.01, 1e5)
            .unit("Hz");
        field("damping_ratio", &P::damping_ratio, "\"soft\": damping of the springs, 1: critical")
            .range(0.0, 1e3);
        field("group", &P::group, "invocations for a cell, at most; does not change the result")
            .range(32, 256)
            .structural();
        field("sweep", &P::sweep,
              "how cells follow each other; \"flow\" is \"sets\" on devices that end long loops")
            .structural();
    }
};

/// The impulses by pair that a step leaves for the next one.
struct ContactCache {
    static constexpr std::string_view kPortType = "ContactCache";

    Buffer tally;
    Buffer offsets;
    Buffer pairs;
    Buffer impulses; ///< four vec4 a joint, then four a pair: see shaders/bodies/store.comp

    explicit operator bool() const { return tally && offsets && pairs && impulses; }
    std::vector<PortMember> members() const {
        return {{"tally", tally, BufferElements::of<std::uint32_t>()},
                {"offsets", offsets, BufferElements::of<std::uint32_t>()},
                {"pairs", pairs, BufferElements::of<glm::uvec2>()},
                {"impulses", impulses, BufferElements::of<glm::vec4>()}};
    }
};

/// Solves the constraints of a step and moves the bodies. See `describe`.
struct SolveConstraints {
    static constexpr std::string_view kName = "bodies/solve";

    Bodies source;
    BodyOutlines outlines;
    BodyContacts contacts;
    BodyBatches batches;
    ContactCache before; ///< optional
    SolverParameters solver;
    float dt = 1.0f / 60.0f;
    glm::vec3 gravity{0.0f};
    float damping = 0.0f;
    bool with_residuals = false;
    Bodies bodies;
    ContactCache cache;
    Buffer status;
    Buffer residuals;

    static void describe(PassInfo<SolveConstraints>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SolverMethod> {
    static constexpr std::array<std::string_view, 5> names{"two_level", "global", "jacobi", "soft",
                                                           "avbd"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SweepMethod> {
    static constexpr std::array<std::string_view, 3> names{"auto", "sets", "flow"};
};
