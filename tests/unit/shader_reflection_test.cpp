#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/shader_reflection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Tests that compile GLSL first; a build without a compiler has nothing to test here.
class CompilingTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!shader_compiler_available()) GTEST_SKIP() << "built without TUFF_RUNTIME_SHADERC";
    }
};
class ShaderReflection : public CompilingTest {};
class RasterReflection : public CompilingTest {};

Result<ShaderInterface> reflect(const std::string& glsl, ShaderStage stage = ShaderStage::compute) {
    const auto binary =
        compile_shader({.file = "kernel.glsl", .text = "#version 460\n" + glsl, .stage = stage});
    if (!binary) return std::unexpected(binary.error());
    return reflect_shader("kernel", stage, binary->words);
}

/// Compiles and joins the two stages as the library does.
Result<ShaderInterface> reflect_raster(const std::string& vertex, const std::string& fragment) {
    const auto first = reflect(vertex, ShaderStage::vertex);
    if (!first) return std::unexpected(first.error());
    const auto binary = compile_shader({.file = "kernel.frag",
                                        .text = "#version 460\n" + fragment,
                                        .stage = ShaderStage::fragment});
    if (!binary) return std::unexpected(binary.error());
    const auto aligned = align_bindings(*first, binary->words);
    if (!aligned) return std::unexpected(aligned.error());
    const auto second = reflect_shader("kernel", ShaderStage::fragment, *aligned);
    if (!second) return std::unexpected(second.error());
    return join_stages(*first, *second);
}

const char* const kEverything = R"(
layout(local_size_x = 8, local_size_y = 4) in;
readonly buffer Values { float values[]; } source;
writeonly buffer Result { float result[]; };
buffer Counter { uint count; } counter;
uniform Table { vec4 rows[4]; } table;
layout(rgba16f) uniform readonly image2D picture;
uniform writeonly image3D target;
layout(r32ui) uniform uimage2DArray heads;
uniform sampler2D texture_map;
uniform texture2DArray layers[3];
uniform sampler nearest;
uniform samplerCube sky;
uniform sampler2DMS samples;
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 sum = imageLoad(picture, ivec2(i, 0)) + textureLod(texture_map, vec2(0.5), 0.0) +
               textureLod(sampler2DArray(layers[1], nearest), vec3(0.5), 0.0) +
               textureLod(sky, vec3(1.0), 0.0) + texelFetch(samples, ivec2(0), 1) + table.rows[i & 3];
    result[i] = source.values[i] + sum.x;
    imageStore(target, ivec3(i), sum);
    imageAtomicAdd(heads, ivec3(i, 0, 0), 1u);
    atomicAdd(counter.count, 1u);
})";

struct ExpectedBinding {
    const char* name;
    BindingKind kind;
    bool reads;
    bool writes;
};

TEST_F(ShaderReflection, AConstantMayBeTheLengthOfAnArray) {
    const auto found = reflect(R"(
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(constant_id = 7) const uint unrelated = 2u;
layout(constant_id = 4) const uint texture_count = 3u;
uniform sampler2D textures[texture_count];
writeonly buffer Result { vec4 values[]; } result;
void main() {
    uint i = gl_GlobalInvocationID.x;
    result.values[i] = textureLod(textures[nonuniformEXT(i % texture_count)], vec2(0.5), 0.0);
})");
    ASSERT_TRUE(found) << to_string(found.error());
    const ShaderBinding* textures = found->find_binding("textures");
    ASSERT_TRUE(textures);
    EXPECT_EQ(textures->count_constant, 4u);
    EXPECT_EQ(textures->count, 3u);
    EXPECT_TRUE(found->indexes_textures);
    EXPECT_EQ(found->find_binding("result")->count_constant, ~0u);
}

TEST_F(ShaderReflection, ChoosingByConstantsTakesNothingOfADevice) {
    const auto found = reflect(R"(
layout(local_size_x = 1) in;
uniform sampler2D textures[3];
writeonly buffer Result { vec4 value; } result;
void main() { result.value = textureLod(textures[1], vec2(0.5), 0.0); })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_FALSE(found->indexes_textures);
    EXPECT_EQ(found->find_binding("textures")->count, 3u);
}

