// Stands in for shader_compiler.cpp in builds without TUFF_RUNTIME_SHADERC.
#include "gpu/shader/shader_compiler.hpp"

namespace tuff {
namespace {

std::unexpected<Diagnostics> no_compiler() {
    return fail("shader/no-compiler", "this build has no shader compiler, only embedded kernels",
                "build with -DTUFF_RUNTIME_SHADERC=ON to use GLSL files");
}

} // namespace

bool shader_compiler_available() {
    return false;
}
std::string shader_compiler_version() {
    return "none";
}
Result<PreprocessedShader> preprocess_shader(const ShaderSource&) {
    return no_compiler();
}
Result<ShaderBinary> compile_shader(const ShaderSource&) {
    return no_compiler();
}

} // namespace tuff
