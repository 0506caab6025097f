#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>
#include <tuff/pass_parameters.hpp>
#include <tuff/pass_ports.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// A pass is a struct: inputs, parameters and outputs are its fields, `describe` documents
/// them, `build` adds its kernels to a graph. JSON loading, the JSON Schema, the reference pages
/// and the viewer's controls all come from `describe`.
///
///     struct Invert {
///         static constexpr std::string_view kName = "image/invert";
///         Image source;
///         float amount = 1.0f;
///         Image result;
///         static void describe(PassInfo<Invert>& info);
///         void build(Graph& graph);
///     };
namespace tuff {

class Modules;

/// Least work of a pass, for the share of the device's limits that `tuff bench` prints.
struct Cost {
    double bytes = 0.0;      ///< least traffic to and from memory
    double operations = 0.0; ///< arithmetic operations
};

/// A pass that is configured by name, for the config loader and the viewer.
class PassInstance {
  public:
    virtual ~PassInstance() = default;
    /// Index into PassDescriptor::parameters. Errors: `pass/wrong-type`, `pass/out-of-range`,
    /// `pass/unknown-choice`.
    virtual Result<void> set_parameter(std::size_t index, const ParameterValue& value) = 0;
    /// Connects an input; call it once for each wire of a list. Set parameters first. Errors:
    /// `pass/wrong-port-type`, `pass/wrong-elements`.
    virtual Result<void> set_input(std::size_t index, const PortValue& value) = 0;
    /// Adds the pass to `graph` and sets its outputs; checks like `Graph::add`.
    virtual void build(Graph& graph) = 0;
    virtual PortValue output(std::size_t index) const = 0; ///< after `build`
    virtual Cost cost(const Graph& graph) const = 0;       ///< after `build`
};

/// The description of a pass, from its `describe`.
struct PassDescriptor {
    std::string name;                      ///< "image/tonemap"
    std::string summary;                   ///< one sentence
    std::string details;                   ///< paragraphs: method, limits, behaviour on bad input
    std::string source;                    ///< chapter or paper
    std::string complexity;                ///< of work, "O(texels)"
    std::vector<PortInfo> inputs;          ///< in the order of their declaration
    std::vector<PortInfo> outputs;         ///< in the order of their declaration
    std::vector<ParameterInfo> parameters; ///< in the order of their declaration
    /// A pass with all parameters at their defaults.
    std::function<std::unique_ptr<PassInstance>()> make;
    /// The offsets of its fields; null if it was not described by `PassInfo`.
    const detail::PassDescription* description = nullptr;

    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_input(std::string_view port) const;
    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_output(std::string_view port) const;
    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_parameter(std::string_view parameter) const;
};

/// The passes that a program knows by name. Modules are loaded on first use.
/// Lookups are thread-safe.
class PassRegistry {
  public:
    /// No passes.
    PassRegistry();
    /// The passes of these modules.
    explicit PassRegistry(std::shared_ptr<Modules> modules);
    PassRegistry(PassRegistry&&) noexcept;
    PassRegistry& operator=(PassRegistry&&) noexcept;
    ~PassRegistry();

    /// Adds the pass by its `kName` and `describe`.
    template <typename Pass>
    void add();
    /// Adds a described pass.
    void add(PassDescriptor descriptor);
    /// The pass of that name, or null. Loads the module that the name begins with.
    const PassDescriptor* find(std::string_view name) const;
    /// Why there is no pass of that name: the errors of its module if that did not load; else
    /// none.
    Diagnostics why_missing(std::string_view name) const;
    /// Sorted by name. Loads all modules.
    auto all() const& { return std::views::values(everything()); }
    /// The passes of a temporary registry would dangle.
    auto all() && = delete;
    /// Names of all passes, sorted. Loads all modules.
    std::vector<std::string> names() const;

  private:
    using Passes = std::map<std::string, PassDescriptor, std::less<>>;
    struct State;
    const Passes& everything() const;
    std::unique_ptr<State> state_;
};

// --- describing ----------------------------------------------------------------------------------

namespace detail {

/// Type-erased operations on a pass.
struct PassType {
    std::string_view name;
    void* (*make)(); ///< with all parameters at their defaults
    void (*destroy)(void* pass);
    void (*build)(void* pass, Graph& graph);
};

/// The description of a pass with the offsets of its ports and parameters in its struct. It checks
/// a pass before it is built, sets it from a config and reads its outputs. The code is shared by
/// all passes; `PassInfo` only adds the types.
class PassDescription {
  public:
    /// An empty description.
    explicit PassDescription(const PassType& type);
    virtual ~PassDescription();
    PassDescription(const PassDescription&) = delete;
    PassDescription& operator=(const PassDescription&) = delete;

