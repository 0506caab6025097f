# Compiles GLSL at build time and embeds the SPIR-V. Part of the installed package, too:
# find_package(tuff) defines tuff_add_shaders for the shaders of other projects.

# tuff_add_shaders(<target> FOLDER <folder> [NAMESPACE <namespace>]) compiles every .comp, .vert,
# .frag, .rgen, .rmiss, .rchit and .rahit below <folder>, adds the words to <target>, and generates
# the header <target>_shaders.hpp with <namespace>::shaders(), the table that
# ShaderLibrary::add_embedded takes. The namespace is the target's name unless given. A kernel is
# called by its path below the folder, without extension. Each stage is a command of its own,
# repeated when the file or anything it includes changes. An empty or absent folder gives an empty
# table.
function(tuff_add_shaders target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;NAMESPACE" "")
    if(NOT arg_FOLDER OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "usage: tuff_add_shaders(target FOLDER folder [NAMESPACE namespace])")
    endif()
    cmake_path(ABSOLUTE_PATH arg_FOLDER NORMALIZE)
    string(MAKE_C_IDENTIFIER "${target}" target_symbol)
    if(NOT arg_NAMESPACE)
        set(arg_NAMESPACE ${target_symbol})
    endif()
    set(stage_comp compute)
    set(stage_vert vertex)
    set(stage_frag fragment)
    set(stage_rgen ray_generation)
    set(stage_rmiss miss)
    set(stage_rchit closest_hit)
    set(stage_rahit any_hit)
    set(patterns comp vert frag rgen rmiss rchit rahit)
    list(TRANSFORM patterns PREPEND ${arg_FOLDER}/*.)
    file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${patterns})
    list(SORT shaders)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_shaders)
    set(count 0)
    set(declarations)
    set(entries)
    foreach(shader IN LISTS shaders)
        cmake_path(RELATIVE_PATH shader BASE_DIRECTORY ${arg_FOLDER} OUTPUT_VARIABLE relative)
        cmake_path(GET shader EXTENSION LAST_ONLY extension)
        string(SUBSTRING ${extension} 1 -1 extension)
        cmake_path(REMOVE_EXTENSION relative LAST_ONLY OUTPUT_VARIABLE name)
        string(MAKE_C_IDENTIFIER "${relative}" symbol)
        # Different paths may give one identifier (a-b.comp, a_b.comp), and one program may link
        # the tables of several targets.
        set(symbol "kShader_${target_symbol}_${symbol}_${count}")
        set(output ${generated}/words/${relative}.cpp)
        add_custom_command(
            OUTPUT ${output}
            COMMAND tuff::shaderc ${arg_FOLDER} ${shader} ${symbol} ${output} ${output}.d
            DEPENDS tuff::shaderc ${shader}
            DEPFILE ${output}.d
            COMMENT "Compiling shader ${relative}"
            VERBATIM)
        target_sources(${target} PRIVATE ${output})
        # They need little of the standard library, and loading all of it takes longer.
        set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        string(APPEND declarations "extern const std::span<const std::uint32_t> ${symbol};\n")
        string(APPEND entries "        {\"${name}\", tuff::ShaderStage::${stage_${extension}},\n"
               "         tuff::embedded::${symbol}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    set(TUFF_SHADERS_HEADER ${target}_shaders.hpp)
    set(TUFF_SHADERS_NAMESPACE ${arg_NAMESPACE})
    set(TUFF_SHADERS_COUNT ${count})
    set(TUFF_SHADERS_DECLARATIONS "${declarations}")
    set(TUFF_SHADERS_ENTRIES "${entries}")
    set(templates ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    configure_file(${templates}/embedded_shaders.cpp.in ${generated}/table.cpp @ONLY)
    configure_file(${templates}/embedded_shaders.hpp.in ${generated}/${TUFF_SHADERS_HEADER} @ONLY)
    target_sources(${target} PRIVATE ${generated}/table.cpp)
    target_include_directories(${target} PRIVATE ${generated})
endfunction()
