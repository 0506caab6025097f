# Compiles GLSL at build time and embeds the SPIR-V.

option(TUFF_RUNTIME_SHADERC "Compile GLSL at run time too: user shaders and hot reload" ON)

# The compiler as a program. It shares its source with the library, so that build time and run time
# treat a shader alike.
function(tuff_add_shader_compiler)
    add_executable(
        tuff_shaderc tools/shaderc_main.cpp gpu/shader_compiler.cpp gpu/shader_files.cpp
                     gpu/shader_reflection.cpp)
    tuff_house_rules(tuff_shaderc)
    target_link_libraries(
        tuff_shaderc PRIVATE tuff::graph tuff_third_party::fmt tuff_third_party::shaderc
                             tuff_third_party::spirv_cross)
endfunction()

# tuff_embed_shaders(<target> ROOT <folder>) compiles every .comp, .vert and .frag below <folder>
# and adds the words, and the table tuff::embedded_shaders(), to <target>. Each stage is a command
# of its own, repeated when the file or anything it includes changes. An empty or absent folder
# gives an empty table.
function(tuff_embed_shaders target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT" "")
    file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${arg_ROOT}/*.comp ${arg_ROOT}/*.vert
         ${arg_ROOT}/*.frag)
    list(SORT shaders)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded_shaders)
    set(stage_comp compute)
    set(stage_vert vertex)
    set(stage_frag fragment)
    set(count 0)
    set(declarations)
    set(entries)
    foreach(shader IN LISTS shaders)
        cmake_path(RELATIVE_PATH shader BASE_DIRECTORY ${arg_ROOT} OUTPUT_VARIABLE relative)
        cmake_path(GET shader EXTENSION LAST_ONLY extension)
        string(SUBSTRING ${extension} 1 -1 extension)
        cmake_path(REMOVE_EXTENSION relative LAST_ONLY OUTPUT_VARIABLE name)
        string(MAKE_C_IDENTIFIER "${relative}" symbol)
        # Different paths may give one identifier: a-b.comp, a_b.comp.
        set(symbol "kShader_${symbol}_${count}")
        set(output ${folder}/${relative}.cpp)
        add_custom_command(
            OUTPUT ${output}
            COMMAND tuff_shaderc ${arg_ROOT} ${shader} ${symbol} ${output} ${output}.d
            DEPENDS tuff_shaderc ${shader}
            DEPFILE ${output}.d
            COMMENT "Compiling shader ${relative}"
            VERBATIM)
        target_sources(${target} PRIVATE ${output})
        string(APPEND declarations "extern const std::span<const std::uint32_t> ${symbol};\n")
        string(APPEND entries
               "        {\"${name}\", ShaderStage::${stage_${extension}}, embedded::${symbol}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    set(TUFF_EMBEDDED_COUNT ${count})
    set(TUFF_EMBEDDED_DECLARATIONS "${declarations}")
    set(TUFF_EMBEDDED_ENTRIES "${entries}")
    configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_shaders.cpp.in
                   ${folder}/embedded_shaders.cpp @ONLY)
    target_sources(${target} PRIVATE ${folder}/embedded_shaders.cpp)
endfunction()
