# Embeds text files at build time.

# tuff_embed_text(<target> HEADER <name> NAMESPACE <namespace> FILES <file>...) adds the files of the
# current folder to <target> and generates the header <name>.hpp with one function
# `std::string_view <namespace>::<file name as an identifier>()` for each. The generated files are
# written anew when a file changes.
set(TUFF_EMBED_TEXT_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake)
function(tuff_embed_text target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE" "FILES")
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_text)
    set(declarations)
    foreach(file IN LISTS arg_FILES)
        cmake_path(GET file FILENAME symbol)
        string(MAKE_C_IDENTIFIER ${symbol} symbol)
        string(APPEND declarations "std::string_view ${symbol}();\n")
        add_custom_command(
            OUTPUT ${generated}/${symbol}.cpp
            COMMAND ${CMAKE_COMMAND} -D INPUT=${CMAKE_CURRENT_SOURCE_DIR}/${file} -D
                    OUTPUT=${generated}/${symbol}.cpp -D NAMESPACE=${arg_NAMESPACE} -D
                    SYMBOL=${symbol} -P ${TUFF_EMBED_TEXT_SCRIPT}
            DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${TUFF_EMBED_TEXT_SCRIPT}
            COMMENT "Embedding ${file}"
            VERBATIM)
        target_sources(${target} PRIVATE ${generated}/${symbol}.cpp)
    endforeach()
    file(
        CONFIGURE
        OUTPUT ${generated}/${arg_HEADER}.hpp
        CONTENT
            "// Written by CMake (tuff_embed_text).
#pragma once

#include <string_view>

namespace ${arg_NAMESPACE} {

${declarations}
} // namespace ${arg_NAMESPACE}
")
    target_include_directories(${target} PRIVATE ${generated})
endfunction()
