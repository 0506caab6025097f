#include "gpu/shader/shader_reflection.hpp"

#include "gpu/shader/assertion_lines.hpp"
#include "gpu/shader/spirv_edits.hpp"

#include <fmt/format.h>
#include <spirv_cross/spirv_cross.hpp>

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

using spirv_cross::Compiler;
using spirv_cross::Resource;
using spirv_cross::SPIRType;

constexpr std::string_view kParamsBlock = "Params";

Diagnostic problem(const char* code, std::string message, std::string hint = {}) {
    return {.code = code,
            .severity = Severity::error,
            .message = std::move(message),
            .where = {},
            .hint = std::move(hint)};
}

Format format_of(spv::ImageFormat format) {
    switch (format) {
    case spv::ImageFormatRgba32f: return Format::rgba32_sfloat;
    case spv::ImageFormatRgba16f: return Format::rgba16_sfloat;
    case spv::ImageFormatR32f: return Format::r32_sfloat;
    case spv::ImageFormatRgba8: return Format::rgba8_unorm;
    case spv::ImageFormatRgba8Snorm: return Format::rgba8_snorm;
    case spv::ImageFormatRg32f: return Format::rg32_sfloat;
    case spv::ImageFormatRg16f: return Format::rg16_sfloat;
    case spv::ImageFormatR11fG11fB10f: return Format::b10g11r11_ufloat;
    case spv::ImageFormatR16f: return Format::r16_sfloat;
    case spv::ImageFormatRgba16: return Format::rgba16_unorm;
    case spv::ImageFormatRgb10A2: return Format::a2b10g10r10_unorm;
    case spv::ImageFormatRg8: return Format::rg8_unorm;
    case spv::ImageFormatR16: return Format::r16_unorm;
    case spv::ImageFormatR8: return Format::r8_unorm;
    case spv::ImageFormatRgba32i: return Format::rgba32_sint;
    case spv::ImageFormatR32i: return Format::r32_sint;
    case spv::ImageFormatRgba32ui: return Format::rgba32_uint;
    case spv::ImageFormatRgba16ui: return Format::rgba16_uint;
    case spv::ImageFormatRgba8ui: return Format::rgba8_uint;
    case spv::ImageFormatR32ui: return Format::r32_uint;
    case spv::ImageFormatRg32ui: return Format::rg32_uint;
    case spv::ImageFormatRg16ui: return Format::rg16_uint;
    case spv::ImageFormatR16ui: return Format::r16_uint;
    case spv::ImageFormatR8ui: return Format::r8_uint;
    default: return Format::undefined;
    }
}

/// Nothing where graphs have no such image (texel buffers, subpass inputs, cube arrays, ...).
std::optional<ImageDimension> dimension_of(const SPIRType::ImageType& image) {
    switch (image.dim) {
    case spv::Dim1D: return image.arrayed ? std::nullopt : std::optional(ImageDimension::d1);
    case spv::Dim2D: return image.arrayed ? ImageDimension::d2_array : ImageDimension::d2;
    case spv::Dim3D: return ImageDimension::d3;
    case spv::DimCube: return image.arrayed ? std::nullopt : std::optional(ImageDimension::cube);
    default: return std::nullopt;
    }
}

std::optional<ScalarType> scalar_of(const SPIRType& type) {
    if (type.basetype == SPIRType::Boolean) return ScalarType::boolean;
    if (type.width != 32) return std::nullopt;
    switch (type.basetype) {
    case SPIRType::Float: return ScalarType::float32;
    case SPIRType::Int: return ScalarType::int32;
    case SPIRType::UInt: return ScalarType::uint32;
    default: return std::nullopt;
    }
}

std::optional<ShaderStage> stage_of(spv::ExecutionModel model) {
    switch (model) {
    case spv::ExecutionModelGLCompute: return ShaderStage::compute;
    case spv::ExecutionModelVertex: return ShaderStage::vertex;
    case spv::ExecutionModelFragment: return ShaderStage::fragment;
    default: return std::nullopt;
    }
}

/// Reads one module. Collects all problems, so that one look at the messages is enough.
class Reflector {
  public:
    Reflector(std::string_view name, ShaderStage stage, const Compiler& compiler)
        : compiler_(compiler), stage_(static_cast<std::uint32_t>(stage)) {
        result_.name = name;
        result_.stages = stage_;
    }