// A length that is computed, or missing, is nothing that a graph can set.
TEST_F(ShaderReflection, OtherLengthsAreRefused) {
    for (const std::string length : {"2u * count", ""}) {
        const auto found = reflect(R"(
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(constant_id = 4) const uint count = 3u;
uniform sampler2D textures[)" + length +
                                   R"(];
writeonly buffer Result { vec4 value; } result;
void main() { result.value = textureLod(textures[nonuniformEXT(gl_GlobalInvocationID.x)],
                                              vec2(0.5), 0.0) * float(count); })");
        ASSERT_FALSE(found) << length;
        EXPECT_EQ(found.error().front().code, "shader/unsupported-binding") << length;
    }
}

TEST_F(ShaderReflection, TellsKindAndAccessOfEveryBinding) {
    const auto found = reflect(kEverything);
    ASSERT_TRUE(found) << to_string(found.error());
    const ExpectedBinding all[] = {
        {"source", BindingKind::storage_buffer, true, false},
        {"Result", BindingKind::storage_buffer, false, true}, // no instance name: the block's
        {"counter", BindingKind::storage_buffer, true, true},
        {"table", BindingKind::uniform_buffer, true, false},
        {"picture", BindingKind::storage_image, true, false},
        {"target", BindingKind::storage_image, false, true},
        {"heads", BindingKind::storage_image, true, true},
        {"texture_map", BindingKind::combined_image_sampler, true, false},
        {"layers", BindingKind::sampled_image, true, false},
        {"nearest", BindingKind::sampler, true, false},
        {"sky", BindingKind::combined_image_sampler, true, false},
        {"samples", BindingKind::combined_image_sampler, true, false},
    };
    EXPECT_EQ(found->bindings.size(), std::size(all));
    for (const ExpectedBinding& expected : all) {
        const ShaderBinding* binding = found->find_binding(expected.name);
        ASSERT_NE(binding, nullptr) << expected.name;
        EXPECT_EQ(binding->kind, expected.kind) << expected.name;
        EXPECT_EQ(binding->reads, expected.reads) << expected.name;
        EXPECT_EQ(binding->writes, expected.writes) << expected.name;
        EXPECT_EQ(binding->stages, static_cast<std::uint32_t>(ShaderStage::compute));
    }
    EXPECT_THAT(found->local_size, ElementsAre(8, 4, 1));
    EXPECT_EQ(found->local_size_ids[0], ~0u);
}

TEST_F(ShaderReflection, TellsShapeAndFormatOfImages) {
    const auto found = reflect(kEverything);
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->find_binding("picture")->format, Format::rgba16_sfloat);
    EXPECT_EQ(found->find_binding("target")->format, Format::undefined);
    EXPECT_EQ(found->find_binding("target")->dimension, ImageDimension::d3);
    EXPECT_EQ(found->find_binding("heads")->format, Format::r32_uint);
    EXPECT_EQ(found->find_binding("heads")->dimension, ImageDimension::d2_array);
    EXPECT_EQ(found->find_binding("sky")->dimension, ImageDimension::cube);
    EXPECT_EQ(found->find_binding("layers")->count, 3u);
    EXPECT_TRUE(found->find_binding("samples")->multisampled);
    EXPECT_FALSE(found->find_binding("texture_map")->multisampled);
}

TEST_F(ShaderReflection, GivesEveryBindingANumberOfItsOwn) {
    const auto found = reflect(kEverything);
    ASSERT_TRUE(found) << to_string(found.error());
    std::set<std::uint32_t> numbers;
    for (const ShaderBinding& binding : found->bindings)
        numbers.insert(binding.binding);
    EXPECT_EQ(numbers.size(), found->bindings.size());
}

TEST_F(ShaderReflection, KeepsBindingNumbersThatTheSourceGives) {
    const auto found = reflect(R"(
        layout(set = 1, binding = 5) buffer A { float v[]; } a;
        buffer B { float v[]; } b;
        void main() { a.v[0] = b.v[0]; })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->find_binding("a")->set, 1u);
    EXPECT_EQ(found->find_binding("a")->binding, 5u);
    EXPECT_EQ(found->find_binding("b")->set, 0u);
}

