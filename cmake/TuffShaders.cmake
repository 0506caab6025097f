# Compiles GLSL at build time and embeds the SPIR-V. Part of the installed package, too:
# find_package(tuff) defines tuff_add_shaders for the shaders of other projects.

# tuff_add_shaders(<target> FOLDER <folder> [BELOW <subfolder>] [NAMESPACE <namespace>]) compiles
# every .comp, .vert, .frag, .rgen, .rmiss, .rchit and .rahit below <folder>, or below its
# <subfolder>, in all variants, into one shader pack, which <target> embeds, and generates the header
# <target>_shaders.hpp with <namespace>::shaders(), the table that ShaderLibrary::add_embedded takes.
# The namespace is the target's name unless given. A kernel is called by its path below <folder>,
# without extension; shared GLSL is looked up in <folder>/include. One command makes the pack; it
# compiles what has changed. A folder without shaders gives an empty table.
function(tuff_add_shaders target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;BELOW;NAMESPACE" "")
    if(NOT arg_FOLDER OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "usage: tuff_add_shaders(target FOLDER folder [BELOW subfolder] "
                            "[NAMESPACE namespace])")
    endif()
    cmake_path(ABSOLUTE_PATH arg_FOLDER NORMALIZE)
    string(MAKE_C_IDENTIFIER "${target}" symbol)
    if(NOT arg_NAMESPACE)
        set(arg_NAMESPACE ${symbol})
    endif()
    set(patterns comp vert frag rgen rmiss rchit rahit)
    list(TRANSFORM patterns PREPEND ${arg_FOLDER}/${arg_BELOW}/*.)
    file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${patterns})
    list(SORT shaders)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_shaders)
    set(pack ${generated}/shaders.pack)
    add_custom_command(
        OUTPUT ${pack}
        COMMAND tuff::shaderc ${arg_FOLDER} ${pack} ${pack}.d ${generated}/cache ${shaders}
        DEPENDS tuff::shaderc ${shaders}
        DEPFILE ${pack}.d
        COMMENT "Compiling the shaders of ${target}"
        VERBATIM)
    set(TUFF_SHADERS_SYMBOL tuff_shader_pack_${symbol})
    set(TUFF_SHADERS_PACK ${pack})
    set(TUFF_SHADERS_NAMESPACE ${arg_NAMESPACE})
    set(templates ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    configure_file(${templates}/embedded_shaders.cpp.in ${generated}/pack.cpp @ONLY)
    configure_file(${templates}/embedded_shaders.hpp.in ${generated}/${target}_shaders.hpp @ONLY)
    set_source_files_properties(${generated}/pack.cpp PROPERTIES OBJECT_DEPENDS ${pack}
                                                                 SKIP_PRECOMPILE_HEADERS ON
                                                                 SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${generated}/pack.cpp)
    target_include_directories(${target} PRIVATE ${generated})
endfunction()
