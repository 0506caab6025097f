#include "config/check/flat_config.hpp"
#include "config/check/schema_parts.hpp"
#include "config/read/read_volume.hpp"

#include <tuff/config.hpp>

#include <fmt/format.h>
#include <json/writer.h>

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
    properties["queue"] = typed("string", "where it would rather run, if the device can");
    properties["queue"]["enum"] = list_of(kQueueNames);
    const Json::Value count =
        any_of({whole_number(0, kMaxConfigRepeats), reference("computed"), reference("keyframes")});
    properties["when"] = any_of({typed("boolean"), reference("computed")});
    properties["when"]["description"] = "whether it runs";
    properties["else"] =
        any_of({reference("wire"),
                dictionary(reference("wire"), "what stands for each output while it is off")});
    properties["else"]["description"] = "what stands for its output while it is off";
    properties["repeat"] = count;
    properties["repeat"]["description"] = "how often it runs";
    properties["until"] =
        typed("string", "the output whose first word, non-zero, ends the loop; needs max");
    properties["max"] = count;
    properties["max"]["description"] = "the most iterations of until";
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

Json::Value format_names() {
    Json::Value formats(Json::arrayValue);
    for (const FormatInfo& format : all_formats())
        if (format.format != Format::undefined) formats.append(std::string(format.name));
    return formats;
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
    properties["stage"]["description"] = "of \"glsl\"; else compute";
    Json::Value wires = typed("array");
    wires["items"] = reference("wire");
    properties["in"] =
        dictionary(any_of({reference("wire"), wires}), "what its bindings are connected to");
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
    properties["out"] = dictionary(closed_object(output), "how large what it writes is");
    Json::Value dispatch(Json::objectValue);
    dispatch["over"] = typed("string", "a port: an invocation for each texel or element");
    dispatch["count"] = number;
    dispatch["groups"] = any_of({tuple(number, 3), reference("computed")});
    dispatch["indirect"] = reference("wire");
    properties["dispatch"] = closed_object(dispatch);
    properties["dispatch"]["description"] = "how much runs; else over the first output";
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
    properties["in"] = dictionary(reference("wire"), "what its inputs are connected to");
    properties["params"] = dictionary(reference("value"), "values for its parameters");
    add_run_members(properties);
    Json::Value schema = closed_object(properties);
    schema["required"].append("use");
    return schema;
}

