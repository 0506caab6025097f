# Helpers that keep the targets of this repository alike. Sources are collected per folder, so that
# adding a file needs no edit here, and a target exists only where its folder has sources.

# Sets <result> to the C++ sources below the given folders of the current directory.
function(tuff_collect_sources result)
    set(patterns)
    foreach(folder IN LISTS ARGN)
        list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    endforeach()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

# What all our own targets share: the warnings, and the repository root and engine/ as private
# include folders. BUILD_INTERFACE keeps both out of the exported package.
function(tuff_house_rules target)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tuff_warnings>)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/engine)
endfunction()

# Parsing headers takes most of a compilation; the standard library's and those that are named are
# parsed once a target. Each file still includes what it uses: builds with TUFF_PRECOMPILE=OFF have to
# pass too.
function(tuff_precompile target)
    if(TUFF_PRECOMPILE)
        target_precompile_headers(
            ${target}
            PRIVATE
            <algorithm>
            <array>
            <cstdint>
            <expected>
            <functional>
            <memory>
            <optional>
            <span>
            <string>
            <string_view>
            <utility>
            <variant>
            <vector>
            ${ARGN})
    endif()
endfunction()

# The same headers for a target with the same flags as tuff_graph_objects, which has parsed them.
function(tuff_reuse_precompiled target)
    if(TUFF_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM tuff_graph_objects)
    endif()
endfunction()

# tuff_add_library(tuff_graph graph SOURCES...) adds the static library tuff_graph, known as
# tuff::graph here and to users of the installed package. Its headers are still to be precompiled.
function(tuff_add_library target export_name)
    add_library(${target} STATIC ${ARGN})
    add_library(tuff::${export_name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
    target_compile_features(${target} PUBLIC cxx_std_23)
    tuff_house_rules(${target})
    install(TARGETS ${target} EXPORT tuffTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
