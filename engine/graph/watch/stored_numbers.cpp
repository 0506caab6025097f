#include "graph/watch/stored_numbers.hpp"

#include <algorithm>
#include <optional>

namespace tuff {
namespace {

constexpr std::uint32_t kStoredFloat32 = 0;
constexpr std::uint32_t kStoredFloat16 = 1;
constexpr std::uint32_t kStoredFloat64 = 2;

std::optional<std::uint32_t> stored_type(ElementType type) {
    switch (type) {
    case ElementType::f16: return kStoredFloat16;
    case ElementType::f32: return kStoredFloat32;
    case ElementType::f64: return kStoredFloat64;
    default: return std::nullopt;
    }
}

/// One entry a vector, for arrays and matrices may have gaps.
void add_member(const BlockMember& member, std::vector<StoredNumbers>& members) {
    if (member.scalar != ScalarType::float32) return;
    for (std::uint32_t i = 0; i < std::max(member.array_length, 1u); ++i)
        for (std::uint32_t column = 0; column < member.columns; ++column)
            members.push_back(
                {.name = member.name,
                 .offset = member.offset + i * member.array_stride + column * member.matrix_stride,
                 .count = member.rows,
                 .type = kStoredFloat32});
}

StoredElements declared_elements(const ShaderBinding& binding) {
    StoredElements result;
    if (binding.element_rows != 0) {
        result.known = true;
        result.bytes = binding.element_bytes;
        if (binding.scalar == ScalarType::float32)
            result.members.push_back({.name = {}, .count = binding.element_rows});
        return result;
    }
    // A block of members, or an array of structs: not a head before an array.
    const bool one = binding.element_bytes == 0;
    if (binding.members.empty() || (!one && binding.block_bytes != binding.element_bytes))
        return result;
    result.known = true;
    result.bytes = binding.element_bytes;
    for (const BlockMember& member : binding.members)
        add_member(member, result.members);
    return result;
}

StoredElements named_elements(const BufferElements& elements) {
    StoredElements result{.known = bool(elements), .bytes = elements.bytes(), .members = {}};
    for (const ElementMember& member : elements.members())
        if (const auto type = stored_type(member.type))
            result.members.push_back({member.name, member.offset, member.count, *type});
    return result;
}

const KernelUse* kernel_use(const GraphDesc& graph, NodeId node) {
    const std::uint32_t payload = graph.nodes[node.index].payload;
    if (payload == ~0u) return nullptr;
    const NodePayload& work = graph.payloads[payload];
    if (const auto* compute = std::get_if<ComputeNode>(&work)) return &compute->kernel;
    if (const auto* raster = std::get_if<RasterNode>(&work)) return &raster->kernel;
    if (const auto* rays = std::get_if<RayNode>(&work)) return &rays->kernel;
    return nullptr;
}

/// What a kernel calls it, where a kernel makes the access.
std::optional<StoredElements> called_by_kernel(const GraphDesc& graph, const AccessIndex& index,
                                               std::uint32_t access) {
    const NodeId node = index.node_of[access];
    const KernelUse* kernel = node ? kernel_use(graph, node) : nullptr;
    if (!kernel || !kernel->shader) return std::nullopt;
    const std::uint32_t own = access - graph.nodes[node.index].first_access;
    for (const BindingUse& use : kernel->bindings)
        if (use.access == own) return declared_elements(kernel->shader->bindings[use.binding]);
    return std::nullopt;
}

/// What those who read `version`, or update it in place, call it, where they agree.
std::optional<StoredElements> called_by_readers(const GraphDesc& graph, const AccessIndex& index,
                                                VersionId version) {
    std::optional<StoredElements> result;
    bool agree = true;
    const auto ask = [&](std::span<const std::uint32_t> accesses) {
        for (const std::uint32_t access : accesses) {
            const auto called = called_by_kernel(graph, index, access);
            if (!called) continue;
            agree = agree && (!result || *result == *called);
            result = called;
        }
    };
    ask(index.readers[version.index]);
    if (const VersionId next = graph.versions[version.index].next) ask(index.writers[next.index]);
    if (!agree) return StoredElements{};
    for (const OutputDesc& output : graph.outputs)
        if (!result && output.version == version && output.elements)
            result = named_elements(output.elements);
    return result;
}

} // namespace

StoredElements stored_elements(const GraphDesc& graph, const AccessIndex& index,
                               std::uint32_t access) {
    // Copies of copies.
    for (int far = 0; far < 16; ++far) {
        if (const auto called = called_by_kernel(graph, index, access)) return *called;
        const AccessDesc& made = graph.accesses[access];
        if (const auto called = called_by_readers(graph, index, made.written)) return *called;
        const NodeDesc& node = graph.nodes[index.node_of[access].index];
        const auto* copy =
            node.payload == ~0u ? nullptr : std::get_if<CopyNode>(&graph.payloads[node.payload]);
        if (!copy) break;
        const VersionId source = graph.accesses[node.first_access + copy->source].read;
        if (graph.resource_of(source).is_image()) break;
        const auto writers = index.writers[source.index];
        if (writers.empty()) break;
        access = writers.front();
    }
    return {};
}

} // namespace tuff
