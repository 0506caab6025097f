#pragma once

#include "passes/primitives/elements.hpp"
#include "passes/primitives/method.hpp"

#include <glm/vec4.hpp>

#include <string>

namespace tuff::passes {

/// What a compaction writes for an element.
enum class Emits : std::uint8_t { elements, indices };

/// The elements that fulfil a condition, in their order. See `describe`.
struct Compact {
    static constexpr std::string_view kName = "primitives/compact";

    Buffer source;
    Buffer flags; ///< optional; used where there is no predicate
    Buffer count; ///< optional
    std::string predicate;
    glm::vec4 p{};
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Emits emits = Emits::elements;
    ScanMethod method = ScanMethod::automatic;
    Buffer result;
    Buffer kept;

    static void describe(PassInfo<Compact>& info);
    void build(Graph& graph);
};

/// The elements that fulfil a condition, in any order.
struct Append {
    static constexpr std::string_view kName = "primitives/append";

    Buffer source;
    Buffer flags; ///< optional; used where there is no predicate
    Buffer count; ///< optional
    std::string predicate;
    glm::vec4 p{};
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Emits emits = Emits::elements;
    Buffer result;
    Buffer kept;

    static void describe(PassInfo<Append>& info);
    void build(Graph& graph);
};

/// The elements that fulfil a condition and those that do not, each in their order.
struct Partition {
    static constexpr std::string_view kName = "primitives/partition";

    Buffer source;
    Buffer flags; ///< optional; used where there is no predicate
    Buffer count; ///< optional
    std::string predicate;
    glm::vec4 p{};
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Emits emits = Emits::elements;
    Buffer result;
    Buffer kept;
    Buffer rejected;
    Buffer rejected_count;

    static void describe(PassInfo<Partition>& info);
    void build(Graph& graph);
};

/// The first of each run of equal elements.
struct Unique {
    static constexpr std::string_view kName = "primitives/unique";

    Buffer source;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    Emits emits = Emits::elements;
    ScanMethod method = ScanMethod::automatic;
    Buffer result;
    Buffer kept;

    static void describe(PassInfo<Unique>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Emits> {
    static constexpr std::array<std::string_view, 2> names{"elements", "indices"};
};
