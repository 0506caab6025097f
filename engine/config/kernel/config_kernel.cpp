#include "config/kernel/config_kernel.hpp"

#include "config/check/flat_config.hpp"
#include "config/kernel/kernel_comments.hpp"
#include "config/kernel/kernel_pass.hpp"
#include "config/kernel/kernel_source.hpp"

#include <tuff/device_caps.hpp>
#include <tuff/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace tuff {
namespace {

constexpr double kMaxLength = 1u << 30; // elements of an output

bool is_image(const ShaderBinding& binding) {
    return binding.kind == BindingKind::storage_image ||
           binding.kind == BindingKind::sampled_image ||
           binding.kind == BindingKind::combined_image_sampler;
}

detail::Scalar scalar_of(ScalarType scalar) {
    switch (scalar) {
    case ScalarType::int32: return detail::Scalar::int32;
    case ScalarType::uint32: return detail::Scalar::uint32;
    default: return detail::Scalar::float32;
    }
}

/// How a member lies in a KernelValue.
detail::FieldType field_of(const BlockMember& member) {
    const std::uint32_t components = member.rows * member.columns;
    if (member.array_length != 0)
        return {.kind = ParameterKind::list, .scalar = detail::Scalar::float32};
    if (components > 1)
        return {.kind = ParameterKind::vector,
                .scalar = scalar_of(member.scalar),
                .components = components};
    if (member.scalar == ScalarType::float32)
        return {.kind = ParameterKind::real, .scalar = detail::Scalar::float32};
    return {.kind = ParameterKind::integer, .scalar = scalar_of(member.scalar)};
}

/// Whether graphs can set it by name.
bool is_settable(const BlockMember& member) {
    if (member.scalar == ScalarType::boolean) return false;
    if (member.columns > 1)
        return member.array_length == 0 && member.scalar == ScalarType::float32 &&
               member.rows == member.columns && member.rows >= 3;
    // A list is read as floats, so other numbers would lose digits.
    return member.array_length == 0 || member.scalar == ScalarType::float32;
}

/// What the elements of a buffer are; unknown where it is no array, or one of structs that have
/// something else than numbers and vectors.
BufferElements elements_of(const ShaderBinding& binding) {
    if (binding.kind != BindingKind::storage_buffer || binding.element_rows == 0) return {};
    const ElementMember numbers{.name = {},
                                .type = element_type(binding.scalar),
                                .count = binding.element_rows,
                                .offset = 0};
    const BufferElements packed(numbers.type, numbers.count);
    if (binding.element_bytes == 0 || packed.bytes() == binding.element_bytes) return packed;
    return {packed.name(), {numbers}, binding.element_bytes};
}

std::string_view type_name(NumericKind kind) {
    switch (kind) {
    case NumericKind::uint: return "unsigned whole numbers";
    case NumericKind::sint: return "signed whole numbers";
    default: return "real numbers";
    }
}

/// Makes the plan of one node's kernel.
class KernelDescriber {
  public:
    KernelDescriber(const NodeDecl& decl, const KernelSource& source, Problems& problems)
        : decl_(decl), kernel_(*decl.kernel), source_(source), problems_(problems) {}

    std::shared_ptr<KernelPlan> run() {
        const std::size_t before = problems_.error_count();
        plan_->name = source_.name;
        plan_->shader = source_.shader;
        plan_->knows_group_count = source_.facts.knows_group_count;
        PassDescriptor& pass = plan_->pass;
        pass.name = decl_.target.text;
        pass.summary = "A kernel of the config";
        for (const ShaderBinding& binding : source_.interface.bindings)
            if (!is_bound_by_graph(binding)) add_input(binding);
        add_parameters();
        for (const ShaderBinding& binding : source_.interface.bindings)
            if (binding.writes && !is_bound_by_graph(binding)) add_output(binding);
        if (draws())
            for (const FragmentOutput& color : source_.facts.colors)
                add_color(color);
        check_names();
        add_dispatch();
        apply_kernel_comments(decl_, source_, pass, problems_);
        set_defaults();
        return problems_.error_count() == before ? plan_ : nullptr;
    }

  private:
    bool draws() const { return source_.shader.stage == ShaderStage::fragment; }

