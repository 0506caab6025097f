# Builds the documentation as a site:
#   cmake -D SITE=FOLDER [-D WORK=FOLDER] -P cmake/site/build.cmake
# SITE is replaced; WORK holds what is made on the way. Needs mkdocs and Doxygen, and nothing that is
# built. Warnings of either are errors.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
cmake_path(GET root PARENT_PATH root)
if(NOT SITE)
    message(FATAL_ERROR "say where the site goes: -D SITE=FOLDER")
endif()
file(REAL_PATH "${SITE}" SITE)
if(NOT WORK)
    set(WORK "${SITE}.work")
endif()
file(REAL_PATH "${WORK}" WORK)

foreach(program IN ITEMS mkdocs doxygen python3)
    find_program(${program} ${program} NO_CACHE)
    if(NOT ${program})
        message(FATAL_ERROR "${program} is missing: third_party/packages.txt lists what the site needs")
    endif()
endforeach()
file(REMOVE_RECURSE ${WORK} ${SITE})
file(MAKE_DIRECTORY ${WORK})

# In the menus of the references the way back takes the place of an empty front page.
execute_process(COMMAND ${doxygen} -l ${WORK}/layout.xml OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK}/layout.xml layout)
string(
    REGEX
    REPLACE "<tab type=\"mainpage\"[^>]*>"
            "<tab type=\"mainpage\" visible=\"no\"/><tab type=\"user\" url=\"../index.html\" title=\"Documentation\"/>"
            layout "${layout}")
file(WRITE ${WORK}/layout.xml "${layout}")

# Runs Doxygen on the headers below INPUT into WORK/<name>.
function(tuff_reference name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TITLE;BRIEF;EXTRACT_ALL" "INPUT;STRIP")
    foreach(variable IN ITEMS TITLE BRIEF EXTRACT_ALL)
        set(${variable} "${arg_${variable}}")
    endforeach()
    list(JOIN arg_INPUT " " INPUT)
    list(JOIN arg_STRIP " " STRIP)
    set(FOLDER ${WORK}/${name})
    file(MAKE_DIRECTORY ${FOLDER})
    configure_file(${root}/cmake/site/Doxyfile.in ${FOLDER}.doxyfile @ONLY)
    execute_process(COMMAND ${doxygen} ${FOLDER}.doxyfile COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${FOLDER}.warnings warnings)
    if(warnings)
        message(FATAL_ERROR "Doxygen warns:\n${warnings}")
    endif()
endfunction()

set(engine ${root}/engine/include)
set(c ${root}/bindings/c/include)
tuff_reference(
    api
    TITLE "Tuff"
    BRIEF "Headers of the engine and of the C interface"
    EXTRACT_ALL NO
    INPUT ${engine} ${c}
    STRIP ${engine} ${c})
# What a field of a pass means its describe() says, and the pages of the passes show it.
tuff_reference(
    api_passes
    TITLE "Tuff: passes"
    BRIEF "Headers of the passes; docs/passes says what their fields mean"
    EXTRACT_ALL YES
    INPUT ${root}/passes
    STRIP ${root})

set(ENV{TUFF_SITE_WORK} ${WORK})
execute_process(
    COMMAND ${mkdocs} build --strict --config-file ${root}/mkdocs.yml --site-dir ${SITE}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
if(failed)
    message(FATAL_ERROR "mkdocs says:\n${said}")
endif()
execute_process(COMMAND ${python3} ${root}/cmake/site/check_site.py ${SITE}
                COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "wrote ${SITE}/index.html")