TEST_F(ShaderReflection, TellsTheMembersOfBlocks) {
    const auto found = reflect(R"(
        struct Light { vec3 place; uint kind; };
        buffer Status { uint faults; float worst; uint kinds[3]; Light light; } status;
        readonly buffer Lights { Light all[]; } lights;
        readonly buffer Words { uint values[]; } words;
        void main() {
            status.faults = lights.all[0].kind + words.values[0];
            status.worst = status.light.place.x;
            status.kinds[0] = 1u;
        })");
    ASSERT_TRUE(found) << to_string(found.error());
    const auto places = [&](const char* binding) {
        std::vector<std::pair<std::string, std::uint32_t>> all;
        for (const BlockMember& member : found->find_binding(binding)->members)
            all.emplace_back(member.name, member.offset);
        return all;
    };
    using Place = std::pair<std::string, std::uint32_t>;
    EXPECT_THAT(places("status"),
                ElementsAre(Place("faults", 0), Place("worst", 4), Place("kinds", 8),
                            Place("light.place", 32), Place("light.kind", 44)));
    EXPECT_THAT(places("lights"), ElementsAre(Place("place", 0), Place("kind", 12)));
    EXPECT_TRUE(places("words").empty());
    EXPECT_EQ(found->find_binding("status")->block_bytes, 48u);
    EXPECT_EQ(found->find_binding("words")->block_bytes, 4u);
}

TEST_F(ShaderReflection, TellsWhatTexelsReadAs) {
    const auto found = reflect(kEverything);
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->find_binding("picture")->scalar, ScalarType::float32);
    EXPECT_EQ(found->find_binding("heads")->scalar, ScalarType::uint32);
}

TEST_F(ShaderReflection, LeavesOutWhatTheKernelDeclaresButDoesNotUse) {
    const auto found = reflect(R"(
        buffer A { float v[]; } a;
        buffer B { float v[]; } b;
        void main() { a.v[0] = 1.0; })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_NE(found->find_binding("a"), nullptr);
    EXPECT_EQ(found->find_binding("b"), nullptr);
}

TEST_F(ShaderReflection, CallsABlockReadOnlyOnlyIfAllItsMembersAre) {
    const auto found = reflect(R"(
        buffer A { readonly uint count; uint v[]; } a;
        buffer B { readonly uint count; readonly uint v[]; } b;
        void main() { a.v[0] = b.v[a.count] + b.count; })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_TRUE(found->find_binding("a")->writes);
    EXPECT_FALSE(found->find_binding("b")->writes);
}

const char* const kParams = R"(
struct Light { vec3 direction; float strength; };
uniform Params {
    float exposure; vec3 tint; mat3 basis; float weights[4]; ivec2 size; Light light;
} params;
layout(push_constant) uniform Push { uint first; float scale; } push;
writeonly buffer Result { vec4 v[]; } result;
void main() {
    result.v[push.first] = vec4(params.tint * params.basis * params.light.direction, params.exposure) *
        params.weights[params.size.x] * params.light.strength * push.scale;
})";

TEST_F(ShaderReflection, TellsNameTypeAndOffsetOfEveryParameter) {
    const auto found = reflect(kParams);
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->find_binding("params"), nullptr); // parameters are no binding of the graph
    std::vector<std::string> names;
    std::vector<std::uint32_t> offsets;
    for (const BlockMember& member : found->param_members) {
        names.push_back(member.name);
        offsets.push_back(member.offset);
    }
    EXPECT_THAT(names, ElementsAre("exposure", "tint", "basis", "weights", "size",
                                   "light.direction", "light.strength"));
    EXPECT_THAT(offsets, ElementsAre(0, 16, 32, 80, 144, 160, 172));
    EXPECT_EQ(found->param_bytes, 176u);
    EXPECT_EQ(found->param_stages, static_cast<std::uint32_t>(ShaderStage::compute));

    const BlockMember& basis = found->param_members[2];
    EXPECT_EQ(basis.rows, 3u);
    EXPECT_EQ(basis.columns, 3u);
    EXPECT_EQ(basis.matrix_stride, 16u);
    const BlockMember& weights = found->param_members[3];
    EXPECT_EQ(weights.array_length, 4u);
    EXPECT_EQ(weights.array_stride, 16u);
    EXPECT_EQ(found->param_members[4].scalar, ScalarType::int32);
}