    void error(std::string_view code, Span span, std::string message, std::string hint = {}) {
        problems_.error(code, span, std::move(message), std::move(hint));
    }

    bool is_connected(std::string_view port) const {
        return std::ranges::any_of(decl_.connections, [&](const ConnectionDecl& connection) {
            return connection.port.text == port;
        });
    }

    const KernelOutputDecl* declared(std::string_view output) const {
        const auto found = std::ranges::find(kernel_.outputs, output, &KernelOutputDecl::name);
        return found == kernel_.outputs.end() ? nullptr : &*found;
    }

    /// Whether the kernel has a flag by which it is told that `binding` is not connected.
    bool is_optional(const ShaderBinding& binding) const {
        const std::string flag = "has_" + binding.name;
        return std::ranges::any_of(source_.interface.constants,
                                   [&](const auto& c) { return c.name == flag; }) ||
               std::ranges::any_of(source_.interface.param_members,
                                   [&](const auto& m) { return m.name == flag; });
    }

    // --- ports ---

    bool is_bound_by_graph(const ShaderBinding& binding) const {
        return binds_assertions(source_.interface, binding);
    }

    void add_input(const ShaderBinding& binding) {
        const bool buffer = binding.kind == BindingKind::storage_buffer ||
                            binding.kind == BindingKind::uniform_buffer;
        const bool any_length = binding.count_constant != ~0u;
        const bool list = binding.count > 1 || any_length;
        if (binding.name.empty()) {
            error("config/kernel-names", decl_.target.span,
                  fmt::format("{} has bindings without names", decl_.target.text),
                  "compile it with debug information (glslc -g), and do not strip it");
            return;
        }
        if ((!buffer && !is_image(binding)) || (list && (buffer || binding.writes))) {
            error("config/kernel-binding", decl_.target.span,
                  fmt::format("a config cannot connect binding \"{}\" of {}", binding.name,
                              decl_.target.text),
                  "bind sampler2D and image2D, their other shapes and types, buffers and the block "
                  "Params");
            return;
        }
        const bool updated = binding.reads && binding.writes && is_connected(binding.name);
        if (binding.writes && !updated) return;
        const bool optional = is_optional(binding) && !updated && !list;
        plan_->inputs.push_back({.binding = binding.name,
                                 .is_list = list,
                                 .updated = updated,
                                 .bytes = {head_bytes(binding), binding.element_bytes}});
        plan_->pass.inputs.push_back({.name = binding.name,
                                      .doc = {},
                                      .type = buffer ? "Buffer" : "Image",
                                      .required = !optional,
                                      .list = list,
                                      .least_wires = any_length ? 1
                                                     : list     ? binding.count
                                                                : 0,
                                      .most_wires = list && !any_length ? binding.count : kAll,
                                      .elements = {.fixed = elements_of(binding)}});
    }

    static std::uint64_t head_bytes(const ShaderBinding& binding) {
        return binding.block_bytes - std::min(binding.element_bytes, binding.block_bytes);
    }

    void add_output(const ShaderBinding& binding) {
        if (binding.name.empty()) return; // reported
        const bool image = is_image(binding);
        KernelPlan::Output output{.binding = binding.name,
                                  .is_image = image,
                                  .starts_zero = binding.reads,
                                  .format = binding.format,
                                  .scalar = binding.scalar,
                                  .head_bytes = head_bytes(binding),
                                  .element_bytes = binding.element_bytes};
        if (binding.dimension == ImageDimension::d3) output.shape = ImageShape::d3;
        const KernelOutputDecl* const decl = declared(binding.name);
        if (const auto input = plan_->pass.find_input(binding.name)) {
            output.updates = *input;
            if (decl)
                error("config/kernel-size", decl->span,
                      fmt::format("\"{}\" is updated in place: it has the size of what its input "
                                  "is connected to",
                                  binding.name),
                      "leave it out of \"out\", or out of \"in\"");
        } else if (image && binding.dimension != ImageDimension::d2 &&
                   binding.dimension != ImageDimension::d3) {
            error("config/kernel-binding", decl_.target.span,
                  fmt::format("binding \"{}\" of {} writes an image that is neither two- nor "
                              "three-dimensional",
                              binding.name, decl_.target.text));
        } else {
            size_output(output, binding.name, decl);
        }
        push_output(std::move(output), binding.name);
        plan_->pass.outputs.back().elements.fixed = elements_of(binding);
    }

