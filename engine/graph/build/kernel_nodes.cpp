#include "graph/compile/ranges.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

/// The parts of Graph that add kernels, and bind resources and parameters to them.
namespace tuff {
namespace {

StageMask pipeline_stages(std::uint32_t shader_stages) {
    StageMask stages = 0;
    if (shader_stages & static_cast<std::uint32_t>(ShaderStage::vertex))
        stages |= stage::kVertexShader;
    if (shader_stages & static_cast<std::uint32_t>(ShaderStage::fragment))
        stages |= stage::kFragmentShader;
    if (shader_stages & static_cast<std::uint32_t>(ShaderStage::compute)) stages |= stage::kCompute;
    if (shader_stages & static_cast<std::uint32_t>(ShaderStage::ray_generation))
        stages |= stage::kRayTracing;
    return stages;
}

bool is_image_binding(BindingKind kind) {
    return kind == BindingKind::storage_image || kind == BindingKind::sampled_image ||
           kind == BindingKind::combined_image_sampler;
}

Access read_access(BindingKind kind) {
    switch (kind) {
    case BindingKind::uniform_buffer: return Access::uniform_read;
    case BindingKind::sampled_image:
    case BindingKind::combined_image_sampler: return Access::sampled;
    case BindingKind::acceleration_structure: return Access::acceleration_trace;
    default: return Access::storage_read;
    }
}

std::string_view dimension_name(ImageDimension dimension) {
    switch (dimension) {
    case ImageDimension::d1: return "1-D";
    case ImageDimension::d2: return "2-D";
    case ImageDimension::d2_array: return "2-D array";
    case ImageDimension::d3: return "3-D";
    case ImageDimension::cube: return "cube";
    }
    return "unknown";
}

bool fits(ImageDimension dimension, ImageShape shape) {
    switch (dimension) {
    case ImageDimension::d1: return false;
    case ImageDimension::d3: return shape == ImageShape::d3;
    case ImageDimension::cube: return shape == ImageShape::cube;
    default: return shape != ImageShape::d3;
    }
}

std::vector<std::string> binding_names(const ShaderInterface& shader) {
    std::vector<std::string> names;
    for (const ShaderBinding& b : shader.bindings)
        names.push_back(b.name);
    return names;
}

std::string suggestion(std::string_view wanted, const std::vector<std::string>& known) {
    const std::string_view near = nearest_name(wanted, known);
    if (!near.empty()) return fmt::format("did you mean '{}'?", near);
    if (known.empty()) return "the kernel has none";
    return fmt::format("the kernel has {}", fmt::join(known, ", "));
}

/// What is wrong with showing `image` through `binding`, or nothing.
std::optional<Diagnostic> view_mistake(const ShaderBinding& binding, const ResourceDesc& resource,
                                       const Range& view) {
    const auto range = concrete_range(resource, view);
    if (!range) return std::nullopt; // add_read and add_write report it
    const ImageDesc& image = resource.image();
    if (!fits(binding.dimension, image.shape))
        return Diagnostic{.code = "graph/binding-dimension",
                          .message = fmt::format("binding '{}' takes a {} image", binding.name,
                                                 dimension_name(binding.dimension))};
    if (binding.dimension == ImageDimension::cube && range->layers != 6)
        return Diagnostic{.code = "graph/binding-dimension",
                          .message = fmt::format("binding '{}' takes the six layers of a cube, "
                                                 "not {}",
                                                 binding.name, range->layers),
                          .hint = "choose the cube with ImageView(image).layer(6 * n, 6)"};
    if (binding.multisampled != (image.samples > 1))
        return Diagnostic{.code = "graph/binding-samples",
                          .message = fmt::format("binding '{}' is {}multisampled but the image has "
                                                 "{} sample(s)",
                                                 binding.name, binding.multisampled ? "" : "not ",
                                                 image.samples),
                          .hint = "resolve the image first"};
    if (binding.kind != BindingKind::storage_image) return std::nullopt;
    if (range->mips != 1)
        return Diagnostic{.code = "graph/storage-mips",
                          .message = fmt::format("binding '{}' is a storage image and takes one "
                                                 "mip level, not {}",
                                                 binding.name, range->mips),
                          .hint = "name the level with mip(image, n)"};
    if (binding.format != Format::undefined && binding.format != image.format)
        return Diagnostic{.code = "graph/binding-format",
                          .message = fmt::format("binding '{}' is declared {} but the image is {}",
                                                 binding.name, info(binding.format).name,
                                                 info(image.format).name)};
    return std::nullopt;
}

/// "scatter" of "primitives/scatter[KEY_WORDS=2]".
std::string_view last_part(std::string_view path) {
    path = path.substr(0, path.find('['));
    return path.substr(path.rfind('/') + 1);
}

} // namespace

// --- nodes ---------------------------------------------------------------------------------------

ComputeNodeBuilder Graph::compute(std::string_view shader, std::string_view name) {
    ComputeNode node;
    node.kernel.shader = shaders_ ? shaders_->compute(shader) : nullptr;
    const auto room =
        room_for_assertions(name.empty() ? last_part(shader) : name, node.kernel.shader);
    const NodeId added = add_kernel_node(shader, name, node.kernel.shader, std::move(node));
    if (room) count_assertions(added, *room);
    return {*this, added};
}

ComputeNodeBuilder Graph::compute(std::string_view shader, const ShaderVariant& variant,
                                  std::string_view name) {
    return compute(variant.name_of(shader), name);
}

NodeId Graph::add_kernel_node(std::string_view shader, std::string_view name,
                              const ShaderInterface* interface, NodePayload payload) {
    const NodeId node = add_node(name.empty() ? last_part(shader) : name);
    attach_payload(node, std::move(payload));
    if (!interface) {
        const std::vector<std::string> known =
            shaders_ ? shaders_->names() : std::vector<std::string>{};
        const std::string_view near = nearest_name(shader, known);
        error("graph/unknown-kernel",
              fmt::format("node '{}' asks for kernel '{}', which is missing or does not compile",
                          desc_.name_of(node), shader),
              near.empty() ? std::string{} : fmt::format("did you mean '{}'?", near));
        return node;
    }
    KernelUse& kernel = *kernel_of(node);
    const auto reserve = [&](std::uint32_t bytes) {
        const std::size_t offset = (desc_.parameters.size() + 15) / 16 * 16;
        desc_.parameters.resize(offset + bytes);
        given_.resize(offset + bytes, false);
        return static_cast<std::uint32_t>(offset);
    };
    kernel.push_offset = reserve(interface->push_bytes);
    kernel.param_offset = reserve(interface->param_bytes);
    return node;
}

KernelUse* Graph::kernel_of(NodeId node) {
    const std::uint32_t payload = desc_.nodes[node.index].payload;
    if (payload == ~0u) return nullptr;
    if (auto* compute = std::get_if<ComputeNode>(&desc_.payloads[payload])) return &compute->kernel;
    if (auto* raster = std::get_if<RasterNode>(&desc_.payloads[payload])) return &raster->kernel;
    if (auto* rays = std::get_if<RayNode>(&desc_.payloads[payload])) return &rays->kernel;
    return nullptr;
}

// --- bindings ------------------------------------------------------------------------------------

std::optional<std::uint32_t> KernelNode::find_binding(std::string_view name, Given given) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader) return std::nullopt; // reported when the node was added
    const auto& bindings = kernel.shader->bindings;
    const auto found = std::ranges::find(bindings, name, &ShaderBinding::name);
    const std::string_view node = graph_->desc_.name_of(node_);
    if (found == bindings.end()) {
        graph_->error("graph/unknown-binding",
                      fmt::format("kernel '{}' of node '{}' has no binding '{}'",
                                  kernel.shader->name, node, name),
                      suggestion(name, binding_names(*kernel.shader)));
        return std::nullopt;
    }
    constexpr std::string_view kGiven[] = {"a buffer", "an image", "an acceleration structure"};
    const Given taken = is_image_binding(found->kind)                        ? Given::image
                        : found->kind == BindingKind::acceleration_structure ? Given::acceleration
                                                                             : Given::buffer;
    if (taken != given) {
        graph_->error("graph/binding-kind",
                      fmt::format("binding '{}' of node '{}' takes {}, not {}", name, node,
                                  kGiven[std::to_underlying(taken)],
                                  kGiven[std::to_underlying(given)]));
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(found - bindings.begin());
}

