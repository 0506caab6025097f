#include "config/check/schema_nodes.hpp"

#include "config/check/flat_config.hpp"
#include "config/check/schema_parts.hpp"

#include <tuff/config.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tuff {
namespace {

using namespace schema;

Json::Value to_json(const ParameterValue& value) {
    struct Visitor {
        Json::Value operator()(bool v) const { return v; }
        Json::Value operator()(std::int64_t v) const { return Json::Int64{v}; }
        Json::Value operator()(double v) const { return v; }
        Json::Value operator()(const std::string& v) const { return v; }
        Json::Value operator()(const std::vector<double>& v) const {
            Json::Value list(Json::arrayValue);
            for (double number : v)
                list.append(number);
            return list;
        }
        Json::Value operator()(const std::vector<std::string>& v) const {
            Json::Value list(Json::arrayValue);
            for (const std::string& text : v)
                list.append(text);
            return list;
        }
    };
    return std::visit(Visitor{}, value);
}

Json::Value number_schema(const ParameterInfo& info) {
    Json::Value number = typed(info.integral ? "integer" : "number");
    if (std::isfinite(info.low))
        number[info.excludes_low ? "exclusiveMinimum" : "minimum"] = info.low;
    if (std::isfinite(info.high))
        number[info.excludes_high ? "exclusiveMaximum" : "maximum"] = info.high;
    return number;
}

/// The parameter's own form, without the "$name" that may stand for it.
Json::Value literal_schema(const ParameterInfo& info) {
    switch (info.kind) {
    case ParameterKind::boolean: return typed("boolean");
    case ParameterKind::integer:
    case ParameterKind::real: return number_schema(info);
    case ParameterKind::text: return typed("string");
    case ParameterKind::choice: {
        Json::Value schema(Json::objectValue);
        schema["enum"] = list_of(info.choices);
        return schema;
    }
    case ParameterKind::texts: {
        Json::Value schema = typed("array");
        schema["items"] = typed("string");
        return schema;
    }
    case ParameterKind::vector:
        return tuple(any_of({number_schema(info), reference("computed")}), info.components);
    case ParameterKind::list: {
        Json::Value schema = typed("array");
        const Json::Value element = any_of({number_schema(info), reference("computed")});
        Json::Value row = typed("array");
        row["items"] = element;
        schema["items"] = any_of({element, row});
        return schema;
    }
    }
    return Json::Value(Json::objectValue);
}

Json::Value parameter_schema(const ParameterInfo& info) {
    Json::Value schema =
        any_of({literal_schema(info), reference("computed"), reference("keyframes")});
    schema["description"] =
        info.unit.empty() ? info.doc : fmt::format("{} [{}]", info.doc, info.unit);
    schema["default"] = to_json(info.default_value);
    return schema;
}

/// Adds "camera.position" as the member "position" of the object "camera", to any depth.
void add_nested(Json::Value& object, std::string_view name, const Json::Value& schema) {
    const std::size_t dot = name.find('.');
    const std::string first(name.substr(0, dot));
    if (dot == std::string_view::npos) {
        object["properties"][first] = schema;
        return;
    }
    Json::Value& group = object["properties"][first];
    if (group.isNull())
        group = any_of({reference("group"), closed_object(Json::Value(Json::objectValue))});
    add_nested(group["anyOf"][1], name.substr(dot + 1), schema);
}

Json::Value connections_schema(const PassDescriptor& pass) {
    Json::Value schema = closed_object(Json::Value(Json::objectValue));
    for (const PortInfo& port : pass.inputs) {
        Json::Value wire = reference("wire");
        if (port.list) {
            Json::Value wires = typed("array");
            wires["items"] = reference("wire");
            wire = any_of({wire, wires});
        }
        wire["description"] = fmt::format("{} ({})", port.doc, port.type_text());
        schema["properties"][port.name] = wire;
        if (port.required && !port.list) schema["required"].append(port.name);
    }
    return schema;
}

/// The members by which any node may run several times, and beside others.
void add_run_members(Json::Value& properties) {
    properties["queue"] = typed("string", "preferred queue");
    properties["queue"]["enum"] = list_of(kQueueNames);
    const Json::Value count =
        any_of({whole_number(0, kMaxConfigRepeats), reference("computed"), reference("keyframes")});
    properties["when"] = any_of({typed("boolean"), reference("computed")});
    properties["when"]["description"] = "whether it runs";
    properties["else"] = any_of(
        {reference("wire"), dictionary(reference("wire"), "wire for each output while it is off")});
    properties["else"]["description"] = "wire for its output while it is off";
    properties["repeat"] = count;
    properties["repeat"]["description"] = "number of iterations";
    properties["until"] =
        typed("string", "the output whose first word, non-zero, ends the loop; needs max");
    properties["max"] = count;
    properties["max"]["description"] = "largest number of iterations of until";
    properties["carry"] = dictionary(
        typed("string"), "the output that each of these inputs takes from the iteration before");
}

Json::Value node_schema(const PassDescriptor& pass) {
    Json::Value properties(Json::objectValue);
    properties["pass"]["const"] = pass.name;
    properties["pass"]["description"] = pass.summary;
    properties["in"] = connections_schema(pass);
    Json::Value parameters = closed_object(Json::Value(Json::objectValue));
    for (const ParameterInfo& info : pass.parameters) {
        const Json::Value schema = parameter_schema(info);
        add_nested(parameters, info.name, schema);
        if (info.name.contains('.')) parameters["properties"][info.name] = schema;
    }
    properties["params"] = parameters;
    add_run_members(properties);
    Json::Value schema = closed_object(properties);
    schema["required"].append("pass");
    if (properties["in"].isMember("required")) schema["required"].append("in");
    return schema;
}

/// What is known of the ports and parameters of a kernel. The values of "out" and "dispatch" are
/// parameters, too, but stand elsewhere.
Json::Value known_kernel_schema(const PassDescriptor& kernel) {
    PassDescriptor own = kernel;
    std::erase_if(own.parameters,
                  [](const ParameterInfo& info) { return info.name.starts_with("out."); });
    std::erase_if(own.inputs, [](const PortInfo& port) { return port.name == kKernelIndirect; });
    const Json::Value whole = node_schema(own);
    Json::Value schema(Json::objectValue);
    schema["properties"]["in"] = whole["properties"]["in"];
    schema["properties"]["params"] = whole["properties"]["params"];
    Json::Value outputs(Json::objectValue);
    for (const PortInfo& port : own.outputs)
        outputs[port.name]["description"] = fmt::format("{} ({})", port.doc, port.type_text());
    schema["properties"]["out"] = closed_object(outputs);
    return schema;
}

/// A node with a kernel of its own, whose ports and parameters only the kernel knows.
Json::Value kernel_schema(std::span<const PassDescriptor* const> kernels) {
    Json::Value properties(Json::objectValue);
    properties["kernel"] =
        typed("string", "a .comp, .frag, .hlsl or .spv below the folder of this file");
    Json::Value lines = typed("array");
    lines["items"] = typed("string");
    properties["glsl"] = any_of({typed("string"), lines});
    properties["glsl"]["description"] = "the text of a kernel, or its lines";
    properties["stage"]["enum"] = list_of(std::array{"compute", "fragment"});
    properties["stage"]["description"] = "stage of \"glsl\"; default: compute";
    Json::Value wires = typed("array");
    wires["items"] = reference("wire");
    properties["in"] = dictionary(any_of({reference("wire"), wires}), "wires of its bindings");
    Json::Value number = any_of({whole_number(1, 4294967295.0), reference("computed")});
    Json::Value sides = typed("array");
    sides["items"] = number;
    sides["minItems"] = 2;
    sides["maxItems"] = 3;
    Json::Value output(Json::objectValue);
    output["like"] = typed("string", "an input of the same size");
    output["size"] = any_of({sides, reference("computed")});
    output["length"] = number;
    output["length"]["description"] = "elements of a buffer";
    output["format"]["enum"] = format_names();
    properties["out"] = dictionary(closed_object(output), "sizes of its outputs");
    Json::Value dispatch(Json::objectValue);
    dispatch["over"] = typed("string", "a port: an invocation for each texel or element");
    dispatch["count"] = number;
    dispatch["groups"] = any_of({tuple(number, 3), reference("computed")});
    dispatch["indirect"] = reference("wire");
    properties["dispatch"] = closed_object(dispatch);
    properties["dispatch"]["description"] = "size of the dispatch; default: over the first output";
    Json::Value parameters = typed("object", "values for its parameters");
    properties["params"] = parameters;
    add_run_members(properties);
    Json::Value schema = closed_object(properties);
    for (const char* kind : {"kernel", "glsl"}) {
        Json::Value one;
        one["required"].append(kind);
        schema["oneOf"].append(one);
    }
    for (const PassDescriptor* kernel : kernels) {
        Json::Value choice;
        choice["if"]["required"].append("kernel");
        choice["if"]["properties"]["kernel"]["const"] = kernel->name;
        choice["then"] = known_kernel_schema(*kernel);
        schema["allOf"].append(choice);
    }
    return schema;
}

Json::Value use_schema() {
    Json::Value properties(Json::objectValue);
    properties["use"] = typed("string", "another config, relative to this file");
    properties["in"] = dictionary(reference("wire"), "wires of its inputs");
    properties["params"] = dictionary(reference("value"), "values for its parameters");
    add_run_members(properties);
    Json::Value schema = closed_object(properties);
    schema["required"].append("use");
    return schema;
}

} // namespace

Json::Value schema::any_node_schema(const PassRegistry& registry,
                                    std::span<const PassDescriptor* const> kernels) {
    Json::Value schema = typed("object");
    schema["properties"]["pass"] = typed("string", "the pass this node runs");
    schema["properties"]["pass"]["enum"] = list_of(registry.names());
    schema["properties"]["use"] = typed("string", "another config, used as a node");
    Json::Value is_use;
    is_use["if"]["required"].append("use");
    is_use["then"] = use_schema();
    Json::Value is_kernel;
    for (const char* kind : {"kernel", "glsl"}) {
        schema["properties"][kind]["description"] = "a kernel of its own";
        Json::Value one;
        one["required"].append(kind);
        is_kernel["if"]["anyOf"].append(one);
    }
    is_kernel["then"] = kernel_schema(kernels);
    is_kernel["else"]["required"].append("pass");
    is_use["else"] = is_kernel;
    schema["allOf"].append(is_use);
    for (const PassDescriptor& pass : registry.all()) {
        Json::Value choice;
        choice["if"]["required"].append("pass");
        choice["if"]["properties"]["pass"]["const"] = pass.name;
        choice["then"] = node_schema(pass);
        schema["allOf"].append(choice);
    }
    return schema;
}

} // namespace tuff
