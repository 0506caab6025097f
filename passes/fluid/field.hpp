#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the fluid passes share. Lengths are in cells, and cells are squares or cubes. A field one
/// cell deep is two-dimensional: cell (x, y) is texel (x, y) of a picture, so y points downwards.
/// In three dimensions y is up, as in a voxel grid.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxFluidSide = 16384;
inline constexpr std::uint64_t kMaxFluidCells = std::uint64_t{1} << 27; ///< 2 GiB of state
inline constexpr std::size_t kMaxEmitters = 8;

/// The boundary condition at a side of the field.
enum class FluidFace : std::uint8_t {
    wall,     ///< a solid wall with no slip
    periodic, ///< connected to the opposite side
    inflow,   ///< fluid at rest density with the velocity "inflow"; with velocity 0 it is the
              ///< chapter's boundary
    open,     ///< free outflow: the cell's own velocity at rest density
};

/// The six sides of a field, as a parameter group. Sides of an axis with one cell are ignored.
struct FluidBoundary {
    FluidFace left = FluidFace::wall;   ///< low x
    FluidFace right = FluidFace::wall;  ///< high x
    FluidFace bottom = FluidFace::wall; ///< low y, which is the top of a picture
    FluidFace top = FluidFace::wall;    ///< high y
    FluidFace back = FluidFace::wall;   ///< low z
    FluidFace front = FluidFace::wall;  ///< high z
    glm::vec3 inflow{0.0f};

    static void describe_fields(auto&& field) {
        using B = FluidBoundary;
        constexpr std::string_view kWhat = "\"wall\", \"periodic\" (with the opposite side), "
                                           "\"inflow\" or \"open\"";
        field("left", &B::left, kWhat);
        field("right", &B::right, kWhat);
        field("bottom", &B::bottom, "boundary at the lower side of y");
        field("top", &B::top, "boundary at the upper side of y");
        field("back", &B::back, "boundary at the lower side of z");
        field("front", &B::front, "boundary at the upper side of z");
        field("inflow", &B::inflow, "velocity at sides of \"inflow\"")
            .range(-1e6, 1e6)
            .unit("cells / time unit");
    }
    /// Four bits a side, in the order of the fields: `params.faces` of kernels.
    std::uint32_t bits() const;
    /// Of x, y, z.
    std::array<bool, 3> periodic() const {
        constexpr FluidFace kJoined = FluidFace::periodic;
        return {left == kJoined, bottom == kJoined, back == kJoined};
    }
};

/// The motion of solids; all solids of a mask are one rigid body. The velocity at a place is
/// velocity + spin x (place - pivot).
struct SolidMotion {
    glm::vec3 velocity{0.0f}; ///< velocity of the pivot, cells / time unit
    glm::vec3 spin{0.0f};     ///< rotation axis, with the speed as its length, radians / time unit;
                              ///< in 2D only z matters
    glm::vec3 pivot{0.0f};    ///< cells

    static void describe_fields(auto&& field) {
        using M = SolidMotion;
        field("velocity", &M::velocity,
              "velocity of the solids' pivot; fluid at the solids "
              "moves with them")
            .range(-1e6, 1e6)
            .unit("cells / time unit");
        field("spin", &M::spin, "angular velocity about the pivot; in 2D only z matters")
            .range(-1e6, 1e6)
            .unit("radians / time unit");
        field("pivot", &M::pivot, "center of the rotation").range(-1e6, 1e6).unit("cells");
    }
};

/// A mask of solid cells: bit x & 31 of the word (z * dims.y + y) * row_words() + (x >> 5).
struct FluidObstacles {
    static constexpr std::string_view kPortType = "FluidObstacles";

    Buffer words;
    glm::uvec3 dims{0};
    SolidMotion motion;

    explicit operator bool() const { return bool(words); }
    std::uint32_t row_words() const { return (dims.x + 31) / 32; }
    std::uint64_t word_count() const { return std::uint64_t{row_words()} * dims.y * dims.z; }
    std::vector<PortMember> members() const {
        return {{"words", words, BufferElements::of<std::uint32_t>()}};
    }
};

/// What a rank has of a field whose ranks have it in parts. Its arrays have the part and a halo
/// along the axes that are divided. All sizes are cells of the flow.
struct FluidPart {
    glm::ivec3 first{0}; ///< the part's first cell
    glm::ivec3 cells{0}; ///< of the part; 0: this rank has the whole field
    glm::ivec3 halo{0};  ///< 0 along axes with one rank

    explicit operator bool() const { return cells.x > 0; }
    glm::ivec3 held() const { return cells + 2 * halo; }
    friend bool operator==(const FluidPart&, const FluidPart&) = default;
};

/// The precision of a state.
enum class FluidPrecision : std::uint8_t {
    full, ///< 32 bits
    half, ///< 16 bits: half the memory; speeds and densities to 3 digits
};

/// The state of a fluid: velocity and density of every cell.
///
/// It is a buffer and not an image for three reasons: a cell is 16 bytes that one load reads,
/// kernels read no filtered texels (whose weights have 8 bits on most devices), and 2D and 3D share
/// one layout. Copies of the rest density are exact because the difference to it is stored.
struct FluidField {
    static constexpr std::string_view kPortType = "FluidField";