bool KernelNode::check_connected(std::string_view binding, VersionId version) {
    if (version.index < graph_->desc_.versions.size()) return true;
    graph_->report_unconnected(
        version,
        fmt::format("binding '{}' of node '{}' is given a resource that is not connected", binding,
                    graph_->desc_.name_of(node_)),
        "an input of the pass was left unset");
    return false;
}

bool KernelNode::check_view(std::uint32_t binding, Image image, const Range& range) {
    const ShaderBinding& declared = graph_->kernel_of(node_)->shader->bindings[binding];
    if (image.version.index >= graph_->desc_.versions.size())
        return true; // reported when it is bound
    const ResourceDesc& resource = graph_->desc_.resource_of(image.version);
    if (!resource.is_image()) return true;
    auto mistake = view_mistake(declared, resource, range);
    if (!mistake) return true;
    mistake->message = fmt::format("node '{}': {} ('{}')", graph_->desc_.name_of(node_),
                                   mistake->message, graph_->desc_.name(resource.name));
    graph_->report(std::move(*mistake));
    return false;
}

void KernelNode::add_binding(std::uint32_t binding, std::uint32_t element, std::uint32_t access,
                             Sampler sampler) {
    KernelUse& kernel = *graph_->kernel_of(node_);
    for (const BindingUse& use : kernel.bindings) {
        const bool seen_together = use.group == group_ || use.group == 0 || group_ == 0;
        if (use.binding != binding || use.element != element || !seen_together) continue;
        graph_->error("graph/bound-twice", fmt::format("binding '{}' of node '{}' is bound twice",
                                                       kernel.shader->bindings[binding].name,
                                                       graph_->desc_.name_of(node_)));
        return;
    }
    kernel.bindings.push_back({binding, element, access, group_, sampler});
}

