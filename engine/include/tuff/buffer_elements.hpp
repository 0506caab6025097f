#pragma once

#include <tuff/shared_struct.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Types of the elements of buffers, for files, tables and wires.
namespace tuff {

/// Types of numbers.
enum class ElementType : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64 };

/// Bytes of one number.
std::size_t element_bytes(ElementType type);
/// "u8", "f32".
std::string_view element_name(ElementType type);
/// The names of all types.
std::span<const std::string_view> element_names();
/// The type with this name, if there is one.
std::optional<ElementType> parse_element_type(std::string_view name);

/// The type of a kernel's scalar in buffers.
ElementType element_type(ScalarType scalar);

/// Consecutive numbers of one type within an element.
struct ElementMember {
    std::string name;                    ///< empty if the element has no other member
    ElementType type = ElementType::f32; ///< of each number
    std::uint32_t count = 1;             ///< numbers
    std::uint32_t offset = 0;            ///< bytes from the start of the element
    friend bool operator==(const ElementMember&, const ElementMember&) = default;
};

/// The type of a buffer's elements: numbers, vectors of them, or records with named members. A
/// default-constructed one is unknown. Copies are cheap: they share their data.
class BufferElements {
  public:
    BufferElements() = default;
    /// Numbers, or vectors of `count` of them.
    explicit BufferElements(ElementType type, std::uint32_t count = 1);
    /// Records of `bytes` each.
    BufferElements(std::string_view name, std::vector<ElementMember> members, std::uint32_t bytes);

    /// The type `T`: a number, a vector, or a struct that kernels share.
    template <Parameter T>
    static const BufferElements& of() {
        static const BufferElements kElements = of(ParameterTypeOf<T>::value);
        return kElements;
    }
    /// See above.
    template <SharedStruct T>
    static const BufferElements& of() {
        static const BufferElements kElements = of(layout_of<T>());
        return kElements;
    }
    /// The type named "u32" or "f64"; unknown if there is none.
    static BufferElements named(std::string_view type);

    /// Whether the type is known.
    explicit operator bool() const { return facts_ != nullptr; }
    /// "f32", "uvec2", or the name of the record; empty if unknown.
    std::string_view name() const;
    /// For people: the name, and for records the members.
    std::string text() const;
    /// Bytes from one element to the next; 0 if unknown.
    std::uint32_t bytes() const { return facts_ ? facts_->bytes : 0; }
    /// A single member without a name unless elements are records.
    std::span<const ElementMember> members() const;
    /// Whether its members have names.
    bool is_record() const;
    /// Equal name, size and members, or both unknown.
    friend bool operator==(const BufferElements& a, const BufferElements& b) {
        return a.facts_ == b.facts_ || (a.facts_ && b.facts_ && *a.facts_ == *b.facts_);
    }

  private:
    struct Facts {
        std::string name;
        std::uint32_t bytes = 0;
        std::vector<ElementMember> members;
        friend bool operator==(const Facts&, const Facts&) = default;
    };
    static BufferElements of(const ParameterType& type);
    static BufferElements of(const StructLayout& layout);

    std::shared_ptr<const Facts> facts_;
};

/// Whether an input of elements `wanted` accepts elements `given`. True if either is unknown.
/// Vectors can be read as numbers and numbers as vectors; a record can be read as numbers of the
/// type of its first member, and as a record with members of the same types and offsets, whatever
/// their names.
bool can_read(const BufferElements& wanted, const BufferElements& given);

} // namespace tuff
