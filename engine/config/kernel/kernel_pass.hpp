#pragma once

#include "config/read/kernel_decl.hpp"

#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tuff {

inline constexpr std::size_t kNoPort = std::numeric_limits<std::size_t>::max();

/// What a pass made of a config's kernel does, beside its descriptor. Indices are into the
/// descriptor's inputs, outputs and parameters.
struct KernelPlan {
    struct Input {
        std::string binding;
        bool is_list = false;                 ///< an array of images
        bool updated = false;                 ///< in place, by an output
        bool indirect = false;                ///< counts of groups, which the kernel does not bind
        std::array<std::uint64_t, 2> bytes{}; ///< of a buffer: before its elements, of an element
    };
    struct Output {
        std::string binding; ///< of a fragment stage nothing: outputs come by location
        bool is_image = true;
        bool starts_zero = false;          ///< the kernel reads it as well
        std::size_t updates = kNoPort;     ///< an input, in place
        std::size_t like = kNoPort;        ///< an input
        std::size_t size = kNoPort;        ///< a parameter
        std::size_t length = kNoPort;      ///< a parameter
        Format format = Format::undefined; ///< undefined: as `like`
        ScalarType scalar = ScalarType::float32;
        ImageShape shape = ImageShape::d2;
        std::uint64_t head_bytes = 0;    ///< of a buffer, before its elements
        std::uint32_t element_bytes = 0; ///< 0: has no elements
    };
    enum class Target : std::uint8_t { member, constant, argument };
    struct Parameter {
        Target target = Target::member;
        detail::FieldType field;
        BlockMember member; ///< of constants only name and type
    };
    std::string name; ///< of the kernel
    CompiledShader shader;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<Parameter> parameters;
    KernelDispatch dispatch = KernelDispatch::first_output;
    std::size_t over_input = kNoPort;
    std::size_t over_output = 0;
    bool knows_group_count = false; ///< so its groups may be folded into rows
    PassDescriptor pass;
};

/// A pass of this plan, with all parameters at their defaults.
std::unique_ptr<PassInstance> make_kernel_instance(std::shared_ptr<const KernelPlan> plan);

} // namespace tuff