    /// The description.
    const PassDescriptor& descriptor() const { return descriptor_; }
    /// Functions that make, build and destroy the pass.
    const PassType& type() const { return *type_; }
    /// The field of a parameter in the struct of the pass.
    struct Field {
        std::size_t offset = 0; ///< bytes
        FieldType type;
    };
    /// Parallel to the descriptor's parameters.
    const std::vector<Field>& fields() const { return fields_; }

    /// See PassInstance.
    Result<void> set_parameter(void* pass, std::size_t index, const ParameterValue& value) const;
    /// See PassInstance.
    Result<void> set_input(void* pass, std::size_t index, const PortValue& value) const;
    /// See PassInstance.
    PortValue output(const void* pass, std::size_t index) const;
    /// Elements of a port, from the pass's parameters and from `inputs`, the elements of
    /// each connected input.
    BufferElements elements(const PortInfo& port, const void* pass,
                            std::span<const BufferElements> inputs) const;
    /// See PassInstance.
    virtual Cost cost_of(const void* pass, const Graph& graph) const = 0;
    /// Checks `pass`, builds it, and makes its outputs invalid if either fails.
    void build(Graph& graph, void* pass) const;

  protected:
    void set_summary(std::string_view text) { descriptor_.summary = text; }
    void set_details(std::string_view text) { descriptor_.details = text; }
    void set_source(std::string_view text) { descriptor_.source = text; }
    void set_complexity(std::string_view text) { descriptor_.complexity = text; }
    InputRefinement add_input(std::string_view name, std::string_view doc, std::size_t offset,
                              const PortType& type, bool required);
    InputRefinement add_input_list(std::string_view name, std::string_view doc, std::size_t offset,
                                   const PortType& type, const PortListType& list);
    OutputRefinement add_output(std::string_view name, std::string_view doc, std::size_t offset,
                                const PortType& type);
    /// `defaults`: a pass with all parameters at their defaults.
    ParameterRefinement add_parameter(std::string_view name, std::string_view doc,
                                      std::size_t offset, const FieldType& type,
                                      const void* defaults);

  private:
    template <typename Group>
    friend class GroupFields;
    struct Port {
        std::size_t offset = 0; ///< bytes, in the pass
        const PortType* type = nullptr;
        const PortListType* list = nullptr; ///< null: one port
    };
    /// Visits the port of an input, or all ports of a list.
    template <typename Visit>
    void visit_ports(const Port& port, const void* pass, Visit&& visit) const;
    bool has_invalid_input(const void* pass) const;
    bool reports_mistakes(Graph& graph, const void* pass) const;
    void check_input(Graph& graph, std::size_t index, const void* pass) const;

    const PassType* type_;
    PassDescriptor descriptor_;
    std::vector<Port> inputs_;  ///< parallel to those of the descriptor
    std::vector<Port> outputs_; ///< parallel to those of the descriptor
    std::vector<Field> fields_;
};

/// Bytes from the beginning of `whole` to its `part`.
std::size_t offset_in(const void* whole, const void* part);

/// Argument of `Group::describe_fields`.
template <typename Group>
class GroupFields {
  public:
    /// `defaults`: a pass with all parameters at their defaults, and the group in it.
    GroupFields(PassDescription& pass, std::string_view name, const void* defaults,
                const Group& group)
        : pass_(&pass), name_(name), defaults_(defaults), group_(&group) {}
    /// A parameter "group.name".
    template <typename Member>
    ParameterRefinement operator()(std::string_view name, Member member,
                                   std::string_view doc) const {
        const auto& field = group_->*member;
        return pass_->add_parameter(std::string(name_).append(".").append(name), doc,
                                    offset_in(defaults_, &field),
                                    field_type<std::remove_cvref_t<decltype(field)>>(), defaults_);
    }