TEST_F(ShaderReflection, TellsThePushConstants) {
    const auto found = reflect(kParams);
    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_EQ(found->push_members.size(), 2u);
    EXPECT_EQ(found->push_members[0].name, "first");
    EXPECT_EQ(found->push_members[0].scalar, ScalarType::uint32);
    EXPECT_EQ(found->push_members[1].offset, 4u);
    EXPECT_EQ(found->push_bytes, 8u);
}

TEST_F(ShaderReflection, TellsConstantsAndTheIdsThatGiveTheLocalSize) {
    const auto found = reflect(R"(
        layout(local_size_x_id = 0, local_size_y = 4, local_size_z_id = 2) in;
        layout(local_size_x = 64) in;
        layout(constant_id = 7) const float kScale = 0.5;
        layout(constant_id = 8) const int kCount = -3;
        layout(constant_id = 9) const bool kFlip = true;
        writeonly buffer Result { float v[]; } result;
        void main() { result.v[gl_LocalInvocationIndex] = kFlip ? kScale : float(kCount); })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_THAT(found->local_size, ElementsAre(64, 4, 1));
    EXPECT_THAT(found->local_size_ids, ElementsAre(0, ~0u, 2));
    const auto constant = [&](std::uint32_t id) -> SpecializationConstant {
        for (const SpecializationConstant& c : found->constants)
            if (c.id == id) return c;
        return {};
    };
    EXPECT_EQ(constant(0).name, "local_size_x");
    EXPECT_EQ(constant(7).name, "kScale");
    EXPECT_EQ(constant(7).scalar, ScalarType::float32);
    EXPECT_EQ(constant(7).default_bits, 0x3f000000u);
    EXPECT_EQ(constant(8).default_bits, static_cast<std::uint32_t>(-3));
    EXPECT_EQ(constant(9).scalar, ScalarType::boolean);
    EXPECT_EQ(constant(9).default_bits, 1u);
}

const char* const kRayQuery = R"(
#extension GL_EXT_ray_query : require
uniform accelerationStructureEXT triangles;
bool hits() {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, triangles, gl_RayFlagsOpaqueEXT, 0xffu, vec3(0.0), 0.0,
                          vec3(0.0, 0.0, 1.0), 1.0);
    rayQueryProceedEXT(query);
    return rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT;
})";

TEST_F(ShaderReflection, TellsAccelerationStructuresOfComputeKernels) {
    const std::string query = kRayQuery;
    const auto found = reflect(query + R"(
        writeonly buffer Result { uint value; } result;
        void main() { result.value = uint(hits()); })");
    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_EQ(found->bindings.size(), 2u);
    const ShaderBinding* binding = found->find_binding("triangles");
    ASSERT_NE(binding, nullptr);
    EXPECT_EQ(binding->kind, BindingKind::acceleration_structure);
    EXPECT_TRUE(binding->reads);
    EXPECT_FALSE(binding->writes);
    EXPECT_NE(binding->binding, found->find_binding("result")->binding);

    const auto refused = reflect(query + R"(
        layout(location = 0) out vec4 color;
        void main() { color = vec4(hits()); })",
                                 ShaderStage::fragment);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "shader/unsupported-binding");
}

TEST_F(ShaderReflection, RefusesWhatGraphsCannotBind) {
    const auto found = reflect(R"(
        layout(r32f) uniform imageBuffer texels;
        uniform Params { dvec2 fine; } params;
        void main() { imageStore(texels, 0, vec4(params.fine.x)); })");
    ASSERT_FALSE(found);
    ASSERT_EQ(found.error().size(), 2u); // both are told at once
    EXPECT_EQ(found.error()[0].code, "shader/unsupported-parameter");
    EXPECT_THAT(found.error()[0].message, HasSubstr("\"fine\""));
    EXPECT_EQ(found.error()[1].code, "shader/unsupported-binding");
    EXPECT_THAT(found.error()[1].message, HasSubstr("\"texels\""));
}

