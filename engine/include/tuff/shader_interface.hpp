#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// What a kernel's binding is.
enum class BindingKind : std::uint8_t {
    uniform_buffer,
    storage_buffer,
    storage_image,
    sampled_image,          ///< texture without sampler
    combined_image_sampler, ///< sampler2D and its kin
    sampler,
    acceleration_structure, ///< accelerationStructureEXT, of kernels that compute or trace rays
};

/// The shape of a binding's image.
enum class ImageDimension : std::uint8_t { d1, d2, d2_array, d3, cube };

/// Shader stages as bits; the numbers are those of VkShaderStageFlagBits.
enum class ShaderStage : std::uint32_t {
    vertex = 0x1,
    fragment = 0x10,
    compute = 0x20,
    ray_generation = 0x100,
    any_hit = 0x200,
    closest_hit = 0x400,
    miss = 0x800,
};

/// The type of a component.
enum class ScalarType : std::uint8_t { float32, int32, uint32, boolean };

/// A member of a parameter block: a scalar, vector, matrix or array of these.
struct BlockMember {
    std::string name;                        ///< as the kernel has it
    ScalarType scalar = ScalarType::float32; ///< of its components
    std::uint32_t rows = 1;                  ///< components of a vector, rows of a matrix
    std::uint32_t columns = 1;               ///< 1 but for matrices
    std::uint32_t array_length = 0;          ///< 0: not an array
    std::uint32_t offset = 0;                ///< bytes from the start of the block
    std::uint32_t array_stride = 0;          ///< bytes between elements; 0 where not an array
    std::uint32_t matrix_stride = 0;         ///< bytes between columns; 0 where not a matrix
};

/// One resource a shader binds. A binding declared neither `readonly` nor `writeonly` has both
/// `reads` and `writes` set.
struct ShaderBinding {
    std::string name;                               ///< as the kernel has it
    BindingKind kind = BindingKind::storage_buffer; ///< what it is
    std::uint32_t set = 0;                          ///< descriptor set
    std::uint32_t binding = 0;                      ///< number within the set
    std::uint32_t stages = 0;                       ///< ShaderStage bits
    std::uint32_t count = 1;                        ///< array length of the binding
    /// Id of the specialisation constant that is the array's length, `count` its default; ~0u: the
    /// length is fixed. See `KernelUse::count_of`.
    std::uint32_t count_constant = ~0u;
    bool reads = true;                             ///< the kernel may read it
    bool writes = false;                           ///< the kernel may write it
    ImageDimension dimension = ImageDimension::d2; ///< images only
    Format format = Format::undefined;             ///< storage images with a declared format only
    bool multisampled = false;                     ///< of images
    /// Of what a texel reads as; of buffers that are numbers or vectors, one or an array, of these.
    ScalarType scalar = ScalarType::float32;
    std::uint32_t element_rows = 0; ///< of such buffers: components of an element; others 0
    /// Storage buffers that end in an array: bytes from one element to the next. What is bound at
    /// the end of a buffer is padded to whole elements, up to 16 bytes: 20 bytes as uvec4[] are two
    /// elements, the last three words undefined. Imported buffers have no padding.
    std::uint32_t element_bytes = 0;
    /// Buffers only: the least that the block needs, with one element of an array that ends it.
    std::uint32_t block_bytes = 0;
    /// Buffers only: members whose layout C++ can share; those of nested structs have dotted names.
    /// Where the block is one array of structs, the members of an element.
    std::vector<BlockMember> members;
};

/// A `layout(constant_id = ...)` constant.
struct SpecializationConstant {
    std::string name;                       ///< as the kernel has it
    std::uint32_t id = 0;                   ///< `constant_id`
    ScalarType scalar = ScalarType::uint32; ///< its type
    std::uint32_t default_bits = 0;         ///< where nobody sets it
};

/// A line of a kernel's text.
struct SourceLine {
    std::uint32_t number = 0; ///< from 1, as compilers count
    std::string text;         ///< without what surrounds it
};

/// What SPIR-V says about one kernel (a compute shader, or the stages of a raster or ray-tracing
/// pipeline together). Parameters set by name live in the uniform block whose type is called
/// `Params`, or in push constants; the two may not share a member name.
struct ShaderInterface {
    std::string name;                                    ///< "image/tonemap"
    std::uint32_t stages = 0;                            ///< bits of ShaderStage
    std::array<std::uint32_t, 3> local_size = {1, 1, 1}; ///< compute only, before specialisation
    /// Specialisation-constant ids that give the local size (`local_size_x_id`); ~0u: fixed.
    std::array<std::uint32_t, 3> local_size_ids = {~0u, ~0u, ~0u};
    std::vector<ShaderBinding> bindings;           ///< without the `Params` block
    std::vector<SpecializationConstant> constants; ///< that a graph may set

    std::vector<BlockMember> push_members; ///< of the push constants
    std::uint32_t push_bytes = 0;          ///< bytes; 0: none
    std::uint32_t push_stages = 0;         ///< that see them

    std::vector<BlockMember> param_members; ///< of the block of type `Params`
    std::uint32_t param_bytes = 0;          ///< 0: no `Params` block
    std::uint32_t param_set = 0;            ///< its descriptor set
    std::uint32_t param_binding = 0;        ///< its number within the set
    std::uint32_t param_stages = 0;         ///< that see it

    /// Whether it chooses among the textures of an array by a number that may differ from
    /// invocation to invocation, which takes `DeviceCaps::texture_arrays`.
    bool indexes_textures = false;

    /// Lines of the text that assert something, where the text is at hand (assert.glsl).
    std::vector<SourceLine> assertions;

    /// The binding of that name, or null.
    const ShaderBinding* find_binding(std::string_view binding_name) const {
        for (const ShaderBinding& b : bindings)
            if (b.name == binding_name) return &b;
        return nullptr;
    }
};

/// Where a graph under construction looks kernels up. Needs no device.
class ShaderInterfaces {
  public:
    virtual ~ShaderInterfaces() = default;

    /// The interface of compute kernel `name` ("image/tonemap"), or null. The pointer stays valid
    /// as long as this object.
    virtual const ShaderInterface* compute(std::string_view name) const = 0;

    /// The joined interface of the raster kernel `name`: `name`.vert and `name`.frag. A kernel
    /// without a fragment stage writes depth only.
    virtual const ShaderInterface* raster(std::string_view name) const = 0;

    /// The interface of the ray kernel `name`, which is that of `name`.rgen: the stages it calls,
    /// `name`.rmiss, `name`.rchit and perhaps `name`.rahit, bind nothing.
    virtual const ShaderInterface* rays(std::string_view) const { return nullptr; }

    /// All kernel names, for suggestions.
    virtual std::vector<std::string> names() const = 0;

    /// Compiles GLSL text (without includes) to a compute kernel, called `name` from now on: what
    /// `compute` finds by it. Where there is one of that name already, that is returned, so the
    /// name must tell different texts apart. Errors: `shader/no-compiler`, `shader/compile`, and
    /// those of reflection.
    virtual Result<const ShaderInterface*> define_compute(std::string_view name,
                                                          std::string_view glsl) const;
};

inline Result<const ShaderInterface*> ShaderInterfaces::define_compute(std::string_view name,
                                                                       std::string_view) const {
    return fail("shader/no-compiler",
                "kernel \"" + std::string(name) + "\" cannot be compiled here");
}

} // namespace tuff
