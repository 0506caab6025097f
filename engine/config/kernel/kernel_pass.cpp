#include "config/kernel/kernel_pass.hpp"

#include <tuff/device_caps.hpp>
#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tuff {
namespace {

/// The values of one parameter, as numbers of its scalar type one after another.
class KernelValue {
  public:
    KernelValue(const KernelPlan::Parameter& parameter, const ParameterInfo& info)
        : parameter_(&parameter), info_(&info) {
        std::ignore = set(info.default_value);
    }

    Result<void> set(const ParameterValue& value) {
        if (parameter_->field.kind == ParameterKind::list) {
            std::vector<float> list;
            auto done = detail::set_field(*info_, parameter_->field, &list, value);
            if (!done) return done;
            const BlockMember& member = parameter_->member;
            const std::size_t most = std::size_t{member.array_length} * member.rows;
            if (list.size() > most)
                return fail("pass/out-of-range",
                            fmt::format("parameter \"{}\" takes at most {} numbers, not {}",
                                        info_->name, most, list.size()));
            list.resize(most); // lists are of floats alone: see `is_settable`
            numbers_.resize(most);
            std::memcpy(numbers_.data(), list.data(), most * sizeof(float));
            return {};
        }
        std::vector<std::uint32_t> numbers(parameter_->field.components);
        auto done = detail::set_field(*info_, parameter_->field, numbers.data(), value);
        if (done) numbers_ = std::move(numbers);
        return done;
    }

    std::uint32_t word(std::size_t i) const { return numbers_[i]; }

    template <typename T>
    std::vector<T> as() const {
        std::vector<T> values(numbers_.size() * sizeof(std::uint32_t) / sizeof(T));
        std::memcpy(static_cast<void*>(values.data()), numbers_.data(), values.size() * sizeof(T));
        return values;
    }

  private:
    const KernelPlan::Parameter* parameter_;
    const ParameterInfo* info_;
    std::vector<std::uint32_t> numbers_; ///< their bits
};

template <typename... Ts, typename Set>
void set_as_one_of(const BlockMember& member, Set&& set) {
    const auto try_type = [&]<typename T>(std::type_identity<T> type) {
        constexpr ParameterType kType = ParameterTypeOf<T>::value;
        if (kType.scalar == member.scalar && kType.rows == member.rows &&
            kType.columns == member.columns)
            set(type);
    };
    (try_type(std::type_identity<Ts>{}), ...);
}

void set_member(KernelNode& node, const BlockMember& member, const KernelValue& value) {
    set_as_one_of<float, std::int32_t, std::uint32_t, glm::vec2, glm::vec3, glm::vec4, glm::ivec2,
                  glm::ivec3, glm::ivec4, glm::uvec2, glm::uvec3, glm::uvec4, glm::mat3, glm::mat4>(
        member, [&]<typename T>(std::type_identity<T>) {
            const std::vector<T> values = value.as<T>();
            if (member.array_length == 0)
                node.set(member.name, values.front());
            else
                node.set(member.name, std::span<const T>(values));
        });
}

void set_constant(KernelNode& node, const BlockMember& constant, std::uint32_t bits) {
    switch (constant.scalar) {
    case ScalarType::float32: node.specialize(constant.name, std::bit_cast<float>(bits)); break;
    case ScalarType::int32:
        node.specialize(constant.name, std::bit_cast<std::int32_t>(bits));
        break;
    default: node.specialize(constant.name, bits); break;
    }
}

/// Whether texels of the format read and write as `scalar`.
bool holds(Format format, ScalarType scalar) {
    switch (info(format).kind) {
    case NumericKind::uint: return scalar == ScalarType::uint32;
    case NumericKind::sint: return scalar == ScalarType::int32;
    default: return scalar == ScalarType::float32;
    }
}

/// See make_kernel_instance.
class KernelInstance final : public PassInstance {
  public:
    explicit KernelInstance(std::shared_ptr<const KernelPlan> plan)
        : plan_(std::move(plan)), inputs_(plan_->inputs.size()), outputs_(plan_->outputs.size()) {
        for (std::size_t i = 0; i < plan_->parameters.size(); ++i)
            values_.emplace_back(plan_->parameters[i], plan_->pass.parameters[i]);
    }

