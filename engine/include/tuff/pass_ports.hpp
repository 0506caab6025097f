#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/resources.hpp>

#include <any>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// What the ports of passes are, and what wires carry. Included by tuff/pass.hpp.
namespace tuff {

class Graph;

/// Name of a port's type, "Image", "Buffer" or a bundle's.
template <typename T>
struct PortTypeName {
    static constexpr std::string_view value = T::kPortType; ///< bundles declare kPortType
};
/// @cond
template <>
struct PortTypeName<Image> {
    static constexpr std::string_view value = "Image";
};
template <>
struct PortTypeName<Buffer> {
    static constexpr std::string_view value = "Buffer";
};
/// @endcond

/// A resource inside a bundle.
struct PortMember {
    std::string name;                     ///< within the bundle
    std::variant<Image, Buffer> resource; ///< the version that is meant
    BufferElements elements = {};         ///< of a buffer, where the bundle says it
};

/// A bundle may offer `std::vector<PortMember> members() const`, so that a config and
/// `tuff inspect` can name its resources one by one ("engine.vertices").
template <typename T>
concept HasPortMembers = requires(const T& bundle) {
    { bundle.members() } -> std::same_as<std::vector<PortMember>>;
};

/// What a wire carries.
struct PortValue {
    std::string_view type;                ///< of the port
    std::any value;                       ///< an Image, a Buffer or a bundle
    std::vector<PortMember> members = {}; ///< of bundles that tell theirs
    BufferElements elements = {};         ///< of a buffer, where they are known

    /// A value for a port of type `T`.
    template <typename T>
    static PortValue of(T bundle) {
        PortValue result{PortTypeName<T>::value, {}};
        if constexpr (HasPortMembers<T>) result.members = bundle.members();
        result.value = std::move(bundle);
        return result;
    }
    /// The value where it is of that type, else null.
    template <typename T>
    const T* get() const {
        return std::any_cast<T>(&value);
    }
};

/// What image an input takes.
enum class PortShape : std::uint8_t {
    any,
    /// Two-dimensional, one layer, one sample, of a color format whose texels are real numbers.
    picture,
    /// The same, or of a depth format.
    depth_picture,
    /// A picture, or three-dimensional and of such a format.
    picture_or_volume,
};

/// Reports, and returns false, unless `image` has this shape. Unconnected images have none. `port`
/// names the image in messages. Codes: `graph/unconnected`, `image/not-two-dimensional`,
/// `image/unsupported-format`.
[[nodiscard]] bool has_shape(Graph& graph, Image image, PortShape shape, std::string_view port);

/// What says of which type the elements of a port's buffers are. The first that knows decides.
struct PortElements {
    BufferElements fixed;  ///< always the same
    std::string parameter; ///< a choice of the pass whose value is the type: "f32"
    /// Asked of a pass with its parameters; unknown: what follows decides.
    std::function<BufferElements(const void* pass)> decide;
    std::string like; ///< an input: what it is connected to
    std::string doc;  ///< of `decide`

    /// What people read: "f32", "by type", "as source"; empty where nobody says anything.
    std::string text() const;
};

/// An input or output of a pass, as users see it.
struct PortInfo {
    std::string name;                 ///< as configs have it
    std::string doc;                  ///< what it means
    std::string_view type;            ///< name of its type
    bool required = true;             ///< inputs only
    bool list = false;                ///< inputs only: takes any number of wires
    PortShape shape = PortShape::any; ///< inputs of type Image only
    std::uint32_t least_wires = 0;    ///< lists only
    std::uint32_t most_wires = kAll;  ///< lists only
    PortElements elements = {};       ///< type Buffer only

