#include <tuff/pass.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

/// How passes are set, checked and built by what they say of themselves.
namespace tuff {
namespace detail {
namespace {

const void* field_at(const void* pass, std::size_t offset) {
    return static_cast<const std::byte*>(pass) + offset;
}
void* field_at(void* pass, std::size_t offset) {
    return static_cast<std::byte*>(pass) + offset;
}

std::string_view article(std::string_view noun) {
    constexpr std::string_view kVowels = "AEIOUaeiou";
    return !noun.empty() && kVowels.contains(noun.front()) ? "an" : "a";
}

/// A pass of any type behind its description.
class DescribedInstance final : public PassInstance {
  public:
    explicit DescribedInstance(const PassDescription& description)
        : description_(&description), pass_(description.type().make(), description.type().destroy) {
    }
    Result<void> set_parameter(std::size_t index, const ParameterValue& value) override {
        return description_->set_parameter(pass_.get(), index, value);
    }
    Result<void> set_input(std::size_t index, const PortValue& value) override {
        auto connected = description_->set_input(pass_.get(), index, value);
        if (!connected) return connected;
        const PortInfo& info = description_->descriptor().inputs[index];
        const BufferElements wanted = description_->elements(info, pass_.get(), input_elements_);
        if (auto read = check_elements(info, wanted, value); !read) return read;
        input_elements_.resize(description_->descriptor().inputs.size());
        if (!input_elements_[index]) input_elements_[index] = value.elements;
        return {};
    }
    void build(Graph& graph) override { description_->build(graph, pass_.get()); }
    PortValue output(std::size_t index) const override {
        PortValue value = description_->output(pass_.get(), index);
        value.elements = description_->elements(description_->descriptor().outputs[index],
                                                pass_.get(), input_elements_);
        return value;
    }
    Cost cost(const Graph& graph) const override {
        return description_->cost_of(pass_.get(), graph);
    }

  private:
    const PassDescription* description_;
    std::unique_ptr<void, void (*)(void*)> pass_;
    std::vector<BufferElements> input_elements_; ///< by input, of what it is connected to
};

} // namespace

Result<void> check_elements(const PortInfo& port, const BufferElements& wanted,
                            const PortValue& given) {
    if (can_read(wanted, given.elements)) return {};
    return fail("pass/wrong-elements",
                fmt::format("input \"{}\" takes elements of type {}, but the wire carries {}",
                            port.name, wanted.text(), given.elements.text()),
                port.elements.parameter.empty()
                    ? "connect an array of that type, or convert it with primitives/map"
                    : fmt::format("set \"{}\" to the type of the array, or convert it with "
                                  "primitives/map",
                                  port.elements.parameter));
}

template const PortType& port_type<Image>();
template const PortType& port_type<Buffer>();

std::size_t offset_in(const void* whole, const void* part) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(part) -
                                    static_cast<const std::byte*>(whole));
}

PassDescription::PassDescription(const PassType& type) : type_(&type) {
    descriptor_.name = type.name;
    descriptor_.description = this;
    descriptor_.make = [this] { return std::make_unique<DescribedInstance>(*this); };
}

PassDescription::~PassDescription() = default;

// --- describing ----------------------------------------------------------------------------------

InputRefinement PassDescription::add_input(std::string_view name, std::string_view doc,
                                           std::size_t offset, const PortType& type,
                                           bool required) {
    inputs_.push_back({offset, &type, nullptr});
    descriptor_.inputs.push_back({.name = std::string(name),
                                  .doc = std::string(doc),
                                  .type = type.name,
                                  .required = required});
    return InputRefinement(descriptor_.inputs.back());
}

InputRefinement PassDescription::add_input_list(std::string_view name, std::string_view doc,
                                                std::size_t offset, const PortType& type,
                                                const PortListType& list) {
    inputs_.push_back({offset, &type, &list});
    descriptor_.inputs.push_back(
        {.name = std::string(name), .doc = std::string(doc), .type = type.name, .list = true});
    return InputRefinement(descriptor_.inputs.back());
}

OutputRefinement PassDescription::add_output(std::string_view name, std::string_view doc,
                                             std::size_t offset, const PortType& type) {
    outputs_.push_back({offset, &type, nullptr});
    descriptor_.outputs.push_back(
        {.name = std::string(name), .doc = std::string(doc), .type = type.name});
    return OutputRefinement(descriptor_.outputs.back());
}

ParameterRefinement PassDescription::add_parameter(std::string_view name, std::string_view doc,
                                                   std::size_t offset, const FieldType& type,
                                                   const void* defaults) {
    fields_.push_back({offset, type});
    descriptor_.parameters.push_back(
        describe_parameter(name, doc, type, field_at(defaults, offset)));
    return ParameterRefinement(descriptor_.parameters.back());
}

// --- setting and fetching ------------------------------------------------------------------------

Result<void> PassDescription::set_parameter(void* pass, std::size_t index,
                                            const ParameterValue& value) const {
    const Field& field = fields_[index];
    return set_field(descriptor_.parameters[index], field.type, field_at(pass, field.offset),
                     value);
}

Result<void> PassDescription::set_input(void* pass, std::size_t index,
                                        const PortValue& value) const {
    const Port& port = inputs_[index];
    void* field = field_at(pass, port.offset);
    if (port.list ? port.list->append(field, value) : port.type->assign(field, value)) return {};
    const PortInfo& info = descriptor_.inputs[index];
    return fail("pass/wrong-port-type",
                fmt::format("input \"{}\" takes {} {}, not {} {}", info.name, article(info.type),
                            info.type, article(value.type), value.type));
}