    Buffer cells;           ///< four numbers a cell, x fastest: velocity, and density - 1
    Buffer status;          ///< `FluidStatus`
    FluidObstacles solid;   ///< not connected: no cell is solid
    glm::uvec3 dims{0};     ///< cells along each axis, of the whole field
    FluidPart part;         ///< where ranks have it in parts; passes leave the halo filled
    FluidBoundary boundary; ///< from the pass that made it
    FluidPrecision precision = FluidPrecision::full; ///< precision of `cells`
    float elapsed = 0.0f;   ///< time units of this execution; with a clock an upper bound
    float sound = 0.0f;     ///< speed of sound, cells / time unit; 0: incompressible
    float fastest = 0.0f;   ///< no speed along an axis is above it, in parts; cells / time unit
    bool clocked = false;   ///< adaptive steps: `status` has the time they took
    std::uint32_t tick = 0; ///< clock: number of steps counted, modulo 3

    explicit operator bool() const { return bool(cells); }
    bool is_flat() const { return dims.z == 1; }
    glm::uvec3 held() const { return part ? glm::uvec3(part.held()) : dims; } ///< of the arrays
    std::uint64_t count() const { return std::uint64_t{held().x} * held().y * held().z; }
    std::vector<PortMember> members() const;
};

/// A source of fluid, as a bundle: see the pass `fluid/emitter`.
struct EmitterShape {
    static constexpr std::string_view kPortType = "FluidEmitter";

    glm::vec3 position{0.0f}; ///< cells
    float radius = 0.0f;      ///< cells
    glm::vec3 velocity{0.0f};
    float rate = 0.0f; ///< 1 / time unit: rate at which the fluid approaches velocity and dye
    glm::vec4 dye{0.0f};
};

/// A fluid's status on the host.
struct FluidStatus {
    std::uint32_t clamped_densities = 0; ///< cells, summed over all steps of the execution
    std::uint32_t clamped_speeds = 0;
    std::uint32_t not_finite = 0;      ///< cells set to rest
    std::uint32_t forces_left_out = 0; ///< forces that were not finite
    std::uint32_t held_steps = 0;      ///< steps of "min_dt" that should have been shorter
    // With adaptive steps:
    float elapsed = 0.0f;       ///< time units of the execution
    std::uint32_t fastest[3]{}; ///< bits of floats: largest speeds along an axis, of three steps

    static constexpr std::string_view kStructName = "FluidStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(FluidStatus, clamped_densities),
                          TUFF_MEMBER(FluidStatus, clamped_speeds),
                          TUFF_MEMBER(FluidStatus, not_finite),
                          TUFF_MEMBER(FluidStatus, forces_left_out),
                          TUFF_MEMBER(FluidStatus, held_steps),
                          TUFF_MEMBER(FluidStatus, elapsed),
                          TUFF_MEMBER(FluidStatus, fastest)};
    }
    static FluidStatus read(std::span<const std::uint32_t> words);
    /// Reports fluid/density-clamped (mass is not conserved), fluid/speed-clamped (fluid would have
    /// crossed more than a cell in a step), fluid/diverged (cells were not finite), fluid/bad-force
    /// (forces were not finite) and fluid/step-held (adaptive steps should have been shorter than
    /// allowed).
    Diagnostics warnings() const;
};

/// The warning fluid/diverged: how many times a cell was not finite and was set to rest.
Diagnostic set_to_rest(std::uint32_t cells);
/// The warning fluid/speed-clamped of passes with a "reach": how many times it was not enough.
Diagnostic held_to_reach(std::uint32_t times, std::string hint);

inline std::vector<PortMember> FluidField::members() const {
    const bool half = precision == FluidPrecision::half;
    return {{"cells", cells, BufferElements(half ? ElementType::f16 : ElementType::f32, 4)},
            {"status", status, BufferElements::of<FluidStatus>()}};
}

/// Reports pass/out-of-range if there is no cell or too many for the graph's ranks.
[[nodiscard]] bool is_valid_grid(Graph& graph, glm::uvec3 dims);
/// Reports fluid/periodic-side if only one of two opposite sides is periodic.
[[nodiscard]] bool is_valid(Graph& graph, const FluidBoundary& boundary, glm::uvec3 dims);
/// Reports graph/unconnected, or primitives/too-short if a buffer is too small for its cells, and
/// fluid/in-parts if ranks have the field in parts.
[[nodiscard]] bool is_valid(Graph& graph, const FluidField& field, std::string_view port);
/// The same for passes that know parts.
[[nodiscard]] bool is_valid_in_parts(Graph& graph, const FluidField& field, std::string_view port);
/// Reports fluid/size-mismatch if there are obstacles of other dimensions.
[[nodiscard]] bool is_valid(Graph& graph, const FluidObstacles& solid, glm::uvec3 dims);
/// Reports fluid/too-many-emitters, and pass/out-of-range for numbers that are not finite.
[[nodiscard]] bool is_valid(Graph& graph, std::span<const EmitterShape> emitters);

/// Four numbers a cell.
BufferDesc cells_desc(glm::uvec3 dims, FluidPrecision precision = FluidPrecision::full);
/// Binds the field's cells for fluid/flow_cells.glsl.
void bind_flow(KernelNode& node, const FluidField& field);
/// Binds the resources of fluid/solid.glsl: obstacles, if there are any.
void bind_obstacles(KernelNode& node, const FluidObstacles& solid);
/// Sets the member `solids`, of fluid/motion.glsl.
void set_motion(KernelNode& node, const FluidObstacles& solid);
/// Sets the members of fluid/emitters.glsl for a node with `scale` cells per cell of the flow along
/// each axis. If the field is flat, emitters are at its center plane.
void set_emitters(KernelNode& node, std::span<const EmitterShape> emitters, glm::uvec3 dims,
                  std::uint32_t scale = 1);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FluidPrecision> {
    static constexpr std::array<std::string_view, 2> names{"full", "half"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::FluidFace> {
    static constexpr std::array<std::string_view, 4> names{"wall", "periodic", "inflow", "open"};
};
