#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Kind of a kernel's binding.
enum class BindingKind : std::uint8_t {
    uniform_buffer,
    storage_buffer,
    storage_image,
    sampled_image,          ///< texture without sampler
    combined_image_sampler, ///< sampler2D and its kin
    sampler,
    acceleration_structure, ///< accelerationStructureEXT, of compute or ray kernels
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
    std::string name;                        ///< in the kernel
    ScalarType scalar = ScalarType::float32; ///< of its components
    std::uint32_t rows = 1;                  ///< components of a vector, rows of a matrix
    std::uint32_t columns = 1;               ///< 1 but for matrices
    std::uint32_t array_length = 0;          ///< 0: not an array
    std::uint32_t offset = 0;                ///< bytes from the start of the block
    std::uint32_t array_stride = 0;          ///< bytes between elements; 0: not an array
    std::uint32_t matrix_stride = 0;         ///< bytes between columns; 0: not a matrix
};

/// A binding of a shader. A binding declared neither `readonly` nor `writeonly` has both
/// `reads` and `writes` set.
struct ShaderBinding {
    std::string name;                               ///< in the kernel
    BindingKind kind = BindingKind::storage_buffer; ///< kind of resource
    std::uint32_t set = 0;                          ///< descriptor set
    std::uint32_t binding = 0;                      ///< number within the set
    std::uint32_t stages = 0;                       ///< ShaderStage bits
    std::uint32_t count = 1;                        ///< array length of the binding
    /// Id of the specialisation constant that is the array's length, `count` its default; ~0u: the
    /// length is fixed. See `KernelUse::count_of`.
    std::uint32_t count_constant = ~0u;
    bool reads = true;                             ///< the kernel can read it
    bool writes = false;                           ///< the kernel can write it
    ImageDimension dimension = ImageDimension::d2; ///< images only
    Format format = Format::undefined;             ///< storage images with a declared format only
    bool multisampled = false;                     ///< of images
    /// Of texels; for buffers of numbers or vectors, of these.
    ScalarType scalar = ScalarType::float32;
    std::uint32_t element_rows = 0; ///< of such buffers: components of an element; others 0
    /// Storage buffers that end in an array: bytes from one element to the next. A binding at
    /// the end of a buffer is padded to whole elements, up to 16 bytes: 20 bytes as uvec4[] are two
    /// elements, the last three words undefined. Imported buffers have no padding.
    std::uint32_t element_bytes = 0;
    /// Buffers only: smallest size of the block, with one element of an array that ends it.
    std::uint32_t block_bytes = 0;
    /// Buffers only: members whose layout C++ can share; those of nested structs have dotted names.
    /// If the block is one array of structs, the members of an element.
    std::vector<BlockMember> members;
};

/// A `layout(constant_id = ...)` constant.
struct SpecializationConstant {
    std::string name;                       ///< in the kernel
    std::uint32_t id = 0;                   ///< `constant_id`
    ScalarType scalar = ScalarType::uint32; ///< its type
    std::uint32_t default_bits = 0;         ///< of its default
};

/// A line of a kernel's text.
struct SourceLine {
    std::uint32_t number = 0; ///< from 1, as compilers count
    std::string text;         ///< without surrounding blanks
};

/// The interface of a kernel, from its SPIR-V (a compute shader, or the stages of a raster or
/// ray-tracing pipeline together). Parameters set by name are in the uniform block of type
/// `Params`, or in push constants; the two must not share a member name.
struct ShaderInterface {
    std::string name;                                    ///< "image/tonemap"
    std::uint32_t stages = 0;                            ///< bits of ShaderStage
    std::array<std::uint32_t, 3> local_size = {1, 1, 1}; ///< compute only, before specialisation
    /// Specialisation-constant ids that give the local size (`local_size_x_id`); ~0u: fixed.
    std::array<std::uint32_t, 3> local_size_ids = {~0u, ~0u, ~0u};
    std::vector<ShaderBinding> bindings;           ///< without the `Params` block
    std::vector<SpecializationConstant> constants; ///< that a graph can set

    std::vector<BlockMember> push_members; ///< of the push constants
    std::uint32_t push_bytes = 0;          ///< bytes; 0: none
    std::uint32_t push_stages = 0;         ///< that see them

    std::vector<BlockMember> param_members; ///< of the block of type `Params`
    std::uint32_t param_bytes = 0;          ///< 0: no `Params` block
    std::uint32_t param_set = 0;            ///< its descriptor set
    std::uint32_t param_binding = 0;        ///< its number within the set
    std::uint32_t param_stages = 0;         ///< that see it

    /// Whether it indexes an array of textures by numbers that can differ between
    /// invocations, which needs `DeviceCaps::texture_arrays`.
    bool indexes_textures = false;

    /// Lines with assertions, if the text is available (assert.glsl).
    std::vector<SourceLine> assertions;

    /// The binding of that name, or null.
    const ShaderBinding* find_binding(std::string_view binding_name) const {
        for (const ShaderBinding& b : bindings)
            if (b.name == binding_name) return &b;
        return nullptr;
    }
};

/// Interfaces of kernels, for a graph under construction. Needs no device.
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
    /// `name`.rmiss, `name`.rchit and optionally `name`.rahit, have no bindings.
    virtual const ShaderInterface* rays(std::string_view) const { return nullptr; }

    /// All kernel names, for suggestions.
    virtual std::vector<std::string> names() const = 0;

    /// Compiles GLSL text (without includes) to a compute kernel, which
    /// `compute` finds by `name` from now on. An existing kernel of that name is returned, so
    /// different texts need different names. Errors: `shader/no-compiler`, `shader/compile`, and
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
