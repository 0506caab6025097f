#pragma once

// What VkFFT calls of glslang's C interface, by the compiler that the engine has. VkFFT fills glslang's table of limits by
// position, and that table differs from one glslang to the next: VkFFT 1.2.26 does not compile with
// the glslang 12 that Debian 12 has beside it. Include it before vkFFT.h, in one file.

#include "gpu/shader/shader_compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#define GLSLANG_C_IFACE_H_INCLUDED // glslang's own header has nothing to add

enum glslang_source_t { GLSLANG_SOURCE_GLSL };
enum glslang_stage_t { GLSLANG_STAGE_COMPUTE };
enum glslang_client_t { GLSLANG_CLIENT_VULKAN };
enum glslang_target_client_version_t { GLSLANG_TARGET_VULKAN_1_0, GLSLANG_TARGET_VULKAN_1_1 };
enum glslang_target_language_t { GLSLANG_TARGET_SPV };
enum glslang_target_language_version_t { GLSLANG_TARGET_SPV_1_0, GLSLANG_TARGET_SPV_1_3 };
enum glslang_profile_t { GLSLANG_NO_PROFILE };
enum glslang_messages_t {
    GLSLANG_MSG_DEFAULT_BIT = 0,
    GLSLANG_MSG_SPV_RULES_BIT = 8,
    GLSLANG_MSG_VULKAN_RULES_BIT = 16,
};

/// Limits in any order and number: the engine's compiler has its own.
struct glslang_resource_t {
    struct Any {
        Any() = default;
        Any(int) {}
        Any(std::initializer_list<int>) {}
    };
    Any limits[256];
};

struct glslang_input_t {
    glslang_source_t language;
    glslang_stage_t stage;
    glslang_client_t client;
    glslang_target_client_version_t client_version;
    glslang_target_language_t target_language;
    glslang_target_language_version_t target_language_version;
    const char* code;
    int default_version;
    glslang_profile_t default_profile;
    int force_default_version_and_profile;
    int forward_compatible;
    glslang_messages_t messages;
    const glslang_resource_t* resource;
};

struct glslang_shader_t {
    std::vector<std::uint32_t> words;
    std::string log;
};
struct glslang_program_t {
    std::vector<std::uint32_t> words;
};

inline int glslang_initialize_process() {
    return 1;
}
inline void glslang_finalize_process() {}

inline glslang_shader_t* glslang_shader_create(const glslang_input_t*) {
    return new glslang_shader_t;
}
inline void glslang_shader_delete(glslang_shader_t* shader) {
    delete shader;
}
inline int glslang_shader_preprocess(glslang_shader_t*, const glslang_input_t*) {
    return 1;
}
inline int glslang_shader_parse(glslang_shader_t* shader, const glslang_input_t* input) {
    auto compiled =
        tuff::compile_shader({.file = "VkFFT", .text = input->code, .optimised = false});
    if (compiled)
        shader->words = std::move(compiled->words);
    else
        shader->log = tuff::to_string(compiled.error());
    return compiled.has_value();
}
inline const char* glslang_shader_get_info_log(glslang_shader_t* shader) {
    return shader->log.c_str();
}

inline glslang_program_t* glslang_program_create() {
    return new glslang_program_t;
}
inline void glslang_program_delete(glslang_program_t* program) {
    delete program;
}
inline void glslang_program_add_shader(glslang_program_t* program, glslang_shader_t* shader) {
    program->words = std::move(shader->words);
}
inline int glslang_program_link(glslang_program_t*, int) {
    return 1;
}
inline const char* glslang_program_get_info_log(glslang_program_t*) {
    return "";
}
inline void glslang_program_SPIRV_generate(glslang_program_t*, glslang_stage_t) {}
inline const char* glslang_program_SPIRV_get_messages(glslang_program_t*) {
    return nullptr;
}
inline std::size_t glslang_program_SPIRV_get_size(glslang_program_t* program) {
    return program->words.size();
}
inline std::uint32_t* glslang_program_SPIRV_get_ptr(glslang_program_t* program) {
    return program->words.data();
}