    /// What people read: "Image", "Buffer of f32".
    std::string type_text() const;
};

namespace detail {
/// The pass that a function is asked of.
template <typename Function, typename Value, typename Pass>
Pass asked_pass(Value (Function::*)(const Pass&) const);
} // namespace detail

/// Says what the elements of the buffer port just declared are.
template <typename Refinement>
class ElementsRefinement {
  public:
    /// Of elements that are a `T`: a number, a vector, or a struct that kernels share.
    template <typename T>
    Refinement& elements() {
        return elements(BufferElements::of<T>());
    }
    /// Of these.
    Refinement& elements(BufferElements fixed) {
        return info().elements.fixed = std::move(fixed), self();
    }
    /// Numbers of the type that a choice of the pass names: "type".
    Refinement& elements_by(std::string_view parameter) {
        return info().elements.parameter = parameter, self();
    }
    /// Those of what an input of the pass is connected to.
    Refinement& elements_like(std::string_view input) {
        return info().elements.like = input, self();
    }
    /// What a function of a `const Pass&` returns, whose parameters are set; `doc` says it to
    /// people: "u32, or as type". Unknown elements leave it to the other rules.
    template <typename Function>
    Refinement& elements_from(std::string_view doc, Function function) {
        using Pass = decltype(detail::asked_pass(&Function::operator()));
        info().elements.decide = [function](const void* pass) -> BufferElements {
            return function(*static_cast<const Pass*>(pass));
        };
        return info().elements.doc = doc, self();
    }

  private:
    Refinement& self() { return static_cast<Refinement&>(*this); }
    PortInfo& info() { return *self().info_; }
};

namespace detail {
/// Whether a port that wants such elements takes what it is given. Error: `pass/wrong-elements`.
Result<void> check_elements(const PortInfo& port, const BufferElements& wanted,
                            const PortValue& given);
} // namespace detail

/// Refines the output just declared.
class OutputRefinement : public ElementsRefinement<OutputRefinement> {
  public:
    /// Refines what `info` says.
    explicit OutputRefinement(PortInfo& info) : info_(&info) {}

  private:
    friend class ElementsRefinement<OutputRefinement>;
    PortInfo* info_;
};

/// Refines the input just declared.
class InputRefinement : public ElementsRefinement<InputRefinement> {
  public:
    /// Refines what `info` says.
    explicit InputRefinement(PortInfo& info) : info_(&info) {}
    /// Other images are refused: see PortShape::picture.
    InputRefinement& picture() { return info_->shape = PortShape::picture, *this; }
    /// Other images are refused: see PortShape::depth_picture.
    InputRefinement& depth_picture() { return info_->shape = PortShape::depth_picture, *this; }
    /// Other images are refused: see PortShape::picture_or_volume.
    InputRefinement& picture_or_volume() {
        return info_->shape = PortShape::picture_or_volume, *this;
    }
    /// Fewer or more wires to a list are refused.
    InputRefinement& wires(std::uint32_t least, std::uint32_t most = kAll) {
        info_->least_wires = least;
        info_->most_wires = most;
        return *this;
    }

  private:
    friend class ElementsRefinement<InputRefinement>;
    PortInfo* info_;
};

namespace detail {

/// The number of fields of an aggregate: as many as it can be initialised with. A field that is
/// itself an aggregate is initialised by one value, for `Anything` converts to its type.
struct Anything {
    template <typename T>
    operator T() const; // NOLINT: never defined, only asked about
};
template <typename T, typename... Fields>
consteval std::size_t field_count() {
    constexpr std::size_t kMax = 16;
    static_assert(sizeof...(Fields) <= kMax, "a bundle has at most 16 fields");
    if constexpr (requires { T{Fields{}..., Anything{}}; })
        return field_count<T, Fields..., Anything>();
    else
        return sizeof...(Fields);
}

/// Calls `visit` for the handles in a port: an image or a buffer, or the fields of a bundle, of
/// bundles in it and of vectors. `Field` may be const.
template <typename Field, typename Visit>
void visit_handles(Field& field, Visit&& visit);

template <typename Bundle, typename Visit>
void visit_fields(Bundle& bundle, Visit&& visit) {
    static_assert(std::is_aggregate_v<Bundle>, "a bundle is an aggregate");
    constexpr std::size_t kFields = field_count<std::remove_const_t<Bundle>>();
    const auto all = [&](auto&... fields) { (visit_handles(fields, visit), ...); };
    if constexpr (kFields == 1) {
        auto& [a] = bundle;
        all(a);
    } else if constexpr (kFields == 2) {
        auto& [a, b] = bundle;
        all(a, b);
    } else if constexpr (kFields == 3) {
        auto& [a, b, c] = bundle;
        all(a, b, c);
    } else if constexpr (kFields == 4) {
        auto& [a, b, c, d] = bundle;
        all(a, b, c, d);
    } else if constexpr (kFields == 5) {
        auto& [a, b, c, d, e] = bundle;
        all(a, b, c, d, e);
    } else if constexpr (kFields == 6) {
        auto& [a, b, c, d, e, f] = bundle;
        all(a, b, c, d, e, f);
    } else if constexpr (kFields == 7) {
        auto& [a, b, c, d, e, f, g] = bundle;
        all(a, b, c, d, e, f, g);
    } else if constexpr (kFields == 8) {
        auto& [a, b, c, d, e, f, g, h] = bundle;
        all(a, b, c, d, e, f, g, h);
    } else if constexpr (kFields == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = bundle;
        all(a, b, c, d, e, f, g, h, i);
    } else if constexpr (kFields == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = bundle;
        all(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (kFields == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k);
    } else if constexpr (kFields == 12) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k, l);
    } else if constexpr (kFields == 13) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } else if constexpr (kFields == 14) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    } else if constexpr (kFields == 15) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    } else if constexpr (kFields == 16) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bundle;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }
}