    Result<void> set_parameter(std::size_t index, const ParameterValue& value) override {
        return values_[index].set(value);
    }

    Result<void> set_input(std::size_t index, const PortValue& value) override {
        const PortInfo& info = plan_->pass.inputs[index];
        if (value.type != info.type)
            return fail("pass/wrong-port-type", fmt::format("input \"{}\" is of type {}, not {}",
                                                            info.name, info.type, value.type));
        if (auto read = detail::check_elements(info, info.elements.fixed, value); !read)
            return read;
        if (!info.list) inputs_[index].clear();
        inputs_[index].push_back(value);
        return {};
    }

    void build(Graph& graph) override {
        const auto* library = dynamic_cast<const ShaderLibrary*>(graph.shaders());
        if (!library) {
            graph.error("shader/no-compiler", "this graph takes no kernels of configs");
            return;
        }
        if (const auto defined = library->define(plan_->name, plan_->shader); !defined) {
            for (const Diagnostic& d : defined.error())
                graph.report(d);
            return;
        }
        if (!check_inputs(graph) || !make_outputs(graph)) return;
        if (plan_->shader.stage == ShaderStage::fragment)
            draw(graph);
        else
            compute(graph);
    }

    PortValue output(std::size_t index) const override {
        PortValue value = outputs_[index];
        value.elements = plan_->pass.outputs[index].elements.fixed;
        return value;
    }
    Cost cost(const Graph&) const override { return {}; }

  private:
    template <typename T>
    static T resource(const PortValue& value) {
        const T* found = value.get<T>();
        return found ? *found : T{};
    }
    Image input_image(std::size_t index) const { return resource<Image>(inputs_[index].front()); }
    Buffer input_buffer(std::size_t index) const {
        return resource<Buffer>(inputs_[index].front());
    }
    bool is_image(std::size_t input) const { return plan_->pass.inputs[input].type == "Image"; }

    bool check_inputs(Graph& graph) const {
        bool sound = true;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const PortInfo& port = plan_->pass.inputs[i];
            if (!port.required && inputs_[i].empty()) continue;
            if (inputs_[i].empty() || inputs_[i].size() < port.least_wires ||
                inputs_[i].size() > std::max(port.most_wires, 1u)) {
                graph.error("graph/unconnected",
                            port.list ? fmt::format("input \"{}\" takes {} wires, not {}",
                                                    port.name, port.most_wires, inputs_[i].size())
                                      : fmt::format("input \"{}\" is not connected", port.name));
                sound = false;
            }
        }
        return sound;
    }

    // --- outputs, before the kernel writes them ---