/// Chooses by pass name, so that an editor completes and checks the ports and parameters of that
/// pass alone.
Json::Value any_node_schema(const PassRegistry& registry,
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

/// A size whose sides may refer to parameters.
Json::Value size_expression() {
    return any_of({tuple(any_of({whole_number(1, kMaxConfigSide), reference("computed")}), 2),
                   reference("computed"), reference("keyframes")});
}

/// A number, or what gives one.
Json::Value number(const Json::Value& literal = typed("number")) {
    return any_of({literal, reference("computed"), reference("keyframes")});
}

/// So many numbers, or what gives them.
Json::Value numbers(Json::ArrayIndex count, std::string_view description = {}) {
    Json::Value schema =
        any_of({tuple(number(), count), reference("reference"), reference("keyframes")});
    if (!description.empty()) schema["description"] = std::string(description);
    return schema;
}

/// The parts of a scene that is put together.
Json::Value scene_parts_schema() {
    Json::Value material(Json::objectValue);
    material["base_color"] = numbers(4, "linear, with alpha");
    material["emissive"] = numbers(3, "radiance");
    material["metallic"] = number(typed("number", "0 to 1"));
    material["roughness"] = number(typed("number", "0 to 1"));
    Json::Value part(Json::objectValue);
    part["model"] =
        typed("string", "a .gltf, .glb, .obj, .ply, .stl, .fbx file, or another that assimp reads");
    part["plane"] = numbers(2, "size along x and z");
    part["arcade"] = typed("integer", "seed of a vaulted arcade of 260,000 triangles");
    part["arcade"]["minimum"] = 0;
    part["knot"] = typed("integer", "windings of a closed tube along a torus knot");
    part["knot"]["minimum"] = 3;
    part["knot"]["maximum"] = 8;
    part["tree"] = typed("integer", "seed of a bare tree, a closed surface of 28,000 triangles");
    part["tree"]["minimum"] = 0;
    part["translate"] = numbers(3);
    part["rotate"] = numbers(3, "degrees about x, then y, then z");
    part["scale"] = number();
    part["material"] = closed_object(material);
    Json::Value list = typed("array", "models and what is made, each with its place");
    list["items"] = closed_object(part);
    list["minItems"] = 1;
    return list;
}

Json::Value asset_schema() {
    const auto kind = [](const char* key, const Json::Value& value, Json::Value properties) {
        properties[key] = value;
        Json::Value schema = closed_object(properties);
        schema["required"].append(key);
        return schema;
    };
    const Json::Value nothing(Json::objectValue);
    Json::Value image = nothing;
    image["srgb"] = typed("boolean", "8-bit colours are sRGB");
    image["mips"] = typed("boolean", "make a full mip chain");
    image["at"] = number(typed("number", "which picture, from 0; else that of the frame's number"));
    image["end"]["enum"] = list_of(kSeriesEndNames);
    image["end"]["description"] = "what stands before the first picture and after the last";
    const Json::Value film = image;
    image["frames"] = numbers(2, "of numbered files: the first number and the last");
    Json::Value volume = nothing;
    volume["frame"] = number(typed("integer", "of a series, from 0"));
    volume["array"] = typed("string", "the array or grid of a file with several");
    volume["normalize"] = typed("boolean", "unsigned numbers of 8 and 16 bits stand for 0 to 1");
    volume["spacing"] = numbers(3, "from texel to texel, instead of the file's");
    volume["origin"] = numbers(3, "the centre of the first texel, instead of the file's");
    volume["type"]["enum"] = list_of(element_names());
    volume["type"]["description"] = "of the numbers of a file without a header";
    volume["size"] = numbers(3, "of a file without a header: texels along x, y and z");
    volume["channels"] = whole_number(1, 4);
    volume["byte_order"]["enum"] = list_of(kByteOrderNames);
    volume["offset"] = whole_number(0, kMaxRawOffset);
    volume["offset"]["description"] = "bytes before the first texel";
    Json::Value generated = nothing;
    generated["size"] = size_expression();
    generated["format"]["enum"] = list_of(std::array{"rgba8_unorm", "rgba32_sfloat"});
    generated["mips"] = image["mips"];
    generated["seed"] = number(typed("integer", "of noise"));
    generated["cell"] = number(typed("integer", "of checker: texels a square"));
    generated["color"] = numbers(4, "of constant");
    Json::Value array = nothing;
    array["type"]["enum"] = list_of(element_names());
    array["shape"] = typed("array", "numbers along each axis, the slowest first");
    array["shape"]["items"] = number(whole_number(1, 2147483647));
    Json::Value generator(Json::objectValue);
    generator["enum"] = list_of(kGeneratorNames);
    return any_of(
        {kind("gltf", typed("string", "a .gltf or .glb file"), nothing),
         kind("model",
              typed("string",
                    "a .gltf, .glb, .obj, .ply, .stl, .fbx file, or another that assimp reads"),
              nothing),
         kind("scene", scene_parts_schema(), nothing),
         kind("image",
              typed("string", "PNG, JPEG, TGA, BMP, HDR, EXR or NPY; frame_%04d.png with "
                              "\"frames\""),
              image),
         kind("film", typed("string", "a film that ffmpeg reads"), film),
         kind("volume", typed("string", "NRRD, NIfTI, VDB, VTI, NPY, or bytes with a \"type\""),
              volume),
         kind("array",
              any_of({typed("string", "a .npy, .csv, .txt, .tsv, .raw or .bin file"),
                      typed("array", "the numbers themselves, or rows of them")}),
              array),
         kind("generate", generator, generated)});
}

Json::Value history_schema() {
    Json::Value properties(Json::objectValue);
    properties["from"] = reference("wire");
    properties["format"]["enum"] = format_names();
    properties["size"] = size_expression();
    properties["clear"] = numbers(4);
    Json::Value schema = closed_object(properties);
    schema["required"] = list_of(std::array{"from", "format", "size"});
    return schema;
}

Json::Value output_schema() {
    Json::Value properties(Json::objectValue);
    properties["from"] = reference("wire");
    properties["file"] = typed("string", "where the result is written; the extension decides how");
    properties["spacing"] = numbers(3, "of a volume: from texel to texel");
    properties["origin"] = numbers(3, "of a volume: the centre of the first texel");
    Json::Value long_form = closed_object(properties);
    long_form["required"].append("from");
    return any_of({reference("wire"), long_form});
}

Json::Value declaration_schema() {
    Json::Value properties(Json::objectValue);
    properties["default"] = reference("value");
    properties["doc"] = typed("string");
    properties["range"] = tuple(any_of({typed("number"), reference("formula")}), 2);
    properties["keys"] = reference("keys");
    properties["easing"] = reference("easing");
    properties["loop"] = reference("loop");
    Json::Value long_form = closed_object(properties);
    Json::Value has_default, has_keys;
    has_default["required"].append("default");
    has_keys["required"].append("keys");
    long_form["anyOf"].append(has_default);
    long_form["anyOf"].append(has_keys);
    return any_of({reference("value"), long_form});
}

Json::Value definitions(const PassRegistry& registry,
                        std::span<const PassDescriptor* const> kernels) {
    Json::Value defs(Json::objectValue);
    defs["name"] = typed("string");
    defs["name"]["pattern"] = "^[A-Za-z_][A-Za-z0-9_-]*$";
    defs["reference"] =
        typed("string", "a parameter, $frame, $time, $dt, $width, $height or $iteration");
    defs["reference"]["pattern"] = "^\\$[A-Za-z_][A-Za-z0-9_-]*$";
    defs["formula"] = typed("string", "an expression, as in \"=2*$sigma+1\"");
    defs["formula"]["pattern"] = "^=[^=]";
    defs["computed"] = any_of({reference("reference"), reference("formula")});
    defs["wire"] = typed("string", "node.port, or the name of an asset, a history or an input");
    defs["wire"]["pattern"] = "^[A-Za-z_][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$";
    defs["size"] = tuple(any_of({whole_number(1, kMaxConfigSide), reference("formula")}), 2);
    defs["easing"] = typed("string", "how keyframes go from one to the next");
    defs["easing"]["enum"] = list_of(kEasingNames);
    defs["loop"] = typed("string", "what keyframes do before the first and after the last");
    defs["loop"]["enum"] = list_of(kKeyLoopNames);
    Json::Value key = typed("array", "[seconds, value]");
    key["prefixItems"].append(any_of({typed("number"), reference("formula")}));
    key["prefixItems"].append(reference("value"));
    key["minItems"] = 2;
    key["maxItems"] = 2;
    defs["keys"] = typed("array", "keyframes; times increase");
    defs["keys"]["items"] = key;
    defs["keys"]["minItems"] = 1;
    Json::Value keys(Json::objectValue);
    keys["keys"] = reference("keys");
    keys["easing"] = reference("easing");
    keys["loop"] = reference("loop");
    defs["keyframes"] = closed_object(keys);
    defs["keyframes"]["required"].append("keys");
    Json::Value list = typed("array");
    list["items"] = reference("value");
    defs["value"] =
        any_of({typed("number"), typed("boolean"), typed("string"), list, reference("keyframes")});
    defs["parameter"] = declaration_schema();
    defs["group"] = typed("string", "the name of a group, as \"$name\"");
    defs["group"]["pattern"] = "^\\$[^$]";
    defs["asset"] = asset_schema();
    defs["history"] = history_schema();
    defs["node"] = any_node_schema(registry, kernels);
    defs["output"] = output_schema();
    return defs;
}

} // namespace

