#include "config/check/flat_config.hpp"
#include "config/check/schema_nodes.hpp"
#include "config/check/schema_parts.hpp"
#include "config/read/read_volume.hpp"

#include <tuff/config.hpp>
#include <tuff/drawing.hpp>

#include <json/writer.h>

#include <array>

namespace tuff {
namespace {

using namespace schema;

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
    Json::Value list = typed("array", "models and generated shapes, each with its placement");
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
    image["at"] =
        number(typed("number", "index of the picture, from 0; default: the number of the frame"));
    image["end"]["enum"] = list_of(kSeriesEndNames);
    image["end"]["description"] = "the picture before the first and after the last";
    const Json::Value film = image;
    Json::Value recording = nothing;
    recording["part"]["enum"] = list_of(kRecordingParts);
    recording["part"]["description"] = "pictures of a frame, or the poses of all";
    for (const char* key : {"srgb", "at", "end"})
        recording[key] = image[key];
    image["decode"]["enum"] = list_of(kDecoderNames);
    image["decode"]["description"] = "device: a JPEG file is decoded by jpeg/decode";
    image["frames"] = numbers(2, "numbers of the first and the last file");
    image["size"] = size_expression();
    image["size"]["description"] = "size of an SVG, which is scaled to fit; default: its own";
    image["coverage"] = typed("boolean", "for an SVG: the covered part of each texel, r8_unorm");
    Json::Value text = nothing;
    text["size"] = number(typed("number", "size of the letters, texels"));
    text["padding"] = number(typed("number", "space around the text, texels"));
    text["font"] = typed("string", "a TrueType or OpenType file; else DejaVu Sans");
    text["align"]["enum"] = list_of(kTextAlignNames);
    text["align"]["description"] = "alignment of several lines";
    text["box"] = size_expression();
    text["box"]["description"] = "size of the picture, with the text in its middle";
    text["mips"] = image["mips"];
    Json::Value volume = nothing;
    volume["frame"] = number(typed("integer", "index in a series, from 0"));
    volume["array"] = typed("string", "name of the array or grid, in files with several");
    volume["normalize"] = typed("boolean", "map unsigned numbers of 8 and 16 bits to 0 to 1");
    volume["spacing"] = numbers(3, "distance between texels, instead of the file's");
    volume["origin"] = numbers(3, "the centre of the first texel, instead of the file's");
    volume["type"]["enum"] = list_of(element_names());
    volume["type"]["description"] = "type of the numbers of a file without a header";
    volume["size"] = numbers(3, "for a file without a header: texels along x, y and z");
    volume["channels"] = whole_number(1, 4);
    volume["byte_order"]["enum"] = list_of(kByteOrderNames);
    volume["offset"] = whole_number(0, kMaxRawOffset);
    volume["offset"]["description"] = "bytes before the first texel";
    Json::Value generated = nothing;
    generated["size"] = size_expression();
    generated["format"]["enum"] = list_of(std::array{"rgba8_unorm", "rgba32_sfloat"});
    generated["mips"] = image["mips"];
    generated["seed"] = number(typed("integer", "seed of noise"));
    generated["cell"] = number(typed("integer", "for checker: texels a square"));
    generated["color"] = numbers(4, "color of constant");
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
              typed("string", "PNG, JPEG, TGA, BMP, HDR, EXR, NPY or SVG; frame_%04d.png with "
                              "\"frames\""),
              image),
         kind("film", typed("string", "a film that ffmpeg reads"), film),
         kind("recording",
              typed("string", "the folder of a depth camera's recording, as TUM's or 7-Scenes'"),
              recording),
         kind("volume",
              typed("string", "NRRD, NIfTI, VDB, NVDB, VTI, NPY, or bytes with a \"type\""),
              volume),
         kind("array",
              any_of({typed("string", "a .npy, .csv, .txt, .tsv, .raw or .bin file"),
                      typed("array", "the numbers themselves, or rows of them")}),
              array),
         kind("text", typed("string", "letters; \\n begins a line"), text),
         kind("generate", generator, generated)});
}

Json::Value part_schema() {
    Json::Value properties(Json::objectValue);
    properties["halo"] = any_of({whole_number(0, kMaxPartHalo), reference("computed")});
    properties["halo"]["description"] = "texels on each side for cells of other processes";
    Json::Value schema = closed_object(properties);
    schema["description"] = "it is a process's part of the field of the domain";
    schema["required"].append("halo");
    return schema;
}

Json::Value history_schema() {
    Json::Value properties(Json::objectValue);
    properties["from"] = reference("wire");
    properties["format"]["enum"] = format_names();
    properties["size"] = size_expression();
    properties["clear"] = numbers(4);
    properties["part"] = part_schema();
    Json::Value schema = closed_object(properties);
    schema["required"] = list_of(std::array{"from", "format", "size"});
    return schema;
}

Json::Value output_schema() {
    Json::Value properties(Json::objectValue);
    properties["from"] = reference("wire");
    properties["file"] = typed("string", "file of the result; the extension decides the format");
    properties["spacing"] = numbers(3, "for a volume: distance between texels");
    properties["origin"] = numbers(3, "for a volume: the centre of the first texel");
    properties["part"] = part_schema();
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

Json::Value domain_schema() {
    Json::Value properties(Json::objectValue);
    properties["cells"] = tuple(whole_number(1, kMaxDomainCells), 3);
    properties["cells"]["description"] = "cells of the whole field along x, y, z";
    properties["ranks"] = tuple(whole_number(1, kMaxRanksOfAxis), 3);
    properties["ranks"]["description"] = "processes along x, y, z";
    Json::Value schema = closed_object(properties);
    schema["description"] = "a field that several processes have in parts";
    schema["required"].append("cells");
    return schema;
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
    properties["credits"] = typed("string", "authors and licences of the assets");
    properties["size"] = reference("size");
    properties["domain"] = domain_schema();
    properties["params"] =
        dictionary(reference("parameter"), "values that \"$name\" stands for; --set changes them");
    properties["groups"] =
        dictionary(typed("object"), "parameters that several passes take together, by "
                                    "\"camera\": \"$name\"");
    properties["assets"] = dictionary(reference("asset"), "models, images and volumes");
    properties["history"] =
        dictionary(reference("history"), "contents of a result one execution ago");
    Json::Value type(Json::objectValue);
    type["enum"] = list_of(known_port_types(registry));
    Json::Value input(Json::objectValue);
    input["type"] = type;
    input["default"] = typed("string", "asset that is used if nothing is connected");
    Json::Value long_input = closed_object(input);
    long_input["required"].append("type");
    properties["inputs"] = dictionary(any_of({type, long_input}),
                                      "inputs from a config that uses this one, a host or --input");
    properties["nodes"] = dictionary(reference("node"), "passes, in any order");
    properties["outputs"] = dictionary(reference("output"), "the results to keep");
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