template <typename T>
struct IsHandleVector : std::false_type {};
template <typename T>
struct IsHandleVector<std::vector<T>>
    : std::bool_constant<std::same_as<T, Image> || std::same_as<T, Buffer>> {};

template <typename Field, typename Visit>
void visit_handles(Field& field, Visit&& visit) {
    using T = std::remove_const_t<Field>;
    if constexpr (std::same_as<T, Image> || std::same_as<T, Buffer>) {
        visit(field.version);
    } else if constexpr (std::same_as<T, Acceleration>) {
        visit(field.top.version);
        visit(field.bottom.version);
    } else if constexpr (IsHandleVector<T>::value) {
        for (auto& one : field)
            visit(one.version);
    } else if constexpr (requires { T::kPortType; }) {
        visit_fields(field, visit);
    }
}

/// What the engine does with the field of a port, whatever pass it is of.
struct PortType {
    std::string_view name;
    bool (*connected)(const void* port);
    bool (*invalid)(const void* port); ///< comes from a pass that failed
    void (*invalidate)(void* port);    ///< as a pass that failed leaves it
    PortValue (*fetch)(const void* port);
    bool (*assign)(void* port, const PortValue& value); ///< false: `value` has another type
};

/// The same of a std::vector of ports.
struct PortListType {
    std::size_t (*size)(const void* list);
    const void* (*at)(const void* list, std::size_t index);
    bool (*append)(void* list, const PortValue& value);
};

template <typename Port>
const PortType& port_type() {
    static constexpr PortType kType{
        .name = PortTypeName<Port>::value,
        .connected =
            [](const void* port) {
                if constexpr (std::is_constructible_v<bool, const Port&>)
                    return bool(*static_cast<const Port*>(port));
                else
                    return true; // plain values
            },
        .invalid =
            [](const void* port) {
                bool found = false;
                visit_handles(*static_cast<const Port*>(port), [&](const VersionId& version) {
                    found = found || version == kInvalidVersion;
                });
                return found;
            },
        .invalidate =
            [](void* port) {
                visit_handles(*static_cast<Port*>(port),
                              [](VersionId& version) { version = kInvalidVersion; });
            },
        .fetch = [](const void* port) { return PortValue::of(*static_cast<const Port*>(port)); },
        .assign =
            [](void* port, const PortValue& value) {
                const Port* typed = value.get<Port>();
                if (typed) *static_cast<Port*>(port) = *typed;
                return typed != nullptr;
            }};
    return kType;
}
// Most ports are of these types: the engine has their code.
extern template const PortType& port_type<Image>();
extern template const PortType& port_type<Buffer>();

template <typename Port>
const PortListType& port_list_type() {
    static constexpr PortListType kType{
        .size =
            [](const void* list) { return static_cast<const std::vector<Port>*>(list)->size(); },
        .at = [](const void* list, std::size_t index) -> const void* {
            return static_cast<const std::vector<Port>*>(list)->data() + index;
        },
        .append =
            [](void* list, const PortValue& value) {
                const Port* typed = value.get<Port>();
                if (typed) static_cast<std::vector<Port>*>(list)->push_back(*typed);
                return typed != nullptr;
            }};
    return kType;
}

} // namespace detail
} // namespace tuff