bool KernelNode::check_only_read(std::uint32_t binding) {
    const ShaderInterface& shader = *graph_->kernel_of(node_)->shader;
    const ShaderBinding& declared = shader.bindings[binding];
    if (!declared.writes) return true;
    graph_->error("graph/binding-direction",
                  fmt::format("kernel '{}' may write binding '{}', but node '{}' only reads it",
                              shader.name, declared.name, graph_->desc_.name_of(node_)),
                  "declare it `readonly` in the kernel, or bind it with write()");
    return false;
}

void KernelNode::bind_read(std::uint32_t binding, std::uint32_t element, VersionId version,
                           const Range& range, Sampler sampler) {
    const ShaderBinding& declared = graph_->kernel_of(node_)->shader->bindings[binding];
    if (!check_only_read(binding)) return;
    if (!check_connected(declared.name, version)) return;
    const std::uint32_t count = graph_->kernel_of(node_)->count_of(declared);
    if (element >= count) {
        graph_->error("graph/binding-element",
                      fmt::format("binding '{}' of node '{}' has {} element(s), not {}",
                                  declared.name, graph_->desc_.name_of(node_), count, element + 1));
        return;
    }
    const std::uint32_t access = graph_->add_read(node_, version, range, read_access(declared.kind),
                                                  pipeline_stages(declared.stages));
    if (access != ~0u) add_binding(binding, element, access, sampler);
}