    Result<ShaderInterface> run() {
        const spirv_cross::ShaderResources resources = compiler_.get_shader_resources();
        for (const Resource& r : resources.uniform_buffers) {
            if (compiler_.get_name(r.base_type_id) == kParamsBlock)
                read_params(r);
            else
                add_buffer(r, BindingKind::uniform_buffer);
        }
        for (const Resource& r : resources.storage_buffers)
            add_buffer(r, BindingKind::storage_buffer);
        for (const Resource& r : resources.storage_images)
            add_image(r, BindingKind::storage_image);
        for (const Resource& r : resources.sampled_images)
            add_image(r, BindingKind::combined_image_sampler);
        for (const Resource& r : resources.separate_images)
            add_image(r, BindingKind::sampled_image);
        for (const Resource& r : resources.separate_samplers)
            add(r, BindingKind::sampler);
        for (const Resource& r : resources.push_constant_buffers)
            read_push_constants(r);
        refuse(resources.subpass_inputs, "an input attachment");
        refuse(resources.atomic_counters, "an atomic counter");
        read_constants();
        result_.indexes_textures =
            std::ranges::count(compiler_.get_declared_capabilities(),
                               spv::CapabilitySampledImageArrayNonUniformIndexing) > 0;
        const bool computes = stage_ == static_cast<std::uint32_t>(ShaderStage::compute);
        if (computes || stage_ == static_cast<std::uint32_t>(ShaderStage::ray_generation)) {
            for (const Resource& r : resources.acceleration_structures)
                add(r, BindingKind::acceleration_structure);
        } else {
            refuse(resources.acceleration_structures, "an acceleration structure");
        }
        if (computes) read_local_size();
        if (!problems_.empty()) return std::unexpected(std::move(problems_));
        return std::move(result_);
    }

  private:
    /// The variable's name; for a block without an instance name, the block's.
    std::string name_of(const Resource& resource) const {
        const std::string& name = compiler_.get_name(resource.id);
        return name.empty() ? compiler_.get_name(resource.base_type_id) : name;
    }

    void unsupported(const Resource& resource, std::string_view what) {
        problems_.push_back(problem("shader/unsupported-binding",
                                    fmt::format("kernel {}: \"{}\" is {}, which graphs cannot bind",
                                                result_.name, name_of(resource), what)));
    }

    template <typename List>
    void refuse(const List& resources, std::string_view what) {
        for (const Resource& r : resources)
            unsupported(r, what);
    }

    ShaderBinding& add(const Resource& resource, BindingKind kind) {
        ShaderBinding binding;
        binding.name = name_of(resource);
        binding.kind = kind;
        binding.set = compiler_.get_decoration(resource.id, spv::DecorationDescriptorSet);
        binding.binding = compiler_.get_decoration(resource.id, spv::DecorationBinding);
        binding.stages = stage_;
        const SPIRType& type = compiler_.get_type(resource.type_id);
        if (type.array.size() > 1) unsupported(resource, "an array of arrays");
        if (type.array.size() == 1) read_length(resource, type, binding);
        result_.bindings.push_back(std::move(binding));
        return result_.bindings.back();
    }

    /// Of an array: a number, or a specialisation constant as it is, not computed with.
    void read_length(const Resource& resource, const SPIRType& type, ShaderBinding& binding) {
        binding.count = type.array[0];
        if (!type.array_size_literal[0]) {
            for (const auto& constant : compiler_.get_specialization_constants())
                if (constant.id == spirv_cross::ID(type.array[0]))
                    binding.count_constant = constant.constant_id;
            binding.count =
                binding.count_constant == ~0u ? 0 : compiler_.get_constant(type.array[0]).scalar();
        }
        if (binding.count == 0) unsupported(resource, "an array without a length");
    }

    void add_buffer(const Resource& resource, BindingKind kind) {
        ShaderBinding& binding = add(resource, kind);
        const SPIRType& block = compiler_.get_type(resource.base_type_id);
        binding.block_bytes =
            static_cast<std::uint32_t>(compiler_.get_declared_struct_size_runtime_array(block, 1));
        read_members(members_of(block), "", 0, binding.members, Unsettable::left_out);
        if (kind != BindingKind::storage_buffer) return;
        // A block is read-only only if each of its members is; these flags are what all share.
        const spirv_cross::Bitset flags = compiler_.get_buffer_block_flags(resource.id);
        binding.reads = !flags.get(spv::DecorationNonReadable);
        binding.writes = !flags.get(spv::DecorationNonWritable);
        binding.element_bytes = element_bytes(resource);
        read_element(block, binding);
    }

    /// The numbers that a block is an array of, or the only ones that it has.
    void read_element(const SPIRType& block, ShaderBinding& binding) const {
        if (block.member_types.size() != 1) return;
        const SPIRType& only = compiler_.get_type(block.member_types[0]);
        const auto scalar = scalar_of(only);
        if (!scalar || only.array.size() > 1 || only.columns != 1) return;
        binding.scalar = *scalar;
        binding.element_rows = only.vecsize;
    }

