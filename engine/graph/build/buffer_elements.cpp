#include <tuff/buffer_elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff {
namespace {

// By ElementType.
constexpr std::array<std::string_view, 11> kNames = {"u8",  "u16", "u32", "u64", "i8", "i16",
                                                     "i32", "i64", "f16", "f32", "f64"};
constexpr std::array<std::size_t, 11> kBytes = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};

/// As GLSL calls vectors where it has them.
std::string vector_name(ElementType type, std::uint32_t count) {
    if (count == 1) return std::string(element_name(type));
    const bool has_vectors =
        type == ElementType::f32 || type == ElementType::i32 || type == ElementType::u32;
    if (!has_vectors || count > 4) return fmt::format("{}[{}]", element_name(type), count);
    return fmt::format("{}vec{}",
                       type == ElementType::f32   ? ""
                       : type == ElementType::i32 ? "i"
                                                  : "u",
                       count);
}

/// Whether its numbers follow one another from element to element.
bool is_packed(const BufferElements& numbers) {
    const ElementMember& only = numbers.members().front();
    return numbers.bytes() == element_bytes(only.type) * only.count;
}

} // namespace

std::size_t element_bytes(ElementType type) {
    return kBytes[static_cast<std::size_t>(type)];
}

std::string_view element_name(ElementType type) {
    return kNames[static_cast<std::size_t>(type)];
}

std::span<const std::string_view> element_names() {
    return kNames;
}

std::optional<ElementType> parse_element_type(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<ElementType>(found - kNames.begin());
}

ElementType element_type(ScalarType scalar) {
    switch (scalar) {
    case ScalarType::float32: return ElementType::f32;
    case ScalarType::int32: return ElementType::i32;
    case ScalarType::uint32:
    case ScalarType::boolean: break;
    }
    return ElementType::u32;
}

BufferElements::BufferElements(ElementType type, std::uint32_t count)
    : facts_(std::make_shared<const Facts>(
          Facts{.name = vector_name(type, count),
                .bytes = static_cast<std::uint32_t>(element_bytes(type)) * count,
                .members = {{.name = {}, .type = type, .count = count, .offset = 0}}})) {}

BufferElements::BufferElements(std::string_view name, std::vector<ElementMember> members,
                               std::uint32_t bytes)
    : facts_(std::make_shared<const Facts>(
          Facts{.name = std::string(name), .bytes = bytes, .members = std::move(members)})) {}

BufferElements BufferElements::of(const ParameterType& type) {
    return BufferElements(element_type(type.scalar), type.rows * type.columns);
}

BufferElements BufferElements::of(const StructLayout& layout) {
    std::vector<ElementMember> members;
    for (const SharedMember& member : layout.members)
        members.push_back(
            {.name = std::string(member.name),
             .type = element_type(member.type.scalar),
             .count = member.type.rows * member.type.columns * std::max(member.length, 1u),
             .offset = member.offset});
    return {layout.name, std::move(members), layout.bytes};
}

BufferElements BufferElements::named(std::string_view type) {
    const std::optional<ElementType> known = parse_element_type(type);
    return known ? BufferElements(*known) : BufferElements();
}

std::string_view BufferElements::name() const {
    return facts_ ? std::string_view(facts_->name) : std::string_view{};
}

std::span<const ElementMember> BufferElements::members() const {
    if (!facts_) return {};
    return facts_->members;
}

bool BufferElements::is_record() const {
    return facts_ && !facts_->members.empty() && !facts_->members.front().name.empty();
}

std::string BufferElements::text() const {
    if (!is_record()) return std::string(name());
    std::string list;
    for (const ElementMember& member : members())
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ",
                            vector_name(member.type, member.count), member.name);
    return fmt::format("{} ({})", name(), list);
}

bool can_read(const BufferElements& wanted, const BufferElements& given) {
    if (!wanted || !given) return true;
    if (wanted.is_record() && given.is_record())
        return wanted.bytes() == given.bytes() &&
               std::ranges::equal(
                   wanted.members(), given.members(), [](const auto& a, const auto& b) {
                       return a.type == b.type && a.count == b.count && a.offset == b.offset;
                   });
    const ElementMember& read = wanted.members().front();
    const ElementMember& made = given.members().front();
    if (read.type != made.type) return false;
    if (wanted.is_record() || given.is_record())
        return (wanted.is_record() ? made : read).count == 1;
    if (read.count == made.count) return wanted.bytes() == given.bytes();
    return (read.count == 1 || made.count == 1) && is_packed(wanted) && is_packed(given);
}

} // namespace tuff
