# Makes both archives of BUILD in FOLDER, looks at what is in them, and runs the program of one.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE code
                    OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${code}\n${out}")
    endif()
    set(output "${out}" PARENT_SCOPE)
endfunction()
function(expect_in text)
    foreach(part IN LISTS ARGN)
        string(FIND "${text}" "${part}" at)
        if(at EQUAL -1)
            message(FATAL_ERROR "there is no '${part}' in\n${text}")
        endif()
    endforeach()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
foreach(kind IN ITEMS TGZ DEB)
    run(${CPACK} --config ${BUILD}/CPackConfig.cmake -G ${kind} -B ${FOLDER}/made)
endforeach()
file(GLOB archive ${FOLDER}/made/*.tar.gz)
file(GLOB package ${FOLDER}/made/*.deb)
set(contents bin/tuff bin/tuff-bench lib/libtuff_engine.so lib/tuff/modules/image.so
             include/tuff-passes/image_module.hpp lib/cmake/tuff/TuffModules.cmake
             include/tuff/graph.hpp include/tuff/tuff.h lib/libtuff.so
             lib/cmake/tuff/tuffConfig.cmake lib/pkgconfig/tuff.pc share/tuff/graphs/demo.json
             include/tuff/run.hpp include/tuff/presenter.hpp share/man/man1/tuff.1
             share/bash-completion/completions/tuff share/zsh/vendor-completions/_tuff
             share/fish/vendor_completions.d/tuff.fish)

run(${CMAKE_COMMAND} -E tar tzf ${archive})
expect_in("${output}" ${contents})
if(DPKG_DEB)
    run(${DPKG_DEB} --contents ${package})
    list(TRANSFORM contents PREPEND ./usr/)
    expect_in("${output}" ${contents})
    run(${DPKG_DEB} --field ${package})
    # What find_package(tuff) looks for is named, those of the headers among it.
    expect_in("${output}" "Package: tuff" "libvulkan1" "libglm-dev" "libvulkan-dev"
              "libshaderc-dev" "libjsoncpp-dev")
endif()

run(${CMAKE_COMMAND} -E tar xzf ${archive})
file(GLOB program ${FOLDER}/tuff-*/usr/bin/tuff)
run(${program} --version)
expect_in("${output}" "tuff ${VERSION}")
run(${program} check mandelbrot) # finds the graphs beside itself

# The page for man and the completion are those of this program.
file(GLOB shared ${FOLDER}/tuff-*/usr/share)
file(READ ${shared}/man/man1/tuff.1 page)
expect_in("${page}" ".TH TUFF 1" "tuff explain CONFIG" "\\-\\-frames" "TUFF_ASSET_PATH")
find_program(MAN man)
if(MAN)
    run(${CMAKE_COMMAND} -E env MANWIDTH=80 LC_ALL=C.UTF-8 ${MAN} --warnings -l
        ${shared}/man/man1/tuff.1)
    expect_in("${output}" "tuff run CONFIG" "--frames")
endif()
find_program(BASH bash)
if(BASH)
    run(${BASH} -n ${shared}/bash-completion/completions/tuff)
endif()
