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
             lib/cmake/tuff/tuffConfig.cmake lib/pkgconfig/tuff.pc share/tuff/graphs/demo.json)

run(${CMAKE_COMMAND} -E tar tzf ${archive})
expect_in("${output}" ${contents})
if(DPKG_DEB)
    run(${DPKG_DEB} --contents ${package})
    list(TRANSFORM contents PREPEND ./usr/)
    expect_in("${output}" ${contents})
    run(${DPKG_DEB} --field ${package})
    expect_in("${output}" "Package: tuff" "libvulkan1")
endif()

run(${CMAKE_COMMAND} -E tar xzf ${archive})
file(GLOB program ${FOLDER}/tuff-*/usr/bin/tuff)
run(${program} --version)
expect_in("${output}" "tuff ${VERSION}")
run(${program} check mandelbrot) # finds the graphs beside itself