  private:
    PassDescription* pass_;
    std::string_view name_;
    const void* defaults_;
    const Group* group_;
};

template <typename Pass>
inline constexpr PassType kPassType{
    .name = Pass::kName,
    .make = [] { return static_cast<void*>(new Pass{}); },
    .destroy = [](void* pass) { delete static_cast<Pass*>(pass); },
    .build = [](void* pass, Graph& graph) { static_cast<Pass*>(pass)->build(graph); }};

} // namespace detail

/// Collects the description in `Pass::describe`.
template <typename Pass>
class PassInfo final : public detail::PassDescription {
  public:
    /// Empty.
    PassInfo() : PassDescription(detail::kPassType<Pass>) {}

    /// One sentence, without a full stop.
    PassInfo& summary(std::string_view text) { return set_summary(text), *this; }
    /// Paragraphs: method, limits, behaviour on bad input.
    PassInfo& details(std::string_view text) { return set_details(text), *this; }
    /// The chapter or paper of the method.
    PassInfo& source(std::string_view text) { return set_source(text), *this; }
    /// Complexity of the work, "O(texels)".
    PassInfo& complexity(std::string_view text) { return set_complexity(text), *this; }
    /// Cost of a built pass on a device: a function, or a lambda without captures.
    PassInfo& cost(Cost (*function)(const Pass&, const Graph&)) { return cost_ = function, *this; }

    /// Declares an input that must be connected.
    template <typename Port>
    InputRefinement input(std::string_view name, Port Pass::*field, std::string_view doc) {
        return add_input(name, doc, offset_of(field), detail::port_type<Port>(), true);
    }
    /// Declares an input that may stay unset.
    template <typename Port>
    InputRefinement optional_input(std::string_view name, Port Pass::*field, std::string_view doc) {
        return add_input(name, doc, offset_of(field), detail::port_type<Port>(), false);
    }
    /// Declares an input that takes any number of wires, in order.
    template <typename Port>
    InputRefinement input_list(std::string_view name, std::vector<Port> Pass::*field,
                               std::string_view doc) {
        return add_input_list(name, doc, offset_of(field), detail::port_type<Port>(),
                              detail::port_list_type<Port>());
    }
    /// Declares an output, which `build` sets.
    template <typename Port>
    OutputRefinement output(std::string_view name, Port Pass::*field, std::string_view doc) {
        return add_output(name, doc, offset_of(field), detail::port_type<Port>());
    }

    /// Declares a parameter; the field's value in a default-made pass is its default.
    template <typename T>
    ParameterRefinement parameter(std::string_view name, T Pass::*field, std::string_view doc) {
        return add_parameter(name, doc, offset_of(field), detail::field_type<T>(), &defaults_);
    }
    /// Declares the fields of a nested struct, as "name.field". `Group::describe_fields(f)` calls
    /// `f("field", &Group::field, "doc")` for each and can refine the result.
    template <typename Group>
    void group(std::string_view name, Group Pass::*field) {
        Group::describe_fields(
            detail::GroupFields<Group>(*this, name, &defaults_, defaults_.*field));
    }

    /// Cost of a built pass; zero if `describe` gives none.
    Cost cost_of(const void* pass, const Graph& graph) const override {
        return cost_ ? cost_(*static_cast<const Pass*>(pass), graph) : Cost{};
    }

  private:
    template <typename Field>
    std::size_t offset_of(Field Pass::*field) const {
        return detail::offset_in(&defaults_, &(defaults_.*field));
    }

    Pass defaults_{};
    Cost (*cost_)(const Pass&, const Graph&) = nullptr;
};

namespace detail {

template <typename Pass>
const PassDescription& description_of() {
    static const struct Described {
        Described() { Pass::describe(info); }
        PassInfo<Pass> info;
    } kPass;
    return kPass.info;
}

} // namespace detail

/// Cost of a built pass by its `describe`; zero if that gives none.
template <typename Pass>
Cost cost_of(const Pass& pass, const Graph& graph) {
    return detail::description_of<Pass>().cost_of(&pass, graph);
}

template <typename Pass>
void PassRegistry::add() {
    add(detail::description_of<Pass>().descriptor());
}

} // namespace tuff

/// Registers the pass `Type` with the module that its source is compiled into. Write it at the
/// start of a line, in the source file that defines `Type::build` and in the namespace of `Type`:
/// the CMake function `tuff_add_module` searches for it there.
#define TUFF_PASS(Type)                                                                            \
    extern "C" [[gnu::visibility("hidden")]] void tuff_add_pass_##Type(::tuff::PassRegistry& all); \
    void tuff_add_pass_##Type(::tuff::PassRegistry& all) {                                         \
        all.add<Type>();                                                                           \
    }