TEST_F(ShaderReflection, RefusesWordsThatAreNotSpirv) {
    const std::uint32_t words[] = {1, 2, 3, 4, 5, 6};
    for (const std::size_t count : {0u, 3u, 6u}) {
        const auto found = reflect_shader("broken", ShaderStage::compute, std::span(words, count));
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error()[0].code, "shader/invalid");
    }
}

const char* const kVertex = R"(
readonly buffer Points { vec4 v[]; } points;
uniform Params { mat4 camera; float time; } params;
void main() { gl_Position = params.camera * points.v[gl_VertexIndex] * params.time; })";

TEST_F(RasterReflection, GivesANameSharedByBothStagesOneBinding) {
    const auto found = reflect_raster(kVertex, R"(
        uniform sampler2D albedo;
        buffer Points { vec4 v[]; } points;
        uniform Params { mat4 camera; float time; } params;
        layout(location = 0) out vec4 colour;
        void main() {
            points.v[1] = vec4(params.time);
            colour = texture(albedo, vec2(0.5)) * points.v[0] * params.camera[0];
        })");
    ASSERT_TRUE(found) << to_string(found.error());
    constexpr std::uint32_t kVertexBit = 0x1;
    constexpr std::uint32_t kFragmentBit = 0x10;
    ASSERT_EQ(found->bindings.size(), 2u);
    const ShaderBinding* points = found->find_binding("points");
    EXPECT_EQ(points->stages, kVertexBit | kFragmentBit);
    EXPECT_TRUE(points->reads);
    EXPECT_TRUE(points->writes); // by the fragment stage
    EXPECT_EQ(found->find_binding("albedo")->stages, kFragmentBit);
    EXPECT_GE(found->find_binding("albedo")->binding, kFragmentBindingBase);
    EXPECT_EQ(found->param_stages, kVertexBit | kFragmentBit);
    EXPECT_EQ(found->stages, kVertexBit | kFragmentBit);
}

TEST_F(RasterReflection, TakesParametersOfTheFragmentStageAlone) {
    const auto found = reflect_raster("void main() { gl_Position = vec4(0.0); }", R"(
        uniform Params { vec4 tint; } params;
        layout(location = 0) out vec4 colour;
        void main() { colour = params.tint; })");
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->param_bytes, 16u);
    EXPECT_GE(found->param_binding, kFragmentBindingBase);
}

TEST_F(RasterReflection, ReportsTwoNamesAtOnePlace) {
    static_assert(kFragmentBindingBase + 3 == 35);
    const auto found = reflect_raster(R"(
        layout(binding = 35) readonly buffer A { vec4 v[]; } a;
        void main() { gl_Position = a.v[0]; })",
                                      R"(
        layout(binding = 3) uniform sampler2D b;
        layout(location = 0) out vec4 colour;
        void main() { colour = texture(b, vec2(0.5)); })");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error()[0].code, "shader/binding-clash");
    EXPECT_THAT(found.error()[0].message, HasSubstr("\"a\""));
    EXPECT_THAT(found.error()[0].message, HasSubstr("\"b\""));
}

TEST_F(RasterReflection, ReportsOneNameOfTwoKinds) {
    const auto found = reflect_raster(kVertex, R"(
        uniform sampler2D points;
        layout(location = 0) out vec4 colour;
        void main() { colour = texture(points, vec2(0.5)); })");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error()[0].code, "shader/binding-clash");
}

TEST_F(RasterReflection, ReportsParameterBlocksThatDiffer) {
    const auto found = reflect_raster(kVertex, R"(
        uniform Params { float time; mat4 camera; } params;
        layout(location = 0) out vec4 colour;
        void main() { colour = params.camera[0] * params.time; })");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error()[0].code, "shader/binding-clash");
    EXPECT_THAT(found.error()[0].message, HasSubstr("Params"));
}

} // namespace
} // namespace tuff