    void add_color(const FragmentOutput& color) {
        KernelPlan::Output output{.scalar = color.scalar};
        const std::size_t expected = static_cast<std::size_t>(std::ranges::count_if(
            plan_->outputs, [](const auto& made) { return made.binding.empty(); }));
        if (color.location != expected)
            error("config/kernel-binding", decl_.target.span,
                  fmt::format("output \"{}\" of {} is at location {}, but there is none at {}",
                              color.name, decl_.target.text, color.location, expected));
        size_output(output, color.name, declared(color.name));
        push_output(std::move(output), color.name);
    }

    void push_output(KernelPlan::Output output, const std::string& name) {
        plan_->pass.outputs.push_back(
            {.name = name, .doc = {}, .type = output.is_image ? "Image" : "Buffer"});
        plan_->outputs.push_back(std::move(output));
    }

    /// Takes size and format from what the config says of the output.
    void size_output(KernelPlan::Output& output, const std::string& name,
                     const KernelOutputDecl* decl) {
        const bool has_fixed_size = !output.is_image && output.element_bytes == 0;
        if (!decl && has_fixed_size) return;
        if (!decl || (decl->like.empty() && !decl->has_size && !decl->has_length)) {
            if (has_fixed_size) return;
            error("config/kernel-size", decl ? decl->span : decl_.name.span,
                  fmt::format("output \"{}\" of node \"{}\" has no size", name, decl_.name.text),
                  output.is_image
                      ? fmt::format("add \"out\": {{\"{0}\": {{\"like\": INPUT}}}}, or {{\"{0}\": "
                                    "{{\"size\": [WIDTH, HEIGHT]}}}}",
                                    name)
                      : fmt::format("add \"out\": {{\"{0}\": {{\"length\": ELEMENTS}}}}, or "
                                    "{{\"{0}\": {{\"like\": INPUT}}}}",
                                    name));
            return;
        }
        if (output.is_image ? decl->has_length : decl->has_size || decl->format_span.file) {
            error("config/kernel-size", decl->span,
                  output.is_image
                      ? fmt::format("output \"{}\" is an image: it has a size, no length", name)
                      : fmt::format("output \"{}\" is a buffer: it has a length, and neither size "
                                    "nor format",
                                    name));
            return;
        }
        if (!decl->like.empty()) set_like(output, *decl);
        if (decl->has_size)
            output.size = add_argument(kernel_argument(name, "size"),
                                       output.shape == ImageShape::d3 ? 3 : 2, kMaxConfigSide);
        if (decl->has_length)
            output.length = add_argument(kernel_argument(name, "length"), 1, kMaxLength);
        if (output.is_image) set_format(output, *decl);
    }

    void set_like(KernelPlan::Output& output, const KernelOutputDecl& decl) {
        const auto input = plan_->pass.find_input(decl.like);
        if (!input) {
            error("config/unknown-port", decl.like_span,
                  fmt::format("\"like\" names an input; {} has no input \"{}\"", decl_.target.text,
                              decl.like),
                  suggest(decl.like, port_names(plan_->pass.inputs)));
            return;
        }
        const bool from_image = plan_->pass.inputs[*input].type == "Image";
        if (plan_->pass.inputs[*input].list || (output.is_image && !from_image)) {
            error("config/wrong-port-type", decl.like_span,
                  fmt::format("output \"{}\" is an image, but \"{}\" is not: it has no width and "
                              "height",
                              decl.name, decl.like));
            return;
        }
        output.like = *input;
    }

