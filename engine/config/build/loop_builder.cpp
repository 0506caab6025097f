#include "config/build/config_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

/// The part of ConfigBuilder that repeats passes and used configs.
namespace tuff {
namespace {

/// The image or buffer of a value, if it is one.
std::optional<std::variant<Image, Buffer>> resource_of(const PortValue& value) {
    if (const auto* image = value.get<Image>()) return *image;
    if (const auto* buffer = value.get<Buffer>()) return *buffer;
    return std::nullopt;
}

PortValue value_of_resource(const std::variant<Image, Buffer>& resource,
                            const BufferElements& elements) {
    PortValue value = std::visit([](auto one) { return PortValue::of(one); }, resource);
    value.elements = elements;
    return value;
}

} // namespace

/// Reports what is wrong with the values of a loop, once for all its iterations.
void ConfigBuilder::prepare_loop(std::size_t index) {
    const FlatNode& node = flat_.nodes[index];
    Loop& loop = loops_[index];
    loop.outputs.resize(node.pass->outputs.size());
    loop.count = evaluation_.repeats(node).value_or(0);
    for (const auto& [parameter, argument] : node.arguments)
        for_each_reference(argument->value, [&](const std::string& name, Span) {
            loop.varies |= name == "iteration";
        });
    if (node.loop->body) loop.varies |= uses_iteration(*node.loop->body);
    begin_iteration(index, 0);
}

/// Prepares an iteration. False where its values are at fault, which has been reported.
bool ConfigBuilder::begin_iteration(std::size_t index, std::uint32_t iteration) {
    const FlatNode& node = flat_.nodes[index];
    const std::size_t errors = problems_.error_count();
    const IterationScope scope(evaluation_, iteration);
    if (node.loop->pass) {
        evaluation_.configure(node, *node.loop->pass->make());
    } else {
        static const std::vector<std::string> kNoExtraOutputs;
        auto& body = loops_[index].body;
        body = std::make_unique<ConfigBuilder>(*node.loop->body, evaluation_.body_parameters(node),
                                               kNoExtraOutputs, context_, iteration,
                                               evaluation_.body_domain_parameters(node));
        body->prepare();
    }
    return problems_.error_count() == errors;
}

void ConfigBuilder::add_loop(std::size_t index) {
    const FlatNode& node = flat_.nodes[index];
    std::optional<InputValues> inputs = input_values(node);
    if (!inputs) {
        failed_[index] = true;
        return;
    }
    const std::size_t before = graph_.peek().diagnostics.size();
    if (node.decl->loop->until)
        repeat_until(index, std::move(*inputs));
    else
        repeat(index, std::move(*inputs));
    const Diagnostics& all = graph_.peek().diagnostics;
    for (std::size_t i = before; i < all.size(); ++i)
        if (all[i].severity == Severity::error) failed_[index] = true;
    blame(node.decl->name.span);
}

std::optional<InputValues> ConfigBuilder::input_values(const FlatNode& node) {
    InputValues values(node.pass->inputs.size());
    bool sound = true;
    for (const FlatInput& input : node.inputs) {
        const PortInfo& port = node.pass->inputs[input.port];
        if (is_absent(input.wire) && (port.list || !port.required)) continue;
        std::optional<PortValue> value = value_of(input.wire, input.span);
        sound = sound && value;
        if (value) values[input.port].push_back(std::move(*value));
    }
    if (!sound) return std::nullopt;
    return values;
}

void ConfigBuilder::repeat(std::size_t index, InputValues inputs) {
    const FlatNode& node = flat_.nodes[index];
    Loop& loop = loops_.at(index);
    // Where nothing runs, what is carried is what it began with.
    for (const FlatLoop::Carried& carried : node.loop->carried)
        if (!inputs[carried.input].empty())
            loop.outputs[carried.output] = inputs[carried.input].front();
    graph_.repeat(
        node.path, loop.count, std::move(inputs), [&](InputValues values, std::uint32_t iteration) {
            std::optional<std::vector<PortValue>> outputs = add_iteration(index, values, iteration);
            if (!outputs) return values;
            for (const FlatLoop::Carried& carried : node.loop->carried)
                values[carried.input] = {(*outputs)[carried.output]};
            loop.outputs = std::move(*outputs);
            return values;
        });
}

void ConfigBuilder::repeat_until(std::size_t index, InputValues inputs) {
    using State = std::vector<std::variant<Image, Buffer>>;
    const FlatNode& node = flat_.nodes[index];
    const std::vector<FlatLoop::Carried>& carried = node.loop->carried;
    Loop& loop = loops_.at(index);
    const auto refuse = [&](Span span, std::string message) {
        if (!failed_[index]) problems_.error("config/bad-loop", span, std::move(message));
        failed_[index] = true;
    };
    const Span span = node.decl->loop->span;
    State start;
    std::vector<BufferElements> elements; // of what is carried
    for (const FlatLoop::Carried& part : carried) {
        const auto& given = inputs[part.input];
        const auto resource = given.empty() ? std::nullopt : resource_of(given.front());
        if (!resource) {
            refuse(span, fmt::format("input \"{}\" of node \"{}\" is carried, but is connected to "
                                     "no Image or Buffer",
                                     node.pass->inputs[part.input].name, node.path));
            return;
        }
        start.push_back(*resource);
        elements.push_back(given.front().elements);
    }
    const Buffer nothing = graph_.buffer(node.path + "/none", {.size = 4});
    const auto body = [&](State state, std::uint32_t iteration) -> Step<State> {
        for (std::size_t part = 0; part < carried.size(); ++part)
            inputs[carried[part].input] = {value_of_resource(state[part], elements[part])};
        const std::optional<std::vector<PortValue>> outputs =
            add_iteration(index, inputs, iteration);
        if (!outputs) return {std::move(state), nothing};
        for (std::size_t part = 0; part < carried.size(); ++part) {
            const auto resource = resource_of((*outputs)[carried[part].output]);
            if (resource && resource->index() == state[part].index())
                state[part] = *resource, elements[part] = (*outputs)[carried[part].output].elements;
            else
                refuse(span, fmt::format("what node \"{}\" carries changes its type", node.path));
        }
        const Buffer* done = (*outputs)[node.loop->until].get<Buffer>();
        if (!done || !*done)
            refuse(span, fmt::format("\"{}\" of node \"{}\" is no Buffer: its first word ends the "
                                     "loop",
                                     node.decl->loop->until->text, node.path));
        return {std::move(state), done && *done ? *done : nothing};
    };
    const Repeated<State> result = graph_.repeat_until(node.path, loop.count, start, body);
    for (std::size_t part = 0; part < carried.size(); ++part)
        loop.outputs[part] = value_of_resource(result.state[part], elements[part]);
    loop.outputs.back() = PortValue::of(result.iterations);
    loop.outputs.back().elements = BufferElements::of<std::uint32_t>();
}

/// The outputs of the body, or nothing once something has gone wrong: then it would go wrong in
/// every iteration.
std::optional<std::vector<PortValue>> ConfigBuilder::add_iteration(std::size_t index,
                                                                   const InputValues& inputs,
                                                                   std::uint32_t iteration) {
    if (failed_[index]) return std::nullopt;
    if (iteration > 0 && loops_.at(index).varies && !begin_iteration(index, iteration)) {
        failed_[index] = true;
        return std::nullopt;
    }
    const IterationScope scope(evaluation_, iteration);
    const FlatNode& node = flat_.nodes[index];
    std::vector<PortValue> outputs;
    if (node.loop->body) {
        failed_[index] = !loops_.at(index).body->add_body(inputs, outputs);
    } else {
        const std::unique_ptr<PassInstance> pass = node.loop->pass->make();
        evaluation_.configure(node, *pass);
        for (std::uint32_t port = 0; port < inputs.size(); ++port)
            for (const PortValue& value : inputs[port])
                if (auto set = pass->set_input(port, value); !set) {
                    problems_.take(std::move(set.error()), node.decl->name.span);
                    failed_[index] = true;
                }
        if (failed_[index]) return std::nullopt;
        const std::size_t before = graph_.peek().diagnostics.size();
        const std::uint64_t queries = graph_.rank_queries();
        pass->build(graph_);
        const bool asks_for_ranks = graph_.rank_queries() != queries;
        const Diagnostics& all = graph_.peek().diagnostics;
        for (std::size_t i = before; i < all.size(); ++i)
            if (all[i].severity == Severity::error) failed_[index] = true;
        if (!failed_[index] && context_.own_parts.is_divided())
            note_parts(node, *pass, inputs, asks_for_ranks);
        blame(node.decl->name.span);
        if (!failed_[index])
            context_.nodes.push_back(
                {std::string(graph_.scope()), node.loop->pass->name, pass->cost(graph_)});
        for (std::size_t port = 0; port < node.loop->outputs.size(); ++port)
            outputs.push_back(pass->output(port));
    }
    if (failed_[index]) return std::nullopt;
    return outputs;
}

/// One iteration of a config that a loop repeats. False where something went wrong.
bool ConfigBuilder::add_body(const InputValues& inputs, std::vector<PortValue>& outputs) {
    inputs_ = &inputs;
    for (std::size_t i = 0; i < flat_.nodes.size(); ++i)
        add_node(i);
    bool sound = std::ranges::none_of(failed_, [](bool failed) { return failed; });
    for (const FlatOutput& output : flat_.outputs) {
        std::optional<PortValue> value = value_of(output.wire, output.decl->from.span);
        sound = sound && value;
        outputs.push_back(value ? std::move(*value) : PortValue{});
    }
    // A pass is built once.
    for (std::size_t i = 0; i < flat_.nodes.size(); ++i)
        if (!flat_.nodes[i].loop && !off_[i]) {
            passes_[i] = flat_.nodes[i].pass->make();
            evaluation_.configure(flat_.nodes[i], *passes_[i]);
        }
    inputs_ = nullptr;
    return sound;
}

} // namespace tuff