    /// What a C++ struct describes: the block, or an element of the array of structs that it is.
    const SPIRType& members_of(const SPIRType& block) const {
        if (block.member_types.size() != 1) return block;
        const SPIRType& only = compiler_.get_type(block.member_types[0]);
        const bool structs = only.basetype == SPIRType::Struct && only.array.size() == 1;
        return structs ? compiler_.get_type(only.self) : block;
    }

    /// Of the array that ends a block; 0 where none does.
    std::uint32_t element_bytes(const Resource& resource) const {
        const SPIRType& block = compiler_.get_type(resource.base_type_id);
        if (block.member_types.empty()) return 0;
        const auto last = static_cast<std::uint32_t>(block.member_types.size() - 1);
        if (compiler_.get_type(block.member_types[last]).array.empty()) return 0;
        return compiler_.type_struct_member_array_stride(block, last);
    }

    void add_image(const Resource& resource, BindingKind kind) {
        const SPIRType::ImageType& image = compiler_.get_type(resource.base_type_id).image;
        ShaderBinding& binding = add(resource, kind);
        binding.multisampled = image.ms;
        binding.scalar = scalar_of(compiler_.get_type(image.type)).value_or(ScalarType::float32);
        if (const auto dimension = dimension_of(image))
            binding.dimension = *dimension;
        else
            unsupported(resource, "a texel buffer or an array of cubes or of 1D images");
        if (kind != BindingKind::storage_image) return;
        binding.format = format_of(image.format);
        binding.reads = !compiler_.has_decoration(resource.id, spv::DecorationNonReadable);
        binding.writes = !compiler_.has_decoration(resource.id, spv::DecorationNonWritable);
    }

    void read_params(const Resource& resource) {
        const SPIRType& type = compiler_.get_type(resource.base_type_id);
        result_.param_set = compiler_.get_decoration(resource.id, spv::DecorationDescriptorSet);
        result_.param_binding = compiler_.get_decoration(resource.id, spv::DecorationBinding);
        result_.param_stages = stage_;
        result_.param_bytes = static_cast<std::uint32_t>(compiler_.get_declared_struct_size(type));
        read_members(type, "", 0, result_.param_members);
    }

    void read_push_constants(const Resource& resource) {
        const SPIRType& type = compiler_.get_type(resource.base_type_id);
        result_.push_bytes = static_cast<std::uint32_t>(compiler_.get_declared_struct_size(type));
        result_.push_stages = stage_;
        read_members(type, "", 0, result_.push_members);
    }

    /// What becomes of members whose type cannot be set by name.
    enum class Unsettable : std::uint8_t { reported, left_out };

    /// Members of nested structs get dotted names, "light.colour".
    void read_members(const SPIRType& block, const std::string& prefix, std::uint32_t base,
                      std::vector<BlockMember>& members,
                      Unsettable unsettable = Unsettable::reported) {
        for (std::uint32_t i = 0; i < block.member_types.size(); ++i) {
            const SPIRType& type = compiler_.get_type(block.member_types[i]);
            BlockMember member;
            member.name = prefix + compiler_.get_member_name(block.self, i);
            member.offset = base + compiler_.type_struct_member_offset(block, i);
            if (type.basetype == SPIRType::Struct && type.array.empty()) {
                read_members(type, member.name + ".", member.offset, members, unsettable);
                continue;
            }
            const auto scalar = scalar_of(type);
            const bool sized =
                type.array.empty() ||
                (type.array.size() == 1 && type.array[0] != 0 && type.array_size_literal[0]);
            if ((!scalar || !sized) && unsettable == Unsettable::left_out) continue;
            if (!scalar || !sized) {
                problems_.push_back(problem(
                    "shader/unsupported-parameter",
                    fmt::format("kernel {}: parameter \"{}\" has a type that cannot be set by name",
                                result_.name, member.name),
                    "use 32-bit scalars, vectors, matrices and one-dimensional arrays of them"));
                continue;
            }
            member.scalar = *scalar;
            member.rows = type.vecsize;
            member.columns = type.columns;
            if (!type.array.empty()) {
                member.array_length = type.array[0];
                member.array_stride = compiler_.type_struct_member_array_stride(block, i);
            }
            if (type.columns > 1)
                member.matrix_stride = compiler_.type_struct_member_matrix_stride(block, i);
            members.push_back(std::move(member));
        }
    }

    void read_constants() {
        for (const auto& entry : compiler_.get_specialization_constants()) {
            const spirv_cross::SPIRConstant& value = compiler_.get_constant(entry.id);
            const auto scalar = scalar_of(compiler_.get_type(value.constant_type));
            if (!scalar) {
                problems_.push_back(problem(
                    "shader/unsupported-parameter",
                    fmt::format("kernel {}: specialisation constant {} is not a 32-bit scalar",
                                result_.name, entry.constant_id)));
                continue;
            }
            result_.constants.push_back({.name = compiler_.get_name(entry.id),
                                         .id = entry.constant_id,
                                         .scalar = *scalar,
                                         .default_bits = value.scalar()});
        }
    }