VersionId KernelNode::bind_write(std::string_view name, VersionId version, const Range& range,
                                 bool image, bool accumulates) {
    const auto binding = find_binding(name, image ? Given::image : Given::buffer);
    if (!binding) return version;
    const ShaderBinding declared = graph_->kernel_of(node_)->shader->bindings[*binding];
    if (!declared.writes) {
        graph_->error("graph/binding-direction",
                      fmt::format("kernel '{}' never writes binding '{}' of node '{}'",
                                  graph_->kernel_of(node_)->shader->name, declared.name,
                                  graph_->desc_.name_of(node_)),
                      "bind it with read()");
        return version;
    }
    if (!check_connected(declared.name, version)) return version;
    if (image && !check_view(*binding, Image{version}, range)) return version;
    const Access access = accumulates      ? Access::accumulate
                          : declared.reads ? Access::storage_read_write
                                           : Access::storage_write;
    const auto written =
        graph_->add_write(node_, version, range, access, pipeline_stages(declared.stages));
    if (written.access != ~0u) add_binding(*binding, 0, written.access, {});
    return written.version;
}

void KernelNode::read(std::string_view binding, ImageView view, Sampler sampler) {
    read_element(binding, 0, view, sampler);
}

void KernelNode::read_element(std::string_view binding, std::uint32_t element, ImageView view,
                              Sampler sampler) {
    const auto found = find_binding(binding, Given::image);
    if (!found || !check_view(*found, view.image, view.range)) return;
    bind_read(*found, element, view.image.version, view.range, sampler);
}

void KernelNode::read(std::string_view binding, BufferView view) {
    const auto found = find_binding(binding, Given::buffer);
    if (found) bind_read(*found, 0, view.buffer.version, view.range, {});
}

void KernelNode::read(std::string_view binding, const Acceleration& acceleration) {
    const auto found = find_binding(binding, Given::acceleration);
    if (!found || !check_connected(binding, acceleration.top.version) ||
        !check_connected(binding, acceleration.bottom.version))
        return;
    // Rays through anything else may hang the device.
    const auto is_built = [&](Buffer buffer, AccelerationLevel level) {
        const GraphDesc& desc = graph_->desc_;
        const NodeId writer = desc.versions[buffer.version.index].writer;
        if (!writer || desc.nodes[writer.index].payload == ~0u) return false;
        const auto* build =
            std::get_if<BuildAccelerationNode>(&desc.payloads[desc.nodes[writer.index].payload]);
        return build && build->level == level;
    };
    if (!is_built(acceleration.top, AccelerationLevel::top) ||
        !is_built(acceleration.bottom, AccelerationLevel::bottom)) {
        graph_->error("graph/binding-kind",
                      fmt::format("binding '{}' of node '{}' takes an acceleration structure, not "
                                  "other bytes",
                                  binding, graph_->desc_.name_of(node_)),
                      "bind what build_acceleration returned");
        return;
    }
    bind_read(*found, 0, acceleration.top.version, {}, {});
    const ShaderBinding& declared = graph_->kernel_of(node_)->shader->bindings[*found];
    graph_->add_read(node_, acceleration.bottom.version, {}, Access::acceleration_trace,
                     pipeline_stages(declared.stages));
}

// --- writes --------------------------------------------------------------------------------------

Image KernelNode::write(std::string_view binding, ImageView view) {
    return {bind_write(binding, view.image.version, view.range, true, false)};
}
Buffer KernelNode::write(std::string_view binding, BufferView view) {
    return {bind_write(binding, view.buffer.version, view.range, false, false)};
}
Image KernelNode::accumulate(std::string_view binding, ImageView view) {
    return {bind_write(binding, view.image.version, view.range, true, true)};
}
Buffer KernelNode::accumulate(std::string_view binding, BufferView view) {
    return {bind_write(binding, view.buffer.version, view.range, false, true)};
}

// --- constants -----------------------------------------------------------------------------------