PortValue PassDescription::output(const void* pass, std::size_t index) const {
    return outputs_[index].type->fetch(field_at(pass, outputs_[index].offset));
}

BufferElements PassDescription::elements(const PortInfo& port, const void* pass,
                                         std::span<const BufferElements> inputs) const {
    const PortElements& rules = port.elements;
    if (rules.fixed) return rules.fixed;
    if (rules.decide)
        if (BufferElements decided = rules.decide(pass)) return decided;
    if (!rules.parameter.empty()) {
        const std::size_t index = *descriptor_.find_parameter(rules.parameter);
        const ParameterInfo info =
            describe_parameter({}, {}, fields_[index].type, field_at(pass, fields_[index].offset));
        return BufferElements::named(std::get<std::string>(info.default_value));
    }
    const auto like = rules.like.empty() ? std::nullopt : descriptor_.find_input(rules.like);
    return like && *like < inputs.size() ? inputs[*like] : BufferElements{};
}

// --- building ------------------------------------------------------------------------------------

template <typename Visit>
void PassDescription::visit_ports(const Port& port, const void* pass, Visit&& visit) const {
    const void* field = field_at(pass, port.offset);
    if (!port.list) return visit(field, std::size_t{0});
    const std::size_t count = port.list->size(field);
    for (std::size_t i = 0; i < count; ++i)
        visit(port.list->at(field, i), i);
}

bool PassDescription::has_invalid_input(const void* pass) const {
    bool found = false;
    for (const Port& port : inputs_)
        visit_ports(port, pass, [&](const void* one, std::size_t) {
            found = found || port.type->invalid(one);
        });
    return found;
}

void PassDescription::check_input(Graph& graph, std::size_t index, const void* pass) const {
    const Port& port = inputs_[index];
    const PortInfo& info = descriptor_.inputs[index];
    if (port.list) {
        const std::size_t wires = port.list->size(field_at(pass, port.offset));
        if (wires == 0 && info.least_wires > 0)
            graph.error("graph/unconnected",
                        fmt::format("input \"{}\" is not connected", info.name));
        else if (wires < info.least_wires || wires > info.most_wires)
            graph.error(
                "pass/out-of-range",
                fmt::format("input \"{}\" takes {} wires, not {}", info.name,
                            info.most_wires == kAll
                                ? fmt::format("at least {}", info.least_wires)
                                : fmt::format("{} to {}", info.least_wires, info.most_wires),
                            wires));
    }
    visit_ports(port, pass, [&](const void* one, std::size_t i) {
        std::string numbered;
        if (port.list) numbered = fmt::format("{}[{}]", info.name, i);
        const std::string_view name = port.list ? numbered : info.name;
        if (!port.type->connected(one)) {
            if (info.required)
                graph.error("graph/unconnected",
                            fmt::format("input \"{}\" is not connected", name));
            return;
        }
        if (info.shape != PortShape::any)
            std::ignore = has_shape(graph, *static_cast<const Image*>(one), info.shape, name);
    });
}

bool PassDescription::reports_mistakes(Graph& graph, const void* pass) const {
    const std::size_t before = graph.desc_.diagnostics.size();
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        check_input(graph, i, pass);
    for (std::size_t i = 0; i < fields_.size(); ++i)
        for (Diagnostic& mistake : check_field(descriptor_.parameters[i], fields_[i].type,
                                               field_at(pass, fields_[i].offset)))
            graph.report(std::move(mistake));
    return graph.desc_.diagnostics.size() != before;
}

void PassDescription::build(Graph& graph, void* pass) const {
    const Diagnostics& diagnostics = graph.desc_.diagnostics;
    const std::size_t before = diagnostics.size();
    const bool outer_failed = std::exchange(graph.inner_failed_, false);
    ++graph.building_;
    bool failed = false;
    if (has_invalid_input(pass)) {
        graph.report_unconnected(kInvalidVersion, "an input comes from a pass of another graph");
        failed = true;
    } else if (reports_mistakes(graph, pass)) {
        failed = true;
    } else {
        type_->build(pass, graph);
        failed = graph.inner_failed_ ||
                 std::any_of(diagnostics.begin() + static_cast<std::ptrdiff_t>(before),
                             diagnostics.end(), [](const Diagnostic& diagnostic) {
                                 return diagnostic.severity == Severity::error;
                             });
    }
    if (failed)
        for (const Port& port : outputs_)
            port.type->invalidate(field_at(pass, port.offset));
    --graph.building_;
    graph.inner_failed_ = outer_failed || (failed && graph.building_ > 0);
}

} // namespace detail

std::string PortElements::text() const {
    if (fixed) return fixed.text();
    if (!doc.empty()) return doc;
    if (!parameter.empty()) return fmt::format("by \"{}\"", parameter);
    return like.empty() ? std::string{} : fmt::format("as \"{}\"", like);
}

std::string PortInfo::type_text() const {
    const std::string of = elements.text();
    if (of.empty()) return std::string(type);
    const bool refers = !elements.fixed && elements.doc.empty();
    return fmt::format("{} {}{}", type, refers ? "" : "of ", of);
}

void Graph::build_described(const detail::PassDescription& description, void* pass) {
    description.build(*this, pass);
}

} // namespace tuff