    void read_local_size() {
        spirv_cross::SpecializationConstant axes[3];
        compiler_.get_work_group_size_specialization_constants(axes[0], axes[1], axes[2]);
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
            result_.local_size[axis] =
                compiler_.get_execution_mode_argument(spv::ExecutionModeLocalSize, axis);
            if (axes[axis].id == spirv_cross::ID(0)) continue;
            result_.local_size_ids[axis] = axes[axis].constant_id;
            for (SpecializationConstant& constant : result_.constants)
                if (constant.id == axes[axis].constant_id && constant.name.empty())
                    constant.name = fmt::format("local_size_{}", "xyz"[axis]);
        }
    }

    const Compiler& compiler_;
    std::uint32_t stage_;
    ShaderInterface result_;
    Diagnostics problems_;
};

std::unexpected<Diagnostics> invalid(std::string_view name, const char* why) {
    return fail("shader/invalid", fmt::format("kernel {} is not usable SPIR-V: {}", name, why));
}

} // namespace

Result<ShaderInterface> reflect_shader(std::string_view name, ShaderStage stage,
                                       std::span<const std::uint32_t> words) {
    try {
        const Compiler compiler(without_cooperative_matrices(words));
        auto interface = Reflector(name, stage, compiler).run();
        if (interface) interface->assertions = read_assertion_lines(words);
        return interface;
    } catch (const std::exception& error) { // SPIRV-Cross throws on what it cannot parse
        return invalid(name, error.what());
    }
}

Result<StageFacts> reflect_stage(std::string_view name, std::span<const std::uint32_t> words) {
    StageFacts facts;
    try {
        const Compiler compiler(without_cooperative_matrices(words));
        for (const auto& entry : compiler.get_entry_points_and_stages())
            if (const auto stage = stage_of(entry.execution_model))
                facts.entry_points.push_back({entry.name, *stage});
            else
                facts.entry_points.push_back({entry.name, std::nullopt});
        const spirv_cross::ShaderResources resources = compiler.get_shader_resources();
        for (const Resource& output : resources.stage_outputs) {
            const SPIRType& type = compiler.get_type(output.base_type_id);
            facts.colors.push_back(
                {.name = compiler.get_name(output.id),
                 .location = compiler.get_decoration(output.id, spv::DecorationLocation),
                 .scalar = scalar_of(type).value_or(ScalarType::float32),
                 .components = type.vecsize});
        }
        for (const auto& builtin : resources.builtin_inputs)
            if (builtin.builtin == spv::BuiltInNumWorkgroups) facts.knows_group_count = true;
    } catch (const std::exception& error) {
        return invalid(name, error.what());
    }
    std::ranges::sort(facts.colors, {}, &FragmentOutput::location);
    return facts;
}

Result<std::vector<std::uint32_t>> align_bindings(const ShaderInterface& vertex,
                                                  std::span<const std::uint32_t> fragment) {
    std::vector<std::uint32_t> words(fragment.begin(), fragment.end());
    try {
        const Compiler compiler(fragment.data(), fragment.size());
        const auto move = [&](const Resource& resource, std::uint32_t set, std::uint32_t binding) {
            std::uint32_t offset = 0;
            if (compiler.get_binary_offset_for_decoration(resource.id, spv::DecorationDescriptorSet,
                                                          offset))
                words[offset] = set;
            if (compiler.get_binary_offset_for_decoration(resource.id, spv::DecorationBinding,
                                                          offset))
                words[offset] = binding;
        };
        const spirv_cross::ShaderResources all = compiler.get_shader_resources();
        for (const auto* list :
             {&all.uniform_buffers, &all.storage_buffers, &all.storage_images, &all.sampled_images,
              &all.separate_images, &all.separate_samplers}) {
            for (const Resource& resource : *list) {
                const std::string& block = compiler.get_name(resource.base_type_id);
                if (list == &all.uniform_buffers && block == kParamsBlock) {
                    if (vertex.param_bytes != 0)
                        move(resource, vertex.param_set, vertex.param_binding);
                    continue;
                }
                const std::string& name = compiler.get_name(resource.id);
                if (const auto* same = vertex.find_binding(name.empty() ? block : name))
                    move(resource, same->set, same->binding);
            }
        }
    } catch (const std::exception& error) {
        return invalid(vertex.name, error.what());
    }
    return words;
}

} // namespace tuff