std::string json_schema(const PassRegistry& registry,
                        std::span<const PassDescriptor* const> kernels) {
    Json::Value properties(Json::objectValue);
    properties["$schema"] = typed("string");
    properties["tuff"]["const"] = 1;
    properties["tuff"]["description"] = "version of the format";
    properties["description"] = typed("string");
    properties["credits"] = typed("string", "whose work the assets are, and under which licence");
    properties["size"] = reference("size");
    properties["params"] =
        dictionary(reference("parameter"), "values that \"$name\" stands for; --set changes them");
    properties["groups"] =
        dictionary(typed("object"), "parameters that several passes take together, by "
                                    "\"camera\": \"$name\"");
    properties["assets"] = dictionary(reference("asset"), "models, images and volumes");
    properties["history"] =
        dictionary(reference("history"), "what a result held one execution ago");
    Json::Value type(Json::objectValue);
    type["enum"] = list_of(known_port_types(registry));
    Json::Value input(Json::objectValue);
    input["type"] = type;
    input["default"] = typed("string", "the asset that stands for it where nothing is connected");
    Json::Value long_input = closed_object(input);
    long_input["required"].append("type");
    properties["inputs"] = dictionary(any_of({type, long_input}),
                                      "what a config that uses this one, a host or --input gives");
    properties["nodes"] = dictionary(reference("node"), "passes, in any order");
    properties["outputs"] = dictionary(reference("output"), "the results that are kept");
    properties["outputs"]["minProperties"] = 1;

    Json::Value schema = closed_object(properties);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "Tuff graph config";
    schema["required"] = list_of(std::array{"tuff", "outputs"});
    schema["$defs"] = definitions(registry, kernels);

    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    writer["precision"] = 9;
    return Json::writeString(writer, schema) + "\n";
}

} // namespace tuff
