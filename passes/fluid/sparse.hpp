#pragma once

#include "passes/fluid/advect.hpp"
#include "passes/fluid/sparse_emitter.hpp"
#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// How the pressure of smoke in bricks is solved.
enum class SmokePressure : std::uint8_t {
    jacobi,
    multigrid, ///< V-cycles whose levels have the same bricks with fewer cells
};

/// How sweeps are dispatched. Results are the same.
enum class SmokeSweeps : std::uint8_t {
    automatic, ///< together on devices whose groups can wait for each other
    apart,     ///< a dispatch a sweep
    together,  ///< all of "jacobi" in one dispatch, where layers of bricks are 128 quads
};

/// Which bricks of smoke are active, as a parameter group.
struct SmokeExpansion {
    float ahead = 1.0f;
    std::uint32_t guard = 4;
    float least_speed = 1e-3f;
    float least_dye = 1e-3f;

    static void describe_fields(auto&& field) {
        using E = SmokeExpansion;
        field("ahead", &E::ahead, "claims bricks that fluid reaches in this time")
            .range(0.0, 64.0)
            .unit("steps");
        field("guard", &E::guard, "claims bricks within this distance of fluid")
            .range(0, 64)
            .unit("cells");
        field("least_speed", &E::least_speed, "bricks where all fluid is slower than this ...")
            .range(0.0, 1e6)
            .unit("cells / time unit");
        field("least_dye", &E::least_dye, "... and has less dye than this are freed")
            .range(0.0, 1e6);
    }
};

/// What a step of smoke reports.
struct SmokeStatus {
    std::uint32_t clamped_speeds = 0; ///< cells
    std::uint32_t not_finite = 0;     ///< cells set to rest, or whose dye was not a number
    std::uint32_t fastest = 0;        ///< bits of a float: largest speed along an axis
    std::uint32_t filled = 0;         ///< groups of 256 cells with fluid
    std::uint32_t mass[2]{};       ///< mean of three colors, summed over all cells: 2^-14, low word
                                   ///< first
    std::uint32_t fading[2]{};     ///< the same for groups of 256 cells without fluid
    std::uint32_t evicted[2]{};    ///< the same for bricks that have lost their slots to others
    std::uint32_t clamped_dye = 0; ///< cells with more dye than they can hold

    double total_mass() const;
    double fading_mass() const;
    double evicted_mass() const;
    static constexpr std::string_view kStructName = "SmokeStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(SmokeStatus, clamped_speeds), TUFF_MEMBER(SmokeStatus, not_finite),
            TUFF_MEMBER(SmokeStatus, fastest),        TUFF_MEMBER(SmokeStatus, filled),
            TUFF_MEMBER(SmokeStatus, mass),           TUFF_MEMBER(SmokeStatus, fading),
            TUFF_MEMBER(SmokeStatus, evicted),        TUFF_MEMBER(SmokeStatus, clamped_dye)};
    }
    static SmokeStatus read(std::span<const std::uint32_t> words);
    /// fluid/speed-clamped, fluid/diverged and fluid/dye-clamped
    Diagnostics warnings() const;
};

/// Smoke in bricks, as a bundle.
struct SparseSmoke {
    static constexpr std::string_view kPortType = "SparseSmoke";

    SparseBricks bricks;
    Buffer velocity; ///< four numbers a cell of a slot, the last one 0
    Buffer dye;      ///< four numbers a cell of a slot: three amounts, and heat
    Buffer pressure; ///< f32 a cell of a slot, times dt
    Buffer status;   ///< `SmokeStatus`
    FluidPrecision precision = FluidPrecision::full; ///< precision of velocity and dye
    std::uint32_t walls = 0;                         ///< bit 2 * axis, + 1 for the upper side: a
                                                     ///< wall

    explicit operator bool() const { return bricks && velocity && dye; }
    std::vector<PortMember> members() const;
};

/// Simulates smoke in bricks for one step. See `describe`.
struct SparseFluid {
    static constexpr std::string_view kName = "fluid/sparse";

    std::vector<SmokeEmitter> emitters;
    Buffer initial_velocity;
    Buffer initial_dye;
    glm::uvec3 dims{128};
    SparseParameters parameters;
    SmokeExpansion expansion;
    FluidBoundary boundary{.left = FluidFace::open,
                           .right = FluidFace::open,
                           .bottom = FluidFace::open,
                           .top = FluidFace::open,
                           .back = FluidFace::open,
                           .front = FluidFace::open};
    FluidPrecision precision = FluidPrecision::full;
    AdvectionMethod advection = AdvectionMethod::semi_lagrangian;
    float dt = 1.0f;
    std::uint32_t reach = 4;
    SmokePressure method = SmokePressure::jacobi;
    SmokeSweeps sweeps = SmokeSweeps::automatic;
    std::uint32_t iterations = 20;
    std::uint32_t levels = 3;
    bool warm_start = true;
    float confinement = 0.0f;
    glm::vec3 buoyancy{0.0f};
    float drag = 0.0f;
    glm::vec4 decay{0.0f};
    bool reset = false;
    std::uint32_t border = 256;
    SparseSmoke smoke;
    SparseBricks bricks;
    Buffer velocity;
    Buffer dye;
    Buffer status;
    Buffer brick_status;

    static void describe(PassInfo<SparseFluid>& info);
    void build(Graph& graph);
};

/// Bits of `SparseSmoke::walls`.
std::uint32_t wall_bits(const FluidBoundary& boundary);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SmokeSweeps> {
    static constexpr std::array<std::string_view, 3> names{"automatic", "apart", "together"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SmokePressure> {
    static constexpr std::array<std::string_view, 2> names{"jacobi", "multigrid"};
};
