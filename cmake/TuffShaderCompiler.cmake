option(TUFF_RUNTIME_SHADERC "Compile GLSL at run time too: user shaders and hot reload" ON)

# The shader compiler as a program. It shares its source with the library, so that build time and
# run time treat a shader alike. It links no library of ours: a changed graph compiler would make
# every shader be compiled again. Installed: other projects embed their shaders with it.
function(tuff_add_shader_compiler)
    add_executable(
        tuff_shaderc
        tools/shaderc_main.cpp
        core/diagnostic.cpp
        core/file_access.cpp
        core/format.cpp
        gpu/shader/assertion_lines.cpp
        gpu/shader/exact_arithmetic.cpp
        gpu/shader/shader_cache.cpp
        gpu/shader/shader_compiler.cpp
        gpu/shader/shader_files.cpp
        gpu/shader/shader_pack.cpp
        gpu/shader/shader_reflection.cpp
        gpu/shader/shader_variants.cpp
        gpu/shader/spirv_edits.cpp
        gpu/shader/spirv_streams.cpp)
    add_executable(tuff::shaderc ALIAS tuff_shaderc)
    set_target_properties(tuff_shaderc PROPERTIES EXPORT_NAME shaderc)
    target_compile_features(tuff_shaderc PRIVATE cxx_std_23)
    target_include_directories(tuff_shaderc PRIVATE include)
    tuff_house_rules(tuff_shaderc)
    target_link_libraries(
        tuff_shaderc PRIVATE tuff_third_party::fmt tuff_third_party::shaderc
                             tuff_third_party::spirv_cross tuff_third_party::zlib)
    install(TARGETS tuff_shaderc EXPORT tuffTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
