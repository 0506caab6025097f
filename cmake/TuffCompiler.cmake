# Compiler-wide settings: the compiler cache, the warnings, the sanitizers.

find_program(TUFF_CCACHE ccache DOC "Compiler cache; used when present")
if(TUFF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Files with a precompiled header are only then kept in the cache.
    set(TUFF_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                      ${TUFF_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${TUFF_LAUNCHER})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TUFF_LAUNCHER})
    if(TUFF_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Without this the cache cannot tell which headers a precompiled one stands for.
        add_compile_options(-fpch-preprocess)
    endif()
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Nobody replaces our functions in a shared library, so they may be inlined there.
    add_compile_options(-fno-semantic-interposition)
endif()

# Relocations take a twentieth of their room; glibc reads them so from 2.36 on.
include(CheckLinkerFlag)
check_linker_flag(CXX "LINKER:-z,pack-relative-relocs" TUFF_PACKS_RELOCATIONS)
if(TUFF_PACKS_RELOCATIONS)
    add_link_options("LINKER:-z,pack-relative-relocs")
endif()
# Code and constants share pages: there are many modules, and a bundle is to be small.
check_linker_flag(CXX "LINKER:-z,noseparate-code" TUFF_JOINS_SEGMENTS)
if(TUFF_JOINS_SEGMENTS)
    add_link_options("LINKER:-z,noseparate-code")
endif()

if(TUFF_SANITIZE)
    # Before every target, third-party sources included: a half-instrumented program reports
    # errors that are not there.
    add_compile_options(-fsanitize=${TUFF_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TUFF_SANITIZE})
    if(TUFF_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
endif()

if(TUFF_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()

add_library(tuff_warnings INTERFACE)
target_compile_options(
    tuff_warnings
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              # Where several files are compiled as one, a local name may be that of another file's.
              $<IF:$<BOOL:${CMAKE_UNITY_BUILD}>,-Wshadow=local,-Wshadow>
              # There a type of an anonymous namespace looks as if it came from a header.
              $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
              -Wconversion
              -Wsign-conversion
              # Designated initialisers leave the rest at its default; that is their point.
              -Wno-missing-field-initializers
              $<$<BOOL:${TUFF_WERROR}>:-Werror>)
