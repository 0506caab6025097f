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

/// What the elements of a buffer are: what files, tables and wires know of its bytes.
namespace tuff {

/// Types of numbers.
enum class ElementType : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64 };

/// Bytes of one number.
std::size_t element_bytes(ElementType type);
/// "u8", "f32".
std::string_view element_name(ElementType type);
/// The names of all types.
std::span<const std::string_view> element_names();
/// Of that name, if there is one.
std::optional<ElementType> parse_element_type(std::string_view name);

/// How buffers hold what kernels call so.
ElementType element_type(ScalarType scalar);

/// Numbers of one type that follow one another in an element.
struct ElementMember {
    std::string name;                    ///< empty where the element is nothing else
    ElementType type = ElementType::f32; ///< of each number
    std::uint32_t count = 1;             ///< numbers
    std::uint32_t offset = 0;            ///< bytes from the start of the element
    friend bool operator==(const ElementMember&, const ElementMember&) = default;
};

/// The type of a buffer's elements: numbers, vectors of them, or records with named members. A
/// default-made one says that nobody knows. Copies share what they say.
class BufferElements {
  public:
    BufferElements() = default;
    /// Numbers, or vectors of `count` of them.
    explicit BufferElements(ElementType type, std::uint32_t count = 1);
    /// Records of `bytes` each.
    BufferElements(std::string_view name, std::vector<ElementMember> members, std::uint32_t bytes);

    /// Of elements that are a `T`: a number, a vector, or a struct that kernels share.
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
    /// What "u32" or "f64" names; unknown where it is no type of numbers.
    static BufferElements named(std::string_view type);

    /// Whether somebody knows.
    explicit operator bool() const { return facts_ != nullptr; }
    /// "f32", "uvec2", or what the record is called; empty where nobody knows.
    std::string_view name() const;
    /// What people read: the name, and of records the members.
    std::string text() const;
    /// From one element to the next; 0 where nobody knows.
    std::uint32_t bytes() const { return facts_ ? facts_->bytes : 0; }
    /// One without a name unless elements are records.
    std::span<const ElementMember> members() const;
    /// Whether its members have names.
    bool is_record() const;
    /// Alike in name, size and members, or both unknown.
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

/// Whether who reads `wanted` may be given `given`. Where either is unknown, yes. Vectors may be
/// read as their numbers and numbers as vectors; a record as numbers of the type that it begins
/// with, as by those who want its first word; and as a record whose members, whatever their names,
/// lie and are as its own.
bool can_read(const BufferElements& wanted, const BufferElements& given);

} // namespace tuff