    void set_format(KernelPlan::Output& output, const KernelOutputDecl& decl) {
        if (decl.format != Format::undefined) {
            if (output.format != Format::undefined && output.format != decl.format)
                error("config/kernel-format", decl.format_span,
                      fmt::format("output \"{}\" is declared {} in the kernel, not {}", decl.name,
                                  info(output.format).name, info(decl.format).name),
                      "leave \"format\" out");
            const NumericKind kind = info(decl.format).kind;
            const ScalarType wanted = kind == NumericKind::uint   ? ScalarType::uint32
                                      : kind == NumericKind::sint ? ScalarType::int32
                                                                  : ScalarType::float32;
            if (wanted != output.scalar || info(decl.format).depth)
                error("config/kernel-format", decl.format_span,
                      fmt::format("output \"{}\" cannot be {}: the kernel does not write {}",
                                  decl.name, info(decl.format).name, type_name(kind)));
            output.format = decl.format;
        } else if (output.format == Format::undefined && decl.like.empty() &&
                   !decl.format_span.file) {
            error(
                "config/kernel-format", decl.span,
                fmt::format("output \"{}\" has a size, but no format", decl.name),
                "add \"format\": \"rgba16_sfloat\", or declare it in the kernel: layout(rgba16f)");
        }
    }

    /// What the config says of ports that the kernel does not have.
    void check_names() {
        for (const KernelOutputDecl& output : kernel_.outputs)
            if (!plan_->pass.find_output(output.name))
                error("config/unknown-port", output.span,
                      fmt::format("{} writes no \"{}\"", decl_.target.text, output.name),
                      suggest(output.name, port_names(plan_->pass.outputs)));
        if (plan_->outputs.empty())
            error("config/kernel-binding", decl_.target.span,
                  fmt::format("{} writes nothing", decl_.target.text),
                  "declare what it makes: writeonly uniform image2D result;");
    }

    // --- parameters ---

    void add_parameters() {
        for (const auto* members :
             {&source_.interface.param_members, &source_.interface.push_members})
            for (const BlockMember& member : *members) {
                if (is_flag(member.name)) continue;
                if (!is_settable(member)) {
                    error("config/kernel-parameter", decl_.target.span,
                          fmt::format("parameter \"{}\" of {} has a type that a config cannot set",
                                      member.name, decl_.target.text),
                          "use float, int, uint, vectors of them, mat3, mat4 and arrays of float");
                    continue;
                }
                add_parameter({.target = KernelPlan::Target::member,
                               .field = field_of(member),
                               .member = member},
                              member.name);
            }
        const auto& axes = source_.interface.local_size_ids;
        for (const SpecializationConstant& constant : source_.interface.constants) {
            const bool of_size = std::ranges::find(axes, constant.id) != axes.end();
            if (of_size || constant.name.empty() || is_flag(constant.name) || is_length(constant) ||
                constant.scalar == ScalarType::boolean)
                continue;
            const BlockMember member{.name = constant.name, .scalar = constant.scalar};
            add_parameter({.target = KernelPlan::Target::constant,
                           .field = field_of(member),
                           .member = member},
                          constant.name);
            ParameterInfo& info = plan_->pass.parameters.back();
            info.structural = true;
            switch (constant.scalar) {
            case ScalarType::float32:
                info.default_value = double{std::bit_cast<float>(constant.default_bits)};
                break;
            case ScalarType::int32:
                info.default_value =
                    std::int64_t{std::bit_cast<std::int32_t>(constant.default_bits)};
                break;
            default: info.default_value = std::int64_t{constant.default_bits};
            }
        }
    }

    /// Of an array: as many as are connected.
    bool is_length(const SpecializationConstant& constant) const {
        return std::ranges::find(source_.interface.bindings, constant.id,
                                 &ShaderBinding::count_constant) !=
               source_.interface.bindings.end();
    }

    /// "has_other": the engine sets it.
    bool is_flag(std::string_view name) const {
        if (name == "has_assertions") return true; // see binds_assertions
        return std::ranges::any_of(plan_->pass.inputs, [&](const PortInfo& port) {
            return !port.required && name == "has_" + port.name;
        });
    }

    void add_parameter(KernelPlan::Parameter parameter, const std::string& name) {
        const std::vector<std::uint32_t> zeros(std::max(parameter.field.components, 1u));
        const std::vector<float> empty;
        const void* const field = parameter.field.kind == ParameterKind::list
                                      ? static_cast<const void*>(&empty)
                                      : zeros.data();
        plan_->pass.parameters.push_back(
            detail::describe_parameter(name, {}, parameter.field, field));
        plan_->parameters.push_back(std::move(parameter));
    }