    bool make_outputs(Graph& graph) {
        bool sound = true;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const KernelPlan::Output& output = plan_->outputs[i];
            const std::string& name = plan_->pass.outputs[i].name;
            if (output.updates != kNoPort)
                outputs_[i] = updatable(graph, output, name);
            else if (output.is_image)
                sound = make_image(graph, i) && sound;
            else
                outputs_[i] = PortValue::of(make_buffer(graph, output, name));
        }
        return sound;
    }

    /// What an input is connected to, or a copy where that must stay as it is.
    PortValue updatable(Graph& graph, const KernelPlan::Output& output, const std::string& name) {
        const auto own = [&](auto resource) {
            const Lifetime lifetime = graph.peek().resource_of(resource.version).lifetime;
            return lifetime == Lifetime::transient;
        };
        if (output.is_image) {
            const Image image = input_image(output.updates);
            if (own(image)) return PortValue::of(image);
            return PortValue::of(graph.copy(image, graph.image(name, graph.desc(image)), "copy"));
        }
        const Buffer buffer = input_buffer(output.updates);
        if (own(buffer)) return PortValue::of(buffer);
        return PortValue::of(graph.copy(buffer, graph.buffer(name, graph.desc(buffer)), "copy"));
    }

    bool make_image(Graph& graph, std::size_t index) {
        const KernelPlan::Output& output = plan_->outputs[index];
        const std::string& name = plan_->pass.outputs[index].name;
        ImageDesc desc;
        desc.shape = output.shape;
        desc.format = output.format;
        if (output.like != kNoPort) {
            const ImageDesc& like = graph.desc(input_image(output.like));
            desc.extent = like.extent;
            if (output.shape != ImageShape::d3) desc.extent.depth = 1;
            if (desc.format == Format::undefined) desc.format = like.format;
        } else {
            const KernelValue& size = values_[output.size];
            const bool deep = output.shape == ImageShape::d3;
            desc.extent = {size.word(0), size.word(1), deep ? size.word(2) : 1};
        }
        if (!holds(desc.format, output.scalar)) {
            graph.error("config/kernel-format",
                        fmt::format("output \"{}\" would be {}, which the kernel cannot write: its "
                                    "numbers are of another type",
                                    name, info(desc.format).name),
                        "say which it is: \"format\": \"rgba16_sfloat\"");
            return false;
        }
        Image image = graph.image(name, desc);
        if (output.starts_zero) image = graph.clear(image, zero_of(output.scalar), "clear");
        outputs_[index] = PortValue::of(image);
        return true;
    }

    static ClearValue zero_of(ScalarType scalar) {
        if (scalar == ScalarType::float32) return std::array<float, 4>{};
        return std::array<std::uint32_t, 4>{};
    }

    Buffer make_buffer(Graph& graph, const KernelPlan::Output& output, const std::string& name) {
        std::uint64_t bytes = output.head_bytes;
        if (output.length != kNoPort) {
            bytes += std::uint64_t{values_[output.length].word(0)} * output.element_bytes;
        } else if (output.like != kNoPort) {
            bytes += elements_of(graph, output.like) * output.element_bytes;
        }
        const Buffer buffer =
            graph.buffer(name, {.size = (bytes + 3) / 4 * 4,
                                .stride = output.head_bytes == 0 ? output.element_bytes : 0});
        return output.starts_zero ? graph.fill(buffer, 0, "clear") : buffer;
    }

    /// Elements of an input's buffer as the kernel sees them; texels of an image.
    std::uint64_t elements_of(const Graph& graph, std::size_t input) const {
        if (is_image(input)) {
            const Extent extent = graph.extent(input_image(input));
            return std::uint64_t{extent.width} * extent.height * extent.depth;
        }
        const auto& [head, element] = plan_->inputs[input].bytes;
        const std::uint64_t size = graph.desc(input_buffer(input)).size;
        return element == 0 || size < head ? 1 : (size - head) / element;
    }

    // --- nodes ---

    void bind(KernelNode& node) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const KernelPlan::Input& input = plan_->inputs[i];
            if (input.indirect || input.updated) continue;
            if (input.is_list) {
                std::vector<SampledImage> images;
                for (const PortValue& value : inputs_[i])
                    images.push_back({.view = resource<Image>(value)});
                node.read_array(input.binding, images);
            } else if (!plan_->pass.inputs[i].required) {
                const PortValue none;
                const PortValue& value = inputs_[i].empty() ? none : inputs_[i].front();
                if (is_image(i))
                    node.read_optional(input.binding, resource<Image>(value));
                else
                    node.read_optional(input.binding, resource<Buffer>(value));
            } else if (is_image(i)) {
                node.read(input.binding, input_image(i));
            } else {
                node.read(input.binding, input_buffer(i));
            }
        }
        for (std::size_t i = 0; i < plan_->parameters.size(); ++i) {
            const KernelPlan::Parameter& parameter = plan_->parameters[i];
            if (parameter.target == KernelPlan::Target::member)
                set_member(node, parameter.member, values_[i]);
            else if (parameter.target == KernelPlan::Target::constant)
                set_constant(node, parameter.member, values_[i].word(0));
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const KernelPlan::Output& output = plan_->outputs[i];
            if (output.binding.empty()) continue;
            if (output.is_image)
                outputs_[i] =
                    PortValue::of(node.write(output.binding, resource<Image>(outputs_[i])));
            else
                outputs_[i] =
                    PortValue::of(node.write(output.binding, resource<Buffer>(outputs_[i])));
        }
    }

    void draw(Graph& graph) {
        RasterNodeBuilder node = graph.raster(plan_->name, "draw");
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (plan_->outputs[i].binding.empty())
                outputs_[i] = PortValue::of(node.color(resource<Image>(outputs_[i]), discarded()));
        bind(node);
        node.draw({.count = 3});
    }

    void compute(Graph& graph) {
        ComputeNodeBuilder node = graph.compute(plan_->name, "compute");
        const std::size_t before = graph.peek().diagnostics.size();
        bind(node);
        if (graph.peek().diagnostics.size() != before) return;
        switch (plan_->dispatch) {
        case KernelDispatch::count:
            dispatch_each(graph, node, values_[argument(kKernelCount)].word(0));
            break;
        case KernelDispatch::groups: {
            const KernelValue& groups = values_[argument(kKernelGroups)];
            node.dispatch(groups.word(0), groups.word(1), groups.word(2));
            break;
        }
        case KernelDispatch::indirect:
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                if (plan_->inputs[i].indirect) node.dispatch_indirect(input_buffer(i));
            break;
        case KernelDispatch::first_output:
        case KernelDispatch::over: dispatch_over(graph, node); break;
        }
    }

    std::size_t argument(std::string_view name) const { return *plan_->pass.find_parameter(name); }

    void dispatch_over(Graph& graph, ComputeNodeBuilder& node) {
        if (plan_->over_input != kNoPort) {
            if (is_image(plan_->over_input))
                node.dispatch_over(graph.extent(input_image(plan_->over_input)));
            else
                dispatch_each(graph, node, elements_of(graph, plan_->over_input));
            return;
        }
        const KernelPlan::Output& output = plan_->outputs[plan_->over_output];
        const PortValue& made = outputs_[plan_->over_output];
        if (output.is_image) {
            node.dispatch_over(graph.extent(resource<Image>(made)));
            return;
        }
        const std::uint64_t bytes = graph.desc(resource<Buffer>(made)).size;
        const bool counted = output.element_bytes != 0 && bytes >= output.head_bytes;
        dispatch_each(graph, node,
                      counted ? (bytes - output.head_bytes) / output.element_bytes : 1);
    }

    void dispatch_each(Graph& graph, ComputeNodeBuilder& node, std::uint64_t count) const {
        const std::uint64_t local = std::max(node.group_size()[0], 1u);
        const std::uint64_t most_groups = DeviceCaps{}.max_group_count[0]; // of every device
        if (!plan_->knows_group_count && count > most_groups * local) {
            graph.error("config/kernel-too-wide",
                        fmt::format("{} elements are more than {} groups of {}, and the kernel "
                                    "does not know that groups come in rows",
                                    count, most_groups, local),
                        "number elements by invocation_index() of #include \"invocation.glsl\"");
            return;
        }
        node.dispatch_each(static_cast<std::uint32_t>(count));
    }

    std::shared_ptr<const KernelPlan> plan_;
    std::vector<KernelValue> values_;            ///< by parameter
    std::vector<std::vector<PortValue>> inputs_; ///< by input
    std::vector<PortValue> outputs_;             ///< by output
};

} // namespace

std::unique_ptr<PassInstance> make_kernel_instance(std::shared_ptr<const KernelPlan> plan) {
    return std::make_unique<KernelInstance>(std::move(plan));
}

} // namespace tuff
