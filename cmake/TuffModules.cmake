# Modules: a domain of passes with its kernels. Part of the installed package, too:
# find_package(tuff) defines tuff_add_module for the passes of other projects.

# tuff_add_module(<name> [SHADERS <folder>] [DEPENDS <module>...] [LIBRARIES <target>...]
#                 [SOURCES <file>...]) makes a module of the passes in the current folder. From
# objects that are compiled once come
#   <prefix><name>_module  the file <name>.so that `tuff run --passes FILE` loads; that of Tuff's own
#                          lies where the tools look for modules,
#   <prefix><name>         a static library to link, with tuff::passes::<name>_module() of
#                          <<name>_module.hpp>; of Tuff's own also tuff::<name>.
# <prefix> is "tuff_" inside Tuff and empty elsewhere. A pass is registered by TUFF_PASS(Type) in the
# source that defines it; the names of all passes and kernels begin with "<name>/".
#
# SOURCES: all *.cpp below the current folder, but for bench*.cpp, unless given.
# SHADERS: a folder whose subfolder <name> holds the module's kernels; "shaders" unless given.
# DEPENDS: modules of Tuff whose passes or kernels this one uses.
# LIBRARIES: other libraries that the passes need.
set(TUFF_MODULE_SCRIPTS ${CMAKE_CURRENT_LIST_DIR})
function(tuff_add_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHADERS" "DEPENDS;LIBRARIES;SOURCES")
    if(arg_UNPARSED_ARGUMENTS OR NOT name MATCHES "^[a-z][a-z0-9_]*$")
        message(FATAL_ERROR "usage: tuff_add_module(name [SHADERS folder] [DEPENDS module...] "
                            "[LIBRARIES target...] [SOURCES file...]); a name is of small letters, "
                            "digits and _")
    endif()
    set(inside FALSE)
    set(library ${name})
    if(COMMAND tuff_finish_own_module AND "${CMAKE_CURRENT_SOURCE_DIR}" MATCHES "/passes/${name}$")
        set(inside TRUE)
        set(library tuff_${name})
    endif()
    if(NOT arg_SHADERS)
        set(arg_SHADERS ${CMAKE_CURRENT_SOURCE_DIR}/shaders)
    endif()
    if(NOT arg_SOURCES)
        file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
        list(FILTER arg_SOURCES EXCLUDE REGEX "/bench[a-z_]*\\.cpp$")
    endif()
    list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")

    # Which passes there are, the sources say.
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${library}_generated)
    set(TUFF_MODULE ${name})
    set(TUFF_MODULE_DEPENDENCY_HEADERS)
    set(TUFF_MODULE_DEPENDENCIES)
    foreach(dependency IN LISTS arg_DEPENDS)
        string(APPEND TUFF_MODULE_DEPENDENCY_HEADERS "#include <${dependency}_module.hpp>\n")
        string(APPEND TUFF_MODULE_DEPENDENCIES "&tuff::passes::${dependency}_module(), ")
    endforeach()
    configure_file(${TUFF_MODULE_SCRIPTS}/module.hpp.in ${generated}/${name}_module.hpp @ONLY)
    configure_file(${TUFF_MODULE_SCRIPTS}/module.cpp.in ${generated}/module.cpp @ONLY)
    configure_file(${TUFF_MODULE_SCRIPTS}/module_entry.cpp.in ${generated}/entry.cpp @ONLY)
    list(JOIN arg_SOURCES "|" joined_sources)
    add_custom_command(
        OUTPUT ${generated}/passes.cpp
        COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D "SOURCES=${joined_sources}" -D
                OUTPUT=${generated}/passes.cpp -P ${TUFF_MODULE_SCRIPTS}/list_passes.cmake
        DEPENDS ${arg_SOURCES} ${TUFF_MODULE_SCRIPTS}/list_passes.cmake
        COMMENT "Listing the passes of ${name}"
        VERBATIM)

    add_library(${library}_objects OBJECT ${arg_SOURCES} ${generated}/passes.cpp
                                          ${generated}/module.cpp)
    set_source_files_properties(
        ${generated}/passes.cpp ${generated}/module.cpp
        PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${library}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_features(${library}_objects PUBLIC cxx_std_23)
    tuff_add_shaders(${library}_objects FOLDER ${arg_SHADERS} BELOW ${name} NAMESPACE
                     tuff_shaders_of_${name})
    set(include_folders $<BUILD_INTERFACE:${generated}>)
    set(needed)
    set(needed_modules)
    foreach(dependency IN LISTS arg_DEPENDS)
        list(APPEND needed tuff::${dependency})
        list(APPEND needed_modules tuff::${dependency}_module)
    endforeach()
    target_include_directories(${library}_objects PRIVATE ${generated})
    # Headers alone: either form of the libraries has the same.
    target_link_libraries(${library}_objects PRIVATE tuff::engine_shared ${needed_modules}
                                                     ${arg_LIBRARIES})

    add_library(${library} STATIC $<TARGET_OBJECTS:${library}_objects>)
    target_include_directories(${library} PUBLIC ${include_folders})
    target_link_libraries(${library} PUBLIC tuff::engine ${needed} PRIVATE ${arg_LIBRARIES})
    add_library(${library}_module SHARED $<TARGET_OBJECTS:${library}_objects> ${generated}/entry.cpp)
    target_include_directories(${library}_module PUBLIC ${include_folders})
    target_link_libraries(${library}_module PUBLIC tuff::engine_shared ${needed_modules}
                                            PRIVATE ${arg_LIBRARIES})
    set_target_properties(${library}_module PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX .so)
    set_source_files_properties(${generated}/entry.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    if(inside)
        tuff_finish_own_module(${name} ${generated})
    else()
        set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
endfunction()
