#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

/// The parts of KernelNode that set parameters.
namespace tuff {
namespace {

/// "vec3", "float[4]", "mat4", as GLSL has it.
std::string type_name(ScalarType scalar, std::uint32_t rows, std::uint32_t columns,
                      std::size_t elements) {
    constexpr std::string_view kScalars[] = {"float", "int", "uint", "bool"};
    constexpr std::string_view kPrefixes[] = {"", "i", "u", "b"};
    const auto index = static_cast<std::size_t>(scalar);
    std::string name(kScalars[index]);
    if (columns > 1)
        name = columns == rows ? fmt::format("mat{}", columns)
                               : fmt::format("mat{}x{}", columns, rows);
    else if (rows > 1)
        name = fmt::format("{}vec{}", kPrefixes[index], rows);
    return elements == 0 ? name : fmt::format("{}[{}]", name, elements);
}

/// The shape in which `count` values of `type` fill a member: as many scalars as a vector has
/// components are one vector, as many vectors as a matrix has columns one matrix.
struct GivenShape {
    ParameterType type;
    std::size_t count;
};
GivenShape shape_for(const BlockMember& target, ParameterType type, std::size_t count) {
    if (target.array_length != 0 || type.columns != 1) return {type, count};
    if (type.rows == 1 && target.columns == 1 && target.rows > 1 && count == target.rows)
        return {{type.scalar, target.rows, 1}, 1};
    if (type.rows == target.rows && target.columns > 1 && count == target.columns)
        return {{type.scalar, type.rows, target.columns}, 1};
    return {type, count};
}

} // namespace

KernelNode::FoundMember KernelNode::find_member(std::string_view name) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    const ShaderInterface& shader = *kernel.shader;
    for (const bool push : {false, true}) {
        const std::vector<BlockMember>& members = push ? shader.push_members : shader.param_members;
        const auto found = std::ranges::find(members, name, &BlockMember::name);
        if (found != members.end())
            return {&*found, push ? kernel.push_offset : kernel.param_offset};
    }
    std::vector<std::string> known;
    for (const auto* members : {&shader.param_members, &shader.push_members})
        for (const BlockMember& member : *members)
            known.push_back(member.name);
    const std::string_view near = nearest_name(name, known);
    std::string hint = "the kernel has none";
    if (!near.empty())
        hint = fmt::format("did you mean '{}'?", near);
    else if (!known.empty())
        hint = fmt::format("the kernel has {}", fmt::join(known, ", "));
    graph_->error("graph/unknown-parameter",
                  fmt::format("kernel '{}' of node '{}' has no parameter '{}'", shader.name,
                              graph_->desc_.name_of(node_), name),
                  std::move(hint));
    return {nullptr, 0};
}

/// `numbers` are those of the elements, one after another without padding.
void KernelNode::copy_member(const FoundMember& found, const std::byte* numbers,
                             std::size_t elements) {
    const BlockMember& member = *found.member;
    const std::size_t start = found.block + member.offset;
    graph_->mark_given(start);
    std::byte* const block = graph_->desc_.parameters.data() + start;
    const std::size_t column_bytes = std::size_t{member.rows} * 4;
    for (std::size_t element = 0; element < elements; ++element)
        for (std::uint32_t column = 0; column < member.columns; ++column) {
            std::memcpy(block + element * member.array_stride +
                            std::size_t{column} * member.matrix_stride,
                        numbers, column_bytes);
            numbers += column_bytes;
        }
}

void KernelNode::set_bytes(std::string_view member, ParameterType type, const void* data,
                           std::size_t count) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader) return;
    const FoundMember found = find_member(member);
    if (!found.member) return;
    const BlockMember& target = *found.member;
    const GivenShape given = shape_for(target, type, count);
    const std::size_t capacity = std::max(target.array_length, 1u);
    if (target.scalar != given.type.scalar || target.rows != given.type.rows ||
        target.columns != given.type.columns || given.count > capacity) {
        const bool is_array = target.array_length != 0 || given.count != 1;
        graph_->error(
            "graph/parameter-type",
            fmt::format("parameter '{}' of kernel '{}' is {}, and node '{}' sets {}", member,
                        kernel.shader->name,
                        type_name(target.scalar, target.rows, target.columns, target.array_length),
                        graph_->desc_.name_of(node_),
                        type_name(given.type.scalar, given.type.rows, given.type.columns,
                                  is_array ? given.count : 0)),
            "give it the type that the kernel declares");
        return;
    }
    copy_member(found, static_cast<const std::byte*>(data), given.count);
}

void KernelNode::set_plain(std::string_view member, std::span<const std::byte> value) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader) return;
    const FoundMember found = find_member(member);
    if (!found.member) return;
    const BlockMember& target = *found.member;
    const std::size_t elements = std::max(target.array_length, 1u);
    const std::size_t bytes = elements * target.rows * target.columns * 4;
    if (value.size() == bytes) return copy_member(found, value.data(), elements);
    graph_->error(
        "graph/parameter-size",
        fmt::format("parameter '{}' of kernel '{}' is {} of {} bytes, and node '{}' sets a struct "
                    "of {}",
                    member, kernel.shader->name,
                    type_name(target.scalar, target.rows, target.columns, target.array_length),
                    bytes, graph_->desc_.name_of(node_), value.size()),
        "the struct holds the parameter's numbers and nothing else, no padding either");
}

void KernelNode::set_block(std::span<const std::byte> block) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader) return;
    const ShaderInterface& shader = *kernel.shader;
    const bool push = shader.param_bytes == 0;
    const std::size_t bytes = push ? shader.push_bytes : shader.param_bytes;
    if (block.size() != bytes || bytes == 0) {
        graph_->error("graph/parameter-size",
                      fmt::format("the {} of kernel '{}' are {} bytes, and node '{}' sets a struct "
                                  "of {}",
                                  push ? "push constants" : "parameters", shader.name, bytes,
                                  graph_->desc_.name_of(node_), block.size()),
                      "lay the struct out as the kernel's block, with its padding");
        return;
    }
    const std::size_t start = push ? kernel.push_offset : kernel.param_offset;
    std::memcpy(graph_->desc_.parameters.data() + start, block.data(), bytes);
    for (const BlockMember& member : push ? shader.push_members : shader.param_members)
        graph_->mark_given(start + member.offset);
}

} // namespace tuff