    /// A value that the config gives beside the kernel's parameters: 1 to `most`.
    std::size_t add_argument(const std::string& name, std::uint32_t components, double most) {
        const std::size_t index = plan_->parameters.size();
        add_parameter(
            {.target = KernelPlan::Target::argument,
             .field = {.kind = components > 1 ? ParameterKind::vector : ParameterKind::integer,
                       .scalar = detail::Scalar::uint32,
                       .components = components},
             .member = {}},
            name);
        ParameterInfo& info = plan_->pass.parameters.back();
        info.low = 1;
        info.high = most;
        info.structural = true;
        if (components == 1)
            info.default_value = std::int64_t{1};
        else
            info.default_value = std::vector<double>(components, 1.0);
        return index;
    }

    /// What nobody gives lies in the range.
    void set_defaults() {
        for (ParameterInfo& info : plan_->pass.parameters) {
            const auto inside = [&](auto number) {
                const double clamped = std::clamp(static_cast<double>(number), info.low, info.high);
                return static_cast<decltype(number)>(clamped);
            };
            if (auto* whole = std::get_if<std::int64_t>(&info.default_value))
                *whole = inside(*whole);
            else if (auto* real = std::get_if<double>(&info.default_value))
                *real = inside(*real);
            else if (auto* list = std::get_if<std::vector<double>>(&info.default_value))
                std::ranges::transform(*list, list->begin(), inside);
        }
    }

    // --- dispatch ---

    void add_dispatch() {
        plan_->dispatch = kernel_.dispatch;
        if (draws()) {
            if (kernel_.dispatch != KernelDispatch::first_output)
                error("config/kernel-dispatch", kernel_.dispatch_span,
                      "a fragment kernel is drawn over its outputs and has no \"dispatch\"");
            return;
        }
        switch (kernel_.dispatch) {
        case KernelDispatch::first_output: break;
        case KernelDispatch::over: find_over(); break;
        case KernelDispatch::count:
            add_argument(std::string(kKernelCount), 1, std::numeric_limits<std::uint32_t>::max());
            break;
        case KernelDispatch::groups:
            add_argument(std::string(kKernelGroups), 3, DeviceCaps{}.max_group_count[0]);
            break;
        case KernelDispatch::indirect:
            plan_->inputs.push_back({.binding = {}, .indirect = true});
            plan_->pass.inputs.push_back({.name = std::string(kKernelIndirect),
                                          .doc = "three counts of groups",
                                          .type = "Buffer"});
            break;
        }
    }

    void find_over() {
        const PassDescriptor& pass = plan_->pass;
        if (const auto output = pass.find_output(kernel_.over)) {
            plan_->over_output = *output;
        } else if (const auto input = pass.find_input(kernel_.over);
                   input && !pass.inputs[*input].list && pass.inputs[*input].required) {
            plan_->over_input = *input;
        } else {
            std::vector<std::string> known = port_names(pass.outputs);
            for (const std::string& name : port_names(pass.inputs))
                known.push_back(name);
            error("config/unknown-port", kernel_.dispatch_span,
                  fmt::format("\"over\" names a port; {} has no \"{}\"", decl_.target.text,
                              kernel_.over),
                  suggest(kernel_.over, known));
        }
    }

    const NodeDecl& decl_;
    const KernelDecl& kernel_;
    const KernelSource& source_;
    Problems& problems_;
    std::shared_ptr<KernelPlan> plan_ = std::make_shared<KernelPlan>();
};

} // namespace

std::unique_ptr<const PassDescriptor> make_config_kernel(const NodeDecl& decl,
                                                         const KernelFolders& folders,
                                                         std::set<std::filesystem::path>& files,
                                                         Problems& problems) {
    const auto source = read_kernel_source(decl, folders, files, problems);
    if (!source) return nullptr;
    const std::shared_ptr<const KernelPlan> plan = KernelDescriber(decl, *source, problems).run();
    if (!plan) return nullptr;
    auto pass = std::make_unique<PassDescriptor>(plan->pass);
    pass->make = [plan] { return make_kernel_instance(plan); };
    return pass;
}

} // namespace tuff