void KernelNode::specialize_bits(std::string_view constant, ScalarType scalar, std::uint32_t bits) {
    KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader) return;
    const auto& constants = kernel.shader->constants;
    const auto found = std::ranges::find(constants, constant, &SpecializationConstant::name);
    const bool integer = scalar != ScalarType::float32;
    if (found == constants.end() || (found->scalar != ScalarType::float32) != integer) {
        std::vector<std::string> known;
        for (const auto& c : constants)
            known.push_back(c.name);
        graph_->error("graph/unknown-constant",
                      fmt::format("kernel '{}' of node '{}' has no such specialisation constant of "
                                  "that type: '{}'",
                                  kernel.shader->name, graph_->desc_.name_of(node_), constant),
                      suggestion(constant, known));
        return;
    }
    const auto set = std::ranges::find(kernel.constants, found->id, &SpecializationUse::id);
    if (set != kernel.constants.end())
        set->bits = bits; // the last value counts
    else
        kernel.constants.push_back({found->id, bits});
}

void KernelNode::specialize(std::string_view constant, std::uint32_t value) {
    specialize_bits(constant, ScalarType::uint32, value);
}
void KernelNode::specialize(std::string_view constant, std::int32_t value) {
    specialize_bits(constant, ScalarType::int32, std::bit_cast<std::uint32_t>(value));
}
void KernelNode::specialize(std::string_view constant, float value) {
    specialize_bits(constant, ScalarType::float32, std::bit_cast<std::uint32_t>(value));
}

// --- dispatch ------------------------------------------------------------------------------------

void ComputeNodeBuilder::dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    graph_->payload_of<ComputeNode>(node_).groups = {x, y, z};
}

void ComputeNodeBuilder::dispatch_over(Extent extent) {
    const KernelUse& kernel = graph_->payload_of<ComputeNode>(node_).kernel;
    if (!kernel.shader) return;
    const std::array<std::uint32_t, 3> size = {extent.width, extent.height, extent.depth};
    const std::array<std::uint32_t, 3> local_size = group_size();
    std::array<std::uint32_t, 3> groups{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t local = std::max(local_size[axis], 1u);
        groups[axis] = size[axis] / local + (size[axis] % local != 0 ? 1 : 0);
    }
    dispatch(groups[0], groups[1], groups[2]);
}

std::array<std::uint32_t, 3> ComputeNodeBuilder::group_size() const {
    const KernelUse& kernel = graph_->payload_of<ComputeNode>(node_).kernel;
    if (!kernel.shader) return {1, 1, 1};
    std::array<std::uint32_t, 3> size = kernel.shader->local_size;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const SpecializationUse& use : kernel.constants)
            if (use.id == kernel.shader->local_size_ids[axis]) size[axis] = use.bits;
    return size;
}

void ComputeNodeBuilder::dispatch_each(std::uint32_t count) {
    constexpr std::uint32_t kMaxGroupsPerAxis = 65'535; // of every device
    const std::array<std::uint32_t, 3> size = group_size();
    if (size[1] != 1 || size[2] != 1) {
        graph_->error("graph/dispatch-each",
                      fmt::format("node '{}' has groups of {}x{}x{}, so elements have no order",
                                  graph_->desc_.name_of(node_), size[0], size[1], size[2]),
                      "use dispatch_over() with an extent");
        return;
    }
    const auto div_round_up = [](std::uint32_t a, std::uint32_t b) {
        return a / b + (a % b != 0 ? 1 : 0);
    };
    const std::uint32_t groups = std::max(div_round_up(count, std::max(size[0], 1u)), 1u);
    const std::uint32_t rows = div_round_up(groups, kMaxGroupsPerAxis);
    dispatch(div_round_up(groups, rows), rows);
}

void ComputeNodeBuilder::dispatch_indirect(BufferView counts, std::uint64_t offset) {
    constexpr std::uint64_t kCountBytes = 12;
    const BufferView words = graph_->narrowed(counts, offset, kCountBytes);
    const std::uint32_t access = graph_->add_read(node_, words.buffer.version, words.range,
                                                  Access::indirect_read, stage::kDrawIndirect);
    ComputeNode& node = graph_->payload_of<ComputeNode>(node_);
    node.indirect_access = access;
    // Where the words are not in the view, compile finds them missing.
    node.indirect_offset = words.range == counts.range ? offset : 0;
}

} // namespace tuff
